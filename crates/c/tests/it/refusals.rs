//! The status of a call says what is wrong with it, and nothing is written then.
#![allow(unsafe_code)] // the functions are those that C calls

use std::ptr::{null, null_mut};

use navbake_c::blob::{NavbakeAgent, navbake_agent, navbake_mesh, navbake_open};
use navbake_c::chunks::{
    navbake_chunk_count, navbake_chunk_file, navbake_chunk_insert, navbake_chunk_loaded,
    navbake_chunk_open, navbake_chunk_remove, navbake_not_loaded, navbake_route,
};
use navbake_c::closed::{navbake_set_closed, navbake_switch};
use navbake_c::costs::{navbake_set_cost, navbake_set_slopes};
use navbake_c::distances::navbake_distances;

use navbake_c::place::{
    NavbakeLocation, navbake_locate, navbake_nearest, navbake_raycast, navbake_reachable,
};
use navbake_c::request::navbake_path_request;
use navbake_c::save::{navbake_restore, navbake_save, navbake_saved_chunks};
use navbake_c::search::{navbake_path, navbake_search_new};
use navbake_c::status::NavbakeStatus::{
    self, NavbakeBadArgument, NavbakeBadBlob, NavbakeNullPointer,
};
use navbake_c::vehicle::{
    navbake_vehicle_block, navbake_vehicle_kind, navbake_vehicle_new, navbake_vehicle_set_roads,
    navbake_vehicle_update,
};
use navbake_c::vehicle_path::{navbake_vehicle_path, navbake_vehicle_request};

const POINT: [f64; 3] = [0.0; 3];

#[test]
fn null_is_refused_by_every_function() {
    let mut place = NavbakeLocation { position: POINT, polygon: 7 };
    let at: *const NavbakeLocation = &place;
    // SAFETY: pointers are null, or point at what the functions ask for.
    let all: Vec<NavbakeStatus> = unsafe {
        vec![
            navbake_open(null(), 1, null_mut(), 0, &mut null_mut()),
            navbake_open([0u8].as_ptr(), 1, null_mut(), 0, null_mut()),
            navbake_agent(null(), 0, null_mut()),
            navbake_mesh(null(), 0, &mut null_mut()),
            navbake_locate(null(), POINT.as_ptr(), 1.0, &mut place),
            navbake_nearest(null(), POINT.as_ptr(), POINT.as_ptr(), &mut place),
            navbake_reachable(null(), at, at),
            navbake_raycast(null(), at, POINT.as_ptr(), null_mut()),
            navbake_search_new(null(), 0, &mut null_mut()),
            navbake_path_request(null(), POINT.as_ptr(), null_mut()),
            navbake_path(null(), null_mut(), null(), null_mut()),
            navbake_switch(null(), 0, null_mut()),
            navbake_set_closed(null_mut(), null(), 0),
            navbake_set_cost(null_mut(), null(), 1.0),
            navbake_set_cost(null_mut(), c"mud".as_ptr(), 1.0),
            navbake_set_slopes(null_mut(), 0.0, 0.0),
            navbake_distances(null(), null_mut(), at, 1, at, 1, &mut 0.0, &mut 0.0),
            navbake_chunk_file(null(), 0, null_mut()),
            navbake_chunk_open(null(), 0, null(), 0, null_mut(), 0, &mut null_mut()),
            navbake_chunk_insert(null_mut(), null()),
            navbake_chunk_remove(null_mut(), 0, 0),
            navbake_chunk_loaded(null(), 0, 0),
            navbake_not_loaded(null(), at, null_mut(), 0, &mut 0),
            navbake_route(null(), null_mut(), at, POINT.as_ptr(), 1.0, null_mut(), 0, null_mut()),
            navbake_save(null_mut(), null_mut(), 0, &mut 0),
            navbake_saved_chunks(null(), 1, null_mut(), 0, null_mut(), 0, &mut 0),
            navbake_restore(null_mut(), null(), 0, null(), 0, null_mut(), 0),
            navbake_vehicle_kind(null(), 0, null_mut()),
            navbake_vehicle_new(null(), 0, null(), 0, null_mut()),
            navbake_vehicle_update(null_mut(), null()),
            navbake_vehicle_block(null_mut(), POINT.as_ptr(), 1),
            navbake_vehicle_set_roads(null_mut(), null(), null(), 0, 1.0, 0, 0),
            navbake_vehicle_request(null(), 0.0, POINT.as_ptr(), null_mut()),
            navbake_vehicle_path(null_mut(), null(), null(), null_mut()),
        ]
    };
    assert_eq!(all, vec![NavbakeNullPointer; all.len()]);
    assert_eq!(place.polygon, 7);
    // SAFETY: the pointer is null.
    assert_eq!(unsafe { navbake_chunk_count(null()) }, 0);
}

#[test]
fn bytes_that_are_no_blob_are_refused_with_a_message_that_fits() {
    let mut blob = null_mut();
    for capacity in [0, 1, 2, 10, 200] {
        let mut message = vec![1; 200];
        // SAFETY: the message has room for more than its capacity says.
        let status = unsafe {
            navbake_open(b"no blob".as_ptr(), 7, message.as_mut_ptr(), capacity, &mut blob)
        };
        assert_eq!(status, NavbakeBadBlob);
        assert!(blob.is_null());
        let end = message.iter().position(|&c| c == 0);
        assert_eq!(end.is_some(), capacity > 0);
        assert!(end.is_none_or(|end| end < capacity));
        assert!(message[capacity..].iter().all(|&c| c == 1), "nothing is written beyond");
    }
    // SAFETY: no bytes may have any pointer.
    let empty = unsafe { navbake_open(null(), 0, null_mut(), 0, &mut blob) };
    assert_eq!(empty, NavbakeBadBlob);
    // SAFETY: the length is refused before anything is read.
    let endless =
        unsafe { navbake_open(POINT.as_ptr().cast(), usize::MAX, null_mut(), 0, &mut blob) };
    assert_eq!(endless, NavbakeBadArgument);
}

#[test]
fn misaligned_pointers_are_refused() {
    let bytes = [0u8; 64];
    let crooked = bytes.as_ptr().wrapping_add(1);
    let crooked =
        if crooked.cast::<f64>().is_aligned() { crooked.wrapping_add(1) } else { crooked };
    // SAFETY: a misaligned pointer is not read.
    let status = unsafe { navbake_path_request(crooked.cast(), POINT.as_ptr(), null_mut()) };
    assert_eq!(status, NavbakeNullPointer);
    // SAFETY: a misaligned pointer is not written to.
    let status = unsafe { navbake_agent(null(), 0, crooked.cast_mut().cast::<NavbakeAgent>()) };
    assert_eq!(status, NavbakeNullPointer);
}
