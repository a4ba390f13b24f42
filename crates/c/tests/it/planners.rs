//! Every planner and its options, and the requests that planners do not serve.
#![allow(unsafe_code)] // the functions are those that C calls

use std::ptr::null_mut;

use navbake_c::blob::{NavbakeMesh, navbake_close, navbake_mesh, navbake_mesh_free, navbake_open};
use navbake_c::closed::navbake_set_closed;
use navbake_c::costs::{navbake_set_cost, navbake_set_slopes};
use navbake_c::distances::navbake_distances;
use navbake_c::path::NavbakePath;
use navbake_c::place::{NavbakeLocation, navbake_locate};
use navbake_c::request::*;
use navbake_c::search::{navbake_path, navbake_search_free, navbake_search_new};
use navbake_c::status::NavbakeStatus::{self, *};

use crate::c_program::corridor;

/// A path from one end of the corridor to the other, with a change to the request.
fn ask(
    mesh: *mut NavbakeMesh,
    from: [f64; 3],
    to: [f64; 3],
    change: impl FnOnce(&mut NavbakePathRequest),
) -> Result<NavbakePath, NavbakeStatus> {
    let mut search = null_mut();
    let mut request = std::mem::MaybeUninit::uninit();
    let mut path = std::mem::MaybeUninit::uninit();
    // SAFETY: the mesh lives, and the others point at what the functions ask for; points are not
    // read after the search is freed.
    unsafe {
        assert_eq!(navbake_search_new(mesh, 0, &mut search), NavbakeOk);
        let filled = navbake_path_request(from.as_ptr(), to.as_ptr(), request.as_mut_ptr());
        assert_eq!(filled, NavbakeOk);
        let mut request = request.assume_init();
        change(&mut request);
        let status = navbake_path(mesh, search, &request, path.as_mut_ptr());
        navbake_search_free(search);
        match status {
            NavbakeOk => Ok(path.assume_init()),
            other => Err(other),
        }
    }
}

fn with_corridor(test: impl FnOnce(*mut NavbakeMesh)) {
    let bytes = corridor();
    let (mut blob, mut mesh) = (null_mut(), null_mut());
    // SAFETY: the bytes outlive the mesh, which nothing uses after it is freed.
    unsafe {
        let opened = navbake_open(bytes.as_ptr(), bytes.len(), null_mut(), 0, &mut blob);
        assert_eq!(opened, NavbakeOk);
        assert_eq!(navbake_mesh(blob, 0, &mut mesh), NavbakeOk);
        navbake_close(blob);
        test(mesh);
        navbake_mesh_free(mesh);
    }
}

const FROM: [f64; 3] = [2.0, 0.0, 2.0];
const TO: [f64; 3] = [10.0, 0.0, 3.0];
const BRIDGE: [f64; 3] = [9.0, 0.0, 1.0];

#[test]
fn every_planner_finds_the_path_or_says_why_not() {
    with_corridor(|mesh| {
        let by = |planner| ask(mesh, FROM, TO, |r| r.planner = planner);
        let found = |planner| by(planner).map(|p| (p.planner, p.point_count, p.gap));
        let length = by(NAVBAKE_PLANNER_OPTIMAL).unwrap().length_xz;
        for (asked, used) in [
            (NAVBAKE_PLANNER_CORRIDOR, NAVBAKE_PLANNER_CORRIDOR),
            (NAVBAKE_PLANNER_OPTIMAL, NAVBAKE_PLANNER_OPTIMAL),
            (NAVBAKE_PLANNER_MIDPOINTS, NAVBAKE_PLANNER_MIDPOINTS),
            (NAVBAKE_PLANNER_WEIGHTED, NAVBAKE_PLANNER_OPTIMAL),
            (NAVBAKE_PLANNER_AUTO, NAVBAKE_PLANNER_CORRIDOR),
        ] {
            assert_eq!(found(asked), Ok((used, 2, 0.0)), "planner {asked}");
            assert_eq!(by(asked).unwrap().length_xz, length);
        }
        assert_eq!(found(NAVBAKE_PLANNER_HIERARCHICAL), Err(NavbakeNoRooms));
        assert_eq!(found(NAVBAKE_PLANNER_GRID8), Err(NavbakeNoCells));
        assert_eq!(found(NAVBAKE_PLANNER_NETWORK), Err(NavbakeNoCells));
        assert_eq!(found(NAVBAKE_PLANNER_NETWORK + 1), Err(NavbakeBadArgument));
    });
}

#[test]
fn options_are_those_of_the_runtime() {
    with_corridor(|mesh| {
        let ask = |change: &dyn Fn(&mut NavbakePathRequest)| ask(mesh, FROM, TO, change).err();
        for planner in [NAVBAKE_PLANNER_CORRIDOR, NAVBAKE_PLANNER_MIDPOINTS] {
            for order in 0..3 {
                for heuristic in 0..5 {
                    for ahead in 0..4 {
                        let asked = ask(&|r| {
                            (r.planner, r.order, r.heuristic) = (planner, order, heuristic);
                            (r.ahead, r.reverse, r.max_open) = (ahead, 1, 16);
                        });
                        assert_eq!(asked, None);
                    }
                }
            }
        }
        assert_eq!(ask(&|r| r.heuristic = NAVBAKE_HEURISTIC_TABLE), Some(NavbakeNoLandmarks));
        let by_landmarks = ask(&|r| (r.planner, r.landmarks) = (NAVBAKE_PLANNER_WEIGHTED, 1));
        assert_eq!(by_landmarks, Some(NavbakeNoLandmarks));
        assert_eq!(ask(&|r| r.order = 3), Some(NavbakeBadArgument));
        assert_eq!(ask(&|r| r.heuristic = NAVBAKE_HEURISTIC_USUAL), None);
        assert_eq!(ask(&|r| r.heuristic = NAVBAKE_HEURISTIC_USUAL + 1), Some(NavbakeBadArgument));
        assert_eq!(ask(&|r| r.ahead = 4), Some(NavbakeBadArgument));
        assert_eq!(ask(&|r| (r.planner, r.order) = (NAVBAKE_PLANNER_OPTIMAL, 9)), None);
    });
}

