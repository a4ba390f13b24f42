//! Speed classes of vehicles: speeds, the turn radii that they need, acceleration and braking. The
//! section is `vehicle-speeds`; a vehicle without a record there has one class and no speeds.

use crate::blob::Blob;
use crate::place::{BLOB, Checked};
use crate::section::Section;

navbake_navmesh::record! {
    /// Section `vehicle-speeds`.
    pub(crate) struct VehicleSpeedsRecord: 88 {
        vehicle: u16, classes: u16, steps: u32, acceleration: f64, braking: f64,
        speeds: [f64; 4], turn_radii: [f64; 4],
    }
}

/// Speed classes of a vehicle, slowest first. Tiles and seconds.
///
/// At a speed above that of a class, curves need the turn radius of the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleSpeeds {
    /// How many classes there are: 1 to [`VehicleSpeeds::MOST`].
    pub classes: u32,
    /// The greatest speed in each class, tiles/s; 0 beyond the last.
    pub speeds: [f64; 4],
    /// The least radius of curves in each class, tiles; 0 beyond the last.
    pub turn_radii: [f64; 4],
    /// The greatest acceleration, tiles/s².
    pub acceleration: f64,
    /// The greatest braking, tiles/s².
    pub braking: f64,
    /// Speed levels that a tile of acceleration passes, or of braking where that is less.
    ///
    /// More levels find slightly faster paths and cost memory and time.
    pub steps: u32,
}

impl VehicleSpeeds {
    /// The most classes.
    pub const MOST: usize = 4;
    /// The most speed levels of states, rest and the speeds of classes included.
    pub const MOST_LEVELS: usize = 64;

    /// Speed levels between rest and the greatest speed, those of classes not counted.
    pub fn level_count(&self) -> f64 {
        let most = self.speeds.iter().fold(0.0, |a: f64, &b| a.max(b));
        let gain = 2.0 * self.acceleration.min(self.braking) / f64::from(self.steps);
        most * most / gain
    }

    /// What is wrong with these values: the value, and what is expected.
    pub fn fault(&self) -> Option<(f64, &'static str)> {
        let count = self.classes as usize;
        if !(1..=Self::MOST).contains(&count) {
            return Some((f64::from(self.classes), "1 to 4 speed classes"));
        }
        for (what, values, expected) in [
            (0, self.speeds, "speeds above 0, each above that of the class before"),
            (1, self.turn_radii, "turn radii above 0, none below that of the class before"),
        ] {
            let mut before = 0.0;
            for (k, value) in values.into_iter().enumerate() {
                let right = match k < count {
                    true if what == 1 && k > 0 => value >= before && value <= 1000.0,
                    true => value > before && (1e-6..=1e6).contains(&value),
                    false => value == 0.0,
                };
                if !right {
                    return Some((value, expected));
                }
                before = value;
            }
        }
        for value in [self.acceleration, self.braking] {
            if !(1e-6..=1e9).contains(&value) {
                return Some((value, "acceleration and braking above 0"));
            }
        }
        if !(1..=64).contains(&self.steps) {
            return Some((f64::from(self.steps), "1 to 64 speed steps"));
        }
        let levels = self.level_count();
        if levels > (Self::MOST_LEVELS - 1 - Self::MOST) as f64 {
            return Some((levels, "at most 59 speed levels between rest and the greatest speed"));
        }
        None
    }
}

/// The speed classes of the vehicle of that number.
pub(crate) fn of_vehicle(blob: &Blob<'_>, number: usize) -> Option<VehicleSpeeds> {
    let all = blob.records::<VehicleSpeedsRecord>(Section::VEHICLE_SPEEDS, 0);
    let record = all.iter().find(|r| usize::from(r.vehicle) == number)?;
    Some(speeds_of(&record))
}

fn speeds_of(record: &VehicleSpeedsRecord) -> VehicleSpeeds {
    VehicleSpeeds {
        classes: record.classes.into(),
        speeds: record.speeds,
        turn_radii: record.turn_radii,
        acceleration: record.acceleration,
        braking: record.braking,
        steps: record.steps,
    }
}

/// Records are in the order of the vehicles, and their values are in range.
pub(crate) fn check(blob: &Blob<'_>) -> Checked {
    let section = Section::VEHICLE_SPEEDS;
    let vehicles = blob.count(Section::VEHICLES, 0);
    let mut next = 0;
    let records = blob.records::<VehicleSpeedsRecord>(section, 0);
    for (index, record) in records.iter().enumerate() {
        let it = BLOB.element(section, index);
        it.refuse_out_of_order(record.vehicle.into(), &mut next, vehicles)?;
        if let Some((found, expected)) = speeds_of(&record).fault() {
            return it.fail(found, expected);
        }
    }
    Ok(())
}

#[cfg(feature = "write")]
pub(crate) use encoder::record;

#[cfg(feature = "write")]
mod encoder {
    use super::{VehicleSpeeds, VehicleSpeedsRecord};

    /// The record of a vehicle's speeds.
    pub(crate) fn record(vehicle: u16, speeds: &VehicleSpeeds) -> VehicleSpeedsRecord {
        VehicleSpeedsRecord {
            vehicle,
            classes: speeds.classes as u16, // at most 4
            steps: speeds.steps,
            acceleration: speeds.acceleration,
            braking: speeds.braking,
            speeds: speeds.speeds,
            turn_radii: speeds.turn_radii,
        }
    }
}
