//! `query path --trace`: a search, stepped one entry at a time and drawn.

use std::collections::BTreeMap;

use navbake_draw::Surface;
use navbake_draw::trace::{self, Node, Trace};
use navbake_rooms::RoomScratch;
use navbake_search::trace::Visit;
use navbake_search::{Algorithm, Error, NavQuery, PathRequest, Status};

use super::ground::Ground;
use crate::search_args::SearchOptions;

/// Searches again, step by step, and draws it.
///
/// # Errors
/// If the planner does not serve the blob.
pub(super) fn draw(
    ground: &Ground<'_>,
    (options, rooms): (&SearchOptions, bool),
    request: &PathRequest,
    scratch: &mut RoomScratch,
) -> Result<String, Error> {
    // Labels search nothing: this draws the search that they save.
    let mesh = ground.mesh();
    let labels = mesh.labels().is_some();
    let query = &NavQuery::new(mesh.without_labels()).with_filter(&ground.filter);
    let name = if rooms { navbake_rooms::NAME } else { request.algorithm.name() };
    let reverse = match request.algorithm {
        Algorithm::Corridor(a_star) | Algorithm::Midpoints(a_star) => a_star.reverse,
        _ => false,
    };
    let mut search = options.start(query, rooms, request, scratch)?;
    let mut expanded = vec![];
    while !search.status().is_over() {
        let before = search.expanded();
        search.step(query, scratch, 1);
        if search.expanded() > before {
            expanded.extend(search.last_visit(query, scratch).map(node));
        }
    }
    let all: BTreeMap<u32, Visit> = search.visits(query, scratch).map(|v| (v.node, v)).collect();
    let mut raw = vec![];
    let intervals = all.values().any(|v| v.seen.is_some());
    if intervals {
        // The polygons of the start are expanded before the first step.
        let starts = (all.values()).filter(|v| v.seen.is_none() && v.behind == 0.0);
        expanded.splice(..0, starts.map(|v| node(*v)));
    }
    // A Polyanya path turns at corners, not at entries: there is no other path to draw.
    let mut next = search.end_node().filter(|_| !intervals);
    // Going back visits each node at most once.
    for _ in 0..=all.len() {
        let Some(visit) = next.and_then(|n| all.get(&n)) else {
            break;
        };
        raw.push(node(*visit));
        next = (visit.parent != visit.node).then_some(visit.parent);
    }
    let answer = search.path(query, scratch);
    let reached = answer.status == Status::Reached;
    // The last polygon contains the end of the path, or its start in a reverse search.
    if let (true, Some(last), [start, .., end]) = (reached, raw.first().copied(), answer.points) {
        let [x, _, z] = if reverse { *start } else { *end };
        if reverse {
            // Entered from the goal's side: the path after an entry is in the next node's polygon.
            for k in 1..raw.len() {
                raw[k - 1].polygon = raw[k].polygon;
            }
        }
        let tip = Node { polygon: last.polygon, entry: [x, z], seen: None };
        raw.insert(0, tip);
    }
    if !reverse {
        raw.reverse();
    }
    let trace = Trace {
        caption: format!(
            "{} by {}{}: {:.2} m, {} expanded, {} closed and {} open at the end",
            answer.status.name(),
            name,
            if labels { " without the labels" } else { "" },
            answer.length_xz,
            answer.expanded,
            answer.closed,
            all.values().filter(|v| !v.closed).count(),
        ),
        expanded,
        open: all.values().filter(|v| !v.closed).map(|v| node(*v)).collect(),
        raw,
        path: answer.points.to_vec(),
        through: answer.polygons.iter().map(|p| p.index()).collect(),
        legs: answer.legs().collect(),
    };
    Ok(trace::write(&Surface::new(&ground.mesh()), &trace, "search"))
}

fn node(visit: Visit) -> Node {
    Node {
        polygon: visit.polygon.index(),
        entry: visit.entry,
        seen: visit.seen.map(|s| [s.from, s.right, s.left]),
    }
}
