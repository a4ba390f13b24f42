//! Switches on the command line: `query`, `bench` and `tune` with `--closed`, and `info`.

use crate::common::Place;
use navbake_format::write::{
    AgentParts, BlobParts, ClosureParts, DoorParts, MeshParts, SwitchParts, encode,
};

const NONE: u32 = u32::MAX;

/// A corridor of three squares along x, 4 m each, with a door behind the first and a bridge as the
/// last.
fn corridor(place: &Place) -> &'static str {
    let (mut vertices, mut corners, mut neighbours) = (vec![], vec![], vec![]);
    for k in 0..4 {
        let x = 4 * 1024 * k;
        vertices.extend([[x, 0, 0], [x, 0, 4096]]);
    }
    for k in 0..3u32 {
        // Left, front, right, back.
        corners.extend([2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2]);
        let left = k.checked_sub(1).unwrap_or(NONE);
        neighbours.extend([left, NONE, if k < 2 { k + 1 } else { NONE }, NONE]);
    }
    let switch = |name, closed| SwitchParts { name, closed };
    let bytes = encode(&BlobParts {
        switches: &[switch("gate", true), switch("bridge", false)],
        agents: &[AgentParts {
            name: "walker",
            class: 0,
            radius: 0.6,
            height: 2.0,
            climb: 0.5,
            slope: 45.0,
        }],
        meshes: &[MeshParts {
            vertices: &vertices,
            first_edge: &[0, 4, 8, 12],
            corners: &corners,
            neighbours: &neighbours,
            islands: &[0; 3],
            doors: &[DoorParts { edge: 2, switch: Some(0), width: 4.0, name: "oak" }],
            closures: &[ClosureParts { polygon: 2, switch: 1 }],
            ..MeshParts::default()
        }],
        ..BlobParts::default()
    })
    .unwrap();
    std::fs::write(place.path("doors.nav"), bytes).unwrap();
    "doors.nav"
}

#[test]
fn paths_keep_out_of_what_is_closed() {
    let place = Place::new();
    let blob = corridor(&place);
    let reached = |from: &str, to: &str, options: &[&str]| {
        for planner in ["optimal", "corridor", "midpoints"] {
            let mut arguments = vec!["query", "path", blob, "--from", from, "--to", to];
            arguments.extend(["--planner", planner, "--format", "json"]);
            arguments.extend(options);
            let answer = place.run(&arguments).json();
            let expected = if options.contains(&"--partial") { "partial" } else { "unreachable" };
            if answer["status"] != "reached" {
                assert_eq!(answer["status"], expected, "{planner}");
                return false;
            }
        }
        true
    };
    let (first, second, third) = ("2,0,2", "6,0,2", "10,0,3");
    // The gate is closed as the level begins, the bridge is not.
    assert!(!reached(first, second, &[]));
    assert!(!reached(first, second, &["--partial"]));
    assert!(reached(second, third, &[]));
    assert!(reached(first, third, &["--closed="]));
    assert!(reached(first, second, &["--closed", "bridge"]));
    assert!(!reached(first, third, &["--closed", "bridge"]));
    assert!(!reached(second, third, &["--closed", "gate,bridge"]));
    // A unit in a closed polygon can leave it.
    assert!(reached(third, second, &["--closed", "bridge"]));
}

#[test]
fn reachable_knows_what_is_closed() {
    let place = Place::new();
    let blob = corridor(&place);
    let (first, second, third) = ("2,0,2", "6,0,2", "10,0,3");
    let goals = |from: &str, to: [&str; 2], options: &[&str]| {
        let mut arguments = vec!["query", "reachable", blob, "--from", from, "--to", to[0]];
        arguments.extend(["--to", to[1], "--format", "json"]);
        arguments.extend(options);
        let answer = place.run(&arguments).json();
        let goal = |k: usize| answer["goals"][k]["status"] == "reached";
        assert_eq!(answer["status"] == "reached", goal(0) || goal(1));
        [goal(0), goal(1)]
    };
    assert_eq!(goals(first, [second, third], &[]), [false; 2]);
    assert_eq!(goals(second, [first, third], &[]), [false, true]);
    assert_eq!(goals(first, [second, third], &["--closed="]), [true; 2]);
    let bridge = &["--closed", "bridge"];
    assert_eq!(goals(first, [second, third], bridge), [true, false]);
    // A unit in a closed polygon can leave it, and is there.
    assert_eq!(goals(third, [first, "9,0,1"], bridge), [true; 2]);
    assert_eq!(goals(third, [third, "60,0,0"], bridge), [true, false]);
}

