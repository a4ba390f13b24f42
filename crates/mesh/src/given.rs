//! Polygons of another baker, as they are.

use std::collections::BTreeMap;

use navbake_geom::{Grid, Point3, convex_corner, orient};

use crate::check::first_half;
use crate::{NONE, PolygonMesh};

/// A polygon of another baker, y-up metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenPolygon {
    /// Its corners, counter-clockwise seen from above.
    pub ring: Vec<[f64; 3]>,
    /// The portal at each edge, a number that the edge beyond has as well, or [`NONE`].
    pub portals: Vec<u32>,
    /// Its area.
    pub area: u8,
}

/// What rounding to the grid changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rounded {
    /// Polygons without area on the grid, left out.
    pub lost: u32,
    /// Polygons that were no longer convex, cut.
    pub cut: u32,
    /// Portals whose sides did not meet, now walls.
    pub walls: u32,
}

/// A corner and the portal at the edge that begins there.
type Corner = (Point3, u32);

/// Polygons with their portals on the grid.
///
/// They stay what they are but for the rounding: one that it made concave is cut into convex ones,
/// and one that it left without area is left out. Corners out of the grid's range lose their
/// polygon. O(n log n).
///
/// ```
/// use navbake_geom::Grid;
/// use navbake_mesh::{GivenPolygon, NONE, given};
///
/// // Two triangles of a square of one metre.
/// let corner = |x: f64, z: f64| [x, 0.0, z];
/// let half = |ring: [[f64; 3]; 3], portals: [u32; 3]| GivenPolygon {
///     ring: ring.to_vec(),
///     portals: portals.to_vec(),
///     area: 0,
/// };
/// let square = [
///     half([corner(0.0, 0.0), corner(0.0, 1.0), corner(1.0, 1.0)], [NONE, NONE, 7]),
///     half([corner(0.0, 0.0), corner(1.0, 1.0), corner(1.0, 0.0)], [7, NONE, NONE]),
/// ];
/// let (mesh, _) = given(&square, &Grid { bits: 10, origin: [0.0; 3] });
/// assert_eq!(mesh.len(), 2);
/// assert_eq!(mesh.neighbours, [NONE, NONE, 1, 0, NONE, NONE]);
/// ```
pub fn given(polygons: &[GivenPolygon], grid: &Grid) -> (PolygonMesh, Rounded) {
    let mut notes = Rounded::default();
    let mut rings: Vec<(Vec<Corner>, u8)> = vec![];
    let portals = polygons.iter().flat_map(|p| &p.portals).filter(|&&p| p != NONE);
    let mut fresh = portals.max().map_or(0, |&p| p + 1);
    for polygon in polygons {
        let corners = polygon.ring.iter().zip(&polygon.portals);
        let snapped: Option<Vec<Corner>> =
            corners.map(|(&at, &portal)| Some((grid.snap_point(at)?, portal))).collect();
        let mut parts = vec![];
        let whole = without_short_edges(snapped.unwrap_or_default());
        if !convex_parts(whole, &mut fresh, &mut parts) || parts.is_empty() {
            notes.lost += 1;
            continue;
        }
        notes.cut += u32::from(parts.len() > 1);
        rings.extend(parts.into_iter().map(|ring| (ring, polygon.area)));
    }
    for (ring, _) in &mut rings {
        let least = (0..ring.len()).min_by_key(|&k| ring[k].0.flat()).unwrap_or(0);
        ring.rotate_left(least);
    }
    let mut vertices: Vec<Point3> = rings.iter().flat_map(|(r, _)| r).map(|c| c.0).collect();
    vertices.sort_unstable();
    vertices.dedup();
    let mut mesh = PolygonMesh { first_edge: vec![0], ..PolygonMesh::default() };
    // Both sides of each portal: polygon, edge, ends.
    let mut sides: BTreeMap<u32, Vec<(u32, usize, [Point3; 2])>> = BTreeMap::new();
    for (number, (ring, _)) in (0..).zip(&rings) {
        for (k, &(at, portal)) in ring.iter().enumerate() {
            if portal != NONE {
                let ends = [at, ring[(k + 1) % ring.len()].0];
                sides.entry(portal).or_default().push((number, mesh.corners.len(), ends));
            }
            mesh.corners.push(vertices.partition_point(|v| *v < at) as u32);
            mesh.neighbours.push(NONE);
        }
        mesh.first_edge.push(mesh.corners.len() as u32);
    }
    for side in sides.values() {
        let flat = |ends: [Point3; 2]| ends.map(|p| p.flat());
        match side.as_slice() {
            [(p, one, a), (q, other, [c, d])] if p != q && flat(*a) == flat([*d, *c]) => {
                mesh.neighbours[*one] = *q;
                mesh.neighbours[*other] = *p;
            }
            _ => notes.walls += 1,
        }
    }
    mesh.vertices = vertices;
    mesh.set_areas(rings.iter().map(|(_, area)| *area).collect());
    (mesh, notes)
}

