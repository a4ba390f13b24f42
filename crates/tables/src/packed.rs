//! Labels as a blob holds them.

use core::ops::Range;

use navbake_format::SquareView;
use navbake_format::write::{LabelParts, SquareParts, ViewCells};
use navbake_search::Corners;

use crate::graph::{BITS_OF_UNIT, UNIT};
use crate::labels::Labels;
use crate::trim::Trimmed;

/// What [`LabelParts`] borrows.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    /// A distance of 1 is 2^-shift grid units.
    pub shift: u8,
    /// Which hub each corner is.
    pub ranks: Vec<u32>,
    /// Where each part of each corner's label ends.
    pub ends: Vec<u32>,
    /// The hubs of all parts.
    pub hubs: Vec<u32>,
    /// How far they are.
    pub distances: Vec<u32>,
    /// The first corner on the way there.
    pub hops: Vec<u32>,
    /// Where the views of each row end, by kind; none without views.
    pub view_ends: Vec<u32>,
    /// The rows of each polygon, where it has more than one.
    pub view_cells: Vec<ViewCells>,
    /// The side of a square that is such a row, as a power of two.
    pub view_shift: u8,
    /// The numbers that views are told in.
    pub views: Vec<u32>,
    /// Labels of such squares, in place of views.
    pub squares: Squares,
}

/// What [`SquareParts`] borrows.
#[derive(Clone, Debug, Default)]
pub struct Squares {
    /// Where the views and the entries of each square end.
    pub ends: Vec<[u32; 2]>,
    /// How many of its views, the first ones, are hubs that no entry of it names.
    pub own: Vec<u32>,
    /// What they see.
    pub views: Vec<SquareView>,
    /// The hubs of all entries.
    pub hubs: Vec<u32>,
    /// The view of each entry, counted within its square.
    pub vias: Vec<u16>,
    /// How far the hub is from the corner of that view.
    pub distances: Vec<u32>,
}

impl Squares {
    /// Adds the label of the next square.
    pub(crate) fn add(&mut self, label: &Trimmed) {
        self.own.push(label.own);
        self.views.extend_from_slice(&label.views);
        for &(hub, via, distance) in &label.entries {
            self.hubs.push(hub);
            self.vias.push(via);
            self.distances.push(distance);
        }
        self.ends
            .push([self.views.len() as u32, self.hubs.len() as u32]);
    }

    pub(crate) fn parts(&self) -> SquareParts<'_> {
        SquareParts {
            ends: &self.ends,
            own: &self.own,
            views: &self.views,
            hubs: &self.hubs,
            vias: &self.vias,
            distances: &self.distances,
        }
    }
}

/// Lengths in labels stay below this power of two, and so do those of lines of sight to corners.
const BITS: u32 = 30;

impl Packed {
    /// Packs the labels of a mesh of which no two places are farther apart, as the crow flies, than `extent` grid units. `None` where distances do
    /// not fit.
    pub fn new(corners: &Corners, order: &[u32], labels: &Labels, extent: f64) -> Option<Packed> {
        let far = (labels.iter().flatten()).map(|e| e.distance).max();
        let far = far.unwrap_or(0).max((extent * UNIT) as u64 + 1);
        // The finest step in which the greatest length has 30 bits.
        let drop = (64 - far.leading_zeros() + 1).saturating_sub(BITS);
        let shift = BITS_OF_UNIT.checked_sub(drop)?;
        let mut packed = Packed {
            shift: shift as u8,
            ranks: vec![0; order.len()],
            ..Packed::default()
        };
        for (rank, &corner) in (0..).zip(order) {
            packed.ranks[corner as usize] = rank;
        }
        for (corner, label) in (0..).zip(labels) {
            let here = corners.point(corner);
            for part in [0, 1] {
                for entry in label.iter().filter(|e| e.hop != corner) {
                    let there = corners.point(entry.hop);
                    let direction = [there[0] - here[0], there[1] - here[1]];
                    if corners.side(corner, direction).unwrap_or(0) == part {
                        packed.hubs.push(entry.hub);
                        let half = (1u64 << drop) >> 1;
                        packed
                            .distances
                            .push(((entry.distance + half) >> drop) as u32);
                        packed.hops.push(entry.hop);
                    }
                }
                packed.ends.push(u32::try_from(packed.hubs.len()).ok()?);
            }
        }
        Some(packed)
    }

    /// Takes views out, and labels of squares.
    pub(crate) fn forget_views(&mut self) {
        (self.view_ends, self.views, self.view_cells) = (vec![], vec![], vec![]);
        (self.squares, self.view_shift) = (Squares::default(), 0);
    }

    /// How many bytes they take in a blob.
    pub fn bytes(&self) -> u64 {
        self.parts(0).bytes()
    }

    /// Where a part of a corner's label stands among the entries: side 0 or 1, or 2 for both.
    pub fn part(&self, corner: u32, side: u8) -> Range<usize> {
        let end = |i: usize| i.checked_sub(1).map_or(0, |i| self.ends[i] as usize);
        let first = 2 * corner as usize;
        match side {
            0 => end(first)..end(first + 1),
            1 => end(first + 1)..end(first + 2),
            _ => end(first)..end(first + 2),
        }
    }

    /// As the encoder takes them.
    pub fn parts(&self, class: u16) -> LabelParts<'_> {
        LabelParts {
            class,
            shift: self.shift,
            ranks: &self.ranks,
            ends: &self.ends,
            hubs: &self.hubs,
            distances: &self.distances,
            hops: &self.hops,
            view_ends: &self.view_ends,
            view_cells: &self.view_cells,
            view_shift: self.view_shift,
            squares: self.squares.parts(),
            views: &self.views,
        }
    }
}