#[test]
fn bench_and_tune_ask_with_things_closed() {
    let place = Place::new();
    let blob = corridor(&place);
    let bench = |options: &[&str]| {
        let mut arguments = vec!["bench", blob, "--random", "300", "--format", "json"];
        arguments.extend(options);
        let tally = place.run(&arguments).json();
        assert_eq!([&tally["failed"], &tally["off_mesh"]], [0, 0]);
        tally["reached"].as_u64().unwrap()
    };
    for planner in ["optimal", "corridor"] {
        assert_eq!(bench(&["--planner", planner, "--closed="]), 300);
        // Only from the third square a path leads out, and to none that is closed.
        let some = bench(&["--planner", planner]);
        let fewer = bench(&["--planner", planner, "--closed", "gate,bridge"]);
        assert!(0 < fewer && fewer < some && some < 300, "{fewer} {some}");
    }
    let tune = |options: &[&str]| {
        let mut arguments = vec!["tune", blob, "--random", "300", "--format", "json"];
        arguments.extend(options);
        let tuning = place.run(&arguments).json();
        let count = |key: &str| tuning[key].as_u64().unwrap();
        ["queries", "straight", "left_out"].map(count)
    };
    // All is seen from everywhere, so nothing needs a search; what cannot be reached is no straight
    // line either.
    assert_eq!(tune(&["--closed="]), [0, 300, 0]);
    let [searches, straight, left_out] = tune(&["--closed", "gate"]);
    assert_eq!((searches, straight + left_out), (0, 300));
    assert!(straight > 100 && left_out > 50, "{straight} {left_out}");
    let map = place.map();
    let ran = place.run(&["bench", map, "--random", "3", "--planner", "grid8", "--closed", "gate"]);
    assert!(ran.failed_with(2).contains("it has no switches"));
    let ran = place.run(&["tune", blob, "--closed", "gats"]);
    assert!(ran.failed_with(2).contains("did you mean `gate`?"));
}

#[test]
fn rays_motions_and_wall_distances_stop_at_shut_doors() {
    let place = Place::new();
    let blob = corridor(&place);
    let ask = |question: &str, from: &str, options: &[&str]| {
        let mut arguments = vec!["query", question, blob, "--from", from, "--format", "json"];
        arguments.extend(options);
        place.run(&arguments).json()
    };
    let ray = |options: &[&str]| ask("raycast", "2,0,2", &[&["--to", "6,0,2"], options].concat());
    assert_eq!(ray(&[])["status"], "hit");
    assert_eq!(ray(&[])["point"][0], 4.0);
    assert_eq!(ray(&["--closed="])["status"], "clear");
    let pushed = |options: &[&str]| ask("move", "2,0,2", &[&["--to", "6,0,2"], options].concat());
    assert_eq!(pushed(&[])["point"][0], 4.0);
    assert_eq!(pushed(&["--closed", "bridge"])["point"][0], 6.0);
    let wall = |options: &[&str]| ask("distance", "3,0,2", options)["distance"].clone();
    assert_eq!(wall(&[]), 1.0);
    assert_eq!(wall(&["--closed="]), 2.0);
}

