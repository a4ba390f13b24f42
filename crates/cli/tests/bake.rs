//! `bake`, `info`, `config`: what comes out, what stays, and what the exit codes say.

mod common;

use std::fs;

use common::{FLOOR, MAP, Place, keys};

#[test]
fn a_floor_bakes_and_the_summary_has_every_promised_key() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let report = place
        .run(&["bake", "floor.obj", "-o", "floor.nav", "--format", "json"])
        .json();
    for key in [
        "output",
        "bytes",
        "hash",
        "polygons",
        "vertices",
        "portals",
        "islands",
        "rooms",
        "doors",
        "links",
        "area_m2",
        "agents",
        "seconds",
        "peak_rss_bytes",
        "tiles",
        "warnings",
    ] {
        assert!(report.get(key).is_some(), "{key}");
    }
    assert_eq!(
        keys(&report["seconds"]),
        [
            "encode",
            "hierarchy",
            "import",
            "mesh",
            "tables",
            "total",
            "walkable"
        ]
    );
    assert_eq!(keys(&report["tiles"]), ["baked", "cached", "total"]);
    assert_eq!(report["output"], "floor.nav");
    assert_eq!(report["agents"], serde_json::json!(["default"]));
    assert_eq!(report["islands"], 2);
    let bytes = fs::read(place.path("floor.nav")).unwrap();
    assert_eq!(report["bytes"], bytes.len());
    // At best 18.8 x 8.8 m without the box grown by 0.6 m (its corners round), and 2.8 x 2.8 m of the platform: never more, and not
    // much less.
    let best = 18.8 * 8.8 - (4.0 + 4.0 * 2.0 * 0.6 + std::f64::consts::PI * 0.36) + 2.8 * 2.8;
    let area = report["area_m2"].as_f64().unwrap();
    assert!((0.95 * best..best).contains(&area), "{area} of {best}");
    assert_eq!(place.names(), ["floor.nav", "floor.obj"]);
}

