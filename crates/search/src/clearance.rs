//! How much room there is around a place, along a path, and for whom.
//!
//! A mesh holds the places of the middle of an agent of its radius. Ground for a greater radius is what is left of it after walls and ledges took
//! the difference, so one class answers for every greater width: a place has room for a radius when the nearest wall of the mesh is no nearer than
//! what that has over the agent's own. It is as exact as the mesh's borders are.

use navbake_format::{Agent, CheckedBlob};

use crate::flood::nearest_on_segment;
use crate::math::float;
use crate::wall_distance::Near;
use crate::{Answer, FloodScratch, Location, NotAPath, Query, WallDistance};

/// Which of a blob's agents can stand at a point, and where: each with its place on the ground of its class, up to so far away along each axis; see
/// [`Query::end`]. Everything is open.
pub fn standing<'a>(
    blob: &CheckedBlob<'a>,
    point: [f64; 3],
    extents: [f64; 3],
) -> impl Iterator<Item = (Agent<'a>, Option<Location>)> + use<'a> {
    let blob = *blob;
    blob.agents().map(move |agent| {
        let query = blob.mesh(agent.class).map(Query::new);
        (agent, query.and_then(|query| query.end(point, extents)))
    })
}

impl Query<'_> {
    /// Does a unit fit here whose radius is so many metres greater than that of the agent whom the mesh is for? No as well where the scratch does
    /// not allow to tell.
    pub fn fits<'s>(
        &self,
        at: &Location,
        wider: f64,
        scratch: impl Into<FloodScratch<'s>>,
    ) -> bool {
        is_room(&self.wall_distance(at, wider, scratch), wider)
    }

    /// The wall or shut edge nearest to a path, up to `most` metres: with the agent's radius, what a unit may have that walks along it. As with
    /// [`Query::wall_distance`], walls are met by walking straight, from some point of the path. Paths over links are asked walk by walk
    /// ([`Answer::walk`]). Where more than a full turn of ground lies around a point, as in no real level, it may say less, and
    /// a wall at that point that lies behind it as seen from the path is not met.
    ///
    /// # Errors
    /// When the answer is not a path on this mesh.
    pub fn path_clearance<'s>(
        &self,
        path: &Answer<'_>,
        most: f64,
        scratch: impl Into<FloodScratch<'s>>,
    ) -> Result<WallDistance, NotAPath> {
        let mut scratch = scratch.into();
        let mut places = self.path_places(path)?;
        let mut from = places.next().ok_or(NotAPath)??;
        let mut nearest = self.wall_distance(&from, most, &mut scratch);
        for to in places {
            let to = to?;
            let leg = Leg {
                from: float(from.point()),
                to: float(to.point()),
            };
            let found = self.nearest_wall(&from, &leg, nearest.distance, (&mut scratch).into());
            if found.distance < nearest.distance {
                nearest = found;
            }
            from = to;
        }
        Ok(nearest)
    }
}

/// Is that far enough from walls? Lengths come back from grid units with a rounding.
fn is_room(found: &WallDistance, wider: f64) -> bool {
    found.distance >= wider * (1.0 - 1e-12)
}

/// A straight piece of a path over open ground.
struct Leg {
    from: [f64; 2],
    to: [f64; 2],
}

/// Positive where `c` lies to the left of the way from `a` to `b`, seen from above. Exact for grid points.
fn side(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
}

impl Near for Leg {
    /// Where a leg crosses a portal its distance is zero but for a rounding, which must not keep it from going on.
    fn begin(&self, entered: f64) -> f64 {
        entered * (1.0 - 1e-9) - 1e-3
    }

    fn nearest(&self, u: [f64; 2], v: [f64; 2]) -> Option<([f64; 2], f64)> {
        let (mut p, mut q) = (self.from, self.to);
        let [sp, sq] = [p, q].map(|c| side(u, v, c));
        // What one sees of an edge is seen from its inner side.
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
