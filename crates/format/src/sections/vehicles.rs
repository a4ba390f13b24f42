//! Vehicles: units with a turning radius, and the tables that were baked for them.
//!
//! Lengths are in tiles, the squares of the tables; costs are integers in units of
//! 1/[`VehicleView::UNITS`] tile. `docs/format.md` describes the footprint of a vehicle, the
//! turning and mirroring of edges, and the contents of tables. The sections are `vehicles`,
//! `vehicle-corners`, `turn-edges`, `turn-masks` and `turn-distances`.

use navbake_navmesh::record::Records;

use crate::place::{BLOB, Checked};
use crate::sections::speeds::{self, VehicleSpeeds};
use crate::sections::vehicle_rules::{self, VehicleRules};
use crate::strings::{StringRef, text};
use crate::{Blob, CheckedBlob, Section};

navbake_navmesh::record! {
    /// Section `vehicles`: `reverse` is the penalty and the cost of a change, penalty 0 where there
    /// is no reverse.
    pub(crate) struct VehicleRecord: 172 {
        name: StringRef, headings: u16, rings: u16, window: u16, range: u16, corners: u16,
        reserved: u32, pub(crate) tile: f64, turn_radius: f64, disc: f64, reverse: [f64; 2],
        flood_costs: [u32; 5], flood_needs: [u64; 8], first_corner: u32, first_edge: u32, edges: u32,
        first_mask: u32, first_distance: u32, hash: u64,
    }
}
navbake_navmesh::record! {
    /// Section `turn-edges`.
    struct TurnEdgeRecord: 12 {
        offset: [i8; 2], from: u8, to: u8, word: u8, flags: u8, reserved: u16, length: u32,
    }
}

/// A vehicle with its tables, read in place.
#[derive(Clone, Copy)]
pub struct VehicleView<'a> {
    name: &'a str,
    record: VehicleRecord,
    speeds: Option<VehicleSpeeds>,
    rules: VehicleRules,
    /// Section `vehicle-corners`.
    corners: Records<'a, [f64; 2]>,
    edges: Records<'a, TurnEdgeRecord>,
    masks: Records<'a, u64>,
    distances: Records<'a, u32>,
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
    /// Driven backwards.
    pub back: bool,
    /// Straight ahead.
    pub straight: bool,
    /// Its speed class, 0 for the slowest: the radius of its arcs is that of the class.
    pub class: u8,
    /// Length in parts of a tile.
    pub length: u32,
}

impl<'a> VehicleView<'a> {
    /// Parts of a tile that costs are counted in.
    pub const UNITS: u32 = 65536;
    /// In a table of distances: unreachable.
    pub const NO_WAY: u32 = u32::MAX;

    /// The vehicle of that number.
    ///
    /// `None` where there is none, or where its sections are shorter than it states.
    pub(crate) fn read(blob: &Blob<'a>, number: usize) -> Option<VehicleView<'a>> {
        let all = blob.records::<VehicleRecord>(Section::VEHICLES, 0);
        let record = all.get(number)?;
        let part = |first: u32, count: usize| {
            let first = first as usize;
            Some(first..first.checked_add(count)?)
        };
        let corners = part(record.first_corner, usize::from(record.corners))?;
        let edges = part(record.first_edge, record.edges as usize)?;
        let words = edges.len().checked_mul(words_of(record.window))?;
        let masks = part(record.first_mask, words)?;
        let distances = part(record.first_distance, distances_of(&record)?)?;
        Some(VehicleView {
            name: text(blob.raw(Section::STRINGS, 0), record.name)?,
            record,
            speeds: speeds::of_vehicle(blob, number),
            rules: vehicle_rules::of_vehicle(blob, number),
            corners: blob.records(Section::VEHICLE_CORNERS, 0).slice(corners)?,
            edges: blob.records(Section::TURN_EDGES, 0).slice(edges)?,
            masks: blob.records(Section::TURN_MASKS, 0).slice(masks)?,
            distances: blob.records(Section::TURN_DISTANCES, 0).slice(distances)?,
        })
    }

    /// The name that queries use.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Side of a tile, m.
    pub fn tile(&self) -> f64 {
        self.record.tile
    }

    /// The least radius of its curves, tiles.
    pub fn turn_radius(&self) -> f64 {
        self.record.turn_radius
    }

    /// Its speed classes; `None` when it has one class and no speeds.
    pub fn speeds(&self) -> Option<VehicleSpeeds> {
        self.speeds
    }

    /// The roads that it keeps to, and the directions that it is drawn in.
    pub fn rules(&self) -> VehicleRules {
        self.rules
    }

    /// The radius of the disc that it covers, tiles; 0 when it covers a polygon.
    pub fn disc(&self) -> f64 {
        self.record.disc
    }

    /// The corners of the polygon that it covers, tiles ahead and to the right.
    ///
    /// None when it covers a disc.
    pub fn corners(&self) -> impl ExactSizeIterator<Item = [f64; 2]> + use<'a> {
        self.corners.iter()
    }

