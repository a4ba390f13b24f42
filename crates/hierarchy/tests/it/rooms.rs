//! Rooms of grid maps: what must hold of any, and what small ones have.

use crate::maps::{hold, mesh_of, room_at, rows, settings, text};
use navbake_geom::Point;
use navbake_hierarchy::{RoomSettings, Rooms, rooms};
use navbake_mesh::PolygonMesh;
use proptest::prelude::*;

#[test]
fn two_rooms_meet_at_the_door_between_them() {
    let mesh = mesh_of(&text(&[
        "@@@@@@@@@@@@@@@",
        "@......@......@",
        "@......@......@",
        "@.............@",
        "@......@......@",
        "@......@......@",
        "@......@......@",
        "@@@@@@@@@@@@@@@",
    ]));
    let (cut, rooms) = rooms(&mesh, &settings());
    hold(&mesh, &cut, &rooms);
    assert_eq!((rooms.count, rooms.doors.len()), (2, 1));
    // In the middle of its doorway.
    assert_eq!(rooms.doors[0].ends, [Point::new(7680, 3072), Point::new(7680, 4096)]);
    assert_eq!(rooms.joints.is_bridge, [true]);
    assert_eq!(rooms.joints.is_choke, [false, false]);
    assert_ne!(room_at(&cut, &rooms, 2, 2), room_at(&cut, &rooms, 12, 2));
}

#[test]
fn a_corridor_is_a_room_and_a_niche_is_none() {
    let mesh = mesh_of(&text(&[
        "@@@@@@@@@@@@@@@@@@@@@@@@@@",
        "@.......@@@@@@@@@@.......@",
        "@.......@@@@@@@@@@.......@",
        "@.......@@@@@@@@@@.......@",
        "@........................@",
        "@.......@@@@@@@@@@.......@",
        "@.......@@@@@@@@@@.......@",
        "@.......@@@@@@@@@@.......@",
        "@@@.@@@@@@@@@@@@@@@@@@@@@@",
    ]));
    let (cut, rooms) = rooms(&mesh, &settings());
    hold(&mesh, &cut, &rooms);
    assert_eq!((rooms.count, rooms.doors.len()), (3, 2));
    let corridor = room_at(&cut, &rooms, 12, 4);
    assert!(rooms.joints.is_choke[corridor as usize]);
    assert_eq!(room_at(&cut, &rooms, 3, 8), room_at(&cut, &rooms, 3, 7));
    let ends = [
        [Point::new(8192, 4096), Point::new(8192, 5120)],
        [Point::new(18432, 4096), Point::new(18432, 5120)],
    ];
    let found: Vec<[Point; 2]> = rooms.doors.iter().map(|d| d.ends).collect();
    assert_eq!(found, ends);
}

#[test]
fn an_empty_mesh_has_no_rooms_and_one_square_is_one() {
    let (cut, found) =
        rooms(&PolygonMesh { first_edge: vec![0], ..PolygonMesh::default() }, &settings());
    assert_eq!((cut.len(), found.count, found.doors.len()), (0, 0, 0));
    let mesh = mesh_of(&text(&["..", ".."]));
    let (cut, found) = rooms(&mesh, &settings());
    assert_eq!((cut, found.count), (mesh, 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_polygon_has_one_room_and_every_door_its_portals(
        rows in rows(), least in 0.0f64..30.0, alpha in 0.3f64..0.95, most in prop_oneof![Just(0.0), 20.0f64..400.0],
    ) {
        prop_assume!(rows.iter().any(|r| r.contains('.')));
        let mesh = mesh_of(&rows);
        let settings = RoomSettings {
            min_area: least * 1024.0 * 1024.0,
            max_field: most * 1024.0 * 1024.0,
            alphas: vec![alpha, alpha / 2.0, alpha / 4.0],
            ..settings()
        };
        let (cut, found) = rooms_of(&mesh, &settings);
        hold(&mesh, &cut, &found);
    }
}

#[test]
fn open_land_falls_into_fields_of_bounded_size() {
    let free = ".".repeat(100);
    let mut rows = vec![free; 80];
    // A rock off the lattice, and a wall along a part of one of its lines.
    for row in &mut rows[37..45] {
        row.replace_range(33..41, "@@@@@@@@");
    }
    for row in &mut rows[10..30] {
        row.replace_range(63..65, "@@");
    }
    let mesh = mesh_of(&rows);
    let most = 16.0 * 16.0 * 1024.0 * 1024.0;
    let (cut, found) = rooms(&mesh, &RoomSettings { max_field: most, ..settings() });
    hold(&mesh, &cut, &found);
    let mut area = vec![0.0; found.count];
    for p in 0..cut.len() {
        area[found.of[p] as usize] += cut.polygon_area_doubled(p) as f64 / 2.0;
    }
    assert!(area.iter().all(|&a| a <= most * 1.25), "{area:?}");
    assert!((25..=40).contains(&found.count), "{}", found.count);
    let divides = found.doors.iter().filter(|d| d.is_divide).count();
    assert!(divides >= 40, "{divides}");
    // Fields are one when rooms are put together.
    assert!(found.wider.iter().all(|of| of.iter().all(|&w| w == 0)));
}

fn rooms_of(mesh: &PolygonMesh, settings: &RoomSettings) -> (PolygonMesh, Rooms) {
    rooms(mesh, settings)
}
