//! Lines of sight, followed from polygon to polygon.
//!
//! The side of a corner relative to the line is an exact integer. So the ray leaves each polygon
//! through exactly the edge or corner that the line crosses.
//!
//! Through a corner the ray continues if the ground does. The search turns from polygon to polygon
//! around that corner, first counter-clockwise, then clockwise, until the ray's direction is
//! between the two edges of a polygon there. A ray may touch walls and run along them. Two walls
//! that meet in a point from opposite sides stop it. Blocked edges are walls.

use navbake_format::exact::{LIMIT, cross, direction, dot, orient};
use navbake_format::{EdgeId, NavMesh, PolyId, Polygon};
use navbake_navmesh::{Border, Edge, is_between};

use crate::{NavPoint, NavQuery, Point, surface};
use navbake_navmesh::math::{float, length};

/// Where a ray ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The wall it hit, `None` when it reached its target.
    pub wall: Option<Wall>,
    /// The share of the line that it covered, 0 to 1.
    pub fraction: f64,
    /// Its end, y-up metres at the height of the surface.
    pub point: [f64; 3],
    /// The polygon in which it ends.
    pub polygon: PolyId,
    /// The number of portals crossed.
    pub crossed: u32,
}

/// What ends a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// The polygon edge that was hit.
    ///
    /// Where the ray runs into a corner: of the two walls there, the one that faces the ray more.
    pub edge: EdgeId,
    /// Unit vector `[x, z]` from the wall into the ground.
    pub normal: [f64; 2],
}

/// How a straight line over the ground ended, on the grid.
pub enum End {
    /// At the target, in this polygon.
    Reached(PolyId),
    /// At an edge of this polygon, between its ends or at one of them.
    Wall {
        /// This polygon.
        polygon: PolyId,
        /// Its edge.
        edge: u32,
        /// The corner of this polygon in which the ray ends, if it ends in one.
        corner: Option<u32>,
    },
    /// The start is not in the given polygon.
    Lost,
}

impl<'a> NavQuery<'a> {
    /// Casts a ray from a place towards a point, along the surface.
    ///
    /// The point is in y-up metres; its height is ignored.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// let hit = query.raycast(&at, [-2.0, 0.0, 1.0]);
    /// assert_eq!(hit.point, [0.0, 0.0, 1.0]);
    /// assert_eq!(hit.wall.map(|wall| wall.normal), Some([1.0, 0.0]));
    /// ```
    pub fn raycast(&self, from: &NavPoint, towards: impl Into<Point>) -> RayHit {
        self.cast(from, towards.into().0, &mut [])
    }

    /// As [`NavQuery::raycast`], and records the polygons that the ray enters, in order.
    ///
    /// Records as many as fit; their number is in [`RayHit::crossed`]. Each shares an edge with the
    /// one before. The polygon of the start is not recorded.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// use navbake_search::PolyId;
    ///
    /// let mut entered = [PolyId(0); 8];
    /// let hit = query.raycast_through(&at, [8.0, 0.0, 1.0], &mut entered);
    /// assert_eq!((hit.wall, hit.crossed), (None, 2));
    /// ```
    pub fn raycast_through(
        &self,
        from: &NavPoint,
        towards: impl Into<Point>,
        entered: &mut [PolyId],
    ) -> RayHit {
        self.cast(from, towards.into().0, entered)
    }

    fn cast(&self, from: &NavPoint, towards: [f64; 3], entered: &mut [PolyId]) -> RayHit {
        let mesh = self.mesh();
        let (a, b) = (from.point(), clip(mesh, from.point(), towards));
        let mut crossed = 0;
        let end = walk(self, from.polygon(), a, b, |p, k| {
            if let Some(slot) = entered.get_mut(crossed as usize) {
                *slot = mesh.polygon(p).neighbour(k).unwrap_or(p);
            }
            crossed += 1;
        });
        let (fa, fb) = (float(a), float(b));
        let (polygon, fraction, at, height, wall) = match end {
            End::Reached(id) => (id, 1.0, fb, surface::height(&mesh.polygon(id), b), None),
            End::Lost => (from.polygon(), 0.0, fa, from.height(), None),
            End::Wall { polygon: id, edge, corner } => {
                let polygon = mesh.polygon(id);
                let [u, v] = ends(&polygon, edge);
                let (fraction, at) = if let Some(k) = corner {
                    let c = polygon.corner(k);
                    let d = direction(a, b);
                    let t = dot(d, direction(a, c)) as f64 / dot(d, d) as f64;
                    (t, float(c))
                } else {
                    let (sa, sb) = (orient(u, v, a) as f64, orient(u, v, b) as f64);
                    let t = (sa / (sa - sb)).clamp(0.0, 1.0);
                    (t, [fa[0] + t * (fb[0] - fa[0]), fa[1] + t * (fb[1] - fa[1])])
                };
                let wall = Some(wall_at(&polygon, edge));
                (id, fraction, at, polygon.edge_height(edge, at), wall)
            }
        };
        let point = mesh.grid().metres([at[0], height, at[1]]);
        RayHit { wall, fraction, point, polygon, crossed }
    }
}