    /// The number of headings at the middle of a tile: 8, 16 or 32.
    pub fn headings(&self) -> u32 {
        self.record.headings.into()
    }

    /// The most columns and rows that edges cross.
    pub fn rings(&self) -> u32 {
        self.record.rings.into()
    }

    /// Columns and rows of the window of collision checks; odd, 3 to 31.
    pub fn window(&self) -> u32 {
        self.record.window.into()
    }

    /// Costs of a tile backwards and of a change of gear, tiles.
    ///
    /// `None` when it is not driven backwards.
    pub fn reverse(&self) -> Option<[f64; 2]> {
        let [penalty, change] = self.record.reverse;
        (penalty > 0.0).then_some([penalty, change])
    }

    /// Gears: 1, or 2 when it is driven backwards.
    pub fn gears(&self) -> u32 {
        1 + u32::from(self.reverse().is_some())
    }

    /// Costs of the steps of a lower bound over free tiles.
    ///
    /// To the tile beside, to the one at the corner, and two ahead and one aside, three and one,
    /// three and two; `u32::MAX` where a vehicle does not have that step.
    pub fn flood_costs(&self) -> [u32; 5] {
        self.record.flood_costs
    }

    /// Sets of tiles that must be free for steps, as bits of the seven by seven around the first
    /// tile.
    ///
    /// One set for each of the first two kinds, then two alternative sets for each; 0 beyond.
    pub fn flood_needs(&self, set: usize) -> u64 {
        self.record.flood_needs.get(set).copied().unwrap_or(0)
    }

    /// Number of edges.
    pub fn edge_count(&self) -> u32 {
        self.record.edges
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
            class: e.flags >> 2,
            length: e.length,
        })
    }

    /// Words of an edge's mask.
    pub fn mask_words(&self) -> usize {
        words_of(self.record.window)
    }

    /// A word of an edge's mask: the tiles that it touches, as bits of the window, row by row.
    #[inline]
    pub fn mask_word(&self, edge: u32, word: usize) -> u64 {
        let at = (edge as usize).saturating_mul(self.mask_words()).saturating_add(word);
        self.masks.get(at).unwrap_or(0)
    }

    /// The most columns and rows that tables of distances cover.
    pub fn range(&self) -> u32 {
        self.record.range.into()
    }

    /// An entry of the tables of distances.
    ///
    /// First those to a heading, by goal heading (of the first quarter turn), gear, heading, row
    /// and column; then those to any, by gear, heading (of the first quarter turn), row and column.
    #[inline]
    pub fn distance(&self, entry: usize) -> u32 {
        self.distances.get(entry).unwrap_or(0)
    }

    /// A hash of the values that the tables depend on: a changed vehicle needs new ones.
    pub fn hash(&self) -> u64 {
        self.record.hash
    }
}

impl<'a> CheckedBlob<'a> {
    /// Vehicles, in the order in which they were written.
    pub fn vehicles(&self) -> impl Iterator<Item = VehicleView<'a>> + use<'a> {
        let blob = self.blob();
        (0..).map_while(move |number| VehicleView::read(&blob, number))
    }

