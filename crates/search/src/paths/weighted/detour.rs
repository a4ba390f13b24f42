//! The other side of a corner: other portals may allow a cheaper path.
//!
//! A path may be the cheapest through its portals and still bend at a corner of the mesh where no
//! wall holds it. It passes that corner on one side. The portals around the corner on its other
//! side may allow a cheaper path, as in the shortening of paths on triangulations by flips (Sharp
//! and Crane, You can find geodesic paths in triangle meshes by just flipping edges, 2020).
//!
//! ```text
//!           .---------.
//!          /           \   other side
//!     ----'      o      '----
//!          \   corner  /
//!           `---------'    known side
//! ```

use navbake_format::PolyId;

use super::super::nodes::Step;
use super::super::portal::Portal;
use super::super::slices::Slices;
use super::state::State;
use crate::NavQuery;

/// The most portals around a corner.
const MOST_AROUND: usize = 32;
/// The most corners that are tried after a round.
const TRIES: u32 = 48;
/// A crossing this near to an end of its portal passes that corner.
///
/// As a share of the portal.
const AT_END: f64 = 1e-3;

impl State {
    /// Tries the other side of every corner at which the cheapest path bends.
    ///
    /// After an improvement it goes back by one crossing.
    pub(super) fn go_round(&mut self, query: &NavQuery<'_>, scratch: &mut Slices<'_>) {
        let (mut i, mut tries) = (0, 0);
        while i < self.best as usize && tries < TRIES {
            let Some((corner, until)) = self.bend(query, i, scratch) else {
                i += 1;
                continue;
            };
            let made = self.other_side(query, corner, i..until, scratch);
            tries += u32::from(made.is_some());
            let better = made.is_some_and(|made| self.keep_better(query, made, scratch));
            // The crossings before it may take another route now.
            i = if better { i.saturating_sub(1) } else { until };
        }
    }

    /// The corner at crossing `i` of the best path, and the first crossing behind it.
    ///
    /// The crossings between them pass the same corner.
    fn bend(
        &self,
        query: &NavQuery<'_>,
        i: usize,
        scratch: &Slices<'_>,
    ) -> Option<([i32; 2], usize)> {
        let best = scratch.weighted.best.get(..self.best as usize)?;
        let corner_of = |c: &super::upper::Crossing| {
            let [left, right] = Portal::ends(query.mesh(), c.step);
            match c.step.link() {
                Some(_) => None,
                None if c.t <= AT_END => Some(right),
                None => (c.t >= 1.0 - AT_END).then_some(left),
            }
        };
        let corner = corner_of(best.get(i)?)?;
        let same = best[i..].iter().take_while(|c| corner_of(c) == Some(corner));
        Some((corner, i + same.count()))
    }

    /// Writes the best path with the portals on the other side of a corner.
    ///
    /// Returns the number of crossings. `None` where there is a wall, or no room.
    fn other_side(
        &self,
        query: &NavQuery<'_>,
        corner: [i32; 2],
        some: core::ops::Range<usize>,
        scratch: &mut Slices<'_>,
    ) -> Option<usize> {
        let best = scratch.weighted.best.get(..self.best as usize)?;
        let first = best.get(some.start)?.step;
        let last = match best.get(some.end) {
            Some(next) => next.step.polygon,
            None => scratch.goals.get(self.target as usize)?.polygon,
        };
        let tried = &mut *scratch.weighted.tried;
        tried.get_mut(..some.start)?.copy_from_slice(&best[..some.start]);
        let mut count = some.start;
        let mut step = other_edge(query, first, corner)?;
        for _ in 0..MOST_AROUND {
            let polygon = query.mesh().polygon(PolyId(step.polygon));
            let beyond = query.beyond(&polygon, step.edge)?;
            if !query.enters(polygon.id(), beyond) || beyond.0 == first.polygon {
                return None;
            }
            *tried.get_mut(count)? = self.crossing(query, step)?;
            count += 1;
            if beyond.0 == last {
                let rest = &best[some.end..];
                tried.get_mut(count..count + rest.len())?.copy_from_slice(rest);
                return Some(count + rest.len());
            }
            let (_, edge) = polygon.across(step.edge)?;
            let came = Step { polygon: beyond.0, edge };
            step = other_edge(query, came, corner)?;
        }
        None
    }
}

/// The other edge of a polygon at a corner.
fn other_edge(query: &NavQuery<'_>, step: Step, corner: [i32; 2]) -> Option<Step> {
    let polygon = query.mesh().polygon(PolyId(step.polygon));
    if step.edge >= polygon.len() {
        return None;
    }
    let edge = if polygon.corner(step.edge) == corner {
        (step.edge + polygon.len() - 1) % polygon.len()
    } else {
        polygon.next(step.edge)
    };
    Some(Step { edge, ..step })
}
