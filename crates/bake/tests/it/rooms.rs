//! Rooms and doors of levels whose truth is known, as they were made and turned and moved.

use std::collections::{BTreeMap, BTreeSet};

use crate::truth::{
    Moved, RADIUS, adjusted_rand, door_f1, doors, fixture, moved_level, places, rooms_at, truth,
};
use navbake_bake::{Config, Options, bake};
use navbake_format::{Blob, NavMesh, PolyId, RoomId};
use navbake_import::{Import, ImportOptions};
use navbake_level::Source;
use navbake_rooms::{RoomReach, middle_of_door};
use navbake_search::{Algorithm, NavQuery, PathRequest, QueryFilter, Scratch};

fn baked(name: &str, moved: Moved) -> Vec<u8> {
    let (source, [x, y, z]) = moved_level(name, moved);
    let text = format!(
        "seeds = [[{x}, {y}, {z}]]\n[rooms]\nenabled = true\n[[agent]]\nradius = {RADIUS}\nheight = 1.8\nclimb = 0.4\n"
    );
    let config = Config::parse(&text).unwrap();
    bake(source, &config, &Options::default()).unwrap().bytes
}

fn judge(name: &str) {
    let truth = truth(name);
    let bytes = baked(name, Moved::NOT);
    let blob = Blob::open_checked(&bytes).unwrap();
    let (points, labels): (Vec<[f64; 3]>, Vec<String>) = places(&truth).into_iter().unzip();
    let plain = rooms_at(&blob, 0, &points);
    let pairs: Vec<(String, RoomId)> =
        labels.iter().cloned().zip(&plain).filter_map(|(l, r)| Some((l, (*r)?))).collect();
    let alike = adjusted_rand(&pairs);
    let f1 = door_f1(&truth, &doors(&blob, 0));
    println!("{name}: doors F1 {f1:.3}, rooms ARI {alike:.3}");
    let mut worst = 1.0f64;
    for moved in [
        Moved { turn: 17.0, by: [0.0; 2] },
        Moved { turn: 45.0, by: [0.0; 2] },
        Moved { turn: 0.0, by: [0.037, 0.081] },
    ] {
        let bytes = baked(name, moved);
        let blob = Blob::open_checked(&bytes).unwrap();
        let there: Vec<[f64; 3]> = points.iter().map(|p| moved.place(*p)).collect();
        let turned = rooms_at(&blob, 0, &there);
        let pairs: Vec<(RoomId, RoomId)> =
            plain.iter().zip(&turned).filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
        assert!(
            pairs.len() * 100 > pairs.len().max(plain.iter().flatten().count()) * 95,
            "ground is where it was"
        );
        let alike = adjusted_rand(&pairs);
        println!("{name} turned by {} moved by {:?}: ARI {alike:.4}", moved.turn, moved.by);
        worst = worst.min(alike);
    }
    assert!(f1 >= 0.95 && alike >= 0.95, "{name}: F1 {f1}, ARI {alike}");
    assert!(worst >= 0.99, "{name}: ARI {worst} against the level as it was");
}

#[test]
fn rooms_and_doors_of_an_office_are_those_of_its_plan() {
    judge("office");
}

#[test]
fn corridors_of_a_dungeon_are_rooms_with_doors_at_their_mouths() {
    judge("dungeon");
}

#[test]
fn a_castle_has_the_rooms_of_its_plan_on_both_storeys() {
    judge("castle");
}

#[test]
fn a_spiral_stair_is_one_room_with_a_door_to_each_floor() {
    judge("spiral");
}

#[test]
fn every_polygon_has_one_room_and_every_portal_between_two_one_door() {
    for name in ["office", "dungeon", "castle", "spiral"] {
        let bytes = baked(name, Moved { turn: 17.0, by: [0.3, 0.1] });
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        let mesh = nav.mesh();
        let rooms = blob.rooms(0).unwrap();
        let mut of_portal = BTreeMap::new();
        for d in 0..rooms.door_count() {
            let door = rooms.door(d).unwrap();
            assert!(!door.is_divide);
            let ends = door.ends.map(|e| e.map(f64::from));
            let long = (ends[1][0] - ends[0][0]).hypot(ends[1][1] - ends[0][1]);
            let units = mesh.grid().units();
            assert!((f64::from(door.width) - long / units - 2.0 * RADIUS).abs() < 1e-4);
            let mut sum = 0.0;
            for (p, k) in rooms.portals(d) {
                assert_eq!(of_portal.insert((p, k), d), None);
                let polygon = mesh.polygon(p);
                let corners = [k, polygon.next(k)].map(|k| polygon.corner(k).map(f64::from));
                sum += (corners[1][0] - corners[0][0]).hypot(corners[1][1] - corners[0][1]);
                for [x, z] in corners {
                    // On the straight line between the ends, to a grid unit.
                    let off = (x - ends[0][0]) * (ends[1][1] - ends[0][1])
                        - (z - ends[0][1]) * (ends[1][0] - ends[0][0]);
                    assert!(off.abs() <= 1.5 * long, "{name}: {off} of {long}");
                }
            }
            assert!((sum - long).abs() < 2.0, "a chain without gaps: {sum} of {long}");
        }
        for p in (0..mesh.polygon_count()).map(PolyId) {
            let polygon = mesh.polygon(p);
            for k in 0..polygon.len() {
                let beyond = polygon.neighbour(k).filter(|&q| q > p && rooms.of(q) != rooms.of(p));
                assert_eq!(beyond.is_some(), of_portal.contains_key(&(p, k)));
            }
        }
    }
}

