//! From points to places on the mesh.

use core::array;

use navbake_format::exact::LIMIT;
use navbake_format::{Grid, PolyId};

use crate::{NavQuery, Point, surface};
use navbake_navmesh::math::{float, sqrt};

/// A point on the surface of a navmesh.
///
/// It belongs to the mesh that returned it. On another mesh it is harmless and meaningless.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavPoint {
    polygon: PolyId,
    point: [i32; 2],
    height: f64,
    position: [f64; 3],
}

impl NavPoint {
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

/// A polygon and a grid point of it: a [`NavPoint`] without the height.
///
/// The height costs more than the rest. [`NavQuery::place`] adds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolyPoint {
    polygon: PolyId,
    point: [i32; 2],
}

impl PolyPoint {
    #[doc(hidden)]
    pub const fn new(polygon: PolyId, point: [i32; 2]) -> PolyPoint {
        PolyPoint { polygon, point }
    }

    /// The polygon that holds it.
    #[inline]
    pub fn polygon(&self) -> PolyId {
        self.polygon
    }

    /// In the ground plane, `[x, z]`, grid units.
    #[inline]
    pub fn point(&self) -> [i32; 2] {
        self.point
    }
}

impl From<&NavPoint> for PolyPoint {
    fn from(location: &NavPoint) -> PolyPoint {
        PolyPoint::new(location.polygon, location.point)
    }
}

/// Metres to grid units, for extents.
///
/// Never negative, at most four times the grid's limit, 0 for NaN.
pub(crate) fn extent(grid: Grid, metres: f64) -> f64 {
    (metres * grid.units()).clamp(0.0, 4.0 * f64::from(LIMIT)).max(0.0)
}

/// A candidate for the polygon of a point: less is better.
#[derive(Clone, Copy)]
struct Candidate {
    polygon: PolyId,
    point: [i32; 2],
    height: f64,
    distance: f64,
}

/// A polygon that does not hold the point.
///
/// With the point of its border that is nearest in the ground plane.
#[derive(Clone, Copy)]
struct Beside {
    polygon: PolyId,
    at: [f64; 2],
    /// A lower bound of its squared distance.
    least: f64,
}

impl Default for Beside {
    fn default() -> Beside {
        Beside { polygon: PolyId(0), at: [0.0; 2], least: 0.0 }
    }
}

impl<'a> NavQuery<'a> {
    /// The place above or below a point that is nearest in height.
    ///
    /// The point is in y-up metres, the place at most `vertical` metres away.
    ///
    /// The point is rounded to the level's grid first. Where several polygons hold it at the same
    /// height (on a portal, at a corner), it belongs to the one that still holds it after a tiny
    /// move towards +x and a much tinier move towards +z. If none does, it belongs to the one with
    /// the lowest id. So a pinch of a grid map, where two free cells touch only in a corner,
    /// belongs to the cell at greater x and z.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let at = query.locate([1.0, 0.5, 1.0], 2.0); // 0.5 m above the ground
    /// assert_eq!(at.map(|at| at.position()), Some([1.0, 0.0, 1.0]));
    /// assert_eq!(query.locate([-1.0, 0.0, 1.0], 2.0), None);
    /// ```
    pub fn locate(&self, point: impl Into<Point>, vertical: f64) -> Option<NavPoint> {
        let p = self.mesh().grid().snap(point.into().0)?;
        self.locate_on_grid(p, extent(self.mesh().grid(), vertical))
    }

    pub(crate) fn locate_on_grid(&self, p: [i32; 3], vertical: f64) -> Option<NavPoint> {
        let best = self.nearest_above_or_below(p, vertical)?;
        Some(self.location(best.polygon, best.point, best.height))
    }

