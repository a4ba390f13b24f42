//! `bake`, `info`, `config`: what comes out, and what the exit codes say.

use std::fs;

use crate::common::{FLOOR, Place, keys};

#[test]
fn a_floor_bakes_and_the_summary_has_every_promised_key() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let report = place.run(&["bake", "floor.obj", "-o", "floor.nav", "--format", "json"]).json();
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
        "quality",
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
        ["encode", "hierarchy", "import", "mesh", "tables", "total", "walkable"]
    );
    assert_eq!(keys(&report["tiles"]), ["baked", "cached", "total"]);
    assert_eq!(report["output"], "floor.nav");
    assert_eq!(report["agents"], serde_json::json!(["default"]));
    assert_eq!(report["islands"], 2);
    let bytes = fs::read(place.path("floor.nav")).unwrap();
    assert_eq!(report["bytes"], bytes.len());
    // At best 18.8 x 8.8 m without the box grown by 0.6 m (its corners round), and 2.8 x 2.8 m of
    // the platform: never more, and not much less.
    let best = 18.8 * 8.8 - (4.0 + 4.0 * 2.0 * 0.6 + std::f64::consts::PI * 0.36) + 2.8 * 2.8;
    let area = report["area_m2"].as_f64().unwrap();
    assert!((0.95 * best..best).contains(&area), "{area} of {best}");
    let quality = &report["quality"][0];
    let dense = report["polygons"].as_f64().unwrap() * 100.0 / area;
    assert!((quality["polygons_per_100_m2"].as_f64().unwrap() - dense).abs() < 1e-9, "{quality}");
    assert_eq!(place.names(), ["floor.nav", "floor.obj"]);
}

#[test]
fn the_text_of_a_bake_says_how_compact_polygons_are_for_each_class() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let lines = |arguments: &[&str]| -> Vec<String> {
        let ran = place.run(arguments);
        let found = ran.out.lines().filter(|l| l.contains("median least angle"));
        found.map(String::from).collect()
    };
    let one = lines(&["bake", "floor.obj", "-o", "one.nav"]);
    assert_eq!(one.len(), 1, "{one:?}");
    assert!(one[0].contains(" polygons per 100 m2, 0.0 % narrower than 0.1 m, "), "{one:?}");
    place.write("two.toml", "[[agent]]\nname = \"a\"\n[[agent]]\nname = \"b\"\nradius = 0.3\n");
    let two = lines(&["bake", "floor.obj", "-o", "two.nav", "--config", "two.toml"]);
    assert_eq!(two.len(), 2, "{two:?}");
    assert!(two[1].starts_with("agent class 1: "), "{two:?}");
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
        &["config", "--tempalte"],
    ] {
        let ran = place.run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}: {}", ran.err);
        assert!(!ran.err.is_empty());
    }
    let ran = place.run(&["bake", "floor.obj", "-o", "-", "--format", "json"]);
    assert!(ran.failed_with(2).contains("both write to stdout"));
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
    assert!(place.run(&["bake", "floor.obj", "--config", "typo.toml"]).err.contains("typo.toml:1"));
    place.run(&["bake", "missing.obj"]).failed_with(4);
    place.run(&["bake", "floor.obj", "--config", "missing.toml"]).failed_with(4);
    place.run(&["info", "missing.nav"]).failed_with(4);
    assert_eq!(place.names(), ["bad.toml", "floor.obj", "typo.toml"]);
}