#[test]
fn a_switch_that_is_not_there_is_an_error_with_the_nearest_name() {
    let place = Place::new();
    let blob = corridor(&place);
    let ends = ["--from", "2,0,2", "--to", "6,0,2"];
    let ask = |blob: &str, options: &[&str]| {
        place.run(&[&["query", "path", blob], &ends[..], options].concat())
    };
    let ran = ask(blob, &["--closed", "gats"]);
    assert!(ran.failed_with(2).contains("did you mean `gate`?"));
    let ran = ask(blob, &["--closed", "portcullis"]);
    assert!(ran.failed_with(2).contains("no switch `portcullis`"));
    let floor = place.floor();
    let ran = ask(floor, &["--closed", "gate"]);
    assert!(ran.failed_with(2).contains("it has no switches"));
    let map = place.map();
    let ran = ask(map, &["--planner", "grid8", "--closed", "gate"]);
    assert!(ran.failed_with(2).contains("it has no switches"));
}

#[test]
fn info_lists_switches_and_what_planners_honour() {
    let place = Place::new();
    let blob = corridor(&place);
    let info = place.run(&["info", blob, "--format", "json"]).json();
    let counts = ["doors", "closures", "links"].map(|key| info[key].as_u64().unwrap());
    assert_eq!(counts, [1, 1, 0]);
    assert_eq!(info["switches"][0]["name"], "gate");
    assert_eq!(info["switches"][0]["closed"], true);
    assert_eq!(info["switches"][1]["closed"], false);
    let planners = info["planners"].as_array().unwrap();
    let names: Vec<_> = planners.iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["corridor", "midpoints", "optimal", "weighted"]);
    assert!(planners.iter().all(|p| p["closed"] == true && p["links"] == true));
    assert_eq!(planners[0]["heuristics"].as_array().unwrap().len(), 5);
    assert_eq!(planners[0]["weight"], true);
    assert_eq!(planners[2]["heuristics"].as_array().unwrap().len(), 0);
    let text = place.run(&["info", blob]).out;
    assert!(text.contains("gate: closed at the start"), "{text}");
}

/// A pond of forbidden water, alone and cut into rooms: a unit in its middle gets out, by the same
/// planners, and none gets in.
#[test]
fn a_unit_leaves_forbidden_ground_however_rooms_cut_it() {
    let place = Place::new();
    let cell = |row: i32, x: i32| match (6..18).contains(&x) && (4..20).contains(&row) {
        true => '1',
        false => '0',
    };
    let row = |row: i32| (0..24).map(|x| cell(row, x)).chain(['\n']).collect::<String>();
    place.write("pond.txt", &format!("1\n24\n24\n{}", (0..24).map(row).collect::<String>()));
    let config = "[terrain]\nnames = [\"land\", \"pond\"]\n[[agent]]\nname = \"u\"\n\
                  [weights.units]\nu = { pond = \"x\" }\n";
    place.write("whole.toml", config);
    place.write("rooms.toml", &format!("{config}[rooms]\nenabled = true\nmax_room_area = 20.0\n"));
    for name in ["whole", "rooms"] {
        let blob = format!("{name}.nav");
        let ran =
            place.run(&["bake", "pond.txt", "--config", &format!("{name}.toml"), "-o", &blob]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let ask = |from: &str, to: &str, planner: &str, more: &[&str]| {
            let mut arguments = vec!["query", "path", &blob, "--from", from, "--to", to];
            arguments.extend(["--planner", planner]);
            arguments.extend(more);
            place.run(&arguments)
        };
        for planner in ["auto", "corridor", "midpoints", "weighted", "grid4", "grid8"] {
            let json = &["--format", "json"];
            let out = ask("12,0,12", "2,0,2", planner, json).json();
            assert_eq!(out["status"], "reached", "{name} {planner}");
            let length = out["length_xz"].as_f64().unwrap();
            // Straight on over the pond and the land.
            assert!(planner == "grid4" || length < 1.2 * 200f64.sqrt(), "{planner}: {length}");
            let into = ask("2,0,2", "12,0,12", planner, json).json();
            assert_eq!(into["status"], "unreachable", "{name} {planner}");
            let near = ask("2,0,2", "12,0,12", planner, &["--partial", "--format", "json"]).json();
            assert_eq!(near["status"], "partial", "{name} {planner}");
        }
        let said = ask("2,0,2", "12,0,12", "corridor", &[]).out;
        assert!(said.contains("the goal is on ground that is closed or forbidden"), "{said}");
    }
}
