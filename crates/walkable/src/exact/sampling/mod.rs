//! The sampling grid: ground under a grid of points, and which points are a step apart.
//!
//! Points are two thirds of the radius apart. Under each point are zero or more *nodes*, places
//! with ground and head room, one for each layer. A node is linked to that node of the next point
//! that it meets best half-way between them, if that is within a step:
//!
//! ```text
//!  height                                      seen from above
//!    |    o---o---o   upper layer                o---o---o
//!    |                                           | A | B |     four nodes linked in a circle are a
//!    |  o---o---o---o---o                        o---o---o     square, named by its least corner
//!    |      lower layer   \ too high:            | C |
//!    |                      o   no link          o---o
//!    +-------------------------- X
//! ```
//!
//! Squares are the skeleton of all later steps: segments spread over them, their edges are cut, and
//! layers are sets of them. No border follows the grid, so it may be coarse; two thirds of the
//! radius is the most for which all corners of the squares around a place free of borders are on
//! ground.
//!
//! The grid is filled row by row, in runs of points over the same triangles ([`columns`]): which of
//! them are walkable is decided at both ends of a run, as planes are linear in between. Then points
//! in gaps that an agent steps over get the ground beside them ([`gaps`]), and only the rows
//! concerned are filled again ([`regrow`]). Last, steep stairs are linked tread by tread
//! ([`stairs`]).

pub(crate) mod beside;
mod columns;
mod gaps;
mod grid;
mod grow;
mod height_blocks;
mod regrow;
mod stairs;

use super::input::Triangles;
use super::measures::Measures;
pub(crate) use beside::Distance;
use grid::{Kind, Node, slack};
pub(crate) use grid::{NONE, SamplingGrid};
use grow::Growth;

impl SamplingGrid {
    pub(crate) fn new(triangles: &Triangles, measures: &Measures) -> SamplingGrid {
        let mut grid = SamplingGrid::empty(triangles, measures);
        let mut growth = Growth::new(&mut grid, measures);
        growth.all(triangles, &[]);
        let mut patches = vec![];
        // The corner of a gap is between points in the gap.
        for _ in 0..2 {
            let more = gaps::patches(triangles, growth.grid(), measures);
            if more.is_empty() {
                break;
            }
            patches.extend(more);
            gaps::sort(&mut patches);
            growth.patch(triangles, &patches);
        }
        growth.finish(triangles);
        for link in stairs::links(triangles, &grid, measures) {
            grid.climb(link);
        }
        let squares = grid.nodes.iter().zip(&grid.kinds);
        for (node, _) in squares.filter(|s| *s.1 != Kind::Nothing) {
            grid.begun[node.triangle as usize] = true;
        }
        grid
    }
}

#[cfg(test)]
mod tests;
