//! Labels in the form that a blob stores.

use core::ops::Range;

use crate::Corners;
use navbake_format::SquareView;
use navbake_format::write::{LabelParts, SquareParts, ViewCells};

use crate::graph::{BITS_OF_UNIT, UNIT};
use crate::labels::Labels;
use crate::trim::Trimmed;

/// The storage that [`LabelParts`] borrows.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    /// A distance of 1 is 2^-shift grid units.
    pub shift: u8,
    /// The rank of each corner as a hub.
    pub ranks: Vec<u32>,
    /// The end of each part of each corner's label.
    pub ends: Vec<u32>,
    /// The hubs of all parts.
    pub hubs: Vec<u32>,
    /// Their distances.
    pub distances: Vec<u32>,
    /// The first corner on the path to each hub.
    pub hops: Vec<u32>,
    /// The end of each kind of views in each row; empty without visibility lists.
    pub view_ends: Vec<u32>,
    /// The rows of each polygon, where it has more than one.
    pub view_cells: Vec<ViewCells>,
    /// The side of a grid cell that has a row, as a power of two.
    pub view_shift: u8,
    /// The numbers that encode the visibility lists.
    pub views: Vec<u32>,
    /// Labels of grid cells, instead of visibility lists.
    pub squares: Squares,
}

/// The storage that [`SquareParts`] borrows.
#[derive(Clone, Debug, Default)]
pub struct Squares {
    /// The end of the views and of the entries of each grid cell.
    pub ends: Vec<[u32; 2]>,
    /// The number of its leading views whose corner is a hub that no entry names.
    pub own: Vec<u32>,
    /// The views of all grid cells.
    pub views: Vec<SquareView>,
    /// The hubs of all entries.
    pub hubs: Vec<u32>,
    /// The view of each entry, counted within its grid cell.
    pub vias: Vec<u16>,
    /// The distance from the corner of that view to the hub.
    pub distances: Vec<u32>,
}

impl Squares {
    /// Adds the label of the next grid cell.
    pub(crate) fn add(&mut self, label: &Trimmed) {
        self.own.push(label.own);
        self.views.extend_from_slice(&label.views);
        for &(hub, via, distance) in &label.entries {
            self.hubs.push(hub);
            self.vias.push(via);
            self.distances.push(distance);
        }
        self.ends.push([self.views.len() as u32, self.hubs.len() as u32]);
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

/// Lengths in labels are below 2^30, and lengths of lines of sight to corners too.
const BITS: u32 = 30;

impl Packed {
    /// Packs the labels of a mesh.
    ///
    /// No two points of the mesh may be farther apart than `extent` grid units in a straight line.
    /// `None` where distances do not fit.
    pub fn new(corners: &Corners, order: &[u32], labels: &Labels, extent: f64) -> Option<Packed> {
        let far = (labels.iter().flatten()).map(|e| e.distance).max();
        let far = far.unwrap_or(0).max((extent * UNIT) as u64 + 1);
        // The finest step in which the greatest length has 30 bits.
        let drop = (64 - far.leading_zeros() + 1).saturating_sub(BITS);
        let shift = BITS_OF_UNIT.checked_sub(drop)?;
        let mut packed =
            Packed { shift: shift as u8, ranks: vec![0; order.len()], ..Packed::default() };
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
                        packed.distances.push(((entry.distance + half) >> drop) as u32);
                        packed.hops.push(entry.hop);
                    }
                }
                packed.ends.push(u32::try_from(packed.hubs.len()).ok()?);
            }
        }
        Some(packed)
    }

    /// Removes visibility lists and labels of grid cells.
    pub(crate) fn forget_views(&mut self) {
        (self.view_ends, self.views, self.view_cells) = (vec![], vec![], vec![]);
        (self.squares, self.view_shift) = (Squares::default(), 0);
    }

    /// Their size in a blob, bytes.
    pub fn bytes(&self) -> u64 {
        self.parts(0).bytes()
    }

    /// The range of entries of a part of a corner's label: side 0 or 1, or 2 for both.
    pub fn part(&self, corner: u32, side: u8) -> Range<usize> {
        let end = |i: usize| i.checked_sub(1).map_or(0, |i| self.ends[i] as usize);
        let first = 2 * corner as usize;
        match side {
            0 => end(first)..end(first + 1),
            1 => end(first + 1)..end(first + 2),
            _ => end(first)..end(first + 2),
        }
    }

    /// In the form that the encoder takes.
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
