//! The shortest path between two places whose grid cells have labels.
//!
//! Both labels name hubs, and the corners that lead there. The hubs of one cell are written into an
//! array, those of the other are looked up in it. Only corners that lead to a common hub are
//! considered. Whether one is visible is tested only where a path over it would be the shortest up
//! to now.

use core::ops::Range;

use navbake_format::{Labels, Numbers, SquareLabel};
use navbake_navmesh::record::{Record, Records};
use navbake_navmesh::{Corner, PolyMesh};

use super::super::nodes::Goal;
use super::super::optimal::{reversed, towards, turn};
use super::join::{keep, unfold};
use super::label_mesh::{LabelMesh, Way, whole};
use super::memory::{Clock, Tables};
use super::merge::{BAND, Best, Board, Meeting};
use navbake_navmesh::math::{float, length};

/// The distances of a corner that is not measured yet, and of a hidden one.
/// They are greater than any other.
const UNKNOWN: u32 = u32::MAX;
const UNSEEN: u32 = 1 << 30;

/// The state of an entry of a grid cell's visibility list, for one place.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Looked {
    corner: u32,
    /// Distance of the corner, in label units.
    away: u32,
    /// Is the corner known to be visible?
    is_seen: bool,
}

impl Looked {
    pub(super) const NONE: Looked = Looked { corner: 0, away: 0, is_seen: false };
}

/// The label of the grid cell of a place.
/// `None` where cells have no labels, and at corners where paths turn: other polygons see more from
/// there.
pub(super) fn label_at<'m>(
    polys: &PolyMesh<'_>,
    labels: &Labels<'m>,
    place: &Goal,
) -> Option<SquareLabel<'m>> {
    let label = labels.square(place.polygon, place.point)?;
    let mut border = polys.border(place.polygon).iter();
    let is_corner = border.any(|e| e.at == place.point && e.corner().is_some());
    (!is_corner).then_some(label)
}

/// The grid-cell label of an end.
pub(super) struct End<'e> {
    pub(super) label: SquareLabel<'e>,
    origin: [i32; 2],
    corners: Records<'e, Corner>,
    /// By entry of the visibility list.
    looked: &'e mut [Looked],
    scale: f64,
}

impl<'e> End<'e> {
    pub(super) fn new(
        polys: &PolyMesh<'_>,
        labels: &Labels<'e>,
        corners: Records<'e, Corner>,
        looked: &'e mut [Looked],
        end: &Goal,
    ) -> Option<End<'e>> {
        let own = End::again(polys, labels, corners, looked, end)?;
        own.looked.iter_mut().for_each(|l| l.away = UNKNOWN);
        Some(own)
    }

    /// The same end once more: what was looked at is known.
    pub(super) fn again(
        polys: &PolyMesh<'_>,
        labels: &Labels<'e>,
        corners: Records<'e, Corner>,
        looked: &'e mut [Looked],
        end: &Goal,
    ) -> Option<End<'e>> {
        let label = label_at(polys, labels, end)?;
        let looked = looked.get_mut(..label.view_count())?;
        Some(End {
            label,
            origin: end.point,
            corners,
            looked,
            scale: f64::from(1u32 << labels.shift()),
        })
    }

    /// The distance of the corner of a visibility entry, in label units.
    #[inline]
    fn away(&mut self, via: usize) -> u32 {
        match self.looked.get(via) {
            Some(looked) if looked.away != UNKNOWN => looked.away,
            _ => self.first_look(via).unwrap_or(UNSEEN),
        }
    }

    /// The distance over a label entry to its hub, and its visibility entry.
    #[inline]
    pub(super) fn length(&mut self, entry: usize) -> Option<(u32, usize)> {
        let (via, distance) = self.label.entry(entry)?;
        Some((self.away(via).saturating_add(distance), via))
    }

    /// The least distance over some label entries to their hub.
    #[inline]
    fn least(&mut self, entries: Range<usize>) -> u32 {
        let mut least = u32::MAX;
        for entry in entries {
            if let Some((length, _)) = self.length(entry) {
                least = least.min(length);
            }
        }
        least
    }

    fn first_look(&mut self, via: usize) -> Option<u32> {
        let corner = self.label.corner(via)?;
        let own = self.corners.get(corner as usize)?;
        let [dx, dz] = float(towards(self.origin, own.at));
        let away = whole(length(dx, dz) * self.scale)?;
        *self.looked.get_mut(via)? = Looked { corner, away, is_seen: false };
        Some(away)
    }

    /// Is the corner of a measured visibility entry seen from the place?
    /// If so, a path may turn there on its side.
    pub(super) fn is_seen(&mut self, via: usize) -> bool {
        if self.looked.get(via).is_some_and(|l| l.is_seen) {
            return true;
        }
        let is_seen = self.second_look(via).is_some();
        if let Some(looked) = self.looked.get_mut(via) {
            looked.is_seen = is_seen;
            if !is_seen {
                looked.away = UNSEEN;
            }
        }
        is_seen
    }

    fn second_look(&self, via: usize) -> Option<()> {
        let view = self.label.view(via)?;
        let corner = |number: u32| self.corners.get(number as usize);
        let own = corner(view.corner)?;
        let direction = towards(self.origin, own.at);
        let back = reversed(direction);
        let [right, left] = view.between;
        let ray = |to: u32| Some(towards(own.at, corner(to)?.at));
        let seen = direction != [0; 2]
            && (right == view.corner || turn(ray(right)?, back) >= 0)
            && (left == view.corner || turn(back, ray(left)?) >= 0)
            && (view.is_sure || own.side(direction) == Some(view.side));
        seen.then_some(())
    }
}

