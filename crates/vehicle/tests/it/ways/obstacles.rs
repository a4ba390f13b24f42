//! Obstacles that come, move and go: answers are those of the tiles of now, and no vehicle touches
//! an obstacle by a check that knows no tiles.

use std::collections::BTreeMap;

use navbake_format::Blob;
use navbake_search::{Error, NavMeshBuf, QueryFilter};
use navbake_testkit::Random;
use navbake_testkit::allocations::count as allocations;
use navbake_testkit::solids::Solid;
use navbake_vehicle::build::{Reverse, VehicleSpec};
use navbake_vehicle::{
    Footprint, Ground, GroundFilter, Obstacle, TurningQuery, TurningRequest, TurningStatus,
};

use crate::support::course::{Map, drive, packed};
use crate::support::poses::Watched;

const SIZE: [usize; 2] = [36, 30];

/// The height of the map's agent.
const HEIGHT: f64 = 2.0;

fn map(random: &mut Random) -> Map {
    let [width, height] = SIZE;
    Map { width, height, free: (0..width * height).map(|_| !random.chance(4)).collect() }
}

fn obstacle(solid: &Solid) -> Obstacle {
    let made = match solid.corners[..] {
        [centre] => Obstacle::cylinder(centre, solid.radius, solid.heights),
        _ => Obstacle::prism(&solid.corners, solid.heights),
    };
    made.unwrap()
}

/// Is it where units on ground at 0 are?
fn is_low(solid: &Solid) -> bool {
    solid.heights[1] >= 0.0 && solid.heights[0] <= HEIGHT
}

/// Walls without width: any, along tiles, and a point.
fn wall(random: &mut Random) -> Solid {
    let mut at = || [random.unit() * SIZE[0] as f64, random.unit() * SIZE[1] as f64];
    let (a, b) = (at(), at());
    let near = [a[0] + (b[0] - a[0]) / 8.0, a[1] + (b[1] - a[1]) / 8.0];
    let corners = match random.below(4) {
        0 => vec![a.map(f64::round), [a[0].round(), a[1].round() + 4.0]],
        1 => vec![a.map(f64::round), [a[0].round() + 4.0, a[1].round()]],
        2 => vec![a.map(f64::round)],
        _ => vec![a, near],
    };
    Solid { corners, radius: 0.0, heights: [0.0, 1.0] }
}

fn some_request(random: &mut Random, k: usize) -> TurningRequest {
    let mut place = || [random.unit() * SIZE[0] as f64, 0.0, random.unit() * SIZE[1] as f64];
    let (from, to) = (place(), place());
    let end = k.is_multiple_of(2).then_some(random.unit() * 6.0);
    TurningRequest {
        weight: 1.0,
        smooth: k % 4 >= 2,
        ..TurningRequest::new(from, random.unit() * 6.0, to, end)
    }
}

fn vehicles() -> [VehicleSpec; 2] {
    let rectangle =
        Footprint::polygon(&[[0.9, 0.4], [-0.6, 0.4], [-0.6, -0.4], [0.9, -0.4]]).unwrap();
    let usual = VehicleSpec { detour: Some(3.0), ..VehicleSpec::new(1.0, Footprint::disc(0.45)) };
    let reverse = Some(Reverse { penalty: 1.5, change: 0.5 });
    [usual, VehicleSpec { footprint: rectangle, reverse, ..usual }]
}

/// The map with the tiles blocked that solids take, by clipping.
fn with_solids(map: &Map, solids: &BTreeMap<u32, Solid>) -> Map {
    let mut free = map.free.clone();
    for (k, free) in free.iter_mut().enumerate() {
        let [x, z] = [k % map.width, k / map.width].map(|v| v as f64);
        let ring = [[x, z], [x, z + 1.0], [x + 1.0, z + 1.0], [x + 1.0, z]];
        *free &= !solids.values().any(|solid| is_low(solid) && solid.overlaps(&ring));
    }
    Map { free, ..*map }
}