    /// The place on the surface that is nearest to a point, by distance in space.
    ///
    /// The point is in y-up metres, the place at most `extents` metres away along each axis. Each
    /// polygon offers its place nearest in the ground plane; on a slope, another place of it may be
    /// slightly nearer in space. A place directly above or below the point is exactly on the grid.
    /// A place on the border is the grid point beside it that the polygon holds. Ties are broken as
    /// in [`NavQuery::locate`].
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let beside = query.nearest([-1.0, 0.0, 1.0], [2.0; 3]);
    /// assert_eq!(beside.map(|at| at.position()), Some([0.0, 0.0, 1.0]));
    /// ```
    pub fn nearest(&self, point: impl Into<Point>, extents: [f64; 3]) -> Option<NavPoint> {
        let grid = self.mesh().grid();
        let p = grid.snap(point.into().0)?;
        self.nearest_on_grid(p, extents.map(|e| extent(grid, e)))
    }

    pub(crate) fn nearest_on_grid(&self, p: [i32; 3], extents: [f64; 3]) -> Option<NavPoint> {
        let mut best = self.nearest_above_or_below(p, extents[1]);
        // Any other grid point is at least one unit away.
        if best.is_none_or(|b| b.distance >= 1.0) {
            self.nearest_beside(p, extents, &mut best);
        }
        best.map(|b| self.location(b.polygon, b.point, b.height))
    }

    /// The nearest in height of the polygons that hold the point in the plane.
    fn nearest_above_or_below(&self, p: [i32; 3], extent: f64) -> Option<Candidate> {
        let (flat, y) = ([p[0], p[2]], f64::from(p[1]));
        let polys = self.mesh.polys();
        let mut best: Option<Candidate> = None;
        // One unit covers all rounding.
        let range = [y - extent - 1.0, y + extent + 1.0];
        polys.above_or_below(flat, range, |id, height| {
            let up = height - y;
            if up.abs() <= extent {
                let (polygon, distance) = (PolyId(id), up * up);
                let new = Candidate { polygon, point: flat, height, distance };
                keep_better(&mut best, new, |c| self.rank(c));
            }
        });
        best
    }

    /// Which of equally near candidates is taken, the least: the one that holds the point after the
    /// tiny move, then by baked polygon, then by piece of it.
    fn rank(&self, c: &Candidate) -> (bool, u32, PolyId) {
        let polys = self.mesh.polys();
        let moved = polys.holds_moved(c.polygon.0, c.point);
        (!moved, polys.origin(c.polygon.0), c.polygon)
    }

    /// The nearest of the polygons that do not hold the point in the ground plane.
    ///
    /// Replaces `best` if it is better.
    fn nearest_beside(&self, p: [i32; 3], extents: [f64; 3], best: &mut Option<Candidate>) {
        let flat = [p[0], p[2]];
        let known = best.map_or(f64::INFINITY, |b| sqrt(b.distance));
        let reach = extents.map(|e| e.min(known) as i64 + 1);
        let low = array::from_fn(|k| i64::from(p[k]) - reach[k]);
        let high = array::from_fn(|k| i64::from(p[k]) + reach[k]);
        // Heights cost most, so start with the polygons that may be nearest.
        let mut waiting = [Beside::default(); 32];
        let mut count = 0;
        let mut weigh = |id: PolyId| {
            let polygon = self.mesh().polygon(id);
            // The first corner is the one with the least x.
            if i64::from(polygon.corner(0)[0]) > high[0] {
                return;
            }
            let Some((at, away)) = surface::border(&polygon, flat) else {
                return;
            };
            let up = polygon.detail().map_or(0.0, |detail| {
                let [low, high] = detail.heights().map(f64::from);
                let y = f64::from(p[1]);
                (low - y).max(y - high).max(0.0)
            });
            let new = Beside { polygon: id, at, least: away + up * up };
            let most = extents[0] * extents[0] + extents[2] * extents[2];
            if away > most * (1.0 + 1e-9) || up > extents[1] {
                return;
            }
            if let Some(slot) = waiting.get_mut(count) {
                (*slot, count) = (new, count + 1);
            } else {
                self.weigh(&new, p, extents, best);
            }
        };
        self.mesh().index().for_each_in(low, high, |id| {
            self.mesh().polys().each_piece(id.0, |piece| weigh(PolyId(piece)));
        });
        let nearer = |waiting: &[Beside], a: usize, b: usize| {
            if waiting[b].least < waiting[a].least { b } else { a }
        };
        while let Some(next) = (0..count).reduce(|a, b| nearer(&waiting, a, b)) {
            // Farther by more than rounding can explain?
            if best.is_some_and(|b| waiting[next].least > b.distance * (1.0 + 1e-9)) {
                return;
            }
            self.weigh(&waiting[next], p, extents, best);
            count -= 1;
            waiting[next] = waiting[count];
        }
    }

