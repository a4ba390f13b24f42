//! Which squares of the sampling grid a segment keeps the agent off.
//!
//! A segment starts at the squares beside it at its own height, and spreads from square to square
//! along links of the sampling grid, as far as its capsule reaches. So it keeps the agent off the
//! ground that it bounds, and never off a layer above or below.

use super::capsules::NARROWEST;
use super::math::{V2, lerp, max, min};
use super::measures::Measures;
use super::sampling::{BESIDE, NONE, SamplingGrid};
use super::segments::Segment;

/// Marks a node that no square begins at.
const NO_SQUARE: u32 = NONE - 1;

/// The squared distance up to which a square of this side is inside a capsule wholly, of its
/// centre; negative if there is none.
pub(crate) fn inner(measures: &Measures, side: f64) -> f64 {
    let inner = measures.radius * NARROWEST - side * 0.7072 - 1.0;
    if inner > 0.0 { inner * inner } else { -1.0 }
}

/// Spreads segments over squares, one at a time.
pub(crate) struct Spread<'a> {
    grid: &'a SamplingGrid,
    cell: f64,
    climb: f64,
    /// How far centres of squares may be from a segment.
    reach: f64,
    /// The last segment that reached each node; [`NO_SQUARE`] is skipped.
    mark: Vec<u32>,
    name: u32,
    queue: Vec<Around>,
}

impl<'a> Spread<'a> {
    /// Capsules reach `far` from their segments.
    pub(crate) fn new(grid: &'a SamplingGrid, measures: &Measures, far: f64) -> Spread<'a> {
        let nodes = 0..grid.len() as u32;
        let mark = |n| if grid.is_square(n) { NONE } else { NO_SQUARE };
        Spread {
            grid,
            cell: measures.cell,
            climb: measures.climb,
            reach: far + measures.cell * 0.7072,
            mark: nodes.map(mark).collect(),
            name: 0,
            queue: vec![],
        }
    }

    /// Calls `f` with each square that a segment spreads over, until it gives false. Gives whether
    /// it never did.
    pub(crate) fn over(
        &mut self,
        segment: &Segment,
        mut f: impl FnMut(&Distance, Around) -> bool,
    ) -> bool {
        let (grid, cell, reach, name) = (self.grid, self.cell, self.reach, self.name);
        let (mark, queue) = (&mut self.mark, &mut self.queue);
        let beside = cell * BESIDE;
        let step = self.climb + 1.0;
        let ways = [[cell, 0.0], [0.0, cell], [-cell, 0.0], [0.0, -cell]];
        let from = Distance::new(segment, cell);
        let [ya, yb] = segment.heights;
        let (low, high) = (min(ya, yb) - step, max(ya, yb) + step);
        self.name += 1;
        queue.clear();
        let mut at = 0;
        for row in grid.squares_along(1, from.low[1] - beside, from.high[1] + beside) {
            let [x0, x1] = from.within(grid.row(row), beside);
            let columns = grid.squares_along(0, x0, x1);
            if columns.is_empty() {
                continue;
            }
            for s in grid.under_row(row, columns) {
                // It has been here already.
                let mark_of = &mut mark[s as usize];
                if *mark_of == name || *mark_of == NO_SQUARE {
                    continue;
                }
                let about = grid.about(s, step);
                if about[1] < low || about[0] > high {
                    continue;
                }
                let place = grid.place(s);
                let (far, t, height) = from.apart(place);
                if far > beside * beside {
                    continue;
                }
                let ground = grid.height_near(s, lerp(segment.a, segment.b, t));
                if (ground - height).abs() > step {
                    continue;
                }
                *mark_of = name;
                let first = Around { square: s, place, far };
                if !f(&from, first) {
                    return false;
                }
                queue.push(first);
                while let Some(&Around { square, place, .. }) = queue.get(at) {
                    at += 1;
                    for (&next, way) in grid.links(square).iter().zip(ways) {
                        let Some(mark) = mark.get_mut(next as usize) else {
                            continue;
                        };
                        if *mark == name || *mark == NO_SQUARE {
                            continue;
                        }
                        *mark = name;
                        // Whole numbers: as exact as the sampling grid's own.
                        let place = [place[0] + way[0], place[1] + way[1]];
                        let far = from.apart(place).0;
                        if far <= reach * reach {
                            let next = Around { square: next, place, far };
                            if !f(&from, next) {
                                return false;
                            }
                            queue.push(next);
                        }
                    }
                }
            }
        }
        true
    }
}

/// A square that a segment has reached: its least corner, and the squared distance of its centre.
#[derive(Clone, Copy)]
pub(crate) struct Around {
    pub(crate) square: u32,
    pub(crate) place: V2,
    pub(crate) far: f64,
}

/// How far squares are from a segment.
pub(crate) struct Distance {
    /// The beginning of the segment, moved by half a square: a square's least corner then has the
    /// distance of its centre.
    begin: V2,
    along: V2,
    /// One through the length squared.
    inverse: f64,
    heights: [f64; 2],
    low: V2,
    high: V2,
    /// X per Y along the segment.
    slope: f64,
    half: f64,
}

impl Distance {
    fn new(segment: &Segment, cell: f64) -> Distance {
        let (a, b) = (segment.a, segment.b);
        let along = [b[0] - a[0], b[1] - a[1]];
        Distance {
            begin: a.map(|v| v - cell / 2.0),
            along,
            inverse: 1.0 / (along[0] * along[0] + along[1] * along[1]),
            heights: segment.heights,
            low: [min(a[0], b[0]), min(a[1], b[1])],
            high: [max(a[0], b[0]), max(a[1], b[1])],
            slope: along[0] / along[1],
            half: cell / 2.0,
        }
    }

    /// Squared distance of a square's centre, the parameter of the nearest place of the segment,
    /// and the segment's height there.
    pub(crate) fn apart(&self, corner: V2) -> (f64, f64, f64) {
        let (px, py) = (corner[0] - self.begin[0], corner[1] - self.begin[1]);
        let [dx, dy] = self.along;
        let t = ((px * dx + py * dy) * self.inverse).clamp(0.0, 1.0);
        let (qx, qy) = (px - t * dx, py - t * dy);
        let [ya, yb] = self.heights;
        (qx * qx + qy * qy, t, ya + t * (yb - ya))
    }

    /// The range of X in which centres of a row of squares may be nearer than `far`. The row begins
    /// at `y`.
    fn within(&self, y: f64, far: f64) -> [f64; 2] {
        if self.slope.abs() < 1e6 {
            // The part of the segment at most that far below or above.
            let y = y + self.half;
            let at =
                |y: f64| self.begin[0] + self.half + (y - self.begin[1] - self.half) * self.slope;
            let (p, q) = (at(y - far), at(y + far));
            let low = max(min(p, q), self.low[0]);
            let high = min(max(p, q), self.high[0]);
            [low - far, high + far]
        } else {
            [self.low[0] - far, self.high[0] + far]
        }
    }
}

