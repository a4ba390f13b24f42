//! Labels of squares: what of the labels of the corners that are seen from a square of a polygon can be on a shortest path from there. (Du, Shen and Cheema, Ultrafast Euclidean
//! shortest path computation using hub labeling, 2023, join labels of corners to such labels of cells.)
//!
//! An entry names a hub, over which corner a way from the square leads there, and how far it is from that corner. Where two squares name the same hub a way between them is found. Most
//! is asked of hubs, and of few of them more; all of a square stands in one stretch, so that little of it is read from afar.

use zerocopy::little_endian::{U16, U32};

use crate::LabelNumbers;
use crate::labels::Labels;
use crate::packed::Numbers;

/// How many numbers tell how many views a square has, how many of them are hubs, and how many entries.
pub(crate) const HEAD: usize = 3;
/// How many numbers tell a view, but for its hub.
pub(crate) const VIEW: usize = 4;
/// A square has fewer views and entries together.
pub(crate) const MOST: usize = 0xFFFF;

/// The label of a square, read in place.
#[derive(Clone, Copy)]
pub struct SquareLabel<'a> {
    /// So many of the first views are hubs.
    own: usize,
    told: Told<'a>,
}

/// What stands behind its head, by the bits of a number.
#[derive(Clone, Copy)]
enum Told<'a> {
    Two(Parts<'a, U16, 3>),
    Four(Parts<'a, U32, 2>),
}

/// What stands behind the head of a label.
#[derive(Clone, Copy)]
struct Parts<'a, N, const ENTRY: usize> {
    hubs: &'a [N],
    /// The corners of views.
    corners: &'a [N],
    /// Views and distances, the latter in two halves where numbers have 16 bits.
    entries: &'a [[N; ENTRY]],
    /// Two corners of each view that bound it, and its side.
    bounds: &'a [[N; VIEW - 1]],
}

impl<'a, N, const ENTRY: usize> Parts<'a, N, ENTRY> {
    /// Those of so many views, of which so many are hubs, and so many entries.
    #[inline]
    fn read(numbers: &'a [N], [views, own, entries]: [usize; 3]) -> Option<Parts<'a, N, ENTRY>> {
        let rest = numbers.get(HEAD..)?;
        let (hubs, rest) = rest.split_at_checked(own.saturating_add(entries))?;
        let (corners, rest) = rest.split_at_checked(views)?;
        let (entries, rest) = rest.split_at_checked(entries.saturating_mul(ENTRY))?;
        let bounds = rest.get(..views.saturating_mul(VIEW - 1))?;
        Some(Parts {
            hubs,
            corners,
            entries: entries.as_chunks().0,
            bounds: bounds.as_chunks().0,
        })
    }
}

/// A corner that is seen from a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareView {
    /// The corner.
    pub corner: u32,
    /// It is seen from places to the left of the ray from it through the first of these corners, and to the right of the ray through the second; its own number where that side is not bounded.
    pub between: [u32; 2],
    /// The side on which ways go around it, 0 or 1.
    pub side: u8,
    /// Ways from everywhere in the square do; else only those whose direction says so.
    pub is_sure: bool,
}

/// How many numbers tell an entry, but for its hub: its view, and its distance.
pub(crate) fn entry_numbers(is_short: bool) -> usize {
    if is_short { 3 } else { 2 }
}

