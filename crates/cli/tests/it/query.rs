//! `query`, `bench` and `export` on a small floor and a small grid map.

use crate::common;
use std::fs;

use crate::common::{Place, keys};
use serde_json::{Value, json};

/// The straight distance in the ground plane along the points of a path.
fn length_xz(path: &Value) -> f64 {
    let points: Vec<[f64; 3]> = serde_json::from_value(path["points"].clone()).unwrap();
    points
        .windows(2)
        .map(|w| ((w[1][0] - w[0][0]).powi(2) + (w[1][2] - w[0][2]).powi(2)).sqrt())
        .sum()
}

const PATH_KEYS: [&str; 14] = [
    "bound",
    "gap",
    "certified_optimal",
    "cost",
    "expanded",
    "legs",
    "length_3d",
    "length_xz",
    "max_open",
    "micros",
    "planner",
    "points",
    "polygons",
    "status",
];

#[test]
fn a_path_around_the_box_has_every_promised_key() {
    let place = Place::new();
    let blob = place.floor();
    place.run(&["bake", "floor.obj", "-o", blob, "--force", "--table-budget", "labels"]);
    let path = place
        .run(&["query", "path", blob, "--from", "-6,0,0", "--to", "6,0,0", "--format", "json"])
        .json();
    for key in PATH_KEYS {
        assert!(keys(&path).contains(&key.to_string()), "{key}");
    }
    assert_eq!(path["status"], "reached");
    let length = path["length_xz"].as_f64().unwrap();
    // Round the box at 0.6 m: at least the taut string around the square grown by the radius.
    assert!((12.3..13.5).contains(&length), "{length}");
    assert!((length_xz(&path) - length).abs() < 1e-6);
    assert!(path["length_3d"].as_f64().unwrap() >= length - 1e-9);
    assert_eq!(path["cost"], path["length_xz"]);
    let bound = path["bound"].as_f64().unwrap();
    assert!((12.0 - 1e-2..=length + 1e-9).contains(&bound), "{bound}");
    let points = path["points"].as_array().unwrap();
    assert!(points.len() >= 3);
    assert_eq!(
        path["legs"],
        json!([{"kind": "walk", "link": null, "does": null, "from": 0, "to": points.len() - 1}])
    );
    assert!(path["polygons"].as_array().unwrap().len() >= 2);
    // The bake was asked for labels, so the path is the shortest one.
    assert_eq!((&path["certified_optimal"], &path["planner"]), (&json!(true), &json!("optimal")));
}

#[test]
fn a_straight_path_is_certified() {
    let place = Place::new();
    let blob = place.floor();
    let path = place
        .run(&["query", "path", blob, "--from", "-6,0,-3", "--to", "6,0,-3", "--format", "json"])
        .json();
    assert_eq!(path["status"], "reached");
    assert_eq!(path["certified_optimal"], true);
    assert_eq!(path["points"].as_array().unwrap().len(), 2);
    assert!((path["length_xz"].as_f64().unwrap() - 12.0).abs() < 0.01);
    assert_eq!(path["bound"], path["cost"]);
}

#[test]
fn a_finished_path_stands_beside_the_path_found() {
    let place = Place::new();
    let blob = place.floor();
    let ask = |finish: &[&str]| {
        let question =
            ["query", "path", blob, "--from", "-6,0,0", "--to", "6,0,0", "--format", "json"];
        place.run(&[&question, finish].concat()).json()
    };
    let plain = ask(&[]);
    assert_eq!(plain["finished"], Value::Null);
    let raw = plain["points"].as_array().unwrap();
    for (form, name) in [("spline", "spline"), ("round=0.5", "round")] {
        let path = ask(&["--finish", form]);
        assert_eq!(path["points"], plain["points"]);
        let finished = &path["finished"];
        assert_eq!(finished["form"], name);
        let points = finished["points"].as_array().unwrap();
        assert!(points.len() > raw.len());
        assert_eq!((points.first(), points.last()), (raw.first(), raw.last()));
        assert!((length_xz(finished) - finished["length_xz"].as_f64().unwrap()).abs() < 1e-6);
    }
    let refused = place
        .run(&["query", "path", blob, "--from", "-6,0,0", "--to", "6,0,0", "--finish", "round=0"]);
    assert_eq!(refused.code, 2);
}

