//! The triangles near a block of cells: one look-up for all columns of the block.

use std::rc::Rc;

use super::ground::{Cells, is_wall};
use crate::explain::bins::{Box2, meet};
use crate::explain::solid::Solids;

/// Cells along the side of a block. Searches and walks sample cells beside each other.
const SIDE: i32 = 4;

/// A triangle, with what decides without its corners whether a column needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) number: u32,
    pub(super) is_wall: bool,
    pub(super) bounds: Box2,
    /// Of its lowest and its highest corner.
    heights: [f64; 2],
}

/// The triangles near the cells of a block, their numbers ascending.
#[derive(Clone, Debug)]
pub(super) struct Block(Rc<[Near]>);

/// The blocks that were asked for.
#[derive(Debug, Default)]
pub(super) struct Blocks(Cells<[i32; 2], Block>);

/// The square around a place.
pub(super) fn around([x, z]: [f64; 2], far: f64) -> Box2 {
    [x - far, z - far, x + far, z + far]
}

impl Near {
    /// May a part of it be nearer to a place than this?
    pub(super) fn is_within(&self, at: [f64; 2], far: f64) -> bool {
        let [x0, z0, x1, z1] = self.bounds;
        let x = (x0 - at[0]).max(at[0] - x1).max(0.0);
        let z = (z0 - at[1]).max(at[1] - z1).max(0.0);
        x * x + z * z <= far * far
    }

    /// Is a part of it between two heights?
    pub(super) fn is_beside(&self, [low, high]: [f64; 2]) -> bool {
        self.heights[1] >= low && self.heights[0] <= high
    }
}

impl Block {
    /// The triangles whose bounds are nearer than `far` to a place, along both axes.
    pub(super) fn near(&self, at: [f64; 2], far: f64) -> Vec<Near> {
        let wanted = around(at, far);
        self.0.iter().filter(|near| meet(&near.bounds, &wanted)).copied().collect()
    }
}

impl Blocks {
    /// The block of a cell of this width, whose columns need triangles up to `reach` away.
    pub(super) fn of(&mut self, cell: [i32; 2], wide: f64, reach: f64, solids: &Solids) -> Block {
        let block = cell.map(|c| c.div_euclid(SIDE));
        let made = self.0.entry(block).or_insert_with(|| {
            let half = f64::from(SIDE) / 2.0 * wide;
            let middle = block.map(|b| (f64::from(b) + 0.5) * f64::from(SIDE) * wide);
            let mut numbers = vec![];
            solids.around(middle, half + reach, &mut numbers);
            let near = numbers.iter().map(|&number| {
                let solid = &solids.all[number as usize];
                let [a, b, c] = solid.corners.map(|corner| corner[1]);
                Near {
                    number,
                    is_wall: is_wall(solid),
                    bounds: solid.to_box(),
                    heights: [a.min(b).min(c), a.max(b).max(c)],
                }
            });
            Block(near.collect())
        });
        made.clone()
    }
}