#[test]
fn threads_and_the_order_of_triangles_change_no_byte_of_rooms() {
    let bake_it = |threads: usize, turned: bool| {
        let Import { mut source, .. } =
            navbake_import::read(&fixture("castle.obj"), &ImportOptions::default()).unwrap();
        if let (true, Source::Scene(scene)) = (turned, &mut source) {
            scene.triangles.reverse();
            scene.triangle_parts.reverse();
        }
        let config =
            Config::parse("[rooms]\nenabled = true\n[[agent]]\nradius = 0.3\nclimb = 0.4\n")
                .unwrap();
        let options = Options { threads, ..Options::default() };
        bake(source, &config, &options).unwrap().bytes
    };
    let first = bake_it(1, false);
    assert!(first == bake_it(3, false) && first == bake_it(2, true));
}

/// Numbers that look random, the same everywhere.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }
}

/// The castle with five doors that switches close.
fn castle_with_gates() -> Vec<u8> {
    let Import { source, .. } =
        navbake_import::read(&fixture("castle.obj"), &ImportOptions::default()).unwrap();
    let text = "seeds = [[5.0, 0.0, 5.0]]\n[[agent]]\nradius = 0.3\nheight = 1.8\nclimb = 0.4\n[rooms]\nenabled = true\n\
        [rooms.names]\nyard = [5, 0, 5]\n[rooms.doors]\ngate = [13, 0, 18]\nhall = [9, 0, -0.4]\nchapel = [26.4, 0, 8.8]\n\
        kitchen = [17.3, 0, -5]\nsolar = [24.5, 4, -16.6]\n";
    let baked = bake(source, &Config::parse(text).unwrap(), &Options::default()).unwrap();
    let codes: Vec<&str> = baked.summary.warnings.iter().map(|w| w.code.as_str()).collect();
    assert!(!codes.iter().any(|c| c.contains("named")), "{codes:?}");
    baked.bytes
}

#[test]
fn named_doors_close_by_switches_of_their_names() {
    let bytes = castle_with_gates();
    let blob = Blob::open_checked(&bytes).unwrap();
    let names: Vec<&str> = blob.switches().map(|s| s.name).collect();
    assert_eq!(names, ["chapel", "gate", "hall", "kitchen", "solar"]);
    let rooms = blob.rooms(0).unwrap();
    let mut named: Vec<&str> = (0..rooms.door_count())
        .map(|d| rooms.door(d).unwrap().name)
        .filter(|n| !n.is_empty())
        .collect();
    named.sort_unstable();
    assert_eq!(named, names);
    assert!(rooms.named("yard").is_some());
}

/// A level with a switch for each of its doors.
fn with_all_doors_named(name: &str) -> Vec<u8> {
    let bake_with = |doors: &str| {
        let Import { source, .. } =
            navbake_import::read(&fixture(&format!("{name}.obj")), &ImportOptions::default())
                .unwrap();
        let seed = if name == "tower" { "[-5.0, 0.0, 0.0]" } else { "[5.0, 0.0, 5.0]" };
        let text = format!(
            "seeds = [{seed}]\n[[agent]]\nradius = {RADIUS}\nheight = 1.8\nclimb = 0.4\n[rooms]\nenabled = true\n[rooms.doors]\n{doors}"
        );
        bake(source, &Config::parse(&text).unwrap(), &Options::default()).unwrap().bytes
    };
    let bytes = bake_with("");
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let query = NavQuery::new(nav.mesh());
    let rooms = blob.rooms(0).unwrap();
    let doors = (0..rooms.door_count()).map(|door| {
        let middle = middle_of_door(&query, &rooms, door).unwrap();
        let [x, y, z] = query.place(middle).unwrap().position();
        format!("d{door} = [{x}, {y}, {z}]\n")
    });
    bake_with(&doors.collect::<String>())
}

/// The polygons that are reached from one over portals that are not shut.
fn flood(mesh: &NavMesh<'_>, from: PolyId, shut: &BTreeSet<(PolyId, u32)>) -> Vec<bool> {
    let mut seen = vec![false; mesh.polygon_count() as usize];
    let mut stack = vec![from];
    seen[from.index()] = true;
    while let Some(p) = stack.pop() {
        let polygon = mesh.polygon(p);
        for k in 0..polygon.len() {
            let Some((q, twin)) = polygon.across(k) else {
                continue;
            };
            if !shut.contains(&(p, k)) && !shut.contains(&(q, twin)) && !seen[q.index()] {
                seen[q.index()] = true;
                stack.push(q);
            }
        }
    }
    seen
}