#[test]
fn after_each_change_answers_are_those_of_a_map_with_these_tiles_blocked() {
    let mut random = Random(41);
    let (mut reached, mut changes) = (0, 0);
    for vehicle in vehicles() {
        let plain = map(&mut random);
        let bytes = plain.blob(&[packed(&vehicle, "v")]);
        let nav = NavMeshBuf::open(&bytes).unwrap();
        drive!(bytes, "v", unit, ground, buffer, 60_000);
        let cells = Blob::open_checked(&bytes).unwrap().grid_map().unwrap();
        let mut same = vec![0u64; Ground::words(&cells)];
        let mut solids = BTreeMap::new();
        for _ in 0..150 {
            changes += 1;
            let number = random.below(12) as u32;
            let solid = Solid::new(&mut random, SIZE.map(|v| v as f64));
            match solids.remove(&number).is_some() && random.chance(40) {
                true => ground.set_obstacle(&nav.mesh(), number, None).unwrap(),
                false => {
                    let put = obstacle(&solid);
                    solids.insert(number, solid);
                    ground.set_obstacle(&nav.mesh(), number, Some(&put)).unwrap()
                }
            };
            let now = with_solids(&plain, &solids);
            let mut other = Ground::new(&cells, &mut same).unwrap();
            for k in (0..now.free.len()).filter(|&k| !now.free[k]) {
                other.set_blocked([k % now.width, k / now.width].map(|v| v as i32), true);
            }
            for k in 0..3 {
                let request = some_request(&mut random, k);
                let answer = |ground: &Ground<'_>, buffer: &mut navbake_vehicle::TurningBuffer| {
                    let query = TurningQuery::new(&unit, ground).unwrap();
                    let mut scratch = buffer.scratch();
                    let answer = query.path(&request, &mut scratch);
                    (answer.status, format!("{answer:?}"))
                };
                let (status, found) = answer(&ground, &mut buffer);
                assert_eq!(found, answer(&other, &mut buffer).1, "{request:?} {solids:?}");
                reached += usize::from(status == TurningStatus::Reached);
            }
        }
    }
    assert!(changes == 300 && reached > 200, "{changes} {reached}");
}

#[test]
fn no_vehicle_touches_an_obstacle() {
    let mut random = Random(42);
    let (mut paths, mut poses, mut beside) = (0, 0, 0);
    for vehicle in vehicles() {
        let plain = map(&mut random);
        let bytes = plain.blob(&[packed(&vehicle, "v")]);
        let nav = NavMeshBuf::open(&bytes).unwrap();
        drive!(bytes, "v", unit, ground, buffer, 60_000);
        let mut solids: Vec<Solid> = vec![];
        for k in 0..400 {
            let number = k % 24;
            let solid = match random.chance(40) {
                true => wall(&mut random),
                false => Solid::new(&mut random, SIZE.map(|v| v as f64)),
            };
            let put = match solid.corners[..] {
                [centre] => Obstacle::cylinder(centre, solid.radius, solid.heights).unwrap(),
                _ => obstacle(&solid),
            };
            ground.set_obstacle(&nav.mesh(), number as u32, Some(&put)).unwrap();
            match solids.get_mut(number) {
                Some(own) => *own = solid,
                None => solids.push(solid),
            }
            let low: Vec<Solid> = solids.iter().filter(|s| is_low(s)).cloned().collect();
            let request = some_request(&mut random, k);
            let query = TurningQuery::new(&unit, &ground).unwrap();
            let mut scratch = buffer.scratch();
            let answer = query.path(&request, &mut scratch);
            if answer.status != TurningStatus::Reached {
                continue;
            }
            let place = |p: [f64; 3]| [p[0] - 0.5, p[2] - 0.5];
            let [x, z] = place(request.from);
            let from = navbake_vehicle::Pose { x, z, heading: request.from_heading };
            let watched = Watched {
                map: &plain,
                solids: &low,
                footprint: &vehicle.footprint,
                radius: vehicle.turn_radius,
                length: answer.length,
                pose: &|along| answer.pose(&unit, along),
            };
            paths += 1;
            poses += watched.follow(from, place(request.to), request.to_heading).unwrap();
            // A check that overlooks obstacles finds none in the middle of the path.
            let middle = answer.pose(&unit, answer.length / 2.0);
            let there = Solid {
                corners: vec![[middle.x + 0.5, middle.z + 0.5]],
                radius: 0.1,
                heights: [0.0, 1.0],
            };
            let blind = Watched { solids: std::slice::from_ref(&there), ..watched };
            let fault = blind.follow(from, place(request.to), request.to_heading);
            beside += usize::from(fault.is_err_and(|fault| fault.contains("hits")));
        }
    }
    eprintln!("{paths} paths, {poses} poses");
    assert!(paths > 200 && beside == paths, "{paths} {beside}");
}