#[test]
fn ground_has_costs_and_a_blocked_start_can_be_left() {
    with_corridor(|mesh| {
        let by = |planner, from| ask(mesh, from, FROM, |r| r.planner = planner);
        let plain = by(NAVBAKE_PLANNER_OPTIMAL, TO).unwrap().cost;
        // SAFETY: the mesh lives, and nothing else uses it.
        let set =
            |area: &std::ffi::CStr, cost| unsafe { navbake_set_cost(mesh, area.as_ptr(), cost) };
        assert_eq!(set(c"mud", 2.0), NavbakeBadArgument);
        assert_eq!(set(c"ground", -1.0), NavbakeBadArgument);
        assert_eq!(set(c"ground", 2.0), NavbakeOk);
        for planner in [NAVBAKE_PLANNER_OPTIMAL, NAVBAKE_PLANNER_HIERARCHICAL] {
            assert_eq!(by(planner, TO).err(), Some(NavbakeCosts));
        }
        for planner in [NAVBAKE_PLANNER_WEIGHTED, NAVBAKE_PLANNER_CORRIDOR] {
            let path = by(planner, TO).unwrap();
            assert_eq!(path.planner, planner);
            assert!((path.cost - 2.0 * plain).abs() < 1e-9, "{} {plain}", path.cost);
        }
        assert_eq!(set(c"ground", 1.0), NavbakeOk);
        // SAFETY: likewise.
        unsafe {
            assert_eq!(navbake_set_slopes(mesh, f64::NAN, 0.0), NavbakeBadArgument);
            assert_eq!(navbake_set_slopes(mesh, 1.0, 0.0), NavbakeOk);
            assert_eq!(by(NAVBAKE_PLANNER_OPTIMAL, TO).err(), Some(NavbakeCosts));
            assert_eq!(navbake_set_slopes(mesh, 0.0, 0.0), NavbakeOk);
            // The bridge is closed: it can be left.
            assert_eq!(navbake_set_closed(mesh, &0b10, 1), NavbakeOk);
        }
        assert_eq!(by(NAVBAKE_PLANNER_OPTIMAL, BRIDGE).err(), Some(NavbakeStartBlocked));
        let path = by(NAVBAKE_PLANNER_CORRIDOR, BRIDGE).unwrap();
        assert_eq!(path.planner, NAVBAKE_PLANNER_CORRIDOR);
        // Forbidden ground stays blocked whatever switches are open.
        assert_eq!(set(c"ground", f64::INFINITY), NavbakeOk);
        // SAFETY: likewise.
        assert_eq!(unsafe { navbake_set_closed(mesh, &0, 1) }, NavbakeOk);
        assert_eq!(by(NAVBAKE_PLANNER_OPTIMAL, TO).err(), Some(NavbakeStartBlocked));
        // All ground is forbidden: a unit moves on what it is on.
        assert!(by(NAVBAKE_PLANNER_CORRIDOR, TO).is_ok());
    });
}

#[test]
fn distances_are_the_costs_of_optimal_paths() {
    with_corridor(|mesh| {
        let places = [FROM, TO, BRIDGE];
        let (mut search, mut all, mut gap) = (null_mut(), [[f64::NAN; 3]; 3], f64::NAN);
        let at = places.map(|place| {
            let mut at = NavbakeLocation { position: [0.0; 3], polygon: 0 };
            // SAFETY: the mesh lives, and the others point at what the function asks for.
            let found = unsafe { navbake_locate(mesh, place.as_ptr(), 2.0, &mut at) };
            assert_eq!(found, NavbakeOk);
            at
        });
        // SAFETY: as above; the numbers have room for three rows of three.
        unsafe {
            assert_eq!(navbake_search_new(mesh, 0, &mut search), NavbakeOk);
            let (at, to) = (at.as_ptr(), all.as_mut_ptr().cast());
            let found = navbake_distances(mesh, search, at, 3, at, 3, to, &mut gap);
            navbake_search_free(search);
            assert_eq!((found, gap), (NavbakeOk, 0.0));
        }
        for (from, row) in places.iter().zip(all) {
            for (to, distance) in places.iter().zip(row) {
                let optimal = |request: &mut NavbakePathRequest| {
                    request.planner = NAVBAKE_PLANNER_OPTIMAL;
                };
                let cost = ask(mesh, *from, *to, optimal).map_or(f64::INFINITY, |path| path.cost);
                let same = distance == cost || (distance - cost).abs() < 1e-9;
                assert!(same, "{distance} of {cost}: {from:?} to {to:?}");
            }
        }
    });
}
