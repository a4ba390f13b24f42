//! Searches and hit checks against a plain search that looks at every tile of every edge on the
//! map.

use crate::support;
use crate::support::course::drive;
use crate::support::course::{Map, packed};
use crate::support::heading_of;
use crate::support::lattice::Lattice;
use crate::support::scenarios::splitmix;
use navbake_vehicle::build::{Reverse, UNITS, VehicleSpec};
use navbake_vehicle::{Between, Footprint, Pose, TurningQuery, TurningRequest, TurningStatus};

fn scattered(width: usize, height: usize, percent: u64, seed: u64) -> Map {
    let tile = |i: usize| splitmix(seed * 1_000_003 + i as u64) % 100 >= percent;
    Map { width, height, free: (0..width * height).map(tile).collect() }
}

fn request(from: [i32; 2], heading: u32, to: [i32; 2], end: Option<u32>) -> TurningRequest {
    let place = |t: [i32; 2]| [f64::from(t[0]) + 0.5, 0.0, f64::from(t[1]) + 0.5];
    let end = end.map(|h| heading_of(h, 8));
    TurningRequest {
        analytic_expansion: false,
        ..TurningRequest::new(place(from), heading_of(heading, 8), place(to), end)
    }
}

fn free_tiles(map: &Map) -> Vec<[i32; 2]> {
    let all = (0..map.height as i32).flat_map(|z| (0..map.width as i32).map(move |x| [x, z]));
    all.filter(|&t| !map.is_blocked(t)).collect()
}

/// Searches paths from some states, every few tiles and headings, to all headings of every few
/// tiles, and compares costs: how many there are, and how many have a path.
fn compare(map: &Map, vehicle: &VehicleSpec, [starts, turns, goals]: [usize; 3]) -> [u32; 2] {
    let tables = packed(vehicle, "v");
    let bytes = map.blob(std::slice::from_ref(&tables));
    drive!(bytes, "v", unit, ground, buffer, 60_000);
    let query = TurningQuery::new(&unit, &ground).unwrap();
    let plain = Lattice::new(map, tables.tables());
    let tiles = free_tiles(map);
    let [mut asked, mut found] = [0; 2];
    for &from in tiles.iter().step_by(starts) {
        for heading in (0..8).step_by(turns) {
            let costs = plain.from(from, heading);
            for &to in tiles.iter().skip(heading as usize % goals).step_by(goals) {
                for end in (0..8).map(Some).chain([None]) {
                    let request = request(from, heading, to, end);
                    let mut scratch = buffer.scratch();
                    let answer = query.path(&request, &mut scratch);
                    let cost = plain.cost(&costs, to, end);
                    let own = (answer.status == TurningStatus::Reached)
                        .then(|| (answer.cost * f64::from(UNITS)).round() as u64);
                    assert_eq!(own, cost, "{from:?} {heading} {to:?} {end:?} {vehicle:?}");
                    asked += 1;
                    found += u32::from(cost.is_some());
                }
            }
        }
    }
    [asked, found]
}

#[test]
fn all_pairs_of_states_on_small_maps_cost_what_a_plain_search_finds() {
    let rows = ["......", "..#...", "......", "...##.", "......"];
    let vehicle = VehicleSpec::new(1.0, Footprint::disc(0.45));
    let [asked, found] = compare(&Map::of(&rows), &vehicle, [1; 3]);
    assert!(asked == 27 * 27 * 72 && found > 5000, "{asked} {found}");
    let reverse =
        VehicleSpec { rings: 2, reverse: Some(Reverse { penalty: 1.3, change: 0.7 }), ..vehicle };
    let [asked, found] = compare(&Map::of(&rows[..3]), &reverse, [1; 3]);
    assert!(asked == 17 * 17 * 72 && found > 5000, "{asked} {found}");
}

#[test]
fn costs_are_exact_across_words_of_bits_and_at_borders_and_over_long_ways() {
    // Columns 43 to 52 and 107 to 116 of the bits' words, with their rim, are on either side of a
    // word's end.
    let map = scattered(120, 9, 14, 4);
    let vehicle = VehicleSpec { rings: 2, ..VehicleSpec::new(1.0, Footprint::disc(0.45)) };
    let [asked, found] = compare(&map, &vehicle, [301, 3, 151]);
    assert!(asked > 300 && found > 100, "{asked} {found}");
}

