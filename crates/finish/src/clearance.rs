//! Clearance along a path.

use navbake_navmesh::math::float;
use navbake_search::around::WallDistance;
use navbake_search::parts::{Near, nearest_on_segment};
use navbake_search::{Error, Memory, NavPath, NavQuery};

use crate::path_places;

/// The wall or blocked edge nearest to a path, up to `most` metres.
///
/// The distance plus the agent's radius is the largest radius of a unit that can follow the
/// path. As with [`NavQuery::wall_distance`], only walls in a straight line over ground from
/// some point of the path count. For paths over links, ask for each leg on foot
/// ([`NavPath::walk`]). Where more than a full turn of ground is around a point, which no real
/// level has, the result may be too small, and a wall at that point that is behind it as seen
/// from the path is not found.
///
/// # Errors
/// When the answer is not a path on this mesh.
///
/// ```
/// # navbake_testkit::example!(nav, query, request, scratch);
/// let (mut scratch, mut more) = (Scratch::new(), Scratch::new());
/// let request = PathRequest::new([1.0, 0.0, 2.0], [8.0, 0.0, 2.0]);
/// let path = query.find_path(&request, &mut scratch)?;
/// let wall = navbake_finish::path_clearance(&query, &path, 5.0, &mut more)?;
/// assert_eq!(wall.distance, 1.0);
/// # Ok::<(), navbake_search::Error>(())
/// ```
pub fn path_clearance(
    query: &NavQuery<'_>,
    path: &NavPath<'_>,
    most: f64,
    scratch: &mut dyn Memory,
) -> Result<WallDistance, Error> {
    let mut places = path_places(query, path)?;
    let mut from = places.next().ok_or(Error::NotAPath)??;
    let mut nearest = query.wall_distance(&from, most, scratch);
    for to in places {
        let to = to?;
        let leg = Leg { from: float(from.point()), to: float(to.point()) };
        let found = query.nearest_wall(&from, &leg, nearest.distance, scratch);
        if found.distance < nearest.distance {
            nearest = found;
        }
        from = to;
    }
    Ok(nearest)
}

/// A straight piece of a path over open ground.
struct Leg {
    from: [f64; 2],
    to: [f64; 2],
}

/// Positive where `c` is left of the line from `a` to `b`, seen from above.
///
/// Exact for grid points.
fn side(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
}

impl Near for Leg {
    /// Where a leg crosses a portal its distance is zero up to rounding.
    ///
    /// That rounding must not stop the search.
    fn begin(&self, entered: f64) -> f64 {
        entered * (1.0 - 1e-9) - 1e-3
    }

    fn nearest(&self, u: [f64; 2], v: [f64; 2]) -> Option<([f64; 2], f64)> {
        let (mut p, mut q) = (self.from, self.to);
        let [sp, sq] = [p, q].map(|c| side(u, v, c));
        // The leg must be on the inner side of the edge.
        if sp < 0.0 && sq < 0.0 {
            return None;
        }
        let at = |t: f64| [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])];
        if sp < 0.0 || sq < 0.0 {
            let on_line = at(sp / (sp - sq));
            let [su, sv] = [u, v].map(|c| side(p, q, c));
            if (su <= 0.0 && sv >= 0.0) || (su >= 0.0 && sv <= 0.0) {
                return Some((on_line, 0.0));
            }
            if sp < 0.0 {
                p = on_line;
            } else {
                q = on_line;
            }
        }
        // The two do not cross, so an end of one is nearest to the other.
        let mut best = nearest_on_segment(u, v, p);
        let other = nearest_on_segment(u, v, q);
        if other.1 < best.1 {
            best = other;
        }
        for corner in [u, v] {
            let away = nearest_on_segment(p, q, corner).1;
            if away < best.1 {
                best = (corner, away);
            }
        }
        Some(best)
    }
}
