//! Rules that vehicles keep to: roads, and the directions that they are drawn in. The section is
//! `vehicle-rules`; a vehicle without a record there drives anywhere, at any heading.

use crate::blob::Blob;
use crate::place::{BLOB, Checked};
use crate::section::Section;

navbake_navmesh::record! {
    /// Section `vehicle-rules`: 0 where there is no rule.
    pub(crate) struct VehicleRulesRecord: 24 {
        vehicle: u16, directions: u16, rings: u16, cones: u16, off_road_cost: f64, areas: u64,
    }
}

/// The rules of a vehicle. Lengths are tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleRules {
    /// Areas that are road, as bits; 0 where the vehicle keeps to none.
    pub areas: u64,
    /// The cost factor of a move that touches other ground, at least 1; infinite where it is not
    /// made at all.
    pub off_road_cost: f64,
    /// Rings that moves which begin on a road may reach; all moves when it is `None`.
    pub rings: Option<u16>,
    /// Tiles beside the road are blocked, but for those within this many of its bends.
    pub cones: Option<u16>,
    /// 8 or 16 where it is drawn in that many directions.
    pub directions: Option<u16>,
}

impl VehicleRules {
    /// Drives anywhere, at any heading.
    pub const NONE: VehicleRules =
        VehicleRules { areas: 0, off_road_cost: 1.0, rings: None, cones: None, directions: None };

    /// What is wrong with these values: the value, and what is expected.
    pub fn fault(&self) -> Option<(f64, &'static str)> {
        let value = |number: Option<u16>| f64::from(number.unwrap_or(0));
        if !matches!(self.directions, None | Some(8 | 16)) {
            return Some((value(self.directions), "8 or 16 directions, or 0"));
        }
        if self.off_road_cost.is_nan() || self.off_road_cost < 1.0 {
            return Some((self.off_road_cost, "a cost off the road of 1 or more"));
        }
        let rules = VehicleRules { areas: 0, directions: None, ..*self };
        if self.areas == 0 && rules != VehicleRules::NONE {
            return Some((self.off_road_cost, "rules of roads only where there are roads"));
        }
        None
    }
}

/// The rules of the vehicle of that number.
pub(crate) fn of_vehicle(blob: &Blob<'_>, number: usize) -> VehicleRules {
    let all = blob.records::<VehicleRulesRecord>(Section::VEHICLE_RULES, 0);
    let record = all.iter().find(|r| usize::from(r.vehicle) == number);
    record.map_or(VehicleRules::NONE, |record| rules_of(&record))
}

fn rules_of(record: &VehicleRulesRecord) -> VehicleRules {
    let some = |number: u16| (number > 0).then_some(number);
    VehicleRules {
        areas: record.areas,
        off_road_cost: record.off_road_cost,
        rings: some(record.rings),
        cones: some(record.cones),
        directions: some(record.directions),
    }
}

/// Records are in the order of the vehicles, and their values are in range.
pub(crate) fn check(blob: &Blob<'_>) -> Checked {
    let section = Section::VEHICLE_RULES;
    let vehicles = blob.count(Section::VEHICLES, 0);
    // Where no area is stored, all ground is the first.
    let areas = blob.count(Section::AREAS, 0).max(1);
    let mut next = 0;
    let records = blob.records::<VehicleRulesRecord>(section, 0);
    for (index, record) in records.iter().enumerate() {
        let it = BLOB.element(section, index);
        it.refuse_out_of_order(record.vehicle.into(), &mut next, vehicles)?;
        if let Some((found, expected)) = rules_of(&record).fault() {
            return it.fail(found, expected);
        }
        let beyond = areas < 64 && record.areas >> areas != 0;
        it.refuse(beyond, record.areas, "areas that there are")?;
    }
    Ok(())
}

#[cfg(feature = "write")]
pub(crate) use encoder::record;

#[cfg(feature = "write")]
mod encoder {
    use super::{VehicleRules, VehicleRulesRecord};

    /// The record of a vehicle's rules; `None` where it has none.
    pub(crate) fn record(vehicle: u16, rules: &VehicleRules) -> Option<VehicleRulesRecord> {
        (*rules != VehicleRules::NONE).then(|| VehicleRulesRecord {
            vehicle,
            directions: rules.directions.unwrap_or(0),
            rings: rules.rings.unwrap_or(0),
            cones: rules.cones.unwrap_or(0),
            off_road_cost: rules.off_road_cost,
            areas: rules.areas,
        })
    }
}
