//! Shortest paths by the labels of a blob: a few lines of sight, a few look-ups, and no search.
//!
//! A shortest path that is no straight line turns at corners first and last: one that its start sees, and one that its end sees ([`visible`]).
//! Between those two it is as long as their labels say ([`merge`]), and over which corners it goes stands in them too. What is open is left
//! to the path's own check: labels are made with everything open, so a path by them that nothing shut is in the way of is the shortest still.

mod ask;
mod corners;
mod merge;
mod trace;
mod visible;

#[cfg(feature = "alloc")]
mod build;
#[cfg(feature = "alloc")]
mod memory;

use navbake_format::Labels;

use super::Chart;
use super::optimal::towards;
use super::scratch::Goal;
use crate::Query;
use crate::math::{float, grid_distance, length};

#[cfg(feature = "alloc")]
pub use build::{CornerLook, Corners};
#[cfg(feature = "alloc")]
pub(super) use memory::TablesBuffer;

use corners::Corner;
use merge::{Best, Board, Near, entry, unpack};
use visible::{Look, Seen, Window};

/// What finding paths by labels takes besides. It is drawn by [`SearchBuffer`](super::SearchBuffer) alone, for a mesh with labels.
#[derive(Debug, Default)]
pub struct Tables<'a> {
    corners: &'a [Corner],
    stamps: &'a mut [u32],
    windows: &'a mut [Window],
    /// What is seen, from either end.
    seen: &'a mut [Seen],
    from: &'a mut [Near],
    to: &'a mut [Near],
    keys: &'a mut [u64],
    /// Corners of a path, twice.
    chain: &'a mut [u32],
    spare: &'a mut [u32],
    clock: Option<&'a mut Clock>,
}

/// What tells new entries from old ones.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    stamp: u32,
    epoch: u16,
}

/// A way by labels: its length, grid units, and how many corners it goes over; they stand in the chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) length: f64,
    pub(super) count: usize,
}

