//! Paths made fit to be walked by something with a body: smoothed, rounded, followed.
//!
//! Smoothing by a Catmull-Rom spline, pruning after it, and doing without where the path has two points only, are from Rabin, A* aesthetic
//! optimizations (Game Programming Gems, 2000). What is added here is the ground: no curve is taken for granted. Every piece of a finished
//! path is walked over adjacency, from the polygons that the path leads through and on its own storey; where the mesh has no room for a
//! curve, the path's own corners stay. All points lie on the level's grid, so that *on the mesh* is a statement about whole numbers.

mod follow;
mod prune;
mod round;
mod spline;

use navbake_format::PolyId;
use navbake_format::exact::{direction, dot, orient};

use crate::math::grid_distance;
use crate::ray::{End, walk};
use crate::{Answer, Location, Query, surface};

pub use follow::{Advice, Follower, Waypoint};
pub use round::Rounding;
pub use spline::spline_room;

/// A finished path. Its points lie in the caller's slice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finished<'o> {
    /// From the path's start to its end. Each straight piece between two of them stays on the mesh.
    pub points: &'o [Location],
    /// Length in the ground plane, m.
    pub length_xz: f64,
    /// Stretches between corners (spline) or corners (rounding) that stay as they were because the mesh has no room for the curve.
    pub kept: usize,
}

/// Why a path was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishError {
    /// The slice for the points is too short.
    NoRoom {
        /// A length that suffices.
        needed: usize,
    },
    /// The points are none, or not those of a path through the polygons on this mesh.
    NotAPath,
}

impl core::fmt::Display for FinishError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            FinishError::NoRoom { needed } => {
                write!(
                    f,
                    "the slice for the finished path needs room for {needed} points"
                )
            }
            FinishError::NotAPath => {
                f.write_str("not the points and polygons of a path on this mesh")
            }
        }
    }
}

impl core::error::Error for FinishError {}

impl Query<'_> {
    /// The points of a path as places. At a step a corner is at the height of the ground onto which the path goes on.
    pub fn places<'o>(
        &self,
        path: &Answer<'_>,
        out: &'o mut [Location],
    ) -> Result<Finished<'o>, FinishError> {
        let mut track = Track::new(*self, path)?;
        let mut line = Line::new(*self, out, track.len())?;
        line.put(track.start()?);
        for j in 1..track.len() {
            line.put(track.advance(j)?);
        }
        Ok(line.finished(0))
    }
}

/// The points of a path with the polygons they lie in, found by following its corridor.
pub(crate) struct Track<'p, 'a> {
    query: Query<'a>,
    points: &'p [[f64; 3]],
    polygons: &'p [PolyId],
    /// Which of the polygons the last point lies in.
    polygon: usize,
}

