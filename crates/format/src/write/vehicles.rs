//! Vehicles and their tables to their sections.

use alloc::vec;
use alloc::vec::Vec;

use zerocopy::little_endian::{F64, U16, U32, U64};

use super::{Draft, EncodeError, Strings};
use crate::Section;
use crate::records::{CornerRecord, TurnEdgeRecord, VehicleRecord};
use crate::vehicles::{TurnEdge, hash_of};

/// A unit that turns, with its tables. Lengths are tiles; see [`crate::VehicleView`].
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
    /// How many headings it has.
    pub headings: u16,
    /// How far edges lead.
    pub rings: u16,
    /// Columns and rows of the window.
    pub window: u16,
    /// What a tile backwards and a change of gear cost.
    pub reverse: Option<[f64; 2]>,
    /// Costs of the steps of the bound over free tiles.
    pub flood_costs: [u32; 5],
    /// Tiles that they need.
    pub flood_needs: [u64; 8],
    /// How far distances are told.
    pub range: u16,
    /// The edges.
    pub edges: &'a [TurnEdge],
    /// Their masks, one after the other.
    pub masks: &'a [u64],
    /// The tables of distances.
    pub distances: &'a [u32],
}

/// Adds the sections of all vehicles. Readers that do not know them find paths for everybody else.
pub(super) fn encode(
    vehicles: &[VehicleParts<'_>],
    strings: &mut Strings,
    drafts: &mut Vec<Draft>,
) -> Result<(), EncodeError> {
    let (mut records, mut corners, mut edges) = (vec![], vec![], vec![]);
    let (mut masks, mut distances) = (vec![], vec![]);
    for v in vehicles {
        let own: Vec<CornerRecord> = v
            .corners
            .iter()
            .map(|c| CornerRecord {
                at: c.map(F64::new),
            })
            .collect();
        let place = |what, at: usize| {
            u32::try_from(at)
                .map(U32::new)
                .map_err(|_| EncodeError::Length {
                    what,
                    class: 0,
                    found: at as u64,
                    expected: u32::MAX.into(),
                })
        };
        let mut record = VehicleRecord {
            name: strings.add(v.name, "vehicle name")?,
            headings: U16::new(v.headings),
            rings: U16::new(v.rings),
            window: U16::new(v.window),
            range: U16::new(v.range),
            corners: U16::new(v.corners.len() as u16), // few, or the reader refuses them
            reserved: U32::new(0),
            tile: F64::new(v.tile),
            turn_radius: F64::new(v.turn_radius),
            disc: F64::new(v.disc),
            reverse: v.reverse.unwrap_or([0.0; 2]).map(F64::new),
            flood_costs: v.flood_costs.map(U32::new),
            flood_needs: v.flood_needs.map(U64::new),
            first_corner: place("corners of vehicles", corners.len())?,
            first_edge: place("edges of vehicles", edges.len())?,
            edges: place("edges of vehicles", v.edges.len())?,
            first_mask: place("masks of vehicles", masks.len())?,
            first_distance: place("distances of vehicles", distances.len())?,
            hash: U64::new(0),
        };
        record.hash = U64::new(hash_of(&record, &own));
        records.push(record);
        corners.extend(own);
        edges.extend(v.edges.iter().map(|e| TurnEdgeRecord {
            offset: e.offset,
            from: e.from,
            to: e.to,
            word: e.word,
            flags: u8::from(e.back) | u8::from(e.straight) << 1,
            reserved: U16::new(0),
            length: U32::new(e.length),
        }));
        masks.extend(v.masks.iter().map(|&w| U64::new(w)));
        distances.extend(v.distances.iter().map(|&d| U32::new(d)));
    }
    let mut add = |draft: Draft| {
        drafts.push(Draft {
            required: false,
            ..draft
        });
    };
    add(Draft::of(Section::VEHICLES, 0, &records));
    add(Draft::of(Section::VEHICLE_CORNERS, 0, &corners));
    add(Draft::of(Section::TURN_EDGES, 0, &edges));
    add(Draft::of(Section::TURN_MASKS, 0, &masks));
    add(Draft::of(Section::TURN_DISTANCES, 0, &distances));
    Ok(())
}
