//! Paths in 8 and 16 directions: lengths and places by the article's geometry, and the ground under
//! all resulting paths.

use std::f64::consts::{PI, TAU};

use navbake_vehicle::build::{Reverse, VehicleSpec};
use navbake_vehicle::{
    Footprint, HeadingError, HeadingSegment, Pose, Segment, TurningPiece, TurningQuery,
    TurningRequest, TurningStatus,
};

use super::{scattered, touched, unit};
use crate::support::At;
use crate::support::course::drive;
use crate::support::course::{Map, packed};

fn piece(x: f64, z: f64, heading: f64, turn: i8, back: bool, length: f64) -> TurningPiece {
    let segment = Segment { turn, back, length };
    TurningPiece { from: Pose { x, z, heading }, segment, ..TurningPiece::default() }
}

/// Lines follow one another from where the pieces begin to where they end, each along its
/// direction.
fn follows(lines: &[HeadingSegment], from: [f64; 2], to: [f64; 2], directions: u32) {
    let mut at = from;
    let near = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) < 1e-7;
    for line in lines {
        assert!(near(line.from, at), "{line:?} {at:?}");
        let (dx, dy) = (line.to[0] - line.from[0], line.from[1] - line.to[1]);
        let sense = if line.back { -1.0 } else { 1.0 };
        let heading = f64::from(line.direction) * TAU / f64::from(directions);
        let ahead = sense * (dx * heading.cos() + dy * heading.sin());
        assert!((ahead - dx.hypot(dy)).abs() < 1e-7, "{line:?}");
        at = line.to;
    }
    assert!(near(at, to), "{at:?} {to:?}");
}

