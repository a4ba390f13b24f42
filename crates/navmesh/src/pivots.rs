//! Where a shortest path can turn: at corners around which the ground takes more than half a turn
//! between two walls, or more than one turn.

use crate::{CORNER, Corner, Edge, NONE, PolyMesh, WIDE};
use navbake_grid::{cross, direction, dot};

/// How many pivots there are, by kind.
#[cfg(feature = "alloc")]
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
#[cfg(feature = "alloc")]
pub fn number_pivots(polygons: &[crate::Polygon], edges: &mut [Edge]) -> Pivots {
    let (mut pivots, mut widest, mut at_walls) = (0, 0, 0);
    let mut passed = alloc::vec::Vec::new();
    // First from the walls on, each with the ground on its left; then around the vertices that no
    // wall touches.
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
                    passed.clear();
                    let borders = Borders {
                        first: |p| polygons[p as usize].first,
                        edge: |e| edges[e as usize],
                        count: edges.len(),
                    };
                    let turn = borders.turn((p as u32, e - first), |e, _| passed.push(e));
                    for &e in &passed {
                        edges[e as usize].pivot = pivots | turn.bits;
                    }
                    widest = widest.max(passed.len());
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
#[cfg(feature = "alloc")]
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

/// Access to polygons and their edges, all known to be there.
struct Borders<F, E> {
    /// The first edge of a polygon.
    first: F,
    edge: E,
    /// Number of edges.
    count: usize,
}

/// How the ground turns around a corner.
struct Turn {
    /// Of all corners there: [`CORNER`] and [`WIDE`].
    bits: u32,
    /// The last wall begins at this point; only where there are walls.
    last: [i32; 2],
}

impl<F: Fn(u32) -> u32, E: Fn(u32) -> Edge> Borders<F, E> {
    /// Turns counter-clockwise around a corner, up to the next wall or once around. Calls `passed`
    /// for each corner that it passes, by number and record.
    #[inline]
    fn turn(&self, start: (u32, u32), mut passed: impl FnMut(u32, &Edge)) -> Turn {
        let sides = |p: u32| [(self.first)(p), (self.first)(p + 1)];
        let [first, end] = sides(start.0);
        let corner = (self.edge)(first + start.1);
        let next = first + if first + start.1 + 1 < end { start.1 + 1 } else { 0 };
        let centre = corner.at;
        let wall = corner.neighbour == NONE;
        let ahead = direction(centre, (self.edge)(next).at);
        let (mut at, mut last) = (start, centre);
        // Half turns done. A polygon takes at most one, so none is stepped over.
        let (mut halves, mut straight) = (0, false);
        for _ in 0..self.count {
            let [first, end] = sides(at.0);
            passed(first + at.1, &(self.edge)(first + at.1));
            let back = if at.1 == 0 { end - 1 } else { first + at.1 - 1 };
            let back = (self.edge)(back);
            let d = direction(centre, back.at);
            let side = cross(ahead, d);
            let odd = side < 0 || (side == 0 && dot(ahead, d) < 0);
            halves += u32::from(odd != (halves % 2 == 1));
            straight = side == 0;
            last = back.at;
            if back.neighbour == NONE {
                break;
            }
            at = (back.neighbour, back.twin);
            if at == start {
                break;
            }
        }
        // Between walls paths turn where the ground takes more than half a turn. Around a vertex
        // without walls it takes one turn; where it takes more, as around the axis of a helix,
        // paths turn there too.
        let more_than = |n: u32| halves > n || (wall && halves == n && !straight);
        let mut bits = 0;
        if more_than(if wall { 1 } else { 2 }) {
            bits |= CORNER;
        }
        if more_than(2) {
            bits |= WIDE;
        }
        Turn { bits, last }
    }
}

/// Turns counter-clockwise around a corner, a polygon and the number of the corner there, up to the
/// next wall or once around. `start` must be the first corner behind a wall, where there is one.
/// Calls `passed` with the number of each corner. Returns [`CORNER`] and [`WIDE`] for all of them.
pub fn turn(mesh: &PolyMesh<'_>, start: (u32, u32), mut passed: impl FnMut(u32)) -> u32 {
    let borders = Borders {
        first: |p| mesh.polygons.at(p as usize).first,
        edge: |e| mesh.edges.at(e as usize),
        count: mesh.edges.len(),
    };
    borders.turn(start, |e, _| passed(e)).bits
}

/// Checks that pivots are numbered as decoding a mesh numbers them. Borders are known to be sound.
/// O(edges).
///
/// Calls `corner` for each pivot that paths can turn at, by its number; its rank is 0.
///
/// # Errors
/// The number of an edge whose pivot is wrong, or that of the edges when the counts are.
pub fn check(mesh: &PolyMesh<'_>, mut corner: impl FnMut(u32, Corner) -> bool) -> Result<(), u32> {
    let borders = Borders {
        first: |p| mesh.polygons.at(p as usize).first,
        edge: |e| mesh.edges.at(e as usize),
        count: mesh.edges.len(),
    };
    // Pivots that paths can turn at have the first numbers, both kinds in the order of their first
    // corners. So the number of a pivot not yet seen is the next of its kind; a pivot is walked
    // around once.
    let (mut turning, mut others, mut inner) = (0, mesh.corners, 0);
    let (mut visited, mut widest) = (0, 0);
    for walls in [true, false] {
        for p in 0..mesh.len() {
            let border = mesh.border(p);
            for (k, edge) in (0u32..).zip(border.iter()) {
                let next = if edge.is_corner() { &mut turning } else { &mut others };
                let is_next = edge.pivot_number() == *next;
                let e = border.number(k as usize);
                match walls {
                    true if edge.neighbour != NONE => continue,
                    true if !is_next => return Err(e),
                    false if !is_next => continue,
                    _ => *next += 1,
                }
                let (mut count, mut same) = (0, true);
                let mut lowest = (e, edge.height);
                let turn = borders.turn((p, k), |e, passed| {
                    same &= passed.pivot == edge.pivot;
                    lowest = lowest.min((e, passed.height));
                    count += 1;
                });
                if !same || turn.bits != edge.pivot & (CORNER | WIDE) {
                    return Err(e);
                }
                visited += count;
                widest = widest.max(count);
                if edge.is_corner() {
                    let is_wall = edge.neighbour == NONE && !edge.is_wide();
                    let walls = is_wall.then(|| [border.after(k as usize).at, turn.last]);
                    let found = Corner::between(edge.at, lowest.1, walls);
                    if !corner(edge.pivot_number(), found) {
                        return Err(e);
                    }
                }
            }
        }
        if walls {
            inner = others;
        }
    }
    let found = [turning, others, inner, widest as u32];
    let right = found == [mesh.corners, mesh.pivots, mesh.inner, mesh.widest];
    match right && visited == mesh.edges.len() {
        true => Ok(()),
        false => Err(mesh.edges.len() as u32),
    }
}