#[test]
fn the_same_level_again_is_nothing_to_do_until_it_is_forced() {
    let place = Place::new();
    place.floor();
    let before = fs::metadata(place.path("floor.nav"))
        .unwrap()
        .modified()
        .unwrap();
    let again = place.run(&["bake", "floor.obj", "-o", "floor.nav"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(again.out.contains("up to date"), "{}", again.out);
    assert_eq!(
        fs::metadata(place.path("floor.nav"))
            .unwrap()
            .modified()
            .unwrap(),
        before
    );
    let json = ["bake", "floor.obj", "-o", "floor.nav", "--format", "json"];
    let report = place.run(&json).json();
    assert_eq!(report["up_to_date"], true);
    let counted: Vec<_> = [
        "bytes", "hash", "polygons", "vertices", "portals", "islands", "area_m2",
    ]
    .map(|key| report[key].clone())
    .into();
    let forced = place.run(&[&json[..], &["--force"]].concat()).json();
    assert_eq!(forced["up_to_date"], false);
    let baked: Vec<_> = [
        "bytes", "hash", "polygons", "vertices", "portals", "islands", "area_m2",
    ]
    .map(|key| forced[key].clone())
    .into();
    assert_eq!(counted, baked);
    let other = place
        .run(&[&json[..], &["--radius", "0.5"]].concat())
        .json();
    assert_eq!(other["up_to_date"], false);
    assert_ne!(other["hash"], forced["hash"]);
}

#[test]
fn several_levels_bake_in_one_call_and_one_bad_one_stops_no_other() {
    let place = Place::new();
    place.write("a.obj", FLOOR);
    place.write("b.map", MAP);
    let ran = place.run(&[
        "bake",
        "a.obj",
        "b.map",
        "--out-dir",
        "out",
        "--format",
        "json",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.out.lines().count(), 2);
    assert!(place.path("out/a.nav").is_file() && place.path("out/b.nav").is_file());

    place.write("bad.obj", "v 0 0 zero\n");
    let ran = place.run(&["bake", "bad.obj", "b.map", "--out-dir", "more"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains("bad.obj"), "{}", ran.err);
    assert!(place.path("more/b.nav").is_file());

    let ran = place.run(&["bake", "a.obj", "b.map", "-o", "c.nav"]);
    ran.failed_with(2);
    fs::create_dir(place.path("sub")).unwrap();
    place.write("sub/a.obj", FLOOR);
    place
        .run(&["bake", "a.obj", "sub/a.obj", "--out-dir", "out"])
        .failed_with(2);
}

#[test]
fn a_dry_run_tells_what_would_be_done_and_writes_nothing() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let plan = place
        .run(&["bake", "floor.obj", "--dry-run", "--format", "json"])
        .json();
    assert_eq!(plan["triangles"], 14);
    assert!(plan["tiles"].as_u64().unwrap() > 0);
    assert!(plan["predicted_peak_bytes"].as_u64().unwrap() > 0);
    assert_eq!(place.names(), ["floor.obj"]);
}

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
        place
            .run(&[&options[..], &["--format", "json"]].concat())
            .json()
    };
    let ask = |blob: &str, closed: &str, more: &[&str]| {
        let options = ["query", "path", blob, "--from", "-6,0,1", "--to", "-6,0,-1"];
        let more = [more, &["--closed", closed, "--format", "json"]].concat();
        place.run(&[&options[..], &more].concat()).json()
    };
    let taken = |s: &serde_json::Value, key: &str| s["tables"][key].as_u64().unwrap();
    let (auto, none) = (
        bake("", "auto.nav"),
        bake("landmarks = \"none\"\n", "none.nav"),
    );
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
    let whole = taken(&auto, "bytes");
    let enough = bake(&format!("budget = \"{whole}\"\n"), "enough.nav");
    assert_eq!(taken(&enough, "landmark_bytes"), landmarks);
    let tight = bake(
        &format!("budget = \"{}\"\nlandmarks = \"always\"\n", whole - 1),
        "tight.nav",
    );
    assert_eq!(taken(&tight, "landmark_bytes"), 0);
    assert!(taken(&tight, "bytes") < whole);
    let warnings = tight["warnings"].as_array().unwrap();
    let told = |w: &serde_json::Value| w["message"].as_str().unwrap().contains("landmarks");
    assert!(warnings.iter().any(told), "{warnings:?}");
    // Where nothing can be closed there are none, unless they are asked for.
    let plain = |config: &str| {
        place.write("plain.toml", config);
        let options = [
            "bake",
            "floor.obj",
            "--config",
            "plain.toml",
            "-o",
            "plain.nav",
        ];
        let ran = place.run(&[&options[..], &["--format", "json"]].concat());
        taken(&ran.json(), "landmark_bytes")
    };
    assert_eq!(plain(""), 0);
    assert!(plain("[tables]\nlandmarks = \"always\"\n") > 0);
    assert_eq!(
        plain("[tables]\nbudget = \"none\"\nlandmarks = \"always\"\n"),
        0
    );
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
        let options = [
            "bake",
            "floor.obj",
            "--format",
            "json",
            "--table-budget",
            budget,
            "-o",
            out,
        ];
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
    for key in ["predicted_us", "measured_us"] {
        assert!(large["tables"][key].as_f64().unwrap() > 0.0);
        assert_eq!(none["tables"][key], 0.0);
    }
    // Not asked for, there are labels where they are as small as these.
    let usual = place.run(&["bake", "floor.obj", "--format", "json", "-o", "usual.nav"]);
    assert_eq!(usual.json()["tables"]["bytes"], taken);
    let tight = bake(&(taken - 1).to_string(), "tight.nav");
    assert_eq!(tight["tables"]["bytes"], 0);
    let warnings = tight["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|w| w["code"] == "tables-left-out"));

    place.write(
        "c.toml",
        &format!(
            "[tables]\nbudget = \"{}\"\nrequire = \"labels\"\n",
            taken - 1
        ),
    );
    let ran = place.run(&["bake", "floor.obj", "--config", "c.toml", "-o", "x.nav"]);
    let why = ran.failed_with(5);
    assert!(
        why.contains(&format!("the smallest that would do is {taken}")),
        "{why}"
    );
}

#[test]
fn a_depfile_names_the_level_the_config_and_the_blob() {
    let place = Place::new();
    place.write("my floor.obj", FLOOR);
    place.write("c.toml", "min_region = 1.0\n");
    let ran = place.run(&[
        "bake",
        "my floor.obj",
        "-o",
        "f.nav",
        "--config",
        "c.toml",
        "--depfile",
        "f.d",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let rule = fs::read_to_string(place.path("f.d")).unwrap();
    assert!(rule.starts_with("f.nav:"), "{rule}");
    assert!(
        rule.contains("my\\ floor.obj") && rule.contains("c.toml"),
        "{rule}"
    );
}

#[test]
fn a_dry_run_writes_no_depfile() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let ran = place.run(&["bake", "floor.obj", "--dry-run", "--depfile", "f.d"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(place.names(), ["floor.obj"]);
}

#[test]
fn a_folder_that_is_not_there_is_an_io_failure_and_leaves_nothing() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let ran = place.run(&["bake", "floor.obj", "-o", "no/such/floor.nav"]);
    assert!(ran.failed_with(4).contains("floor.nav"));
    fs::create_dir(place.path("folder")).unwrap();
    place
        .run(&["bake", "floor.obj", "-o", "folder"])
        .failed_with(4);
    assert_eq!(place.names(), ["floor.obj", "folder"]);
    assert_eq!(fs::read_dir(place.path("folder")).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_keeps_its_old_blob() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.floor();
    fs::create_dir(place.path("locked")).unwrap();
    fs::copy(place.path("floor.nav"), place.path("locked/floor.nav")).unwrap();
    let lock =
        |mode| fs::set_permissions(place.path("locked"), fs::Permissions::from_mode(mode)).unwrap();
    lock(0o555);
    let as_root = fs::write(place.path("locked/probe"), "").is_ok();
    let ran = place.run(&[
        "bake",
        "floor.obj",
        "-o",
        "locked/floor.nav",
        "--radius",
        "0.3",
    ]);
    lock(0o755);
    if as_root {
        println!(
            "skipped: a_folder_that_cannot_be_written_keeps_its_old_blob, since this user may write everywhere"
        );
        return;
    }
    ran.failed_with(4);
    assert_eq!(
        fs::read(place.path("locked/floor.nav")).unwrap(),
        fs::read(place.path("floor.nav")).unwrap()
    );
    assert_eq!(fs::read_dir(place.path("locked")).unwrap().count(), 1);
}

#[test]
fn a_failed_bake_keeps_the_earlier_blob() {
    let place = Place::new();
    place.floor();
    let before = fs::read(place.path("floor.nav")).unwrap();
    place.write("floor.obj", "v 0 0 0\nf 1 2 9\n");
    place
        .run(&["bake", "floor.obj", "-o", "floor.nav"])
        .failed_with(3);
    assert_eq!(fs::read(place.path("floor.nav")).unwrap(), before);
    assert_eq!(place.names(), ["floor.nav", "floor.obj"]);
}

#[test]
fn a_level_is_never_replaced_by_its_blob() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    place
        .run(&["bake", "floor.obj", "-o", "./floor.obj"])
        .failed_with(2);
    assert_eq!(fs::read_to_string(place.path("floor.obj")).unwrap(), FLOOR);
}

#[test]
fn usage_and_config_faults_are_2_and_missing_levels_4() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    place.write("typo.toml", "radios = 1\n");
    place.write("bad.toml", "[[agent]]\nradius = -1.0\n");
    for arguments in [
        &["bake", "floor.obj", "--frobnicate"][..],
        &["bake"],
        &["frobnicate"],
        &[],
        &["bake", "floor.obj", "--radius", "nan"],
        &["bake", "floor.obj", "--radius", "wide"],
        &["bake", "floor.obj", "--threads", "0"],
        &["bake", "floor.obj", "--threads", "1000000"],
        &["bake", "floor.obj", "--up", "x"],
        &["bake", "floor.obj", "-o", "a.nav", "--out-dir", "b"],
        &["bake", "floor.obj", "-o", "-", "--format", "json"],
        &["config"],
    ] {
        let ran = place.run(arguments);
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (2, ""),
            "{arguments:?}: {}",
            ran.err
        );
        assert!(!ran.err.is_empty());
    }
    for arguments in [
        ["--config", "typo.toml"],
        ["--config", "bad.toml"],
        ["--climb", "1"],
        ["--radius", "-1"],
        ["--slope", "90"],
        ["--cell", "0"],
        ["--scale", "0"],
    ] {
        let ran = place.run(&[&["bake", "floor.obj", "-o", "a.nav"], &arguments[..]].concat());
        ran.failed_with(2);
    }
    assert!(
        place
            .run(&["bake", "floor.obj", "--config", "typo.toml"])
            .err
            .contains("typo.toml:1")
    );
    place.run(&["bake", "missing.obj"]).failed_with(4);
    place
        .run(&["bake", "floor.obj", "--config", "missing.toml"])
        .failed_with(4);
    place.run(&["info", "missing.nav"]).failed_with(4);
    assert_eq!(place.names(), ["bad.toml", "floor.obj", "typo.toml"]);
}

#[test]
fn a_level_with_nothing_walkable_is_3_unless_it_is_allowed() {
    let place = Place::new();
    place.write(
        "wall.obj",
        "v 0 0 0\nv 5 0 0\nv 5 5 0\nv 0 5 0\nf 1 2 3 4\n",
    );
    assert!(
        place
            .run(&["bake", "wall.obj"])
            .failed_with(3)
            .contains("wall.obj")
    );
    let ran = place.run(&["bake", "wall.obj", "--allow-empty", "--format", "json"]);
    assert_eq!(ran.json()["polygons"], 0);
    let ran = place.run(&["info", "wall.nav", "--verify"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = place.run(&[
        "query", "path", "wall.nav", "--from", "0,0,0", "--to", "1,0,1", "--format", "json",
    ]);
    assert_eq!(ran.json()["status"], "off_mesh");
    for kind in ["obj", "svg", "mesh"] {
        let ran = place.run(&["export", "wall.nav", "--to", kind]);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    place
        .run(&["bench", "wall.nav", "--random", "5"])
        .failed_with(3);
}

#[test]
fn a_config_template_is_a_config() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let template = place.run(&["config", "--template"]);
    assert_eq!(template.code, 0, "{}", template.err);
    place.write("t.toml", &template.out);
    let plain = place
        .run(&["bake", "floor.obj", "-o", "a.nav", "--format", "json"])
        .json();
    let ran = place.run(&[
        "bake",
        "floor.obj",
        "-o",
        "b.nav",
        "--format",
        "json",
        "--config",
        "t.toml",
    ]);
    assert_eq!(ran.json()["polygons"], plain["polygons"]);
}

#[test]
fn flags_win_over_the_config_and_the_blob_keeps_what_was_used() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    place.write(
        "c.toml",
        "[[agent]]\nname = \"elf\"\nradius = 0.3\nheight = 1.5\nclimb = 0.4\n",
    );
    let ran = place.run(&[
        "bake",
        "floor.obj",
        "-o",
        "a.nav",
        "--config",
        "c.toml",
        "--radius",
        "0.25",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let info = place
        .run(&["info", "a.nav", "--verify", "--format", "json"])
        .json();
    assert_eq!(info["verified"], true);
    assert_eq!(info["agents"][0]["name"], "elf");
    assert_eq!(info["agents"][0]["radius"], 0.25);
    assert_eq!(info["agents"][0]["height"], 1.5);
    assert!(info["config"].as_str().unwrap().contains("elf"));
    place.write(
        "two.toml",
        "[[agent]]\nname = \"a\"\n[[agent]]\nname = \"b\"\n",
    );
    place
        .run(&[
            "bake",
            "floor.obj",
            "--config",
            "two.toml",
            "--radius",
            "0.25",
        ])
        .failed_with(2);
}

#[test]
fn bad_blobs_are_3_from_every_verb() {
    let place = Place::new();
    place.floor();
    let good = fs::read(place.path("floor.nav")).unwrap();
    let mut flipped = good.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0x10;
    let cases = [
        &b""[..],
        b"not a blob at all",
        &good[..good.len() - 1],
        &flipped,
    ];
    for bytes in cases {
        fs::write(place.path("bad.nav"), bytes).unwrap();
        for arguments in [
            &["info", "bad.nav", "--verify"][..],
            &["query", "nearest", "bad.nav", "--at", "0,0,0"],
            &[
                "query", "path", "bad.nav", "--from", "0,0,0", "--to", "0,0,0",
            ],
            &["bench", "bad.nav", "--random", "1"],
            &["export", "bad.nav", "--to", "obj", "-o", "out.obj"],
        ] {
            let ran = place.run(arguments);
            assert!(ran.failed_with(3).contains("bad.nav"), "{}", ran.err);
        }
    }
    assert!(!place.path("out.obj").exists());
}

#[test]
fn info_counts_as_the_bake_does() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let baked = place
        .run(&["bake", "floor.obj", "-o", "f.nav", "--format", "json"])
        .json();
    let info = place.run(&["info", "f.nav", "--format", "json"]).json();
    for key in [
        "bytes", "polygons", "vertices", "portals", "islands", "rooms", "doors",
    ] {
        assert_eq!(info[key], baked[key], "{key}");
    }
    let areas = [&info, &baked].map(|v| v["area_m2"].as_f64().unwrap());
    assert!((areas[0] - areas[1]).abs() < 1e-6, "{areas:?}");
    assert_eq!(info["verified"], false);
    let total: u64 = info["sections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["bytes"].as_u64().unwrap())
        .sum();
    assert!(total < info["bytes"].as_u64().unwrap());
    let text = place.run(&["info", "f.nav"]);
    assert!(text.out.contains("radius 0.6 m"), "{}", text.out);
}

#[test]
fn quiet_is_quiet_and_every_verb_has_help() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let ran = place.run(&["-q", "bake", "floor.obj", "--timings"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("wall s"), "{}", ran.out);
    for verb in [
        &["bake"][..],
        &["info"],
        &["query"],
        &["query", "path"],
        &["query", "nearest"],
        &["query", "raycast"],
        &["query", "reachable"],
        &["query", "move"],
        &["query", "distance"],
        &["query", "random"],
        &["bench"],
        &["tune"],
        &["export"],
        &["config"],
        &["check"],
        &["view"],
        &[],
    ] {
        let ran = place.run(&[verb, &["--help"]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{verb:?}");
        assert!(ran.out.contains("Usage"), "{}", ran.out);
        assert!(!ran.out.contains('\x1b'), "no colour off a terminal");
    }
    assert!(place.run(&["--version"]).out.starts_with("navbake "));
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    let place = Place::new();
    place.floor();
    let mut child = common::navbake(&["export", "floor.nav", "--to", "obj"])
        .current_dir(place.folder.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_blob_goes_through_stdout_and_stdin() {
    let place = Place::new();
    place.floor();
    let expected = fs::read(place.path("floor.nav")).unwrap();
    let output = common::navbake(&["bake", "floor.obj", "-o", "-"])
        .current_dir(place.folder.path())
        .output()
        .unwrap();
    assert_eq!(output.stdout, expected);
    let ran = place.run_with(&["info", "-", "--verify", "--format", "json"], &expected);
    assert_eq!(ran.json()["file"], "stdin");
    let point = ["--at", "5,0,0", "--format", "json"];
    let ran = place.run_with(
        &[&["query", "nearest", "-"], &point[..]].concat(),
        &expected,
    );
    let mapped = place.run(&[&["query", "nearest", "floor.nav", "--mmap"], &point[..]].concat());
    assert_eq!(ran.json()["point"], mapped.json()["point"]);
}

#[test]
fn a_bake_killed_half_way_leaves_the_earlier_blob_as_it_was() {
    let place = Place::new();
    place.floor();
    let before = fs::read(place.path("floor.nav")).unwrap();
    // Half a kilometre of floor: long enough to be in the middle of it.
    place.write(
        "floor.obj",
        "v 0 0 0\nv 0 0 500\nv 500 0 500\nv 500 0 0\nf 1 2 3 4\n",
    );
    let mut child = common::navbake(&["-q", "bake", "floor.obj", "-o", "floor.nav"])
        .current_dir(place.folder.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(100));
    let still_running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    if still_running {
        assert_eq!(fs::read(place.path("floor.nav")).unwrap(), before);
    } else {
        println!("the bake was done before it could be killed");
    }
    assert_eq!(place.names(), ["floor.nav", "floor.obj"]);
}
