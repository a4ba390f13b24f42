//! What is near a block of cells: one look-up for all columns of the block.

use std::rc::Rc;

use navbake_format::{NavMesh, Polygon};

use super::ground::is_wall;
use crate::cell_map::CellMap;
use crate::explain::bins::{Bins, Box2};
use crate::explain::solid::Solids;

/// Cells along the side of a block. Searches and walks sample cells beside each other.
const SIDE: i32 = 8;

/// A triangle, with what decides without its corners whether a column needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) number: u32,
    pub(super) is_wall: bool,
    pub(super) bounds: Box2,
    /// Of its lowest and its highest corner.
    heights: [f64; 2],
}

/// The triangles and polygons near the cells of a block, their numbers ascending.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) triangles: Rc<[Near]>,
    pub(super) polygons: Rc<[u32]>,
}

/// The outlines of a navmesh's polygons seen from above.
#[derive(Debug)]
pub(super) struct Shapes {
    bins: Bins,
    /// The sides of all polygons: a x + b z + c is the distance from its line, positive outside.
    sides: Vec<[f64; 3]>,
    /// Where the sides of each polygon begin, and where the last ends.
    starts: Vec<u32>,
}

/// The blocks that were asked for.
#[derive(Debug, Default)]
pub(super) struct Blocks(CellMap<[i32; 2], Block>);

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
        x * x + z * z <= far * far * (1.0 + 1e-9)
    }

    /// May a part of it lead at most this far in a direction from a place? The length is that of
    /// the dot product with the direction.
    pub(super) fn is_behind(&self, at: [f64; 2], to: [f64; 2], ahead: f64) -> bool {
        let [x0, z0, x1, z1] = self.bounds;
        let x = if to[0] > 0.0 { x0 } else { x1 } - at[0];
        let z = if to[1] > 0.0 { z0 } else { z1 } - at[1];
        to[0] * x + to[1] * z <= ahead
    }

    /// Is a part of it between two heights?
    pub(super) fn is_beside(&self, [low, high]: [f64; 2]) -> bool {
        self.heights[1] >= low && self.heights[0] <= high
    }
}

impl Shapes {
    /// O(n log n) in the polygons.
    pub(super) fn new(mesh: NavMesh<'_>) -> Shapes {
        let (mut boxes, mut sides, mut starts) = (vec![], vec![], vec![0]);
        for polygon in mesh.polygons() {
            let ring = ring(&polygon);
            let least = |axis: usize| ring.iter().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
            let most = |axis: usize| ring.iter().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max);
            boxes.push([least(0), least(1), most(0), most(1)]);
            let pairs = || ring.iter().zip(ring.iter().cycle().skip(1));
            let area: f64 = pairs().map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum();
            let turn = if area < 0.0 { -1.0 } else { 1.0 };
            sides.extend(pairs().filter(|(a, b)| a != b).map(|(a, b)| {
                let d = [b[0] - a[0], b[1] - a[1]];
                let long = turn * d[0].hypot(d[1]);
                let normal = [d[1] / long, -d[0] / long];
                [normal[0], normal[1], -(normal[0] * a[0] + normal[1] * a[1])]
            }));
            starts.push(sides.len() as u32);
        }
        Shapes { bins: Bins::new(boxes), sides, starts }
    }

    /// At most the distance from a polygon to a place; inside, minus that to its border.
    pub(super) fn away(&self, polygon: u32, [x, z]: [f64; 2]) -> f64 {
        let [start, end] = [0, 1].map(|k| self.starts[polygon as usize + k] as usize);
        let own = self.sides[start..end].iter();
        own.map(|[a, b, c]| a * x + b * z + c).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// The corners of a polygon seen from above.
fn ring(polygon: &Polygon<'_, '_>) -> Vec<[f64; 2]> {
    (0..polygon.len()).map(|k| polygon.corner(k).map(f64::from)).collect()
}

impl Blocks {
    /// The block of a cell of this width. Its columns need triangles up to the first distance away,
    /// and polygons up to the second.
    pub(super) fn of(
        &mut self,
        cell: [i32; 2],
        wide: f64,
        reach: [f64; 2],
        solids: &Solids,
        shapes: &Shapes,
    ) -> Block {
        let block = cell.map(|c| c.div_euclid(SIDE));
        let made = self.0.entry(block).or_insert_with(|| {
            let half = f64::from(SIDE) / 2.0 * wide;
            let middle = block.map(|b| (f64::from(b) + 0.5) * f64::from(SIDE) * wide);
            let (mut triangles, mut polygons) = (vec![], vec![]);
            solids.around(middle, half + reach[0], &mut triangles);
            shapes.bins.near(&around(middle, half + reach[1]), &mut polygons);
            let near = triangles.iter().map(|&number| {
                let solid = &solids.all[number as usize];
                let [a, b, c] = solid.corners.map(|corner| corner[1]);
                Near {
                    number,
                    is_wall: is_wall(solid),
                    bounds: solid.to_box(),
                    heights: [a.min(b).min(c), a.max(b).max(c)],
                }
            });
            Block { triangles: near.collect(), polygons: polygons.into() }
        });
        made.clone()
    }
}
