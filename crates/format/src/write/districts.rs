//! Ways from door to door and districts to their sections. What is told here was measured on the file itself: rooms, doors and polygons have the numbers
//! that it gave them.

use alloc::vec::Vec;

use zerocopy::little_endian::{F32, I32, U32};

use super::Draft;
use super::things::push;
use crate::Section;
use crate::records::{DistrictRecord, DoorStopRecord};

/// A district: rooms or lesser districts put together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DistrictParts {
    /// The district that it is in, `u32::MAX` for none; a later one.
    pub parent: u32,
    /// 1 for districts of rooms, 2 for districts of these, and so on.
    pub level: u32,
    /// The doors that lead out of it, rising.
    pub doors: Vec<u32>,
    /// How far it is within it from its second door to the first, from the third to the first and the second, and so on, m.
    pub ways: Vec<f32>,
}

/// What hierarchical searches go by. Numbers are those of the file: a file that is the same but for this tells them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanParts {
    /// A place on each door: its polygon, and x and z, grid units.
    pub stops: Vec<(u32, [i32; 2])>,
    /// For each room in turn the ways within it between the stops of its doors, m: from the second to the first, from the third to the first and the second, and
    /// so on.
    pub ways: Vec<f32>,
    /// The district of each room, `u32::MAX` for none.
    pub district_of: Vec<u32>,
    /// Districts, by level.
    pub districts: Vec<DistrictParts>,
}

/// All but the ways within rooms.
pub(super) fn of_plan(plan: &PlanParts, class: u16, drafts: &mut Vec<Draft>) {
    let stop = |&(polygon, at): &(u32, [i32; 2])| DoorStopRecord {
        polygon: U32::new(polygon),
        at: at.map(I32::new),
    };
    let stops: Vec<DoorStopRecord> = plan.stops.iter().map(stop).collect();
    push(Section::DOOR_STOPS, class, &stops, drafts);
    let of: Vec<U32> = plan.district_of.iter().map(|&d| U32::new(d)).collect();
    push(Section::DISTRICT_OF, class, &of, drafts);
    let (mut records, mut doors, mut ways) = (Vec::new(), Vec::new(), Vec::new());
    for d in &plan.districts {
        records.push(DistrictRecord {
            parent: U32::new(d.parent),
            level: U32::new(d.level),
            first_door: U32::new(doors.len() as u32),
            first_way: U32::new(ways.len() as u32),
        });
        doors.extend(d.doors.iter().map(|&d| U32::new(d)));
        ways.extend(d.ways.iter().map(|&w| F32::new(w)));
    }
    push(Section::DISTRICTS, class, &records, drafts);
    push(Section::DOORS_OF_DISTRICTS, class, &doors, drafts);
    push(Section::DISTRICT_WAYS, class, &ways, drafts);
}
