//! A level with links, areas and weights, from the file to the path: the fixture `crossing`.

use crate::common::Place;
use serde_json::Value;

fn bake(place: &Place, config: &str) -> &'static str {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/crossing");
    let config = place.write("bake.toml", config);
    let level = format!("{folder}/crossing.glb");
    let ran =
        place.run(&["bake", &level, "--config", config.to_str().unwrap(), "-o", "crossing.nav"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    "crossing.nav"
}

fn config() -> String {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/crossing/bake.toml");
    std::fs::read_to_string(file).unwrap()
}

fn path(place: &Place, blob: &str, from: &str, to: &str, options: &[&str]) -> Value {
    let mut arguments = vec!["query", "path", blob, "--from", from, "--to", to];
    arguments.extend(["--format", "json"]);
    arguments.extend(options);
    place.run(&arguments).json()
}

fn links(answer: &Value) -> Vec<&str> {
    let legs = answer["legs"].as_array().unwrap();
    legs.iter().filter_map(|leg| leg["link"].as_str()).collect()
}

#[test]
fn a_ladder_leads_up_a_leap_down_and_a_rope_must_hang() {
    let place = Place::new();
    let blob = bake(&place, &config());
    let (camp, lookout) = ("4,0,4", "20,4,16");
    for planner in ["optimal", "corridor", "midpoints"] {
        let options = ["--planner", planner];
        let up = path(&place, blob, camp, lookout, &[&options[..], &["--closed="]].concat());
        assert_eq!((&up["status"], links(&up)), (&"reached".into(), vec!["ladder"]), "{planner}");
        // The cost is that of the walks and of the ladder.
        assert!(up["cost"].as_f64() > up["length_xz"].as_f64());
        let down = path(&place, blob, lookout, camp, &options);
        assert_eq!(links(&down), ["leap"], "{planner}");
        // The rope is not there as the level begins, and nobody leaps up.
        let stuck = path(&place, blob, camp, lookout, &options);
        assert_eq!(stuck["status"], "unreachable", "{planner}");
    }
}

#[test]
fn water_costs_and_the_ferry_is_cheaper() {
    let place = Place::new();
    let blob = bake(&place, &config());
    let (south, north) = ("2,0,7", "2,0,13");
    let guard = path(&place, blob, south, north, &[]);
    assert_eq!(links(&guard), ["ferry"]);
    let cost = guard["cost"].as_f64().unwrap();
    assert!((cost - 6.0).abs() < 1e-6, "a metre on land and 5 for the ferry: {guard}");
    // For plain lengths the straight line is shorter.
    let plain = config().replace("guard = { water = 8.0, yard = 1.5 }", "");
    let blob = bake(&place, &plain);
    let straight = path(&place, blob, south, north, &["--planner", "optimal"]);
    assert_eq!((links(&straight).len(), straight["certified_optimal"].as_bool()), (0, Some(true)));
    assert_eq!(straight["length_xz"].as_f64(), Some(6.0));
}

#[test]
fn a_link_that_begins_off_the_ground_says_how_far() {
    let place = Place::new();
    let moved = config().replace("from = [2.0, 0.0, 7.5]", "from = [2.0, 5.0, 7.5]");
    let config = place.write("bake.toml", &moved);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/crossing");
    let level = format!("{folder}/crossing.glb");
    let ran = place.run(&["bake", &level, "--config", config.to_str().unwrap(), "-o", "a.nav"]);
    assert_eq!(ran.code, 0);
    let said = "the link `ferry` begins 5.000 m from the nearest ground";
    assert!(ran.err.contains("[link-off-mesh]") && ran.err.contains(said), "{}", ran.err);
}

#[test]
fn a_task_that_the_blob_does_not_have_is_a_fault_of_the_command_line() {
    let place = Place::new();
    let blob = bake(&place, &config());
    let ran =
        place.run(&["query", "path", blob, "--from", "4,0,4", "--to", "2,0,7", "--task", "haste"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("no task `haste`") && ran.err.contains("it has no tasks"),
        "{}",
        ran.err
    );
}
