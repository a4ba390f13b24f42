//! How far links are from doors and from each other within rooms: measured on the file with its links, as ways between doors are on the one before.

use std::sync::Mutex;

use navbake_format::write::with_link_ways;
use navbake_format::{Blob, NavMesh, RoomId, Rooms, Section};
use navbake_search::{PolyPoint, Query, SearchBuffer};
use rayon::prelude::*;

use crate::error::BakeError;
use crate::run::{Run, guarded};

/// More ways than these take longer to measure than they are worth.
const MOST: usize = 1 << 18;

impl Run<'_> {
    /// The file with ways of links within rooms, where there are any.
    pub(crate) fn link_ways(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, BakeError> {
        let stage = "link ways";
        let lost = |what: String| BakeError::internal(stage, what);
        // A file without links has none, and need not be looked through again.
        let blob = Blob::open(&bytes).map_err(|e| lost(e.to_string()))?;
        if !blob.sections().any(|s| s.section == Section::LINKS) {
            return Ok(bytes);
        }
        let blob = blob.validate().map_err(|e| lost(e.to_string()))?;
        let has_any = |mesh: NavMesh<'_>| {
            mesh.link_count() > 0 && mesh.rooms().is_some_and(|rooms| rooms.has_ways())
        };
        if !(0..blob.class_count())
            .filter_map(|c| blob.decode(c))
            .any(|nav| has_any(nav.mesh()))
        {
            return Ok(bytes);
        }
        self.options.report(stage, 0, 1);
        let measure = || {
            let of_class = |class: u16| {
                let nav = blob.decode(class)?;
                let query = Query::new(nav.mesh());
                query
                    .mesh()
                    .rooms()
                    .and_then(|rooms| measured(&query, rooms))
            };
            let all: Vec<Vec<f32>> = (0..blob.class_count())
                .map(|class| of_class(class).unwrap_or_default())
                .collect();
            with_link_ways(&bytes, &all)
        };
        let whole = guarded(|| stage.into(), measure)?;
        self.clock.stage("ways", true);
        self.options.report(stage, 1, 1);
        whole.map_err(|e| lost(e.to_string()))
    }
}

/// For each link the ways to its begin from the doors of its room, then from its end to the doors of the room there, then to the links that begin there.
fn measured(query: &Query<'_>, rooms: &Rooms<'_>) -> Option<Vec<f32>> {
    let mesh = query.mesh();
    if !rooms.has_ways() {
        return None;
    }
    let links: Vec<_> = (0..mesh.link_count())
        .map(|n| mesh.link(n))
        .collect::<Option<_>>()?;
    let ends: Vec<[PolyPoint; 2]> = links.iter().map(|link| query.ends_of_link(link)).collect();
    let buffer = SearchBuffer::new(mesh);
    let stop = |door: u32| query.middle_of_door(rooms, door);
    let stops: Vec<PolyPoint> = (0..rooms.door_count()).map(stop).collect::<Option<_>>()?;
    let mut begin_in: Vec<Vec<usize>> = vec![vec![]; rooms.count() as usize];
    for (number, link) in links.iter().enumerate() {
        begin_in[rooms.of(link.polygon).index()].push(number);
    }
    let pairs = |number: usize| {
        let link = &links[number];
        let [first, last] = [link.polygon, link.beyond].map(|p| rooms.of(p));
        let [begin, end] = ends[number];
        let stop = |d: u32| stops[d as usize];
        let before = rooms.doors_of(first).map(move |d| (first, stop(d), begin));
        let after = rooms.doors_of(last).map(move |d| (last, end, stop(d)));
        let next = begin_in[last.index()]
            .iter()
            .map(|&n| (last, end, ends[n][0]));
        before.chain(after).chain(next).collect::<Vec<_>>()
    };
    let pairs: Vec<(RoomId, PolyPoint, PolyPoint)> = (0..links.len()).flat_map(pairs).collect();
    if pairs.len() > MOST {
        return None;
    }
    // A buffer is large, and takes longer to make than most rooms to measure: no more than threads.
    let buffers = Mutex::new(vec![buffer]);
    let way = |&(room, from, to): &(RoomId, PolyPoint, PolyPoint)| {
        let kept = buffers.lock().ok().and_then(|mut all| all.pop());
        let mut buffer = kept.unwrap_or_else(|| SearchBuffer::new(mesh));
        let way = query.way_in_room(room, from, to, &mut buffer)? as f32;
        if let Ok(mut all) = buffers.lock() {
            all.push(buffer);
        }
        Some(way)
    };
    let ways: Vec<Option<f32>> = pairs.par_iter().map(way).collect();
    ways.into_iter().collect()
}
