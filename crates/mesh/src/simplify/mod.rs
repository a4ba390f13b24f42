//! Simplifies the border of ground; it moves into the ground only, never out.
//!
//! First, corners go where the border is straight, between open edges as well. Then two moves, the
//! smallest loss of ground first:
//!
//! - a corner that sticks out (a convex corner of the ground, such as a step of a staircase of
//!   cells) is cut off, as in Visvalingam and Whyatt, "Line generalisation by repeated elimination
//!   of points", 1993;
//! - an edge is collapsed to the place where the edges before and after it would meet, if that is
//!   in the ground: at an obstacle's corner, whose border is a chain of reflex corners, and where
//!   an edge's end slides along another to a small jog. In the plane this is what progressive hulls
//!   are in space (Sander, Gu, Gortler, Hoppe and Snyder, "Silhouette clipping", 2000).
//!
//! ```text
//!   cut off:    ground              collapse:      ground
//!               __/\__   ->  ______               \__/   ->  \/
//!              wall                               obstacle
//! ```
//!
//! A corner whose removal costs a long strip of ground stays.
//!
//! Guards are exact: ground is lost within the tolerance of the first border only, and no other
//! border may be crossed, so rings stay simple and apart. Every point of the first border stays
//! within the tolerance of the new one as well, but for those around a narrow tip: a polygon that
//! is narrower than the tolerance is worth less than it costs.
//!
//! ```text
//!   ________               ________
//!           ‾‾‾‾---___             |
//!   ________ ___---‾‾‾  ->  _______|
//! ```

mod chain;
mod edge_grid;
mod lost;
mod reduce;
#[cfg(test)]
mod tests;

use navbake_geom::{Point, direction, dot, orient, ring_area};
use navbake_walkable::Ring;

use self::lost::is_narrow;

/// Outer rings around less than half of this many square units are not worth a triangle.
const FLAT: i64 = 8;

/// Rings with fewer corners, in the same order and direction, and within `tolerance` (grid units)
/// of the given ones. Open edges keep their place; outer rings without any that are next to flat,
/// or triangles narrower than the tolerance, are left out.
pub(crate) fn simplify(rings: &[Ring], tolerance: i32) -> Vec<Ring> {
    let shared = Shared::new(rings);
    let mut simple: Vec<Ring> = rings.iter().map(|r| straighten(r, &shared)).collect();
    if tolerance > 0 {
        reduce::reduce(&mut simple, &shared, tolerance);
        drop_flat(&mut simple, rings, tolerance);
    }
    simple
}

/// Places that more than one ring, or a ring more than once, goes through: their ranks, sorted.
struct Shared {
    places: Vec<u64>,
}

impl Shared {
    fn new(rings: &[Ring]) -> Shared {
        let mut all: Vec<u64> = rings.iter().flat_map(|r| &r.points).map(|p| p.rank()).collect();
        all.sort_unstable();
        let twice = all.windows(2).filter(|w| w[0] == w[1]);
        let mut places: Vec<u64> = twice.map(|w| w[0]).collect();
        places.dedup();
        Shared { places }
    }

    fn has(&self, p: Point) -> bool {
        self.places.binary_search(&p.rank()).is_ok()
    }
}

/// The ring without those corners where it goes straight on and nothing changes.
fn straighten(ring: &Ring, shared: &Shared) -> Ring {
    let n = ring.points.len();
    let turns = |i: usize| {
        let before = (i + n - 1) % n;
        let (a, b, c) = (ring.points[before], ring.points[i], ring.points[(i + 1) % n]);
        orient(a, b, c) != 0
            || dot(direction(a, b), direction(b, c)) <= 0
            || ring.open[before] != ring.open[i]
            || shared.has(b)
    };
    let mut result = Ring::with_capacity(n);
    for i in (0..n).filter(|&i| turns(i)) {
        result.push(ring.points[i], ring.open[i]);
    }
    if result.points.len() < 2 {
        return ring.clone();
    }
    result
}

/// Leaves out outer rings that bound next to nothing or a triangle that is all tip, are closed all
/// around and hold no other ring.
fn drop_flat(rings: &mut Vec<Ring>, first: &[Ring], tolerance: i32) {
    let flat = |at: usize| {
        let ring: &Ring = &rings[at];
        let area = ring_area(&ring.points);
        let is_tip = ring.points.len() == 3 && is_narrow(&first[at].points, tolerance);
        !ring.open.contains(&true) && area > 0 && (area < FLAT || is_tip)
    };
    let empty = |at: usize| {
        let mine = &rings[at].points;
        let span = |of: fn(&Point) -> i32| {
            let values = mine.iter().map(of);
            (values.clone().min(), values.max())
        };
        let (x, z) = (span(|p| p.x), span(|p| p.z));
        let inside = |p: &Point| {
            x.0 <= Some(p.x) && Some(p.x) <= x.1 && z.0 <= Some(p.z) && Some(p.z) <= z.1
        };
        let mut others = rings.iter().enumerate().filter(|&(r, _)| r != at);
        !others.any(|(_, r)| r.points.iter().any(inside))
    };
    let dropped: Vec<bool> = (0..rings.len()).map(|at| flat(at) && empty(at)).collect();
    let mut dropped = dropped.iter();
    rings.retain(|_| dropped.next() == Some(&false));
}
