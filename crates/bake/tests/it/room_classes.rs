//! Rooms and doors of larger agents: those of the smallest, where they have ground.

use std::collections::{BTreeMap, BTreeSet};

use crate::truth::{
    Moved, Truth, adjusted_rand, door_f1, doors, moved_level, places, rooms_at, truth,
};
use navbake_bake::{Baked, Config, Options, bake, bake_file};
use navbake_format::{Blob, CheckedBlob, PolyId, RoomId};
use navbake_search::NavQuery;
use navbake_testkit::data::data;

/// The smallest agent is listed second. The largest does not get through doors a metre wide.
const RADII: [f64; 3] = [0.4, 0.3, 0.52];
const SMALLEST: u16 = 1;

fn config(seed: [f64; 3], more: &str) -> Config {
    let [x, y, z] = seed;
    let mut text = format!("seeds = [[{x}, {y}, {z}]]\n[rooms]\nenabled = true\n{more}");
    for radius in RADII {
        text += &format!(
            "[[agent]]\nname = \"r{radius}\"\nradius = {radius}\nheight = 1.8\nclimb = 0.4\n"
        );
    }
    Config::parse(&text).unwrap()
}

fn baked(name: &str, moved: Moved, threads: usize) -> Baked {
    let (source, seed) = moved_level(name, moved);
    let options = Options { threads, ..Options::default() };
    bake(source, &config(seed, ""), &options).unwrap()
}

const LEVELS: [&str; 4] = ["office", "dungeon", "castle", "spiral"];

/// The true doors at whose middles a class has ground.
fn passable(truth: Truth, blob: &CheckedBlob<'_>, class: u16) -> Truth {
    let nav = blob.decode(class).unwrap();
    let query = NavQuery::new(nav.mesh());
    let stands = |[x0, z0, x1, z1, y]: &[f64; 5]| {
        let middle = [(x0 + x1) / 2.0, *y, (z0 + z1) / 2.0];
        let found = query.locate(middle, 1.2).map(|l| l.position());
        found.is_some_and(|[x, _, z]| (x - middle[0]).hypot(z - middle[2]) < 0.01)
    };
    let doors = truth.doors.into_iter().filter(stands).collect();
    Truth { doors, ..truth }
}

#[test]
fn each_class_has_the_rooms_and_doors_of_the_plan_where_it_gets_to() {
    for name in LEVELS {
        let bytes = baked(name, Moved::NOT, 2).bytes;
        let blob = Blob::open_checked(&bytes).unwrap();
        assert_eq!(blob.smallest_rooms(), Some(SMALLEST));
        let (points, labels): (Vec<[f64; 3]>, Vec<String>) =
            places(&truth(name)).into_iter().unzip();
        for class in 0..3 {
            let truth = passable(truth(name), &blob, class);
            if truth.doors.is_empty() {
                let rooms = blob.rooms(class).unwrap();
                assert_eq!((rooms.count(), rooms.door_count()), (1, 0), "{name}");
                continue;
            }
            let f1 = door_f1(&truth, &doors(&blob, class));
            let found = rooms_at(&blob, class, &points);
            let pairs: Vec<(&String, RoomId)> = (labels.iter().zip(&found))
                .filter_map(|(label, room)| Some((label, (*room)?)))
                .collect();
            let alike = adjusted_rand(&pairs);
            println!(
                "{name} r{}: {} doors, F1 {f1:.3}, rooms ARI {alike:.3}",
                RADII[class as usize],
                truth.doors.len()
            );
            assert!(f1 >= 0.95 && alike >= 0.95, "{name}: F1 {f1}, ARI {alike}");
        }
    }
}

