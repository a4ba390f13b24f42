//! Polygons around a place: in a circle or convex shape, or within a path distance.
//!
//! The search spreads over the portals that the shape touches. It leaves out ground that is in the
//! shape but not reachable inside it: on another storey, or behind a wall.

use navbake_format::Grid;
use navbake_format::exact::{cross, direction, dot, orient};

use crate::flood::{Flood, Reached};
use crate::locate::extent;
use crate::scratch::{Memory, Need};
use crate::surface::nearest_on_segment;
use crate::{NavPoint, NavQuery};
use navbake_navmesh::math::{distance, float};

/// The region that polygons must touch.
#[derive(Clone, Copy, Debug)]
pub enum Shape<'s> {
    /// A circle around the place: radius in metres, rounded to whole grid units.
    Circle(f64),
    /// A convex polygon of the ground plane.
    Convex(&'s Convex),
    /// All polygons within this path distance, metres.
    ///
    /// Paths cross each portal at the point nearest to the last crossing, see
    /// [`Reached::distance`].
    Walk(f64),
}

/// A convex polygon of the ground plane with an area, on the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convex {
    corners: [[i32; 2]; Convex::MOST],
    len: usize,
}

impl Convex {
    /// The largest number of corners.
    pub const MOST: usize = 16;

    /// Makes one from its corners `[x, z]` in metres, in either orientation.
    ///
    /// The corners are rounded to the grid. `None` when there are more than [`Convex::MOST`], when
    /// one is out of the grid's range, or when they are not the corners of a convex polygon with an
    /// area.
    pub fn new(grid: Grid, corners: &[[f64; 2]]) -> Option<Convex> {
        let mut all = [[0; 2]; Convex::MOST];
        let mut len = 0;
        for &[x, z] in corners {
            let [x, _, z] = grid.snap([x, grid.origin[1], z])?;
            // Equal corners on the grid count once.
            if len == 0 || all[len - 1] != [x, z] {
                *all.get_mut(len)? = [x, z];
                len += 1;
            }
        }
        while len > 1 && all[len - 1] == all[0] {
            len -= 1;
        }
        let area: i64 = (1..len.saturating_sub(1))
            .map(|k| orient(all[0], all[k], all[k + 1]))
            .fold(0, i64::wrapping_add);
        if area < 0 {
            all[..len].reverse();
        }
        let turn = |k: usize| orient(all[k], all[(k + 1) % len], all[(k + 2) % len]);
        // One turn only: x rises once and falls once.
        let rises = |k: usize| all[k] < all[(k + 1) % len];
        let bends = (0..len).filter(|&k| rises(k) != rises((k + 1) % len));
        let convex = area != 0 && (0..len).all(|k| turn(k) >= 0) && bends.count() == 2;
        convex.then_some(Convex { corners: all, len })
    }

    fn corners(&self) -> &[[i32; 2]] {
        &self.corners[..self.len]
    }

    /// Does it touch a segment? Exact.
    ///
    /// By separating axes: two convex sets are disjoint when a line along a side of one separates
    /// them.
    fn touches(&self, a: [i32; 2], b: [i32; 2]) -> bool {
        let all = self.corners();
        let sides = all.iter().map(|&c| orient(a, b, c).signum());
        let (mut left, mut right) = (true, true);
        for side in sides {
            left &= side > 0;
            right &= side < 0;
        }
        let beyond = |k: usize| {
            let (c, d) = (all[k], all[(k + 1) % all.len()]);
            orient(c, d, a) < 0 && orient(c, d, b) < 0
        };
        !left && !right && !(0..all.len()).any(beyond)
    }
}

/// Polygons around a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Around<'s> {
    /// In order of distance, each after the polygon it was entered from, ties by id.
    ///
    /// The first is the polygon of the place.
    pub polygons: &'s [Reached],
    /// Did all polygons fit into the scratch?
    pub whole: bool,
}

impl NavQuery<'_> {
    /// The polygons reached from a place over portals that a shape touches.
    ///
    /// The polygon of the place is always included.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// use navbake_search::around::Shape;
    ///
    /// let around = query.around(&at, Shape::Circle(4.0), &mut scratch);
    /// assert_eq!(around.polygons.len(), 2);
    /// ```
    pub fn around<'s>(
        &self,
        from: &NavPoint,
        shape: Shape<'_>,
        scratch: &'s mut dyn Memory,
    ) -> Around<'s> {
        let at = from.point();
        scratch.prepare(self.mesh(), Need::Around);
        let mut flood = Flood::new(scratch.lend());
        let grid = self.mesh().grid();
        match shape {
            Shape::Circle(radius) => {
                let radius = (extent(grid, radius) + 0.5) as i64;
                spread(self, from, &mut flood, |a, b, _| circle_touches(at, radius, a, b));
            }
            Shape::Convex(convex) => {
                spread(self, from, &mut flood, |a, b, _| convex.touches(a, b));
            }
            Shape::Walk(most) => {
                let most = extent(grid, most);
                spread(self, from, &mut flood, |_, _, walked| walked <= most);
            }
        }
        let whole = flood.lost() == f64::INFINITY;
        let polygons = flood.finish();
        polygons.sort_unstable_by_key(|r| r.place);
        polygons.iter_mut().for_each(|r| r.distance *= 1.0 / grid.units());
        Around { polygons, whole }
    }
}

/// Spreads over the portals that `through` accepts.
///
/// `through` gets the ends of a portal and the path distance to its nearest point.
fn spread(
    query: &NavQuery<'_>,
    from: &NavPoint,
    flood: &mut Flood<'_>,
    through: impl Fn([i32; 2], [i32; 2], f64) -> bool,
) {
    flood.offer(from.polygon(), from.polygon(), 0.0, float(from.point()));
    while let Some(here) = flood.next() {
        let polygon = query.mesh().polygon(here.polygon());
        for k in 0..polygon.len() {
            let Some(beyond) = query.beyond(&polygon, k) else {
                continue;
            };
            if Some(beyond) == here.from() {
                continue;
            }
            let (a, b) = (polygon.corner(k), polygon.corner(polygon.next(k)));
            let (entry, _) = nearest_on_segment(float(a), float(b), here.entry);
            let walked = here.distance() + distance(here.entry, entry);
            if through(a, b, walked) {
                flood.offer(beyond, here.polygon(), walked, entry);
            }
        }
    }
}

/// Does a circle with a whole radius touch a segment? Exact.
fn circle_touches(centre: [i32; 2], radius: i64, a: [i32; 2], b: [i32; 2]) -> bool {
    let (d, to) = (direction(a, b), direction(a, centre));
    let (along, whole, square) = (dot(to, d), dot(d, d), radius * radius);
    if along <= 0 {
        return dot(to, to) <= square;
    }
    if along >= whole {
        let to = direction(b, centre);
        return dot(to, to) <= square;
    }
    let across = i128::from(cross(d, to));
    across * across <= i128::from(square) * i128::from(whole)
}