impl NavQuery<'_> {
    /// Is the straight line from one place to another free?
    ///
    /// The line must end on the ground of the other place, not above or below it.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// let there = query.locate([8.0, 0.0, 5.0], 2.0).unwrap();
    /// assert!(query.sees(&at, &there));
    /// ```
    pub fn sees(&self, from: &NavPoint, to: &NavPoint) -> bool {
        let end = walk(self, from.polygon(), from.point(), to.point(), |_, _| {});
        let same = |last| same_ground(self, last, to.polygon(), to.point(), |_, _| {});
        matches!(end, End::Reached(last) if same(last))
    }
}

/// The ends of an edge of a polygon.
pub(crate) fn ends(polygon: &Polygon<'_, '_>, edge: u32) -> [[i32; 2]; 2] {
    [edge, polygon.next(edge)].map(|k| polygon.corner(k))
}

/// An edge of a polygon, as a wall that is hit.
pub(crate) fn wall_at(polygon: &Polygon<'_, '_>, edge: u32) -> Wall {
    let [u, v] = ends(polygon, edge);
    let along = direction(u, v).map(|c| c as f64);
    let len = length(along[0], along[1]);
    Wall { edge: polygon.edge(edge), normal: [along[1] / len, -along[0] / len] }
}

/// The target on the grid. A target out of range is moved back along the line.
pub(crate) fn clip(mesh: &NavMesh<'_>, a: [i32; 2], towards: [f64; 3]) -> [i32; 2] {
    let grid = mesh.grid();
    if let Some(p) = grid.snap([towards[0], grid.origin[1], towards[2]]) {
        return [p[0], p[2]];
    }
    let a = float(a);
    let mut d = [
        (towards[0] - grid.origin[0]) * grid.units() - a[0],
        (towards[2] - grid.origin[2]) * grid.units() - a[1],
    ];
    // Next to an infinite component the other is negligible.
    if d.iter().any(|c| c.is_infinite()) {
        d = d.map(|c| if c.is_infinite() { c.signum() } else { 0.0 });
    }
    let range = f64::from(LIMIT - 1);
    let t = (0..2).fold(f64::INFINITY, |t, k| {
        let room = if d[k] > 0.0 { range - a[k] } else { -range - a[k] };
        if d[k] == 0.0 { t } else { t.min(room / d[k]) }
    });
    core::array::from_fn(|k| {
        let c = a[k] + d[k] * t;
        // NaN becomes the start.
        if c.is_nan() { a[k] as i32 } else { c.clamp(-range, range) as i32 }
    })
}

/// Goes from `a`, which polygon `start` holds, straight to `b`.
///
/// Calls `cross_portal` with the polygon and the number of its edge for each portal crossed, in
/// order.
pub fn walk(
    query: &NavQuery<'_>,
    start: PolyId,
    a: [i32; 2],
    b: [i32; 2],
    mut cross_portal: impl FnMut(PolyId, u32),
) -> End {
    let d = direction(a, b);
    if d == [0, 0] {
        return End::Reached(start);
    }
    let polys = query.mesh().polys();
    let line = Line::new(a, d);
    let mut id = start.0;
    // The edge through which the polygon was entered, if any.
    let mut entry = None;
    // A line crosses each portal once; the bound is for starts that are not in their polygon.
    for _ in 0..=polys.edges.len() {
        let border = polys.border(id);
        let through = entry.and_then(|entry| line.opposite(&border, entry));
        let (k, corner) = match through {
            Some(k) => (k, false),
            None => match line.exit(&border) {
                Some(exit) => exit,
                None => return End::Lost,
            },
        };
        let edge = border.at(k);
        if corner {
            if dot(d, direction(edge.at, b)) <= 0 {
                return End::Reached(PolyId(id));
            }
            let on = |p: &Polygon<'_, '_>, k: u32| leads_on(p, k, d);
            match turn_around(query, PolyId(id), k as u32, on, &mut cross_portal) {
                Ok(next) => id = next.0,
                Err(walls) => return corner_wall(query.mesh(), d, walls),
            }
            entry = None;
        } else {
            if orient(edge.at, border.after(k).at, b) >= 0 {
                return End::Reached(PolyId(id));
            }
            let Some(beyond) = query.closings.beyond(&edge) else {
                return End::Wall { polygon: PolyId(id), edge: k as u32, corner: None };
            };
            cross_portal(PolyId(id), k as u32);
            (id, entry) = (beyond, Some(edge.twin as usize));
        }
    }
    End::Lost
}

