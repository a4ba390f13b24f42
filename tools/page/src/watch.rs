//! A search that can be watched: the places that it opens, in order, a slice at a time.
//!
//! The answer of [`step`] is the number of places that it opened, then nine numbers for each: its
//! polygon or cell; x and z where that was entered, m; and x and z of the cone of sight into it: of
//! the corner that it is seen from, of its right end and of its left end. These are NaN where there
//! is no cone. Of a cell or a point of a network the cone is a line from the place before.
//!
//! Where the blob has labels, paths are looked up and nothing is opened; the watched search is then
//! the one that finds the same path without them.

use navbake_rooms::{RoomScratch, RoomSearch};
use navbake_search::Status;
use navbake_search::trace::Visit;

use crate::ask::{self, Ground, Opened};
use crate::settings::Planner;
use crate::{PAGE, Page};

/// A running search, with memory of its own.
pub(super) enum Watched {
    Polygons {
        search: Box<RoomSearch>,
        scratch: Box<RoomScratch>,
    },
    /// Of searches over cells and networks everything is known at once.
    Places {
        opened: Vec<Opened>,
        next: usize,
        status: Status,
    },
}

/// Begins the search of [`path`](super::path) and opens nothing yet. 0: there is more to do; 1: it
/// leads there, without a search where the straight line is free; 2: an end is not on the ground;
/// 3: no path exists, or the planner refuses the request.
#[unsafe(no_mangle)]
pub extern "C" fn begin(x: f64, y: f64, z: f64, u: f64, v: f64, w: f64) -> u32 {
    PAGE.with_borrow_mut(|page| {
        let watched = watch(page, [[x, y, z], [u, v, w]]);
        page.watched = watched.map_err(|error| page.message = error).ok();
        page.watched.as_ref().map_or(3, Watched::number)
    })
}

/// Continues the search by at most this many places; returns the same codes as [`begin`].
#[unsafe(no_mangle)]
pub extern "C" fn step(places: u32) -> u32 {
    PAGE.with_borrow_mut(|page| go_on(page, places).unwrap_or(3))
}

fn watch(page: &Page, ends: [[f64; 3]; 2]) -> Result<Watched, String> {
    let settings = &page.settings;
    let ground = Ground::new(page.level.as_ref(), settings)?;
    let places = match settings.planner {
        Planner::Cells(planner) => ask::over_cells(&ground, settings, planner, ends),
        Planner::Network => ask::over_network(&ground, settings, ends),
        Planner::Polygons(_) | Planner::Rooms => {
            let mut scratch = Box::new(RoomScratch::new());
            let search = ask::start(&ground.searched(), settings, ends, &mut scratch)?;
            return Ok(Watched::Polygons { search: Box::new(search), scratch });
        }
    };
    let (found, opened) = places?;
    Ok(Watched::Places { opened, next: 0, status: found.status })
}

impl Watched {
    fn number(&self) -> u32 {
        let status = match self {
            Watched::Polygons { search, .. } => search.status(),
            Watched::Places { opened, next, .. } if *next < opened.len() => Status::Looking,
            Watched::Places { status, .. } => *status,
        };
        match status {
            Status::Looking => 0,
            Status::Reached | Status::Partial => 1,
            Status::OffMesh => 2,
            _ => 3,
        }
    }
}

fn go_on(page: &mut Page, places: u32) -> Option<u32> {
    let ground = Ground::new(page.level.as_ref(), &page.settings).ok()?;
    let (watched, answer) = (page.watched.as_mut()?, &mut page.answer);
    answer.clear();
    answer.push(0.0);
    match watched {
        Watched::Polygons { search, scratch } => {
            let query = &ground.searched();
            for _ in 0..places {
                let before = search.expanded();
                if search.status().is_over() {
                    break;
                }
                // One at a time, so that each is seen.
                search.step(query, &mut **scratch, 1);
                if search.expanded() == before {
                    continue;
                }
                if let Some(visit) = search.last_visit(query, &mut **scratch) {
                    answer[0] += 1.0;
                    answer.extend(numbers(&opened(&visit)));
                }
            }
        }
        Watched::Places { opened, next, .. } => {
            let slice = &opened[*next..opened.len().min(*next + places as usize)];
            answer[0] = slice.len() as f64;
            answer.extend(slice.iter().flat_map(numbers));
            *next += slice.len();
        }
    }
    Some(watched.number())
}

fn opened(visit: &Visit) -> Opened {
    let cone = visit.seen.map(|seen| [seen.from, seen.right, seen.left]);
    Opened { number: visit.polygon.0, at: visit.entry, cone }
}

fn numbers(opened: &Opened) -> [f64; 9] {
    let [x, z] = opened.at;
    let [[a, b], [c, d], [e, f]] = opened.cone.unwrap_or([[f64::NAN; 2]; 3]);
    [opened.number.into(), x, z, a, b, c, d, e, f]
}