fn is_blocked_at(map: &Map, footprint: &Footprint, [x, z]: [i32; 2], heading: u32) -> bool {
    let at = support::At { x: f64::from(x), y: -f64::from(z), heading: heading_of(heading, 8) };
    let around = (-2..=2).flat_map(|dz| (-2..=2).map(move |dx| [x + dx, z + dz]));
    let mut blocked = around.filter(|&t| map.is_blocked(t));
    blocked.any(|t| support::depth(footprint, at, t) > 1e-7)
}

#[test]
fn moves_are_free_where_all_their_tiles_are_looked_at_one_by_one() {
    let rectangle =
        Footprint::polygon(&[[0.8, 0.4], [-0.7, 0.4], [-0.7, -0.4], [0.8, -0.4]]).unwrap();
    for (footprint, percent) in [(Footprint::disc(0.45), 15), (rectangle, 7)] {
        let map = scattered(75, 14, percent, 9);
        let vehicle = VehicleSpec { words: 6, ..VehicleSpec::new(1.0, footprint) };
        let tables = packed(&vehicle, "v");
        let bytes = map.blob(std::slice::from_ref(&tables));
        drive!(bytes, "v", unit, ground, buffer, 10);
        drop(buffer);
        let query = TurningQuery::new(&unit, &ground).unwrap();
        let plain = Lattice::new(&map, tables.tables());
        let mut differing = std::collections::HashSet::new();
        for &tile in &free_tiles(&map) {
            for heading in 0..8 {
                // No request where the vehicle does not even fit.
                if is_blocked_at(&map, &footprint, tile, heading) {
                    continue;
                }
                let [free, all] = query.free_moves(tile, heading, 0);
                assert_eq!(free, plain.free_moves(tile, heading), "{tile:?} {heading}");
                assert!(free <= all);
                differing.insert(free);
            }
        }
        assert!(differing.len() > 50);
        assert_eq!(query.free_moves([-1, 3], 0, 0), [0; 2]);
        assert_eq!(query.free_moves([3, 3], 8, 0), [0; 2]);
    }
}

/// For each tile that an edge of the widest tables sweeps: with nothing free but its tiles the edge
/// is free, and with that tile blocked as well it is not.
#[test]
fn d1_d2_every_tile_of_a_sweep_blocks_in_the_last_row_and_at_the_sides_as_well() {
    let vehicle = VehicleSpec { words: 6, ..VehicleSpec::new(1.0, Footprint::disc(0.5)) };
    let tables = packed(&vehicle, "v");
    assert_eq!(tables.tables().window, 11);
    let middle = [8, 8];
    let at = |t: [i32; 2]| [middle[0] + t[0], middle[1] + t[1]];
    let all = navbake_vehicle::build::edges::spread(&tables.tables().edges, &vehicle);
    let far = |t: &[i32; 2]| t[1] == 5 || t[0].abs() == 5;
    let edges = all.iter().flatten().filter(|e| e.swept.tiles().any(|t| far(&t)));
    let mut looked = [0; 2];
    for edge in edges.step_by(31) {
        for tile in edge.swept.tiles().filter(far) {
            if tile == edge.offset {
                continue;
            }
            let mut map = scattered(17, 17, 100, 1);
            for t in edge.swept.tiles() {
                let [x, z] = at(t);
                map.free[z as usize * 17 + x as usize] = true;
            }
            for blocked in [false, true] {
                if blocked {
                    let [x, z] = at(tile);
                    map.free[z as usize * 17 + x as usize] = false;
                }
                let bytes = map.blob(std::slice::from_ref(&tables));
                drive!(bytes, "v", unit, ground, buffer, 4000);
                let query = TurningQuery::new(&unit, &ground).unwrap();
                let request = request(middle, edge.from, at(edge.offset), Some(edge.to));
                let mut scratch = buffer.scratch();
                let answer = query.path(&request, &mut scratch);
                let plain = Lattice::new(&map, tables.tables());
                let costs = plain.from(middle, edge.from);
                let cost = plain.cost(&costs, at(edge.offset), Some(edge.to));
                let own = (answer.status == TurningStatus::Reached)
                    .then(|| (answer.cost * f64::from(UNITS)).round() as u64);
                assert_eq!(own, cost, "{edge:?} {tile:?} {blocked}");
                if !blocked {
                    assert!(own.is_some_and(|c| c <= u64::from(edge.length)));
                    looked[usize::from(tile[1] == 5)] += 1;
                }
            }
        }
    }
    assert!(looked[0] > 2 && looked[1] > 2, "{looked:?}");
}

