//! Lower bounds on the remaining distance from a blob's landmarks.
//!
//! The distances of two places from a landmark differ by no more than the distance between the
//! places (Goldberg and Harrelson, Computing the shortest path: A* search meets graph theory,
//! 2005):
//!
//! ```text
//!         L            |d(L, a) - d(L, b)| <= d(a, b)
//!        / \
//!       /   \
//!      a-----b
//! ```
//!
//! Distances are stored for vertices only. A straight line from a place in a polygon to each corner
//! of it is free, so each corner bounds the place's distance from below and above. That gives an
//! interval for each landmark, and two intervals give a bound. The distances are those with
//! everything open: ground that is blocked, or that obstacles take, brings nothing nearer.
//!
//! All values are in steps, as floats of 32 bits. [`SLACK`] is subtracted in the end, for their
//! rounding and for that of the distances.

use navbake_format::LANDMARKS;
use navbake_navmesh::{Edge, PolyMesh};

use super::nodes::Goal;
use crate::NavQuery;
use navbake_navmesh::math::{distance, float, sqrt_f32};

/// The most that rounding may add to a bound, steps.
/// Floats of 32 bits resolve distances below 2^17 steps to within 2^-7, and some ten operations
/// follow on one another. Whole sums of distances were rounded by 1/64 at most.
const SLACK: f32 = 0.25;

/// The most by which rounding to the grid takes a corner of a piece out of its baked polygon, and
/// the path along the polygon with it; grid units.
const BESIDE: f64 = 2.0;

/// One value for each landmark.
type Each = [f32; LANDMARKS];

/// No operand is NaN, so a plain comparison is enough.
#[inline(always)]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The least and greatest distance of a place from each landmark, steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Away {
    least: Each,
    most: Each,
}

impl Default for Away {
    /// Nothing is known.
    fn default() -> Away {
        Away::UNKNOWN
    }
}

impl Away {
    /// Nothing is known.
    pub(super) const UNKNOWN: Away =
        Away { least: [f32::NEG_INFINITY; LANDMARKS], most: [f32::INFINITY; LANDMARKS] };

    /// Narrows the intervals by a place at distance `far`.
    fn narrow(&mut self, other: &Away, far: f32) {
        for k in 0..LANDMARKS {
            self.least[k] = greater(self.least[k], other.least[k] - far);
            self.most[k] = lesser(self.most[k], other.most[k] + far);
        }
    }

    /// Lower bound on the distance between two places, steps.
    fn apart(&self, other: &Away) -> f32 {
        let bounds: Each = core::array::from_fn(|k| {
            greater(self.least[k] - other.most[k], other.least[k] - self.most[k])
        });
        bounds.into_iter().fold(f32::NEG_INFINITY, greater) - SLACK
    }
}

/// The part of a portal that is visible from a root.
/// Shares of the portal's length count from where its edge begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The portal's length, grid units.
    pub(super) long: f64,
    /// Where the part begins and ends.
    pub(super) shares: [f64; 2],
    /// Foot of the root on the portal's line, and its distance from it, grid units.
    pub(super) foot: f64,
    pub(super) off: f64,
}

/// The landmarks of a mesh, ready for queries.
#[derive(Clone, Copy)]
pub(super) struct Landmarks<'a> {
    stored: navbake_format::Landmarks<'a>,
    /// Steps in a grid unit, and grid units in a step.
    steps: f64,
    units: f64,
    polys: &'a PolyMesh<'a>,
}

