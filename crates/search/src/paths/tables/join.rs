//! The shortest path among those over a corner that either end sees.

use navbake_format::Labels;
use navbake_navmesh::Corner;
use navbake_navmesh::record::Records;

use super::super::nodes::Goal;
use super::super::optimal::{along, towards, turn};
use super::label_mesh::{LabelMesh, Way, fixed};
use super::memory::{Clock, Tables};
use super::merge::{BAND, Best, Board, Near, entry, unpack};
use navbake_navmesh::math::grid_distance;

impl Tables<'_> {
    fn board(&mut self) -> Option<Board<'_>> {
        let Clock { epoch, work, .. } = self.clock.first_mut()?;
        Some(Board { keys: self.keys, epoch, work })
    }

    /// An upper bound: the length of a path over a corner of each end's polygon.
    /// `None` where no such path is found.
    pub(super) fn bound(&mut self, own: &LabelMesh<'_>, ends: [&Goal; 2]) -> Option<u32> {
        let (polys, labels, all) = (own.polys, own.labels, own.corners);
        let scale = f64::from(1u32 << labels.shift());
        let near = |here: &Goal, there: &Goal| {
            let corners = polys.border(here.polygon).iter().filter_map(|edge| {
                let around =
                    grid_distance(here.point, edge.at) + grid_distance(edge.at, there.point);
                Some((edge.corner()?, edge.at, around))
            });
            let least = corners.reduce(|a, b| if b.2 < a.2 { b } else { a });
            let (corner, at, around) = least?;
            Some(Near {
                corner,
                rank: all.get(corner as usize)?.rank,
                side: 2,
                away: fixed(grid_distance(here.point, at), scale)?,
                around: fixed(around, scale)?,
            })
        };
        let [a, b] = [near(ends[0], ends[1])?, near(ends[1], ends[0])?];
        let mut board = self.board()?;
        board.clear();
        board.scatter(labels, &a, 0);
        let mut best = Best::new();
        best.gather(&mut board, labels, &b, 0);
        (best.count > 0).then_some(best.length)
    }

    /// An upper bound: the length of one path over the best corner of each end.
    /// That is the corner with the shortest straight line to the other end. The bound includes a
    /// margin, so that it never excludes what can be on the shortest path.
    pub(super) fn some_way(&mut self, labels: &Labels<'_>, [from, to]: [usize; 2]) -> Option<u32> {
        let first = |list: &[Near]| {
            let least = list.iter().min_by_key(|n| n.around).copied();
            least.map(|n| Near { side: 2, ..n })
        };
        let (a, b) = (first(self.from.get(..from)?)?, first(self.to.get(..to)?)?);
        let mut board = self.board()?;
        board.clear();
        board.scatter(labels, &a, 0);
        let mut some = Best::new();
        some.gather(&mut board, labels, &b, 0);
        Some(some.length.saturating_add(BAND))
    }

    /// Writes the hubs of the corners that the start sees.
    /// Skips corners over which every path is longer than `most`.
    pub(super) fn spread(&mut self, labels: &Labels<'_>, from: usize, most: u32) -> Option<()> {
        let Clock { epoch, work, .. } = self.clock.first_mut()?;
        let mut board = Board { keys: self.keys, epoch, work };
        board.clear();
        let from = self.from.get(..from.min(usize::from(u16::MAX)))?;
        for (number, near) in (0..).zip(from) {
            if near.around <= most {
                board.scatter(labels, near, number);
            }
        }
        Some(())
    }

    /// The shortest path over the written hubs and a corner that the goal sees.
    /// It is known to be no longer than `most`.
    pub(super) fn join(
        &mut self,
        own: &LabelMesh<'_>,
        [from, to]: [usize; 2],
        ends: [&Goal; 2],
        most: u32,
    ) -> Option<Way> {
        let Clock { epoch, work, .. } = self.clock.first_mut()?;
        let mut board = Board { keys: self.keys, epoch, work };
        let from = self.from.get(..from.min(usize::from(u16::MAX)))?;
        let to = self.to.get(..to.min(usize::from(u16::MAX)))?;
        let mut best = Best::new();
        best.length = best.length.min(most);
        for (number, near) in (0..).zip(to) {
            if near.around <= best.length.saturating_add(BAND) {
                best.gather(&mut board, own.labels, near, number);
            }
        }
        let compared = best.meetings().count() * from.len();
        let ends = ends.map(|e| e.point);
        let (labels, corners) = (own.labels, own.corners);
        let scale = f64::from(1u32 << labels.shift());
        let mut found: Option<Way> = None;
        for meeting in best.meetings() {
            let last = to.get(usize::from(meeting.to))?;
            let own = from.get(usize::from(meeting.from()))?;
            let hub = unpack(labels, corners, own.corner, meeting.hub, self.spare);
            let hub = hub.and_then(|count| corners.get(self.spare[count - 1] as usize))?;
            let rest = distance(labels, last, meeting.hub)?.saturating_add(last.away);
            let left = best.length.saturating_add(BAND).saturating_sub(rest);
            // Only the shortest path to a hub was written, and there may be others of equal length.
            for (number, near) in (0..).zip(from) {
                let is_near = || {
                    // Straight-line distances are tested first: labels take longer.
                    if near.around > best.length.saturating_add(BAND) {
                        return false;
                    }
                    let flies = grid_distance(corners.at(near.corner as usize).at, hub.at) * scale;
                    near.away.saturating_add(flies as u32) <= left
                        && distance(labels, near, meeting.hub)
                            .is_some_and(|d| near.away.saturating_add(d) <= left)
                };
                if number != meeting.from() && !is_near() {
                    continue;
                }
                let between = [near.corner, last.corner];
                let way = unfold(labels, corners, self.spare, between, meeting.hub, ends);
                keep(way, self.spare, self.chain, &mut found);
            }
        }
        self.spend(compared);
        found
    }
}