#[test]
fn a_door_is_as_wide_for_every_class_and_a_room_where_it_is() {
    let (mut widths, mut narrow, mut worst) = (0, 0, 0.0f64);
    for name in LEVELS {
        for moved in [
            Moved::NOT,
            Moved { turn: 17.0, by: [0.0; 2] },
            Moved { turn: 45.0, by: [0.037, 0.081] },
        ] {
            let bytes = baked(name, moved, 2).bytes;
            let blob = Blob::open_checked(&bytes).unwrap();
            let small = blob.rooms(SMALLEST).unwrap();
            assert!(!small.is_canonical() && small.canonical_room(RoomId(0)).is_none());
            for class in [0, 2] {
                let radius = RADII[class as usize];
                let rooms = blob.rooms(class).unwrap();
                let mut seen = BTreeSet::new();
                for d in 0..rooms.door_count() {
                    let own = rooms.door(d).unwrap();
                    let like = rooms.canonical_door(d).unwrap();
                    assert!(seen.insert(like), "{name}: a door of one line");
                    let first = small.door(like).unwrap();
                    let off = f64::from(own.width - first.width);
                    worst = worst.max(off.abs());
                    assert!(off.abs() < 0.05, "{name} {moved:?} r{radius}: {own:?} for {first:?}");
                    let mut pair = own.rooms.map(|r| rooms.canonical_room(r).unwrap());
                    pair.sort_unstable();
                    assert_eq!(pair, first.rooms, "{name}: between the same rooms");
                    widths += 1;
                }
                // A missing door is too narrow, or the agent cannot reach it.
                let nav = blob.decode(class).unwrap();
                let mesh = nav.mesh();
                let query = NavQuery::new(mesh);
                for d in (0..small.door_count()).filter(|d| !seen.contains(d)) {
                    let door = small.door(d).unwrap();
                    narrow += 1;
                    let y = f64::from(small.get(door.rooms[0]).unwrap().at[1]);
                    let mean = |k: usize| f64::from(door.ends[0][k] + door.ends[1][k]) / 2.0;
                    let middle = mesh.grid().metres([mean(0), y, mean(1)]);
                    let ground = query.locate(middle, 1.2).map(|l| l.position());
                    let on =
                        ground.is_some_and(|[x, _, z]| (x - middle[0]).hypot(z - middle[2]) < 0.01);
                    assert!(!on || f64::from(door.width) < 2.0 * radius + 0.02, "{name}: {door:?}");
                }
                places_agree(name, &blob, class);
            }
        }
    }
    println!(
        "{widths} doors of larger classes, {narrow} missing, widths off by {worst:.4} m at most"
    );
    assert!(widths > 200 && narrow > 20);
}

/// Rooms of a class are those of the smallest at the same places.
fn places_agree(name: &str, blob: &CheckedBlob<'_>, class: u16) {
    let nav = blob.decode(class).unwrap();
    let mesh = nav.mesh();
    let [own, small] = [class, SMALLEST].map(|c| blob.rooms(c).unwrap());
    let nav = blob.decode(SMALLEST).unwrap();
    let query = NavQuery::new(nav.mesh());
    let (mut all, mut same) = (0.0, 0.0);
    for p in (0..mesh.polygon_count()).map(PolyId) {
        let polygon = mesh.polygon(p);
        let corners: Vec<[f64; 2]> =
            (0..polygon.len()).map(|k| polygon.corner(k).map(f64::from)).collect();
        let mean = |k: usize| corners.iter().map(|c| c[k]).sum::<f64>() / corners.len() as f64;
        let at = [mean(0), mean(1)];
        let place = mesh.grid().metres([at[0], polygon.height(at), at[1]]);
        let there = query.locate(place, 0.9).unwrap();
        let (area, room) = (area(&corners), small.of(there.polygon()));
        all += area;
        same += if own.canonical_room(own.of(p)) == Some(room) { area } else { 0.0 };
    }
    assert!(same >= 0.999 * all, "{name}: {same} of {all}");
}

fn area(corners: &[[f64; 2]]) -> f64 {
    let cross = |k: usize| {
        let ([ax, az], [bx, bz]) = (corners[k], corners[(k + 1) % corners.len()]);
        az * bx - ax * bz
    };
    (0..corners.len()).map(cross).sum::<f64>().abs() / 2.0
}