impl<'a> Landmarks<'a> {
    /// The landmarks of the mesh; `None` where it has none of its own.
    /// Also `None` where the mesh has links: over links, paths may be shorter than the landmarks
    /// know.
    pub(super) fn of(query: &'a NavQuery<'_>) -> Option<Landmarks<'a>> {
        let mesh = query.mesh();
        let stored = *mesh.landmarks()?;
        let polys = mesh.polys();
        let fits = polys.baked_pivots() == stored.count() && mesh.link_count() == 0;
        let units = f64::from(1u32.checked_shl(stored.shift())?);
        fits.then_some(Landmarks { stored, steps: 1.0 / units, units, polys })
    }

    /// The distances of the vertex where an edge begins. `None` where obstacles changed the ground
    /// around it.
    #[inline]
    fn vertex(&self, edge: &Edge) -> Option<Away> {
        let least = self.stored.row(edge.pivot_number())?.map(f32::from);
        Some(Away { least, most: least.map(|steps| steps + 1.0) })
    }

    /// The distances of the corner of a polygon where an edge begins.
    #[inline]
    fn corner(&self, polygon: u32, edge: &Edge) -> Away {
        self.vertex(edge).unwrap_or_else(|| self.within_baked(polygon, float(edge.at)))
    }

    /// The distances of a place where obstacles changed the ground, from the corners of the baked
    /// polygon.
    #[cold]
    fn within_baked(&self, polygon: u32, place: [f64; 2]) -> Away {
        let mut away = Away::default();
        for edge in self.polys.baked_border(self.polys.origin(polygon)).iter() {
            if let Some(vertex) = self.vertex(&edge) {
                let far = distance(float(edge.at), place) + BESIDE;
                away.narrow(&vertex, self.in_steps(far));
            }
        }
        away
    }

    fn in_steps(&self, units: f64) -> f32 {
        (units * self.steps) as f32
    }

    /// The distances of a place in a polygon, from all of its corners.
    pub(super) fn within(&self, polygon: u32, place: [f64; 2]) -> Away {
        if polygon >= self.polys.baked_len() {
            return self.within_baked(polygon, place);
        }
        let mut away = Away::default();
        for edge in self.polys.border(polygon).iter() {
            let far = distance(float(edge.at), place);
            away.narrow(&self.corner(polygon, &edge), self.in_steps(far));
        }
        away
    }

    /// The distances of a place on an edge, from both ends.
    pub(super) fn on_edge(&self, (polygon, edge): (u32, u32), place: [f64; 2]) -> Away {
        let mut away = Away::default();
        let border = self.polys.border(polygon);
        if let Some(here) = border.get(edge as usize) {
            for end in [here, border.after(edge as usize)] {
                let far = distance(float(end.at), place);
                away.narrow(&self.corner(polygon, &end), self.in_steps(far));
            }
        }
        away
    }

    /// Stores a goal's distances in it.
    pub(super) fn tell(&self, goal: &mut Goal) {
        goal.away = self.within(goal.polygon, float(goal.point));
    }

    /// Lower bound on the distance between two places, grid units.
    /// May be negative.
    pub(super) fn apart(&self, a: &Away, b: &Away) -> f64 {
        f64::from(a.apart(b)) * self.units
    }

    /// Lower bound on a path from a root through part of a portal to a goal.
    /// In grid units. The path is straight up to the portal. `ends` are the edges of the polygon
    /// that begin where the portal's edge begins and ends.
    ///
    /// For one landmark it is the least value over all places of the part, of the root's distance
    /// plus the difference between the goal's distance and the place's. The bound from one end of
    /// the portal falls from that end on, the bound from the other rises. So the greater of both is
    /// least where they meet.
    #[inline]
    pub(super) fn through(&self, polygon: u32, ends: [&Edge; 2], part: &Part, goal: &Away) -> f64 {
        let (foot, off) = (self.in_steps(part.foot), self.in_steps(part.off));
        let square = off * off;
        let away = |at: f32| sqrt_f32(square + (at - foot) * (at - foot));
        let [a, b] = ends.map(|end| self.corner(polygon, end));
        let long = self.in_steps(part.long);
        let [from, to] = part.shares.map(|share| self.in_steps(share * part.long));
        // Lane by lane, so that processors can compute several at once.
        let bounds: Each = core::array::from_fn(|k| {
            let meet = lesser(greater((b.most[k] - a.most[k] + long) * 0.5, from), to);
            let most = lesser(a.most[k] + meet, b.most[k] + long - meet);
            let farther = away(meet) + goal.least[k] - most;
            let meet = lesser(greater((a.least[k] - b.least[k] + long) * 0.5, from), to);
            let least = greater(a.least[k] - meet, b.least[k] - long + meet);
            greater(farther, away(meet) + least - goal.most[k])
        });
        let best = bounds.into_iter().fold(f32::NEG_INFINITY, greater);
        f64::from(best - SLACK) * self.units
    }

    /// Lower bound on the cost of a path over part of a portal to a goal.
    /// The cost up to the portal is at least the linear interpolation between two values at the
    /// part's ends. Each grid unit beyond costs at least `weight`.
    ///
    /// For one landmark the bound is a line plus the greater of two lines: least at an end, or
    /// where the two meet.
    pub(super) fn beyond(
        &self,
        polygon: u32,
        ends: [&Edge; 2],
        shares: [f64; 2],
        values: [f64; 2],
        weight: f64,
        goal: &Away,
    ) -> f64 {
        let [a, b] = ends.map(|end| self.corner(polygon, end));
        let [p, q] = ends.map(|end| float(end.at));
        let far = distance(p, q);
        let [from, to] = shares.map(|share| self.in_steps(share * far));
        let long = self.in_steps(far);
        let base = values[0].min(values[1]);
        let [first, last] = values.map(|value| self.in_steps((value - base) / weight));
        let rise = match to > from {
            true => (last - first) / (to - from),
            false => 0.0,
        };
        let cost = |at: f32| first + rise * (at - from);
        let bounds: Each = core::array::from_fn(|k| {
            let farther = |at: f32| cost(at) - lesser(a.most[k] + at, b.most[k] + long - at);
            let nearer = |at: f32| cost(at) + greater(a.least[k] - at, b.least[k] - long + at);
            let meet = lesser(greater((b.most[k] - a.most[k] + long) * 0.5, from), to);
            let least = lesser(lesser(farther(from), farther(to)), farther(meet));
            let meet = lesser(greater((a.least[k] - b.least[k] + long) * 0.5, from), to);
            let other = lesser(lesser(nearer(from), nearer(to)), nearer(meet));
            greater(least + goal.least[k], other - goal.most[k])
        });
        let best = bounds.into_iter().fold(f32::NEG_INFINITY, greater);
        base + f64::from(best - SLACK) * self.units * weight
    }
}
