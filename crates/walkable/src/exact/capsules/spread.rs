//! Which squares a capsule may touch.
//!
//! A segment starts at the squares beside it at its own height, and spreads from square to square
//! along links of the sampling grid, as far as its capsule reaches.

use super::NONE;
use crate::exact::math::V2;
use crate::exact::measures::{Measures, WIDEST};
use crate::exact::sampling::{Distance, SamplingGrid};
use crate::exact::segment::Segment;

/// Marks a node that no square begins at.
const NO_SQUARE: u32 = NONE - 1;

/// A square that a segment has reached: its least corner, and the squared distance of its centre.
#[derive(Clone, Copy)]
pub(super) struct Around {
    pub(super) square: u32,
    place: V2,
    pub(super) far: f64,
}

/// Spreads segments, one at a time.
pub(super) struct Spread {
    /// The last segment that reached each node; [`NO_SQUARE`] is skipped.
    mark: Vec<u32>,
    name: u32,
    queue: Vec<Around>,
    /// The squared distance that centres of squares may have.
    reach: f64,
}

impl Spread {
    pub(super) fn new(grid: &SamplingGrid, measures: &Measures) -> Spread {
        let mark = |n| if grid.is_square(n) { NONE } else { NO_SQUARE };
        let reach = measures.radius * WIDEST + measures.cell * 0.7072;
        Spread {
            mark: (0..grid.len() as u32).map(mark).collect(),
            name: 0,
            queue: vec![],
            reach: reach * reach,
        }
    }

    /// The squares that the capsule of a segment may touch.
    pub(super) fn over(
        &mut self,
        grid: &SamplingGrid,
        segment: &Segment,
        measures: &Measures,
    ) -> &[Around] {
        let Spread { mark, name, queue, reach } = self;
        let (name, reach, cell) = (std::mem::replace(name, *name + 1), *reach, measures.cell);
        let ways = [[cell, 0.0], [0.0, cell], [-cell, 0.0], [0.0, -cell]];
        let from = Distance::new(segment, cell);
        queue.clear();
        let mut at = 0;
        for row in grid.rows_beside(&from) {
            for s in grid.row_beside(row, &from) {
                // It has been here already.
                let mark_of = &mut mark[s as usize];
                if *mark_of == name || *mark_of == NO_SQUARE {
                    continue;
                }
                let Some((place, far)) = grid.beside(s, &from, measures) else {
                    continue;
                };
                *mark_of = name;
                queue.push(Around { square: s, place, far });
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
                        if far <= reach {
                            queue.push(Around { square: next, place, far });
                        }
                    }
                }
            }
        }
        queue
    }
}
