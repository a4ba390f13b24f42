//! Lower bounds of the way ahead by the landmarks of a blob.
//!
//! Of two places one is farther from a landmark than the other by no more than they are apart (Goldberg and Harrelson, Computing the shortest path: A* search
//! meets graph theory, 2005). Distances are stored for vertices alone. How far a place of a polygon is from a landmark lies between what the corners of the polygon say, as
//! the straight way to each is free: that gives an interval for each landmark, and two intervals a bound. Distances are those with everything open: whatever is shut, nothing is nearer.
//!
//! All is reckoned in steps, in floats of 32 bits. [`SLACK`] is taken off in the end, for their rounding and for that of the distances.

#[cfg(feature = "alloc")]
mod places;

use navbake_format::LANDMARKS;

use super::Chart;
use super::optimal::ChartEdge;
use super::scratch::Goal;
use crate::Query;
use crate::math::{distance, float, sqrt_f32};

#[cfg(feature = "alloc")]
pub use places::Places;

/// What rounding may add to a bound, steps. Distances below 2^17 steps are told to within 2^-7 by floats of 32 bits, and some ten operations follow on one another; whole sums of
/// distances were rounded by a 64th at most.
const SLACK: f32 = 0.25;

/// By landmark.
type Each = [f32; LANDMARKS];

/// None of these is ever no number, so comparing them is enough.
#[inline(always)]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// How far a place is from each landmark, at least and at most, steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Away {
    least: Each,
    most: Each,
}

impl Default for Away {
    /// Nothing is known.
    fn default() -> Away {
        Away {
            least: [f32::NEG_INFINITY; LANDMARKS],
            most: [f32::INFINITY; LANDMARKS],
        }
    }
}

impl Away {
    /// What is known besides from a vertex so far away, whose row this is.
    fn narrow(&mut self, row: &Each, away: f32) {
        for (k, steps) in row.iter().enumerate() {
            self.least[k] = greater(self.least[k], steps - away);
            self.most[k] = lesser(self.most[k], steps + 1.0 + away);
        }
    }

    /// How far two places are apart at least, steps.
    fn apart(&self, other: &Away) -> f32 {
        let bounds: Each = core::array::from_fn(|k| {
            greater(self.least[k] - other.most[k], other.least[k] - self.most[k])
        });
        bounds.into_iter().fold(f32::NEG_INFINITY, greater) - SLACK
    }
}

/// The part of a portal that is looked through from a root. Shares of the portal's length count from where its edge begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The portal's length, grid units.
    pub(super) long: f64,
    /// Where the part begins and ends.
    pub(super) shares: [f64; 2],
    /// Where the root stands beside the portal's line, and how far from it, grid units.
    pub(super) foot: f64,
    pub(super) off: f64,
}

/// The landmarks of a mesh, at work.
#[derive(Clone, Copy)]
pub(super) struct Landmarks<'a> {
    stored: navbake_format::Landmarks<'a>,
    /// Steps in a grid unit, and grid units in a step.
    steps: f64,
    units: f64,
}

