//! `query move|distance|random`, and what `query raycast` says of polygons.

use crate::common::Place;
use serde_json::{Value, json};

fn ask(place: &Place, arguments: &[&str]) -> Value {
    let all = [&["query"], arguments, &["--format", "json"]].concat();
    let ran = place.run(&all);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.json()
}

fn point(value: &Value) -> [f64; 3] {
    serde_json::from_value(value.clone()).unwrap()
}

#[test]
fn a_move_slides_along_the_box_with_friction() {
    let place = Place::new();
    let blob = place.floor();
    let go = |to: &str, more: &[&str]| {
        let ends = [&["move", blob, "--from", "-3,0,0", "--to", to], more].concat();
        ask(&place, &ends)
    };
    let free = go("-3,0,2", &[]);
    assert_eq!((&free["status"], &free["contacts"]), (&"free".into(), &0.into()));
    assert_eq!(free["hit"].as_array().unwrap().len(), 0);
    assert!((free["walked"].as_f64().unwrap() - 2.0).abs() < 0.002);
    // The box ends at -1.6; half of the motion is left there, half a metre of it along.
    for (kept, expected) in [("0", 0.5), ("0.9", 0.95), ("1", 1.0)] {
        let slid = go("-0.2,0,1", &["--kept", kept]);
        assert_eq!(slid["status"], "slid");
        let [x, _, z] = point(&slid["point"]);
        assert!((x + 1.6).abs() < 0.003 && (z - expected).abs() < 0.003, "{x} {z}");
        assert_eq!(slid["contacts"], 1);
        assert_eq!(slid["hit"].as_array().unwrap().len(), 1);
    }
    let off = ask(&place, &["move", blob, "--from", "90,0,0", "--to", "0,0,0"]);
    assert_eq!((&off["status"], &off["point"]), (&"off_mesh".into(), &Value::Null));
    for bad in ["-0.1", "1.5", "nan"] {
        let kept = format!("--kept={bad}");
        let line = ["query", "move", blob, "--from", "-3,0,0", "--to", "0,0,0", &kept];
        assert_eq!(place.run(&line).code, 2, "{bad}");
    }
}

#[test]
fn the_distance_to_the_box_has_its_point_and_normal() {
    let place = Place::new();
    let blob = place.floor();
    let near = ask(&place, &["distance", blob, "--at", "-3,0,0"]);
    assert_eq!(near["status"], "wall");
    assert!((near["distance"].as_f64().unwrap() - 1.4).abs() < 0.001);
    let [x, _, z] = point(&near["point"]);
    assert!((x + 1.6).abs() < 0.001 && z.abs() < 0.002);
    assert!(point(&near["normal"])[0] < -0.999);
    assert!(near["edge"].is_u64() && near["polygon"].is_u64());
    let clear = ask(&place, &["distance", blob, "--at", "-3,0,0", "--within", "1"]);
    assert_eq!((&clear["status"], &clear["distance"]), (&"clear".into(), &1.0.into()));
    let off = ask(&place, &["distance", blob, "--at", "90,0,0"]);
    assert_eq!(off["status"], "off_mesh");
}

#[test]
fn random_places_are_the_same_for_the_same_seed_and_lie_where_they_are_asked() {
    let place = Place::new();
    let blob = place.floor();
    let draw = |more: &[&str]| ask(&place, &[&["random", blob, "--count", "20"], more].concat());
    let first = draw(&["--seed", "5"]);
    assert_eq!(first, draw(&["--seed", "5"]));
    assert_ne!(first, draw(&["--seed", "6"]));
    let places = first["places"].as_array().unwrap();
    assert_eq!(places.len(), 20);
    for found in places {
        let [x, y, z] = point(&found["point"]);
        let at = format!("{x},{y},{z}");
        let near = ask(&place, &["nearest", blob, "--at", &at]);
        assert!(near["distance"].as_f64().unwrap() < 0.001, "{at}");
    }
    let within = draw(&["--near", "-3,0,0", "--within", "1.5"]);
    for found in within["places"].as_array().unwrap() {
        let [x, _, z] = point(&found["point"]);
        assert!((x + 3.0).hypot(z) <= 1.501);
    }
    let island = places[0]["island"].to_string();
    assert_eq!(draw(&["--island", &island])["status"], "found");
    assert_eq!(draw(&["--island", "4000"])["status"], "empty");
    let lost = draw(&["--near", "90,0,0", "--within", "1"]);
    assert_eq!(lost["status"], "off_mesh");
    // Only both together mean something.
    let half = ["query", "random", blob, "--near", "0,0,0"];
    assert_eq!(place.run(&half).code, 2);
}

#[test]
fn a_ray_tells_the_polygons_it_enters() {
    let place = Place::new();
    let blob = place.floor();
    let ends = ["--from", "-6,0,3", "--to", "6,0,3"];
    let ray = ask(&place, &[&["raycast", blob], &ends[..]].concat());
    let entered = ray["entered"].as_array().unwrap();
    assert_eq!(Some(entered.len() as u64), ray["crossed"].as_u64());
    assert!(entered.is_empty() || entered.last() == Some(&ray["polygon"]));
}

#[test]
fn a_descent_says_where_it_is_stuck_and_draws_the_field() {
    let place = Place::new();
    // A wall across, but for the sides.
    let wall = format!("{}x{}\n", ".".repeat(14), ".".repeat(5)).repeat(7);
    let side = format!("{}\n", ".".repeat(20));
    place.write("hall.txt", &format!("1\n20\n9\n{side}{wall}{side}"));
    let field = "[[marker]]\nname = \"fire\"\nposition = [8.5, 0.0, 4.5]\n\
                 [[field]]\npoints = [\"fire\"]\nrange = 4.0\npeak = 9.0\n";
    place.write("hall.toml", field);
    let baked = place.run(&["bake", "hall.txt", "--config", "hall.toml", "-o", "hall.nav"]);
    assert_eq!(baked.code, 0, "{}", baked.err);
    let go = |more: &[&str]| ask(&place, &[&["gradient", "hall.nav"], more].concat());
    let along = go(&["--from", "1.5,0,0.5", "--to", "18.5,0,0.5"]);
    assert_eq!((&along["status"], &along["over"]), (&json!("reached"), &json!("cells")));
    assert_eq!(along["cells"][17], json!([18, 0]));
    let stuck =
        go(&["--from", "1.5,0,4.5", "--to", "18.5,0,4.5", "--pull", "0.1", "--trace", "a.svg"]);
    assert_eq!((&stuck["status"], &stuck["left_out"]), (&json!("minimum"), &json!([])));
    let over =
        ["--from", "1.5,0,4.5", "--to", "18.5,0,4.5", "--over", "navmesh", "--trace", "b.svg"];
    assert_eq!(go(&over)["over"], json!("navmesh"));
    for (file, least) in [("a.svg", 8), ("b.svg", 4)] {
        let text = std::fs::read_to_string(place.path(file)).unwrap();
        assert!(text.contains("costs 1.000 to "), "{text}");
        assert!(text.matches("hsl(").count() >= least && text.contains("class=\"path\""), "{text}");
    }
    let off = go(&["--from", "-5,0,4.5"]);
    assert_eq!((&off["status"], &off["potential"]), (&json!("off_mesh"), &json!(null)));
    let step = place.run(&["query", "gradient", "hall.nav", "--from", "fire", "--step", "1"]);
    assert!(step.failed_with(2).contains("--step does not apply to --over cells"));
}
