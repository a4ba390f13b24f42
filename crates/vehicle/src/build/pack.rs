//! The tables as stored in the file.

use crate::lattice::lattice_pose;
use crate::{CONTACT, Footprint};
use navbake_format::write::VehicleParts;
use navbake_format::{TurnEdge, VehicleRules};

use super::Tables;
use super::edges::Edge;
use super::mask::{HALF, Mask};

/// The input of the format's encoder, owned.
#[derive(Clone, Debug)]
pub struct Packed {
    tables: Tables,
    tile: f64,
    name: String,
    rules: VehicleRules,
    edges: Vec<TurnEdge>,
    masks: Vec<u64>,
    distances: Vec<u32>,
}

/// The tiles that a vehicle touches at the centre of a tile.
fn standing(footprint: &Footprint, heading: u32, headings: u32) -> Mask {
    let mut mask = Mask::default();
    let at = lattice_pose([0, 0], heading, headings);
    for z in -HALF..=HALF {
        for x in -HALF..=HALF {
            if footprint.separation(at, [x, z].map(f64::from)) < -CONTACT {
                let _ = mask.add([x, z]);
            }
        }
    }
    mask
}

impl Packed {
    /// The tables of a vehicle of that name on tiles of that side, m.
    pub fn new(tables: Tables, name: &str, tile: f64) -> Packed {
        let vehicle = &tables.vehicle;
        let half = tables.window as i32 / 2;
        let about = vehicle.footprint.turned_about();
        let mut all: Vec<(bool, &Edge)> = tables.edges.iter().map(|e| (false, e)).collect();
        all.extend(tables.back.iter().map(|e| (true, e)));
        // By length: so are those of each heading.
        all.sort_by_key(|(back, e)| (*back, e.length, e.from, e.offset, e.to, e.word, e.class));
        let (mut edges, mut masks) = (vec![], vec![]);
        for (back, edge) in all {
            let small = |v: u32| u8::try_from(v).unwrap_or(u8::MAX);
            edges.push(TurnEdge {
                offset: edge.offset.map(|o| i8::try_from(o).unwrap_or(i8::MAX)),
                from: small(edge.from),
                to: small(edge.to),
                word: edge.word as u8,
                back,
                straight: edge.straight,
                class: edge.class,
                length: edge.length,
            });
            let shape = if back { &about } else { &vehicle.footprint };
            let first = standing(shape, edge.from, vehicle.headings);
            let last = standing(shape, edge.to, vehicle.headings).moved(edge.offset);
            masks.extend(edge.swept.without(&first).without(&last).packed(half));
        }
        let mut distances = tables.distances.to_heading.clone();
        distances.extend(&tables.distances.to_any);
        let (name, rules) = (name.into(), VehicleRules::NONE);
        Packed { tile, name, rules, edges, masks, distances, tables }
    }

    /// The same for a vehicle that keeps to rules.
    pub fn with_rules(self, rules: VehicleRules) -> Packed {
        Packed { rules, ..self }
    }

    /// As the encoder takes them.
    pub fn parts(&self) -> VehicleParts<'_> {
        let vehicle = &self.tables.vehicle;
        let corners = vehicle.footprint.corners();
        let small = |v: u32| u16::try_from(v).unwrap_or(u16::MAX);
        VehicleParts {
            name: &self.name,
            tile: self.tile,
            turn_radius: vehicle.turn_radius,
            disc: if corners.is_empty() { vehicle.footprint.reach() } else { 0.0 },
            corners,
            headings: small(vehicle.headings),
            rings: small(vehicle.rings),
            window: small(self.tables.window),
            reverse: vehicle.reverse.map(|r| [r.penalty, r.change]),
            speeds: vehicle.speeds,
            rules: self.rules,
            flood_costs: self.tables.bound.costs,
            flood_needs: self.tables.bound.needs,
            range: small(self.tables.distances.range),
            edges: &self.edges,
            masks: &self.masks,
            distances: &self.distances,
        }
    }

    /// Bytes of edges and masks, and of distances.
    pub fn bytes(&self) -> [usize; 2] {
        [self.edges.len() * 12 + self.masks.len() * 8, self.distances.len() * 4]
    }

    /// The tables.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }
}
