//! The border of the free ground within a sampling grid square.

use crate::exact::capsules::{Capsule, Clearance, End, is_side};
use crate::exact::math::{V2, lerp};
use crate::exact::sampling::SamplingGrid;

/// An opening of a square's side, as met on a walk around the square counter-clockwise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met {
    pub(crate) edge: usize,
    pub(crate) opening: u32,
    /// The walk runs against the edge.
    pub(crate) against: bool,
}

impl Met {
    /// The end of the opening that the walk meets first (0) or last (1), as an end of the opening.
    pub(crate) fn end(&self, last: usize) -> usize {
        if self.against { 1 - last } else { last }
    }
}

/// More corners than this within one square are no border but a knot.
const MOST_CORNERS: usize = 64;
/// A walk ends at an opening within this distance, in grid units.
const NEAR: f64 = 20.0;
/// Sides of several capsules may be on one line, and rounding decides which of them a walk follows:
/// it may leave its square by this much.
const SLIP: f64 = 1.0;

/// Place on an edge.
pub(crate) fn place(grid: &SamplingGrid, edge: usize, along: f64) -> V2 {
    let [x, y] = grid.place((edge / 2) as u32);
    if edge.is_multiple_of(2) { [x + along, y] } else { [x, y + along] }
}

/// Walks from the last end of an opening along capsules, these to the right, until it leaves the
/// square. Appends the corners it passes to `corners` and gives the opening (index into `met`)
/// whose first end it reached. If the walk gets lost, `corners` is unchanged.
pub(crate) fn walk(
    grid: &SamplingGrid,
    clearance: &Clearance,
    square: u32,
    met: &[Met],
    from: usize,
    corners: &mut Vec<V2>,
) -> Option<usize> {
    let before = corners.len();
    [0.0, SLIP].into_iter().find_map(|slip| {
        corners.truncate(before);
        let to = leave(grid, clearance, square, met[from], slip, corners)
            .and_then(|at| opening_near(grid, clearance, met, at));
        if to.is_none() {
            corners.truncate(before);
        }
        to
    })
}

/// The opening whose first end is nearest to a place, and near.
fn opening_near(grid: &SamplingGrid, clearance: &Clearance, met: &[Met], at: V2) -> Option<usize> {
    let mut best = (NEAR * NEAR, None);
    for (k, m) in met.iter().enumerate() {
        let (opening, end) = (clearance.opening(m.opening), m.end(0));
        if opening.ends[end] == End::Node {
            continue;
        }
        let p = place(grid, m.edge, opening.exact[end]);
        let far = (p[0] - at[0]) * (p[0] - at[0]) + (p[1] - at[1]) * (p[1] - at[1]);
        if far < best.0 {
            best = (far, Some(k));
        }
    }
    best.1
}

/// Follows the border until it leaves the square, grown by `slip`; gives where.
fn leave(
    grid: &SamplingGrid,
    clearance: &Clearance,
    square: u32,
    start: Met,
    slip: f64,
    corners: &mut Vec<V2>,
) -> Option<V2> {
    let opening = clearance.opening(start.opening);
    let End::Capsule(mut capsule, mut side) = opening.ends[start.end(1)] else {
        return None;
    };
    if !is_side(side) {
        return None;
    }
    let [a, _, c, _] = grid.corners(square)?;
    let low = grid.place(a).map(|v| v - slip);
    let high = grid.place(c).map(|v| v + slip);
    let mut at = place(grid, start.edge, opening.exact[start.end(1)]);
    for _ in 0..MOST_CORNERS {
        let to = clearance.capsule(capsule).end_of(side);
        // How far along this side the square ends.
        let mut exit = f64::INFINITY;
        for axis in 0..2 {
            let d = to[axis] - at[axis];
            if d > 1e-9 {
                exit = exit.min((high[axis] - at[axis]) / d);
            } else if d < -1e-9 {
                exit = exit.min((low[axis] - at[axis]) / d);
            }
        }
        let exit = exit.max(0.0);
        let far = if exit < 1.0 { lerp(at, to, exit) } else { to };
        // The first other capsule along the side.
        let mut next: Option<(f64, u32, u8)> = None;
        for &s in clearance.around(square) {
            if s == capsule {
                continue;
            }
            if let Some(cut) = clearance.capsule(s).cut(at, far)
                && is_side(cut.sides[0])
                && next.is_none_or(|n| cut.t[0] < n.0)
            {
                next = Some((cut.t[0], s, cut.sides[0]));
            }
        }
        match next {
            Some((t, s, k)) => {
                at = lerp(at, far, t);
                (capsule, side) = (s, k);
            }
            None if exit < 1.0 => return Some(far),
            None => {
                at = to;
                side = Capsule::after(side);
            }
        }
        corners.push(at);
    }
    None
}