/// A ring without corners at the place of the one before.
fn without_short_edges(mut ring: Vec<Corner>) -> Vec<Corner> {
    let mut k = 0;
    while ring.len() > 1 && k < ring.len() {
        let next = (k + 1) % ring.len();
        if ring[k].0.flat() == ring[next].0.flat() {
            // The edge that begins here has no length: its corner goes.
            ring.remove(k);
            k = k.saturating_sub(1);
        } else {
            k += 1;
        }
    }
    ring
}

/// Twice the area of a ring.
fn doubled(ring: &[Corner]) -> i128 {
    let first = ring.first().map_or(Point3::new(0, 0, 0), |c| c.0).flat();
    let pairs = ring.windows(2).map(|w| i128::from(orient(first, w[0].0.flat(), w[1].0.flat())));
    pairs.sum()
}

/// Does a ring turn to the left or go straight on at each corner, all around once?
fn is_convex(ring: &[Corner]) -> bool {
    let at = |k: usize| ring[k % ring.len()].0;
    let corners = || (0..ring.len()).map(|k| [at(k), at(k + 1), at(k + 2)]);
    corners().all(|[a, b, c]| convex_corner(a.flat(), b.flat(), c.flat()))
        && corners().filter(|&[a, b, c]| !first_half(a, b) && first_half(b, c)).count() == 1
}

/// Cuts a ring into convex ones, at most one cut a corner. Was that possible?
fn convex_parts(ring: Vec<Corner>, fresh: &mut u32, parts: &mut Vec<Vec<Corner>>) -> bool {
    if ring.len() < 3 || doubled(&ring) <= 0 {
        return false;
    }
    if is_convex(&ring) {
        parts.push(ring);
        return true;
    }
    // A ring that rounding bent is nearly convex, so a diagonal with ground on both sides is
    // inside; of these the one whose lesser part is largest.
    let n = ring.len();
    let split = |i: usize, j: usize, portal: u32| {
        let mut one = ring[i..=j].to_vec();
        let mut other = [&ring[j..], &ring[..=i]].concat();
        for part in [&mut one, &mut other] {
            if let Some(last) = part.last_mut() {
                last.1 = portal;
            }
        }
        [one, other]
    };
    let pairs = (0..n).flat_map(|i| (i + 2..n).map(move |j| (i, j)));
    let inner = pairs.filter(|&(i, j)| i > 0 || j + 1 < n);
    let best = inner.max_by_key(|&(i, j)| {
        let areas = split(i, j, NONE).map(|part| doubled(&part));
        (areas[0].min(areas[1]), std::cmp::Reverse((i, j)))
    });
    let Some((i, j)) = best else { return false };
    let portal = *fresh;
    let halves = split(i, j, portal);
    if halves.iter().any(|part| doubled(part) <= 0) {
        return false;
    }
    *fresh += 1;
    halves.into_iter().all(|part| convex_parts(part, fresh, parts))
}