impl<'a> Landmarks<'a> {
    /// Those of the mesh; `None` where it has none that are its own. Over links ways may be shorter than they know.
    pub(super) fn of(query: &Query<'a>, chart: &Chart<'_>) -> Option<Landmarks<'a>> {
        let mesh = query.mesh();
        let stored = *mesh.landmarks()?;
        let fits = chart.fits(mesh) && chart.pivots == stored.count() && mesh.link_count() == 0;
        let units = f64::from(1u32.checked_shl(stored.shift())?);
        fits.then_some(Landmarks {
            stored,
            steps: 1.0 / units,
            units,
        })
    }

    /// The row of the vertex where an edge begins.
    #[inline]
    fn row(&self, edge: &ChartEdge) -> Each {
        let row = self.stored.row(edge.pivot_number());
        row.unwrap_or_default().map(f32::from)
    }

    fn in_steps(&self, units: f64) -> f32 {
        (units * self.steps) as f32
    }

    /// How far a place of a polygon is, by all of its corners.
    pub(super) fn within(&self, chart: &Chart<'_>, polygon: u32, place: [f64; 2]) -> Away {
        let mut away = Away::default();
        for edge in chart.border(polygon) {
            let far = distance(float(edge.at), place);
            away.narrow(&self.row(edge), self.in_steps(far));
        }
        away
    }

    /// How far a place on an edge is, by both ends.
    pub(super) fn on_edge(
        &self,
        chart: &Chart<'_>,
        (polygon, edge): (u32, u32),
        place: [f64; 2],
    ) -> Away {
        let mut away = Away::default();
        let border = chart.border(polygon);
        if let (Some(here), Some(first)) = (border.get(edge as usize), border.first()) {
            let next = border.get(edge as usize + 1).unwrap_or(first);
            for end in [here, next] {
                let far = distance(float(end.at), place);
                away.narrow(&self.row(end), self.in_steps(far));
            }
        }
        away
    }

    /// Tells goals how far they are.
    pub(super) fn tell(&self, chart: &Chart<'_>, goal: &mut Goal) {
        goal.away = self.within(chart, goal.polygon, float(goal.point));
    }

    /// How far two places are apart at least, grid units; may be less than nothing.
    pub(super) fn apart(&self, a: &Away, b: &Away) -> f64 {
        f64::from(a.apart(b)) * self.units
    }

    /// How long a way is at least that leads from a root straight through a part of a portal, and on to a goal, grid units. `ends` are the edges that begin where the portal's edge
    /// begins and ends.
    ///
    /// For one landmark it is the least over all places of the part: of how far the root is, and how much farther or nearer the goal may be. What one end of the portal says falls from that end on,
    /// and what the other one says rises, so the greater of both is least where they meet.
    #[inline]
    pub(super) fn through(&self, ends: [&ChartEdge; 2], part: &Part, goal: &Away) -> f64 {
        let (foot, off) = (self.in_steps(part.foot), self.in_steps(part.off));
        let square = off * off;
        let away = |at: f32| sqrt_f32(square + (at - foot) * (at - foot));
        let [a, b] = ends.map(|end| self.row(end));
        let long = self.in_steps(part.long);
        let [from, to] = part.shares.map(|share| self.in_steps(share * part.long));
        // Lane by lane, which processors do for several at once.
        let bounds: Each = core::array::from_fn(|k| {
            let meet = lesser(greater((b[k] - a[k] + long) * 0.5, from), to);
            let most = lesser(a[k] + meet, b[k] + long - meet) + 1.0;
            let farther = away(meet) + goal.least[k] - most;
            let meet = lesser(greater((a[k] - b[k] + long) * 0.5, from), to);
            let least = greater(a[k] - meet, b[k] - long + meet);
            greater(farther, away(meet) + least - goal.most[k])
        });
        let best = bounds.into_iter().fold(f32::NEG_INFINITY, greater);
        f64::from(best - SLACK) * self.units
    }

    /// What a way costs at least that leads over a part of a portal to a goal, if getting there costs no less than what lies on the line between two values at the part's ends, and a grid unit
    /// beyond no less than `weight`.
    ///
    /// For one landmark that is a line and two more of which the greater holds: least at an end, or where the two meet.
    pub(super) fn beyond(
        &self,
        ends: [&ChartEdge; 2],
        shares: [f64; 2],
        values: [f64; 2],
        weight: f64,
        goal: &Away,
    ) -> f64 {
        let [a, b] = ends.map(|end| self.row(end));
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
            let farther = |at: f32| cost(at) - lesser(a[k] + at, b[k] + long - at);
            let nearer = |at: f32| cost(at) + greater(a[k] - at, b[k] - long + at);
            let meet = lesser(greater((b[k] - a[k] + long) * 0.5, from), to);
            let least = lesser(lesser(farther(from), farther(to)), farther(meet));
            let meet = lesser(greater((a[k] - b[k] + long) * 0.5, from), to);
            let other = lesser(lesser(nearer(from), nearer(to)), nearer(meet));
            greater(least + goal.least[k] - 1.0, other - goal.most[k])
        });
        let best = bounds.into_iter().fold(f32::NEG_INFINITY, greater);
        base + f64::from(best - SLACK) * self.units * weight
    }
}
