//! The points of a path as places on the mesh.
//!
//! A [`NavPath`] has points in metres and the polygons that the path crosses. Code that works on a
//! path, such as smoothing or clearance, needs the polygon of each point.

use navbake_format::PolyId;
use navbake_format::exact::{direction, dot, orient};
use navbake_search::parts::holds;
use navbake_search::{Error, NavPath, NavPoint, NavQuery};

/// The points of a path as places, in order.
///
/// At a step, a corner has the height of the ground onto which the path continues.
///
/// # Errors
/// When there are no points or no polygons, or the polygons are not of this mesh.
///
/// ```
/// # navbake_testkit::example!(nav, query, request, scratch);
/// # let path = query.find_path(&request, &mut scratch)?;
/// let polygons = navbake_finish::path_places(&query, &path)?.map(|at| Ok(at?.polygon()));
/// let polygons: Result<Vec<_>, navbake_search::Error> = polygons.collect();
/// assert_eq!(polygons?.len(), path.points.len());
/// # Ok::<(), navbake_search::Error>(())
/// ```
pub fn path_places<'p, 'a>(
    query: &NavQuery<'a>,
    path: &NavPath<'p>,
) -> Result<PathPlaces<'p, 'a>, Error> {
    let (points, polygons) = (path.points, path.polygons);
    let count = query.mesh().polygon_count();
    if points.is_empty() || polygons.is_empty() || polygons.iter().any(|p| p.0 >= count) {
        return Err(Error::NotAPath);
    }
    Ok(PathPlaces { query: *query, points, polygons, polygon: 0, next: 0 })
}

/// Iterator over the points of a path with the polygons that hold them.
///
/// See [`path_places`]. It follows the path's polygons; an item is an error where the
/// points leave them.
#[derive(Clone)]
pub struct PathPlaces<'p, 'a> {
    query: NavQuery<'a>,
    points: &'p [[f64; 3]],
    polygons: &'p [PolyId],
    /// The index of the polygon that holds the last point.
    polygon: usize,
    /// The index of the next point.
    next: usize,
}

impl Iterator for PathPlaces<'_, '_> {
    type Item = Result<NavPoint, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let j = self.next;
        if j >= self.points.len() {
            return None;
        }
        self.next += 1;
        Some(match j {
            0 => self.start(),
            _ => self.advance(j),
        })
    }
}

impl PathPlaces<'_, '_> {
    /// A point of the path on the grid.
    fn point(&self, j: usize) -> Result<[i32; 2], Error> {
        let p = self.query.mesh().grid().snap(self.points[j]);
        p.map(|p| [p[0], p[2]]).ok_or(Error::NotAPath)
    }

    /// The start of the path.
    fn start(&self) -> Result<NavPoint, Error> {
        let start = self.point(0)?;
        let place = self.query.on_polygon_grid(self.polygons[0], start);
        place.ok_or(Error::NotAPath)
    }

    /// The place of point `j`.
    fn advance(&mut self, j: usize) -> Result<NavPoint, Error> {
        self.follow(self.point(j - 1)?, self.point(j)?)
    }

    /// Follows the corridor while the segment meets its portals in order.
    ///
    /// So a corner belongs to the last polygon around it: the one that the path enters.
    fn follow(&mut self, a: [i32; 2], b: [i32; 2]) -> Result<NavPoint, Error> {
        let mesh = self.query.mesh();
        let (mut last, mut now) = (None, Time(0, 1));
        for (k, &id) in self.polygons.iter().enumerate().skip(self.polygon) {
            let polygon = mesh.polygon(id);
            if holds(&polygon, b) {
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
        let k = last.ok_or(Error::NotAPath)?;
        self.polygon = k;
        self.query.on_polygon_grid(self.polygons[k], b).ok_or(Error::NotAPath)
    }
}

/// The share of a segment already passed: a fraction with a positive denominator.
#[derive(Clone, Copy)]
struct Time(i64, i64);

impl Time {
    fn before(self, other: Time) -> bool {
        i128::from(self.0) * i128::from(other.1) < i128::from(other.0) * i128::from(self.1)
    }
}

/// The interval in which a line from `a` to `b` is on the segment `u v`.
///
/// Ends included. Exact.
fn meeting(a: [i32; 2], b: [i32; 2], u: [i32; 2], v: [i32; 2]) -> Option<[Time; 2]> {
    let (sa, sb) = (orient(u, v, a), orient(u, v, b));
    if sa != sb {
        let both_sides = sa.signum() * sb.signum() <= 0
            && orient(a, b, u).signum() * orient(a, b, v).signum() <= 0;
        let time = Time(sa.abs(), (sa - sb).abs());
        return both_sides.then_some([time; 2]);
    }
    // The segment is on the line.
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
