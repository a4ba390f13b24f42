//! `explain`, `check --audit` and `diff` as people and builds run them.

use crate::common::{FLOOR, Place};
use serde_json::Value;

#[test]
fn explain_says_why_for_levels_and_what_is_there_for_blobs() {
    let place = Place::new();
    let blob = place.floor();
    let beside = "1.3,0,0"; // of a box that ends at x = 1
    let ran = place.run(&["explain", "floor.obj", "--at", beside, "--at", "5,0,0"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(
        ran.out.contains("0.30 m too close to a wall at (1.00, 0.00, 0.00): 0.30 of 0.60 m"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("5,0,0\ndefault: walkable\n"), "{}", ran.out);
    let answer = |level: &str, at: &str| -> Value {
        let arguments = ["explain", level, "--at", at, "--format", "json"];
        place.run(&arguments).json()["agents"][0].clone()
    };
    let level = answer("floor.obj", beside);
    assert_eq!(level["reasons"][0]["cause"], "near-wall");
    assert_eq!(level["walkable"], false);
    let off = answer(blob, beside);
    assert_eq!(off["on_mesh"], false);
    assert!((off["distance_m"].as_f64().unwrap() - 0.3).abs() < 0.02, "{off}");
    assert_eq!(answer(blob, "5,0,0")["on_mesh"], true);
    // A smaller agent fits there.
    let ran = place.run(&["explain", "floor.obj", "--at", beside, "--radius", "0.25"]);
    assert!(ran.out.contains("default: walkable"), "{}", ran.out);
}

#[test]
fn explain_refuses_what_it_cannot_answer() {
    let place = Place::new();
    let blob = place.floor();
    let failed = |arguments: &[&str], code: i32, word: &str| {
        let ran = place.run(arguments);
        let said = ran.failed_with(code);
        assert!(said.contains(word), "{said}");
    };
    let at = ["--at", "1,0,0"];
    failed(&["explain", "none.obj", at[0], at[1]], 4, "none.obj");
    failed(&["explain", blob, at[0], at[1], "--radius", "1"], 2, "baked already");
    failed(&["explain", blob, at[0], at[1], "--agent", "cat"], 2, "cat");
    failed(&["explain", "floor.obj", at[0], at[1], "--agent", "cat"], 2, "cat");
    assert_eq!(place.run(&["explain", "floor.obj"]).code, 2);
    assert_eq!(place.run(&["explain", "floor.obj", "--at", "1,2"]).code, 2);
    place.write("bad.nav", "this is no navmesh");
    failed(&["explain", "bad.nav", at[0], at[1]], 3, "bad.nav");
}

#[test]
fn explain_knows_the_cells_of_a_map() {
    let place = Place::new();
    place.map();
    let ran = place.run(&["explain", "small.map", "--at", "-3,0,0.5"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("is outside of the map"), "{}", ran.out);
}

#[test]
fn a_diff_fails_the_build_when_something_is_lost() {
    let place = Place::new();
    let blob = place.floor();
    let same = place.run(&["diff", blob, blob, "--fail-on", "note"]);
    assert_eq!(same.code, 0, "{}", same.err);
    assert!(same.out.contains("no changes"), "{}", same.out);
    // Twice as high a box stays a box; a wall across the floor parts it.
    let wall = "o wall\nv 3 0 -5\nv 3 0 5\nv 3 4 5\nv 3 4 -5\nf -4 -3 -2 -1\n";
    place.write("walled.obj", &format!("{FLOOR}\n{wall}"));
    let ran = place.run(&["bake", "walled.obj", "-o", "walled.nav"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let files = ["diff", blob, "walled.nav", "--svg", "change.svg"];
    let ran = place.run(&files);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("[island-split]") && ran.out.contains("[ground-lost]"), "{}", ran.out);
    let svg = std::fs::read_to_string(place.path("change.svg")).unwrap();
    assert!(svg.contains("class=\"lost\""));
    let strict = ["diff", blob, "walled.nav", "--fail-on", "warning", "--format", "json"];
    let ran = place.run(&strict);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(answer["agents"][0]["lost_m2"].as_f64().unwrap() > 5.0, "{answer}");
    assert_eq!(ran.out, place.run(&strict).out);
    let ran = place.run(&["diff", blob, "walled.nav", "--svg", "x.svg", "--agent", "cat"]);
    assert!(ran.failed_with(2).contains("cat"));
    assert_eq!(place.run(&["diff", blob, "none.nav"]).code, 4);
}

#[test]
fn an_audit_of_a_sound_bake_finds_nothing() {
    let place = Place::new();
    let blob = place.floor();
    let ran = place.run(&["check", "floor.obj", "--audit"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("of ground with room covered"), "{}", ran.err);
    assert!(!ran.out.contains("audit-"), "{}", ran.out);
    let ran = place.run(&["check", blob, "--audit"]);
    assert!(ran.failed_with(2).contains("name the level instead"));
}
