//! A `NavigationMesh` of Godot 4 as a text resource (`.tres`).
//!
//! Godot has no neighbours in the file. It rounds the ends of edges down to cells of the map, and
//! joins two edges whose ends are in the same cells. A third edge in the same cells is an error
//! after which it stops. So the cells have to be small enough, and all neighbours have to share
//! edges corner for corner, as polygons of this project do. At a step, where they meet at two
//! heights, an upright polygon joins the two edges.
//!
//! Polygons are clockwise seen from above, as Godot's own.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::surface::Surface;

/// Sides of cells, m: Godot's own first, then halves of it down to the grid of a usual level.
const CELLS: [f32; 9] = [
    0.25,
    0.125,
    0.0625,
    0.03125,
    0.015_625,
    0.007_812_5,
    0.003_906_25,
    0.001_953_125,
    0.000_976_562_5,
];

/// The sizes of the unit, for bakes in Godot's editor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unit {
    /// Radius, m.
    pub radius: f64,
    /// Height, m.
    pub height: f64,
    /// The highest step, m.
    pub climb: f64,
    /// The steepest ground, degrees.
    pub slope: f64,
}

/// A navmesh for Godot.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource {
    /// The file.
    pub text: String,
    /// Side and height of the map's cells, m: the largest in which Godot joins the right edges.
    pub cell: f64,
    /// Polygons, with those at steps.
    pub polygons: u32,
    /// Upright polygons at steps.
    pub steps: u32,
    /// A point of each edge that Godot joins with another one than the navmesh does, or not at
    /// all, whatever the cells.
    pub misjoined: Vec<[f64; 3]>,
    /// The greatest distance in height between the height mesh and Godot's polygons, m, at the
    /// points of the height mesh.
    pub height_error: f64,
}

/// The cell of a point, as Godot packs it into 64 bits.
type Key = u64;

/// An edge in the map: the cells of its ends, the lesser first.
type EdgeKey = [Key; 2];

fn key(point: [f32; 3], cell: f32) -> Key {
    let [x, y, z] = point.map(|c| (c / cell).floor() as i64 as u64);
    (x & 0x1F_FFFF) | (y & 0x3F_FFFF) << 21 | (z & 0x1F_FFFF) << 43
}

/// Polygons with their edges as Godot sees them.
struct Plan {
    polygons: Vec<Vec<u32>>,
    steps: u32,
    misjoined: Vec<u32>,
}

/// Writes a surface in y-up metres.
///
/// Takes a pass over all edges for each size of cells that is tried.
///
/// ```
/// # use navbake_draw::godot::{Unit, write};
/// # let unit = Unit { radius: 0.5, height: 2.0, climb: 0.4, slope: 45.0 };
/// let resource = write(&navbake_draw::Surface::default(), unit);
/// assert!(resource.text.starts_with("[gd_resource type=\"NavigationMesh\" format=3]\n"));
/// ```
pub fn write(surface: &Surface, unit: Unit) -> Resource {
    let points: Vec<[f32; 3]> = surface.vertices.iter().map(|v| v.map(|c| c as f32)).collect();
    let mut best: Option<(f32, Plan)> = None;
    for cell in CELLS {
        let plan = Plan::new(surface, &points, cell);
        let is_better = |(_, kept): &(f32, Plan)| plan.misjoined.len() < kept.misjoined.len();
        let done = plan.misjoined.is_empty();
        if best.as_ref().is_none_or(is_better) {
            best = Some((cell, plan));
        }
        if done {
            break;
        }
    }
    let none = || (CELLS[0], Plan { polygons: vec![], steps: 0, misjoined: vec![] });
    let (cell, plan) = best.unwrap_or_else(none);
    Resource {
        text: text(&points, &plan.polygons, cell, unit),
        cell: cell.into(),
        polygons: plan.polygons.len() as u32,
        steps: plan.steps,
        misjoined: plan.misjoined.iter().map(|&v| surface.vertices[v as usize]).collect(),
        height_error: height_error(surface),
    }
}

fn text(points: &[[f32; 3]], polygons: &[Vec<u32>], cell: f32, unit: Unit) -> String {
    let mut out = String::from("[gd_resource type=\"NavigationMesh\" format=3]\n\n[resource]\n");
    let list = |out: &mut String, values: &mut dyn Iterator<Item = String>| {
        for (n, value) in values.enumerate() {
            let _ = write!(out, "{}{value}", if n == 0 { "" } else { ", " });
        }
    };
    out.push_str("vertices = PackedVector3Array(");
    list(&mut out, &mut points.iter().flatten().map(f32::to_string));
    out.push_str(")\npolygons = [");
    for (n, polygon) in polygons.iter().enumerate() {
        out.push_str(if n == 0 { "PackedInt32Array(" } else { ", PackedInt32Array(" });
        list(&mut out, &mut polygon.iter().map(u32::to_string));
        out.push(')');
    }
    let Unit { radius, height, climb, slope } = unit;
    let _ = write!(
        out,
        "]\ncell_size = {cell}\ncell_height = {cell}\nagent_height = {height}\n\
         agent_radius = {radius}\nagent_max_climb = {climb}\nagent_max_slope = {slope}\n"
    );
    out
}

