//! The planners that the report's page uses, exported to WebAssembly: pass a blob and settings,
//! request a path or watch its search, read the answer.
//!
//! `tools/page/build.py` builds `crates/report/src/html/search.wasm` from it.

// The names of exports are for the page to find; that is all that is unsafe here.
#![allow(unsafe_code)]

mod ask;
mod settings;
pub mod watch;

use std::cell::RefCell;

use ask::{Found, Ground};
use navbake_rooms::RoomScratch;
use navbake_search::blob::{Blob, CheckedBlob};
use navbake_search::{NavMeshBuf, Status};
use settings::{Planner, Settings};

/// The greatest distance of the ground from a clicked place, m.
const EXTENTS: [f64; 3] = [0.5, 8.0, 0.5];

#[derive(Default)]
struct Page {
    input: Vec<u8>,
    level: Option<Level>,
    settings: Settings,
    /// Memory of paths over polygons.
    scratch: RoomScratch,
    /// A search that is watched.
    watched: Option<watch::Watched>,
    /// Of a path: see [`path`]. Of a search: see [`watch`].
    answer: Vec<f64>,
    /// The planner that was used, or what was wrong.
    message: String,
}

/// What was opened.
struct Level {
    blob: CheckedBlob<'static>,
    /// The navmesh of each agent class.
    meshes: Vec<NavMeshBuf>,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

/// Allocates room for a blob or settings of this many bytes; the page writes them there.
#[unsafe(no_mangle)]
pub extern "C" fn room(len: usize) -> *mut u8 {
    PAGE.with_borrow_mut(|page| {
        page.input = vec![0; len];
        page.input.as_mut_ptr()
    })
}

/// Opens the blob that was written: 1, or 0 when it is unsound.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> u32 {
    PAGE.with_borrow_mut(|page| {
        // A page opens one blob and keeps it.
        let bytes: &'static [u8] = std::mem::take(&mut page.input).leak();
        let opened = Blob::open_checked(bytes).ok().map(|blob| {
            let meshes = (0..blob.class_count()).filter_map(|class| blob.decode(class).ok());
            Level { blob, meshes: meshes.collect() }
        });
        page.level = opened;
        u32::from(page.level.is_some())
    })
}

/// Takes the settings that were written, for all later searches: 1, or 0 with a message.
#[unsafe(no_mangle)]
pub extern "C" fn set() -> u32 {
    PAGE.with_borrow_mut(|page| {
        let text = String::from_utf8(std::mem::take(&mut page.input));
        let read = text.map_err(|error| error.to_string()).and_then(|text| Settings::read(&text));
        page.watched = None;
        match read {
            Ok(settings) => page.settings = settings,
            Err(error) => {
                page.message = error;
                return 0;
            }
        }
        1
    })
}

/// Finds a path by the settings.
///
/// Returns 0 when there is none, 1 when it leads there, 2 when an end is not on the ground, 3 when
/// it leads near the goal, 4 when the planner refuses the request: see [`message`].
///
/// The answer is seven numbers, then the points: length in the ground plane and in space (NaN where
/// it is not known), cost, lower bound of the cost, 1 where it is proved optimal, entries expanded,
/// number of points.
#[unsafe(no_mangle)]
pub extern "C" fn path(x: f64, y: f64, z: f64, u: f64, v: f64, w: f64) -> u32 {
    PAGE.with_borrow_mut(|page| {
        let found = find(page, [[x, y, z], [u, v, w]]);
        page.answer.clear();
        match found {
            Ok(found) => {
                page.message = found.planner.into();
                let numbers = [found.length_xz, found.length_3d, found.cost, found.bound];
                page.answer.extend(numbers);
                page.answer.push(u32::from(found.is_optimal).into());
                page.answer.extend([f64::from(found.expanded), found.points.len() as f64]);
                page.answer.extend(found.points.iter().flatten());
                status_number(found.status)
            }
            Err(error) => {
                page.message = error;
                4
            }
        }
    })
}

/// The address of the answer: 64-bit numbers.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const f64 {
    PAGE.with_borrow(|page| page.answer.as_ptr())
}

/// The address of the message: UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn message() -> *const u8 {
    PAGE.with_borrow(|page| page.message.as_ptr())
}

/// The bytes of the message.
#[unsafe(no_mangle)]
pub extern "C" fn message_length() -> usize {
    PAGE.with_borrow(|page| page.message.len())
}

/// The ground of an agent, by its number, near a point: 1, and its place is the answer, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn ground(agent: u16, x: f64, y: f64, z: f64) -> u32 {
    PAGE.with_borrow_mut(|page| {
        let settings = Settings { agent, ..page.settings.clone() };
        page.answer.clear();
        let ground = Ground::new(page.level.as_ref(), &settings);
        let place = ground.ok().and_then(|ground| ground.query().end([x, y, z], EXTENTS));
        page.answer.extend(place.iter().flat_map(|place| place.position()));
        u32::from(place.is_some())
    })
}

/// The free cell of the grid map under a point: 1, or 0 where there is none.
///
/// The answer is its column and row, then x and z of each corner.
#[unsafe(no_mangle)]
pub extern "C" fn cell(x: f64, z: f64) -> u32 {
    PAGE.with_borrow_mut(|page| {
        page.answer.clear();
        let Some(map) = page.level.as_ref().and_then(|level| level.blob.grid_map()) else {
            return 0;
        };
        let Some(cell) = map.free_cell_at([x, 0.0, z]) else {
            return 0;
        };
        let (place, shape) = (map.column_row(cell), map.shape());
        let [left, _, top] = map.corner();
        page.answer.extend(place.map(f64::from));
        for k in 0..shape.sides() {
            let [dx, dz] = shape.corner(place.map(i64::from), k).map(|v| v * map.cell());
            page.answer.extend([left + dx, top + dz]);
        }
        1
    })
}

fn find(page: &mut Page, ends: [[f64; 3]; 2]) -> Result<Found, String> {
    let ground = Ground::new(page.level.as_ref(), &page.settings)?;
    match page.settings.planner {
        Planner::Cells(planner) => {
            ask::over_cells(&ground, &page.settings, planner, ends).map(|(found, _)| found)
        }
        Planner::Network => {
            ask::over_network(&ground, &page.settings, ends).map(|(found, _)| found)
        }
        Planner::Polygons(_) | Planner::Rooms => {
            ask::over_polygons(&ground.query(), &page.settings, ends, &mut page.scratch)
        }
    }
}

fn status_number(status: Status) -> u32 {
    match status {
        Status::Reached => 1,
        Status::OffMesh => 2,
        Status::Partial => 3,
        _ => 0,
    }
}
