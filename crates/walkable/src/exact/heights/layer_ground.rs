//! The ground of a layer: the true heights of a tile, and the squares that select the layer.

use std::sync::Arc;

use navbake_geom::Whole;

use super::Ground;
use crate::exact::layer_map::LayerMap;
use crate::exact::measures::Measures;
use crate::exact::sampling::SamplingGrid;

/// The squares of a tile.
#[derive(Debug)]
pub(crate) struct LayerSquares {
    grid: SamplingGrid,
    layers: LayerMap,
    /// Column and row of the tile's least square.
    base: [i64; 2],
    count: i64,
}

impl LayerSquares {
    pub(crate) fn new(grid: SamplingGrid, layers: LayerMap, measures: &Measures) -> LayerSquares {
        LayerSquares {
            grid,
            layers,
            base: measures.corner.map(|c| (c / measures.cell) as i64),
            count: i64::from(measures.count),
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
        let LayerSquares { grid, layers, base, count } = &*self.squares;
        let (i, j) = (column - base[0], -row - 1 - base[1]);
        if i < 0 || j < 0 || i >= *count || j >= *count {
            return None;
        }
        let mut squares = grid.squares_at(i as i32, j as i32);
        squares.find(|&s| layers.of(s) == self.layer).and_then(|s| self.heights(s))
    }

    /// Rough heights of some cell of the layer.
    pub fn any_cell(&self) -> Option<[i32; 5]> {
        let seed = self.squares.layers.seeds.get(self.layer as usize)?;
        self.heights(*seed)
    }

    fn heights(&self, square: u32) -> Option<[i32; 5]> {
        let [a, b, c, d] = self.squares.grid.corners(square)?;
        let y = [d, c, b, a].map(|n| self.squares.grid.height(n));
        let mean = (y[0] + y[1] + y[2] + y[3]) / 4.0;
        Some([y[0], y[1], y[2], y[3], mean].map(|h| h.to_nearest()))
    }
}
