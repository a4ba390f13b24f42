//! Pieces that stand in a level more than once: what is known of one place and holds at all of them, whatever else stands there.
//!
//! What takes an agent's head room somewhere takes it there at all places, and more triangles do not give it back. So it is found once which lines of
//! a piece across its own ground the piece itself hides: nothing is left of them wherever it stands. It is only taken for known with more to spare
//! than anything is off by rounding, so that looking in place would say the same. All else depends on what stands around, and is found in place.

use std::ops::AddAssign;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use navbake_level::{Copy, Level};

use super::Measures;
use super::input::{EdgeKind, Triangle, Triangles, bounds};
use super::math::V2;
use super::segments::cache::Line;
use super::segments::outlines::Outlines;
use crate::params::Params;

/// Lines are the same where their ends differ by less: more than by roundings.
const SAME: f64 = 1e-3;
/// What decides on lines across a triangle lies this near to it.
const AROUND: f64 = 8.0;
/// Of everything around nothing is left out.
const EVERYWHERE: [f64; 4] = [f64::MIN, f64::MIN, f64::MAX, f64::MAX];

/// No triangle.
const NONE: u32 = u32::MAX;

/// How much was known before, on ground of pieces that stand in a level more than once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reuse {
    /// Lines across such ground of which it was asked what is hidden, tile by tile.
    pub asked: u64,
    /// Those of them that the piece was known to hide.
    pub known: u64,
    /// Lines across ground of pieces that were looked at to know that, once for all places.
    pub looked_at: u64,
}

impl AddAssign for Reuse {
    fn add_assign(&mut self, other: Reuse) {
        self.asked += other.asked;
        self.known += other.known;
        self.looked_at += other.looked_at;
    }
}

/// What is known of pieces, by the first place of each.
#[derive(Debug)]
pub(crate) struct Pieces {
    /// The level's triangle of each seat, or [`NONE`].
    triangles: Vec<u32>,
    pieces: Vec<OnceLock<Piece>>,
    asked: AtomicU64,
    known: AtomicU64,
    looked_at: AtomicU64,
}

/// A piece by itself, at its first place.
#[derive(Debug)]
struct Piece {
    triangles: Triangles,
    /// The triangle of each triangle, where the level has it.
    numbers: Vec<Option<u32>>,
    /// For each triangle, the lines that are hidden: from the lesser end to the greater, ascending.
    hidden: Vec<OnceLock<Vec<[V2; 2]>>>,
}

/// Pieces, and what they are looked at with.
pub(crate) struct Sight<'a> {
    pub(crate) level: &'a Level,
    pub(crate) kinds: &'a [[EdgeKind; 3]],
    pub(crate) params: &'a Params,
    pub(crate) measures: &'a Measures,
    pub(crate) pieces: &'a Pieces,
}

/// What is known of a triangle.
pub(crate) struct Seen<'a> {
    pieces: &'a Pieces,
    copy: &'a Copy,
    hidden: &'a [[V2; 2]],
}

impl Pieces {
    /// Of a level; none where nothing stands there more than once.
    pub(crate) fn new(level: &Level) -> Option<Pieces> {
        let copies = &level.copies;
        let seats = copies.all.last()?.seats.end;
        let mut triangles = vec![NONE; seats as usize];
        for (triangle, &seat) in (0u32..).zip(&copies.seats) {
            if let Some(at) = triangles.get_mut(seat as usize) {
                *at = triangle;
            }
        }
        Some(Pieces {
            triangles,
            pieces: copies.all.iter().map(|_| OnceLock::new()).collect(),
            asked: AtomicU64::new(0),
            known: AtomicU64::new(0),
            looked_at: AtomicU64::new(0),
        })
    }

    pub(crate) fn reuse(&self) -> Reuse {
        Reuse {
            asked: self.asked.load(Ordering::Relaxed),
            known: self.known.load(Ordering::Relaxed),
            looked_at: self.looked_at.load(Ordering::Relaxed),
        }
    }
}

