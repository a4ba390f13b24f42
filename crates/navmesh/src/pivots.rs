//! Where a shortest path can turn: at corners around which the ground takes more than half a turn
//! between two walls, or more than one turn.

use crate::{CORNER, Edge, NONE, Polygon, WIDE};
use navbake_grid::{cross, direction, dot};

/// How many pivots there are, by kind.
#[derive(Clone, Copy, Debug)]
pub struct Pivots {
    /// How many there are.
    pub count: usize,
    /// Number of pivots, from the first on, at which paths can turn.
    pub turning: usize,
    /// No wall touches those from this one on.
    pub inner: usize,
    /// The most corners of one.
    pub widest: usize,
}

/// Gives each corner the number of its pivot, and marks those where a path can turn: they have the
/// first numbers. `polygons` is one longer than there are.
pub fn number_pivots(polygons: &[Polygon], edges: &mut [Edge]) -> Pivots {
    let (mut pivots, mut widest, mut at_walls) = (0, 0, 0);
    // First from the walls on, each with the ground on its left; then around the vertices that no wall touches.
    for walls in [true, false] {
        for (p, pair) in polygons.windows(2).enumerate() {
            let [first, end] = [pair[0].first, pair[1].first];
            for e in first..end {
                let edge = &edges[e as usize];
                let begins = match walls {
                    true => edge.neighbour == NONE,
                    false => edge.pivot == NONE,
                };
                if begins {
                    let start = (p as u32, e - first);
                    widest = widest.max(turn_around(polygons, edges, start, pivots));
                    pivots += 1;
                    at_walls += u32::from(walls);
                }
            }
        }
    }
    let count = pivots as usize;
    let [turning, inner] = turning_first(count, at_walls, edges);
    Pivots { count, turning, inner, widest }
}

/// Numbers pivots anew, those where paths can turn first, otherwise in the same order: the first
/// `at_walls` before the others. Returns how many can be turned at, and the first of the others.
fn turning_first(count: usize, at_walls: u32, edges: &mut [Edge]) -> [usize; 2] {
    let bits = CORNER | WIDE;
    let mut numbers = alloc::vec![0u32; count];
    for edge in edges.iter().filter(|e| e.is_corner()) {
        numbers[(edge.pivot & !bits) as usize] = 1;
    }
    let turning = numbers.iter().filter(|&&n| n == 1).count();
    let (mut first, mut rest) = (0, turning as u32);
    for number in &mut numbers {
        let next = if *number == 1 { &mut first } else { &mut rest };
        *number = *next;
        *next += 1;
    }
    for edge in edges {
        edge.pivot = numbers[(edge.pivot & !bits) as usize] | (edge.pivot & bits);
    }
    let others = numbers.get(at_walls as usize..).unwrap_or(&[]);
    let inner = others.iter().filter(|&&n| n as usize >= turning).min();
    [turning, inner.map_or(count, |&n| n as usize)]
}

/// Turns counter-clockwise around a corner, up to the next wall or once around, and gives every
/// corner that it passes a pivot. Returns how many it passed.
fn turn_around(polygons: &[Polygon], edges: &mut [Edge], start: (u32, u32), pivot: u32) -> usize {
    let number = |(p, k): (u32, u32)| (polygons[p as usize].first + k) as usize;
    let next = |(p, k): (u32, u32)| {
        let [first, end] = [0, 1].map(|i| polygons[p as usize + i].first);
        let k = if k + 1 < end - first { k + 1 } else { 0 };
        number((p, k))
    };
    let back = |(p, k): (u32, u32)| {
        let [first, end] = [0, 1].map(|i| polygons[p as usize + i].first);
        number((p, if k == 0 { end - first - 1 } else { k - 1 }))
    };
    let centre = edges[number(start)].at;
    let wall = edges[number(start)].neighbour == NONE;
    let first = direction(centre, edges[next(start)].at);
    let (mut at, mut count) = (start, 0);
    // Half turns done. A polygon takes at most one, so none is stepped over.
    let (mut halves, mut straight) = (0, false);
    for _ in 0..edges.len() {
        edges[number(at)].pivot = pivot;
        count += 1;
        let end = edges[back(at)];
        let d = direction(centre, end.at);
        let side = cross(first, d);
        let odd = side < 0 || (side == 0 && dot(first, d) < 0);
        halves += u32::from(odd != (halves % 2 == 1));
        straight = side == 0;
        if end.neighbour == NONE {
            break;
        }
        at = (end.neighbour, end.twin);
        if at == start {
            break;
        }
    }
    // Between walls paths turn where the ground takes more than half a turn. Around a vertex without
    // walls it takes one turn; where it takes more, as around the axis of a helix, paths turn there
    // too.
    let more_than = |n: u32| halves > n || (wall && halves == n && !straight);
    let mut bits = 0;
    if more_than(if wall { 1 } else { 2 }) {
        bits |= CORNER;
    }
    if more_than(2) {
        bits |= WIDE;
    }
    if bits != 0 {
        let mut at = start;
        for _ in 0..count {
            edges[number(at)].pivot = pivot | bits;
            let end = edges[back(at)];
            at = (end.neighbour, end.twin);
            if end.neighbour == NONE {
                break;
            }
        }
    }
    count
}