/// The tiles that lines touch up to this part of their length, by small steps.
fn swept(
    footprint: &Footprint,
    lines: &[HeadingSegment],
    directions: u32,
    most: f64,
) -> Vec<[i32; 2]> {
    let (mut all, mut gone) = (vec![], 0.0);
    for line in lines {
        let length = line.length();
        let steps = (length / 0.02).ceil().max(1.0) as u32;
        for i in 0..=steps {
            let share = f64::from(i) / f64::from(steps);
            if gone + share * length > most {
                break;
            }
            let at = At {
                x: line.from[0] + share * (line.to[0] - line.from[0]),
                y: -(line.from[1] + share * (line.to[1] - line.from[1])),
                heading: f64::from(line.direction) * TAU / f64::from(directions),
            };
            all.extend(touched(footprint, at));
        }
        gone += length;
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn open() -> Map {
    scattered(40, 40, 0, &mut 1)
}

#[test]
fn a_quarter_of_a_circle_has_the_lengths_of_the_article() {
    let radius = 2.0;
    let tables = packed(&VehicleSpec::new(radius, Footprint::disc(0.4)), "v");
    let bytes = open().blob(std::slice::from_ref(&tables));
    drive!(bytes, "v", unit_, ground, buffer, 1000);
    let _ = &mut buffer;
    let query = TurningQuery::new(&unit_, &ground).unwrap();
    let mut lines = [HeadingSegment::default(); 64];
    for (directions, half) in [(8u32, (PI / 8.0).tan()), (16, (PI / 16.0).tan())] {
        for turn in [1i8, -1] {
            let arc = piece(20.0, 20.0, 0.0, turn, false, radius * PI / 2.0);
            let count = query.quantise_headings(&[arc], directions, &mut lines).unwrap();
            let sides: Vec<f64> = lines[..count].iter().map(HeadingSegment::length).collect();
            let steps = directions as usize / 4;
            assert_eq!(count, steps + 1);
            for (i, side) in sides.iter().enumerate() {
                let wanted = if i == 0 || i == steps { 1.0 } else { 2.0 } * radius * half;
                assert!((side - wanted).abs() < 1e-9, "{directions} {i}: {side} {wanted}");
            }
            let to = [22.0, 20.0 - 2.0 * f64::from(turn)];
            follows(&lines[..count], [20.0, 20.0], to, directions);
        }
    }
    assert_eq!(query.quantise_headings(&[], 12, &mut lines), Err(HeadingError::Directions));
    let arc = piece(20.0, 20.0, 0.0, 1, false, 3.0);
    assert_eq!(query.quantise_headings(&[arc], 8, &mut lines[..1]), Err(HeadingError::Memory));
}

#[test]
fn lines_of_arcs_stay_just_outside_of_the_circle_and_end_where_it_does() {
    let radius = 1.5;
    let tables = packed(&VehicleSpec::new(radius, Footprint::disc(0.4)), "v");
    let bytes = open().blob(std::slice::from_ref(&tables));
    drive!(bytes, "v", unit_, ground, buffer, 1000);
    let _ = &mut buffer;
    let query = TurningQuery::new(&unit_, &ground).unwrap();
    let mut lines = [HeadingSegment::default(); 64];
    let mut seed = 5;
    for i in 0..400 {
        let (heading, length) = (unit(&mut seed) * 20.0 - 10.0, unit(&mut seed) * 9.0 + 1e-3);
        let (turn, back) = ([1, -1, 0][i % 3], i % 2 == 0);
        let own = piece(20.3, 19.8, heading, turn, back, length);
        let end = own.segment.end(own.from, radius);
        for directions in [8, 16] {
            let count = query.quantise_headings(&[own], directions, &mut lines).unwrap();
            let lines = &lines[..count];
            follows(lines, [20.3, 19.8], [end.x, end.z], directions);
            assert!(lines.iter().all(|l| l.back == back));
            if turn == 0 {
                assert!(count <= 2);
                continue;
            }
            let t = f64::from(turn);
            let about = [20.3 - t * radius * heading.sin(), 19.8 - t * radius * heading.cos()];
            for corner in lines.iter().flat_map(|l| {
                [0.0, 0.25, 0.5, 0.75, 1.0]
                    .map(|s| [0, 1].map(|k| l.from[k] + s * (l.to[k] - l.from[k])))
            }) {
                let d = (corner[0] - about[0]).hypot(corner[1] - about[1]);
                let most = radius / (PI / f64::from(directions)).cos();
                assert!(d > radius - 1e-7 && d < most + 1e-7, "{d} {most}");
            }
        }
    }
}

#[test]
fn of_the_two_routes_beside_a_line_the_free_one_is_taken() {
    let footprint = Footprint::disc(0.4);
    let tables = packed(&VehicleSpec::new(1.0, footprint), "v");
    let mut map = open();
    let bytes = map.blob(std::slice::from_ref(&tables));
    drive!(bytes, "v", unit_, ground, buffer, 1000);
    let _ = &mut buffer;
    let heading = PI / 8.0;
    let line = piece(10.0, 20.0, heading, 0, false, 8.0);
    let mut lines = [HeadingSegment::default(); 64];
    let mut routes = vec![];
    for blocked in [[13, 20], [14, 17]] {
        ground.set_blocked(blocked, true);
        map.free[blocked[1] as usize * 40 + blocked[0] as usize] = false;
        let query = TurningQuery::new(&unit_, &ground).unwrap();
        let count = query.quantise_headings(&[line], 8, &mut lines).unwrap();
        let all = swept(&footprint, &lines[..count], 8, f64::INFINITY);
        assert!(all.iter().all(|&t| !map.is_blocked(t)), "{blocked:?}");
        routes.push((count, lines[0].direction));
    }
    // One side, then, where both are blocked, lines that keep closer.
    assert_eq!(routes[0], (2, 1));
    assert!(routes[1].0 > 2, "{routes:?}");
    // Where the line itself just fits nothing else does.
    for z in 0..40 {
        for x in 0..40 {
            let (dx, dz) = (f64::from(x) - 10.0, 20.0 - f64::from(z));
            let beside = (-dx * heading.sin() + dz * heading.cos()).abs();
            if beside > 1.12 {
                ground.set_blocked([x, z], true);
            }
        }
    }
    let query = TurningQuery::new(&unit_, &ground).unwrap();
    let far = piece(10.0, 20.0, heading, 0, false, 20.0);
    let found = query.quantise_headings(&[far], 8, &mut lines);
    if let Ok(count) = found {
        let all = swept(&footprint, &lines[..count], 8, f64::INFINITY);
        assert!(all.iter().all(|&t| !ground.is_blocked(t)));
    } else {
        assert_eq!(found, Err(HeadingError::NoRoom { piece: 0 }));
    }
}

#[test]
fn what_lies_behind_the_length_of_the_path_before_it_was_changed_is_looked_at() {
    // Lines are longer than the pieces they replace: a walk along them that ends at the old length
    // misses tiles that only their last part touches.
    let footprint = Footprint::disc(0.45);
    let tables = packed(&VehicleSpec::new(1.0, footprint), "v");
    let map = open();
    let bytes = map.blob(std::slice::from_ref(&tables));
    drive!(bytes, "v", unit_, ground, buffer, 1000);
    let _ = &mut buffer;
    let mut lines = [HeadingSegment::default(); 64];
    let (mut distinguished, blocked) = (0, [20, 20]);
    for i in 0..60 {
        for j in 0..60 {
            let end = [19.0 + f64::from(i) * 0.035, 20.0 + f64::from(j) * 0.035];
            let heading = PI / 8.0;
            let length = 6.0;
            let start = [end[0] - length * heading.cos(), end[1] + length * heading.sin()];
            let line = piece(start[0], start[1], heading, 0, false, length);
            ground.set_blocked(blocked, false);
            let query = TurningQuery::new(&unit_, &ground).unwrap();
            let count = query.quantise_headings(&[line], 8, &mut lines).unwrap();
            let whole = swept(&footprint, &lines[..count], 8, f64::INFINITY);
            let short = swept(&footprint, &lines[..count], 8, length);
            if !whole.contains(&blocked) || short.contains(&blocked) {
                continue;
            }
            distinguished += 1;
            ground.set_blocked(blocked, true);
            let query = TurningQuery::new(&unit_, &ground).unwrap();
            if let Ok(count) = query.quantise_headings(&[line], 8, &mut lines) {
                let all = swept(&footprint, &lines[..count], 8, f64::INFINITY);
                assert!(!all.contains(&blocked), "{start:?}");
            }
        }
    }
    assert!(distinguished > 20, "{distinguished}");
}

#[test]
fn found_paths_in_directions_touch_nothing() {
    let mut seed = 23;
    let rectangle = Footprint::polygon(&[[0.7, 0.3], [-0.5, 0.3], [-0.5, -0.3], [0.7, -0.3]]);
    for (footprint, reverse) in [
        (Footprint::disc(0.4), None),
        (rectangle.unwrap(), Some(Reverse { penalty: 1.5, change: 0.5 })),
    ] {
        let vehicle = VehicleSpec { reverse, ..VehicleSpec::new(1.0, footprint) };
        let tables = packed(&vehicle, "v");
        let map = scattered(30, 30, 5, &mut seed);
        let bytes = map.blob(std::slice::from_ref(&tables));
        drive!(bytes, "v", unit_, ground, buffer, 60_000);
        let query = TurningQuery::new(&unit_, &ground).unwrap();
        let mut lines = vec![HeadingSegment::default(); 4096];
        let (mut paths, mut changed, mut longer) = (0, 0, 0);
        for _ in 0..60 {
            let mut place = || [unit(&mut seed) * 30.0, 0.0, unit(&mut seed) * 30.0];
            let request = TurningRequest::new(place(), 0.4, place(), None);
            let mut scratch = buffer.scratch();
            let answer = query.path(&request, &mut scratch);
            if answer.status != TurningStatus::Reached || answer.pieces.is_empty() {
                continue;
            }
            paths += 1;
            for directions in [8, 16] {
                let Ok(count) = query.quantise_headings(answer.pieces, directions, &mut lines)
                else {
                    continue;
                };
                changed += 1;
                let lines = &lines[..count];
                let from = answer.pieces[0].from;
                follows(lines, [from.x, from.z], [answer.end.x, answer.end.z], directions);
                for tile in swept(&footprint, lines, directions, f64::INFINITY) {
                    assert!(!map.is_blocked(tile), "{request:?}: {tile:?}");
                }
                let length: f64 = lines.iter().map(HeadingSegment::length).sum();
                longer += u32::from(length > answer.length + 1e-9);
                assert!(length < 1.5 * answer.length + 1e-9);
            }
        }
        assert!(changed * 2 > paths * 3 && longer * 2 > changed, "{paths} {changed} {longer}");
    }
}
