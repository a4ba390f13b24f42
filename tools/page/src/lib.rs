//! The functions of the runtime that the report's page uses, exported to WebAssembly: pass a blob,
//! request a path or watch its search, read the answer.
//!
//! `tools/page/build.py` builds `crates/report/src/html/search.wasm` from it.

// The names of exports are for the page to find; that is all that is unsafe here.
#![allow(unsafe_code)]

pub mod watch;

use std::cell::RefCell;

use navbake_search::blob::Blob;
use navbake_search::{Algorithm, NavMeshBuf, NavQuery, PathRequest, QueryFilter, Scratch, Status};

/// The greatest distance of the ground from a clicked place, m.
const EXTENTS: [f64; 3] = [0.5, 8.0, 0.5];

#[derive(Default)]
struct Page {
    input: Vec<u8>,
    /// The navmesh of each agent class; none where the blob is unsound.
    meshes: Vec<NavMeshBuf>,
    /// Memory of paths.
    scratch: Scratch,
    /// A search that is watched.
    watched: Option<watch::Watched>,
    /// Of a path: length in the ground plane and in space, number of points, then the points. Of a
    /// search: see [`watch`].
    answer: Vec<f64>,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

/// Allocates room for a blob of this many bytes; the page writes it there.
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
        let bytes = std::mem::take(&mut page.input);
        let blob = Blob::open_checked(&bytes).ok();
        let meshes = blob.as_ref().map(|b| (0..b.class_count()).filter_map(|c| b.decode(c).ok()));
        page.meshes = meshes.into_iter().flatten().collect();
        u32::from(blob.is_some())
    })
}

/// Finds the shortest path for an agent, by its number: 1 when it leads there, 0 when there is
/// none, 2 when an end is not on the ground.
#[unsafe(no_mangle)]
pub extern "C" fn path(agent: u32, x: f64, y: f64, z: f64, u: f64, v: f64, w: f64) -> u32 {
    PAGE.with_borrow_mut(|page| find(page, agent, [x, y, z], [u, v, w]).unwrap_or(2))
}

/// The address of the answer: 64-bit numbers.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const f64 {
    PAGE.with_borrow(|page| page.answer.as_ptr())
}

/// Asks something of an agent, by its number, on its navmesh: with its labels or without.
fn ask<T>(
    meshes: &[NavMeshBuf],
    number: u32,
    labels: bool,
    what: impl FnOnce(&NavQuery<'_>) -> Option<T>,
) -> Option<T> {
    let file = meshes.first()?.mesh().file();
    let agent = file.agents().nth(number as usize)?;
    let nav = meshes.get(usize::from(agent.class))?;
    let mut filter = QueryFilter::new();
    filter.set_agents(1u32.checked_shl(number).unwrap_or(0));
    if let Some(row) = file.weights_for("", number as u16) {
        filter.set_weights(&row);
    }
    let mesh = if labels { nav.mesh() } else { nav.mesh().without_labels() };
    what(&NavQuery::new(mesh).with_filter(&filter))
}

/// The shortest path, or the cheapest where ground has costs.
fn request(from: [f64; 3], to: [f64; 3]) -> PathRequest {
    let algorithm = Algorithm::weighted(Algorithm::GAP);
    PathRequest::new(from, to).extents(EXTENTS).algorithm(algorithm)
}

fn find(page: &mut Page, number: u32, from: [f64; 3], to: [f64; 3]) -> Option<u32> {
    let (scratch, out) = (&mut page.scratch, &mut page.answer);
    ask(&page.meshes, number, true, |query| {
        let path = query.find_path(&request(from, to), scratch).ok()?;
        out.clear();
        if path.status == Status::OffMesh {
            return None;
        }
        let points = path.points;
        out.extend([path.length_xz, path.length_3d(query), points.len() as f64]);
        out.extend(points.iter().flatten());
        Some(u32::from(path.status == Status::Reached))
    })
}
