//! Distances from door to door within rooms and over clusters of rooms.
//!
//! They are measured on the encoded navmesh, which is what queries use.

use std::sync::Mutex;

use navbake_format::{RoomId, Rooms};
use navbake_search::{PolyPoint, Query, SearchBuffer};
use rayon::prelude::*;

use crate::{Clusters, clusters};

/// With more pairs of doors than this, measuring takes longer than it saves.
const MOST: usize = 1 << 20;

/// What the hierarchical planner searches on.
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
/// `None` where there are too many doors, or a door has no anchor point.
pub fn door_distances(query: &Query<'_>, rooms: &Rooms<'_>) -> Option<DoorDistances> {
    let pairs = |room: u32| {
        let doors = rooms.doors_of(RoomId(room)).len();
        doors * doors.saturating_sub(1) / 2
    };
    if (0..rooms.count()).map(pairs).sum::<usize>() > MOST {
        return None;
    }
    let buffer = SearchBuffer::new(query.mesh());
    let anchor = |door: u32| query.middle_of_door(rooms, door);
    let anchors: Vec<PolyPoint> = (0..rooms.door_count()).map(anchor).collect::<Option<_>>()?;
    // A buffer takes longer to make than most rooms to measure: one a thread is kept.
    let buffers = Mutex::new(vec![buffer]);
    let of_room = |room: u32| {
        let kept = buffers.lock().ok().and_then(|mut all| all.pop());
        let mut buffer = kept.unwrap_or_else(|| SearchBuffer::new(query.mesh()));
        let doors: Vec<u32> = rooms.doors_of(RoomId(room)).collect();
        let mut distances = vec![];
        for (high, &b) in doors.iter().enumerate() {
            for &a in &doors[..high] {
                let [from, to] = [b, a].map(|d| anchors[d as usize]);
                distances.push(query.way_in_room(RoomId(room), from, to, &mut buffer)? as f32);
            }
        }
        if let Ok(mut all) = buffers.lock() {
            all.push(buffer);
        }
        Some((doors, distances))
    };
    let measured: Vec<Option<_>> = (0..rooms.count()).into_par_iter().map(of_room).collect();
    let measured: Vec<(Vec<u32>, Vec<f32>)> = measured.into_iter().collect::<Option<_>>()?;
    let sides: Vec<[u32; 2]> = (0..rooms.door_count())
        .map(|d| rooms.door(d).map_or([0; 2], |d| d.rooms.map(|r| r.0)))
        .collect();
    Some(DoorDistances {
        anchors: anchors.iter().map(|s| (s.polygon().0, s.point())).collect(),
        clusters: clusters(&sides, &measured),
        distances: measured.into_iter().flat_map(|(_, d)| d).collect(),
    })
}
