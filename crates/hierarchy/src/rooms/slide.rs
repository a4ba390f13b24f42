//! Moves doors to where they are narrowest.

use std::collections::VecDeque;

use navbake_mesh::{NONE, PolygonMesh};

use super::flat::{Flat, next, prev};
use super::grow::CORRIDOR;
use super::passage;
use super::walls::{End, tightened};

/// Gives triangles at doors to the other room where that makes the door shorter, or one of two;
/// `of` is the room of each triangle. Each move makes the doors shorter, so there is an end.
pub(super) fn slide(flat: &Flat, of: &mut [u32]) {
    let mut waiting: VecDeque<u32> = (0..flat.at.len() as u32).collect();
    while let Some(h) = waiting.pop_front() {
        if slide_over(flat, of, h) {
            let own = [h, next(h), prev(h)];
            waiting.extend(own);
            waiting.extend(own.map(|h| flat.twin[h as usize]).into_iter().filter(|&g| g != NONE));
        }
    }
}

/// Moves the triangle of a half-edge to the room beyond, if that is better.
fn slide_over(flat: &Flat, of: &mut [u32], h: u32) -> bool {
    let Some(beyond) = flat.beyond(h) else {
        return false;
    };
    let (own, other) = (of[h as usize / 3], of[beyond as usize]);
    if own == other {
        return false;
    }
    let mut before = flat.square(h) as f64;
    before = before.sqrt();
    let mut after = 0.0;
    let mut doors = [1, 0];
    for e in [next(h), prev(h)] {
        let Some(t) = flat.beyond(e) else { continue };
        let long = (flat.square(e) as f64).sqrt();
        if of[t as usize] == own {
            after += long;
            doors[1] += 1;
        } else if of[t as usize] == other {
            before += long;
            doors[0] += 1;
        } else {
            return false;
        }
    }
    // Only a triangle that stays a part of something: one door for one or two.
    if doors[1] == 1 && after < before {
        of[h as usize / 3] = other;
        return true;
    }
    false
}

/// The ground on both sides of a doorway is wider than the doorway by this factor, on average.
const DOORWAY: f64 = 1.3;

/// An end moves along walls by at most this to where a door is shortest, in the least distances of
/// sample points.
const ASIDE: f64 = 4.0;

/// A segment between two walls that is a door.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// The door's left end as one comes from the room of `inside`, then the right one.
    pub(super) ends: [End; 2],
    /// The same where they are nearest to each other.
    pub(super) narrow: [End; 2],
    /// In the middle of a doorway.
    pub(super) middle: Option<[End; 2]>,
    /// The triangle left of the segment.
    pub(super) inside: u32,
    pub(super) beyond: u32,
}

impl Segment {
    /// Where it may be cut, the best first.
    pub(super) fn tries(&self) -> [Option<[End; 2]>; 3] {
        [self.middle, Some(self.narrow), Some(self.ends)]
    }
}

/// The doors between triangles of different rooms, in the order of their places.
///
/// `means` is half of the average width of each room; walls are off the ground by `radius`, and
/// sample points on them at least `finest` apart.
pub(super) fn doors(
    flat: &Flat,
    mesh: &PolygonMesh,
    of: &[u32],
    means: &[f64],
    [radius, finest]: [i32; 2],
) -> Vec<Segment> {
    let radius = f64::from(radius);
    // Around a corner that the ground keeps its radius from. Farther on is another place.
    let aside = ASIDE * f64::from(finest);
    let mut found = vec![];
    for h in 0..flat.at.len() as u32 {
        let g = flat.twin[h as usize];
        if g == NONE || of[h as usize / 3] == of[g as usize / 3] {
            continue;
        }
        let (a, b) = (flat.at[h as usize], flat.end(h));
        if a > b {
            continue;
        }
        // A corner that could not be taken out: no wall, no door. The rooms will turn out to be
        // one.
        let (Some(from), Some(to)) = (flat.wall_from(h), flat.wall_from(g)) else {
            continue;
        };
        let end = |h: u32| End { at: flat.at[h as usize], wall: flat.wall[h as usize] };
        let ends = [end(from), end(to)];
        found.push(Segment {
            ends,
            narrow: tightened(mesh, ends, aside),
            middle: {
                let wide = (flat.square(h) as f64).sqrt() + 2.0 * radius;
                // A corridor has its door where it begins; a doorway is between wider parts.
                let is_doorway = [h, g]
                    .iter()
                    .all(|&h| means[of[h as usize / 3] as usize] > DOORWAY * wide / 2.0);
                let found = is_doorway.then(|| passage::middle(flat, mesh, of, h, CORRIDOR * wide));
                found.flatten().map(|ends| tightened(mesh, ends, radius / 2.0))
            },
            inside: h / 3,
            beyond: g / 3,
        });
    }
    found.sort_by_key(|s| (s.ends[0].at, s.ends[1].at, s.ends.map(|e| e.wall)));
    found
}
