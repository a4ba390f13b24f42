//! The shortest path over a hub, between the corners that the two ends see.
//!
//! ```text
//!   start --- corner --- .. --- hub --- .. --- corner --- goal
//!      visible     label            label      visible
//! ```
//!
//! All hubs of one end's corners are written into an array, each with the shortest path to it. Then
//! the hubs of the other end's corners are looked up in it. Lengths are whole numbers. Paths within
//! their rounding of the least are reported as well, to be measured exactly.

use navbake_format::{Labels, Numbers};
use navbake_navmesh::Corner;
use navbake_navmesh::record::Records;

use super::super::optimal::towards;

/// A corner that an end sees and that may be on the shortest path.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Near {
    pub(super) corner: u32,
    /// The corner's own number as a hub.
    pub(super) rank: u32,
    pub(super) side: u8,
    /// Distance from the end, in label units.
    pub(super) away: u32,
    /// Distance from the end plus the straight line to the other end; rounded down.
    pub(super) around: u32,
}

impl Near {
    pub(super) const NONE: Near = Near { corner: 0, rank: 0, side: 0, away: 0, around: 0 };
}

/// A hub, and the corners from which it is reached.
/// The corners are indices into the lists of both ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meeting {
    pub(super) hub: u32,
    pub(super) to: u16,
    key: u64,
}

/// The most by which rounding may separate two path lengths.
/// Each length is the sum of four lengths rounded to the nearest.
pub(super) const BAND: u32 = 4;

/// The number of meetings that are kept for an exact comparison.
pub(super) const FEW: usize = 16;

/// The work of finding a label, in entries of labels.
const LABEL: u32 = 12;

/// Positions of a key's fields: the epoch, the distance, the corner's number.
/// The epoch is the time when the key was written; the number has the lowest bits.
const LENGTH: u32 = 16;
const EPOCH: u32 = 48;

/// The array of hubs: a key for each hub.
/// All keys written before the last [`Board::clear`] are greater than those written after it.
pub(super) struct Board<'b> {
    pub(super) keys: &'b mut [u64],
    pub(super) epoch: &'b mut u16,
    /// Counts the entries that are read.
    pub(super) work: &'b mut u32,
}

/// A key of no epoch; lengths can be added to it without overflow.
pub(super) const EMPTY: u64 = u64::MAX >> 1;

impl Board<'_> {
    /// Removes all keys.
    pub(super) fn clear(&mut self) {
        match self.epoch.checked_sub(1) {
            Some(epoch) if epoch < (EMPTY >> EPOCH) as u16 => *self.epoch = epoch,
            _ => {
                self.keys.fill(EMPTY);
                *self.epoch = (EMPTY >> EPOCH) as u16 - 1;
            }
        }
    }

    fn base(&self) -> u64 {
        u64::from(*self.epoch) << EPOCH
    }

    /// Writes a number for a hub.
    #[inline]
    pub(super) fn write(&mut self, hub: usize, number: u16) {
        let key = self.base() | u64::from(number);
        if let Some(slot) = self.keys.get_mut(hub) {
            *slot = key;
        }
    }

    /// The number last written for a hub, if any.
    #[inline]
    pub(super) fn read(&self, hub: usize) -> Option<u16> {
        let slot = self.keys.get(hub)?;
        (slot >> EPOCH == u64::from(*self.epoch)).then_some(*slot as u16)
    }

    /// Writes a hub if the path to it is shorter than the known one.
    #[inline]
    fn put(keys: &mut [u64], hub: usize, key: u64) {
        if let Some(slot) = keys.get_mut(hub)
            && key < *slot
        {
            *slot = key;
        }
    }

    /// Writes a hub that is reached over a path of this length, if it is the shortest.
    #[inline]
    pub(super) fn write_length(&mut self, hub: usize, length: u32, number: u16) {
        let key = self.base() + (u64::from(length) << LENGTH) + u64::from(number);
        Board::put(self.keys, hub, key);
    }

    /// Is a path to a written hub as short as the written one, up to rounding?
    /// Returns whether it is the written one.
    #[inline]
    pub(super) fn is_near(&self, hub: usize, length: u32, number: u16) -> Option<bool> {
        let slot = self.keys.get(hub)?;
        let own = self.base() + (u64::from(length) << LENGTH) + u64::from(number);
        let most = (slot | 0xFFFF) + (u64::from(BAND) << LENGTH);
        (own <= most).then_some(own == *slot)
    }

    /// Calls `f` with all hubs of a corner to which no other path is shorter, the length of the
    /// path over the corner, and whether it is the written one.
    pub(super) fn each_near(
        &mut self,
        labels: &Labels<'_>,
        near: &Near,
        number: u16,
        mut f: impl FnMut(usize, u32, bool),
    ) {
        let mut work = 0;
        each_hub(labels, near, &mut work, |hub, d| {
            if let Some(is_written) = self.is_near(hub, near.away + d, number) {
                f(hub, near.away + d, is_written);
            }
        });
        *self.work = self.work.wrapping_add(work);
    }

    /// Writes all hubs of a corner.
    pub(super) fn scatter(&mut self, labels: &Labels<'_>, near: &Near, number: u16) {
        let base = self.base() | u64::from(number);
        let keys = &mut *self.keys;
        let start = base + (u64::from(near.away) << LENGTH);
        let key = |d: u32| start + (u64::from(d) << LENGTH);
        each_hub(labels, near, self.work, |hub, d| Board::put(keys, hub, key(d)));
    }
}