    /// The place of a polygon beside a point of its border, if better than the best.
    fn weigh(&self, new: &Beside, p: [i32; 3], extents: [f64; 3], best: &mut Option<Candidate>) {
        let known = best.map_or(f64::INFINITY, |b| b.distance);
        if new.least > known * (1.0 + 1e-9) {
            return;
        }
        let polygon = self.mesh().polygon(new.polygon);
        let point = surface::beside(&polygon, new.at, [p[0], p[2]]);
        let [dx, dz] =
            [(point[0], p[0]), (point[1], p[2])].map(|(a, b)| f64::from(a) - f64::from(b));
        let flat = dx * dx + dz * dz;
        if flat > known || dx.abs() > extents[0] || dz.abs() > extents[2] {
            return;
        }
        let height = surface::height(&polygon, point);
        let dy = height - f64::from(p[1]);
        if dy.abs() <= extents[1] {
            let new = Candidate { polygon: new.polygon, point, height, distance: flat + dy * dy };
            keep_better(best, new, |c| self.rank(c));
        }
    }

    /// The place above or below a point on a given polygon.
    ///
    /// `None` when the polygon does not hold the point. The height of the point is ignored.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// let same = query.on_polygon(at.polygon(), [1.0, 0.0, 1.0]);
    /// assert_eq!(same, Some(at));
    /// ```
    pub fn on_polygon(&self, polygon: PolyId, point: impl Into<Point>) -> Option<NavPoint> {
        let p = self.mesh().grid().snap(point.into().0)?;
        self.on_polygon_grid(polygon, [p[0], p[2]])
    }

    #[doc(hidden)]
    pub fn on_polygon_grid(&self, id: PolyId, p: [i32; 2]) -> Option<NavPoint> {
        let polys = self.mesh.polys();
        let holds = polys.holds(id.0, p);
        holds.then(|| self.location(id, p, polys.height(id.0, float(p))))
    }

    /// The place of a point of a polygon, with its height.
    ///
    /// `None` for places of another mesh that are not on this one. Where obstacles changed the
    /// polygon, it is the place on what is left of it; `None` where they take the place.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// use navbake_search::around::PolyPoint;
    ///
    /// let place = PolyPoint::from(&at); // without its height
    /// assert_eq!(query.place(place), Some(at));
    /// ```
    pub fn place(&self, at: PolyPoint) -> Option<NavPoint> {
        let mut found = None;
        self.mesh().polys().each_piece(at.polygon.0, |polygon| {
            found = found.or_else(|| self.on_polygon_grid(PolyId(polygon), at.point));
        });
        found
    }

    /// Height of the surface at a place, y-up metres.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// assert_eq!(query.height(&at), 0.0);
    /// ```
    pub fn height(&self, at: &NavPoint) -> f64 {
        at.position[1]
    }

    #[doc(hidden)]
    pub fn location(&self, polygon: PolyId, point: [i32; 2], height: f64) -> NavPoint {
        let [x, z] = point.map(f64::from);
        NavPoint { polygon, point, height, position: self.mesh().grid().metres([x, height, z]) }
    }
}

/// Keeps the better one: by distance, then by rank.
fn keep_better(
    best: &mut Option<Candidate>,
    new: Candidate,
    rank: impl Fn(&Candidate) -> (bool, u32, PolyId),
) {
    let better = match best {
        None => true,
        Some(old) if new.distance != old.distance => new.distance < old.distance,
        Some(old) => rank(&new) < rank(old),
    };
    if better {
        *best = Some(new);
    }
}
