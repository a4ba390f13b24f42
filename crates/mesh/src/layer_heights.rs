//! The heights that a layer's polygons stand for.

use navbake_geom::Point;
use navbake_walkable::{Bend, Ground, Layer, Storey};

use crate::heights::Field;

/// Heights of a layer, from its triangles where it has them, else from its lattice.
pub(crate) struct LayerHeights<'a> {
    field: Field<'a>,
    ground: Option<&'a Ground>,
}

impl<'a> LayerHeights<'a> {
    /// `None` when the layer's lattice makes no sense.
    pub(crate) fn new(layer: &'a Layer) -> Option<LayerHeights<'a>> {
        Some(LayerHeights {
            field: Field::new(&layer.heights, layer.ground.as_ref())?,
            ground: layer.ground.as_ref().map(Storey::ground),
        })
    }

    /// Height, in grid units, at a place of the ground that lies from it in a direction (x, z).
    pub(crate) fn height(&self, p: Point, direction: [i64; 2]) -> i32 {
        let about = self.field.height(p, direction);
        let Some(ground) = self.ground else {
            return about;
        };
        match ground.height(p, f64::from(about)) {
            Some(y) => y.round_ties_even() as i32,
            None => about,
        }
    }

    /// Side of the lattice's cells, grid units; 0 where all is level.
    pub(crate) fn pitch(&self) -> i32 {
        self.field.pitch()
    }

    /// The same by the lattice alone.
    pub(crate) fn rough(&self, p: Point, direction: [i64; 2]) -> i32 {
        self.field.height(p, direction)
    }

    /// Height of the plane of a triangle that bends somewhere; `None` where heights come from no triangles.
    pub(crate) fn plane_height(&self, triangle: u32, p: Point) -> Option<f64> {
        self.ground?.plane_height(triangle, p)
    }

    /// May a triangle that bends somewhere be the ground there? See [`Ground::may_be_near`].
    pub(crate) fn may_be_ground(&self, triangle: u32, p: Point, direction: [i64; 2]) -> bool {
        let about = || f64::from(self.field.height(p, direction));
        self.ground
            .is_none_or(|ground| ground.may_be_near(triangle, p, about()))
    }

    /// Places in a convex polygon where heights may bend; see [`Ground::bends`].
    pub(crate) fn bends(
        &self,
        corners: &[Point],
        plane: Option<[f64; 4]>,
        beside: f64,
        out: &mut Vec<Bend>,
    ) {
        match self.ground {
            Some(ground) => ground.bends(corners, plane, beside, out),
            None if self.field.is_flat() => {}
            None => self.field.bends(corners, plane, out),
        }
    }
}
