//! What `bake` spends a budget of tables on, and that paths by them are as without.

use crate::common::{FLOOR, Place};

#[test]
fn a_table_budget_in_the_config_is_refused_until_the_option_overrides_it() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    place.write("c.toml", "[tables]\nbudget = \"plenty\"\n");
    let bake = ["bake", "floor.obj", "--config", "c.toml"];
    let ran = place.run(&bake);
    let why = ran.failed_with(2);
    assert!(why.contains("c.toml") && why.contains("plenty"), "{why}");
    assert_eq!(place.names(), ["c.toml", "floor.obj"]);
    let ran = place.run(&[&bake[..], &["--table-budget", "none"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn landmarks_are_baked_where_something_can_be_closed_and_within_the_budget() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let gate = "[[volume]]\nname = \"gate\"\nbox = [[-1.0, -1.0, -9.0], [1.0, 2.0, 9.0]]\nswitch = \"gate\"\n";
    let bake = |tables: &str, out: &str| {
        let config = format!("{out}.toml");
        place.write(&config, &format!("{gate}[tables]\n{tables}"));
        let options = ["bake", "floor.obj", "--config", &config, "-o", out];
        place.run(&[&options[..], &["--format", "json"]].concat()).json()
    };
    let ask = |blob: &str, closed: &str, more: &[&str]| {
        let options = ["query", "path", blob, "--from", "-6,0,1", "--to", "-6,0,-1"];
        let more = [more, &["--closed", closed, "--format", "json"]].concat();
        place.run(&[&options[..], &more].concat()).json()
    };
    let taken = |s: &serde_json::Value, key: &str| s["tables"][key].as_u64().unwrap();
    let (auto, none) = (bake("", "auto.nav"), bake("landmarks = \"none\"\n", "none.nav"));
    let landmarks = taken(&auto, "landmark_bytes");
    assert!(landmarks > 0 && taken(&none, "landmark_bytes") == 0);
    assert_eq!(taken(&auto, "bytes"), taken(&none, "bytes") + landmarks);
    for closed in ["", "gate"] {
        let optimal = ["--planner", "optimal"];
        let [with, without] = ["auto.nav", "none.nav"].map(|b| ask(b, closed, &optimal));
        for key in ["status", "length_xz", "points", "certified_optimal"] {
            assert_eq!(with[key], without[key], "{closed} {key}");
        }
    }
    let table = ["--planner", "corridor", "--heuristic", "table"];
    assert_eq!(ask("auto.nav", "", &table)["status"], "reached");
    assert_eq!(ask("none.nav", "", &table)["status"], "no_tables");

    // Labels first: a budget that has room for both, and one a byte too small.
    let whole = taken(&bake("budget = \"labels\"\n", "labels.nav"), "bytes");
    let enough = bake(&format!("budget = \"{whole}\"\n"), "enough.nav");
    assert_eq!(taken(&enough, "landmark_bytes"), landmarks);
    let tight = bake(&format!("budget = \"{}\"\nlandmarks = \"always\"\n", whole - 1), "tight.nav");
    assert_eq!(taken(&tight, "landmark_bytes"), 0);
    assert!(taken(&tight, "bytes") < whole);
    let warnings = tight["warnings"].as_array().unwrap();
    let about_landmarks =
        |w: &serde_json::Value| w["message"].as_str().unwrap().contains("landmarks");
    assert!(warnings.iter().any(about_landmarks), "{warnings:?}");
    // Where nothing can be closed there are none, unless they are asked for.
    let plain = |config: &str| {
        place.write("plain.toml", config);
        let options = ["bake", "floor.obj", "--config", "plain.toml", "-o", "plain.nav"];
        let ran = place.run(&[&options[..], &["--format", "json"]].concat());
        taken(&ran.json(), "landmark_bytes")
    };
    assert_eq!(plain(""), 0);
    assert!(plain("[tables]\nlandmarks = \"always\"\n") > 0);
    assert_eq!(plain("[tables]\nbudget = \"none\"\nlandmarks = \"always\"\n"), 0);
}

#[test]
fn a_budget_too_small_for_labels_is_spent_on_landmarks() {
    let place = Place::new();
    let row = |z: usize| (0..20).map(move |x| if x % 3 + z % 3 == 2 { '@' } else { '.' });
    let rows = (0..20).map(|z| row(z).chain(['\n']).collect::<String>());
    let head = "type octile\nheight 20\nwidth 20\nmap\n".to_owned();
    place.write("pillars.map", &(head + &rows.collect::<String>()));
    let bake = |budget: &str| {
        let options = ["bake", "pillars.map", "-o", "pillars.nav", "--force"];
        let more = ["--table-budget", budget, "--format", "json"];
        place.run(&[&options[..], &more].concat()).json()["tables"].clone()
    };
    let taken = |tables: &serde_json::Value, key: &str| tables[key].as_u64().unwrap();
    let labels = bake("labels");
    let whole = taken(&labels, "bytes");
    assert!(taken(&labels, "corners") > 0 && taken(&labels, "landmark_bytes") == 0);
    let tiny = bake(&(whole - 1).to_string());
    let few = taken(&tiny, "bytes");
    assert!(few > 0 && few < whole / 2, "{few} of {whole}");
    assert_eq!(taken(&tiny, "landmark_bytes"), few);
    assert!(tiny["predicted_us"].as_f64() > Some(0.0) && tiny["measured_us"].as_f64() > Some(0.0));
    assert_eq!(taken(&bake(&few.to_string()), "bytes"), few);
    assert_eq!(taken(&bake(&(few - 1).to_string()), "bytes"), 0);
}

#[test]
fn labels_are_baked_within_their_budget_and_answer_optimal_paths() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let bake = |budget: &str, out: &str| {
        let options =
            ["bake", "floor.obj", "--format", "json", "--table-budget", budget, "-o", out];
        place.run(&options).json()
    };
    let ask = |blob: &str| {
        let options = ["query", "path", blob, "--from", "-6,0,1", "--to", "6,0,1"];
        let more = ["--planner", "optimal", "--format", "json"];
        place.run(&[&options[..], &more].concat()).json()
    };
    let (none, labels) = (bake("none", "none.nav"), bake("labels", "labels.nav"));
    let taken = labels["tables"]["bytes"].as_u64().unwrap();
    assert_eq!(none["tables"]["bytes"], 0);
    assert!(taken > 0);
    let bytes = |summary: &serde_json::Value| summary["bytes"].as_u64().unwrap();
    // The configs in the blobs differ by a line.
    assert!(bytes(&labels).abs_diff(bytes(&none) + taken) < 40);
    let (searched, looked_up) = (ask("none.nav"), ask("labels.nav"));
    assert_eq!(searched["by_tables"], false);
    assert_eq!(looked_up["by_tables"], true);
    assert_eq!(looked_up["certified_optimal"], true);
    assert_eq!(looked_up["points"], searched["points"]);
    assert_eq!(looked_up["polygons"], searched["polygons"]);

    let enough = bake(&taken.to_string(), "enough.nav");
    assert_eq!(enough["tables"]["bytes"], taken);
    // What is left of a larger one serves views, and the answer is the same.
    let large = bake(&(taken + 100_000).to_string(), "large.nav");
    let views = large["tables"]["view_bytes"].as_u64().unwrap();
    assert!(views > 0 && views <= 100_000);
    assert_eq!(large["tables"]["bytes"], taken + views);
    assert_eq!(large["tables"]["view_share"], 1.0);
    assert_eq!(ask("large.nav")["points"], looked_up["points"]);
    for key in ["predicted_us", "measured_us", "search_us"] {
        assert!(large["tables"][key].as_f64().unwrap() > 0.0);
        assert_eq!(none["tables"][key], 0.0);
    }
    // Not asked for, there are none: most paths around one box are straight lines.
    let usual = bake("auto", "usual.nav");
    let choice = &usual["tables"]["choices"][0];
    assert_eq!(choice["choice"], "no-gain");
    assert_eq!((&choice["bytes"], &usual["tables"]["bytes"]), (&taken.into(), &0.into()));
    assert_eq!(ask("usual.nav")["by_tables"], false);
    assert_eq!(ask("usual.nav")["points"], looked_up["points"]);
    let tight = bake(&(taken - 1).to_string(), "tight.nav");
    assert_eq!(tight["tables"]["bytes"], 0);
    let warnings = tight["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|w| w["code"] == "tables-left-out"));

    place.write("c.toml", &format!("[tables]\nbudget = \"{}\"\nrequire = \"labels\"\n", taken - 1));
    let ran = place.run(&["bake", "floor.obj", "--config", "c.toml", "-o", "x.nav"]);
    let why = ran.failed_with(5);
    assert!(why.contains(&format!("set it to {taken} or more")), "{why}");
}

/// A file of `fixtures`.
fn fixture(name: &str) -> String {
    format!("{}/../../fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The summary of a bake of the battlefield, with more options.
fn battlefield(place: &Place, more: &[&str]) -> serde_json::Value {
    let [map, config] = ["battlefield/blank.txt", "battlefield/bake.toml"].map(fixture);
    let options = ["bake", &map, "--config", &config, "--force", "--format", "json"];
    place.run(&[&options[..], more].concat()).json()
}

#[test]
fn labels_slower_than_a_search_are_baked_only_where_they_are_asked_for() {
    let place = Place::new();
    let usual = battlefield(&place, &["-o", "usual.nav"]);
    assert_eq!(usual["tables"]["corners"], 0);
    let choice = &usual["tables"]["choices"][0];
    assert_eq!(choice["choice"], "no-gain");
    let figure = |key: &str| choice[key].as_f64().unwrap();
    assert!(figure("look_up_work") >= figure("search_work") && figure("search_work") > 0.0);
    assert!(figure("bytes") <= figure("most_bytes"));
    let asked = battlefield(&place, &["-o", "asked.nav", "--table-budget", "labels"]);
    assert!(asked["tables"]["corners"].as_u64() > Some(0));
    // A budget changes the choice, not the figures.
    let same = &asked["tables"]["choices"][0];
    assert_eq!((&same["choice"], &same["most_bytes"]), (&"asked".into(), &().into()));
    for key in ["bytes", "look_up_work", "search_work"] {
        assert_eq!(same[key], choice[key], "{key}");
    }
    // The text names the reason and the cure.
    let [map, config] = ["battlefield/blank.txt", "battlefield/bake.toml"].map(fixture);
    let ran = place.run(&["bake", &map, "--config", &config, "--force", "-o", "usual.nav"]);
    assert!(
        ran.out.contains("left out") && ran.out.contains("--table-budget labels"),
        "{}",
        ran.out
    );
}

#[test]
fn labels_faster_than_a_search_are_baked_without_being_asked_for() {
    let place = Place::new();
    let bake = ["bake", &fixture("spiral/spiral.glb"), "-o", "spiral.nav"];
    let summary = place.run(&[&bake[..], &["--format", "json"]].concat()).json();
    let (tables, choice) = (&summary["tables"], &summary["tables"]["choices"][0]);
    assert_eq!((&choice["choice"], &choice["bytes"]), (&"kept".into(), &tables["bytes"]));
    assert!(choice["look_up_work"].as_f64() < choice["search_work"].as_f64());
    assert!(choice["look_up_work"].as_f64() > Some(0.0) && tables["corners"].as_u64() > Some(0));
    let ran = place.run(&[&bake[..], &["--force"]].concat());
    assert!(ran.out.contains("labels of agent class 0 kept: the work of"), "{}", ran.out);
}

#[test]
fn a_link_that_may_shorten_a_path_counts_as_another_look_up() {
    let place = Place::new();
    let level = fixture("terraces/terraces.obj");
    let config = std::fs::read_to_string(fixture("terraces/bake.toml")).unwrap();
    place.write("linked.toml", &config);
    place.write("plain.toml", &config.replace("drop = 4.0", "").replace("jump = 2.5", ""));
    let looked = ["linked.toml", "plain.toml"].map(|config| {
        let options = ["bake", &level, "--config", config, "-o", "x.nav", "--force"];
        let more = ["--table-budget", "labels", "--format", "json"];
        let summary = place.run(&[&options[..], &more].concat()).json();
        let figure = |key: &str| summary["tables"]["choices"][0][key].as_f64().unwrap();
        let [looked, labels] = ["polygons_looked", "labels_read"].map(figure);
        let [entries, crossed] = ["entries_read", "polygons_crossed"].map(figure);
        // Nothing is searched.
        let sum = 0.3 * looked + 0.25 * labels + 0.02 * entries + 0.9 * crossed;
        assert!((figure("look_up_work") - sum).abs() < 1e-9, "{config}");
        looked
    });
    // Links lead down from every terrace.
    assert!(looked[0] > 1.5 * looked[1], "{looked:?}");
}

#[test]
fn tables_by_default_make_no_file_more_than_three_times_as_large() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let row = |z: usize| (0..40).map(move |x| if x % 3 + z % 3 == 2 { '@' } else { '.' });
    let rows = (0..40).map(|z| row(z).chain(['\n']).collect::<String>());
    let head = "type octile\nheight 40\nwidth 40\nmap\n".to_owned();
    place.write("pillars.map", &(head + &rows.collect::<String>()));
    let others = ["tower/tower.obj", "spiral/spiral.glb", "courtyard/courtyard.obj"].map(fixture);
    let mut choices = vec![];
    for level in ["floor.obj", "pillars.map"].into_iter().chain(others.iter().map(String::as_str)) {
        let bake = |budget: &str| {
            let options = ["bake", level, "-o", "x.nav", "--force", "--format", "json"];
            place.run(&[&options[..], &["--table-budget", budget]].concat()).json()
        };
        let [auto, none, labels] = ["auto", "none", "labels"].map(bake);
        let [size, rest, whole] = [&auto, &none, &labels].map(|s| s["bytes"].as_u64().unwrap());
        assert!(size <= 3 * rest, "{level}: {size} of {rest}");
        let choice = auto["tables"]["choices"][0]["choice"].as_str().unwrap().to_owned();
        // Small labels are not left out for their size.
        assert_eq!(choice == "too-large", whole > 3 * rest, "{level}: {whole} of {rest}");
        assert_eq!(choice == "kept", auto["tables"]["corners"] != 0, "{level}");
        choices.push(choice);
    }
    assert_eq!(choices, ["no-gain", "too-large", "no-gain", "kept", "too-large"]);
}

#[test]
fn the_choice_of_labels_is_the_same_for_any_number_of_threads() {
    let place = Place::new();
    let [one, two] = ["1", "2"].map(|threads| {
        let summary = battlefield(&place, &["-o", "x.nav", "--threads", threads]);
        assert_eq!(summary["tables"]["choices"].as_array().unwrap().len(), 1);
        (summary["hash"].clone(), summary["tables"]["choices"].clone())
    });
    assert_eq!(one, two);
}