#[test]
fn every_portal_between_two_rooms_of_a_class_is_in_one_straight_chain() {
    for name in LEVELS {
        let moved = Moved { turn: 17.0, by: [0.3, 0.1] };
        let bytes = baked(name, moved, 2).bytes;
        let blob = Blob::open_checked(&bytes).unwrap();
        for class in 0..3 {
            let nav = blob.decode(class).unwrap();
            let (mesh, rooms) = (nav.mesh(), blob.rooms(class).unwrap());
            let mut of_portal = BTreeMap::new();
            for d in 0..rooms.door_count() {
                let [a, b] = rooms.door(d).unwrap().ends.map(|e| e.map(f64::from));
                let long = (b[0] - a[0]).hypot(b[1] - a[1]);
                let mut sum = 0.0;
                for (p, k) in rooms.portals(d) {
                    assert_eq!(of_portal.insert((p, k), d), None);
                    let polygon = mesh.polygon(p);
                    let ends = [k, polygon.next(k)].map(|k| polygon.corner(k).map(f64::from));
                    sum += (ends[1][0] - ends[0][0]).hypot(ends[1][1] - ends[0][1]);
                    for [x, z] in ends {
                        let off = (x - a[0]) * (b[1] - a[1]) - (z - a[1]) * (b[0] - a[0]);
                        assert!(off.abs() <= 1.5 * long, "{name}: {off} of {long}");
                    }
                }
                assert!((sum - long).abs() < 2.0, "{name}: {sum} of {long}");
            }
            for p in (0..mesh.polygon_count()).map(PolyId) {
                let polygon = mesh.polygon(p);
                for k in 0..polygon.len() {
                    let beyond =
                        (polygon.neighbour(k)).filter(|&q| q > p && rooms.of(q) != rooms.of(p));
                    assert_eq!(beyond.is_some(), of_portal.contains_key(&(p, k)));
                }
            }
        }
    }
}

#[test]
fn names_and_switches_are_those_of_the_smallest() {
    let (source, seed) = moved_level("castle", Moved::NOT);
    let more =
        "[rooms.names]\nyard = [5, 0, 5]\n[rooms.doors]\ngate = [13, 0, 18]\nhall = [9, 0, -0.4]\n";
    let bytes = bake(source, &config(seed, more), &Options::default()).unwrap().bytes;
    let blob = Blob::open_checked(&bytes).unwrap();
    let small = blob.rooms(SMALLEST).unwrap();
    for class in 0..3 {
        let nav = blob.decode(class).unwrap();
        let (rooms, mesh) = (blob.rooms(class).unwrap(), nav.mesh());
        let yard = rooms.named("yard").unwrap();
        assert!(class == SMALLEST || rooms.canonical_room(yard) == small.named("yard"));
        let named: BTreeSet<&str> =
            (0..rooms.door_count()).map(|d| rooms.door(d).unwrap().name).collect();
        assert!(named.contains("gate") && named.contains("hall"), "{named:?}");
        let switched: BTreeSet<&str> = mesh.doors().map(|d| d.name).collect();
        assert_eq!(switched, BTreeSet::from(["gate", "hall"]));
    }
}

#[test]
fn the_smallest_has_the_rooms_it_has_alone_and_threads_change_no_byte() {
    for name in LEVELS {
        let one = baked(name, Moved::NOT, 1).bytes;
        assert!(one == baked(name, Moved::NOT, 3).bytes, "{name}");
        let (source, seed) = moved_level(name, Moved::NOT);
        let mut alone = config(seed, "");
        alone.agents.retain(|a| a.radius == Some(RADII[SMALLEST as usize]));
        let alone = bake(source, &alone, &Options::default()).unwrap().bytes;
        let [all, alone] = [&one, &alone].map(|b| Blob::open_checked(b).unwrap());
        let [all, alone] = [all.rooms(SMALLEST).unwrap(), alone.rooms(0).unwrap()];
        assert_eq!(all.count(), alone.count());
        for d in 0..alone.door_count() {
            assert_eq!(all.door(d), alone.door(d), "{name}");
        }
        assert_eq!(all.door_count(), alone.door_count());
    }
}