/// As [`walk`], but returns the last polygon, or `None` if a wall stops it.
pub fn walk_straight(
    query: &NavQuery<'_>,
    start: PolyId,
    a: [i32; 2],
    b: [i32; 2],
    cross_portal: impl FnMut(PolyId, u32),
) -> Option<PolyId> {
    match walk(query, start, a, b, cross_portal) {
        End::Reached(last) => Some(last),
        _ => None,
    }
}

/// A line from a point in a direction.
struct Line {
    a: [i32; 2],
    d: [i64; 2],
    /// The part of the cross product that does not depend on the other point.
    on: i64,
}

impl Line {
    fn new(a: [i32; 2], d: [i64; 2]) -> Line {
        let on = cross(d, a.map(i64::from));
        Line { a, d, on }
    }

    /// Positive to the left of the line.
    #[inline]
    fn side(&self, edge: &Edge) -> i64 {
        cross(self.d, edge.at.map(i64::from)).wrapping_sub(self.on)
    }

    /// The edge through which the line leaves a polygon that it entered across an edge.
    ///
    /// `None` if it may leave at a corner. The exit edge begins on the left of the line and ends on
    /// its right, seen from within.
    #[inline]
    fn opposite(&self, border: &Border<'_>, entry: usize) -> Option<usize> {
        let mut k = border.next(entry);
        for _ in 1..border.len() {
            let next = border.next(k);
            match self.side(&border.at(next)) {
                0 => return None,
                1.. => return Some(k),
                _ => k = next,
            }
        }
        None
    }

    /// Where the line leaves a polygon: an edge, or the corner where that edge begins.
    fn exit(&self, border: &Border<'_>) -> Option<(usize, bool)> {
        let mut corner: Option<(i64, usize)> = None;
        let mut before = border.len().checked_sub(1)?;
        let mut here = self.side(&border.at(before));
        for (k, edge) in border.iter().enumerate() {
            let next = self.side(&edge);
            // Seen from above, a counter-clockwise border crosses the line from right to left where
            // the line leaves.
            if here < 0 && next > 0 {
                return Some((before, false));
            }
            if next == 0 {
                let far = dot(self.d, direction(self.a, edge.at));
                if corner.is_none_or(|(best, _)| far > best) {
                    corner = Some((far, k));
                }
            }
            (here, before) = (next, k);
        }
        corner.map(|(_, k)| (k, true))
    }
}

/// A wall at a corner: a polygon, its edge, and the number of its corner there.
pub(crate) type CornerWall = (PolyId, u32, u32);

/// The wall found by turning around corner `k` of a polygon, if there is one.
///
/// Calls `cross_portal` for each portal crossed on the turn.
pub(crate) fn turn_to_wall(
    query: &NavQuery<'_>,
    start: PolyId,
    k: u32,
    counter_clockwise: bool,
    cross_portal: impl FnMut(PolyId, u32),
) -> Option<CornerWall> {
    let never = |_: &Polygon<'_, '_>, _| false;
    match turn(query, start, k, counter_clockwise, &never, cross_portal) {
        Turn::Wall(wall) => Some(wall),
        Turn::Stopped(_) | Turn::Around => None,
    }
}

/// Does direction `d` from corner `k` lead into the polygon or along an edge there?
pub(crate) fn leads_on(polygon: &Polygon<'_, '_>, k: u32, d: [i64; 2]) -> bool {
    let c = polygon.corner(k);
    let out = direction(c, polygon.corner(polygon.next(k)));
    let back = direction(c, polygon.corner(polygon.previous(k)));
    cross(out, d) >= 0 && cross(d, back) >= 0
}

