//! Queries allocate nothing once their scratch exists.
#![allow(unsafe_code)] // a global allocator cannot be written without

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use common::{Random, World};
use navbake_search::{Blob, Follower, PathRequest, Query, Rounding, SearchBuffer, Status};

struct Counting;

thread_local! {
    /// Of this thread: those of the test harness's own do not count.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

fn allocations() -> usize {
    ALLOCATIONS.with(Cell::get)
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
fn whole_answers_allocate_nothing() {
    let mut random = Random(3);
    let bytes = World::random(&mut random, 16, 16, 2, 25, 5, 20).bake_with_points(true, true, 5);
    let before_open = allocations();
    let blob = Blob::open(&bytes).unwrap();
    blob.verify_checksum().unwrap();
    let query = Query::new(blob.validate().unwrap().mesh(0).unwrap());
    assert_eq!(allocations(), before_open, "opening and checking");

    let mut buffer = SearchBuffer::new(query.mesh());
    let any = query.nearest([0.0; 3], [100.0; 3]).unwrap();
    let mut out = vec![any; 20_000];
    let before = allocations();
    let (mut reached, mut searched) = (0, 0);
    for _ in 0..2000 {
        let mut point = || {
            let storey = 10.0 * random.below(2) as f64;
            [
                random.below(160) as f64 / 10.0,
                storey,
                random.below(160) as f64 / 10.0,
            ]
        };
        let (from, to) = (point(), point());
        let request = PathRequest::new(from, to).partial(random.chance(50));
        let answer = query.path(&request, &mut buffer);
        reached += usize::from(answer.status == Status::Reached);
        searched += usize::from(answer.expanded > 0);
        if !answer.points.is_empty() {
            query.spline(&answer, &mut out).unwrap();
            let round = query.round(&answer, Rounding::new(0.5), &mut out).unwrap();
            Follower::new(0.2).advise(round.points, from);
        }
        if let Some(at) = query.nearest(from, [1.0; 3]) {
            query.raycast(&at, to);
            query.reachable(&at, &at);
        }
    }
    let after = allocations();
    assert_eq!(after, before, "queries");
    assert!(reached > 100 && searched > 100);
}
