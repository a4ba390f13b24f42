//! The JSON of every verb fits its schema in docs/schemas.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::common::{FLOOR, MAP, Place};

#[path = "../../../report/tests/it/schema.rs"]
mod schema;

/// Two agents, an area with a switch, weights, rooms, markers, a link and rules.
const CONFIG: &str = "\
sources = true
[[agent]]
name = \"a\"
[[agent]]
name = \"b\"
radius = 0.3
[[area]]
name = \"mud\"
switch = \"gate\"
[[volume]]
box = [[-6, -1, -5], [-4, 2, 5]]
area = \"mud\"
[weights.units]
a = { mud = 2.0 }
[rooms]
enabled = true
[rooms.names]
hall = [5, 0, 0]
[[marker]]
name = \"spawn\"
position = [-9, 0, 0]
[[marker]]
name = \"far\"
position = [22, 0, 0]
[[link]]
name = \"jump\"
from = [9, 0, 0]
to = [21, 0, 0]
[[network]]
name = \"sight\"
kind = \"visibility\"
[check]
must_reach = [[\"spawn\", \"far\"], [\"far\", \"spawn\"]]
";

const VEHICLE: &str = "[[vehicle]]\nname = \"car\"\nturn_radius = 1.0\nfootprint = { disc = 0.45 }\n\
    [[vehicle]]\nname = \"racer\"\nturn_radius = 1.0\nfootprint = { disc = 0.45 }\n\
    speeds = [{ speed = 1.0 }, { speed = 2.0, turn_radius = 2.0 }]\nacceleration = 1.0\n";

/// Commands by their schema.
const COMMANDS: [(&str, &str); 67] = [
    ("bake", "bake floor.obj -o floor.nav --timings --force"),
    ("bake", "bake floor.obj -o floor.nav"),
    ("bake", "bake floor.obj --config full.toml -o full.nav"),
    ("bake", "bake small.map floor.obj --out-dir out"),
    ("bake-dry-run", "bake floor.obj --dry-run"),
    ("info", "info floor.nav"),
    ("info", "info full.nav --verify"),
    ("info", "info map.nav"),
    ("bake", "bake floor.obj -o floor.navw --cell 0.05 --chunk 10"),
    ("info", "info floor.navw"),
    ("query-path", "query path full.nav --from spawn --to far"),
    ("query-path", "query path full.nav --from spawn --to 9,9,9 --to -5,0,0 --finish round=1"),
    ("query-path", "query path floor.nav --from -9,0,0 --to 22,0,0 --partial"),
    ("query-path", "query path floor.nav --from -9,0,0 --to 9,0,0 --planner hierarchical"),
    ("query-path-grid", "query path map.nav --from 1.5,0,1.5 --to 5.5,0,1.5 --planner grid8"),
    ("query-path-grid", "query path map.nav --from 1.5,0,1.5 --to 9.5,0,1.5 --planner grid4"),
    ("query-path-network", "query path full.nav --from spawn --to far --planner network"),
    ("query-path-network", "query path full.nav --from spawn --to 9,9,9 --planner network"),
    (
        "query-path-turning",
        "query path map.nav --planner turning --from 1.5,0,1.5@0 --to 6.5,0,1.5",
    ),
    (
        "query-path-turning",
        "query path map.nav --planner turning --from 1.5,0,1.5@0 --to 9.5,0,1.5",
    ),
    (
        "query-path-turning",
        "query path map.nav --planner turning --agent racer --from 1.5,0,1.5@0 --to 6.5,0,1.5",
    ),
    ("query-nearest", "query nearest full.nav --at -5,0,0"),
    ("query-nearest", "query nearest floor.nav --at 500,0,0"),
    ("query-raycast", "query raycast floor.nav --from -5,0,0 --to 5,0,0"),
    ("query-raycast", "query raycast floor.nav --from -50,0,0 --to 5,0,0"),
    ("query-move", "query move floor.nav --from -5,0,0 --to 5,0,0"),
    ("query-move", "query move floor.nav --from -50,0,0 --to 5,0,0"),
    ("query-gradient", "query gradient floor.nav --from -5,0,0 --to 5,0,0"),
    ("query-gradient", "query gradient map.nav --from 1.5,0,1.5"),
    ("query-gradient", "query gradient map.nav --from 500,0,0"),
    ("query-reachable", "query reachable floor.nav --from -5,0,0 --to 22,0,0 --to 0,9,0"),
    ("query-distance", "query distance floor.nav --at -5,0,0"),
    ("query-distance", "query distance floor.nav --at -5,0,0 --within 0.1"),
    ("query-distance", "query distance floor.nav --at -50,0,0"),
    ("query-fits", "query fits full.nav --at -5,0,0"),
    ("query-fits", "query fits full.nav --at 500,0,0"),
    ("query-random", "query random floor.nav --count 2"),
    ("query-random", "query random floor.nav --near 500,0,0 --within 3"),
    ("bench", "bench floor.nav --random 5"),
    ("bench", "bench full.nav --random 5 --planner network"),
    ("bench", "bench map.nav --scen small.scen --planner grid8"),
    ("tune", "tune floor.nav --random 5"),
    ("export", "export floor.nav --to obj -o floor-out.obj"),
    ("export", "export floor.nav --to detour -o floor.bin"),
    ("export", "export floor.nav --to godot -o floor.tres"),
    ("export", "export full.nav --to geojson -o sight.geojson"),
    ("config", "config"),
    ("explain-level", "explain floor.obj --at -5,0,0 --at 0,0,0 --at 500,0,0 --at -9.9,0,0"),
    ("explain-level", "explain small.map --at 1.5,0,1.5 --at 0.5,0,0.5"),
    ("explain-blob", "explain full.nav --at spawn --at 500,0,0"),
    ("diff", "diff floor.nav full.nav --fail-on error"),
    ("diff", "diff floor.nav floor.nav"),
    ("check", "check full.nav"),
    ("check", "check floor.obj --audit"),
    ("view", "view floor.nav -o page.html --no-open"),
    ("watch", "watch floor.obj --no-open --bakes 1"),
    ("plan", "plan floor.obj -o plan --jobs 2 --cell 0.05"),
    ("plan", "plan floor.obj -o plan --jobs 2 --cell 0.05 --engine slurm"),
    ("status", "status --plan plan"),
    ("error", "merge --plan plan -o merged.nav"),
    ("run", "run --plan plan --job 0"),
    ("run", "run --plan plan --job 0-1"),
    ("status", "status --plan plan"),
    ("bake", "merge --plan plan -o merged.nav"),
    ("completions", "completions bash"),
    ("completions", "man --out-dir man"),
    ("error", "bake floor.obj --radius -1"),
];

fn schema_of(name: &str) -> Value {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schemas");
    let text = fs::read_to_string(format!("{folder}/{name}.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_json_of_every_verb_fits_its_schema() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    place.write("small.map", MAP);
    place.write("small.scen", "version 1\n0 small.map 11 5 1 1 7 1 6.82842712\n");
    place.write("full.toml", CONFIG);
    place.write("vehicle.toml", VEHICLE);
    let map = ["bake", "small.map", "--config", "vehicle.toml", "-o", "map.nav"];
    assert_eq!(place.run(&map).code, 0);
    let mut faults = vec![];
    let mut unused: BTreeSet<String> =
        fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schemas"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
    for (name, command) in COMMANDS {
        let arguments: Vec<&str> = command.split(' ').chain(["--format", "json"]).collect();
        let ran = place.run(&arguments);
        assert!(!ran.out.is_empty(), "{command}: {}", ran.err);
        let schema = schema_of(name);
        for line in ran.out.lines() {
            let object: Value = serde_json::from_str(line).unwrap();
            let found = schema::faults(&schema, &object);
            faults.extend(found.iter().map(|fault| format!("{command}: {fault}")));
        }
        unused.remove(&format!("{name}.schema.json"));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(unused.is_empty(), "no command is held against {unused:?}");
}

#[test]
fn what_does_not_fit_a_schema_is_found() {
    let schema = schema_of("error");
    let fits = serde_json::json!({ "error": {
        "code": "io", "exit": 4, "message": "m", "place": [1, 2.5, 3], "cure": null
    } });
    assert_eq!(schema::faults(&schema, &fits), [""; 0]);
    for (key, value) in [
        ("code", serde_json::json!("oops")),
        ("exit", 1.into()),
        ("place", "(1, 2, 3)".into()),
        ("more", 1.into()),
    ] {
        let mut other = fits.clone();
        other["error"][key] = value;
        assert!(!schema::faults(&schema, &other).is_empty(), "{key}");
    }
}
