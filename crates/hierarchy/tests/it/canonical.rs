//! Rooms of a smaller agent on the ground of a larger one: that of a grid map without the cells
//! beside its walls.

use std::collections::BTreeSet;

use crate::maps::{hold, mesh_of, room_at, room_of, rows, settings, text};
use navbake_geom::Point;
use navbake_hierarchy::{ReferenceRooms, RoomSettings, Rooms, canonical_rooms, rooms};
use navbake_mesh::{NONE, PolygonMesh};
use proptest::prelude::*;

/// A map without the cells that touch what is not free.
fn eroded(rows: &[String]) -> Vec<String> {
    let is_free = |x: i32, z: i32| {
        let row = usize::try_from(z).ok().and_then(|z| rows.get(z));
        let cell = row.and_then(|r| r.as_bytes().get(usize::try_from(x).ok()?));
        cell == Some(&b'.')
    };
    let left = |x: i32, z: i32| (-1..=1).all(|i| (-1..=1).all(|k| is_free(x + i, z + k)));
    let row = |(z, r): (i32, &String)| {
        let cells = (0..r.len() as i32).map(|x| if left(x, z) { '.' } else { '@' });
        cells.collect()
    };
    (0..).zip(rows).map(row).collect()
}

fn large() -> RoomSettings {
    RoomSettings { radius: 1024, ..settings() }
}

/// The rooms of both: of the map, and of what is left of it.
fn both(rows: &[String], settings: &RoomSettings) -> [(PolygonMesh, Rooms); 2] {
    let small = rooms(&mesh_of(rows), settings);
    let reference = ReferenceRooms { mesh: &small.0, rooms: &small.1, storey: 900.0 };
    let own = RoomSettings { radius: 1024, ..settings.clone() };
    let canonical = canonical_rooms(&mesh_of(&eroded(rows)), &own, reference);
    [small, canonical]
}

fn area(mesh: &PolygonMesh, of: impl Fn(usize) -> bool) -> f64 {
    let all = (0..mesh.len()).filter(|&p| of(p));
    all.map(|p| mesh.polygon_area_doubled(p) as f64 / 2.0).sum()
}

/// The middle of a polygon's corners.
fn middle(mesh: &PolygonMesh, p: usize) -> Point {
    let ring = mesh.polygon(p);
    let mean = |f: fn(Point) -> i32| {
        let sum: i64 = ring.iter().map(|&v| i64::from(f(mesh.vertices[v as usize].flat()))).sum();
        (sum / ring.len() as i64) as i32
    };
    Point::new(mean(|p| p.x), mean(|p| p.z))
}

#[test]
fn a_door_too_narrow_is_none_and_others_keep_their_numbers() {
    let map = text(&[
        "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@",
        "@.........@@@@@@@@@@@@@@@@@@@@@@@@@@@@",
        "@.........@@.........@@@@@@..........@",
        "@.........@@.........@@@@@@..........@",
        "@....................................@",
        "@.........@@.........................@",
        "@.........@@.........................@",
        "@.........@@.........@@@@@@..........@",
        "@.........@@.........@@@@@@..........@",
        "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@",
    ]);
    let [(mesh, small), (cut, large)] = both(&map, &settings());
    hold(&mesh_of(&eroded(&map)), &cut, &large);
    let canonical = |x: i32, z: i32| large.canonical[room_at(&cut, &large, x, z) as usize];
    for x in [5, 15, 30] {
        assert_eq!(canonical(x, 4), room_at(&mesh, &small, x, 4), "{x}");
    }
    let found: BTreeSet<u32> = large.doors.iter().map(|d| d.canonical).collect();
    let wide = |d: &u32| {
        let [a, b] = small.doors[*d as usize].ends;
        (f64::from(b.x - a.x)).hypot(f64::from(b.z - a.z)) > 2.0 * 1024.0
    };
    let expected: BTreeSet<u32> = (0..small.doors.len() as u32).filter(wide).collect();
    assert!(small.doors.len() > expected.len() && !expected.is_empty());
    assert_eq!(found, expected);
    for door in &large.doors {
        let long = |ends: [Point; 2]| {
            f64::from(ends[1].x - ends[0].x).hypot(f64::from(ends[1].z - ends[0].z))
        };
        let off = long(door.ends) + 2048.0 - long(small.doors[door.canonical as usize].ends);
        assert!(off.abs() < 2.0, "{off}");
    }
}