/// Calls `f` with the hubs of a corner and their distances, and last with the corner's own.
#[inline(always)]
fn each_hub(labels: &Labels<'_>, near: &Near, work: &mut u32, mut f: impl FnMut(usize, u32)) {
    let part = labels.part(near.corner, near.side);
    *work = work.wrapping_add(LABEL + part.len() as u32);
    let distances = labels.distances().slice(part.clone()).unwrap_or_default();
    match labels.hubs() {
        Numbers::Two(hubs) => {
            let hubs = hubs.slice(part).unwrap_or_default();
            hubs.iter().zip(distances.iter()).for_each(|(hub, d)| f(hub.into(), d));
        }
        Numbers::Four(hubs) => {
            let hubs = hubs.slice(part).unwrap_or_default();
            hubs.iter().zip(distances.iter()).for_each(|(hub, d)| f(hub as usize, d));
        }
    }
    f(near.rank as usize, 0);
}

/// The best meetings up to now.
pub(super) struct Best {
    /// The length of the best meeting.
    pub(super) length: u32,
    pub(super) few: [Meeting; FEW],
    pub(super) count: usize,
}

impl Best {
    pub(super) fn new() -> Best {
        Best { length: u32::MAX >> 1, few: [Meeting::default(); FEW], count: 0 }
    }

    /// Looks up all hubs of a corner.
    pub(super) fn gather(
        &mut self,
        board: &mut Board<'_>,
        labels: &Labels<'_>,
        near: &Near,
        to: u16,
    ) {
        let base = board.base();
        let keys = &*board.keys;
        // The corner's own distance is part of every sum: it is taken off the limit.
        let away = u64::from(near.away) << LENGTH;
        let limit = |best: &Best| {
            let most = u64::from(best.length.saturating_add(BAND + 1)) << LENGTH;
            (base + most).saturating_sub(away)
        };
        let mut most = limit(self);
        each_hub(labels, near, board.work, |hub: usize, d: u32| {
            let Some(&slot) = keys.get(hub) else {
                return;
            };
            let key = slot + (u64::from(d) << LENGTH);
            if key < most {
                self.add(Meeting { hub: hub as u32, to, key: key + away - base });
                most = limit(self);
            }
        });
    }

    /// Adds a meeting that is longer than the best by at most [`BAND`].
    #[cold]
    pub(super) fn add(&mut self, meeting: Meeting) {
        self.length = self.length.min(meeting.length());
        if self.count == FEW {
            let most = self.length + BAND;
            let mut kept = 0;
            for i in 0..self.count {
                if self.few[i].length() <= most {
                    self.few[kept] = self.few[i];
                    kept += 1;
                }
            }
            self.count = kept;
        }
        // More paths of one length than are kept: the best of them is found all the same, up to the
        // rounding of labels. The longest goes, so that none is missing where all fit in the end.
        if self.count == FEW {
            let longest = self.few.iter_mut().max_by_key(|m| m.length());
            if let Some(longest) = longest.filter(|m| meeting.length() < m.length()) {
                *longest = meeting;
            }
            return;
        }
        self.few[self.count] = meeting;
        self.count += 1;
    }

    /// All meetings within [`BAND`] of the best.
    pub(super) fn meetings(&self) -> impl Iterator<Item = &Meeting> {
        let most = self.length + BAND;
        (self.few[..self.count].iter()).filter(move |m| m.length() <= most)
    }
}

impl Meeting {
    /// A path of this length over a hub.
    /// `from` and `to` are the numbers of the corners or entries that lead there from both ends.
    pub(super) fn new(hub: u32, length: u32, [from, to]: [usize; 2]) -> Meeting {
        Meeting { hub, to: to as u16, key: u64::from(length) << LENGTH | from as u64 & 0xFFFF }
    }

    pub(super) fn length(&self) -> u32 {
        (self.key >> LENGTH) as u32
    }

    /// The number of the corner for which the hub was written.
    pub(super) fn from(&self) -> u16 {
        self.key as u16
    }
}

/// The entry of a corner's label that names a hub.
pub(super) fn entry(labels: &Labels<'_>, corner: u32, side: u8, hub: u32) -> Option<usize> {
    let find = |side: u8| {
        let part = labels.part(corner, side);
        let at = match labels.hubs() {
            Numbers::Two(hubs) => hubs.slice(part.clone())?.find(hub, u32::from)?,
            Numbers::Four(hubs) => hubs.slice(part.clone())?.find(hub, |h| h)?,
        };
        Some(part.start + at)
    };
    match side {
        0 | 1 => find(side),
        _ => find(0).or_else(|| find(1)),
    }
}

/// Writes the corners from one to a hub, both included; returns their number.
/// `None` where they do not lead there, or do not fit.
pub(super) fn unpack(
    labels: &Labels<'_>,
    corners: Records<'_, Corner>,
    from: u32,
    hub: u32,
    chain: &mut [u32],
) -> Option<usize> {
    let (mut at, mut count, mut before) = (from, 0, None::<[i32; 2]>);
    loop {
        let here = corners.get(at as usize)?;
        *chain.get_mut(count)? = at;
        count += 1;
        if here.rank == hub {
            return Some(count);
        }
        // A path goes on around the side that it arrived on.
        let side = before.and_then(|p| here.side(towards(p, here.at)));
        before = Some(here.at);
        at = labels.hop(entry(labels, at, side.unwrap_or(2), hub)?);
    }
}