#[test]
fn d2_edges_whose_curves_leave_the_window_are_left_out_and_not_wrapped_round() {
    let vehicle =
        VehicleSpec { words: 6, window: Some(15), ..VehicleSpec::new(2.0, Footprint::disc(0.5)) };
    let tables = navbake_vehicle::build::build(&vehicle).unwrap();
    assert!(tables.left_out > 0 && tables.window == 15);
    for edge in &tables.edges {
        let [from, to] = support::ends(edge, 8);
        let parts = support::plain_word(from, to, 2.0, edge.word).unwrap();
        let length: f64 = parts.iter().sum();
        for i in 0..=100 {
            let at = support::drive(from, 2.0, edge.word, parts, length * f64::from(i) / 100.0);
            // Its disc stays within tiles up to 7 columns and rows away.
            assert!(at.x.abs().max(at.y.abs()) <= 7.0 + 1e-6, "{edge:?} {at:?}");
        }
    }
}

#[test]
fn more_rings_and_reverse_never_cost_more_and_wider_units_never_less() {
    let usual = VehicleSpec { words: 6, ..VehicleSpec::new(1.0, Footprint::disc(0.45)) };
    let of = |rings: u32| VehicleSpec { rings, ..usual };
    let reverse = VehicleSpec { reverse: Some(Reverse { penalty: 1.0, change: 0.0 }), ..usual };
    let wide = VehicleSpec { footprint: Footprint::disc(0.8), ..usual };
    // Each costs no more than the one before it.
    let orders = [vec![of(1), of(2), of(3), reverse], vec![wide, usual]];
    let mut strict = 0;
    let tables = |list: &Vec<VehicleSpec>| list.iter().map(|v| packed(v, "v")).collect::<Vec<_>>();
    let orders: Vec<_> = orders.iter().map(tables).collect();
    for seed in 0..2 {
        let map = scattered(18, 14, 10, seed);
        for order in &orders {
            let mut before: Option<Vec<u64>> = None;
            for tables in order {
                let bytes = map.blob(std::slice::from_ref(tables));
                drive!(bytes, "v", unit, ground, buffer, 40_000);
                let query = TurningQuery::new(&unit, &ground).unwrap();
                let tiles = free_tiles(&map);
                let mut costs = vec![];
                for k in 0..48 {
                    let pick = |i: u64| {
                        tiles[(splitmix(seed * 999 + k * 7 + i) % tiles.len() as u64) as usize]
                    };
                    let request = request(pick(0), (k % 8) as u32, pick(1), Some(k as u32 / 8 % 8));
                    let mut scratch = buffer.scratch();
                    let answer = query.path(&request, &mut scratch);
                    costs.push(match answer.status {
                        TurningStatus::Reached => (answer.cost * f64::from(UNITS)).round() as u64,
                        _ => u64::MAX,
                    });
                }
                if let Some(before) = &before {
                    assert!(costs.iter().zip(before).all(|(now, was)| now <= was));
                    strict += costs.iter().zip(before).filter(|(n, w)| n < w).count();
                }
                before = Some(costs);
            }
        }
    }
    assert!(strict > 20, "{strict}");
}