#[test]
fn the_same_ground_has_the_same_doors() {
    let map = text(&[
        "@@@@@@@@@@@@@@@",
        "@......@......@",
        "@......@......@",
        "@.............@",
        "@......@......@",
        "@......@......@",
        "@@@@@@@@@@@@@@@",
    ]);
    let mesh = mesh_of(&map);
    let small = rooms(&mesh, &settings());
    let reference = ReferenceRooms { mesh: &small.0, rooms: &small.1, storey: 900.0 };
    let (cut, canonical) = canonical_rooms(&mesh, &settings(), reference);
    assert_eq!((&cut, &canonical.of), (&small.0, &small.1.of));
    assert_eq!(canonical.canonical, [0, 1]);
    assert_eq!(canonical.doors[0].ends, small.1.doors[0].ends);
}

/// Where the smallest has no ground, or rooms of it are one, they are found for the larger agent
/// itself.
#[test]
fn ground_that_the_smallest_does_not_have_has_rooms_of_its_own() {
    let all = text(&[
        "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@",
        "@.........@@........@@........@",
        "@.........@@........@@........@",
        "@.............................@",
        "@.........@@........@@........@",
        "@.........@@........@@........@",
        "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@",
    ]);
    let known: Vec<String> =
        all.iter().map(|r| format!("{}@@@@@@@@@@@@@@@@@@@@@", &r[..10])).collect();
    let small = rooms(&mesh_of(&known), &settings());
    assert_eq!(small.1.count, 1);
    let reference = ReferenceRooms { mesh: &small.0, rooms: &small.1, storey: 900.0 };
    let mesh = mesh_of(&all);
    let (cut, found) = canonical_rooms(&mesh, &settings(), reference);
    hold(&mesh, &cut, &found);
    let canonical = |x: i32| found.canonical[room_at(&cut, &found, x, 2) as usize];
    assert_eq!((found.count, found.doors.len()), (3, 2));
    assert_eq!([5, 15, 25].map(canonical), [0, NONE, NONE]);
    assert!(found.doors.iter().all(|d| d.canonical == NONE));
}

#[test]
fn fields_of_larger_agents_are_those_of_the_smallest() {
    let mut map = vec![format!("@{}@", ".".repeat(98)); 78];
    for row in &mut map[37..45] {
        row.replace_range(33..41, "@@@@@@@@");
    }
    let wall = "@".repeat(100);
    map.insert(0, wall.clone());
    map.push(wall);
    let fields = RoomSettings { max_field: 16.0 * 16.0 * 1024.0 * 1024.0, ..settings() };
    let [(mesh, small), (cut, large)] = both(&map, &fields);
    hold(&mesh_of(&eroded(&map)), &cut, &large);
    assert!(small.count > 20 && large.count == small.count);
    let own: BTreeSet<u32> = large.canonical.iter().copied().collect();
    assert_eq!(own.len(), small.count, "each field once");
    let divides = large.doors.iter().filter(|d| d.is_divide && d.canonical != NONE);
    assert_eq!(divides.count(), large.doors.len());
    let off = area(&cut, |p| {
        Some(large.canonical[large.of[p] as usize]) != room_of(&mesh, &small, middle(&cut, p))
    });
    assert!(off < 0.01 * area(&cut, |_| true), "{off}");
}

