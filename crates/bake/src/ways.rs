//! How far it is from door to door within a room, and over rooms put together: measured on the ground that games see, that of the blob itself.

use std::sync::Mutex;

use navbake_format::write::{DistrictParts, PlanParts};
use navbake_format::{RoomId, Rooms};
use navbake_hierarchy::districts;
use navbake_search::{PolyPoint, Query, SearchBuffer};
use rayon::prelude::*;

/// More pairs of doors than this take longer to measure than they are worth.
const MOST: usize = 1 << 20;

/// What hierarchical searches go by. Without stops where there are too many doors to measure, or a door has no place on it.
pub(crate) fn plan(query: &Query<'_>, rooms: &Rooms<'_>) -> PlanParts {
    measured(query, rooms).unwrap_or_default()
}

fn measured(query: &Query<'_>, rooms: &Rooms<'_>) -> Option<PlanParts> {
    let pairs = |room: u32| {
        let doors = rooms.doors_of(RoomId(room)).len();
        doors * doors.saturating_sub(1) / 2
    };
    if (0..rooms.count()).map(pairs).sum::<usize>() > MOST {
        return None;
    }
    let buffer = SearchBuffer::new(query.mesh());
    let stop = |door: u32| query.middle_of_door(rooms, door);
    let stops: Vec<PolyPoint> = (0..rooms.door_count()).map(stop).collect::<Option<_>>()?;
    // A buffer is large, and takes longer to make than most rooms to measure: no more than threads.
    let buffers = Mutex::new(vec![buffer]);
    let of_room = |room: u32| {
        let kept = buffers.lock().ok().and_then(|mut all| all.pop());
        let mut buffer = kept.unwrap_or_else(|| SearchBuffer::new(query.mesh()));
        let doors: Vec<u32> = rooms.doors_of(RoomId(room)).collect();
        let mut ways = vec![];
        for (high, &b) in doors.iter().enumerate() {
            for &a in &doors[..high] {
                let [from, to] = [b, a].map(|d| stops[d as usize]);
                ways.push(query.way_in_room(RoomId(room), from, to, &mut buffer)? as f32);
            }
        }
        if let Ok(mut all) = buffers.lock() {
            all.push(buffer);
        }
        Some((doors, ways))
    };
    let measured: Vec<Option<_>> = (0..rooms.count()).into_par_iter().map(of_room).collect();
    let measured: Vec<(Vec<u32>, Vec<f32>)> = measured.into_iter().collect::<Option<_>>()?;
    let sides: Vec<[u32; 2]> = (0..rooms.door_count())
        .map(|d| rooms.door(d).map_or([0; 2], |d| d.rooms.map(|r| r.0)))
        .collect();
    let found = districts(&sides, &measured);
    Some(PlanParts {
        stops: stops.iter().map(|s| (s.polygon().0, s.point())).collect(),
        ways: measured.into_iter().flat_map(|(_, ways)| ways).collect(),
        district_of: found.of,
        districts: (found.all.into_iter())
            .map(|d| DistrictParts {
                parent: d.parent,
                level: d.level,
                doors: d.doors,
                ways: d.ways,
            })
            .collect(),
    })
}