/// What else blocks tiles stays, and may change below an obstacle.
#[test]
fn removal_restores_every_answer_bit_for_bit() {
    let mut random = Random(43);
    let vehicle = vehicles()[0];
    let plain = map(&mut random);
    let bytes = plain.blob(&[packed(&vehicle, "v")]);
    let nav = NavMeshBuf::open(&bytes).unwrap();
    drive!(bytes, "v", unit, ground, buffer, 60_000);
    let mut ask = |ground: &Ground<'_>| -> Vec<String> {
        let mut random = Random(1);
        let one = |k| {
            let request = some_request(&mut random, k);
            let query = TurningQuery::new(&unit, ground).unwrap();
            format!("{:?}", query.path(&request, &mut buffer.scratch()))
        };
        (0..20).map(one).collect()
    };
    for _ in 0..10 {
        let before = ask(&ground);
        let solids: Vec<Solid> =
            (0..12).map(|_| Solid::new(&mut random, SIZE.map(|v| v as f64))).collect();
        for (number, solid) in (0..).zip(&solids) {
            ground.set_obstacle(&nav.mesh(), number, Some(&obstacle(solid))).unwrap();
        }
        assert_ne!(ask(&ground), before);
        // A car is parked below obstacles, and beside them, and drives off.
        let tiles: Vec<[i32; 2]> =
            (0..60).map(|_| SIZE.map(|most| random.below(most) as i32)).collect();
        let free: Vec<[i32; 2]> =
            tiles.into_iter().filter(|&[x, z]| !plain.is_blocked([x, z])).collect();
        free.iter().for_each(|&tile| ground.set_blocked(tile, true));
        // A filter that is made meanwhile closes nothing for good.
        let filter = GroundFilter::new(&unit, &mut ground, &nav.mesh(), &QueryFilter::new());
        for number in (0..12).rev().filter(|n| n % 2 == 0) {
            ground.set_obstacle(&nav.mesh(), number, None).unwrap();
        }
        assert!(free.iter().all(|&tile| ground.is_blocked(tile)), "parked cars stay");
        free.iter().for_each(|&tile| ground.set_blocked(tile, false));
        for number in (0..12).filter(|n| n % 2 == 1) {
            ground.set_obstacle(&nav.mesh(), number, None).unwrap();
        }
        filter.lift(&mut ground);
        assert_eq!(ask(&ground), before);
    }
}

#[test]
fn changes_allocate_nothing_once_their_memory_has_grown() {
    let vehicle = vehicles()[0];
    let plain = map(&mut Random(44));
    let bytes = plain.blob(&[packed(&vehicle, "v")]);
    let nav = NavMeshBuf::open(&bytes).unwrap();
    drive!(bytes, "v", unit, ground, buffer, 10);
    let _ = (&unit, &mut buffer);
    let mut counts = [0; 2];
    for count in &mut counts {
        let mut random = Random(45);
        let before = allocations();
        for k in 0..300 {
            let at = [random.unit() * 30.0, random.unit() * 30.0];
            let barrel = Obstacle::cylinder(at, 1.5, [0.0, 1.0]).unwrap();
            let put = (k % 3 < 2).then_some(&barrel);
            ground.set_obstacle(&nav.mesh(), random.below(8) as u32, put).unwrap();
        }
        for number in 0..8 {
            ground.set_obstacle(&nav.mesh(), number, None).unwrap();
        }
        *count = allocations() - before;
    }
    assert!(counts[0] > 0, "the memory grows at first");
    assert_eq!(counts[1], 0, "the same changes again");
}

#[test]
fn obstacles_count_at_their_own_height_and_not_off_the_map() {
    let plain = Map::of(&["....", "....", "...."]);
    let bytes = plain.blob(&[packed(&vehicles()[0], "v")]);
    let nav = NavMeshBuf::open(&bytes).unwrap();
    drive!(bytes, "v", unit, ground, buffer, 10);
    let _ = (&unit, &mut buffer);
    let mesh = nav.mesh();
    let mut put = |heights, by: [f64; 3]| {
        let square = [[1.0, 1.0], [3.0, 1.0], [3.0, 2.0], [1.0, 2.0]];
        let lid = Obstacle::prism(&square, heights).and_then(|lid| lid.moved(by)).unwrap();
        let changed: Result<usize, Error> = ground.set_obstacle(&mesh, 1, Some(&lid));
        ground.set_obstacle(&mesh, 1, None).unwrap();
        changed
    };
    assert_eq!(put([0.0, 1.0], [0.0; 3]), Ok(2));
    assert_eq!(put([1.9, 3.0], [0.0; 3]), Ok(2), "below the head of the agent");
    assert_eq!(put([2.1, 3.0], [0.0; 3]), Ok(0), "above it");
    assert_eq!(put([-2.0, -0.1], [0.0; 3]), Ok(0), "below the ground");
    assert_eq!(put([0.0, 1.0], [0.5, 0.0, 0.5]), Ok(6));
    // Rounding of a place is contact.
    assert_eq!(put([0.0, 1.0], [1e-9, 0.0, -1e-9]), Ok(2));
    for far in [4.0, -3.0, 1e9, -1e300] {
        assert_eq!(put([0.0, 1.0], [far, 0.0, 0.0]), Ok(0), "{far}");
    }
}