    /// The vehicle of that name.
    pub fn vehicle(&self, name: &str) -> Option<VehicleView<'a>> {
        self.vehicles().find(|v| v.name() == name)
    }
}

/// Words of a mask.
fn words_of(window: u16) -> usize {
    (usize::from(window) * usize::from(window)).div_ceil(64)
}

/// Entries of a vehicle's distances.
fn distances_of(record: &VehicleRecord) -> Option<usize> {
    let side = 2 * usize::from(record.range) + 1;
    let headings = usize::from(record.headings);
    let gears = if record.reverse[0] > 0.0 { 2 } else { 1 };
    let tables = (headings / 4 * gears).checked_mul(headings + 1)?;
    side.checked_mul(side)?.checked_mul(tables)
}

/// A hash of the values that the tables of a vehicle depend on (FNV-1a).
fn hash_of(record: &VehicleRecord, corners: impl Iterator<Item = [f64; 2]>) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    let mut take = |bytes: &[u8]| {
        for &b in bytes {
            hash = (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01B3);
        }
    };
    for number in [record.headings, record.rings, record.window, record.range] {
        take(&number.to_le_bytes());
    }
    let own = [record.tile, record.turn_radius, record.disc];
    let lengths = own.into_iter().chain(record.reverse);
    for number in lengths.chain(corners.flatten()) {
        take(&number.to_le_bytes());
    }
    hash
}

/// Numbers are in range, tables are complete and made for their vehicle, edges lead to tiles within
/// its rings, masks are within its window.
pub(crate) fn check(blob: &Blob<'_>) -> Checked {
    let records = blob.records::<VehicleRecord>(Section::VEHICLES, 0);
    let mut ends = [0usize; 4];
    for (number, record) in records.iter().enumerate() {
        check_vehicle(blob, number, &record, &mut ends)?;
    }
    // Everything belongs to some vehicle.
    let sections = [
        Section::VEHICLE_CORNERS,
        Section::TURN_EDGES,
        Section::TURN_MASKS,
        Section::TURN_DISTANCES,
    ];
    for (section, end) in sections.into_iter().zip(ends) {
        let count = blob.count(section, 0);
        let expected = "as many elements as the vehicles have together";
        BLOB.refuse(count != end as u64, section, end, count, expected)?;
    }
    Ok(())
}

