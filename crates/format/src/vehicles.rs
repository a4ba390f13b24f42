//! Units that turn: what they are and the tables that were baked for them, read in place.
//!
//! Lengths are tiles, the squares that their tables speak of; costs are whole parts of a tile, [`VehicleView::UNITS`]. What a vehicle covers, how edges
//! are turned and mirrored and what lies in a table is told in `docs/format.md`.

use zerocopy::little_endian::{F64, U32, U64};

use crate::records::{CornerRecord, TurnEdgeRecord, VehicleRecord, text};
use crate::{Blob, Section};

/// A unit that turns, with its tables.
#[derive(Clone, Copy)]
pub struct VehicleView<'a> {
    name: &'a str,
    pub(crate) record: &'a VehicleRecord,
    pub(crate) corners: &'a [CornerRecord],
    pub(crate) edges: &'a [TurnEdgeRecord],
    pub(crate) masks: &'a [U64],
    pub(crate) distances: &'a [U32],
}

/// A curve of the lattice: from the middle of a tile at a heading to that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnEdge {
    /// Columns and rows from the first tile to the last.
    pub offset: [i8; 2],
    /// Its first heading.
    pub from: u8,
    /// Its last heading.
    pub to: u8,
    /// Its form: the number of a word.
    pub word: u8,
    /// Driven by a vehicle that looks the other way.
    pub back: bool,
    /// Straight ahead.
    pub straight: bool,
    /// Length in parts of a tile.
    pub length: u32,
}

impl<'a> VehicleView<'a> {
    /// Parts of a tile that costs are counted in.
    pub const UNITS: u32 = 65536;
    /// In a table of distances: no way.
    pub const NO_WAY: u32 = u32::MAX;

    /// The vehicle of that number. `None` where there is none, or where its sections are shorter than it says.
    pub(crate) fn read(blob: &Blob<'a>, number: usize) -> Option<VehicleView<'a>> {
        let all = blob.records::<VehicleRecord>(Section::VEHICLES, 0);
        let record = all.get(number)?;
        let part = |first: U32, count: usize| {
            let first = first.get() as usize;
            Some(first..first.checked_add(count)?)
        };
        let corners = part(record.first_corner, usize::from(record.corners.get()))?;
        let edges = part(record.first_edge, record.edges.get() as usize)?;
        let words = edges.len().checked_mul(words_of(record.window.get()))?;
        let masks = part(record.first_mask, words)?;
        let distances = part(record.first_distance, distances_of(record)?)?;
        Some(VehicleView {
            name: text(blob.records::<u8>(Section::STRINGS, 0), record.name)?,
            record,
            corners: blob.records(Section::VEHICLE_CORNERS, 0).get(corners)?,
            edges: blob.records(Section::TURN_EDGES, 0).get(edges)?,
            masks: blob.records(Section::TURN_MASKS, 0).get(masks)?,
            distances: blob.records(Section::TURN_DISTANCES, 0).get(distances)?,
        })
    }

    /// The name that queries use.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Side of a tile, m.
    pub fn tile(&self) -> f64 {
        self.record.tile.get()
    }

    /// The least radius of its curves, tiles.
    pub fn turn_radius(&self) -> f64 {
        self.record.turn_radius.get()
    }

    /// The radius of the disc that it covers, tiles; 0 when it covers a polygon.
    pub fn disc(&self) -> f64 {
        self.record.disc.get()
    }

    /// The corners of the polygon that it covers, tiles ahead and to the right; none when it covers a disc.
    pub fn corners(&self) -> impl ExactSizeIterator<Item = [f64; 2]> + use<'a> {
        self.corners.iter().map(|c| c.at.map(F64::get))
    }

    /// How many headings it has at the middle of a tile: 8, 16 or 32.
    pub fn headings(&self) -> u32 {
        self.record.headings.get().into()
    }

    /// Edges lead to tiles within so many columns and rows.
    pub fn rings(&self) -> u32 {
        self.record.rings.get().into()
    }

    /// Columns and rows of the window that hit checks look at; odd, 3 to 31.
    pub fn window(&self) -> u32 {
        self.record.window.get().into()
    }

