//! Polylines turned into paths: arcs where they fit, searches where they do not, the corner named
//! where nothing does.

use navbake_vehicle::build::{Reverse, VehicleSpec};
use navbake_vehicle::{
    AlongAnswer, AlongStatus, Footprint, TurningAnswer, TurningPiece, TurningQuery, TurningRequest,
    TurningStatus,
};

use super::{scattered, unit};
use crate::support::course::drive;
use crate::support::course::{Map, drives, packed};

/// As the answer of a search, for the check that knows nothing of tables.
fn as_answer<'a>(answer: &AlongAnswer<'a>) -> TurningAnswer<'a> {
    TurningAnswer {
        status: TurningStatus::Reached,
        length: answer.length,
        time: 0.0,
        cost: answer.length,
        bound: 0.0,
        pieces: answer.pieces,
        end: answer.end,
        expanded: 0,
        tested: 0,
        nodes: 0,
        max_open: 0,
    }
}

fn heading(from: [f64; 3], to: [f64; 3]) -> f64 {
    (from[2] - to[2]).atan2(to[0] - from[0])
}

#[test]
fn a_corner_with_room_becomes_an_arc_that_touches_both_lines() {
    let vehicle = VehicleSpec::new(2.0, Footprint::disc(0.45));
    let tables = packed(&vehicle, "v");
    let map = scattered(30, 30, 0, &mut 1);
    let bytes = map.blob(std::slice::from_ref(&tables));
    drive!(bytes, "v", unit_, ground, buffer, 20_000);
    let query = TurningQuery::new(&unit_, &ground).unwrap();
    let points = [[3.5, 0.0, 20.5], [15.5, 0.0, 20.5], [15.5, 0.0, 5.5], [25.5, 0.0, 10.5]];
    let mut pieces = [TurningPiece::default(); 64];
    let mut scratch = buffer.scratch();
    let answer = query.along(&points, [None; 2], &mut scratch, &mut pieces);
    assert_eq!((answer.status, answer.searched), (AlongStatus::Turned, 0));
    let request =
        TurningRequest::new(points[0], 0.0, points[3], Some(heading(points[2], points[3])));
    drives(&map, &vehicle.footprint, 2.0, &request, &as_answer(&answer)).unwrap();
    // Two radii of line on each side less a quarter of a circle at the first corner, and less than
    // the polyline in all.
    let first = answer.pieces.iter().find(|p| p.segment.turn != 0).unwrap();
    assert!((first.from.x - 13.0).abs() < 1e-9 && (first.from.z - 20.0).abs() < 1e-9);
    assert!((first.segment.length - std::f64::consts::PI).abs() < 1e-9);
    assert_eq!(answer.pieces.iter().filter(|p| p.segment.turn != 0).count(), 2);
    // With headings of its own at both ends.
    let ends = [Some(2.0), Some(-1.0)];
    let answer = query.along(&points, ends, &mut scratch, &mut pieces);
    assert_eq!(answer.status, AlongStatus::Turned);
    let request = TurningRequest::new(points[0], 2.0, points[3], Some(-1.0));
    drives(&map, &vehicle.footprint, 2.0, &request, &as_answer(&answer)).unwrap();
}

#[test]
fn a_corner_without_room_is_searched_around_or_named() {
    let map = Map::of(&[
        "####################",
        "#..................#",
        "#..................#",
        "#........#########.#",
        "#........#########.#",
        "#........#########.#",
        "#........#########.#",
        "#..................#",
        "#..................#",
        "####################",
    ]);
    let vehicle = VehicleSpec::new(1.5, Footprint::disc(0.45));
    let tables = packed(&vehicle, "v");
    let bytes = map.blob(std::slice::from_ref(&tables));
    drive!(bytes, "v", unit_, ground, buffer, 40_000);
    let query = TurningQuery::new(&unit_, &ground).unwrap();
    let mut pieces = [TurningPiece::default(); 256];
    let mut scratch = buffer.scratch();
    // Right around the block's corner, which the arc would cut; there is room farther out.
    let points = [[16.5, 0.0, 2.5], [8.5, 0.0, 2.5], [8.5, 0.0, 7.5], [16.5, 0.0, 7.5]];
    let answer = query.along(&points, [None; 2], &mut scratch, &mut pieces);
    assert_eq!(answer.status, AlongStatus::Turned);
    assert!(answer.searched > 0);
    let request = TurningRequest::new(points[0], std::f64::consts::PI, points[3], None);
    drives(&map, &vehicle.footprint, 1.5, &request, &as_answer(&answer)).unwrap();
}

