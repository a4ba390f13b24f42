//! The hubs that a place reaches over the corners that it sees, for any other end.

use navbake_format::Numbers;

use super::super::nodes::Goal;
use super::buckets::Kind;
use super::label_mesh::LabelMesh;
use super::memory::{Clock, Tables};
use super::merge::Board;
use super::squares::{End, label_at};

/// The state of the look-up at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spread {
    /// The place has a grid-cell label.
    Square,
    /// The hubs of this many corners that it sees were written.
    Corners(usize),
}

/// How a place reaches its hubs.
pub(super) fn kind(spread: Option<Spread>) -> Kind {
    match spread {
        None => Kind::None,
        Some(Spread::Square) => Kind::Square,
        Some(Spread::Corners(_)) => Kind::Corners,
    }
}

/// A hub, and a corner over which no path to it is longer than over others, up to rounding.
pub(super) struct Hub {
    pub(super) hub: usize,
    /// Length of the path there, label units.
    pub(super) length: u32,
    pub(super) corner: u32,
    /// Does it count as a path of its own in a look-up between two places?
    pub(super) counts: bool,
}

impl Tables<'_> {
    /// Writes the hubs of all corners that a place sees.
    /// Unnecessary if the place has a grid-cell label.
    pub(super) fn spread_from(&mut self, own: &LabelMesh<'_>, place: &Goal) -> Option<Spread> {
        if label_at(own.polys, own.labels, place).is_some() {
            return Some(Spread::Square);
        }
        let count = self.sees(own, [place, place], true)?;
        self.spread(own.labels, count, u32::MAX)?;
        Some(Spread::Corners(count))
    }

    /// The same, and writes those of a grid-cell label too.
    pub(super) fn write_hubs(&mut self, own: &LabelMesh<'_>, place: &Goal) -> Option<Spread> {
        let spread = self.spread_from(own, place)?;
        if spread == Spread::Square {
            let Clock { epoch, work, .. } = self.clock.first_mut()?;
            let mut board = Board { keys: self.keys, epoch, work };
            board.clear();
            let mut end = End::new(own.polys, own.labels, own.corners, self.looked_from, place)?;
            each_of_square(&mut end, |hub, length, via| board.write_length(hub, length, via));
        }
        Some(spread)
    }

    /// Calls `f` with the hubs that were written for a place.
    pub(super) fn each_hub(
        &mut self,
        own: &LabelMesh<'_>,
        place: &Goal,
        spread: Spread,
        mut f: impl FnMut(Hub),
    ) -> Option<()> {
        let Clock { epoch, work, .. } = self.clock.first_mut()?;
        let mut board = Board { keys: self.keys, epoch, work };
        match spread {
            Spread::Square => {
                let looked = &mut *self.looked_from;
                let mut end = End::again(own.polys, own.labels, own.corners, looked, place)?;
                let corners = end.label;
                each_of_square(&mut end, |hub, length, via| {
                    let corner = corners.corner(via.into());
                    if let Some(corner) = corner.filter(|_| board.is_near(hub, length, 0).is_some())
                    {
                        f(Hub { hub, length, corner, counts: true });
                    }
                });
            }
            Spread::Corners(count) => {
                let near = self.from.get(..count.min(usize::from(u16::MAX)))?;
                for (number, near) in (0..).zip(near) {
                    let corner = near.corner;
                    board.each_near(own.labels, near, number, |hub, length, counts| {
                        f(Hub { hub, length, corner, counts });
                    });
                }
            }
        }
        Some(())
    }
}

/// Calls `f` with each hub of a grid-cell label that the place reaches, the length of the path
/// there and its entry of the visibility list.
fn each_of_square(end: &mut End<'_>, mut f: impl FnMut(usize, u32, u16)) {
    let hubs = end.label.hubs();
    for entry in 0..hubs.len() {
        let hub = match hubs {
            Numbers::Two(hubs) => hubs.get(entry).map(usize::from),
            Numbers::Four(hubs) => hubs.get(entry).map(|hub| hub as usize),
        };
        if let Some(hub) = hub
            && let Some((length, via)) = end.length(entry)
            && end.is_seen(via)
            && let Ok(via) = u16::try_from(via)
        {
            f(hub, length, via);
        }
    }
}
