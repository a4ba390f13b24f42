//! Rooms and doors of levels whose truth is known, as they were made and turned and moved.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use navbake_bake::{Config, Options, bake};
use navbake_format::{Blob, CheckedBlob, NavMeshView, PolyId, RoomId};
use navbake_import::{Import, ImportOptions};
use navbake_level::Source;
use navbake_search::{ClosingsBuffer, PathRequest, Planner, Query, SearchBuffer};

/// The agent's radius, m.
const RADIUS: f64 = 0.3;

fn fixture(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/rooms");
    root.join(name)
}

/// Rooms as rectangles and doors as segments, with their heights.
struct Truth {
    rooms: Vec<(String, [f64; 5])>,
    doors: Vec<[f64; 5]>,
}

fn truth(name: &str) -> Truth {
    let text = std::fs::read_to_string(fixture(&format!("{name}.txt"))).unwrap();
    let mut truth = Truth {
        rooms: vec![],
        doors: vec![],
    };
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let last = &words[words.len() - 5..];
        let numbers: Vec<f64> = last.iter().map(|w| w.parse().unwrap()).collect();
        let numbers = <[f64; 5]>::try_from(numbers).unwrap();
        match words[0] {
            "room" => truth.rooms.push((words[1].into(), numbers)),
            "door" => truth.doors.push(numbers),
            other => panic!("{other}"),
        }
    }
    truth
}

/// A turn around the vertical axis by degrees and a move, both of the ground plane.
#[derive(Clone, Copy)]
struct Moved {
    turn: f64,
    by: [f64; 2],
}

impl Moved {
    const NOT: Moved = Moved {
        turn: 0.0,
        by: [0.0; 2],
    };

    fn place(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let (s, c) = self.turn.to_radians().sin_cos();
        [c * x + s * z + self.by[0], y, c * z - s * x + self.by[1]]
    }
}

fn baked(name: &str, moved: Moved) -> Vec<u8> {
    let Import { mut source, .. } =
        navbake_import::read(&fixture(&format!("{name}.obj")), &ImportOptions::default()).unwrap();
    let Source::Scene(scene) = &mut source else {
        panic!("a scene")
    };
    for v in &mut scene.vertices {
        *v = moved.place(*v);
    }
    let seed = match name {
        "spiral" => [-5.0, 0.0, 0.0],
        _ => [5.0, 0.0, 5.0],
    };
    let [x, y, z] = moved.place(seed);
    let text = format!(
        "seeds = [[{x}, {y}, {z}]]\n[rooms]\nfind = true\n[[agent]]\nradius = {RADIUS}\nheight = 1.8\nclimb = 0.4\n"
    );
    let config = Config::parse(&text).unwrap();
    bake(source, &config, &Options::default()).unwrap().bytes
}

/// The room at places, where there is ground.
fn rooms_at(blob: &CheckedBlob<'_>, places: &[[f64; 3]]) -> Vec<Option<RoomId>> {
    let query = Query::new(blob.mesh(0).unwrap());
    let rooms = blob.rooms(0).unwrap();
    let at = |p: &[f64; 3]| Some(rooms.of(query.locate(*p, 1.4)?.polygon()));
    places.iter().map(at).collect()
}

/// Places a quarter of a metre apart in the rooms of a truth, and which room that is.
fn places(truth: &Truth) -> Vec<([f64; 3], String)> {
    let mut places = vec![];
    for (name, [x0, z0, x1, z1, y]) in &truth.rooms {
        let steps = |a: f64, b: f64| ((b - a) / 0.25) as i32;
        for i in 0..steps(*x0, *x1) {
            for k in 0..steps(*z0, *z1) {
                let at = [
                    x0 + 0.25 * f64::from(i) + 0.12,
                    *y,
                    z0 + 0.25 * f64::from(k) + 0.12,
                ];
                places.push((at, name.clone()));
            }
        }
    }
    places
}

/// How alike two ways to tell things apart are (Hubert and Arabie, Comparing partitions, 1985): 1 for the same.
fn adjusted_rand<A: Ord + Clone, B: Ord + Clone>(pairs: &[(A, B)]) -> f64 {
    let mut both: BTreeMap<(A, B), f64> = BTreeMap::new();
    let mut one: BTreeMap<A, f64> = BTreeMap::new();
    let mut other: BTreeMap<B, f64> = BTreeMap::new();
    for (a, b) in pairs {
        *both.entry((a.clone(), b.clone())).or_default() += 1.0;
        *one.entry(a.clone()).or_default() += 1.0;
        *other.entry(b.clone()).or_default() += 1.0;
    }
    let twos = |n: &f64| n * (n - 1.0) / 2.0;
    let all = twos(&(pairs.len() as f64));
    let [both, one, other] = [
        both.values().map(twos).sum::<f64>(),
        one.values().map(twos).sum(),
        other.values().map(twos).sum(),
    ];
    let expected = one * other / all;
    (both - expected) / ((one + other) / 2.0 - expected)
}

