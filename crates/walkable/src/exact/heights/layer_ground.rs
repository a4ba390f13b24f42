//! The ground of a layer: the true heights of a tile, and the squares that select the layer.

use std::sync::Arc;

use navbake_geom::{Point, Whole};

use super::Ground;
use crate::exact::layer_map::LayerMap;
use crate::exact::measures::Measures;
use crate::exact::sampling::SamplingGrid;

/// The squares of a tile.
#[derive(Debug)]
pub(crate) struct LayerSquares {
    /// Nothing where all squares are of one layer, on plain ground.
    sampled: Option<(SamplingGrid, LayerMap)>,
    /// Column and row of the tile's least square.
    base: [i64; 2],
    count: i64,
    cell: i64,
}

impl LayerSquares {
    pub(crate) fn new(
        sampled: Option<(SamplingGrid, LayerMap)>,
        measures: &Measures,
    ) -> LayerSquares {
        LayerSquares {
            sampled,
            base: measures.corner.map(|c| (c / measures.cell) as i64),
            count: i64::from(measures.count),
            cell: measures.cell as i64,
        }
    }
}

/// The ground of a layer as its triangles have it.
#[derive(Clone, Debug)]
pub struct LayerGround {
    ground: Arc<Ground>,
    squares: Arc<LayerSquares>,
    layer: u32,
}

impl LayerGround {
    pub(crate) fn new(
        ground: &Arc<Ground>,
        squares: &Arc<LayerSquares>,
        layer: u32,
    ) -> LayerGround {
        LayerGround { ground: Arc::clone(ground), squares: Arc::clone(squares), layer }
    }

    /// The heights of all of the tile.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Rough heights of a cell of [`crate::Heights`], in the same order; `None` off the layer. They
    /// are exact at the corners; elsewhere they select one of several layers.
    pub fn cell(&self, column: i64, row: i64) -> Option<[i32; 5]> {
        let LayerSquares { sampled, base, count, .. } = &*self.squares;
        let (i, j) = (column - base[0], -row - 1 - base[1]);
        if i < 0 || j < 0 || i >= *count || j >= *count {
            return None;
        }
        let Some((grid, layers)) = sampled else {
            return Some(self.plain_heights(column, row));
        };
        let mut squares = grid.squares_at(i as i32, j as i32);
        squares.find(|&s| layers.of(s) == self.layer).and_then(|s| square_heights(grid, s))
    }

    /// Rough heights of some cell of the layer.
    pub fn any_cell(&self) -> Option<[i32; 5]> {
        let LayerSquares { sampled, base, .. } = &*self.squares;
        let Some((grid, layers)) = sampled else {
            return Some(self.plain_heights(base[0], -1 - base[1]));
        };
        layers.seeds.get(self.layer as usize).and_then(|&seed| square_heights(grid, seed))
    }

    /// The heights of a cell on plain ground: those that the sampling grid would have.
    fn plain_heights(&self, column: i64, row: i64) -> [i32; 5] {
        let corners = [[0, 0], [1, 0], [1, 1], [0, 1]];
        heights(corners.map(|[i, j]| {
            let [x, z] = [column + i, row + j].map(|k| (k * self.squares.cell) as i32);
            self.ground.top(Point::new(x, z))
        }))
    }
}

/// The heights of a square of a sampling grid.
fn square_heights(grid: &SamplingGrid, square: u32) -> Option<[i32; 5]> {
    let [a, b, c, d] = grid.corners(square)?;
    Some(heights([d, c, b, a].map(|n| grid.height(n))))
}

/// Heights of the corners and the centre, from those of the corners.
fn heights(y: [f64; 4]) -> [i32; 5] {
    let mean = (y[0] + y[1] + y[2] + y[3]) / 4.0;
    [y[0], y[1], y[2], y[3], mean].map(|h| h.to_nearest())
}
