//! `bake --cache`: what is baked again, what comes out, and what a bad folder says.

use std::fs;

use crate::common::{FLOOR, Place};

const JSON: [&str; 2] = ["--format", "json"];

#[test]
fn a_second_bake_takes_its_tiles_from_the_cache_and_gives_the_same_blob() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let bake = |out: &str, more: &[&str]| {
        place.run(&[&["bake", "floor.obj", "-o", out], &JSON[..], more].concat())
    };
    let without = bake("a.nav", &[]).json();
    let cold = bake("b.nav", &["--cache", "some/cache"]).json();
    let warm = bake("c.nav", &["--cache", "some/cache"]).json();
    let total = without["tiles"]["total"].as_u64().unwrap();
    for (report, baked, cached) in [(&without, total, 0), (&cold, total, 0), (&warm, 0, total)] {
        assert_eq!(report["tiles"]["total"], total);
        assert_eq!(report["tiles"]["baked"], baked);
        assert_eq!(report["tiles"]["cached"], cached);
        assert_eq!(report["hash"], without["hash"]);
    }
    let blob = fs::read(place.path("a.nav")).unwrap();
    assert!(blob == fs::read(place.path("c.nav")).unwrap());
    // The cache is no setting: what was baked without it is up to date with it.
    let again = bake("a.nav", &["--cache", "some/cache"]).json();
    assert_eq!(again["up_to_date"], true);
    let text = place.run(&["bake", "floor.obj", "-o", "d.nav", "--cache", "some/cache"]);
    assert!(text.out.contains("0 of") && text.out.contains("from the cache"), "{}", text.out);
}

#[test]
fn a_damaged_entry_is_said_so_and_costs_nothing_else() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let bake = ["bake", "floor.obj", "-o", "a.nav", "--force", "--cache", "cache"];
    let first = place.run(&[&bake[..], &JSON].concat()).json();
    let mut entries = vec![];
    for shelf in fs::read_dir(place.path("cache")).unwrap() {
        for entry in fs::read_dir(shelf.unwrap().path()).unwrap() {
            entries.push(entry.unwrap().path());
        }
    }
    for entry in &entries {
        fs::write(entry, "damaged").unwrap();
    }
    let ran = place.run(&[&bake[..], &JSON].concat());
    let report = ran.json();
    assert_eq!(report["tiles"]["baked"], report["tiles"]["total"]);
    assert_eq!(report["hash"], first["hash"]);
    assert!(ran.err.contains("[cache-entry]"), "{}", ran.err);
    assert_eq!(ran.err.matches("cache-entry").count(), 1, "{}", ran.err);
    let mended = place.run(&[&bake[..], &JSON].concat());
    assert_eq!(mended.json()["tiles"]["baked"], 0);
    assert!(!mended.err.contains("cache-entry"), "{}", mended.err);
}

#[test]
fn a_cache_that_cannot_be_written_is_reported_before_anything_is_baked() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    place.write("file", "x");
    for folder in ["file", "file/below"] {
        let ran = place.run(&["bake", "floor.obj", "-o", "a.nav", "--cache", folder]);
        let said = ran.failed_with(4);
        assert!(said.contains("cache") && said.contains(folder), "{said}");
    }
    assert_eq!(place.names(), ["file", "floor.obj"]);
}

#[test]
fn a_dry_run_makes_no_cache() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let ran = place.run(&["bake", "floor.obj", "--dry-run", "--cache", "cache"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(place.names(), ["floor.obj"]);
}