fn check_vehicle(
    blob: &Blob<'_>,
    number: usize,
    record: &VehicleRecord,
    ends: &mut [usize; 4],
) -> Checked {
    let section = Section::VEHICLES;
    let it = BLOB.element(section, number);
    let within = |v: f64, low: f64, high: f64| (low..=high).contains(&v);
    it.refuse(![8, 16, 32].contains(&record.headings), record.headings, "8, 16 or 32 headings")?;
    it.refuse(!(1..=15).contains(&record.rings), record.rings, "1 to 15 rings")?;
    if record.window.is_multiple_of(2) || !(3..=31).contains(&record.window) {
        return it.fail(record.window, "an odd window of 3 to 31");
    }
    it.refuse(!(1..=64).contains(&record.range), record.range, "distances of up to 1 to 64 tiles")?;
    let corners = record.corners;
    it.refuse(!(corners == 0 || (3..=16).contains(&corners)), corners, "no corners, or 3 to 16")?;
    BLOB.refuse(record.reserved != 0, section, number, record.reserved, "0")?;
    it.refuse(!within(record.tile, 1e-6, 1e9), record.tile, "a side of a tile above 0")?;
    let expected = "a turn radius of 0.01 to 1000 tiles";
    it.refuse(!within(record.turn_radius, 0.01, 1000.0), record.turn_radius, expected)?;
    let disc = if corners == 0 { [1e-3, 16.0] } else { [0.0; 2] };
    let expected = "a disc of up to 16 tiles, 0 for a polygon";
    it.refuse(!within(record.disc, disc[0], disc[1]), record.disc, expected)?;
    let [penalty, change] = record.reverse;
    let expected = "a penalty for reverse of 1 to 1000, or 0";
    it.refuse(!(penalty == 0.0 || within(penalty, 1.0, 1000.0)), penalty, expected)?;
    it.refuse(!within(change, 0.0, 1000.0), change, "a change of gear of 0 to 1000 tiles")?;
    let costs = record.flood_costs;
    let most = [65536, 92682, 146_543, 207_244, 236_293];
    for (cost, most) in costs.into_iter().zip(most) {
        let expected = "costs of steps of at most twice their lengths, or none";
        BLOB.refuse(cost > 2 * most && cost != u32::MAX, section, number, cost, expected)?;
    }
    let beyond = record.flood_needs.iter().map(|n| (n >> 49) as u32).find(|&n| n != 0); // 15 bits
    it.refuse(beyond.is_some(), beyond.unwrap_or(0), "tiles of seven by seven")?;
    let Some(view) = VehicleView::read(blob, number) else {
        let expected = "a name, corners, edges, masks and distances that there are";
        return BLOB.fail(section, number, record.edges, expected);
    };
    let own = [
        (record.first_corner, view.corners.len()),
        (record.first_edge, view.edges.len()),
        (record.first_mask, view.masks.len()),
        (record.first_distance, view.distances.len()),
    ];
    for ((first, count), end) in own.into_iter().zip(ends) {
        let expected = "what belongs to vehicles in their order";
        BLOB.refuse(first as usize != *end, section, number, first, expected)?;
        *end += count;
    }
    for (i, c) in view.corners.iter().flatten().enumerate() {
        if !within(c, -16.0, 16.0) {
            let at = record.first_corner as usize + i / 2;
            return BLOB.fail(Section::VEHICLE_CORNERS, at, c, "a corner within 16 tiles");
        }
    }
    let expected = "tables that were made for this vehicle";
    it.refuse(record.hash != hash_of(record, view.corners.iter()), record.hash, expected)?;
    let first = view.speeds.map_or(record.turn_radius, |speeds| speeds.turn_radii[0]);
    let expected = "the turn radius of the first speed class";
    it.refuse(first != record.turn_radius, record.turn_radius, expected)?;
    check_edges(&view)
}

fn check_edges(view: &VehicleView<'_>) -> Checked {
    let record = &view.record;
    let (rings, headings) = (record.rings as i16, view.headings()); // at most 15 rings
    let classes = view.speeds.map_or(1, |speeds| speeds.classes);
    for (i, e) in view.edges.iter().enumerate() {
        let at = record.first_edge as usize + i;
        let it = BLOB.element(Section::TURN_EDGES, at);
        let [x, z] = e.offset.map(i16::from);
        let expected = "an offset within the rings, and not 0";
        it.refuse([x, z] == [0, 0] || x.abs() > rings || z.abs() > rings, x, expected)?;
        if u32::from(e.from) >= headings / 4 || u32::from(e.to) >= headings {
            let expected = "a first heading of the first quarter turn and a last one";
            return it.fail(e.to, expected);
        }
        let expected = "a word, 0 to 5, and flags";
        it.refuse(e.word > 5 || e.flags > 15 || e.reserved != 0, e.word, expected)?;
        let class = e.flags >> 2;
        let expected = "a speed class that the vehicle has, the slowest backwards";
        it.refuse(u32::from(class) >= classes || class > 0 && e.flags & 1 != 0, class, expected)?;
        it.refuse(!(1..=1 << 28).contains(&e.length), e.length, "a length of 1 to 2^28")?;
    }
    let words = words_of(record.window);
    let used = usize::from(record.window).pow(2) % 64;
    for (i, mask) in view.masks.iter().enumerate() {
        if used != 0 && i % words == words - 1 && mask >> used != 0 {
            let at = record.first_mask as usize + i;
            return BLOB.fail(Section::TURN_MASKS, at, mask, "no bits beyond the window");
        }
    }
    Ok(())
}

#[cfg(feature = "write")]
pub use encoder::VehicleParts;
#[cfg(feature = "write")]
pub(crate) use encoder::encode;

#[cfg(feature = "write")]
mod encoder;
