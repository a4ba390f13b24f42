//! The ground below a layer's polygons: its triangles, or the cells of its sampling grid.

use navbake_geom::{Point, Whole};
use navbake_walkable::{
    BreaklineSample, BreaklineScratch, BreaklineSettings, Ground, Layer, LayerGround,
};

use crate::NONE;
use crate::cell_heights::CellHeights;

/// Heights of a layer, from its triangles where it has them, else from the cells of its grid.
pub(crate) struct LayerHeights<'a> {
    cells: CellHeights<'a>,
    ground: Option<&'a Ground>,
    /// Between treads, do heights follow the steep surface there?
    has_risers: bool,
}

/// Heights that the ground is expected at: least and greatest.
pub(crate) type Expected = [f64; 2];

/// Where nothing is known of the ground's height.
pub(crate) const ANY: Expected = [f64::INFINITY, f64::NEG_INFINITY];

impl<'a> LayerHeights<'a> {
    /// `None` when the layer's grid makes no sense.
    pub(crate) fn new(layer: &'a Layer) -> Option<LayerHeights<'a>> {
        Some(LayerHeights {
            cells: CellHeights::new(&layer.heights, layer.ground.as_ref())?,
            ground: layer.ground.as_ref().map(LayerGround::ground),
            has_risers: false,
        })
    }

    /// The same with heights that follow the steep surface between two treads, not the cells.
    pub(crate) fn with_risers(self) -> LayerHeights<'a> {
        LayerHeights { has_risers: true, ..self }
    }

    /// Height, in grid units, at a place, on its side in the direction (x, z).
    pub(crate) fn height(&self, p: Point, direction: [i64; 2]) -> i32 {
        self.height_near(p, direction, ANY)
    }

    /// As `height`, but faster where the ground is within a step of the expected heights.
    pub(crate) fn height_near(&self, p: Point, direction: [i64; 2], expected: Expected) -> i32 {
        let mut about = None;
        let mut field = || *about.get_or_insert_with(|| self.cells.height(p, direction));
        let Some(ground) = self.ground else {
            return field();
        };
        let reach = ground.reach();
        let mut asked = false;
        let y = ground.height(p, || {
            asked = true;
            f64::from(field())
        });
        match y {
            // In a crack of the ground the only surface is one of another floor, however far
            // below.
            Some(y)
                if asked
                    || y >= expected[0] - reach && y <= expected[1] + reach
                    || (y - f64::from(field())).abs() <= reach =>
            {
                y.to_nearest()
            }
            _ if self.has_risers => {
                let about = f64::from(field());
                let y = self.height_by_others(p, about).or_else(|| ground.riser_height(p, about));
                y.unwrap_or(about).to_nearest()
            }
            _ => field(),
        }
    }

    /// The height of ground within a climb of the lowest or the highest cell around, if it is no
    /// farther from the height of the cell itself than places nearby may be.
    ///
    /// A cell may be half on a ramp and half on a tread beside it, a little more than a climb
    /// below.
    fn height_by_others(&self, p: Point, about: f64) -> Option<f64> {
        let (ground, pitch) = (self.ground?, self.cells.pitch());
        let corners = [-pitch, pitch].map(|d| Point::new(p.x + d, p.z + d));
        let around = self.cells.range(corners.into_iter())?.map(f64::from);
        let mut heights = around.into_iter().filter_map(|other| ground.height(p, || other));
        heights.find(|y| (y - about).abs() <= ground.reach())
    }

    /// The same where it does not depend on the direction.
    pub(crate) fn only_height(&self, p: Point) -> Option<i32> {
        let Some(ground) = self.ground else {
            return self.cells.is_flat().then_some(0);
        };
        let y = ground.only_height(p)?;
        let about = f64::from(self.cells.height(p, [0; 2]));
        ((y - about).abs() <= ground.reach()).then_some(y.to_nearest())
    }

    /// Is the height at a corner of a convex polygon with these bounds the same for all directions
    /// into the polygon?
    pub(crate) fn is_one_within(&self, p: Point, bounds: [(i32, i32); 2]) -> bool {
        let pitch = self.cells.pitch();
        // Between cells it depends on the side that is asked for.
        let alike = |c: i32, (least, most): (i32, i32)| {
            pitch == 0 || c.rem_euclid(pitch) != 0 || c == least || c == most
        };
        alike(p.x, bounds[0]) && alike(p.z, bounds[1])
    }

    /// Side of a cell, grid units; 0 where all is level.
    pub(crate) fn pitch(&self) -> i32 {
        self.cells.pitch()
    }

    /// The radius of the agents that the ground is for, grid units; 0 where heights come from no
    /// triangles.
    pub(crate) fn radius(&self) -> f64 {
        self.ground.map_or(0.0, Ground::radius)
    }

    /// The same by the cells alone.
    pub(crate) fn rough(&self, p: Point, direction: [i64; 2]) -> i32 {
        self.cells.height(p, direction)
    }

    /// Height of the plane of a triangle that breaklines are on; `None` where heights come from no
    /// triangles.
    pub(crate) fn plane_height(&self, triangle: u32, p: Point) -> Option<f64> {
        self.ground?.plane_height(triangle, p)
    }

    /// Is a triangle too far from all ground expected in a polygon, and from the sampled heights,
    /// to be part of it?
    pub(crate) fn is_elsewhere(
        &self,
        triangle: u32,
        places: impl Iterator<Item = Point> + Clone,
        expected: Expected,
    ) -> bool {
        let heights = self.ground.and_then(|ground| ground.heights_of(triangle));
        let Some([low, high]) = heights else {
            return false;
        };
        // Heights are at most this far from the expected or the sampled ones, and so are the planes
        // of triangles that count.
        let far = 2.0 * self.reach();
        let is_off = |[least, most]: [f64; 2]| low > most + far || high < least - far;
        is_off(expected) && (self.cells.range(places)).is_some_and(|r| is_off(r.map(f64::from)))
    }

    /// How far the plane of a triangle with a breakline may be from the ground.
    ///
    /// See [`Ground::reach`].
    pub(crate) fn reach(&self) -> f64 {
        self.ground.map_or(0.0, Ground::reach)
    }

    /// Triangles near a convex polygon, in no order, to be handed to [`LayerHeights::samples`].
    ///
    /// See [`Ground::near`].
    pub(crate) fn near(&self, corners: &[Point], near: &mut Vec<u32>) {
        if let Some(ground) = self.ground {
            ground.near(corners, near);
        }
    }

    /// Edges of the ground near a convex polygon where steps may be, lesser end first, ascending.
    pub(crate) fn loose_edges(&self, corners: &[Point]) -> Vec<[Point; 2]> {
        let Some(ground) = self.ground else {
            return vec![];
        };
        let mut near = vec![];
        ground.near(corners, &mut near);
        let all = near.iter().flat_map(|&t| ground.loose_edges(t));
        let mut edges: Vec<[Point; 2]> = all.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// Calls `f` with triangles, or [`NONE`], and places in a convex polygon where heights may
    /// bend; see [`Ground::breaklines`].
    pub(crate) fn samples(
        &self,
        near: &[u32],
        corners: &[Point],
        settings: &BreaklineSettings,
        room: &mut BreaklineScratch,
        mut f: impl FnMut(u32, &[BreaklineSample]) -> bool,
    ) {
        if let Some(ground) = self.ground {
            ground.breaklines(near, corners, settings, room, f);
        } else if !self.cells.is_flat() {
            let mut samples = vec![];
            self.cells.samples(corners, settings.plane, &mut samples);
            f(NONE, &samples);
        }
    }
}
