//! What the report's page asks of the runtime, as functions that WebAssembly exports: hand over a blob, ask for a path or watch its search, read the answer.
//!
//! `tools/page/build.py` makes `crates/report/src/html/search.wasm` of it.

// The names of exports are for the page to find; that is all that is unsafe here.
#![allow(unsafe_code)]

pub mod watch;

use std::cell::RefCell;

use navbake_search::{
    AreaCosts, Blob, CheckedBlob, PathRequest, Planner, Query, SearchBuffer, Status,
};

/// How far from a place that was clicked the ground may lie, m.
const EXTENTS: [f64; 3] = [0.5, 8.0, 0.5];

#[derive(Default)]
struct Page {
    input: Vec<u8>,
    blob: Option<CheckedBlob<'static>>,
    /// One an agent class, once it was asked for.
    buffers: Vec<Option<SearchBuffer>>,
    /// A search that is watched.
    watched: Option<watch::Watched>,
    /// Of a path: length in the ground plane and in space, number of points, then the points. Of a search: see [`watch`].
    answer: Vec<f64>,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

/// Room for a blob of so many bytes; the page writes it there.
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
        // The page keeps its one blob as long as it is shown.
        let bytes: &'static [u8] = Vec::leak(std::mem::take(&mut page.input));
        page.blob = Blob::open_checked(bytes).ok();
        let classes = page.blob.as_ref().map_or(0, |blob| blob.class_count());
        page.buffers = (0..classes).map(|_| None).collect();
        u32::from(page.blob.is_some())
    })
}

/// Finds the shortest path for an agent, by its number: 1 when it leads there, 0 when there is none, 2 when an end is not on the ground.
#[unsafe(no_mangle)]
pub extern "C" fn path(agent: u32, x: f64, y: f64, z: f64, u: f64, v: f64, w: f64) -> u32 {
    PAGE.with_borrow_mut(|page| find(page, agent, [x, y, z], [u, v, w]).unwrap_or(2))
}

/// Where the answer lies: numbers of 64 bits.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const f64 {
    PAGE.with_borrow(|page| page.answer.as_ptr())
}

/// Asks something of an agent, by its number, on its navmesh.
fn ask<T>(
    blob: &CheckedBlob<'_>,
    number: u32,
    what: impl FnOnce(&Query<'_>, usize) -> Option<T>,
) -> Option<T> {
    let agent = blob.agents().nth(number as usize)?;
    let mesh = blob.decode(agent.class).ok().map(|nav| nav.leak())?;
    let row = blob.weights_for("", number as u16);
    let costs = row.map(|row| AreaCosts::from(&row));
    let mut query = Query::new(mesh).with_agents(1u32.checked_shl(number).unwrap_or(0));
    if let Some(costs) = &costs {
        query = query.with_costs(costs);
    }
    what(&query, agent.class.into())
}

fn request(from: [f64; 3], to: [f64; 3]) -> PathRequest {
    PathRequest::new(from, to).extents(EXTENTS).planner(Planner::Optimal)
}

fn find(page: &mut Page, number: u32, from: [f64; 3], to: [f64; 3]) -> Option<u32> {
    let (buffers, out) = (&mut page.buffers, &mut page.answer);
    ask(page.blob.as_ref()?, number, |query, class| {
        let slot = buffers.get_mut(class)?;
        let buffer = slot.get_or_insert_with(|| SearchBuffer::new(query.mesh()));
        let answer = query.path(&request(from, to), buffer);
        out.clear();
        if answer.status == Status::OffMesh {
            return None;
        }
        let points = answer.points;
        out.extend([answer.length_xz, answer.length_3d(query), points.len() as f64]);
        out.extend(points.iter().flatten());
        Some(u32::from(answer.status == Status::Reached))
    })
}
