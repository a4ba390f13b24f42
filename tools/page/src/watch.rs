//! A search that is watched: what it opens, in order, a slice at a time.
//!
//! The answer of [`step`] is the number of nodes that it opened, then nine numbers for each: its polygon; x and z where that was entered, m; and x and z of the cone of
//! sight into it: of the corner that it is seen from, of its right end and of its left end. Not numbers where there is no cone.
//!
//! Where the blob has labels, paths are looked up and nothing is opened; what is watched is the search that finds the same path without them.

use navbake_search::{Lender, Scratch, Search, SearchBuffer, Status, Tables, Visit};

use super::{PAGE, Page, ask, request};

/// A search under way, with the memory that serves it alone.
pub(super) struct Watched {
    agent: u32,
    search: Search,
    buffer: SearchBuffer,
}

/// Its memory, without what paths are looked up with.
struct Searching<'b>(&'b mut SearchBuffer);

impl<'b> Searching<'b> {
    fn of(scratch: Scratch<'_>) -> Scratch<'_> {
        Scratch { tables: Tables::default(), ..scratch }
    }
}

impl<'b> Lender<'b> for Searching<'b> {
    fn lend(&mut self) -> Scratch<'_> {
        Searching::of(self.0.scratch())
    }

    fn grow(&mut self) -> bool {
        self.0.grow()
    }

    fn grows(&self) -> bool {
        self.0.grows()
    }

    fn lend_for_good(self) -> Scratch<'b> {
        Searching::of(self.0.scratch())
    }
}

/// Begins the search of [`path`](super::path) and opens nothing yet. 0: there is more to do; 1: it leads there, without a search where the straight line is free; 2: an end is not on the
/// ground; 3: there is no way.
#[unsafe(no_mangle)]
pub extern "C" fn begin(agent: u32, x: f64, y: f64, z: f64, u: f64, v: f64, w: f64) -> u32 {
    PAGE.with_borrow_mut(|page| {
        page.watched = page.blob.as_ref().and_then(|blob| {
            ask(blob, agent, |query, _| {
                let mut buffer = SearchBuffer::new(query.mesh());
                let search = query.begin(&request([x, y, z], [u, v, w]), Searching(&mut buffer));
                Some(Watched { agent, search, buffer })
            })
        });
        page.watched.as_ref().map_or(2, |w| status_number(w.search.status()))
    })
}

/// Goes on with it by at most so many nodes; says what [`begin`] says.
#[unsafe(no_mangle)]
pub extern "C" fn step(nodes: u32) -> u32 {
    PAGE.with_borrow_mut(|page| go_on(page, nodes).unwrap_or(2))
}

fn go_on(page: &mut Page, nodes: u32) -> Option<u32> {
    let (watched, opened) = (page.watched.as_mut()?, &mut page.answer);
    ask(page.blob.as_ref()?, watched.agent, |query, _| {
        opened.clear();
        opened.push(0.0);
        let Watched { search, buffer, .. } = watched;
        for _ in 0..nodes {
            let before = search.expanded();
            if search.status().is_over() {
                break;
            }
            // One at a time, so that each is seen.
            search.step(query, Searching(buffer), 1);
            if search.expanded() == before {
                continue;
            }
            if let Some(visit) = search.last_visit(query, &buffer.scratch()) {
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
