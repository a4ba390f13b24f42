//! The heuristic table, entry by entry.

use navbake_vehicle::build::edges::{Edge, spread};
use navbake_vehicle::build::{Distances, NO_WAY, Reverse, Tables, UNITS, VehicleSpec, build};
use navbake_vehicle::build::{FLOOD_SETS, FLOOD_STEPS, flood_bit};
use navbake_vehicle::{Between, Footprint, Pose, Symmetry};

/// Reads the table as the format describes it.
struct Table<'t> {
    of: &'t Distances,
    headings: u32,
}

impl Table<'_> {
    fn place(&self, [x, z]: [i32; 2]) -> Option<usize> {
        let range = self.of.range as i32;
        let inside = x.abs() <= range && z.abs() <= range;
        inside.then(|| ((z + range) * (2 * range + 1) + x + range) as usize)
    }

    fn plane(&self) -> usize {
        (2 * self.of.range as usize + 1).pow(2)
    }

    /// Turned back by quarter turns until `by` is in the first one.
    fn turned(&self, by: u32, heading: u32, at: [i32; 2]) -> (u32, u32, [i32; 2]) {
        let quarter = self.headings / 4;
        let turn = Symmetry { mirror: false, quarters: ((4 - by / quarter) % 4) as u8 };
        (by % quarter, turn.heading(heading, self.headings), turn.offset(at))
    }

    fn to_heading(&self, gear: u32, from: u32, at: [i32; 2], to: u32) -> Option<u32> {
        let gears =
            self.of.to_heading.len() / self.plane() / (self.headings * self.headings / 4) as usize;
        let (to, from, at) = self.turned(to, from, at);
        let table = (to as usize * gears + gear as usize) * self.headings as usize + from as usize;
        Some(self.of.to_heading[table * self.plane() + self.place(at)?])
    }

    fn to_any(&self, gear: u32, from: u32, at: [i32; 2]) -> Option<u32> {
        let (from, _, at) = self.turned(from, 0, at);
        let table = (gear * self.headings / 4 + from) as usize;
        Some(self.of.to_any[table * self.plane() + self.place(at)?])
    }
}

fn vehicles() -> Vec<VehicleSpec> {
    let small = VehicleSpec { rings: 2, ..VehicleSpec::new(1.0, Footprint::disc(0.45)) };
    let reverse = Some(Reverse { penalty: 1.7, change: 0.4 });
    let wedge = Footprint::polygon(&[[0.6, 0.0], [-0.3, 0.4], [-0.5, -0.3]]).unwrap();
    vec![
        VehicleSpec::new(1.0, Footprint::disc(0.45)),
        VehicleSpec { reverse, ..small },
        VehicleSpec { reverse, footprint: wedge, ..small },
        VehicleSpec { headings: 16, detour: Some(3.0), ..small },
    ]
}

/// Moves by gear and heading: where they lead, and for how much.
fn moves(tables: &Tables) -> Vec<Vec<([i32; 2], u32, u32)>> {
    let vehicle = &tables.vehicle;
    let headings = vehicle.headings;
    let of = |edges: &[Edge]| spread(edges, vehicle);
    let forwards = of(&tables.edges);
    let list = |edge: &Edge| (edge.offset, edge.to, edge.length);
    let mut all: Vec<Vec<_>> = forwards.iter().map(|l| l.iter().map(list).collect()).collect();
    if let Some(reverse) = vehicle.reverse {
        let back = if tables.back.is_empty() { forwards } else { of(&tables.back) };
        for heading in 0..headings {
            let about = |h: u32| (h + headings / 2) % headings;
            all.push(
                back[about(heading) as usize]
                    .iter()
                    .map(|e| {
                        let cost = (f64::from(e.length) * reverse.penalty).ceil() as u32;
                        (e.offset, about(e.to), cost)
                    })
                    .collect(),
            );
        }
    }
    all
}

