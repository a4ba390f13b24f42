//! Points to places on the mesh.

use navbake_format::exact::LIMIT;
use navbake_format::{Grid, PolyId};

use crate::{Query, surface};

/// A point on the surface of a navmesh. It belongs to the mesh that gave it; on another mesh it is harmless and meaningless.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Location {
    polygon: PolyId,
    point: [i32; 2],
    height: f64,
    position: [f64; 3],
}

impl Location {
    /// The polygon that holds it.
    #[inline]
    pub fn polygon(&self) -> PolyId {
        self.polygon
    }

    /// In y-up metres, on the grid in x and z, at the height of the surface.
    #[inline]
    pub fn position(&self) -> [f64; 3] {
        self.position
    }

    /// In the ground plane, `[x, z]`, grid units.
    #[inline]
    pub fn point(&self) -> [i32; 2] {
        self.point
    }

    /// Height of the surface, grid units.
    #[inline]
    pub(crate) fn height(&self) -> f64 {
        self.height
    }
}

/// Metres to grid units, for extents: never negative, no more than the grid is wide, 0 for NaN.
pub(crate) fn extent(grid: Grid, metres: f64) -> f64 {
    (metres * grid.units())
        .clamp(0.0, 4.0 * f64::from(LIMIT))
        .max(0.0)
}

/// Which of several candidates a point belongs to: less is better.
#[derive(Clone, Copy)]
struct Candidate {
    polygon: PolyId,
    point: [i32; 2],
    height: f64,
    distance: f64,
}

impl<'a> Query<'a> {
    /// The place on the surface above or below a point (y-up metres) that is nearest to it in height, at most `vertical` metres away.
    ///
    /// The point is put on the level's grid first. Where several polygons hold it at the same height (on a portal, at a corner), it belongs
    /// to the one that still holds it when it is moved a tiny bit towards +x and a yet tinier bit towards +z; if none does, to the one with
    /// the lowest id. So a pinch of a grid map, where two free cells touch in a corner only, belongs to the cell at x, z and beyond.
    pub fn locate(&self, point: [f64; 3], vertical: f64) -> Option<Location> {
        let p = self.mesh().grid().snap(point)?;
        self.locate_on_grid(p, extent(self.mesh().grid(), vertical))
    }

    pub(crate) fn locate_on_grid(&self, p: [i32; 3], vertical: f64) -> Option<Location> {
        let (flat, y) = ([p[0], p[2]], f64::from(p[1]));
        let reach = vertical as i64 + 1;
        let [x, h, z] = p.map(i64::from);
        let mut best: Option<Candidate> = None;
        self.mesh()
            .index()
            .for_each_in([x, h - reach, z], [x, h + reach, z], |id| {
                let polygon = self.mesh().polygon(id);
                if !surface::holds(&polygon, flat) {
                    return;
                }
                let height = surface::height(&polygon, flat);
                let distance = (height - y).abs();
                if distance <= vertical {
                    self.keep_better(
                        &mut best,
                        Candidate {
                            polygon: id,
                            point: flat,
                            height,
                            distance,
                        },
                    );
                }
            });
        best.map(|b| self.location(b.polygon, b.point, b.height))
    }

    /// The place on the surface that is nearest to a point (y-up metres, distance in space), at most `extents` metres away along each
    /// axis. Of each polygon the place that is nearest in the ground plane counts, which on slopes may be a little farther in space than
    /// another. A place right above or below the point is on the grid exactly; one on the border is the grid point beside it that the
    /// polygon holds. Ties are broken as by [`Query::locate`].
    pub fn nearest(&self, point: [f64; 3], extents: [f64; 3]) -> Option<Location> {
        let grid = self.mesh().grid();
        let p = grid.snap(point)?;
        self.nearest_on_grid(p, extents.map(|e| extent(grid, e)))
    }

    pub(crate) fn nearest_on_grid(&self, p: [i32; 3], extents: [f64; 3]) -> Option<Location> {
        let (flat, at) = ([p[0], p[2]], p.map(f64::from));
        let reach = extents.map(|e| e as i64 + 1);
        let low = core::array::from_fn(|k| i64::from(p[k]) - reach[k]);
        let high = core::array::from_fn(|k| i64::from(p[k]) + reach[k]);
        let mut best: Option<Candidate> = None;
        self.mesh().index().for_each_in(low, high, |id| {
            let polygon = self.mesh().polygon(id);
            let point = surface::nearest(&polygon, flat);
            let height = surface::height(&polygon, point);
            let d = [
                f64::from(point[0]) - at[0],
                height - at[1],
                f64::from(point[1]) - at[2],
            ];
            if (0..3).all(|k| d[k].abs() <= extents[k]) {
                let distance = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                self.keep_better(
                    &mut best,
                    Candidate {
                        polygon: id,
                        point,
                        height,
                        distance,
                    },
                );
            }
        });
        best.map(|b| self.location(b.polygon, b.point, b.height))
    }

    /// Candidates come in order of their ids, so of equals the first stays.
    fn keep_better(&self, best: &mut Option<Candidate>, new: Candidate) {
        let better = match best {
            None => true,
            Some(old) if new.distance != old.distance => new.distance < old.distance,
            Some(old) => {
                let moved =
                    |c: &Candidate| surface::holds_moved(&self.mesh().polygon(c.polygon), c.point);
                moved(&new) && !moved(old)
            }
        };
        if better {
            *best = Some(new);
        }
    }

    /// The place above or below a point on a given polygon, `None` when the polygon does not hold the point. The height of the point is not
    /// looked at.
    pub fn on_polygon(&self, polygon: PolyId, point: [f64; 3]) -> Option<Location> {
        let p = self.mesh().grid().snap(point)?;
        self.on_polygon_grid(polygon, [p[0], p[2]])
    }

    pub(crate) fn on_polygon_grid(&self, id: PolyId, p: [i32; 2]) -> Option<Location> {
        let polygon = self.mesh().polygon(id);
        surface::holds(&polygon, p).then(|| self.location(id, p, surface::height(&polygon, p)))
    }

    /// Height of the surface at a place, y-up metres.
    pub fn height(&self, at: &Location) -> f64 {
        at.position[1]
    }

    pub(crate) fn location(&self, polygon: PolyId, point: [i32; 2], height: f64) -> Location {
        let [x, z] = point.map(f64::from);
        Location {
            polygon,
            point,
            height,
            position: self.mesh().grid().metres([x, height, z]),
        }
    }
}