/// The path between two corners over a hub, with the straight pieces to both ends.
/// Its corners are in `spare`.
pub(super) fn unfold(
    labels: &Labels<'_>,
    corners: Records<'_, Corner>,
    spare: &mut [u32],
    [from, to]: [u32; 2],
    hub: u32,
    [start, goal]: [[i32; 2]; 2],
) -> Option<Way> {
    let first = unpack(labels, corners, from, hub, spare)?;
    let rest = spare.get_mut(first..)?;
    let second = unpack(labels, corners, to, hub, rest)?;
    // Both end at the hub.
    rest[..second].reverse();
    spare.copy_within(first + 1..first + second, first);
    let count = first + second - 1;
    Some(Way { length: measure(start, &spare[..count], goal, corners), count })
}

/// Keeps a path that was just unfolded, if it is shorter than the known one.
pub(super) fn keep(way: Option<Way>, spare: &[u32], chain: &mut [u32], found: &mut Option<Way>) {
    let Some(way) = way.filter(|w| found.is_none_or(|f| w.length < f.length)) else {
        return;
    };
    if let (Some(chain), Some(made)) = (chain.get_mut(..way.count), spare.get(..way.count)) {
        chain.copy_from_slice(made);
        *found = Some(way);
    }
}

/// The distance of a hub from a visible corner.
/// It counts on the side on which a path leaves the corner.
fn distance(labels: &Labels<'_>, near: &Near, hub: u32) -> Option<u32> {
    if near.rank == hub {
        return Some(0);
    }
    let entry = entry(labels, near.corner, near.side, hub)?;
    labels.distances().get(entry)
}

/// The length of a path over corners, grid units: the sum over the points where it bends, which is
/// that of the answer to the last bit.
fn measure(start: [i32; 2], chain: &[u32], goal: [i32; 2], corners: Records<'_, Corner>) -> f64 {
    let (mut sum, mut at) = (0.0, start);
    for (i, &corner) in chain.iter().enumerate() {
        let point = |corner: u32| corners.get(corner as usize).map_or(goal, |c| c.at);
        let (here, next) = (point(corner), chain.get(i + 1).map_or(goal, |&c| point(c)));
        let (d, e) = (towards(at, here), towards(here, next));
        if turn(d, e) == 0 && along(d, e) >= 0 {
            continue;
        }
        sum += grid_distance(at, here);
        at = here;
    }
    sum + grid_distance(at, goal)
}