impl Tables<'_> {
    /// Lends the slices on.
    pub(super) fn lend(&mut self) -> Tables<'_> {
        Tables {
            corners: self.corners,
            stamps: self.stamps,
            windows: self.windows,
            seen: self.seen,
            from: self.from,
            to: self.to,
            keys: self.keys,
            chain: self.chain,
            spare: self.spare,
            clock: self.clock.as_deref_mut(),
        }
    }

    /// The labels of a mesh, if these slices are for them.
    fn labels<'m>(&self, query: &Query<'m>, chart: &Chart<'_>) -> Option<Labels<'m>> {
        let labels = query.mesh().labels()?;
        let count = labels.corner_count();
        let fits = chart.fits(query.mesh())
            && chart.corners == count
            && self.corners.len() == count as usize
            && self.clock.is_some();
        fits.then_some(*labels)
    }

    /// Looks around from an end, and keeps the corners that may be on the shortest way to the other.
    fn look(
        &mut self,
        chart: &Chart<'_>,
        labels: &Labels<'_>,
        [here, there]: [&Goal; 2],
        is_start: bool,
        most: Option<u32>,
    ) -> Option<usize> {
        let clock = self.clock.as_mut()?;
        clock.stamp = match clock.stamp.checked_add(1) {
            Some(stamp) => stamp,
            None => {
                self.stamps.fill(0);
                1
            }
        };
        let mut look = Look {
            chart,
            corners: self.corners,
            stamps: self.stamps,
            stamp: clock.stamp,
            windows: self.windows,
            seen: self.seen,
            origin: here.point,
            goal: most.map(|most| {
                let scale = f64::from(1u32 << labels.shift());
                let goal = towards(here.point, there.point);
                (goal, f64::from(most + merge::BAND) / scale)
            }),
            count: 0,
            open: 0,
            full: false,
        };
        let count = look.run(here.polygon)?;
        let near = if is_start {
            &mut *self.from
        } else {
            &mut *self.to
        };
        let scale = f64::from(1u32 << labels.shift());
        for (slot, seen) in near.get_mut(..count)?.iter_mut().zip(&self.seen[..count]) {
            let [dx, dz] = float(seen.direction);
            let away = length(dx, dz);
            let ahead = grid_distance(self.corners[seen.corner as usize].at, there.point);
            *slot = Near {
                corner: seen.corner,
                side: seen.side,
                away: fixed(away, scale)?,
                around: ((away + ahead) * scale) as u32,
            };
        }
        Some(count)
    }

    /// The shortest way between two places that do not see one another; its corners are in the chain. `None` where labels cannot tell.
    pub(super) fn way(
        &mut self,
        query: &Query<'_>,
        chart: &Chart<'_>,
        start: &Goal,
        goal: &Goal,
    ) -> Option<Way> {
        let labels = self.labels(query, chart)?;
        let most = self.bound(chart, &labels, [start, goal]);
        let from = self.look(chart, &labels, [start, goal], true, most)?;
        let to = self.look(chart, &labels, [goal, start], false, most)?;
        self.meet(&labels, [from, to], [start, goal])
    }

    /// The length of some way: over a corner of the polygon of either end. `None` where there is none at hand.
    fn bound(&mut self, chart: &Chart<'_>, labels: &Labels<'_>, ends: [&Goal; 2]) -> Option<u32> {
        let scale = f64::from(1u32 << labels.shift());
        let near = |here: &Goal, there: &Goal| {
            let corners = chart.border(here.polygon).iter().filter_map(|edge| {
                let around =
                    grid_distance(here.point, edge.at) + grid_distance(edge.at, there.point);
                Some((edge.corner()?, edge.at, around))
            });
            let least = corners.reduce(|a, b| if b.2 < a.2 { b } else { a });
            let (corner, at, around) = least?;
            Some(Near {
                corner,
                side: 2,
                away: fixed(grid_distance(here.point, at), scale)?,
                around: fixed(around, scale)?,
            })
        };
        let [a, b] = [near(ends[0], ends[1])?, near(ends[1], ends[0])?];
        let clock = self.clock.as_mut()?;
        let mut board = Board {
            keys: self.keys,
            epoch: &mut clock.epoch,
        };
        board.clear();
        board.scatter(labels, &a, 0);
        let mut best = Best::new();
        best.gather(&board, labels, &b, 0);
        (best.count > 0).then_some(best.length)
    }

    fn meet(
        &mut self,
        labels: &Labels<'_>,
        [from, to]: [usize; 2],
        ends: [&Goal; 2],
    ) -> Option<Way> {
        let clock = self.clock.as_mut()?;
        let mut board = Board {
            keys: self.keys,
            epoch: &mut clock.epoch,
        };
        let from = self.from.get(..from.min(usize::from(u16::MAX)))?;
        let to = self.to.get(..to.min(usize::from(u16::MAX)))?;
        let first = |list: &[Near]| {
            let least = list.iter().min_by_key(|n| n.around).copied();
            least.map(|n| Near { side: 2, ..n })
        };
        let (a, b) = (first(from)?, first(to)?);
        // Any way bounds what can be on the shortest.
        board.clear();
        board.scatter(labels, &a, 0);
        let mut some = Best::new();
        some.gather(&board, labels, &b, 0);
        let most = some.length.saturating_add(merge::BAND);
        board.clear();
        for (number, near) in (0..).zip(from) {
            if near.around <= most {
                board.scatter(labels, near, number);
            }
        }
        let mut best = Best::new();
        best.length = most;
        for (number, near) in (0..).zip(to) {
            if near.around <= best.length.saturating_add(merge::BAND) {
                best.gather(&board, labels, near, number);
            }
        }
        let [start, goal] = ends.map(|e| e.point);
        let corners = self.corners;
        let scale = f64::from(1u32 << labels.shift());
        let mut found: Option<Way> = None;
        for meeting in best.meetings() {
            let last = to.get(usize::from(meeting.to))?;
            let own = from.get(usize::from(meeting.from()))?;
            let hub = unpack(labels, corners, own.corner, meeting.hub, self.spare);
            let hub = hub.and_then(|count| corners.get(self.spare[count - 1] as usize))?;
            let rest = distance(labels, last, meeting.hub)?.saturating_add(last.away);
            let left = best.length.saturating_add(merge::BAND).saturating_sub(rest);
            // Of the ways to a hub only the shortest was written down, and it may not be the only one.
            for (number, near) in (0..).zip(from) {
                let is_near = || {
                    // As the crow flies is looked at first: labels take longer.
                    let flies = grid_distance(corners[near.corner as usize].at, hub.at) * scale;
                    near.away.saturating_add(flies as u32) <= left
                        && distance(labels, near, meeting.hub)
                            .is_some_and(|d| near.away.saturating_add(d) <= left)
                };
                if number != meeting.from() && !is_near() {
                    continue;
                }
                let first = unpack(labels, corners, near.corner, meeting.hub, self.spare);
                let Some(first) = first else {
                    continue;
                };
                let rest = self.spare.get_mut(first..)?;
                let Some(second) = unpack(labels, corners, last.corner, meeting.hub, rest) else {
                    continue;
                };
                // Both end at the hub.
                rest[..second].reverse();
                self.spare.copy_within(first + 1..first + second, first);
                let count = first + second - 1;
                let way = Way {
                    length: measure(start, &self.spare[..count], goal, corners),
                    count,
                };
                if found.is_none_or(|f| way.length < f.length) {
                    core::mem::swap(&mut self.chain, &mut self.spare);
                    found = Some(way);
                }
            }
        }
        found
    }
}

/// How far a hub is from a corner that is seen, setting out on its side.
fn distance(labels: &Labels<'_>, near: &Near, hub: u32) -> Option<u32> {
    if labels.rank(near.corner) == hub {
        return Some(0);
    }
    let entry = entry(labels, near.corner, near.side, hub)?;
    labels.distances().get(entry).map(|d| d.get())
}

/// A length in units of labels, rounded to the nearest; `None` where labels cannot tell it.
fn fixed(length: f64, scale: f64) -> Option<u32> {
    let scaled = length * scale + 0.5;
    (scaled < f64::from(1u32 << 30)).then_some(scaled as u32)
}

/// The length of a path over corners, grid units.
fn measure(start: [i32; 2], chain: &[u32], goal: [i32; 2], corners: &[Corner]) -> f64 {
    let (mut sum, mut at) = (0.0, start);
    for &corner in chain {
        let next = corners.get(corner as usize).map_or(at, |c| c.at);
        sum += grid_distance(at, next);
        at = next;
    }
    sum + grid_distance(at, goal)
}
