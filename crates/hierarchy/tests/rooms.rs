//! Rooms of grid maps: what must hold of any, and what small ones have.

use navbake_geom::{Grid, Point, orient};
use navbake_hierarchy::{RoomSettings, Rooms, rooms};
use navbake_level::GridMap;
use navbake_mesh::{
    MergeSettings, NONE, NavMesh, Patch, PatchSettings, StitchSettings, join, merge_polygons, patch,
};
use navbake_walkable::grid_map_layers;
use proptest::prelude::*;

/// The polygons of rows of cells a metre wide: `.` is free.
fn mesh_of(rows: &[String]) -> NavMesh {
    let map = GridMap {
        cell: 1.0,
        width: rows[0].len() as u32,
        height: rows.len() as u32,
        free: rows
            .iter()
            .flat_map(|r| r.bytes().map(|b| b == b'.'))
            .collect(),
        terrain: vec![],
    };
    let grid = Grid {
        bits: 10,
        origin: [0.0; 3],
    };
    let settings = PatchSettings {
        tolerance: 0,
        height_error: 0,
        seam_error: 0,
        slope_error: 0,
        max_corners: 32,
    };
    let patches: Vec<Patch> = grid_map_layers(&map, &grid)
        .iter()
        .map(|l| patch(l, &settings).unwrap())
        .collect();
    merge_polygons(
        &join(&patches, &StitchSettings { climb: 1 }),
        &MergeSettings::default(),
    )
}

fn settings() -> RoomSettings {
    RoomSettings {
        radius: 0,
        alphas: vec![0.65, 0.4, 0.2],
        min_area: 4.0 * 1024.0 * 1024.0,
        max_field: 0.0,
        finest: 512,
    }
}

fn text(rows: &[&str]) -> Vec<String> {
    rows.iter().map(|&r| r.into()).collect()
}

/// The room of the polygon at the middle of a cell.
fn room_at(mesh: &NavMesh, rooms: &Rooms, x: i32, z: i32) -> u32 {
    let at = Point::new(1024 * x + 500, 1024 * z + 517);
    let corner = |v: u32| mesh.vertices[v as usize].flat();
    let holds = |p: &usize| {
        let ring = mesh.polygon(*p);
        (0..ring.len())
            .all(|k| orient(corner(ring[k]), corner(ring[(k + 1) % ring.len()]), at) >= 0)
    };
    rooms.of[(0..mesh.len()).find(holds).unwrap()]
}

/// What holds of rooms of any mesh.
fn hold(before: &NavMesh, mesh: &NavMesh, rooms: &Rooms) {
    mesh.check().unwrap();
    assert_eq!(
        mesh.area_doubled(),
        before.area_doubled(),
        "no ground is lost where ends are grid points"
    );
    assert_eq!(rooms.of.len(), mesh.len());
    let mut is_door = vec![false; mesh.corners.len()];
    for door in &rooms.doors {
        assert!(door.rooms[0] < door.rooms[1] && !door.portals.is_empty());
        for &e in &door.portals {
            assert!(
                !std::mem::replace(&mut is_door[e as usize], true),
                "a portal of two doors"
            );
        }
    }
    for p in 0..mesh.len() {
        for e in mesh.edges(p) {
            let q = mesh.neighbours[e];
            if q == NONE {
                continue;
            }
            let two = rooms.of[p] != rooms.of[q as usize];
            assert!(two || !is_door[e]);
            if two && rooms.of[p] < rooms.of[q as usize] {
                assert!(is_door[e], "a portal between two rooms is a door's");
            }
        }
    }
    // Rooms hang together: as many as fall apart when doors are walls.
    let mut of: Vec<usize> = (0..mesh.len()).collect();
    loop {
        let mut changed = false;
        for p in 0..mesh.len() {
            for e in mesh.edges(p) {
                let q = mesh.neighbours[e];
                if q != NONE && rooms.of[p] == rooms.of[q as usize] && of[p] != of[q as usize] {
                    let least = of[p].min(of[q as usize]);
                    (of[p], of[q as usize]) = (least, least);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    of.sort_unstable();
    of.dedup();
    assert_eq!(of.len(), rooms.count);
    // Wider rooms hold the narrower ones.
    for levels in rooms.wider.windows(2) {
        for a in 0..rooms.count {
            for b in 0..rooms.count {
                assert!(levels[0][a] != levels[0][b] || levels[1][a] == levels[1][b]);
            }
        }
    }
    assert_eq!(rooms.lost, 0);
}

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
    assert_eq!(
        rooms.doors[0].ends,
        [Point::new(7680, 3072), Point::new(7680, 4096)]
    );
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
    let (cut, found) = rooms(
        &NavMesh {
            first_edge: vec![0],
            ..NavMesh::default()
        },
        &settings(),
    );
    assert_eq!((cut.len(), found.count, found.doors.len()), (0, 0, 0));
    let mesh = mesh_of(&text(&["..", ".."]));
    let (cut, found) = rooms(&mesh, &settings());
    assert_eq!((cut, found.count), (mesh, 1));
}

/// Cells that hang together in clumps.
fn rows() -> impl Strategy<Value = Vec<String>> {
    let cells = prop::collection::vec(prop_oneof![3 => Just(b'.'), 1 => Just(b'@')], 18 * 14);
    cells.prop_map(|cells| {
        let rows = cells
            .chunks(18)
            .map(|row| row.iter().flat_map(|&b| [b as char; 3]).collect::<String>());
        rows.flat_map(|row| vec![row; 2]).collect()
    })
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
    let (cut, found) = rooms(
        &mesh,
        &RoomSettings {
            max_field: most,
            ..settings()
        },
    );
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

fn rooms_of(mesh: &NavMesh, settings: &RoomSettings) -> (NavMesh, Rooms) {
    rooms(mesh, settings)
}
