//! A search that can be watched: the nodes that it opens, in order, a slice at a time.
//!
//! The answer of [`step`] is the number of nodes that it opened, then nine numbers for each: its
//! polygon; x and z where that was entered, m; and x and z of the cone of sight into it: of the
//! corner that it is seen from, of its right end and of its left end. These are NaN where there is
//! no cone.
//!
//! Where the blob has labels, paths are looked up and no node is opened; the watched search is then
//! the one that finds the same path without them.

use navbake_search::trace::Visit;
use navbake_search::{Scratch, Search, Status};

use super::{PAGE, Page, ask, request};

/// A running search, with memory of its own.
pub(super) struct Watched {
    agent: u32,
    search: Search,
    scratch: Scratch,
}

/// Begins the search of [`path`](super::path) and opens nothing yet. 0: there is more to do; 1: it
/// leads there, without a search where the straight line is free; 2: an end is not on the ground;
/// 3: no path exists.
#[unsafe(no_mangle)]
pub extern "C" fn begin(agent: u32, x: f64, y: f64, z: f64, u: f64, v: f64, w: f64) -> u32 {
    PAGE.with_borrow_mut(|page| {
        page.watched = ask(&page.meshes, agent, false, |query| {
            let mut scratch = Scratch::new();
            let request = request([x, y, z], [u, v, w]);
            let search = query.start_path(&request, &mut scratch).ok()?;
            Some(Watched { agent, search, scratch })
        });
        page.watched.as_ref().map_or(2, |w| status_number(w.search.status()))
    })
}

/// Continues the search by at most this many nodes; returns the same codes as [`begin`].
#[unsafe(no_mangle)]
pub extern "C" fn step(nodes: u32) -> u32 {
    PAGE.with_borrow_mut(|page| go_on(page, nodes).unwrap_or(2))
}

fn go_on(page: &mut Page, nodes: u32) -> Option<u32> {
    let (watched, opened) = (page.watched.as_mut()?, &mut page.answer);
    ask(&page.meshes, watched.agent, false, |query| {
        opened.clear();
        opened.push(0.0);
        let Watched { search, scratch, .. } = watched;
        for _ in 0..nodes {
            let before = search.expanded();
            if search.status().is_over() {
                break;
            }
            // One at a time, so that each is seen.
            search.step(query, scratch, 1);
            if search.expanded() == before {
                continue;
            }
            if let Some(visit) = search.last_visit(query, scratch) {
                opened[0] += 1.0;
                opened.extend(numbers(&visit));
            }
        }
        Some(status_number(search.status()))
    })
}

fn numbers(visit: &Visit) -> [f64; 9] {
    let [x, z] = visit.entry;
    let cone = visit.seen.map(|s| [s.from, s.right, s.left]);
    let [[a, b], [c, d], [e, f]] = cone.unwrap_or([[f64::NAN; 2]; 3]);
    [visit.polygon.0.into(), x, z, a, b, c, d, e, f]
}

fn status_number(status: Status) -> u32 {
    match status {
        Status::Looking => 0,
        Status::Reached => 1,
        Status::OffMesh => 2,
        _ => 3,
    }
}
