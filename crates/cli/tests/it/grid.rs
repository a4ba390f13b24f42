//! The planners over cells: `grid4`, `grid8` and `hex`.

use crate::common::Place;
use navbake_testkit::data::data_in;

fn path(place: &Place, blob: &str, options: &[&str]) -> serde_json::Value {
    let mut line = vec!["query", "path", blob, "--format", "json"];
    line.extend(options);
    place.run(&line).json()
}

#[test]
fn paths_lead_over_the_middles_of_cells() {
    let place = Place::new();
    let blob = place.map();
    let ends = ["--from", "1.2,0,1.9", "--to", "9.5,0,2.5"];
    let ask = |options: &[&str]| path(&place, blob, &[&ends[..], options].concat());
    // The room on the right is apart; its cells are known to be out of reach without a search.
    let apart = ask(&["--planner", "grid8"]);
    assert_eq!(apart["status"], "unreachable");
    assert_eq!(apart["expanded"], 0);
    let near = ask(&["--planner", "grid8", "--partial"]);
    assert_eq!(near["status"], "partial");
    let points = near["points"].as_array().unwrap();
    assert_eq!(points[points.len() - 1], serde_json::json!([7.5, 0.0, 2.5]));

    let ends = ["--from", "1.2,0,1.9", "--to", "7.5,0,1.5"];
    let ask = |options: &[&str]| path(&place, blob, &[&ends[..], options].concat());
    let eight = ask(&["--planner", "grid8"]);
    assert_eq!(eight["status"], "reached");
    assert_eq!(eight["certified_optimal"], true);
    assert_eq!((&eight["straight"], &eight["diagonal"]), (&4.into(), &2.into()));
    let length = 4.0 + 2.0 * 2f64.sqrt();
    assert!((eight["length_xz"].as_f64().unwrap() - length).abs() < 1e-12);
    assert_eq!(eight["cells"].as_array().unwrap().len(), 7);
    let four = ask(&["--planner", "grid4"]);
    assert_eq!((&four["straight"], &four["cost"]), (&8.into(), &8.0.into()));
    let turning = ask(&["--planner", "grid4", "--turn-penalty"]);
    assert_eq!((&turning["turns"], &turning["cost"]), (&2.into(), &9.0.into()));
    let greedy = ask(&["--planner", "grid8", "--order", "greedy"]);
    assert_eq!(greedy["certified_optimal"], false);
    let blind = ask(&["--planner", "grid8", "--order", "dijkstra"]);
    assert_eq!(blind["cost"], eight["cost"]);
    let nearest = ask(&["--planner", "grid8", "--to", "2.5,0,1.5"]);
    assert_eq!((&nearest["goal"], &nearest["cost"]), (&1.into(), &1.0.into()));
}

