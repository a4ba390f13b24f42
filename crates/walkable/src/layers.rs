//! The result of the walkable stage: layers of ground, tile by tile.

use navbake_geom::Point;
use navbake_level::Warning;

use crate::exact::{LayerGround, NarrowPassage};

/// The walkable ground of a level for one agent class, cut into tiles; sorted by [`Tile::key`].
#[derive(Clone, Debug, Default)]
pub struct WalkableLayers {
    /// Tiles with ground in them.
    pub tiles: Vec<Tile>,
    /// Warnings.
    pub warnings: Vec<Warning>,
}

/// One square of the world.
#[derive(Clone, Debug, Default)]
pub struct Tile {
    /// Column and row of the tile; absolute, so that a level that grows keeps its keys.
    pub key: [i32; 2],
    /// Layers in it. Each is connected and free of overlap seen from above.
    pub layers: Vec<Layer>,
    /// Passages about as wide as the agent, which are closed. Neighbouring tiles repeat some, and
    /// there need not be ground on both sides of them.
    pub narrow: Vec<NarrowPassage>,
}

/// A connected piece of ground that does not overlap itself seen from above.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    /// Its border, ground to the left seen from above: outer rings counter-clockwise, holes
    /// clockwise. Rings touch themselves and each other in vertices only.
    pub rings: Vec<Ring>,
    /// Its heights, on a grid of cells; only the cells' side if it has `ground`.
    pub heights: Heights,
    /// The triangles below it, if heights come from them.
    pub ground: Option<LayerGround>,
}

/// A closed border line.
#[derive(Clone, Debug, Default)]
pub struct Ring {
    /// Corners; the last joins the first.
    pub points: Vec<Point>,
    /// For each edge (`points[i]` to the next): does the ground go on in another layer or tile?
    /// Such an edge keeps its place exactly; the others may be simplified, into the ground only.
    pub open: Vec<bool>,
}

impl Ring {
    /// A ring without corners, with room for `corners`.
    pub fn with_capacity(corners: usize) -> Ring {
        Ring { points: Vec::with_capacity(corners), open: Vec::with_capacity(corners) }
    }

    /// Adds a corner, and whether the edge from there is open.
    pub fn push(&mut self, corner: Point, open: bool) {
        self.points.push(corner);
        self.open.push(open);
    }
}

/// Heights of a layer: a square grid of cells, each with the plane of its ground.
#[derive(Clone, Debug, Default)]
pub struct Heights {
    /// Side of a cell, in grid units; even.
    pub cell: i32,
    /// Grid coordinates of the least cell: its least corner is at `least * cell` in grid units.
    pub least: [i32; 2],
    /// Cells along x and z.
    pub size: [u32; 2],
    /// Row by row (z major): heights of the corners (least x least z, greatest x least z, greatest
    /// x greatest z, least x greatest z), then of the centre; all [`Heights::NONE`] without ground.
    pub cells: Vec<[i32; 5]>,
}

impl Heights {
    /// Marks a cell without ground.
    pub const NONE: i32 = i32::MIN;
}