impl Piece {
    fn new(sight: &Sight, first: &Copy) -> Piece {
        let seats = first.seats.start as usize..first.seats.end as usize;
        let all = &sight.pieces.triangles[seats];
        let mut numbers = vec![None; all.len()];
        let mut triangles = vec![];
        for (&triangle, number) in all.iter().zip(&mut numbers) {
            if triangle != NONE {
                *number = Some(triangles.len() as u32);
                triangles.push(triangle);
            }
        }
        let Sight {
            level,
            kinds,
            params,
            ..
        } = *sight;
        let hull = |a: [f64; 4], b: [f64; 4]| {
            let (low, high) = (
                [a[0].min(b[0]), a[1].min(b[1])],
                [a[2].max(b[2]), a[3].max(b[3])],
            );
            [low[0], low[1], high[0], high[1]]
        };
        let area = triangles.iter().map(|&t| bounds(level, t)).reduce(hull);
        let area = area.unwrap_or_default();
        let triangles = Triangles::whole(level, kinds, &triangles, params, area);
        Piece {
            hidden: triangles.all.iter().map(|_| OnceLock::new()).collect(),
            triangles,
            numbers,
        }
    }

    /// Finds the lines across a triangle that are hidden.
    fn find(&self, triangle: u32, sight: &Sight) -> Vec<[V2; 2]> {
        let mut look = Outlines::new(&self.triangles, sight.measures, EVERYWHERE);
        let lines: Vec<Line> = look.lines(triangle).collect();
        let roofs = look.roofs().to_vec();
        look.gather(triangle, &roofs);
        let looked_at = &sight.pieces.looked_at;
        looked_at.fetch_add(lines.len() as u64, Ordering::Relaxed);
        let hidden = lines.iter().filter(|line| look.is_surely_hidden(line));
        let mut hidden: Vec<[V2; 2]> = hidden.map(|line| ascending(line.ends)).collect();
        hidden.sort_unstable_by(|[a, _], [b, _]| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        hidden
    }
}

impl<'a> Sight<'a> {
    /// What is known of a ground triangle, as far as all that decides on its lines lies in an area.
    pub(crate) fn seen(&self, triangle: &Triangle, area: [f64; 4]) -> Option<Seen<'a>> {
        let pieces = self.pieces;
        let (copy, number) = self.level.copies.at(triangle.level_index as usize)?;
        let is_inside = (0..2).all(|k| {
            triangle.bounds[k] - AROUND >= area[k] && triangle.bounds[k + 2] + AROUND <= area[k + 2]
        });
        if !is_inside {
            return None;
        }
        let first = &self.level.copies.all[copy.of as usize];
        let piece = pieces.pieces[copy.of as usize].get_or_init(|| Piece::new(self, first));
        let number = (*piece.numbers.get(number as usize)?)?;
        if !piece.triangles.all.get(number as usize)?.ground {
            return None;
        }
        let find = || piece.find(number, self);
        Some(Seen {
            pieces,
            copy,
            hidden: piece.hidden[number as usize].get_or_init(find),
        })
    }
}

impl Seen<'_> {
    /// Is a line across the triangle hidden as a whole?
    pub(crate) fn hides(&self, line: [V2; 2]) -> bool {
        self.pieces.asked.fetch_add(1, Ordering::Relaxed);
        // Y is -z.
        let place = |p: V2| {
            let [x, z] = self.copy.pose.inwards([p[0], -p[1]]);
            [x, -z]
        };
        let line = line.map(place);
        let is_same = |p: V2, q: V2| (p[0] - q[0]).abs() < SAME && (p[1] - q[1]).abs() < SAME;
        let [a, b] = line;
        // Ends that lie on one line along Y, but for a rounding, may stand in either order.
        let is_known = [[a, b], [b, a]].into_iter().any(|[a, b]| {
            let from = self.hidden.partition_point(|[c, _]| c[0] <= a[0] - SAME);
            let mut near = self.hidden[from..]
                .iter()
                .take_while(|[c, _]| c[0] < a[0] + SAME);
            near.any(|&[c, d]| is_same(a, c) && is_same(b, d))
        });
        if is_known {
            self.pieces.known.fetch_add(1, Ordering::Relaxed);
        }
        is_known
    }
}

/// A line from its lesser end to its greater one.
fn ascending([a, b]: [V2; 2]) -> [V2; 2] {
    if a <= b { [a, b] } else { [b, a] }
}