impl Plan {
    /// The polygons for cells of a size, and what Godot makes of them.
    fn new(surface: &Surface, points: &[[f32; 3]], cell: f32) -> Plan {
        let keys: Vec<Key> = points.iter().map(|&point| key(point, cell)).collect();
        let edge = |a: u32, b: u32| {
            let [a, b] = [keys[a as usize], keys[b as usize]];
            [a.min(b), a.max(b)]
        };
        let mut polygons: Vec<Vec<u32>> =
            (surface.polygons.iter()).map(|p| p.corners.iter().rev().copied().collect()).collect();
        // What has to be joined: each pair of polygons, by a corner of the first.
        let mut wanted: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        let mut want = |a: u32, b: u32, corner: u32| {
            wanted.entry((a.min(b), a.max(b))).or_default().push(corner);
        };
        let mut steps = 0;
        for (p, polygon) in surface.polygons.iter().enumerate() {
            let n = polygon.corners.len();
            for k in 0..n {
                let Some(beyond) = polygon.neighbours[k].filter(|&q| q > p as u32) else {
                    continue;
                };
                let (a, b) = (polygon.corners[k], polygon.corners[(k + 1) % n]);
                let Some(back) = surface.edge_back(p, k) else {
                    want(p as u32, beyond, a);
                    continue;
                };
                if edge(a, b) == edge(back.start, back.end) {
                    want(p as u32, beyond, a);
                    continue;
                }
                let mut riser = vec![a, b, back.start, back.end];
                riser.dedup_by_key(|v| keys[*v as usize]);
                if riser.len() > 3 && keys[riser[0] as usize] == keys[riser[3] as usize] {
                    riser.pop();
                }
                let number = polygons.len() as u32;
                want(p as u32, number, a);
                want(beyond, number, back.start);
                polygons.push(riser);
                steps += 1;
            }
        }
        let misjoined = misjoined(&polygons, surface.polygons.len() as u32, &wanted, edge);
        Plan { polygons, steps, misjoined }
    }
}

/// A corner of each edge that Godot joins otherwise than is wanted.
///
/// Two upright polygons (those from number `flat` on) may be joined: both lead over one step.
fn misjoined(
    polygons: &[Vec<u32>],
    flat: u32,
    wanted: &BTreeMap<(u32, u32), Vec<u32>>,
    edge: impl Fn(u32, u32) -> EdgeKey,
) -> Vec<u32> {
    let mut edges: BTreeMap<EdgeKey, Vec<(u32, u32)>> = BTreeMap::new();
    for (number, polygon) in (0u32..).zip(polygons) {
        for (k, &corner) in polygon.iter().enumerate() {
            let next = polygon[(k + 1) % polygon.len()];
            edges.entry(edge(corner, next)).or_default().push((number, corner));
        }
    }
    let mut joined: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let mut faults = vec![];
    for owners in edges.values() {
        match owners[..] {
            [] | [_] => {}
            [(a, corner), (b, _)] => {
                let pair = (a.min(b), a.max(b));
                *joined.entry(pair).or_default() += 1;
                let upright = pair.0 >= flat && a != b;
                if !upright && !wanted.contains_key(&pair) {
                    faults.push(corner);
                }
            }
            [(_, corner), ..] => faults.push(corner),
        }
    }
    for (pair, corners) in wanted {
        let made = joined.get(pair).copied().unwrap_or(0);
        // More joins than portals: two walls of neighbours fell into the same cells.
        let missing = corners.len().abs_diff(made);
        faults.extend(corners.iter().take(missing));
    }
    faults
}

/// See [`Resource::height_error`].
fn height_error(surface: &Surface) -> f64 {
    let mut worst = 0.0f64;
    for (p, polygon) in surface.polygons.iter().enumerate() {
        let ring = surface.ring(p);
        // Godot's fan begins at the last corner, and goes round the other way.
        let Some(tip) = ring.last() else { continue };
        let first = surface.vertices.len() as u32;
        for &point in polygon.faces.iter().flatten().filter(|&&v| v >= first) {
            let [x, y, z] = surface.points[(point - first) as usize];
            let within = ring.windows(2).find_map(|w| height_in([*tip, w[0], w[1]], [x, z]));
            worst = worst.max(within.map_or(0.0, |height| (height - y).abs()));
        }
    }
    worst
}

