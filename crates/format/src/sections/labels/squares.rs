//! Labels of grid cells ("squares") of polygons.
//!
//! They hold those entries of the labels of the corners visible from a cell that can be on a
//! shortest path from there. (B. Du, B. Shen and M. Cheema, Ultrafast Euclidean shortest path
//! computation using hub labeling, 2023, merge labels of corners into labels of cells in this
//! manner.)
//!
//! An entry names a hub, the corner over which a path from the cell leads there, and its distance
//! from that corner. Where two cells name the same hub there is a path between them. Hubs are
//! compared most, other numbers less; all of a cell is contiguous, so that few cache lines are
//! read.

use navbake_navmesh::record::{Record, Records};

use super::Labels;
use crate::numbers::Numbers;

/// Numbers in a head: of views, of views that are hubs, and of entries.
pub(super) const HEAD: usize = 3;
/// Numbers of a view, without its hub.
pub(super) const VIEW: usize = 4;
/// A square has fewer views and entries together.
pub(super) const MOST: usize = 0xFFFF;

/// The label of a square, read in place.
#[derive(Clone, Copy)]
pub struct SquareLabel<'a> {
    /// The number of views, the first ones, that are hubs.
    own: usize,
    stored: Stored<'a>,
}

/// The data after the head of a label, by the size of numbers.
#[derive(Clone, Copy)]
enum Stored<'a> {
    Two(Parts<'a, u16, [u16; 3], [u16; VIEW - 1]>),
    Four(Parts<'a, u32, [u32; 2], [u32; VIEW - 1]>),
}

/// The data after the head of a label.
#[derive(Clone, Copy)]
struct Parts<'a, N: Record, E: Record, B: Record> {
    hubs: Records<'a, N>,
    /// The corners of views.
    corners: Records<'a, N>,
    /// Views and distances, the latter in two halves where numbers have 16 bits.
    entries: Records<'a, E>,
    /// Two corners of each view that bound it, and its side.
    bounds: Records<'a, B>,
}

impl<'a, N: Record, E: Record, B: Record> Parts<'a, N, E, B> {
    /// The label that begins at a number, and the number of its hubs that are views.
    #[inline]
    fn read(
        all: Records<'a, N>,
        start: usize,
        number: impl Fn(N) -> usize,
    ) -> Option<(usize, Parts<'a, N, E, B>)> {
        let (head, rest) = all.slice(start..all.len())?.split_at(HEAD)?;
        let count = |i| head.get(i).map_or(0, &number);
        let [views, own, entries] = [count(0), count(1), count(2)];
        let (hubs, rest) = rest.split_at(own.saturating_add(entries))?;
        let (corners, rest) = rest.split_at(views)?;
        let (entries, rest) = rest.split_at(entries.saturating_mul(E::SIZE / N::SIZE))?;
        let (bounds, _) = rest.split_at(views.saturating_mul(VIEW - 1))?;
        let parts = Parts {
            hubs,
            corners,
            entries: Records::new(entries.bytes())?,
            bounds: Records::new(bounds.bytes())?,
        };
        Some((own, parts))
    }
}

/// A corner that is visible from a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareView {
    /// The corner.
    pub corner: u32,
    /// It is visible from places to the left of the ray from it through the first of these corners,
    /// and to the right of the ray through the second; its own number where that side is not
    /// bounded.
    pub between: [u32; 2],
    /// The side on which paths go around it, 0 or 1.
    pub side: u8,
    /// Whether paths from everywhere in the square go around it on this side. Otherwise, only paths
    /// in directions that lead around that side do.
    pub is_sure: bool,
}

/// Numbers of an entry, without its hub: its view and its distance.
pub(super) fn entry_numbers(is_short: bool) -> usize {
    if is_short { 3 } else { 2 }
}

