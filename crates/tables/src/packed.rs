//! Labels as a blob holds them.

use navbake_format::write::{LabelParts, ViewCells};
use navbake_search::Corners;

use crate::graph::{BITS_OF_UNIT, UNIT};
use crate::labels::Labels;

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

    /// How many bytes they take in a blob.
    pub fn bytes(&self) -> u64 {
        self.parts(0).bytes()
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
            views: &self.views,
        }
    }
}