/// The doors found, as their middles and heights.
fn doors(blob: &CheckedBlob<'_>) -> Vec<[f64; 3]> {
    let mesh = blob.mesh(0).unwrap();
    let rooms = blob.rooms(0).unwrap();
    let door = |d| {
        let [a, b] = rooms.door(d).unwrap().ends;
        let (p, _) = rooms.portals(d).next().unwrap();
        let middle = [0, 1].map(|k| f64::from(a[k] + b[k]) / 2.0);
        let y = mesh.polygon(p).height(middle);
        mesh.grid().metres([middle[0], y, middle[1]])
    };
    (0..rooms.door_count()).map(door).collect()
}

/// Harmonic mean of the shares of found doors that are true and of true ones that were found.
fn door_f1(truth: &Truth, found: &[[f64; 3]]) -> f64 {
    let mut left: Vec<[f64; 3]> = found.to_vec();
    let mut hits = 0;
    for [x0, z0, x1, z1, y] in &truth.doors {
        let middle = [(x0 + x1) / 2.0, *y, (z0 + z1) / 2.0];
        let away = |p: &[f64; 3]| (p[0] - middle[0]).hypot(p[2] - middle[2]);
        let near = |p: &&[f64; 3]| (p[1] - y).abs() < 1.2;
        let best = (left.iter().enumerate())
            .filter(|(_, p)| near(p))
            .min_by(|a, b| away(a.1).total_cmp(&away(b.1)));
        match best {
            Some((i, p)) if away(p) <= RADIUS => {
                hits += 1;
                left.remove(i);
            }
            _ => println!("not found: {middle:?}"),
        }
    }
    left.iter().for_each(|p| println!("not true: {p:?}"));
    2.0 * f64::from(hits) / (truth.doors.len() + found.len()) as f64
}

fn judge(name: &str) {
    let truth = truth(name);
    let bytes = baked(name, Moved::NOT);
    let blob = Blob::open_checked(&bytes).unwrap();
    let (points, labels): (Vec<[f64; 3]>, Vec<String>) = places(&truth).into_iter().unzip();
    let plain = rooms_at(&blob, &points);
    let pairs: Vec<(String, RoomId)> = labels
        .iter()
        .cloned()
        .zip(&plain)
        .filter_map(|(l, r)| Some((l, (*r)?)))
        .collect();
    let alike = adjusted_rand(&pairs);
    let f1 = door_f1(&truth, &doors(&blob));
    println!("{name}: doors F1 {f1:.3}, rooms ARI {alike:.3}");
    let mut worst = 1.0f64;
    for moved in [
        Moved {
            turn: 17.0,
            by: [0.0; 2],
        },
        Moved {
            turn: 45.0,
            by: [0.0; 2],
        },
        Moved {
            turn: 0.0,
            by: [0.037, 0.081],
        },
    ] {
        let bytes = baked(name, moved);
        let blob = Blob::open_checked(&bytes).unwrap();
        let there: Vec<[f64; 3]> = points.iter().map(|p| moved.place(*p)).collect();
        let turned = rooms_at(&blob, &there);
        let pairs: Vec<(RoomId, RoomId)> = plain
            .iter()
            .zip(&turned)
            .filter_map(|(a, b)| Some(((*a)?, (*b)?)))
            .collect();
        assert!(
            pairs.len() * 100 > pairs.len().max(plain.iter().flatten().count()) * 95,
            "ground is where it was"
        );
        let alike = adjusted_rand(&pairs);
        println!(
            "{name} turned by {} moved by {:?}: ARI {alike:.4}",
            moved.turn, moved.by
        );
        worst = worst.min(alike);
    }
    assert!(f1 >= 0.95 && alike >= 0.95, "{name}: F1 {f1}, ARI {alike}");
    assert!(
        worst >= 0.99,
        "{name}: ARI {worst} against the level as it was"
    );
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
        let bytes = baked(
            name,
            Moved {
                turn: 17.0,
                by: [0.3, 0.1],
            },
        );
        let blob = Blob::open_checked(&bytes).unwrap();
        let mesh = blob.mesh(0).unwrap();
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
            assert!(
                (sum - long).abs() < 2.0,
                "a chain without gaps: {sum} of {long}"
            );
        }
        for p in (0..mesh.polygon_count()).map(PolyId) {
            let polygon = mesh.polygon(p);
            for k in 0..polygon.len() {
                let beyond = polygon
                    .neighbour(k)
                    .filter(|&q| q > p && rooms.of(q) != rooms.of(p));
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
            Config::parse("[rooms]\nfind = true\n[[agent]]\nradius = 0.3\nclimb = 0.4\n").unwrap();
        let options = Options {
            threads,
            ..Options::default()
        };
        bake(source, &config, &options).unwrap().bytes
    };
    let first = bake_it(1, false);
    assert!(first == bake_it(3, false) && first == bake_it(2, true));
}