#[test]
fn an_island_apart_is_unreachable_and_expect_decides_the_exit_code() {
    let place = Place::new();
    let blob = place.floor();
    let ask = |verb: &str, more: &[&str]| {
        let base = ["query", verb, blob, "--from", "-6,0,0", "--to", "22,0,0", "--format", "json"];
        place.run(&[&base[..], more].concat())
    };
    for verb in ["path", "reachable"] {
        assert_eq!(ask(verb, &[]).json()["status"], "unreachable");
        assert_eq!(ask(verb, &["--expect", "unreachable"]).code, 0);
        let ran = ask(verb, &["--expect", "reached"]);
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(ran.out.contains("unreachable"), "the answer is printed all the same");
        assert!(ran.err.lines().any(|l| l.contains("expected")), "{}", ran.err);
    }
    let path = ask("path", &[]).json();
    for key in PATH_KEYS {
        assert!(path.get(key).is_some(), "{key}");
    }
    assert_eq!(path["points"], json!([]));
}

#[test]
fn of_several_goals_the_cheapest_that_can_be_reached_wins() {
    let place = Place::new();
    let blob = place.floor();
    let goals = ["--to", "22,0,0", "--to", "8,0,0", "--to", "-8,0,0", "--to", "500,0,0"];
    let base = ["query", "path", blob, "--from", "-6,0,0", "--format", "json"];
    let path = place.run(&[&base[..], &goals].concat()).json();
    assert_eq!(path["status"], "reached");
    assert_eq!(path["goal"], 2);
    let statuses: Vec<&str> =
        path["goals"].as_array().unwrap().iter().map(|g| g["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["unreachable", "reached", "reached", "off_mesh"]);
    let base = ["query", "reachable", blob, "--from", "-6,0,0", "--format", "json"];
    let answer = place.run(&[&base[..], &goals].concat()).json();
    assert_eq!(answer["status"], "reached");
}

#[test]
fn a_point_far_from_everything_is_off_the_mesh() {
    let place = Place::new();
    let blob = place.floor();
    let far = ["--from", "500,0,0", "--to", "0,0,3", "--format", "json"];
    for verb in ["path", "raycast", "reachable"] {
        let ran = place.run(&[&["query", verb, blob], &far[..]].concat());
        assert_eq!(ran.json()["status"], "off_mesh", "{verb}");
    }
    // Beyond what whole numbers of the grid can say is as far off as any other place.
    let ran = place.run(&["query", "nearest", blob, "--at", "1e300,0,0", "--format", "json"]);
    assert_eq!(ran.json()["status"], "off_mesh");
}

#[test]
fn the_nearest_place_is_on_the_mesh() {
    let place = Place::new();
    let blob = place.floor();
    let near =
        place.run(&["query", "nearest", blob, "--at", "9.8,0.3,0", "--format", "json"]).json();
    assert_eq!(near["status"], "found");
    let point: [f64; 3] = serde_json::from_value(near["point"].clone()).unwrap();
    // The border is at 9.4, but for the grid's rounding.
    assert!((point[0] - 9.4).abs() < 0.001, "{point:?}");
    assert!(point[1].abs() < 0.11 && point[2].abs() < 0.05, "{point:?}");
    assert!((near["distance"].as_f64().unwrap() - 0.5).abs() < 0.15);
    assert!(near["polygon"].is_u64() && near["island"].is_u64());
}

#[test]
fn a_ray_stops_at_the_box_and_passes_beside_it() {
    let place = Place::new();
    let blob = place.floor();
    let ray = |z: &str| {
        let (from, to) = (format!("-6,0,{z}"), format!("6,0,{z}"));
        place
            .run(&["query", "raycast", blob, "--from", &from, "--to", &to, "--format", "json"])
            .json()
    };
    let hit = ray("0");
    assert_eq!(hit["status"], "hit");
    let point: [f64; 3] = serde_json::from_value(hit["point"].clone()).unwrap();
    // The wall is at -1.6, but for the grid's rounding.
    assert!((point[0] + 1.6).abs() < 0.001, "{point:?}");
    assert!((hit["distance"].as_f64().unwrap() - (point[0] + 6.0)).abs() < 1e-3);
    let clear = ray("3");
    assert_eq!(clear["status"], "clear");
    assert!((clear["distance"].as_f64().unwrap() - 12.0).abs() < 0.01);
}

#[test]
fn bad_coordinates_and_unknown_agents_are_usage_faults() {
    let place = Place::new();
    let blob = place.floor();
    for at in ["nan,0,0", "0,inf,0", "0,0", "a,b,c", "", "1,2,3,4"] {
        let at = format!("--at={at}");
        let ran = place.run(&["query", "nearest", blob, &at]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{at}: {}", ran.err);
    }
    let ran = place.run(&["query", "nearest", blob, "--at", "0,0,0", "--agent", "giant"]);
    assert!(ran.failed_with(2).contains("default"), "it says which agents there are");
    place.run(&["query", "nearest", blob]).code.eq(&2).then_some(()).unwrap();
    let ran = place.run(&["query", "nearest", blob, "--at", "0,0,3", "--agent", "default"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn input_coordinates_are_those_of_the_file() {
    let place = Place::new();
    // The floor in half metres with z up: (x, y, z) of the usual floor is (2x, -2z, 2y) there.
    let turned: String = common::FLOOR
        .lines()
        .map(|line| {
            let parts: Vec<&str> = line.split(' ').collect();
            if parts[0] == "v" {
                let c: Vec<f64> = parts[1..].iter().map(|p| p.parse().unwrap()).collect();
                format!("v {} {} {}\n", 2.0 * c[0], -2.0 * c[2], 2.0 * c[1])
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    place.write("turned.obj", &turned);
    let ran = place.run(&["bake", "turned.obj", "-o", "t.nav", "--up", "z", "--scale", "0.5"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let plain = place.floor();
    let metres = place
        .run(&["query", "path", plain, "--from", "-6,0,1", "--to", "6,0,-2", "--format", "json"])
        .json();
    let same = place
        .run(&["query", "path", "t.nav", "--from", "-6,0,1", "--to", "6,0,-2", "--format", "json"])
        .json();
    assert_eq!(same["points"], metres["points"]);
    let input = place
        .run(&[
            "query", "path", "t.nav", "--from", "-12,-2,0", "--to", "12,4,0", "--coords", "input",
            "--format", "json",
        ])
        .json();
    let back: Vec<[f64; 3]> = serde_json::from_value(input["points"].clone()).unwrap();
    let forth: Vec<[f64; 3]> = serde_json::from_value(metres["points"].clone()).unwrap();
    let expected: Vec<[f64; 3]> =
        forth.iter().map(|p| [2.0 * p[0], -2.0 * p[2], 2.0 * p[1]]).collect();
    assert_eq!(back, expected);
}

#[test]
fn a_grid_map_answers_in_cells() {
    let place = Place::new();
    let blob = place.map();
    let path = |from: &str, to: &str| {
        place.run(&["query", "path", blob, "--from", from, "--to", to, "--format", "json"]).json()
    };
    let through = path("1,0,1", "8,0,1");
    assert_eq!(through["status"], "reached");
    // Down to the door's corner at (4, 2), through the door to (5, 2), and up again.
    let expected = 1.0 + 2.0 * 10f64.sqrt();
    assert!((through["length_xz"].as_f64().unwrap() - expected).abs() < 1e-9, "{through}");
    assert_eq!(path("1.5,0,1.5", "9.5,0,1.5")["status"], "unreachable");
}

#[test]
fn bench_compares_a_scenario_with_its_optimal_lengths() {
    let place = Place::new();
    let blob = place.map();
    // The second line's end is a point between the rooms' wall and nothing walkable.
    let queries = [[1, 1, 3, 3], [1, 1, 8, 1], [1, 1, 9, 2]];
    let lengths = [8f64.sqrt(), 1.0 + 2.0 * 10f64.sqrt(), -1.0];
    for (separator, version) in [("\t", "version 1"), (" ", "version 1.0")] {
        let mut scen = format!("{version}\n");
        let mut optimal = String::new();
        for (q, length) in queries.iter().zip(lengths) {
            let fields = [
                "0".to_string(),
                "small.map".into(),
                "11".into(),
                "5".into(),
                q[0].to_string(),
                q[1].to_string(),
                q[2].to_string(),
                q[3].to_string(),
                "1.0".into(),
            ];
            scen += &(fields.join(separator) + "\n");
            optimal += &format!("{} {} {} {} {length}\n", q[0], q[1], q[2], q[3]);
        }
        place.write("s.scen", &scen);
        place.write("o.txt", &optimal);
        let report = place
            .run(&[
                "bench",
                blob,
                "--scen",
                "s.scen",
                "--optimal",
                "o.txt",
                "--repeat",
                "3",
                "--dump",
                "d.txt",
                "--format",
                "json",
            ])
            .json();
        for key in [
            "queries",
            "failed",
            "mean_us",
            "median_us",
            "p99_us",
            "max_us",
            "mean_rel_error",
            "max_rel_error",
            "mismatches",
            "mean_expanded",
            "table_bytes",
            "blob_bytes",
            "unreachable_mismatches",
            "shorter",
        ] {
            assert!(report.get(key).is_some(), "{key}");
        }
        assert_eq!(report["queries"], 3);
        assert_eq!(report["failed"], 0);
        assert_eq!(report["unreachable_mismatches"], 0);
        assert_eq!(report["shorter"], 0);
        assert_eq!(report["blob_bytes"], fs::metadata(place.path(blob)).unwrap().len());
        let dump = fs::read_to_string(place.path("d.txt")).unwrap();
        let lines: Vec<Vec<&str>> = dump.lines().map(|l| l.split(' ').collect()).collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0][0], "reached");
        assert!((lines[0][1].parse::<f64>().unwrap() - lengths[0]).abs() < 1e-9);
        assert_eq!(lines[0][2..], ["1,0,1", "3,0,3"]);
        assert_eq!(lines[2], ["unreachable", "-1"]);
    }
    place.write("short.txt", "1 1 3 3 1.0\n");
    let ran = place.run(&["bench", blob, "--scen", "s.scen", "--optimal", "short.txt"]);
    assert!(ran.failed_with(3).contains("short.txt"));
    place.run(&["bench", blob]).code.eq(&2).then_some(()).unwrap();
}

#[test]
fn random_queries_are_the_same_for_the_same_seed() {
    let place = Place::new();
    let blob = place.floor();
    let dump = |seed: &str| {
        let report = place
            .run(&[
                "bench", blob, "--random", "50", "--seed", seed, "--dump", "d.txt", "--format",
                "json",
            ])
            .json();
        assert_eq!(report["queries"], 50);
        assert_eq!(report["failed"], 0);
        assert_eq!(report["reached"], 50, "both ends lie on one island");
        assert_eq!(report["mismatches"], Value::Null);
        fs::read_to_string(place.path("d.txt")).unwrap()
    };
    let first = dump("7");
    assert_eq!(dump("7"), first);
    assert_ne!(dump("8"), first);
}

#[test]
fn exports_hold_every_polygon() {
    let place = Place::new();
    let blob = place.floor();
    let info = place.run(&["info", blob, "--format", "json"]).json();
    let polygons = info["polygons"].as_u64().unwrap() as usize;
    let obj = place.run(&["export", blob, "--to", "obj"]);
    assert_eq!(obj.code, 0, "{}", obj.err);
    assert_eq!(obj.out.lines().filter(|l| l.starts_with("f ")).count(), polygons);
    assert_eq!(obj.out.lines().filter(|l| l.starts_with("g ")).count(), 2);
    let ran = place.run(&["export", blob, "--to", "obj", "-o", "out.obj"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(place.path("out.obj")).unwrap(), obj.out);

    let mesh = place.run(&["export", blob, "--to", "mesh", "-o", "-"]).out;
    let counts: Vec<usize> =
        mesh.lines().nth(2).unwrap().split(' ').map(|t| t.parse().unwrap()).collect();
    assert_eq!(counts[1], polygons);
    assert_eq!(mesh.lines().count(), 3 + counts[0] + counts[1]);

    let svg = place.run(&["export", blob, "--to", "svg"]).out;
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert_eq!(svg.matches("id=\"storey-").count(), 1);
    let ran = place.run(&["export", blob, "--to", "svg", "-o", "made/here.svg"]);
    assert!(ran.code == 0 && place.path("made/here.svg").is_file(), "{}", ran.err);

    // An unpacked blob is read like any other.
    assert_eq!(place.run(&["export", blob, "--to", "unpacked", "-o", "plain.nav"]).code, 0);
    assert_eq!(place.run(&["export", "plain.nav", "--to", "obj"]).out, obj.out);
    let plain = place.run(&["info", "plain.nav", "--format", "json"]).json();
    assert_eq!(plain["polygons"], info["polygons"]);
}

#[test]
fn a_bound_over_ground_with_slopes_is_said_to_be_of_the_mesh() {
    let place = Place::new();
    // A ridge across the middle, 2 m high, that ends before the far side.
    let ridge = "v 0 0 0\nv 0 0 30\nv 40 0 30\nv 40 0 0\nv 16 0 0\nv 16 0 20\nv 20 2 0\nv 20 2 20\n\
                 v 24 0 0\nv 24 0 20\nf 1 2 6 5\nf 5 6 8 7\nf 7 8 10 9\nf 9 10 3 4\nf 2 3 10 6\nf 6 10 8\n";
    std::fs::write(place.path("ridge.obj"), ridge).unwrap();
    std::fs::write(place.path("up.toml"), "[[agent]]\nname = \"cart\"\nuphill = 4.0\n").unwrap();
    for (options, expected) in
        [(&["--config", "up.toml"][..], true), (&["--slope", "45"][..], false)]
    {
        let bake = [&["bake", "ridge.obj", "-o", "ridge.nav", "--force"], options].concat();
        assert_eq!(place.run(&bake).code, 0);
        let ends = ["--from", "2,0,4", "--to", "38,0,9", "--planner", "weighted"];
        let ran = place.run(&[&["query", "path", "ridge.nav"][..], &ends].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(ran.out.contains("over the navmesh's surface"), expected, "{}", ran.out);
    }
}