#[test]
fn curves_of_larger_radii_are_never_shorter_and_degenerate_ones_have_their_length() {
    let pose = |x: i32, z: i32, heading: u32| Pose {
        x: f64::from(x),
        z: f64::from(z),
        heading: heading_of(heading, 8),
    };
    for x in -4..=4 {
        for z in -4..=4 {
            for to in 0..8 {
                for from in 0..2 {
                    let length =
                        |r: f64| Between::new(pose(0, 0, from), pose(x, z, to), r).shortest();
                    assert!(length(1.0) <= length(1.5) + 1e-9, "{x} {z} {from} {to}");
                    assert!(length(0.5) <= length(1.0) + 1e-9);
                }
            }
        }
    }
    let length = |to: Pose, r: f64| Between::new(pose(0, 0, 0), to, r).shortest();
    // In place: nothing, and not a whole turn; about: three arcs.
    assert_eq!(length(pose(0, 0, 0), 1.0), 0.0);
    assert!((length(pose(0, 0, 4), 1.0) - 7.0 * std::f64::consts::PI / 3.0).abs() < 1e-9);
    // Left, then right, circles that just touch: no straight part, and a root of nothing.
    let touching = length(pose(2, -2, 0), 1.0);
    assert!((touching - std::f64::consts::PI).abs() < 1e-6, "{touching}");
}

#[test]
fn a_goal_that_nothing_leads_to_is_reported_without_a_look_at_all_of_the_ground() {
    let mut map = scattered(70, 60, 0, 1);
    // Walls with a gap at a corner, which tiles meet at and no vehicle gets through.
    for z in 19..=23 {
        for x in 49..=53 {
            let is_wall = !(50..=52).contains(&x) || !(20..=22).contains(&z);
            if is_wall && [x, z] != [49, 19] {
                map.free[z * 70 + x] = false;
            }
        }
    }
    let vehicle = VehicleSpec { detour: Some(3.0), ..VehicleSpec::new(1.0, Footprint::disc(0.45)) };
    let bytes = map.blob(&[packed(&vehicle, "v")]);
    drive!(bytes, "v", unit, ground, buffer, 60_000);
    let query = TurningQuery::new(&unit, &ground).unwrap();
    for (goal, end) in [([51.5, 21.5], None), ([51.3, 21.6], Some(0.4))] {
        let request = TurningRequest::new([5.5, 0.0, 5.5], 0.0, [goal[0], 0.0, goal[1]], end);
        let mut scratch = buffer.scratch();
        let answer = query.path(&request, &mut scratch);
        assert_eq!(answer.status, TurningStatus::Unreachable);
        assert!(answer.expanded < 1500, "{}", answer.expanded);
        let dijkstra = TurningRequest { dijkstra: true, ..request };
        let mut scratch = buffer.scratch();
        let plain = query.path(&dijkstra, &mut scratch);
        assert_eq!(plain.status, TurningStatus::Unreachable);
        assert!(plain.expanded > 20_000, "{}", plain.expanded);
    }
}

#[test]
fn a_path_of_more_pieces_than_there_is_room_for_is_reported_as_a_lack_of_memory() {
    let map = scattered(30, 30, 10, 3);
    let vehicle = VehicleSpec::new(1.0, Footprint::disc(0.45));
    let bytes = map.blob(&[packed(&vehicle, "v")]);
    drive!(bytes, "v", unit, ground, large, 60_000);
    let query = TurningQuery::new(&unit, &ground).unwrap();
    let tiles = free_tiles(&map);
    let request = request(tiles[0], 7, tiles[tiles.len() - 1], None);
    let mut scratch = large.scratch();
    let answer = query.path(&request, &mut scratch);
    assert_eq!(answer.status, TurningStatus::Reached);
    let pieces = answer.pieces.len();
    for (room, status) in
        [(pieces, TurningStatus::Reached), (pieces - 1, TurningStatus::OutOfNodes)]
    {
        let size = navbake_vehicle::TurningScratchSize {
            pieces: room,
            ..navbake_vehicle::TurningScratchSize::with_nodes(&unit, &ground, 60_000)
        };
        let mut small = navbake_vehicle::TurningBuffer::new(size);
        let mut scratch = small.scratch();
        let answer = query.path(&request, &mut scratch);
        assert_eq!(answer.status, status);
        assert_eq!(answer.pieces.is_empty(), status != TurningStatus::Reached);
    }
}
