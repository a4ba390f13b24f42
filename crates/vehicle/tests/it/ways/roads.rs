//! The four remedies that keep a truck on the road.

use navbake_vehicle::build::VehicleSpec;
use navbake_vehicle::{
    Footprint, RoadRules, Roads, TurningPiece, TurningQuery, TurningRequest, TurningStatus,
};

use super::{scattered, touched};
use crate::support::At;
use crate::support::course::drive;
use crate::support::course::{Map, drives, packed};

/// Rows 24 and 25 and columns 24 and 25, two tiles wide, with one bend; all else is open field.
fn is_road([x, z]: [i32; 2]) -> bool {
    let along = |v: i32| (3..=25).contains(&v);
    let wide = |v: i32| (24..=25).contains(&v);
    (along(x) && wide(z)) || (wide(x) && along(z))
}

fn field() -> Map {
    scattered(30, 30, 0, &mut 1)
}

fn request() -> TurningRequest {
    let up = std::f64::consts::FRAC_PI_2;
    TurningRequest::new([5.5, 0.0, 25.5], 0.0, [25.5, 0.0, 5.5], Some(up))
}

/// The tiles off the road that are touched.
fn off(footprint: &Footprint, radius: f64, pieces: &[TurningPiece]) -> Vec<[i32; 2]> {
    let mut all = vec![];
    for piece in pieces {
        for i in 0..=50 {
            let along = piece.segment.length * f64::from(i) / 50.0;
            let pose = piece.segment.pose(piece.from, radius, along);
            let at = At { x: pose.x, y: -pose.z, heading: pose.heading };
            all.extend(touched(footprint, at).into_iter().filter(|&t| !is_road(t)));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn each_remedy_keeps_a_truck_on_the_road() {
    for radius in [1.0, 2.0] {
        let vehicle = VehicleSpec::new(radius, Footprint::disc(0.45));
        let tables = packed(&vehicle, "v");
        let map = field();
        let bytes = map.blob(std::slice::from_ref(&tables));
        drive!(bytes, "v", truck, ground, buffer, 60_000);
        let mut scratch = buffer.scratch();
        // Without any, the field is shorter.
        let query = TurningQuery::new(&truck, &ground).unwrap();
        let answer = query.path(&request(), &mut scratch);
        let cost = answer.cost;
        assert!(!off(&vehicle.footprint, radius, answer.pieces).is_empty());
        let turn = truck.rings_for_turn().unwrap();
        assert_eq!(f64::from(turn), radius);
        let only = RoadRules::default();
        let near = RoadRules { rings: Some(1), off_road_cost: 8.0 };
        let wide = RoadRules { rings: Some(turn), off_road_cost: 8.0 };
        let few = (radius == 1.0).then_some(near);
        for rules in few.into_iter().chain([only, wide]) {
            let mut bits = vec![0; Roads::words(&ground)];
            let mut roads = Roads::new(&ground, &mut bits, rules).unwrap();
            roads.mark(&ground, |p| is_road([p[0] as i32, p[2] as i32]));
            let query = TurningQuery::new(&truck, &ground).unwrap().on_roads(&roads);
            let answer = query.path(&request(), &mut scratch);
            assert_eq!(answer.status, TurningStatus::Reached, "{rules:?}");
            assert_eq!(off(&vehicle.footprint, radius, answer.pieces), [] as [[i32; 2]; 0]);
            drives(&map, &vehicle.footprint, radius, &request(), &answer).unwrap();
            assert!(answer.cost > cost);
            let known = answer.cost;
            let plain = TurningRequest { dijkstra: true, ..request() };
            assert_eq!(query.path(&plain, &mut scratch).cost, known, "{rules:?}");
        }
        // Cones: off the road only within a turn's length of the bend.
        let mut bits = vec![0; Roads::words(&ground)];
        let mut roads = Roads::new(&ground, &mut bits, only).unwrap();
        roads.mark(&ground, |p| is_road([p[0] as i32, p[2] as i32]));
        let mut cones = vec![[0; 2]; 1000];
        let count = roads.place_cones(&mut ground, turn, &mut cones).unwrap();
        assert!(count > 40);
        let query = TurningQuery::new(&truck, &ground).unwrap();
        let answer = query.path(&request(), &mut scratch);
        assert_eq!(answer.status, TurningStatus::Reached);
        for [x, z] in off(&vehicle.footprint, radius, answer.pieces) {
            let far = (f64::from(x) - 23.5).abs().max((f64::from(z) - 23.5).abs());
            assert!(far <= f64::from(turn) + 1.0, "{x} {z}");
        }
        Roads::lift_cones(&mut ground, &cones[..count]);
        let query = TurningQuery::new(&truck, &ground).unwrap();
        assert_eq!(query.path(&request(), &mut scratch).cost, cost);
        // More cones than there is room for are none.
        assert!(roads.place_cones(&mut ground, turn, &mut cones[..5]).is_none());
        let query = TurningQuery::new(&truck, &ground).unwrap();
        assert_eq!(query.path(&request(), &mut scratch).cost, cost);
    }
}

#[test]
fn a_truck_that_cannot_turn_on_the_road_leaves_it_for_a_toll_and_not_without() {
    // A road of one tile: the turn touches the tile on the inside.
    let is_lane = |[x, z]: [i32; 2]| (x == 25 && z <= 25) || (z == 25 && x <= 25);
    let vehicle = VehicleSpec::new(1.0, Footprint::disc(0.45));
    let tables = packed(&vehicle, "v");
    let map = field();
    let bytes = map.blob(std::slice::from_ref(&tables));
    drive!(bytes, "v", truck, ground, buffer, 60_000);
    let mut scratch = buffer.scratch();
    for (off_road_cost, wanted) in
        [(8.0, TurningStatus::Reached), (f64::INFINITY, TurningStatus::Unreachable)]
    {
        let rules = RoadRules { rings: None, off_road_cost };
        let mut bits = vec![0; Roads::words(&ground)];
        let mut roads = Roads::new(&ground, &mut bits, rules).unwrap();
        roads.mark(&ground, |p| is_lane([p[0] as i32, p[2] as i32]));
        let query = TurningQuery::new(&truck, &ground).unwrap().on_roads(&roads);
        assert_eq!(query.path(&request(), &mut scratch).status, wanted);
    }
    let mut bits = vec![0; Roads::words(&ground)];
    let cheap = RoadRules { rings: None, off_road_cost: 0.5 };
    assert!(Roads::new(&ground, &mut bits, cheap).is_none());
}