#[test]
fn a_corner_of_an_alley_as_wide_as_the_vehicle_is_named() {
    let map = Map::of(&[
        "####################",
        "#..................#",
        "#...##############.#",
        "#...##############.#",
        "#...##############.#",
        "#...##############.#",
        "#..................#",
        "####################",
    ]);
    let vehicle = VehicleSpec::new(1.5, Footprint::disc(0.45));
    let tables = packed(&vehicle, "v");
    let bytes = map.blob(std::slice::from_ref(&tables));
    drive!(bytes, "v", unit_, ground, buffer, 40_000);
    let query = TurningQuery::new(&unit_, &ground).unwrap();
    let mut pieces = [TurningPiece::default(); 256];
    let mut scratch = buffer.scratch();
    let points = [[1.5, 0.0, 1.5], [10.5, 0.0, 1.5], [18.5, 0.0, 1.5], [18.5, 0.0, 6.5]];
    let answer = query.along(&points, [None; 2], &mut scratch, &mut pieces);
    assert_eq!(answer.status, AlongStatus::NoRoom { corner: 2 });
    assert!(answer.pieces.is_empty());
}

#[test]
fn polylines_of_any_kind_are_driven_or_refused() {
    let mut seed = 77;
    let vehicle = VehicleSpec {
        reverse: Some(Reverse { penalty: 1.5, change: 0.5 }),
        ..VehicleSpec::new(1.0, Footprint::disc(0.4))
    };
    let tables = packed(&vehicle, "v");
    let map = scattered(30, 30, 4, &mut seed);
    let bytes = map.blob(std::slice::from_ref(&tables));
    drive!(bytes, "v", unit_, ground, buffer, 60_000);
    let query = TurningQuery::new(&unit_, &ground).unwrap();
    let mut pieces = [TurningPiece::default(); 512];
    let (mut turned, mut arcs, mut refused) = (0, 0, 0);
    for i in 0..150 {
        let many = 2 + i % 5;
        let points: Vec<[f64; 3]> = (0..many)
            .map(|_| [1.0 + unit(&mut seed) * 28.0, 0.0, 1.0 + unit(&mut seed) * 28.0])
            .collect();
        let mut scratch = buffer.scratch();
        let answer = query.along(&points, [None; 2], &mut scratch, &mut pieces);
        if answer.status != AlongStatus::Turned {
            refused += 1;
            continue;
        }
        turned += 1;
        arcs += usize::from(answer.searched as usize + 1 < many);
        let (first, last) =
            (heading(points[0], points[1]), heading(points[many - 2], points[many - 1]));
        let request = TurningRequest::new(points[0], first, points[many - 1], Some(last));
        drives(&map, &vehicle.footprint, 1.0, &request, &as_answer(&answer)).unwrap();
    }
    assert!(turned > 40 && arcs > 10 && refused > 5, "{turned} {arcs} {refused}");
}

#[test]
fn polylines_that_are_none_are_distinguished() {
    let map = Map::of(&["........", "........", "...#....", "........", "........"]);
    let tables = packed(&VehicleSpec::new(1.0, Footprint::disc(0.4)), "v");
    let bytes = map.blob(std::slice::from_ref(&tables));
    drive!(bytes, "v", unit_, ground, buffer, 20_000);
    let query = TurningQuery::new(&unit_, &ground).unwrap();
    let mut pieces = [TurningPiece::default(); 64];
    let mut scratch = buffer.scratch();
    let mut ask = |points: &[[f64; 3]], ends: [Option<f64>; 2], most: usize| {
        let pieces = &mut pieces[..most];
        query.along(points, ends, &mut scratch, pieces).status
    };
    let (a, b) = ([1.5, 0.0, 1.5], [6.5, 0.0, 1.5]);
    assert_eq!(ask(&[a, b], [None; 2], 64), AlongStatus::Turned);
    assert_eq!(ask(&[a, b], [None; 2], 0), AlongStatus::Memory);
    assert_eq!(ask(&[a], [None; 2], 64), AlongStatus::TooFew);
    let nowhere = [f64::NAN, 0.0, 1.0];
    assert_eq!(ask(&[a, nowhere, b], [None; 2], 64), AlongStatus::Outside { point: 1 });
    let blocked = [3.5, 0.0, 2.5];
    let started = AlongStatus::End(TurningStatus::StartBlocked);
    assert_eq!(ask(&[blocked, b], [None; 2], 64), started);
    assert_eq!(ask(&[a, blocked], [None; 2], 64), AlongStatus::End(TurningStatus::GoalBlocked));
    let none = AlongStatus::End(TurningStatus::NoHeading);
    assert_eq!(ask(&[a, b], [Some(f64::NAN), None], 64), none);
}
