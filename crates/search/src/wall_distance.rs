//! Walls around a place, and the distance to the nearest.
//!
//! Portals are crossed in order of their distance from the place while no wall is nearer. The
//! ground crossed is then in a circle without walls. Such a circle is a piece of the plane, however
//! many storeys there are, so distances in the plane are correct.
//!
//! A mesh holds the possible centres of an agent of its radius. Ground for a larger radius is what
//! remains when walls and ledges move in by the difference. So one class answers for every larger
//! radius: a unit fits at a place when the nearest wall of the mesh is at least the difference of
//! the two radii away. This is as exact as the borders of the mesh.

use navbake_format::{EdgeId, PolyId, Polygon};

use crate::flood::Flood;
use crate::locate::extent;
use crate::ray::{Wall, ends, wall_at};
use crate::scratch::{Memory, Need};
use crate::surface::nearest_on_segment;
use crate::{NavPoint, NavQuery};
use navbake_navmesh::math::{float, sqrt};

/// The wall nearest to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallDistance {
    /// Distance in the ground plane, m.
    ///
    /// Without a wall: the distance up to which there is none. That is the requested distance, or
    /// less where the scratch was too short.
    pub distance: f64,
    /// The wall and its details; `None` when there is none within the distance.
    pub nearest: Option<NearestWall>,
}

/// A wall seen from a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestWall {
    /// The wall. Of walls at the same distance, the one with the lowest edge.
    pub wall: Wall,
    /// The polygon that the wall belongs to.
    pub polygon: PolyId,
    /// Its point nearest to the place, y-up metres at the height of the surface.
    ///
    /// Within rounding of the exact grid point.
    pub point: [f64; 3],
}

/// The nearest wall found up to now, by squared distance.
#[derive(Clone, Copy)]
struct Found {
    square: f64,
    polygon: PolyId,
    edge: u32,
    at: [f64; 2],
}

/// The shape from which distances to walls are measured.
pub trait Near {
    /// The least distance of edges that count; edges nearer belong to other ground.
    ///
    /// `entered` is the distance at which the polygon was entered. Both are squared.
    fn begin(&self, entered: f64) -> f64;

    /// The nearest point of an edge and its squared distance.
    ///
    /// `None` when the shape is not on the inner side of the edge.
    fn nearest(&self, u: [f64; 2], v: [f64; 2]) -> Option<([f64; 2], f64)>;
}

/// A single place.
struct Point([f64; 2]);

impl Near for Point {
    /// Ground straight ahead is never nearer than the polygon's entry.
    ///
    /// All else is ground that winds around a corner and comes back over or under the place. The
    /// slack is for rounding.
    #[inline]
    fn begin(&self, entered: f64) -> f64 {
        entered * (1.0 - 1e-12)
    }

    #[inline]
    fn nearest(&self, u: [f64; 2], v: [f64; 2]) -> Option<([f64; 2], f64)> {
        let p = self.0;
        // Exact: at most 53 bits.
        let beside = (v[1] - u[1]) * (p[0] - u[0]) < (v[0] - u[0]) * (p[1] - u[1]);
        (!beside).then(|| nearest_on_segment(u, v, p))
    }
}

