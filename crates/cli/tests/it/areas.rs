//! Kinds of ground and classes of agents on the command line: `bake`, `info`, `query --agent`.

use crate::common::Place;

/// A yard with a road of another material.
const YARD: &str = "\
v 0 0 0
v 0 0 20
v 20 0 20
v 20 0 0
v 8 0 0
v 8 0 20
v 11 0 20
v 11 0 0
usemtl grass
f 1 2 3 4
usemtl asphalt
f 5 6 7 8
";

const CONFIG: &str = "\
[[area]]
name = \"road\"
[[rule]]
material = \"asphalt\"
area = \"road\"
[[agent]]
name = \"scout\"
radius = 0.3
[[agent]]
name = \"tank\"
radius = 1.5
[weights]
columns = [\"ground\", \"road\"]
[weights.units]
scout = [1, 0.5]
tank = [\"x\", 1]
";

#[test]
fn info_lists_areas_weights_and_classes() {
    let place = Place::new();
    place.write("yard.obj", YARD);
    place.write("c.toml", CONFIG);
    let ran = place.run(&["bake", "yard.obj", "--config", "c.toml", "-o", "yard.nav"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let info = place.run(&["info", "yard.nav", "--verify", "--format", "json"]).json();
    let near = |value: &serde_json::Value, expected: f64| {
        let found = value.as_f64().unwrap();
        assert!((found / expected - 1.0).abs() < 0.002, "{found} for {expected}");
    };
    let [ground, road] = [0, 1].map(|k| &info["areas"][k]);
    assert_eq!((&ground["name"], &road["name"]), (&"ground".into(), &"road".into()));
    near(&road["area_m2"][0], 3.0 * 19.4);
    near(&road["area_m2"][1], 3.0 * 17.0);
    near(&ground["area_m2"][0], 16.4 * 19.4);
    near(&ground["area_m2"][1], 14.0 * 17.0);
    assert_eq!(info["weights"][0]["agent"], "scout");
    assert_eq!(info["weights"][0]["weights"], serde_json::json!([1.0, 0.5]));
    assert_eq!(info["weights"][1]["weights"], serde_json::json!([null, 1.0]));
    assert_eq!(info["classes"][0]["agents"], serde_json::json!(["scout"]));
    assert_eq!(info["classes"][1]["agents"], serde_json::json!(["tank"]));
    near(&info["classes"][1]["area_m2"], 17.0 * 17.0);

    let text = place.run(&["info", "yard.nav"]).out;
    for line in [
        "area        road: 1 polygon, ",
        "weights     scout: ground 1, road 0.5",
        "weights     tank: ground x, road 1",
        "class       1 (tank): ",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
}

#[test]
fn a_query_asks_for_the_agent_that_is_named() {
    let place = Place::new();
    place.write("yard.obj", YARD);
    place.write("c.toml", CONFIG);
    let ran = place.run(&["bake", "yard.obj", "--config", "c.toml", "-o", "yard.nav"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    // Beside the edge there is room for the scout, and the tank is farther in.
    let nearest = |agent: &str| {
        let at = ["query", "nearest", "yard.nav", "--at", "10,0,0.5", "--agent", agent];
        let found = place.run(&[&at[..], &["--format", "json"]].concat()).json();
        found["point"][2].as_f64().unwrap()
    };
    assert!((nearest("scout") - 0.5).abs() < 0.01);
    assert!((nearest("tank") - 1.5).abs() < 0.01);
}