/// A map of this size in cells, with walls of three cells by two, each from its least corner on.
fn walls_on(size: [usize; 2], walls: &[[usize; 2]]) -> Vec<String> {
    let mut rows = vec![".".repeat(size[0]); size[1]];
    for &[x, z] in walls {
        for row in &mut rows[z..z + 2] {
            row.replace_range(x..x + 3, "@@@");
        }
    }
    rows
}

#[test]
fn a_line_near_the_tip_of_a_polygon_spoils_no_fields() {
    let maps = [
        (121.02649174530269, vec![[33, 16], [36, 18], [18, 26]]),
        (289.0812867644164, vec![[21, 18], [15, 22], [21, 22]]),
    ];
    for (most, walls) in maps {
        let map = walls_on([54, 28], &walls);
        let fields = RoomSettings {
            min_area: 0.25 * 1024.0 * 1024.0,
            max_field: most * 1024.0 * 1024.0,
            ..settings()
        };
        let [(_, small), (cut, large)] = both(&map, &fields);
        hold(&mesh_of(&eroded(&map)), &cut, &large);
        assert!(small.count > 4);
        let own: BTreeSet<u32> = large.canonical.iter().copied().collect();
        assert_eq!(own, (0..small.count as u32).collect(), "each field");
    }
}

/// What is left of one of the smallest's rooms beside a door looks like ground of two rooms, and
/// like a room of its own between that door and a wall.
#[test]
fn a_way_from_a_wall_to_a_door_is_no_door_that_could_not_be_made() {
    let walls = [[36, 16], [39, 18], [33, 20], [45, 20], [30, 26], [33, 26]];
    let map = walls_on([54, 28], &walls);
    let alpha = 0.8659788573819293;
    let settings =
        RoomSettings { min_area: 0.0, alphas: vec![alpha, alpha / 2.0, alpha / 4.0], ..large() };
    let [(_, small), (cut, large)] = both(&map, &settings);
    hold(&mesh_of(&eroded(&map)), &cut, &large);
    assert_eq!((large.count, large.lost), (small.count, 0));
    let canonical: Vec<u32> = large.doors.iter().map(|d| d.canonical).collect();
    assert_eq!(canonical, [0, 1, 2]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn rooms_of_larger_agents_are_sound_and_lie_in_those_of_the_smallest(
        rows in rows(), least in 0.0f64..30.0, alpha in 0.3f64..0.95, most in prop_oneof![Just(0.0), 100.0f64..400.0],
    ) {
        let left = eroded(&rows);
        prop_assume!(left.iter().any(|r| r.contains('.')));
        let settings = RoomSettings {
            min_area: if most > 0.0 { 0.25 } else { least } * 1024.0 * 1024.0,
            max_field: most * 1024.0 * 1024.0,
            alphas: vec![alpha, alpha / 2.0, alpha / 4.0],
            ..large()
        };
        let [(mesh, small), (cut, large)] = both(&rows, &settings);
        hold(&mesh_of(&left), &cut, &large);
        prop_assert_eq!(large.canonical.len(), large.count);
        for door in large.doors.iter().filter(|d| d.canonical != NONE) {
            let first = &small.doors[door.canonical as usize];
            prop_assert_eq!(first.is_divide, door.is_divide);
        }
        // Ground is in its canonical room, but for what doors were moved over and crumbs. Polygons
        // that could not be cut along the grid are in several.
        let off = area(&cut, |p| {
            let m = middle(&cut, p);
            let half = |v: &u32| {
                let c = cut.vertices[*v as usize];
                Point::new((c.x + m.x) / 2, (c.z + m.z) / 2)
            };
            let own = Some(large.canonical[large.of[p] as usize]);
            cut.polygon(p).iter().map(half).chain([m]).all(|q| room_of(&mesh, &small, q) != own)
        });
        prop_assert!(off <= 0.05 * area(&cut, |_| true), "{} of {}", off, area(&cut, |_| true));
    }
}