/// The height of a triangle at a point; `None` outside.
fn height_in([a, b, c]: [[f64; 3]; 3], [x, z]: [f64; 2]) -> Option<f64> {
    let cross = |p: [f64; 3], q: [f64; 3]| (q[0] - p[0]) * (z - p[2]) - (q[2] - p[2]) * (x - p[0]);
    let (u, v, w) = (cross(b, c), cross(c, a), cross(a, b));
    let sum = u + v + w;
    // A grid step outside is rounding.
    let slack = 1e-3 * sum.abs();
    let inside = [u, v, w].iter().all(|s| s * sum.signum() >= -slack);
    (sum != 0.0 && inside).then(|| (u * a[1] + v * b[1] + w * c[1]) / sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::tests::{plus_of_four_squares, two_squares_and_an_island};

    const UNIT: Unit = Unit { radius: 0.5, height: 2.0, climb: 0.4, slope: 45.0 };

    fn numbers(text: &str, key: &str) -> Vec<Vec<f64>> {
        let line = text.lines().find_map(|l| l.strip_prefix(key)).unwrap();
        line.split(['(', ')'])
            .filter(|part| part.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
            .map(|part| part.split(", ").map(|n| n.parse().unwrap()).collect())
            .collect()
    }

    #[test]
    fn polygons_are_clockwise_and_share_their_corners() {
        let made = write(&two_squares_and_an_island(), UNIT);
        let polygons = numbers(&made.text, "polygons = ");
        assert_eq!(
            polygons,
            [vec![1.0, 3.0, 2.0, 0.0], vec![4.0, 5.0, 3.0, 1.0], vec![8.0, 7.0, 6.0]]
        );
        assert_eq!(numbers(&made.text, "vertices = ")[0].len(), 9 * 3);
        assert_eq!((made.cell, made.steps, made.polygons), (0.25, 0, 3));
        assert!(made.misjoined.is_empty());
        assert!(made.text.contains("\ncell_size = 0.25\n"), "{}", made.text);
        assert!(made.text.contains("\nagent_max_climb = 0.4\n"), "{}", made.text);
    }

    #[test]
    fn a_step_becomes_an_upright_polygon_between_its_two_edges() {
        let surface = plus_of_four_squares();
        let made = write(&surface, UNIT);
        assert!(made.steps > 0);
        assert_eq!(made.polygons, 4 + made.steps);
        assert!(made.misjoined.is_empty(), "{:?}", made.misjoined);
        for riser in &numbers(&made.text, "polygons = ")[4..] {
            let flat: std::collections::BTreeSet<[u64; 2]> = (riser.iter())
                .map(|&v| surface.vertices[v as usize])
                .map(|[x, _, z]| [x.to_bits(), z.to_bits()])
                .collect();
            assert_eq!(flat.len(), 2, "{riser:?}");
        }
    }

    #[test]
    fn cells_are_small_enough_to_keep_near_walls_apart() {
        // A gap of 1/16 m between the squares: one map cell of 0.25 m would join them.
        let mut surface = two_squares_and_an_island();
        let apart = surface.vertices.len() as u32;
        surface.vertices.extend([[1.0625, 0.0, 0.0], [1.0625, 0.0, 1.0]]);
        surface.polygons[1].corners = vec![apart, apart + 1, 5, 4];
        surface.polygons[1].neighbours = vec![None; 4];
        surface.polygons[0].neighbours = vec![None; 4];
        let made = write(&surface, UNIT);
        assert_eq!(made.cell, 0.0625);
        assert!(made.misjoined.is_empty());
    }

    #[test]
    fn edges_that_no_cell_keeps_apart_are_reported() {
        // The same ground twice.
        let mut surface = two_squares_and_an_island();
        let again = surface.polygons[0].clone();
        surface.polygons.push(again);
        let made = write(&surface, UNIT);
        assert!(!made.misjoined.is_empty());
    }

    #[test]
    fn the_height_error_is_that_of_the_points_between_corners() {
        let mut surface = two_squares_and_an_island();
        let point = surface.vertices.len() as u32;
        surface.points.push([0.5, 0.75, 0.25]);
        let corners = surface.polygons[0].corners.clone();
        surface.polygons[0].faces =
            (0..4).map(|k| vec![corners[k], corners[(k + 1) % 4], point]).collect();
        assert_eq!(write(&surface, UNIT).height_error, 0.75);
    }
}
