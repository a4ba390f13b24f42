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
fn an_address_that_is_no_cache_of_this_build_is_a_wrong_option() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let mut kinds = vec![("http://host/cache", "s3://bucket/prefix")];
    if !cfg!(feature = "s3") {
        kinds.push(("s3://bucket/prefix", "--features s3"));
    }
    if !cfg!(feature = "reapi") {
        kinds.push(("grpc://host:8980", "--features reapi"));
    }
    for (address, cure) in kinds {
        let ran = place.run(&["bake", "floor.obj", "-o", "a.nav", "--cache", address]);
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains(address) && ran.err.contains(cure), "{}", ran.err);
        assert_eq!(fs::read_dir(place.path(".")).unwrap().count(), 1, "{address}: a file was made");
    }
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

/// As root, who may write everywhere, the program runs as another user.
#[cfg(unix)]
#[test]
fn a_read_only_cache_is_read_and_said_once() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let bake = ["bake", "floor.obj", "-o", "-", "--cache", "cache"];
    let first = place.run(&[&bake[..3], &["first.nav"], &bake[4..]].concat());
    assert_eq!(first.code, 0, "{}", first.err);
    let lock = |name: &str, mode| {
        std::fs::set_permissions(place.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    lock("", 0o755);
    lock("cache", 0o555);
    let as_root = fs::write(place.path("cache/probe"), "").is_ok();
    let _ = fs::remove_file(place.path("cache/probe"));
    // Another user may not reach the program where it was built.
    fs::copy(env!("CARGO_BIN_EXE_navbake"), place.path("navbake")).unwrap();
    let run = |level: &str| {
        let mut command = std::process::Command::new(place.path("navbake"));
        command.args(bake).current_dir(place.folder.path());
        command.args(["--config", level]);
        if as_root {
            command.uid(65534);
        }
        command.output().unwrap()
    };
    place.write("same.toml", "");
    place.write("other.toml", "[[agent]]\nradius = 0.5\n");
    let before = fs::read_dir(place.path("cache")).unwrap().count();
    let same = run("same.toml");
    let said = String::from_utf8_lossy(&same.stderr);
    assert_eq!(said.matches("the cache is read-only").count(), 1, "{said}");
    assert!(said.contains("0 of 4 tiles baked, 4 from the cache"), "{said}");
    assert_eq!(same.stdout, fs::read(place.path("first.nav")).unwrap());
    let other = run("other.toml");
    assert!(other.status.success(), "{}", String::from_utf8_lossy(&other.stderr));
    assert_eq!(fs::read_dir(place.path("cache")).unwrap().count(), before);
    lock("cache", 0o755);
}

#[test]
fn a_dry_run_makes_no_cache() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let ran = place.run(&["bake", "floor.obj", "--dry-run", "--cache", "cache"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(place.names(), ["floor.obj"]);
}