impl<'a> SquareLabel<'a> {
    /// The one that begins at a number.
    #[inline]
    pub(crate) fn read(all: Numbers<'a>, start: usize) -> Option<SquareLabel<'a>> {
        match all {
            Numbers::Two(n) => {
                let numbers = n.get(start..)?;
                let head = numbers.first_chunk()?.map(|n: U16| n.get().into());
                let told = Told::Two(Parts::read(numbers, head)?);
                Some(SquareLabel { own: head[1], told })
            }
            Numbers::Four(n) => {
                let numbers = n.get(start..)?;
                let head = numbers.first_chunk()?.map(|n: U32| n.get() as usize);
                let told = Told::Four(Parts::read(numbers, head)?);
                Some(SquareLabel { own: head[1], told })
            }
        }
    }

    /// How many numbers tell it.
    pub(crate) fn len(&self) -> usize {
        let of_entry = match self.told {
            Told::Two(..) => entry_numbers(true),
            Told::Four(..) => entry_numbers(false),
        };
        HEAD + self.own + VIEW * self.view_count() + (1 + of_entry) * self.entry_count()
    }

    /// How many views it has.
    #[inline]
    pub fn view_count(&self) -> usize {
        match self.told {
            Told::Two(parts) => parts.corners.len(),
            Told::Four(parts) => parts.corners.len(),
        }
    }

    /// How many of its views, the first ones, are hubs: the corner of each is one that no entry names.
    #[inline]
    pub fn own_count(&self) -> usize {
        self.own
    }

    /// How many entries it has besides those.
    #[inline]
    pub fn entry_count(&self) -> usize {
        match self.told {
            Told::Two(parts) => parts.entries.len(),
            Told::Four(parts) => parts.entries.len(),
        }
    }

    /// What bounds a view, and its side.
    #[inline]
    fn bounds(&self, view: usize) -> Option<[u32; VIEW - 1]> {
        Some(match self.told {
            Told::Two(parts) => parts.bounds.get(view)?.map(|n| n.get().into()),
            Told::Four(parts) => parts.bounds.get(view)?.map(|n| n.get()),
        })
    }

    /// A view, by the number that entries know it by.
    #[inline]
    pub fn view(&self, number: usize) -> Option<SquareView> {
        let [right, left, how] = self.bounds(number)?;
        Some(SquareView {
            corner: self.corner(number)?,
            between: [right, left],
            side: (how & 1) as u8,
            is_sure: how & 2 == 0,
        })
    }

    /// The number that tells the side of a view and whether it is sure.
    pub(crate) fn how(&self, view: usize) -> u32 {
        self.bounds(view).map_or(0, |[_, _, how]| how)
    }

    /// The corner of a view.
    #[inline]
    pub fn corner(&self, view: usize) -> Option<u32> {
        Some(match self.told {
            Told::Two(parts) => parts.corners.get(view)?.get().into(),
            Told::Four(parts) => parts.corners.get(view)?.get(),
        })
    }

    /// Its hubs: the corners of the views that are hubs, and behind them those of its entries; neither fall.
    #[inline]
    pub fn hubs(&self) -> LabelNumbers<'a> {
        match self.told {
            Told::Two(parts) => LabelNumbers::Two(parts.hubs),
            Told::Four(parts) => LabelNumbers::Four(parts.hubs),
        }
    }

    /// By number of a hub: over which view the way leads there, and how far the hub is from the corner of that.
    #[inline]
    pub fn entry(&self, hub: usize) -> Option<(usize, u32)> {
        let Some(entry) = hub.checked_sub(self.own) else {
            return Some((hub, 0));
        };
        Some(match self.told {
            Told::Two(parts) => {
                let [via, low, high] = *parts.entries.get(entry)?;
                let distance = u32::from(low.get()) | u32::from(high.get()) << 16;
                (via.get().into(), distance)
            }
            Told::Four(parts) => {
                let [via, distance] = *parts.entries.get(entry)?;
                (via.get() as usize, distance.get())
            }
        })
    }
}

impl<'a> Labels<'a> {
    /// The label of the square of a polygon that a place (grid units) in it lies in; `None` where squares have none.
    #[inline]
    pub fn square(&self, polygon: u32, place: [i32; 2]) -> Option<SquareLabel<'a>> {
        if !self.has_squares() {
            return None;
        }
        let label = self.square_label(self.view_row(polygon, place)?)?;
        (label.view_count() > 0).then_some(label)
    }

    #[inline]
    pub(crate) fn square_label(&self, row: usize) -> Option<SquareLabel<'a>> {
        let start = self.square_starts.get(row)?.get();
        SquareLabel::read(self.square_labels, start as usize)
    }

    /// The most views that a square has.
    pub fn most_square_views(&self) -> usize {
        let labels = (0..self.square_starts.len()).filter_map(|row| self.square_label(row));
        labels.map(|label| label.view_count()).max().unwrap_or(0)
    }

    /// Do squares have labels?
    #[inline]
    pub fn has_squares(&self) -> bool {
        !self.square_starts.is_empty()
    }
}