#[test]
fn d5_every_entry_is_consistent_over_every_edge_and_some_edge_attains_it() {
    for vehicle in vehicles() {
        let tables = build(&vehicle).unwrap();
        let headings = vehicle.headings;
        let table = Table { of: &tables.distances, headings };
        let moves = moves(&tables);
        let gears = if vehicle.reverse.is_some() { 2 } else { 1 };
        let change = vehicle.reverse.map_or(0, |r| (r.change * f64::from(UNITS)).ceil() as u32);
        let range = tables.distances.range as i32;
        let goals: Vec<Option<u32>> = (0..headings).step_by(3).map(Some).chain([None]).collect();
        for goal in goals {
            let look = |gear: u32, from: u32, at: [i32; 2]| match goal {
                Some(to) => table.to_heading(gear, from, at, to),
                None => table.to_any(gear, from, at),
            };
            for gear in 0..gears {
                for from in 0..headings {
                    let there = goal.is_none_or(|to| to == from);
                    let zero = look(gear, from, [0, 0]).unwrap();
                    assert_eq!(zero == 0, there, "{gear} {from} {goal:?}");
                    for z in -range..=range {
                        for x in -range..=range {
                            let own = look(gear, from, [x, z]).unwrap();
                            let mut attained = own == 0 || own == NO_WAY;
                            let mut leaves = false;
                            if gears == 2 {
                                let other = look(1 - gear, from, [x, z]).unwrap();
                                assert!(own <= change.saturating_add(other));
                                attained |= own == change.saturating_add(other);
                            }
                            for &([dx, dz], to, cost) in &moves[(gear * headings + from) as usize] {
                                let Some(on) = look(gear, to, [x + dx, z + dz]) else {
                                    leaves = true;
                                    continue;
                                };
                                assert!(
                                    own <= cost.saturating_add(on),
                                    "{gear} {from} {x} {z} {goal:?}: {own} {cost} {on}"
                                );
                                attained |= own == cost.saturating_add(on);
                            }
                            // At the rim the next tile of the path may be beyond the table.
                            assert!(attained || leaves, "{gear} {from} {x} {z} {goal:?}: {own}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn no_entry_is_below_the_shortest_curve_nor_a_straight_way_above_it() {
    let vehicle = VehicleSpec::new(1.0, Footprint::disc(0.45));
    let tables = build(&vehicle).unwrap();
    let table = Table { of: &tables.distances, headings: 8 };
    let angle = |h: u32| f64::from(h) * std::f64::consts::FRAC_PI_4;
    for from in 0..8 {
        for to in 0..8 {
            for z in -20..=20 {
                for x in -20..=20 {
                    let table_distance = table.to_heading(0, from, [x, z], to).unwrap();
                    let (fx, fz) = (f64::from(x), f64::from(z));
                    let start = Pose { x: fx, z: fz, heading: angle(from) };
                    let goal = Pose { x: 0.0, z: 0.0, heading: angle(to) };
                    let curve = Between::new(start, goal, 1.0).shortest();
                    assert!(
                        f64::from(table_distance) >= curve * f64::from(UNITS) - 1e-3,
                        "{from} {to} {x} {z}"
                    );
                }
            }
        }
    }
    for x in 0..=20 {
        assert_eq!(table.to_heading(0, 0, [-x, 0], 0), Some(x as u32 * UNITS));
    }
}

#[test]
fn d4_a_goal_within_the_turning_circle_and_one_on_either_side_cost_what_they_should() {
    // A table that held the length to one side only, or overflowed within the circle, would be
    // found by these.
    let vehicle = VehicleSpec::new(2.0, Footprint::disc(0.45));
    let tables = build(&vehicle).unwrap();
    let table = Table { of: &tables.distances, headings: 8 };
    for z in -20..=20 {
        for x in -20..=20 {
            let up = table.to_any(0, 0, [x, z]).unwrap();
            assert_eq!(up, table.to_any(0, 0, [x, -z]).unwrap());
            assert!(up < 60 * UNITS, "{x} {z}: {up}");
        }
    }
    let beside = table.to_any(0, 0, [0, 1]).unwrap();
    assert!(beside > 6 * UNITS && beside < 20 * UNITS, "{beside}");
}

#[test]
fn ways_over_free_tiles_cost_no_more_than_any_edge() {
    for vehicle in vehicles() {
        let tables = build(&vehicle).unwrap();
        let bound = tables.bound;
        assert!(bound.costs[0] > 59_000 && bound.costs[1] > bound.costs[0]);
        let steps: Vec<_> = FLOOD_SETS
            .map(|kind| (FLOOD_STEPS[kind], bound.costs[kind]))
            .into_iter()
            .zip(bound.needs)
            .collect();
        for edge in tables.edges.iter().chain(&tables.back) {
            // Bellman and Ford, over the tiles that the edge sweeps, from its end to its beginning.
            let tiles: Vec<[i32; 2]> = edge.swept.tiles().collect();
            let mut costs = vec![u64::MAX / 2; tiles.len()];
            let at = |t: [i32; 2]| tiles.iter().position(|&o| o == t).unwrap();
            costs[at(edge.offset)] = 0;
            for _ in 0..tiles.len() {
                for i in 0..tiles.len() {
                    for &((step, cost), needs) in &steps {
                        for symmetry in Symmetry::all() {
                            let moved = |tile| {
                                let by = symmetry.offset(tile);
                                [0, 1].map(|k| tiles[i][k] + by[k])
                            };
                            let all = (-3..=3).flat_map(|z| (-3..=3).map(move |x| [x, z]));
                            let mut needed = all.filter(|&t| needs & flood_bit(t) != 0);
                            let is_free = needed.all(|t| edge.swept.has(moved(t)));
                            if cost < u32::MAX && is_free && edge.swept.has(moved(step)) {
                                let to = at(moved(step));
                                costs[to] = costs[to].min(costs[i] + u64::from(cost));
                            }
                        }
                    }
                }
            }
            assert!(costs[at([0, 0])] <= u64::from(edge.length), "{edge:?}");
        }
    }
}

#[test]
fn steps_of_the_bound_need_the_tiles_that_a_vehicle_cannot_avoid() {
    let tables = |vehicle: VehicleSpec| build(&vehicle).unwrap().bound;
    let bits = |tiles: &[[i32; 2]]| tiles.iter().fold(0, |all, &t| all | flood_bit(t));
    let narrow = tables(VehicleSpec { rings: 3, ..VehicleSpec::new(1.0, Footprint::disc(0.45)) });
    // Both tiles beside a corner, and both that a knight passes.
    assert_eq!(narrow.needs[1], bits(&[[0, 0], [1, 0], [0, 1], [1, 1]]));
    let knight = [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]];
    assert_eq!(narrow.needs[2], bits(&knight));
    // A wide one needs a lane of three.
    let wide = tables(VehicleSpec { rings: 3, ..VehicleSpec::new(1.0, Footprint::disc(1.2)) });
    let lane = bits(&[[0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]]);
    assert_eq!(wide.needs[0] & lane, lane);
    // Neighbours only: no longer steps.
    let near = tables(VehicleSpec { rings: 1, ..VehicleSpec::new(0.4, Footprint::disc(0.3)) });
    assert_eq!(near.costs[2..], [u32::MAX; 3]);
    // Tiles that a step passes are needed whatever the vehicle covers: no step leaps over a wall.
    let long = Footprint::polygon(&[[0.9, 0.4], [-0.6, 0.4], [-0.6, -0.4], [0.9, -0.4]]).unwrap();
    for needs in &tables(VehicleSpec::new(1.2, long)).needs[2..] {
        let passed = bits(&[[1, 0], [1, 1]]);
        assert_ne!(needs & passed, 0);
    }
}

#[test]
fn larger_radii_and_fewer_rings_never_make_ways_shorter() {
    let of = |vehicle: VehicleSpec| build(&vehicle).unwrap();
    let wide = |radius: f64, rings: u32| {
        of(VehicleSpec { rings, words: 6, ..VehicleSpec::new(radius, Footprint::disc(0.45)) })
    };
    let (eight, most) = (wide(1.0, 1), wide(1.0, 3));
    for (a, b) in eight.distances.to_heading.iter().zip(&most.distances.to_heading) {
        assert!(a >= b);
    }
    let back = of(VehicleSpec {
        words: 6,
        reverse: Some(Reverse { penalty: 1.0, change: 0.0 }),
        ..VehicleSpec::new(1.0, Footprint::disc(0.45))
    });
    let plane = 41 * 41;
    for to in 0..2 {
        for from in 0..8 {
            let own = &back.distances.to_heading[(to * 16 + from) * plane..][..plane];
            let forwards = &most.distances.to_heading[(to * 8 + from) * plane..][..plane];
            assert!(own.iter().zip(forwards).all(|(a, b)| a <= b));
        }
    }
}

#[test]
fn threads_do_not_change_the_tables() {
    let vehicle = VehicleSpec {
        reverse: Some(Reverse { penalty: 2.0, change: 1.0 }),
        ..VehicleSpec::new(1.5, Footprint::disc(0.6))
    };
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| build(&vehicle).unwrap())
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn what_is_too_large_is_reported_with_what_would_do() {
    let says = |vehicle: VehicleSpec, words: &str| {
        let error = build(&vehicle).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let vehicle = VehicleSpec::new(2.5, Footprint::disc(0.45));
    says(VehicleSpec { rings: 2, ..vehicle }, "`rings = 3` would do");
    says(VehicleSpec { turn_radius: 9.0, ..vehicle }, "1.5 times");
    says(VehicleSpec { turn_radius: f64::NAN, ..vehicle }, "turn radius of NaN");
    says(VehicleSpec { headings: 12, ..vehicle }, "8, 16 or 32");
    says(VehicleSpec { window: Some(5), ..vehicle }, "`window = 7` would do");
    says(VehicleSpec { window: Some(8), ..vehicle }, "odd");
    says(VehicleSpec { footprint: Footprint::disc(14.0), ..vehicle }, "times the side");
    says(VehicleSpec { footprint: Footprint::disc(40.0), ..vehicle }, "times the side");
    says(VehicleSpec { footprint: Footprint::disc(0.0), ..vehicle }, "0.01");
    says(
        VehicleSpec { reverse: Some(Reverse { penalty: 0.5, change: 0.0 }), ..vehicle },
        "penalty",
    );
    // And what it says does.
    let vehicle = VehicleSpec::new(2.5, Footprint::disc(0.8));
    let error = build(&VehicleSpec { window: Some(7), ..vehicle }).unwrap_err();
    let navbake_vehicle::build::SpecError::WindowForCurves { needed, .. } = error else {
        panic!("{error}");
    };
    assert!(build(&VehicleSpec { window: Some(needed), ..vehicle }).is_ok());
    assert!(build(&VehicleSpec { window: Some(needed - 2), ..vehicle }).is_err());
}
