//! Distances from links to the doors of their rooms and to other links.
//!
//! They are measured on the encoded navmesh with its links.

use navbake_format::{RoomId, Rooms};
use navbake_rooms::{RoomScratch, distance_in_room, middle_of_door};
use navbake_search::NavQuery;
use navbake_search::around::PolyPoint;
use rayon::prelude::*;

/// With more distances than these, measuring takes longer than it saves.
const MOST: usize = 1 << 18;

/// Measures, for each link, distances within the rooms at its ends, m.
///
/// First those to its start from the doors of that room, then from its end to the doors of the
/// room there, then to the links that start there. `None` where doors were not measured, or there
/// are too many.
pub fn link_distances(query: &NavQuery<'_>, rooms: &Rooms<'_>) -> Option<Vec<f32>> {
    let mesh = query.mesh();
    if !rooms.has_ways() {
        return None;
    }
    let links: Vec<_> = (0..mesh.link_count()).map(|n| mesh.link(n)).collect::<Option<_>>()?;
    let ends: Vec<[PolyPoint; 2]> = links.iter().map(|link| query.ends_of_link(link)).collect();
    let anchor = |door: u32| middle_of_door(query, rooms, door);
    let anchors: Vec<PolyPoint> = (0..rooms.door_count()).map(anchor).collect::<Option<_>>()?;
    let mut begin_in: Vec<Vec<usize>> = vec![vec![]; rooms.count() as usize];
    for (number, link) in links.iter().enumerate() {
        begin_in[rooms.of(link.polygon).index()].push(number);
    }
    let pairs = |number: usize| {
        let link = &links[number];
        let [first, last] = [link.polygon, link.beyond].map(|p| rooms.of(p));
        let [begin, end] = ends[number];
        let anchor = |d: u32| anchors[d as usize];
        let before = rooms.doors_of(first).map(move |d| (first, anchor(d), begin));
        let after = rooms.doors_of(last).map(move |d| (last, end, anchor(d)));
        let next = begin_in[last.index()].iter().map(|&n| (last, end, ends[n][0]));
        before.chain(after).chain(next).collect::<Vec<_>>()
    };
    let pairs: Vec<(RoomId, PolyPoint, PolyPoint)> = (0..links.len()).flat_map(pairs).collect();
    if pairs.len() > MOST {
        return None;
    }
    // A scratch takes longer to grow than most pairs to measure: each thread keeps one.
    let measured = pairs.par_iter().map_init(RoomScratch::new, |scratch, &(room, from, to)| {
        distance_in_room(query, room, from, to, scratch).map(|distance| distance as f32)
    });
    measured.collect()
}