impl<'a> SquareLabel<'a> {
    /// The label that begins at a number.
    #[inline]
    pub(super) fn read(all: Numbers<'a>, start: usize) -> Option<SquareLabel<'a>> {
        match all {
            Numbers::Two(n) => {
                let (own, parts) = Parts::read(n, start, usize::from)?;
                let stored = Stored::Two(parts);
                Some(SquareLabel { own, stored })
            }
            Numbers::Four(n) => {
                let (own, parts) = Parts::read(n, start, |n| n as usize)?;
                let stored = Stored::Four(parts);
                Some(SquareLabel { own, stored })
            }
        }
    }

    /// The number of its numbers.
    pub(super) fn len(&self) -> usize {
        let of_entry = match self.stored {
            Stored::Two(..) => entry_numbers(true),
            Stored::Four(..) => entry_numbers(false),
        };
        HEAD + self.own + VIEW * self.view_count() + (1 + of_entry) * self.entry_count()
    }

    /// Number of views.
    #[inline]
    pub fn view_count(&self) -> usize {
        match self.stored {
            Stored::Two(parts) => parts.corners.len(),
            Stored::Four(parts) => parts.corners.len(),
        }
    }

    /// The number of its views, the first ones, that are hubs: corners that no entry names.
    #[inline]
    pub fn own_count(&self) -> usize {
        self.own
    }

    /// Number of entries besides those.
    #[inline]
    pub fn entry_count(&self) -> usize {
        match self.stored {
            Stored::Two(parts) => parts.entries.len(),
            Stored::Four(parts) => parts.entries.len(),
        }
    }

    /// The bounds of a view, and its side.
    #[inline]
    fn bounds(&self, view: usize) -> Option<[u32; VIEW - 1]> {
        Some(match self.stored {
            Stored::Two(parts) => parts.bounds.get(view)?.map(u32::from),
            Stored::Four(parts) => parts.bounds.get(view)?,
        })
    }

    /// A view, by its number.
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

    /// The code of the side of a view and whether it is sure.
    pub(super) fn how(&self, view: usize) -> u32 {
        self.bounds(view).map_or(0, |[_, _, how]| how)
    }

    /// The corner of a view.
    #[inline]
    pub fn corner(&self, view: usize) -> Option<u32> {
        Some(match self.stored {
            Stored::Two(parts) => parts.corners.get(view)?.into(),
            Stored::Four(parts) => parts.corners.get(view)?,
        })
    }

    /// Its hubs: the corners of the views that are hubs, then those of its entries. Neither fall.
    #[inline]
    pub fn hubs(&self) -> Numbers<'a> {
        match self.stored {
            Stored::Two(parts) => Numbers::Two(parts.hubs),
            Stored::Four(parts) => Numbers::Four(parts.hubs),
        }
    }

    /// By number of a hub: the view on the path there, and the hub's distance from its corner.
    #[inline]
    pub fn entry(&self, hub: usize) -> Option<(usize, u32)> {
        let Some(entry) = hub.checked_sub(self.own) else {
            return Some((hub, 0));
        };
        Some(match self.stored {
            Stored::Two(parts) => {
                let [via, low, high] = parts.entries.get(entry)?;
                let distance = u32::from(low) | u32::from(high) << 16;
                (via.into(), distance)
            }
            Stored::Four(parts) => {
                let [via, distance] = parts.entries.get(entry)?;
                (via as usize, distance)
            }
        })
    }
}

impl<'a> Labels<'a> {
    /// The label of the square at a place (grid units) of a polygon.
    ///
    /// `None` where squares have none.
    #[inline]
    pub fn square(&self, polygon: u32, place: [i32; 2]) -> Option<SquareLabel<'a>> {
        if !self.has_squares() {
            return None;
        }
        let label = self.square_label(self.view_row(polygon, place)?)?;
        (label.view_count() > 0).then_some(label)
    }

    #[inline]
    pub(super) fn square_label(&self, row: usize) -> Option<SquareLabel<'a>> {
        let start = self.square_starts.get(row)?;
        SquareLabel::read(self.square_labels, start as usize)
    }

    /// Identifies the squares of a file: by their mesh, and the count of their numbers.
    pub fn squares_key(&self) -> [u64; 3] {
        [self.head.mesh, self.square_starts.len() as u64, self.square_labels.len() as u64]
    }

    /// The most views that a square has. It reads all squares.
    pub fn most_square_views(&self) -> usize {
        let labels = (0..self.square_starts.len()).filter_map(|row| self.square_label(row));
        labels.map(|label| label.view_count()).max().unwrap_or(0)
    }

    /// Whether squares have labels.
    #[inline]
    pub fn has_squares(&self) -> bool {
        !self.square_starts.is_empty()
    }
}
