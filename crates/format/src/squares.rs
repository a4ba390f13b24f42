//! Labels of squares: what of the labels of the corners that are seen from a square of a polygon can be on a shortest path from there. (Du, Shen and Cheema, Ultrafast Euclidean
//! shortest path computation using hub labeling, 2023, join labels of corners to such labels of cells.)
//!
//! An entry names a hub, over which corner a way from the square leads there, and how far it is from that corner. Where two squares name the same hub a way between them is found.

use core::ops::Range;

use zerocopy::little_endian::{U16, U32};

use crate::LabelNumbers;
use crate::labels::Labels;
use crate::packed::Numbers;

/// How many numbers tell a view of a square.
pub(crate) const NUMBERS: usize = 4;

/// The label of a square, read in place.
#[derive(Clone, Copy)]
pub struct SquareLabel<'a> {
    views: Numbers<'a>,
    first: usize,
    view_count: usize,
    hubs: LabelNumbers<'a>,
    vias: &'a [U16],
    distances: &'a [U32],
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

impl<'a> SquareLabel<'a> {
    /// How many views it has.
    #[inline]
    pub fn view_count(&self) -> usize {
        self.view_count
    }

    /// A view, by the number that entries know it by.
    #[inline]
    pub fn view(&self, number: usize) -> Option<SquareView> {
        if number >= self.view_count {
            return None;
        }
        let at = self.first + NUMBERS * number;
        let [corner, right, left, how] = match self.views {
            Numbers::Two(n) => n.get(at..)?.first_chunk()?.map(|n: U16| n.get().into()),
            Numbers::Four(n) => n.get(at..)?.first_chunk()?.map(|n: U32| n.get()),
        };
        Some(SquareView {
            corner,
            between: [right, left],
            side: (how & 1) as u8,
            is_sure: how & 2 == 0,
        })
    }

    /// The corner of a view.
    #[inline]
    pub fn corner(&self, number: usize) -> Option<u32> {
        let at = self.first + NUMBERS * number;
        (number < self.view_count).then(|| self.views.get(at))
    }

    /// The hubs of its entries; they never fall.
    #[inline]
    pub fn hubs(&self) -> LabelNumbers<'a> {
        self.hubs
    }

    /// By entry: over which view its way leads, and how far the hub is from the corner there.
    #[inline]
    pub fn entry(&self, number: usize) -> Option<(usize, u32)> {
        let (via, distance) = (self.vias.get(number)?, self.distances.get(number)?);
        Some((via.get().into(), distance.get()))
    }
}

impl<'a> Labels<'a> {
    /// The label of the square of a polygon that a place (grid units) in it lies in; `None` where squares have none.
    #[inline]
    pub fn square(&self, polygon: u32, place: [i32; 2]) -> Option<SquareLabel<'a>> {
        if self.square_ends.is_empty() {
            return None;
        }
        let row = self.view_row(polygon, place)?;
        let [views, entries] = self.square_parts(row)?;
        if entries.is_empty() {
            return None;
        }
        let hubs = match self.square_hubs {
            Numbers::Two(n) => LabelNumbers::Two(n.get(entries.clone())?),
            Numbers::Four(n) => LabelNumbers::Four(n.get(entries.clone())?),
        };
        Some(SquareLabel {
            views: self.square_views,
            first: NUMBERS * views.start,
            view_count: views.len(),
            hubs,
            vias: self.square_vias.get(entries.clone())?,
            distances: self.square_distances.get(entries)?,
        })
    }

    /// The views and the entries of a square.
    #[inline]
    pub(crate) fn square_parts(&self, row: usize) -> Option<[Range<usize>; 2]> {
        let end = self.square_ends.get(row)?;
        let begin = match row.checked_sub(1) {
            None => [0; 2],
            Some(before) => {
                let begin = self.square_ends.get(before)?;
                [begin.views.get() as usize, begin.entries.get() as usize]
            }
        };
        Some([
            begin[0]..end.views.get() as usize,
            begin[1]..end.entries.get() as usize,
        ])
    }

    /// The most views that a square has.
    pub fn most_square_views(&self) -> usize {
        let parts = (0..self.square_ends.len()).filter_map(|row| self.square_parts(row));
        parts.map(|[views, _]| views.len()).max().unwrap_or(0)
    }

    /// Do squares have labels?
    #[inline]
    pub fn has_squares(&self) -> bool {
        !self.square_ends.is_empty()
    }
}