    /// What a tile backwards costs and what a change of gear costs, tiles; `None` when it is not driven backwards.
    pub fn reverse(&self) -> Option<[f64; 2]> {
        let [penalty, change] = self.record.reverse.map(F64::get);
        (penalty > 0.0).then_some([penalty, change])
    }

    /// Gears: 1, or 2 when it is driven backwards.
    pub fn gears(&self) -> u32 {
        1 + u32::from(self.reverse().is_some())
    }

    /// Costs of the steps of a lower bound over free tiles: to the tile beside, to the one at the corner, and two ahead and one aside, three and one, three
    /// and two; `u32::MAX` where a vehicle has no such step.
    pub fn flood_costs(&self) -> [u32; 5] {
        self.record.flood_costs.map(U32::get)
    }

    /// Sets of tiles that have to be free for steps, as bits of the seven by seven around the tile that one begins on: one set for each of the first two kinds, then two
    /// for each, of which either will do; 0 beyond.
    pub fn flood_needs(&self, set: usize) -> u64 {
        self.record.flood_needs.get(set).map_or(0, |n| n.get())
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> u32 {
        self.record.edges.get()
    }

    /// An edge.
    #[inline]
    pub fn edge(&self, number: u32) -> Option<TurnEdge> {
        let e = self.edges.get(number as usize)?;
        Some(TurnEdge {
            offset: e.offset,
            from: e.from,
            to: e.to,
            word: e.word,
            back: e.flags & 1 != 0,
            straight: e.flags & 2 != 0,
            length: e.length.get(),
        })
    }

    /// Words of an edge's mask.
    pub fn mask_words(&self) -> usize {
        words_of(self.record.window.get())
    }

    /// A word of an edge's mask: the tiles that it touches, as bits of the window, row after row.
    #[inline]
    pub fn mask_word(&self, edge: u32, word: usize) -> u64 {
        let at = (edge as usize)
            .saturating_mul(self.mask_words())
            .saturating_add(word);
        self.masks.get(at).map_or(0, |w| w.get())
    }

    /// Tables tell distances of up to so many columns and rows.
    pub fn range(&self) -> u32 {
        self.record.range.get().into()
    }

    /// An entry of the tables of distances: first those to a heading, by goal heading (of the first quarter turn), gear, heading, row and column; then those to any, by
    /// gear, heading (of the first quarter turn), row and column.
    #[inline]
    pub fn distance(&self, entry: usize) -> u32 {
        self.distances.get(entry).map_or(0, |d| d.get())
    }

    /// What the tables were made for, in a number: whoever changes the vehicle makes them anew.
    pub fn hash(&self) -> u64 {
        self.record.hash.get()
    }
}

/// Words of a mask.
pub(crate) fn words_of(window: u16) -> usize {
    (usize::from(window) * usize::from(window)).div_ceil(64)
}

/// Entries of a vehicle's distances.
pub(crate) fn distances_of(record: &VehicleRecord) -> Option<usize> {
    let side = 2 * usize::from(record.range.get()) + 1;
    let headings = usize::from(record.headings.get());
    let gears = if record.reverse[0].get() > 0.0 { 2 } else { 1 };
    let tables = (headings / 4 * gears).checked_mul(headings + 1)?;
    side.checked_mul(side)?.checked_mul(tables)
}

/// What a vehicle is, in a number (FNV-1a of the fields that tables depend on, and of corners).
pub(crate) fn hash_of(record: &VehicleRecord, corners: &[CornerRecord]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    let mut take = |bytes: &[u8]| {
        for &b in bytes {
            hash = (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01B3);
        }
    };
    for number in [record.headings, record.rings, record.window, record.range] {
        take(&number.get().to_le_bytes());
    }
    let own = [record.tile, record.turn_radius, record.disc];
    for number in own.iter().chain(&record.reverse) {
        take(&number.get().to_le_bytes());
    }
    for number in corners.iter().flat_map(|c| c.at) {
        take(&number.get().to_le_bytes());
    }
    hash
}
