//! Expands the crossing of a cell into crossings of its parts.

use navbake_format::Rooms;

use crate::memory::{Hop, Lists};
use crate::open::{Front, Offer};
use navbake_navmesh::math::grid_distance;

/// Finds the route over a cell between two of its doors, over the cell's parts.
/// Writes its abstract edges into the scratch from `begin` on, the last one first. Returns their
/// number, 0 when there is no route, and the number of doors settled.
pub(super) fn refine(
    rooms: &Rooms<'_>,
    from: u32,
    hop: Hop,
    begin: u32,
    units: f64,
    scratch: &mut Lists<'_>,
) -> (u32, u32) {
    let level = rooms.cell_level(hop.cell).saturating_sub(1);
    let point = |door| rooms.stop(door).map_or([0; 2], |(_, at)| at);
    let goal = point(hop.to);
    let ahead = |door| grid_distance(point(door), goal);
    // The part of the cell that a room is in.
    let part = |room: u32| {
        let mut cell = room;
        for _ in 0..level {
            cell = rooms.parent(cell)?;
        }
        (rooms.parent(cell) == Some(hop.cell)).then_some(cell)
    };
    let mut front = Front::default();
    let doors = &mut scratch.doors;
    front.offer(
        Offer { f: ahead(from), g: 0.0, door: from, parent: u32::MAX, cell: u32::MAX, exact: true },
        doors,
    );
    while let Some((item, label)) = front.pop(doors) {
        if front.full {
            break;
        }
        front.expanded = front.expanded.saturating_add(1);
        if item.door == hop.to {
            let hops = front.trace(label, begin, doors).unwrap_or(0);
            return (hops, front.expanded);
        }
        let Some(door) = rooms.door(item.door) else {
            continue;
        };
        for room in door.rooms {
            let Some(cell) = part(room.0).filter(|&cell| cell != item.cell) else {
                continue;
            };
            let own = rooms.cell(cell);
            let Some(here) = own.place(item.door) else {
                continue;
            };
            for (to, way) in own.ways_from(here) {
                let g = item.g + f64::from(way) * units;
                front.offer(
                    Offer { f: g + ahead(to), g, door: to, parent: label, cell, exact: true },
                    doors,
                );
            }
        }
    }
    (0, front.expanded)
}