impl Tables<'_> {
    /// The shortest path between two places by their grid-cell labels.
    /// Its corners are in the chain. `None` where the cells have no labels, or the labels do not
    /// determine it.
    pub(super) fn way_by_squares(&mut self, own: &LabelMesh<'_>, ends: [&Goal; 2]) -> Option<Way> {
        let (polys, labels) = (own.polys, own.labels);
        if !labels.has_squares() {
            return None;
        }
        let [start, goal] = [&mut *self.looked_from, &mut *self.looked_to];
        let mut from = End::new(polys, labels, own.corners, start, ends[0])?;
        let mut to = End::new(polys, labels, own.corners, goal, ends[1])?;
        let Clock { epoch, work, .. } = self.clock.first_mut()?;
        let mut board = Board { keys: self.keys, epoch, work };
        board.clear();
        let mut best = Best::new();
        let squares = [&mut from, &mut to];
        let read = squares.iter().map(|end| end.label.hubs().len() as u32).sum();
        match (squares[0].label.hubs(), squares[1].label.hubs()) {
            (Numbers::Two(a), Numbers::Two(b)) => {
                meet(&mut board, [a, b], usize::from, squares, &mut best);
            }
            (Numbers::Four(a), Numbers::Four(b)) => {
                meet(&mut board, [a, b], |h| h as usize, squares, &mut best);
            }
            _ => return None,
        }
        *board.work = board.work.wrapping_add(read);
        let places = ends.map(|e| e.point);
        let mut found = None;
        for meeting in best.meetings() {
            let [start, goal] = [&*self.looked_from, &*self.looked_to];
            let a = start.get(usize::from(meeting.from()))?.corner;
            let b = goal.get(usize::from(meeting.to))?.corner;
            let way = unfold(labels, own.corners, self.spare, [a, b], meeting.hub, places);
            keep(way, self.spare, self.chain, &mut found);
        }
        found
    }
}

/// The leading entries of a part that name the same hub as its first one.
#[inline]
fn same<N: Record + PartialEq>(hubs: Records<'_, N>, part: Range<usize>) -> Range<usize> {
    let own = hubs.slice(part.clone()).unwrap_or_default();
    let first = own.first();
    part.start..part.start + own.iter().take_while(|h| Some(*h) == first).count()
}

/// Adds the best paths over hubs that both labels name.
fn meet<N: Record + PartialEq>(
    board: &mut Board<'_>,
    [a, b]: [Records<'_, N>; 2],
    hub: impl Fn(N) -> usize,
    [from, to]: [&mut End<'_>; 2],
    best: &mut Best,
) {
    let parts = |end: &End<'_>, hubs: Records<'_, N>| {
        let own = end.label.own_count().min(hubs.len());
        [own..hubs.len(), 0..own]
    };
    // Backwards, so that the first entry of a hub stays.
    for (i, own) in a.iter().enumerate().rev() {
        board.write(hub(own), i as u16);
    }
    let [_, own] = parts(from, a);
    // The rear entries come first: they lead to hubs that matter to the whole mesh, so that a short
    // path is soon known.
    for part in parts(to, b) {
        let mut next = part.start;
        while let Some(named) = b.get(next).filter(|_| next < part.end) {
            let hub = hub(named);
            let Some(first) = board.read(hub) else {
                next += 1;
                continue;
            };
            let first = usize::from(first);
            let there = same(b, next..part.end);
            next = there.end;
            let end = if first < own.end { own.end } else { a.len() };
            over(hub as u32, [same(a, first..end), there], [&mut *from, &mut *to], best);
        }
    }
}

/// Adds the paths over a hub that may be the shortest.
/// `a` and `b` are the entries of both labels that name the hub.
fn over(hub: u32, [a, b]: [Range<usize>; 2], [from, to]: [&mut End<'_>; 2], best: &mut Best) {
    let least_to = to.least(b.clone());
    for i in a {
        let limit = best.length.saturating_add(BAND);
        let Some((length, via)) = from.length(i) else {
            continue;
        };
        if length.saturating_add(least_to) > limit {
            continue;
        }
        for j in b.clone() {
            let Some((rest, last)) = to.length(j) else {
                continue;
            };
            let length = length.saturating_add(rest);
            if length <= best.length.saturating_add(BAND) && to.is_seen(last) && from.is_seen(via) {
                best.add(Meeting::new(hub, length, [via, last]));
            }
        }
    }
}
