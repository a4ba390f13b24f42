//! What must hold of vehicles and their tables: numbers in range, tables as long as they should be and made for this very vehicle, edges that
//! lead to tiles within its rings, masks within its window.

use zerocopy::little_endian::{F64, U32, U64};

use super::{fail, int};
use crate::records::{CornerRecord, TurnEdgeRecord, VehicleRecord};
use crate::vehicles::{hash_of, words_of};
use crate::{Blob, BlobError, Found, Section, VehicleView};

/// Checks all vehicles.
pub(crate) fn vehicles(blob: &Blob<'_>) -> Result<(), BlobError> {
    let records = blob.records::<VehicleRecord>(Section::VEHICLES, 0);
    let mut ends = [0usize; 4];
    for (number, record) in records.iter().enumerate() {
        vehicle(blob, number, record, &mut ends)?;
    }
    // All there is belongs to some vehicle.
    let counts = [
        (
            Section::VEHICLE_CORNERS,
            blob.records::<CornerRecord>(Section::VEHICLE_CORNERS, 0)
                .len(),
        ),
        (
            Section::TURN_EDGES,
            blob.records::<TurnEdgeRecord>(Section::TURN_EDGES, 0).len(),
        ),
        (
            Section::TURN_MASKS,
            blob.records::<U64>(Section::TURN_MASKS, 0).len(),
        ),
        (
            Section::TURN_DISTANCES,
            blob.records::<U32>(Section::TURN_DISTANCES, 0).len(),
        ),
    ];
    for ((section, count), end) in counts.into_iter().zip(ends) {
        if count != end {
            let expected = "as many elements as the vehicles have together";
            return int(section, end, count as i64, expected);
        }
    }
    Ok(())
}

fn vehicle(
    blob: &Blob<'_>,
    number: usize,
    record: &VehicleRecord,
    ends: &mut [usize; 4],
) -> Result<(), BlobError> {
    let wrong = |found: u16, expected| int(Section::VEHICLES, number, found, expected);
    let off = |found: F64, expected| {
        fail(
            Section::VEHICLES,
            number,
            Found::Float(found.get()),
            expected,
        )
    };
    let within = |v: F64, low: f64, high: f64| (low..=high).contains(&v.get());
    if ![8, 16, 32].contains(&record.headings.get()) {
        return wrong(record.headings.get(), "8, 16 or 32 headings");
    }
    if !(1..=15).contains(&record.rings.get()) {
        return wrong(record.rings.get(), "1 to 15 rings");
    }
    let window = record.window.get();
    if window.is_multiple_of(2) || !(3..=31).contains(&window) {
        return wrong(window, "an odd window of 3 to 31");
    }
    if !(1..=64).contains(&record.range.get()) {
        return wrong(record.range.get(), "distances of up to 1 to 64 tiles");
    }
    let corners = record.corners.get();
    if !(corners == 0 || (3..=16).contains(&corners)) {
        return wrong(corners, "no corners, or 3 to 16");
    }
    if record.reserved.get() != 0 {
        return int(Section::VEHICLES, number, record.reserved.get(), "0");
    }
    if !within(record.tile, 1e-6, 1e9) {
        return off(record.tile, "a side of a tile above 0");
    }
    if !within(record.turn_radius, 0.01, 1000.0) {
        return off(record.turn_radius, "a turn radius of 0.01 to 1000 tiles");
    }
    let disc = if corners == 0 { [1e-3, 16.0] } else { [0.0; 2] };
    if !within(record.disc, disc[0], disc[1]) {
        return off(record.disc, "a disc of up to 16 tiles, 0 for a polygon");
    }
    let [penalty, change] = record.reverse;
    if !(penalty.get() == 0.0 || within(penalty, 1.0, 1000.0)) {
        return off(penalty, "a penalty for reverse of 1 to 1000, or 0");
    }
    if !within(change, 0.0, 1000.0) {
        return off(change, "a change of gear of 0 to 1000 tiles");
    }
    let costs = record.flood_costs.map(U32::get);
    let most = [65536, 92682, 146_543, 207_244, 236_293];
    for (cost, most) in costs.into_iter().zip(most) {
        if cost > 2 * most && cost != u32::MAX {
            let expected = "costs of steps of at most twice their lengths, or none";
            return int(Section::VEHICLES, number, cost, expected);
        }
    }
    if let Some(needs) = record.flood_needs.iter().find(|n| n.get() >> 49 != 0) {
        let found = (needs.get() >> 49) as u32; // 15 bits
        return int(Section::VEHICLES, number, found, "tiles of seven by seven");
    }
    let Some(view) = VehicleView::read(blob, number) else {
        let expected = "a name, corners, edges, masks and distances that there are";
        return int(Section::VEHICLES, number, record.edges.get(), expected);
    };
    let own = [
        (record.first_corner, view.corners.len()),
        (record.first_edge, view.edges.len()),
        (record.first_mask, view.masks.len()),
        (record.first_distance, view.distances.len()),
    ];
    for ((first, count), end) in own.into_iter().zip(ends) {
        if first.get() as usize != *end {
            let expected = "what belongs to vehicles in their order";
            return int(Section::VEHICLES, number, first.get(), expected);
        }
        *end += count;
    }
    for (i, c) in view.corners.iter().flat_map(|c| c.at).enumerate() {
        if !within(c, -16.0, 16.0) {
            let at = record.first_corner.get() as usize + i / 2;
            let expected = "a corner within 16 tiles";
            return fail(
                Section::VEHICLE_CORNERS,
                at,
                Found::Float(c.get()),
                expected,
            );
        }
    }
    if record.hash.get() != hash_of(record, view.corners) {
        return int(
            Section::VEHICLES,
            number,
            record.hash.get() as i64,
            "tables that were made for this vehicle",
        );
    }
    edges(&view)
}

fn edges(view: &VehicleView<'_>) -> Result<(), BlobError> {
    let record = view.record;
    let first = record.first_edge.get() as usize;
    let (rings, headings) = (
        i16::from_le_bytes(record.rings.get().to_le_bytes()),
        view.headings(),
    );
    for (i, e) in view.edges.iter().enumerate() {
        let wrong = |found: i64, expected| int(Section::TURN_EDGES, first + i, found, expected);
        let [x, z] = e.offset.map(i16::from);
        if [x, z] == [0, 0] || x.abs() > rings || z.abs() > rings {
            return wrong(x.into(), "an offset within the rings, and not 0");
        }
        if u32::from(e.from) >= headings / 4 || u32::from(e.to) >= headings {
            return wrong(
                e.to.into(),
                "a first heading of the first quarter turn and a last one",
            );
        }
        if e.word > 5 || e.flags > 3 || e.reserved.get() != 0 {
            return wrong(e.word.into(), "a word, 0 to 5, and flags");
        }
        if !(1..=1 << 28).contains(&e.length.get()) {
            return wrong(e.length.get().into(), "a length of 1 to 2^28");
        }
    }
    let words = words_of(record.window.get());
    let used = usize::from(record.window.get()).pow(2) % 64;
    for (i, mask) in view.masks.chunks(words).enumerate() {
        let last = mask.last().map_or(0, |w| w.get());
        if used != 0 && last >> used != 0 {
            let at = record.first_mask.get() as usize + i * words + words - 1;
            return int(
                Section::TURN_MASKS,
                at,
                last as i64,
                "no bits beyond the window",
            );
        }
    }
    Ok(())
}