impl NavQuery<'_> {
    /// The distance to the nearest wall or blocked edge, up to `most` metres.
    ///
    /// Only walls in a straight line over ground count: those of other storeys do not.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 2.0], 2.0).unwrap();
    /// let wall = query.wall_distance(&at, 5.0, &mut scratch);
    /// assert_eq!(wall.distance, 1.0);
    /// ```
    pub fn wall_distance(
        &self,
        from: &NavPoint,
        most: f64,
        scratch: &mut dyn Memory,
    ) -> WallDistance {
        let near = Point(float(from.point()));
        self.nearest_wall(from, &near, most, scratch)
    }

    /// Does a unit fit here whose radius is `wider` metres larger than the agent's?
    ///
    /// False as well when the scratch is too short to decide.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// let wide = query.fits(&at, 0.9, &mut scratch); // the walls are 1 m away
    /// assert!(wide && !query.fits(&at, 1.1, &mut scratch));
    /// ```
    pub fn fits(&self, at: &NavPoint, wider: f64, scratch: &mut dyn Memory) -> bool {
        // Allows for rounding of lengths to metres.
        self.wall_distance(at, wider, scratch).distance >= wider * (1.0 - 1e-12)
    }

    /// The walls and blocked edges within `most` metres of a place, in no particular order.
    ///
    /// Only walls that face the place count, on ground that is reached over portals within the same
    /// distance: other storeys do not. A wall may be hidden behind another. Where the scratch is
    /// too short, the farthest are missing.
    ///
    /// Calls `each` with the edge and its ends `[x, z]`, y-up metres. Seen from above, the ground
    /// is to the left of the line from the first end to the second.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 2.0], 2.0).unwrap();
    /// let mut walls = 0;
    /// query.walls_near(&at, 2.5, &mut scratch, |_edge, _ends| walls += 1);
    /// assert_eq!(walls, 2); // to the west, 1 m away, and to the north, 2 m away
    /// ```
    pub fn walls_near(
        &self,
        from: &NavPoint,
        most: f64,
        scratch: &mut dyn Memory,
        mut each: impl FnMut(EdgeId, [[f64; 2]; 2]),
    ) {
        let grid = self.mesh().grid();
        let near = Point(float(from.point()));
        self.each_wall(from, &near, most, scratch, |polygon, edge, _, _, most| {
            let ends = ends(polygon, edge).map(float).map(|[x, z]| {
                let [x, _, z] = grid.metres([x, 0.0, z]);
                [x, z]
            });
            each(polygon.edge(edge), ends);
            most
        });
    }

    /// The wall nearest to a shape that begins at the location, on open ground.
    #[doc(hidden)]
    pub fn nearest_wall(
        &self,
        from: &NavPoint,
        near: &impl Near,
        most: f64,
        scratch: &mut dyn Memory,
    ) -> WallDistance {
        let mesh = self.mesh();
        let mut found: Option<Found> = None;
        let (square, lost) =
            self.each_wall(from, near, most, scratch, |polygon, edge, at, away, square| {
                let id = (polygon.id(), edge);
                if away < square || found.is_none_or(|f| id < (f.polygon, f.edge)) {
                    found = Some(Found { square: away, polygon: polygon.id(), edge, at });
                    return away;
                }
                square
            });
        let units = mesh.grid().units();
        // Nothing is known beyond a polygon that did not fit.
        let found = found.filter(|f| f.square <= lost);
        let nearest = found.map(|f| {
            let polygon = mesh.polygon(f.polygon);
            let height = polygon.edge_height(f.edge, f.at);
            NearestWall {
                wall: wall_at(&polygon, f.edge),
                polygon: f.polygon,
                point: mesh.grid().metres([f.at[0], height, f.at[1]]),
            }
        });
        WallDistance { distance: sqrt(square.min(lost)) / units, nearest }
    }

    /// Calls `each` for the walls around a place, up to a distance that it returns.
    ///
    /// With the polygon, its edge, the edge's point nearest to the shape, and the squared distances
    /// of that point and up to now. Returns the last of these, and the one beyond which polygons
    /// did not fit.
    fn each_wall(
        &self,
        from: &NavPoint,
        near: &impl Near,
        most: f64,
        scratch: &mut dyn Memory,
        mut each: impl FnMut(&Polygon<'_, '_>, u32, [f64; 2], f64, f64) -> f64,
    ) -> (f64, f64) {
        let mesh = self.mesh();
        let most = extent(mesh.grid(), most);
        let mut square = most * most;
        scratch.prepare(mesh, Need::Around);
        let mut flood = Flood::new(scratch.lend());
        flood.offer(from.polygon(), from.polygon(), 0.0, float(from.point()));
        while let Some(here) = flood.next() {
            if here.distance() > square {
                break;
            }
            let polygon = mesh.polygon(here.polygon());
            let begin = near.begin(here.distance());
            let mut a = float(polygon.corner(0));
            for edge in 0..polygon.len() {
                let b = float(polygon.corner(polygon.next(edge)));
                let (u, v) = (a, b);
                a = b;
                let Some((at, away)) = near.nearest(u, v) else {
                    continue;
                };
                if away < begin || away > square {
                    continue;
                }
                if let Some(beyond) = self.beyond(&polygon, edge) {
                    if Some(beyond) != here.from() {
                        flood.offer(beyond, here.polygon(), away, at);
                    }
                    continue;
                }
                square = each(&polygon, edge, at, away, square);
            }
        }
        (square, flood.lost())
    }
}