#[test]
fn a_level_with_nothing_walkable_is_3_unless_it_is_allowed() {
    let place = Place::new();
    place.write("wall.obj", "v 0 0 0\nv 5 0 0\nv 5 5 0\nv 0 5 0\nf 1 2 3 4\n");
    assert!(place.run(&["bake", "wall.obj"]).failed_with(3).contains("wall.obj"));
    let ran = place.run(&["bake", "wall.obj", "--allow-empty", "--format", "json"]);
    assert_eq!(ran.json()["polygons"], 0);
    let ran = place.run(&["info", "wall.navbake", "--verify"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = place.run(&[
        "query",
        "path",
        "wall.navbake",
        "--from",
        "0,0,0",
        "--to",
        "1,0,1",
        "--format",
        "json",
    ]);
    assert_eq!(ran.json()["status"], "off_mesh");
    for kind in ["obj", "svg", "mesh"] {
        let ran = place.run(&["export", "wall.navbake", "--to", kind]);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    place.run(&["bench", "wall.navbake", "--random", "5"]).failed_with(3);
}

#[test]
fn a_config_template_is_a_config() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let template = place.run(&["config", "--template"]);
    assert_eq!(template.code, 0, "{}", template.err);
    place.write("t.toml", &template.out);
    let plain = place.run(&["bake", "floor.obj", "-o", "a.nav", "--format", "json"]).json();
    let ran =
        place.run(&["bake", "floor.obj", "-o", "b.nav", "--format", "json", "--config", "t.toml"]);
    assert_eq!(ran.json()["polygons"], plain["polygons"]);
}

#[test]
fn flags_win_over_the_config_and_the_blob_keeps_what_was_used() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    place.write("c.toml", "[[agent]]\nname = \"elf\"\nradius = 0.3\nheight = 1.5\nclimb = 0.4\n");
    let ran =
        place.run(&["bake", "floor.obj", "-o", "a.nav", "--config", "c.toml", "--radius", "0.25"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let info = place.run(&["info", "a.nav", "--verify", "--format", "json"]).json();
    assert_eq!(info["verified"], true);
    assert_eq!(info["agents"][0]["name"], "elf");
    assert_eq!(info["agents"][0]["radius"], 0.25);
    assert_eq!(info["agents"][0]["height"], 1.5);
    assert!(info["config"].as_str().unwrap().contains("elf"));
    place.write("two.toml", "[[agent]]\nname = \"a\"\n[[agent]]\nname = \"b\"\n");
    place.run(&["bake", "floor.obj", "--config", "two.toml", "--radius", "0.25"]).failed_with(2);
}

#[test]
fn bad_blobs_are_3_from_every_verb() {
    let place = Place::new();
    place.floor();
    let good = fs::read(place.path("floor.nav")).unwrap();
    let mut flipped = good.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0x10;
    let cases = [&b""[..], b"not a blob at all", &good[..good.len() - 1], &flipped];
    for bytes in cases {
        fs::write(place.path("bad.nav"), bytes).unwrap();
        for arguments in [
            &["info", "bad.nav", "--verify"][..],
            &["query", "nearest", "bad.nav", "--at", "0,0,0"],
            &["query", "path", "bad.nav", "--from", "0,0,0", "--to", "0,0,0"],
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
    let baked = place.run(&["bake", "floor.obj", "-o", "f.nav", "--format", "json"]).json();
    let info = place.run(&["info", "f.nav", "--format", "json"]).json();
    for key in ["bytes", "polygons", "vertices", "portals", "islands", "rooms", "doors"] {
        assert_eq!(info[key], baked[key], "{key}");
    }
    let areas = [&info, &baked].map(|v| v["area_m2"].as_f64().unwrap());
    assert!((areas[0] - areas[1]).abs() < 1e-6, "{areas:?}");
    assert_eq!(info["verified"], false);
    let total: u64 =
        info["sections"].as_array().unwrap().iter().map(|s| s["bytes"].as_u64().unwrap()).sum();
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
        &["watch"],
        &[],
    ] {
        let ran = place.run(&[verb, &["--help"]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{verb:?}");
        assert!(ran.out.contains("Usage"), "{}", ran.out);
        assert!(!ran.out.contains('\x1b'), "no colour off a terminal");
    }
    assert!(place.run(&["--version"]).out.starts_with("navbake "));
}
