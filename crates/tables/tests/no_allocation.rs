//! Paths that are looked up allocate nothing once their scratch exists.
#![allow(unsafe_code)] // a global allocator cannot be written without

#[path = "../../search/tests/common/mod.rs"]
mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use common::{Random, World};
use navbake_format::write::with_labels;
use navbake_search::{Blob, PathRequest, Planner, Query, SearchBuffer, Status};
use navbake_tables::{Packed, Views, labels_of};

struct Counting;

thread_local! {
    /// Of this thread: those of the test harness's own do not count.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|n| n.set(n.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn paths_that_are_looked_up_allocate_nothing() {
    let mut random = Random(3);
    let bytes = World::random(&mut random, 16, 16, 2, 25, 5, 20).bake_with_points(true, true, 5);
    let mesh = Blob::open_checked(&bytes).unwrap().mesh(0).unwrap();
    let mut labels = labels_of(&mesh).unwrap();
    // Views of a part of the ground, and of all its squares.
    let views = Views::new(&mesh).unwrap();
    views.fill(&mut labels, views.bytes() / 2);
    asked(&bytes, &labels);
    views.fill_squares(&mut labels, 4, u64::MAX).unwrap();
    asked(&bytes, &labels);
    // And labels of those.
    views.fill_labels(&mut labels, 4, u64::MAX).unwrap();
    asked(&bytes, &labels);
}

fn asked(bytes: &[u8], labels: &Packed) {
    let mut random = Random(5);
    let bytes = with_labels(bytes, &[labels.parts(0)]).unwrap();
    let blob = Blob::open_checked(&bytes).unwrap();
    let query = Query::new(blob.mesh(0).unwrap());
    let mut buffer = SearchBuffer::new(query.mesh());
    let before = ALLOCATIONS.with(Cell::get);
    let (mut looked_up, mut to_any, mut measured) = (0, 0, 0);
    for _ in 0..1000 {
        let mut point = || {
            let storey = 10.0 * random.below(2) as f64;
            [
                random.below(160) as f64 / 10.0,
                storey,
                random.below(160) as f64 / 10.0,
            ]
        };
        let (from, goals) = (point(), [point(), point(), point()]);
        let request = PathRequest::new(from, goals[0]).planner(Planner::Optimal);
        let answer = query.path(&request, &mut buffer);
        looked_up += usize::from(answer.by_tables && answer.status == Status::Reached);
        let points = query.path(&request.polygons(false), &mut buffer);
        looked_up += usize::from(points.polygons.is_empty() && points.by_tables);
        to_any += usize::from(query.path_to_any(&request, &goals, &mut buffer).by_tables);
        let [start, goals @ ..] = [from, goals[0], goals[1]].map(|p| query.nearest(p, [1.0; 3]));
        if let (Some(start), [Some(a), Some(b)]) = (start, goals) {
            let mut lengths = [None; 2];
            query.distances(&start, &[a, b], &mut lengths, &mut buffer);
            measured += lengths.iter().flatten().count();
        }
    }
    assert_eq!(ALLOCATIONS.with(Cell::get), before);
    let counts = [looked_up, to_any, measured];
    assert!(counts.iter().all(|&n| n > 100), "{counts:?}");
}