/// Turns around corner `k` of a polygon until `stop` accepts a polygon.
///
/// Turns counter-clockwise first, then clockwise. `stop` gets a polygon and its corner. Calls
/// `cross_portal` only for the portals to the accepted polygon.
///
/// # Errors
/// When none is accepted: the walls on both sides, none where the ground surrounds the corner.
pub(crate) fn turn_around(
    query: &NavQuery<'_>,
    start: PolyId,
    k: u32,
    stop: impl Fn(&Polygon<'_, '_>, u32) -> bool,
    cross_portal: &mut impl FnMut(PolyId, u32),
) -> Result<PolyId, [Option<CornerWall>; 2]> {
    let mut walls = [None; 2];
    for (wall, counter_clockwise) in walls.iter_mut().zip([true, false]) {
        // Few turns are longer; those are taken twice.
        let (mut crossed, mut count) = ([(start, 0); 4], 0);
        let note = |polygon, edge| {
            if let Some(slot) = crossed.get_mut(count) {
                *slot = (polygon, edge);
            }
            count += 1;
        };
        match turn(query, start, k, counter_clockwise, &stop, note) {
            Turn::Stopped(id) => {
                match crossed.get(..count) {
                    Some(all) => all.iter().for_each(|&(p, k)| cross_portal(p, k)),
                    None => _ = turn(query, start, k, counter_clockwise, &stop, cross_portal),
                }
                return Ok(id);
            }
            Turn::Wall(found) => *wall = Some(found),
            Turn::Around => break,
        }
    }
    Err(walls)
}

enum Turn {
    Stopped(PolyId),
    Wall(CornerWall),
    Around,
}

fn turn(
    query: &NavQuery<'_>,
    start: PolyId,
    start_corner: u32,
    counter_clockwise: bool,
    stop: &impl Fn(&Polygon<'_, '_>, u32) -> bool,
    mut cross_portal: impl FnMut(PolyId, u32),
) -> Turn {
    let (mesh, closings) = (query.mesh(), query.closings());
    let open = |edge| closings.is_ground_open() || !closings.is_shut(edge);
    let (mut id, mut k) = (start, start_corner);
    for _ in 0..=mesh.polygon_count() {
        let at = (id.0, k as usize);
        let step = mesh.polys().step_around(at, counter_clockwise, open);
        let Some((edge, (beyond, there))) = step else {
            let edge = match counter_clockwise {
                true => mesh.polygon(id).previous(k),
                false => k,
            };
            return Turn::Wall((id, edge, k));
        };
        cross_portal(id, edge as u32);
        (id, k) = (PolyId(beyond), there as u32);
        if stop(&mesh.polygon(id), k) {
            return Turn::Stopped(id);
        }
        if id == start && k == start_corner {
            return Turn::Around;
        }
    }
    Turn::Around
}

/// Of the walls at a corner, the one that faces the ray more.
fn corner_wall(mesh: &NavMesh<'_>, d: [i64; 2], walls: [Option<CornerWall>; 2]) -> End {
    let facing = |&(id, edge, _): &CornerWall| {
        let polygon = mesh.polygon(id);
        let [u, v] = ends(&polygon, edge);
        let [e, d] = [direction(u, v), d].map(|v| v.map(|c| c as f64));
        (e[1] * d[0] - e[0] * d[1]) / length(e[0], e[1])
    };
    let wall = match walls {
        [Some(a), Some(b)] if facing(&b) < facing(&a) => Some(b),
        [a, b] => a.or(b),
    };
    match wall {
        Some((polygon, edge, corner)) => End::Wall { polygon, edge, corner: Some(corner) },
        None => End::Lost,
    }
}

/// Are two polygons that hold a point the same ground there?
///
/// Calls `cross_portal` for the portals between them.
pub fn same_ground(
    query: &NavQuery<'_>,
    from: PolyId,
    to: PolyId,
    p: [i32; 2],
    mut cross_portal: impl FnMut(PolyId, u32),
) -> bool {
    if from == to {
        return true;
    }
    let border = query.mesh().polys().border(from.0);
    if let Some(k) = border.corner_at(p) {
        let stop = |p: &Polygon<'_, '_>, _| p.id() == to;
        return turn_around(query, from, k as u32, stop, &mut cross_portal).is_ok();
    }
    for k in 0..border.len() {
        let edge = border.at(k);
        let leads = query.closings.beyond(&edge) == Some(to.0);
        if leads && is_between(edge.at, border.after(k).at, p) {
            cross_portal(from, k as u32);
            return true;
        }
    }
    false
}

/// Calls `f` for all other polygons that hold point `p` of the ground of `start`.
///
/// `start` holds it as well. `f` gets the polygon before, and its edge that leads to the other
/// polygon.
pub(crate) fn holders(
    query: &NavQuery<'_>,
    start: PolyId,
    p: [i32; 2],
    mut f: impl FnMut(PolyId, &Edge),
) {
    let closings = query.closings();
    let open = |edge| closings.is_ground_open() || !closings.is_shut(edge);
    let polys = query.mesh().polys();
    polys.each_holder(start.0, p, open, |from, _, edge| f(PolyId(from), edge));
}