/// Random closings of all doors, from few to most; gives how many pairs were parted.
fn compare_reach(name: &str, rounds: u32, pairs: u32) -> u32 {
    let bytes = with_all_doors_named(name);
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let rooms = blob.rooms(0).unwrap();
    let names: Vec<&str> = blob.switches().map(|s| s.name).collect();
    assert_eq!(names.len() as u32, rooms.door_count(), "{name}");
    let mut filter = QueryFilter::new();
    let mut memory = vec![0; rooms.count() as usize];
    let mut draw = Draw(7);
    let mut parted = 0;
    for round in 0..rounds {
        let mut switches = vec![0u64; names.len().div_ceil(64)];
        let mut shut = BTreeSet::new();
        for door in 0..rooms.door_count() {
            if draw.below(rounds) < round {
                let own = rooms.door(door).unwrap().name;
                let switch = names.iter().position(|name| *name == own).unwrap();
                switches[switch / 64] |= 1 << (switch % 64);
                shut.extend(rooms.portals(door));
            }
        }
        filter.set_blocked(&mesh, &switches, 0).unwrap();
        let query = NavQuery::new(mesh).with_filter(&filter);
        let reach = RoomReach::new(&query, &rooms, &mut memory).unwrap();
        for _ in 0..pairs {
            let [from, to] = [(); 2].map(|()| PolyId(draw.below(mesh.polygon_count())));
            let found = reach.connected(rooms.of(from), rooms.of(to));
            let seen = flood(&mesh, from, &shut)[to.index()];
            assert_eq!(found, seen, "{name}: {from:?} to {to:?} with {switches:x?}");
            parted += u32::from(!found);
        }
    }
    assert!(RoomReach::new(&NavQuery::new(mesh), &rooms, &mut memory[1..]).is_none());
    parted
}

/// 100,000 pairs on four levels.
#[test]
fn closed_doors_part_rooms_as_a_search_over_polygons_says() {
    for name in ["office", "dungeon", "castle", "tower"] {
        let parted = compare_reach(name, 50, 500);
        assert!((2_500..24_000).contains(&parted), "{name}: {parted}");
    }
}

#[test]
fn ways_between_doors_are_shortest_paths() {
    let bytes = baked("office", Moved::NOT);
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let query = NavQuery::new(nav.mesh());
    let rooms = blob.rooms(0).unwrap();
    let grid = query.mesh().grid();
    let mut scratch = Scratch::new();
    let mut pairs = 0;
    for r in (0..rooms.count()).map(RoomId) {
        let doors: Vec<u32> = rooms.doors_of(r).collect();
        let middle = |d: u32| {
            let [a, b] = rooms.door(d).unwrap().ends;
            grid.metres([f64::from(a[0] + b[0]) / 2.0, 0.0, f64::from(a[1] + b[1]) / 2.0])
        };
        for (i, &a) in doors.iter().enumerate() {
            for (k, &b) in doors[..i].iter().enumerate() {
                let way = f64::from(rooms.way(r, i as u32, k as u32).unwrap());
                let [from, to] = [a, b].map(middle);
                let request = PathRequest::new(from, to).algorithm(Algorithm::Optimal);
                let found = query.find_path(&request, &mut scratch).unwrap().length_xz;
                assert!((way - found).abs() < 0.01, "{way} for {found}");
                assert!(way + 1e-3 >= (from[0] - to[0]).hypot(from[2] - to[2]) - 0.01);
                pairs += 1;
            }
        }
    }
    assert!(pairs > 20, "{pairs}");
}

/// Where the middle of a slanted door rounds to a grid point that the ground beyond does not hold,
/// the stop is the one beside it, not an end of the door.
#[test]
fn the_stop_of_a_slanted_door_is_in_its_middle() {
    let mut slanted = 0;
    for (name, turn) in [("office", 17.0), ("castle", 17.0), ("dungeon", 45.0)] {
        let by = [0.3, 0.1];
        let bytes = baked(name, Moved { turn, by });
        let blob = Blob::open_checked(&bytes).unwrap();
        let rooms = blob.rooms(0).unwrap();
        for number in 0..rooms.door_count() {
            let ends = rooms.door(number).unwrap().ends;
            let (_, stop) = rooms.stop(number).unwrap();
            let [x, z] = [0, 1].map(|k| f64::from(ends[0][k] + ends[1][k]) / 2.0);
            let away = (f64::from(stop[0]) - x).hypot(f64::from(stop[1]) - z);
            assert!(away < 5.0, "{name}: door {number} is {away} steps off");
            slanted += usize::from(ends[0][0] != ends[1][0] && ends[0][1] != ends[1][1]);
        }
    }
    assert!(slanted > 20, "{slanted}");
}
