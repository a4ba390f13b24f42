//! Sample points on the borders of a navmesh, from which leaps may start.
//!
//! Samples are where walls cross the lines of a lattice that is fixed in the level, so that a
//! change elsewhere moves none of them. A wall is sampled on the lines of the axis that it follows
//! more.
//!
//! ```text
//!     |     |     |     |     lattice lines, `pace` apart
//!   --o-----o-----o--.  |
//!     |     |     |   \ |     o: brinks; `out` is the direction off the ground
//!       ground         \
//! ```

use navbake_format::{NavMesh, PolyId, Polygon};
use navbake_geom::Whole;

use crate::floor::{Floor, Place};

/// A point on the border, and the direction off the ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Brink {
    pub(crate) at: Place,
    /// Unit vector away from the ground, `[x, z]`.
    pub(crate) out: [f64; 2],
    /// The number of its border line; brinks of one line are in the line's order.
    pub(crate) line: u32,
}

/// About the most samples of a navmesh: 600 km of borders for an agent of the default size.
const MOST: i64 = 1 << 21;

/// The distance of lattice lines, grid units: `pace`, or more where the borders are so long that
/// there would be more than [`MOST`] samples. A small file can hold a border around the whole grid.
pub(crate) fn pace_within(mesh: &NavMesh<'_>, pace: i64) -> i64 {
    let mut long = 0;
    for polygon in mesh.polygons() {
        for k in (0..polygon.len()).filter(|&k| polygon.neighbour(k).is_none()) {
            let [a, b] = [k, polygon.next(k)].map(|k| polygon.corner(k).map(i64::from));
            long += (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
        }
    }
    pace.max(long / MOST)
}

/// Hands over the brinks of each border, line by line. Lattice lines are `pace` grid units apart.
pub(crate) fn brinks(
    mesh: &NavMesh<'_>,
    floor: &Floor<'_>,
    pace: i64,
    mut take: impl FnMut(Vec<Brink>),
) {
    let mut seen = vec![false; mesh.edge_count() as usize];
    let mut line = 0;
    for polygon in mesh.polygons() {
        for k in 0..polygon.len() {
            let is_new = |p: &Polygon<'_, '_>, k: u32, seen: &[bool]| {
                p.neighbour(k).is_none() && !seen[p.edge(k).0 as usize]
            };
            if !is_new(&polygon, k, &seen) {
                continue;
            }
            let (mut at, mut edge) = (polygon.id(), k);
            let mut brinks = vec![];
            loop {
                let polygon = mesh.polygon(at);
                if !is_new(&polygon, edge, &seen) {
                    break;
                }
                seen[polygon.edge(edge).0 as usize] = true;
                along(floor, &polygon, edge, pace, line, &mut brinks);
                match next(mesh, at, edge) {
                    Some(found) => (at, edge) = found,
                    None => break,
                }
            }
            take(brinks);
            line += 1;
        }
    }
}

/// The next wall at the end of a wall, with the ground on the same side.
fn next(mesh: &NavMesh<'_>, polygon: PolyId, edge: u32) -> Option<(PolyId, u32)> {
    let (mut at, mut k) = (polygon, mesh.polygon(polygon).next(edge));
    // The number of portals at a corner is at most the number of edges.
    for _ in 0..mesh.edge_count() {
        let polygon = mesh.polygon(at);
        if polygon.neighbour(k).is_none() {
            return Some((at, k));
        }
        let (beyond, twin) = polygon.across(k)?;
        (at, k) = (beyond, mesh.polygon(beyond).next(twin));
    }
    None
}

/// The brinks of one wall: its crossings with lattice lines of its dominant axis.
fn along(
    floor: &Floor<'_>,
    polygon: &Polygon<'_, '_>,
    edge: u32,
    pace: i64,
    line: u32,
    brinks: &mut Vec<Brink>,
) {
    let [a, b] = [edge, polygon.next(edge)].map(|k| polygon.corner(k).map(i64::from));
    let (dx, dz) = (b[0] - a[0], b[1] - a[1]);
    let axis = usize::from(dx.abs() < dz.abs());
    let (low, high) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
    let length = ((dx * dx + dz * dz) as f64).sqrt();
    // Ground is to the left, seen from above.
    let out = [-dz as f64 / length, dx as f64 / length];
    let mut push = |lattice: i64| {
        let t = (lattice * pace - a[axis]) as f64 / (b[axis] - a[axis]) as f64;
        let place = [0, 1].map(|k| a[k] as f64 + t * (b[k] - a[k]) as f64);
        if let Some(at) = held(floor, polygon.id(), place) {
            brinks.push(Brink { at, out, line });
        }
    };
    // An end on a lattice line belongs to the wall beyond it on that axis, so that no point occurs
    // twice.
    let first = low.div_euclid(pace) + i64::from(low.rem_euclid(pace) != 0);
    let last = (high - 1).div_euclid(pace);
    match b[axis] > a[axis] {
        true => (first..=last).for_each(&mut push),
        false => (first..=last).rev().for_each(&mut push),
    }
}

/// The grid point of a polygon at a point of its border, or beside it.
fn held(floor: &Floor<'_>, polygon: PolyId, place: [f64; 2]) -> Option<Place> {
    const BESIDE: [[i32; 2]; 9] =
        [[0, 0], [-1, 0], [0, -1], [0, 1], [1, 0], [-1, -1], [-1, 1], [1, -1], [1, 1]];
    let [x, z] = place.map(|c| c.to_nearest());
    let mut all = BESIDE.iter();
    all.find_map(|[dx, dz]| floor.on(polygon, [x + dx, z + dz]))
}
