//! What must hold of stops and districts.

use navbake_grid::{NONE, PolyId};

use super::rooms::amount;
use super::{Checked, Place};
use crate::districts::Plan;
use crate::exact::orient;
use crate::{Found, NavMeshView, Rooms, Section};

/// The rooms and their doors have been checked.
pub(super) fn districts(mesh: &NavMeshView<'_>, rooms: &Rooms<'_>, at: &Place) -> Checked {
    let plan = &rooms.plan;
    let length =
        |section, found: usize, expected| at.fail(section, 0, Found::Int(found as i64), expected);
    let (doors, count) = (rooms.door_count() as usize, rooms.count() as usize);
    if !plan.stops.is_empty() && plan.stops.len() != doors {
        return length(Section::DOOR_STOPS, plan.stops.len(), "one for each door");
    }
    for i in 0..plan.stops.len() as u32 {
        stop(mesh, rooms, i, at)?;
    }
    if !plan.district_of.is_empty() && plan.district_of.len() != count {
        let found = plan.district_of.len();
        return length(Section::DISTRICT_OF, found, "one for each room");
    }
    for (i, d) in (0u32..).zip(plan.district_of) {
        let district = plan.districts.get(d.get() as usize);
        if d.get() != NONE && district.is_none_or(|d| d.level.get() != 1) {
            let expected = "a district of level 1, or all bits set";
            return at.int(Section::DISTRICT_OF, i, d.get(), expected);
        }
    }
    if plan.district_of.is_empty() && !plan.districts.is_empty() {
        let found = plan.districts.len();
        return length(Section::DISTRICTS, found, "none without district-of");
    }
    lists(rooms, plan, at)
}

/// A stop lies in its polygon, which one of the door's portals belongs to.
fn stop(mesh: &NavMeshView<'_>, rooms: &Rooms<'_>, door: u32, at: &Place) -> Checked {
    let section = Section::DOOR_STOPS;
    let Some((polygon, point)) = rooms.stop(door) else {
        return Ok(());
    };
    let is_at =
        |(p, k): (PolyId, u32)| p == polygon || mesh.polygon(p).neighbour(k) == Some(polygon);
    if !rooms.portals(door).any(is_at) {
        return at.int(section, door, polygon.0, "a polygon at the door");
    }
    let own = mesh.polygon(polygon);
    let outside = |k: &u32| orient(own.corner(*k), own.corner(own.next(*k)), point) < 0;
    let far = point
        .iter()
        .find(|c| c.unsigned_abs() >= crate::exact::LIMIT as u32);
    match far.or_else(|| (0..own.len()).find(outside).and(point.first())) {
        Some(&c) => at.int(section, door, c, "a point of its polygon"),
        None => Ok(()),
    }
}

/// Doors and ways of districts follow one another; parents come later, and are one level higher.
fn lists(rooms: &Rooms<'_>, plan: &Plan<'_>, at: &Place) -> Checked {
    let section = Section::DISTRICTS;
    let (mut door, mut way) = (0usize, 0usize);
    for (i, d) in (0u32..).zip(plan.districts) {
        if plan.begins(i as usize) != (door, way) {
            let expected = "where the doors and ways of the district before end";
            return at.int(section, i, door as i64, expected);
        }
        let parent = plan.districts.get(d.parent.get() as usize);
        let higher = |p: u32| Some(p) == d.level.get().checked_add(1);
        let rises = d.parent.get() > i && parent.is_some_and(|p| higher(p.level.get()));
        if d.level.get() == 0 || (d.parent.get() != NONE && !rises) {
            let expected = "a later district of the next level, or all bits set";
            return at.int(section, i, d.parent.get(), expected);
        }
        let end = plan.begins(i as usize + 1).0;
        let Some(own) = plan.doors.get(door..end) else {
            let expected = "doors in the section doors-of-districts";
            return at.int(section, i, end as i64, expected);
        };
        let rising = own.windows(2).all(|w| w[0].get() < w[1].get());
        let last = own.last().map_or(0, |d| d.get().saturating_add(1));
        if !rising || last > rooms.door_count() {
            return at.int(Section::DOORS_OF_DISTRICTS, i, last, "doors, rising");
        }
        way = (own.len().checked_mul(own.len().saturating_sub(1)))
            .map_or(usize::MAX, |n| way.saturating_add(n / 2));
        door = end;
    }
    if door != plan.doors.len() {
        return at.int(
            Section::DOORS_OF_DISTRICTS,
            0,
            door as i64,
            "doors of districts alone",
        );
    }
    if way != plan.ways.len() {
        let expected = "a way for each two doors of a district";
        return at.int(Section::DISTRICT_WAYS, 0, way as i64, expected);
    }
    for (i, w) in (0u32..).zip(plan.ways) {
        amount(at, Section::DISTRICT_WAYS, i, w.get())?;
    }
    Ok(())
}
