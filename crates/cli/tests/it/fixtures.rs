//! The project's own levels give what their READMEs say, and its own bad files end as
//! `fixtures/bad/expected.json` says.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::common::Place;
use serde_json::Value;

fn fixture(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    root.join(name).display().to_string()
}

/// Bakes a fixture to `level.nav`; its islands and area.
fn bake(place: &Place, level: &str, options: &[&str]) -> (u64, f64) {
    let level = fixture(level);
    let mut arguments = vec!["bake", &level, "-o", "level.nav", "--format", "json"];
    arguments.extend(options);
    let baked = place.run(&arguments).json();
    (baked["islands"].as_u64().unwrap(), baked["area_m2"].as_f64().unwrap())
}

fn path(place: &Place, from: &str, to: &str) -> Value {
    let ends = ["--from", from, "--to", to, "--format", "json"];
    place.run(&[&["query", "path", "level.nav"][..], &ends[..]].concat()).json()
}

#[test]
fn the_tile_grid_has_its_shortest_path() {
    let place = Place::new();
    assert_eq!(bake(&place, "grid10/grid10.txt", &[]), (1, 3900.0));
    let path = path(&place, "80,0,10", "80,0,80");
    assert_eq!(path["status"], "reached");
    let length = path["length_xz"].as_f64().unwrap();
    let optimum = 20.0 + 2.0 * 500f64.sqrt() + 20.0 + 30.0;
    assert!((length - optimum).abs() < 1e-9 * optimum, "{length}");
}

#[test]
fn the_courtyard_has_a_way_upstairs_and_none_up_the_platform() {
    let place = Place::new();
    let (islands, area) = bake(&place, "courtyard/courtyard.obj", &[]);
    assert_eq!(islands, 2);
    assert!((1040.0..1100.0).contains(&area), "{area}");
    let up = path(&place, "20,0,25", "10,4,9");
    assert_eq!(up["status"], "reached");
    assert!((26.0..27.0).contains(&up["length_xz"].as_f64().unwrap()));
    assert_eq!(path(&place, "20,0,25", "36.5,1.8,26")["status"], "unreachable");
}

#[test]
fn the_gatehouse_joins_its_galleries_and_not_its_plinth() {
    let place = Place::new();
    let (islands, area) = bake(&place, "gatehouse/gatehouse.glb", &[]);
    assert_eq!(islands, 2);
    assert!((520.0..560.0).contains(&area), "{area}");
    let (red, blue, vault) = ("104.5,3,-57", "104.5,3,-43", "107,1.9,-50");
    assert_eq!(path(&place, red, blue)["status"], "reached");
    assert_eq!(path(&place, red, vault)["status"], "unreachable");
}

#[test]
fn the_terraces_are_left_by_drops_and_jumps_of_the_cat_alone() {
    let place = Place::new();
    let config = fixture("terraces/bake.toml");
    bake(&place, "terraces/terraces.obj", &["--config", &config]);
    let path = |agent: &str, from: &str, to: &str| {
        let ends = ["--from", from, "--to", to, "--agent", agent];
        let rest = ["--planner", "optimal", "--format", "json"];
        place.run(&[&["query", "path", "level.nav"][..], &ends[..], &rest[..]].concat()).json()
    };
    let links = |path: &Value| -> usize {
        let legs = path["legs"].as_array().unwrap();
        legs.iter().filter(|leg| leg["kind"] == "link").count()
    };
    let (yard, west, east) = ("40,0,20", "8,3,6", "27,3,6");
    let (stone, tower, crate_top) = ("36.7,3,5.5", "43,3,6", "26,1.6,18");
    for (from, to, taken) in [
        (west, east, 1),
        (east, stone, 1),
        (east, yard, 1),
        (crate_top, yard, 1),
        (tower, stone, 5),
    ] {
        assert_eq!(path("dog", from, to)["status"], "unreachable");
        let found = path("cat", from, to);
        assert_eq!(found["status"], "reached", "{from} {to}");
        assert!((1..=taken).contains(&links(&found)), "{from} {to}: {found}");
    }
    // Neither up a crate nor under the beam.
    for (from, to) in [(yard, crate_top), (stone, tower)] {
        assert_eq!(path("cat", from, to)["status"], "unreachable");
    }
}

#[test]
fn the_plan_is_the_floor_that_was_drawn() {
    let place = Place::new();
    let config = fixture("plan/bake.toml");
    assert_eq!(bake(&place, "plan/plan.obj", &["--config", &config]), (2, 96.0));
}

#[test]
fn the_cellar_agrees_with_its_optimal_lengths() {
    let place = Place::new();
    assert_eq!(bake(&place, "cellar/cellar.map", &[]), (4, 123.0));
    let (scen, optimal) = (fixture("cellar/cellar.map.scen"), fixture("cellar/cellar.optimal.txt"));
    let bench = place
        .run(&["bench", "level.nav", "--scen", &scen, "--optimal", &optimal, "--format", "json"])
        .json();
    assert_eq!(bench["queries"], 92);
    for count in ["failed", "off_mesh", "unreachable_mismatches", "shorter"] {
        assert_eq!(bench[count], 0, "{count}");
    }
}

#[test]
fn every_bad_fixture_ends_as_it_should() {
    let text = std::fs::read_to_string(fixture("bad/expected.json")).unwrap();
    let expected: BTreeMap<String, Value> = serde_json::from_str(&text).unwrap();
    assert!(expected.len() > 20);
    let place = Place::new();
    for (name, wanted) in expected {
        let level = fixture(&format!("bad/{name}"));
        let ran = place.run(&["bake", &level, "-o", "bad.nav", "--force"]);
        let codes = wanted["exit"].as_array().unwrap();
        assert!(codes.contains(&ran.code.into()), "{name}: {}", ran.err);
        let says = wanted["says"].as_str().unwrap_or("");
        assert!(ran.err.contains(says), "{name}: {}", ran.err);
    }
}
