//! Distances from door to door within rooms and over clusters of rooms.
//!
//! They are measured on the encoded navmesh, which is what queries use.

use navbake_format::{RoomId, Rooms};
use navbake_rooms::{RoomScratch, distance_in_room, middle_of_door};
use navbake_search::NavQuery;
use navbake_search::around::PolyPoint;
use rayon::prelude::*;

use crate::{Clusters, clusters};

/// With more pairs of doors than this, measuring takes longer than it saves.
const MOST: usize = 1 << 20;

/// The data that the hierarchical planner searches on.
#[derive(Clone, Debug, Default)]
pub struct DoorDistances {
    /// For each door its polygon and anchor point.
    pub anchors: Vec<(u32, [i32; 2])>,
    /// For each room the distances between each two of its doors, m: those to the doors before it.
    pub distances: Vec<f32>,
    /// Rooms put together.
    pub clusters: Clusters,
}

/// Measures the distances between the doors of each room, in parallel over rooms.
///
/// # Errors
/// Why they cannot be measured: there are too many doors, or one is closed off from its room.
pub fn door_distances(
    query: &NavQuery<'_>,
    rooms: &Rooms<'_>,
) -> Result<DoorDistances, &'static str> {
    let pairs = |room: u32| {
        let doors = rooms.doors_of(RoomId(room)).len();
        doors * doors.saturating_sub(1) / 2
    };
    if (0..rooms.count()).map(pairs).sum::<usize>() > MOST {
        return Err("the rooms have too many doors");
    }
    let anchor = |door: u32| middle_of_door(query, rooms, door);
    const CLOSED: &str = "a door has no way to another of its room";
    let anchors: Option<Vec<PolyPoint>> = (0..rooms.door_count()).map(anchor).collect();
    let anchors = anchors.ok_or("a door has no place to stand in")?;
    let of_room = |scratch: &mut RoomScratch, room: u32| {
        let doors: Vec<u32> = rooms.doors_of(RoomId(room)).collect();
        let mut distances = vec![];
        for (high, &b) in doors.iter().enumerate() {
            for &a in &doors[..high] {
                let [from, to] = [b, a].map(|d| anchors[d as usize]);
                distances.push(distance_in_room(query, RoomId(room), from, to, scratch)? as f32);
            }
        }
        Some((doors, distances))
    };
    // A scratch takes longer to grow than most rooms to measure: each thread keeps one.
    let measured = (0..rooms.count()).into_par_iter().map_init(RoomScratch::new, of_room);
    let measured: Vec<(Vec<u32>, Vec<f32>)> = measured.collect::<Option<_>>().ok_or(CLOSED)?;
    let sides: Vec<[u32; 2]> = (0..rooms.door_count())
        .map(|d| rooms.door(d).map_or([0; 2], |d| d.rooms.map(|r| r.0)))
        .collect();
    Ok(DoorDistances {
        anchors: anchors.iter().map(|s| (s.polygon().0, s.point())).collect(),
        clusters: clusters(&sides, &measured),
        distances: measured.into_iter().flat_map(|(_, d)| d).collect(),
    })
}