/// Numbers that look random, the same everywhere.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }
}

/// The castle with five doors that switches close.
fn castle_with_gates() -> Vec<u8> {
    let Import { source, .. } =
        navbake_import::read(&fixture("castle.obj"), &ImportOptions::default()).unwrap();
    let text = "seeds = [[5.0, 0.0, 5.0]]\n[[agent]]\nradius = 0.3\nheight = 1.8\nclimb = 0.4\n[rooms]\nfind = true\n\
        [rooms.names]\nyard = [5, 0, 5]\n[rooms.doors]\ngate = [13, 0, 18]\nhall = [9, 0, -0.4]\nchapel = [26.4, 0, 8.8]\n\
        kitchen = [17.3, 0, -5]\nsolar = [24.5, 4, -16.6]\n";
    let baked = bake(source, &Config::parse(text).unwrap(), &Options::default()).unwrap();
    let codes: Vec<&str> = baked
        .summary
        .warnings
        .iter()
        .map(|w| w.code.as_str())
        .collect();
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
        let seed = if name == "tower" {
            "[-5.0, 0.0, 0.0]"
        } else {
            "[5.0, 0.0, 5.0]"
        };
        let text = format!(
            "seeds = [{seed}]\n[[agent]]\nradius = {RADIUS}\nheight = 1.8\nclimb = 0.4\n[rooms]\nfind = true\n[rooms.doors]\n{doors}"
        );
        bake(source, &Config::parse(&text).unwrap(), &Options::default())
            .unwrap()
            .bytes
    };
    let bytes = bake_with("");
    let blob = Blob::open_checked(&bytes).unwrap();
    let query = Query::new(blob.mesh(0).unwrap());
    let rooms = blob.rooms(0).unwrap();
    let mut buffer = SearchBuffer::new(query.mesh());
    let doors = (0..rooms.door_count()).map(|door| {
        let spot = query.middle_of_door(&rooms, door, &mut buffer).unwrap();
        let [x, y, z] = query.place(spot).unwrap().position();
        format!("d{door} = [{x}, {y}, {z}]\n")
    });
    bake_with(&doors.collect::<String>())
}

/// The polygons that are come to from one over portals that are not shut.
fn flood(mesh: &NavMeshView<'_>, from: PolyId, shut: &BTreeSet<(PolyId, u32)>) -> Vec<bool> {
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
    let mesh = blob.mesh(0).unwrap();
    let rooms = blob.rooms(0).unwrap();
    let names: Vec<&str> = blob.switches().map(|s| s.name).collect();
    assert_eq!(names.len() as u32, rooms.door_count(), "{name}");
    let mut buffer = ClosingsBuffer::new(&mesh);
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
        let query = Query::new(mesh).with_closings(buffer.close(&mesh, &switches));
        let reach = query.room_reach(&rooms, &mut memory).unwrap();
        for _ in 0..pairs {
            let [from, to] = [(); 2].map(|()| PolyId(draw.below(mesh.polygon_count())));
            let found = reach.connected(rooms.of(from), rooms.of(to));
            let seen = flood(&mesh, from, &shut)[to.index()];
            assert_eq!(found, seen, "{name}: {from:?} to {to:?} with {switches:x?}");
            parted += u32::from(!found);
        }
    }
    assert!(
        Query::new(mesh)
            .room_reach(&rooms, &mut memory[1..])
            .is_none()
    );
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
    let query = Query::new(blob.mesh(0).unwrap());
    let rooms = blob.rooms(0).unwrap();
    let grid = query.mesh().grid();
    let mut buffer = SearchBuffer::new(query.mesh());
    let mut pairs = 0;
    for r in (0..rooms.count()).map(RoomId) {
        let doors: Vec<u32> = rooms.doors_of(r).collect();
        let middle = |d: u32| {
            let [a, b] = rooms.door(d).unwrap().ends;
            grid.metres([
                f64::from(a[0] + b[0]) / 2.0,
                0.0,
                f64::from(a[1] + b[1]) / 2.0,
            ])
        };
        for (i, &a) in doors.iter().enumerate() {
            for (k, &b) in doors[..i].iter().enumerate() {
                let way = f64::from(rooms.way(r, i as u32, k as u32).unwrap());
                let [from, to] = [a, b].map(middle);
                let request = PathRequest::new(from, to).planner(Planner::Optimal);
                let found = query.path(&request, &mut buffer).length_xz;
                assert!((way - found).abs() < 0.01, "{way} for {found}");
                assert!(way + 1e-3 >= (from[0] - to[0]).hypot(from[2] - to[2]) - 0.01);
                pairs += 1;
            }
        }
    }
    assert!(pairs > 20, "{pairs}");
}
