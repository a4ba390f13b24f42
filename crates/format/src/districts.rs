//! What long ways over rooms are searched by: places on doors, and rooms put together to districts, those to larger ones, and so on, each with the ways between
//! the doors that lead out of it (customizable route planning; Delling, Goldberg, Pajor and Werneck, 2017).

use navbake_grid::{NONE, PolyId};
use zerocopy::little_endian::{F32, U32};

use crate::records::{DistrictRecord, DoorStopRecord};
use crate::{Blob, Rooms, Section};

/// Sections of districts, in place.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'a> {
    pub(crate) stops: &'a [DoorStopRecord],
    pub(crate) district_of: &'a [U32],
    pub(crate) districts: &'a [DistrictRecord],
    pub(crate) doors: &'a [U32],
    pub(crate) ways: &'a [F32],
}

impl<'a> Plan<'a> {
    pub(crate) fn read(blob: &Blob<'a>, class: u16) -> Plan<'a> {
        Plan {
            stops: blob.records(Section::DOOR_STOPS, class),
            district_of: blob.records(Section::DISTRICT_OF, class),
            districts: blob.records(Section::DISTRICTS, class),
            doors: blob.records(Section::DOORS_OF_DISTRICTS, class),
            ways: blob.records(Section::DISTRICT_WAYS, class),
        }
    }

    /// Where the doors and the ways of a district begin.
    pub(crate) fn begins(&self, district: usize) -> (usize, usize) {
        match self.districts.get(district) {
            Some(d) => (d.first_door.get() as usize, d.first_way.get() as usize),
            None => (self.doors.len(), self.ways.len()),
        }
    }
}

/// A room, told by its number, or a district, by its number and the number of rooms: what ways are told of. See [`Rooms::cell`].
#[derive(Clone, Copy, Debug)]
pub struct CellDoors<'a> {
    doors: &'a [U32],
    ways: &'a [F32],
}

/// Where the ways of a door to those before it begin.
#[inline]
fn row(place: usize) -> Option<usize> {
    Some(place.checked_mul(place.saturating_sub(1))? / 2)
}

impl CellDoors<'_> {
    /// The doors that lead out of it, by their numbers, rising.
    pub fn doors(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.doors.iter().map(|d| d.get())
    }

    /// Which of these doors it is.
    #[inline]
    pub fn place(&self, door: u32) -> Option<u32> {
        let found = self.doors.binary_search_by_key(&door, |d| d.get()).ok();
        found.map(|i| i as u32)
    }

    /// How far it is within the cell from one of the doors to another, told by their places, everything open, m; `None` where it was not measured.
    #[inline]
    pub fn way(&self, a: u32, b: u32) -> Option<f32> {
        if a == b {
            return Some(0.0);
        }
        let (low, high) = (a.min(b) as usize, a.max(b) as usize);
        let place = row(high)?.checked_add(low)?;
        self.ways.get(place).map(|w| w.get())
    }

    /// All other doors, and how far they are within the cell from the one at a place, m; those that were measured.
    #[inline]
    pub fn ways_from(&self, place: u32) -> impl Iterator<Item = (u32, f32)> + '_ {
        let own = place as usize;
        let ways = |from: usize| self.ways.get(from..).unwrap_or(&[]);
        // A row of ways to those before it, then one of each later row.
        let before = row(own).map_or(&[][..], ways).iter().take(own);
        let mut at = row(own + 1).map_or(self.ways.len(), |begin| begin.saturating_add(own));
        let behind = (own + 1..).map_while(move |step| {
            let way = self.ways.get(at);
            at = at.saturating_add(step);
            way
        });
        let others = self.doors.get(own + 1..).unwrap_or(&[]);
        let behind = others.iter().zip(behind);
        (self.doors.iter().zip(before).chain(behind)).map(|(door, way)| (door.get(), way.get()))
    }
}

impl<'a> Rooms<'a> {
    /// Were the ways measured that hierarchical searches go by?
    pub fn has_ways(&self) -> bool {
        self.plan.stops.len() == self.door_count() as usize
            && self.plan.district_of.len() == self.count() as usize
    }

    /// A place on a door, as near to its middle as the ground has one: a polygon and a grid point of it, x and z. `None` where ways were not measured.
    #[inline]
    pub fn stop(&self, door: u32) -> Option<(PolyId, [i32; 2])> {
        let stop = self.plan.stops.get(door as usize)?;
        Some((PolyId(stop.polygon.get()), stop.at.map(|c| c.get())))
    }

    /// How many districts there are, on all levels.
    #[inline]
    pub fn district_count(&self) -> u32 {
        self.plan.districts.len() as u32 // a section has fewer than 2^32 records
    }

    /// The level of a cell: 0 for rooms, 1 for districts of rooms, 2 for districts of these, and so on.
    #[inline]
    pub fn cell_level(&self, cell: u32) -> u32 {
        let district = cell.checked_sub(self.count());
        let found = district.and_then(|d| self.plan.districts.get(d as usize));
        found.map_or(0, |d| d.level.get())
    }

    /// The district that a room or district is in, as a cell: its number and that of rooms; `None` for the largest.
    #[inline]
    pub fn parent(&self, cell: u32) -> Option<u32> {
        let parent = match cell.checked_sub(self.count()) {
            None => self.plan.district_of.get(cell as usize)?.get(),
            Some(district) => self.plan.districts.get(district as usize)?.parent.get(),
        };
        (parent != NONE).then(|| parent.wrapping_add(self.count()))
    }

    /// The doors of a room, or those that lead out of a district, and the ways between them.
    #[inline]
    pub fn cell(&self, cell: u32) -> CellDoors<'a> {
        let Some(district) = cell.checked_sub(self.count()) else {
            return CellDoors {
                doors: self.doors_in(cell as usize),
                ways: self.ways_in(cell as usize),
            };
        };
        let plan = &self.plan;
        let (from, to) = (
            plan.begins(district as usize),
            plan.begins((district as usize).saturating_add(1)),
        );
        CellDoors {
            doors: plan.doors.get(from.0..to.0).unwrap_or(&[]),
            ways: plan.ways.get(from.1..to.1).unwrap_or(&[]),
        }
    }
}
