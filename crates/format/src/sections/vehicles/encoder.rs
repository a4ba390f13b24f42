//! Writing vehicles.

use alloc::vec;

use super::{TurnEdge, TurnEdgeRecord, VehicleRecord, VehicleRules, VehicleSpeeds};
use super::{hash_of, speeds, vehicle_rules};
use crate::Section;
use crate::draft::{Draft, Drafts};
use crate::strings::Strings;
use crate::write::{EncodeError, count};

/// A vehicle with its tables. Lengths are tiles; see [`crate::VehicleView`].
#[derive(Clone, Copy, Debug)]
pub struct VehicleParts<'a> {
    /// The name that queries use.
    pub name: &'a str,
    /// Side of a tile, m.
    pub tile: f64,
    /// The least radius of its curves.
    pub turn_radius: f64,
    /// The radius of the disc that it covers; 0 for a polygon.
    pub disc: f64,
    /// Corners of the polygon that it covers.
    pub corners: &'a [[f64; 2]],
    /// The number of headings.
    pub headings: u16,
    /// The most columns and rows that edges cross.
    pub rings: u16,
    /// Columns and rows of the window.
    pub window: u16,
    /// Costs of a tile backwards and of a change of gear.
    pub reverse: Option<[f64; 2]>,
    /// Its speed classes, if it has speeds.
    pub speeds: Option<VehicleSpeeds>,
    /// The roads that it keeps to, and the directions that it is drawn in.
    pub rules: VehicleRules,
    /// Costs of the steps of the bound over free tiles.
    pub flood_costs: [u32; 5],
    /// Tiles that they need.
    pub flood_needs: [u64; 8],
    /// The most columns and rows that distances cover.
    pub range: u16,
    /// The edges.
    pub edges: &'a [TurnEdge],
    /// Their masks, one after the other.
    pub masks: &'a [u64],
    /// The tables of distances.
    pub distances: &'a [u32],
}

/// Readers that do not know these sections find paths for all other units.
pub(crate) fn encode(
    vehicles: &[VehicleParts<'_>],
    strings: &mut Strings,
    drafts: &mut Drafts<'_>,
) -> Result<(), EncodeError> {
    let (mut records, mut corners, mut edges) = (vec![], vec![], vec![]);
    let (mut masks, mut distances) = (vec![], vec![]);
    let (mut classes, mut rules) = (vec![], vec![]);
    for (number, v) in (0..).zip(vehicles) {
        classes.extend(v.speeds.iter().map(|own| speeds::record(number, own)));
        rules.extend(vehicle_rules::record(number, &v.rules));
        let mut record = VehicleRecord {
            name: strings.add(v.name, "vehicle name")?,
            headings: v.headings,
            rings: v.rings,
            window: v.window,
            range: v.range,
            corners: v.corners.len() as u16, // few, or validation fails
            reserved: 0,
            tile: v.tile,
            turn_radius: v.turn_radius,
            disc: v.disc,
            reverse: v.reverse.unwrap_or([0.0; 2]),
            flood_costs: v.flood_costs,
            flood_needs: v.flood_needs,
            first_corner: count("corners of vehicles", corners.len())?,
            first_edge: count("edges of vehicles", edges.len())?,
            edges: count("edges of vehicles", v.edges.len())?,
            first_mask: count("masks of vehicles", masks.len())?,
            first_distance: count("distances of vehicles", distances.len())?,
            hash: 0,
        };
        record.hash = hash_of(&record, v.corners.iter().copied());
        records.push(record);
        corners.extend_from_slice(v.corners);
        edges.extend(v.edges.iter().map(|e| TurnEdgeRecord {
            offset: e.offset,
            from: e.from,
            to: e.to,
            word: e.word,
            flags: u8::from(e.back) | u8::from(e.straight) << 1 | e.class << 2,
            reserved: 0,
            length: e.length,
        }));
        masks.extend_from_slice(v.masks);
        distances.extend_from_slice(v.distances);
    }
    drafts.push(Draft::optional(Section::VEHICLES, 0, records));
    drafts.push(Draft::optional(Section::VEHICLE_CORNERS, 0, corners));
    drafts.push(Draft::optional(Section::TURN_EDGES, 0, edges));
    drafts.push(Draft::optional(Section::TURN_MASKS, 0, masks));
    drafts.push(Draft::optional(Section::TURN_DISTANCES, 0, distances));
    drafts.push(Draft::optional(Section::VEHICLE_SPEEDS, 0, classes));
    drafts.push(Draft::optional(Section::VEHICLE_RULES, 0, rules));
    Ok(())
}