#[test]
fn swamps_cost_what_is_asked() {
    let place = Place::new();
    place.write("swamp.map", "type octile\nheight 3\nwidth 5\nmap\n.....\n.SSS.\n.....\n");
    let ran = place.run(&["bake", "swamp.map", "-o", "swamp.nav"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ends = ["--from", "0.5,0,1.5", "--to", "4.5,0,1.5", "--planner", "grid4"];
    let ask = |costs: &str| {
        let options = [&ends[..], &["--terrain-costs", costs]].concat();
        path(&place, "swamp.nav", &options)["cost"].as_f64().unwrap()
    };
    assert_eq!((ask("1,1"), ask("1,1.5"), ask("1,9"), ask("1,inf")), (4.0, 5.5, 6.0, 6.0));
    let info = place.run(&["info", "swamp.nav", "--format", "json"]).json();
    let map = &info["grid_map"];
    assert_eq!((&map["width"], &map["height"]), (&5.into(), &3.into()));
    assert_eq!((&map["free"], &map["terrains"]), (&15.into(), &2.into()));
    let text = place.run(&["info", "swamp.nav"]);
    assert!(text.out.contains("5 x 3 cells of 1 m"), "{}", text.out);
    let failed = [&["query", "path", "swamp.nav"], &ends[..], &["--terrain-costs", "1,2,3"]];
    let failed = place.run(&failed.concat());
    assert!(failed.failed_with(2).contains("2 terrains"));
}

#[test]
fn bench_compares_grid8_with_the_scenarios_own_lengths() {
    let place = Place::new();
    let blob = place.map();
    let scen = |length: &str| {
        let text = format!(
            "version 1\n0\tsmall.map\t11\t5\t1\t1\t7\t1\t{length}\n0\tm\t11\t5\t1\t1\t9\t1\t-1\n"
        );
        place.write("small.scen", &text);
    };
    let bench = |options: &[&str]| {
        let line = ["bench", blob, "--scen", "small.scen", "--format", "json"];
        place.run(&[&line[..], options].concat())
    };
    scen("6.82843");
    let json = bench(&["--planner", "grid8"]).json();
    assert_eq!((&json["queries"], &json["mismatches"]), (&2.into(), &0.into()));
    // Other costs are not compared.
    assert!(bench(&["--planner", "grid4"]).json()["mismatches"].is_null());
    let turning = ["--planner", "grid8", "--turn-penalty", "1"];
    assert!(bench(&turning).json()["mismatches"].is_null());
    scen("6.83843");
    assert_eq!(bench(&["--planner", "grid8"]).json()["mismatches"], 1);
    scen("many");
    bench(&["--planner", "grid8"]).failed_with(3);
    place.write("small.txt", "1 1 7 1 6\n");
    let optimal = ["--planner", "grid8", "--optimal", "small.txt"];
    assert!(bench(&optimal).failed_with(2).contains("any-angle"));
    let random = ["bench", blob, "--random", "50", "--planner", "grid4", "--format", "json"];
    assert_eq!(place.run(&random).json()["reached"], 50);
}

#[test]
fn options_of_grids_are_for_grids() {
    let place = Place::new();
    let floor = place.floor();
    let ends = ["--from", "-5,0,0", "--to", "5,0,0"];
    for options in [&["--corner-cutting"][..], &["--turn-penalty"], &["--terrain-costs", "1"]] {
        let line = [&["query", "path", floor], &ends[..], options].concat();
        let ran = place.run(&line);
        assert!(ran.failed_with(2).contains(options[0]), "{}", ran.err);
    }
    let line = [&["query", "path", floor], &ends[..], &["--planner", "grid8"]].concat();
    assert!(place.run(&line).failed_with(2).contains("bake a .map or .txt"));
    for bad in ["--weight=-1", "--weight=nan", "--terrain-costs=0", "--turn-penalty=1e9"] {
        let line = [&["query", "path", floor], &ends[..], &["--planner", "grid8", bad]].concat();
        assert_eq!(place.run(&line).code, 2);
    }
}

#[test]
fn real_maps_have_the_octile_lengths_of_their_scenarios() {
    let Some(maps) = data_in("real_maps_have_the_octile_lengths_of_their_scenarios", "maps") else {
        return;
    };
    let place = Place::new();
    for name in ["dao/lak110d", "da2/lt_house", "dao/arena2"] {
        let level = maps.join(format!("{name}.map"));
        let scen = maps.join(format!("{name}.map.scen"));
        let baked = place.run(&["bake", level.to_str().unwrap(), "-o", "real.nav", "--force"]);
        assert_eq!(baked.code, 0, "{}", baked.err);
        let line = ["bench", "real.nav", "--planner", "grid8", "--format", "json", "--scen"];
        let bench = place.run(&[&line[..], &[scen.to_str().unwrap()]].concat()).json();
        assert_eq!((&bench["mismatches"], &bench["failed"]), (&0.into(), &0.into()), "{name}");
        assert_eq!(bench["reached"], bench["queries"], "{name}");
    }
}

#[test]
fn hexagons_are_baked_and_planned_over() {
    let place = Place::new();
    let map = navbake_testkit::data::fixture("hexagons/hexagons.map");
    let ran = place.run(&["bake", map.to_str().unwrap(), "-o", "hex.nav"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ends = ["--from", "0.5,0,0.6", "--to", "8.5,0,5.7"];
    let ask = |options: &[&str]| path(&place, "hex.nav", &[&ends[..], options].concat());
    let found = ask(&["--planner", "hex", "--trace", "hex.svg"]);
    assert_eq!((&found["status"], &found["cost"]), (&"reached".into(), &11.0.into()));
    assert_eq!((&found["certified_optimal"], &found["straight"]), (&true.into(), &11.into()));
    assert_eq!(found["cells"].as_array().unwrap().len(), 12);
    let picture = std::fs::read_to_string(place.path("hex.svg")).unwrap();
    assert!(picture.contains("expanded 1<") && picture.contains("class=\"path\""));
    // Straight over the navmesh it is shorter.
    assert!(ask(&["--planner", "optimal"])["length_xz"].as_f64().unwrap() < 11.0);
    let info = place.run(&["info", "hex.nav", "--format", "json"]).json();
    assert_eq!(
        (&info["grid_map"]["shape"], &info["grid_map"]["free"]),
        (&"hexagon".into(), &49.into())
    );
    for (options, said) in [
        (&["--planner", "grid8"][..], "hexagons; choose hex"),
        (&["--planner", "hex", "--heuristic", "octile"], "choose zero, euclidean, manhattan"),
        (&["--planner", "hex", "--diagonal-cost", "2"], "no diagonal steps"),
    ] {
        let ran = place.run(&[&["query", "path", "hex.nav"], &ends[..], options].concat());
        assert!(ran.failed_with(2).contains(said), "{}", ran.err);
    }
}

#[test]
fn units_wider_than_a_cell_keep_off_blocked_cells() {
    let place = Place::new();
    let rows = ["........", "........", "###.####", "###..###", "###..###", "........", "........"];
    let map =
        format!("type octile\nheight 7\nwidth 8\nmap\n{}\n", rows.join("\n").replace('#', "@"));
    place.write("gap.map", &map);
    place.run(&["bake", "gap.map", "-o", "gap.nav"]);
    let ends = ["--from", "1.5,0,0.5", "--to", "1.5,0,5.5", "--planner", "grid8"];
    let ask = |options: &[&str]| path(&place, "gap.nav", &[&ends[..], options].concat());
    assert_eq!(ask(&[])["status"], "reached");
    // The gap is one cell wide.
    assert_eq!(ask(&["--unit-cells", "2"])["status"], "unreachable");
    assert_eq!(ask(&["--unit-radius", "0.5"])["status"], "reached");
    assert_eq!(ask(&["--unit-radius", "0.6"])["status"], "unreachable");
    let both = [&["query", "path", "gap.nav"], &ends[..], &["--unit-cells=2", "--unit-radius=1"]];
    assert_eq!(place.run(&both.concat()).code, 2);
}

#[test]
fn a_bounded_open_list_certifies_nothing_that_it_dropped_for() {
    let place = Place::new();
    let blob = place.map();
    let ends =
        ["--from", "1.2,0,1.9", "--to", "7.5,0,1.5", "--planner", "grid8", "--order", "dijkstra"];
    let ask = |options: &[&str]| path(&place, blob, &[&ends[..], options].concat());
    assert_eq!(ask(&[])["dropped"], 0);
    let found = ask(&["--max-open", "1", "--partial"]);
    assert!(found["dropped"].as_u64().unwrap() > 0);
    assert_eq!(found["certified_optimal"], false);
}

#[test]
fn trees_and_water_are_ground_for_whom_the_config_says() {
    let place = Place::new();
    place.write("pond.map", "type octile\nheight 3\nwidth 5\nmap\n.....\n.WWT.\n@@@@@\n");
    let free = |config: &str| {
        place.write("pond.toml", config);
        let ran =
            place.run(&["bake", "pond.map", "--config", "pond.toml", "-o", "pond.nav", "--force"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        place.run(&["info", "pond.nav", "--format", "json"]).json()["grid_map"]["free"].clone()
    };
    assert_eq!(free(""), 7);
    assert_eq!(free("[terrain]\nnames = [\"ground\", \"swamp\", \"trees\"]\n"), 8);
    let units = "[[agent]]\nname = \"walker\"\n[[agent]]\nname = \"duck\"\n[weights.units]\n\
                 walker = { water = inf, trees = 2.0 }\nduck = { trees = inf, water = 0.5 }\n\
                 [terrain]\nnames = [\"ground\", \"swamp\", \"trees\", \"water\"]\n";
    assert_eq!(free(units), 10);
    let cost = |agent: &str, to: &str| {
        let options = ["--from", "0.5,0,1.5", "--to", to, "--planner", "grid4", "--agent", agent];
        path(&place, "pond.nav", &options)["cost"].clone()
    };
    assert_eq!((cost("duck", "2.5,0,1.5"), cost("walker", "2.5,0,1.5")), (1.0.into(), ().into()));
    assert_eq!((cost("duck", "3.5,0,1.5"), cost("walker", "3.5,0,1.5")), (().into(), 6.0.into()));
}