/// The smallest agent does not climb the stairs of the castle; the larger one has the rooms of its
/// plan upstairs all the same.
#[test]
fn who_climbs_higher_has_rooms_where_the_smallest_does_not_come_to() {
    let (source, [x, y, z]) = moved_level("castle", Moved::NOT);
    let text = format!(
        "seeds = [[{x}, {y}, {z}]]\n[rooms]\nenabled = true\n\
         [[agent]]\nname = \"rat\"\nradius = 0.3\nheight = 1.8\nclimb = 0.02\nslope = 5\n[[agent]]\nname = \"cat\"\nradius = 0.4\nheight = 1.8\nclimb = 0.4\n"
    );
    let bytes = bake(source, &Config::parse(&text).unwrap(), &Options::default()).unwrap().bytes;
    let blob = Blob::open_checked(&bytes).unwrap();
    let [rat, cat] = [0, 1].map(|class| blob.rooms(class).unwrap());
    assert!(rat.count() < cat.count(), "{} {}", rat.count(), cat.count());
    let truth = passable(truth("castle"), &blob, 1);
    let (points, labels): (Vec<[f64; 3]>, Vec<String>) = places(&truth).into_iter().unzip();
    let found = rooms_at(&blob, 1, &points);
    let pairs: Vec<(&String, RoomId)> =
        (labels.iter().zip(&found)).filter_map(|(label, room)| Some((label, (*room)?))).collect();
    let (f1, alike) = (door_f1(&truth, &doors(&blob, 1)), adjusted_rand(&pairs));
    println!(
        "castle without stairs: {} and {} rooms, F1 {f1:.3}, ARI {alike:.3}",
        rat.count(),
        cat.count()
    );
    assert!(f1 >= 0.95 && alike >= 0.95, "{f1} {alike}");
    let own = (0..cat.count()).filter(|&r| cat.canonical_room(RoomId(r)).is_none()).count();
    assert!(own > 0 && own < cat.count() as usize, "{own}");
}

/// Levels of games, with the scale that their manifest names.
const GAMES: [(&str, f64); 4] = [
    ("recast_dungeon.obj", 1.0),
    ("synthetic_tower.obj", 1.0),
    ("tesseract_steelribs.obj", 0.05),
    ("sauerbraten_pandora.obj", 0.05),
];

#[test]
fn doors_of_levels_of_games_are_as_wide_for_three_sizes() {
    let Some(data) = data("doors_of_levels_of_games_are_as_wide_for_three_sizes") else {
        return;
    };
    for (name, scale) in GAMES {
        let mut text = format!("scale = {scale:?}\n[rooms]\nenabled = true\n");
        for radius in [0.3, 0.45, 0.6] {
            text += &format!("[[agent]]\nname = \"r{radius}\"\nradius = {radius}\n");
        }
        let config = Config::parse(&text).unwrap();
        let path = data.join("meshes").join(name);
        let bytes = bake_file(&path, &config, &Options::default()).unwrap().bytes;
        let blob = Blob::open_checked(&bytes).unwrap();
        let small = blob.rooms(0).unwrap();
        for class in 1..3 {
            let rooms = blob.rooms(class).unwrap();
            let mut seen = BTreeSet::new();
            let (mut off, mut own) = (vec![], 0);
            for d in 0..rooms.door_count() {
                let Some(like) = rooms.canonical_door(d) else {
                    own += 1;
                    continue;
                };
                seen.insert(like);
                off.push((rooms.door(d).unwrap().width - small.door(like).unwrap().width).abs());
            }
            off.sort_by(f32::total_cmp);
            let share = |k: usize| off.get(off.len() * k / 100).copied().unwrap_or(0.0);
            println!(
                "{name} class {class}: {} of {} doors, {own} of its own, {} rooms of {}; widths off by {:.3} m in the middle, {:.3} m of 90 %, {:.3} m at most",
                seen.len(),
                small.door_count(),
                rooms.count(),
                small.count(),
                share(50),
                share(90),
                off.last().copied().unwrap_or(0.0)
            );
            // Most doors lead between walls that stay; where one narrows within a radius, the width
            // may differ.
            assert!(share(50) < 0.05 && own * 5 <= rooms.door_count(), "{name}: {off:?} {own}");
        }
    }
}