impl<'p, 'a> Track<'p, 'a> {
    pub(crate) fn new(query: Query<'a>, path: &Answer<'p>) -> Result<Track<'p, 'a>, FinishError> {
        let (points, polygons) = (path.points, path.polygons);
        let count = query.mesh().polygon_count();
        if points.is_empty() || polygons.is_empty() || polygons.iter().any(|p| p.0 >= count) {
            return Err(FinishError::NotAPath);
        }
        Ok(Track {
            query,
            points,
            polygons,
            polygon: 0,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// A point of the path on the grid; beyond the ends, the end.
    fn point(&self, j: usize) -> Result<[i32; 2], FinishError> {
        let point = self.points[j.min(self.points.len() - 1)];
        let p = self.query.mesh().grid().snap(point);
        p.map(|p| [p[0], p[2]]).ok_or(FinishError::NotAPath)
    }

    /// The place where the path starts.
    pub(crate) fn start(&mut self) -> Result<Location, FinishError> {
        let start = self.point(0)?;
        self.query
            .on_polygon_grid(self.polygons[0], start)
            .ok_or(FinishError::NotAPath)
    }

    /// The place of point `j`, to be asked for one point after the other.
    pub(crate) fn advance(&mut self, j: usize) -> Result<Location, FinishError> {
        self.follow(self.point(j - 1)?, self.point(j)?)
    }

    /// Follows the corridor along a piece of the path, as far as the piece meets its portals one after the other. So a corner belongs to
    /// the last of the polygons that turn around it: the one into which the path goes on.
    fn follow(&mut self, a: [i32; 2], b: [i32; 2]) -> Result<Location, FinishError> {
        let mesh = self.query.mesh();
        let (mut last, mut now) = (None, Time(0, 1));
        for (k, &id) in self.polygons.iter().enumerate().skip(self.polygon) {
            let polygon = mesh.polygon(id);
            if surface::holds(&polygon, b) {
                last = Some(k);
            }
            let Some(&beyond) = self.polygons.get(k + 1) else {
                break;
            };
            let crossed = (0..polygon.len())
                .filter(|&k| self.query.beyond(&polygon, k) == Some(beyond))
                .filter_map(|k| meeting(a, b, polygon.corner(k), polygon.corner(polygon.next(k))))
                .filter(|[_, until]| !until.before(now))
                .map(|[from, _]| if from.before(now) { now } else { from })
                .reduce(|s, t| if t.before(s) { t } else { s });
            match crossed {
                Some(time) => now = time,
                None => break,
            }
        }
        let k = last.ok_or(FinishError::NotAPath)?;
        self.polygon = k;
        self.query
            .on_polygon_grid(self.polygons[k], b)
            .ok_or(FinishError::NotAPath)
    }
}

/// How much of a piece lies behind: a fraction with a positive denominator.
#[derive(Clone, Copy)]
struct Time(i64, i64);

impl Time {
    fn before(self, other: Time) -> bool {
        i128::from(self.0) * i128::from(other.1) < i128::from(other.0) * i128::from(self.1)
    }
}

/// From when to when someone who walks from `a` to `b` is on the segment `u v`, ends included. Exact.
fn meeting(a: [i32; 2], b: [i32; 2], u: [i32; 2], v: [i32; 2]) -> Option<[Time; 2]> {
    let (sa, sb) = (orient(u, v, a), orient(u, v, b));
    if sa != sb {
        let both_sides = sa.signum() * sb.signum() <= 0
            && orient(a, b, u).signum() * orient(a, b, v).signum() <= 0;
        let time = Time(sa.abs(), (sa - sb).abs());
        return both_sides.then_some([time; 2]);
    }
    // Along the segment's line.
    let d = direction(a, b);
    let [tu, tv] = [u, v].map(|p| dot(d, direction(a, p)));
    let (first, last, whole) = (tu.min(tv).max(0), tu.max(tv).min(dot(d, d)), dot(d, d));
    let on_line = sa == 0 && first <= last;
    if whole == 0 {
        let there = on_line && dot(direction(a, u), direction(a, v)) <= 0;
        return there.then_some([Time(0, 1), Time(1, 1)]);
    }
    on_line.then_some([Time(first, whole), Time(last, whole)])
}

/// Walks straight on from a place; `None` where that leaves the mesh.
fn walk_on(query: &Query<'_>, from: PolyId, a: [i32; 2], b: [i32; 2]) -> Option<PolyId> {
    match walk(query, from, a, b, |_, _| {}) {
        End::Reached(id) if surface::holds(&query.mesh().polygon(id), b) => Some(id),
        _ => None,
    }
}

/// The finished path as it grows.
struct Line<'a, 'o> {
    query: Query<'a>,
    points: &'o mut [Location],
    used: usize,
}

impl<'a, 'o> Line<'a, 'o> {
    /// With room for so many points.
    fn new(
        query: Query<'a>,
        points: &'o mut [Location],
        needed: usize,
    ) -> Result<Line<'a, 'o>, FinishError> {
        if points.len() < needed {
            return Err(FinishError::NoRoom { needed });
        }
        Ok(Line {
            query,
            points,
            used: 0,
        })
    }

    /// Adds a place that is known to be in sight. Two equal points in a row are one, unless they are the whole path.
    fn put(&mut self, place: Location) {
        if self.used > 1 && self.points[self.used - 1].point() == place.point() {
            self.used -= 1;
        }
        if let Some(slot) = self.points.get_mut(self.used) {
            *slot = place;
            self.used += 1;
        }
    }

    /// Walks straight on to a point, and adds it when that is possible.
    fn walk(&mut self, to: [i32; 2]) -> bool {
        let Some(last) = self.used.checked_sub(1).and_then(|k| self.points.get(k)) else {
            return false;
        };
        if last.point() == to {
            return true;
        }
        let reached = walk_on(&self.query, last.polygon(), last.point(), to)
            .and_then(|id| self.query.on_polygon_grid(id, to));
        if let Some(place) = reached {
            self.put(place);
        }
        reached.is_some()
    }

    /// The last place.
    fn last(&self) -> Option<Location> {
        self.points.get(self.used.checked_sub(1)?).copied()
    }

    fn finished(self, kept: usize) -> Finished<'o> {
        let points = &self.points[..self.used];
        let sum = |sum, pair: &[Location]| sum + grid_distance(pair[0].point(), pair[1].point());
        Finished {
            points,
            length_xz: points.windows(2).fold(0.0, sum) / self.query.mesh().grid().units(),
            kept,
        }
    }
}
