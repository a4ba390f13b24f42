//! What `bake` reads and leaves behind: files, streams and folders, also when it fails or is
//! stopped.

use crate::common;
use std::fs;

use crate::common::{FLOOR, MAP, Place};

#[test]
fn the_same_level_again_is_nothing_to_do_until_it_is_forced() {
    let place = Place::new();
    place.floor();
    let stamp = || fs::metadata(place.path("floor.nav")).unwrap().modified().unwrap();
    let (before, bytes) = (stamp(), fs::read(place.path("floor.nav")).unwrap());
    let line = ["bake", "floor.obj", "-o", "floor.nav"];
    let again = place.run(&[&line[..], &["--no-touch"]].concat());
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(again.out.contains("up to date"), "{}", again.out);
    assert_eq!(stamp(), before);
    // Only its time stamp is renewed, so that make and ninja see that it is newer than the level.
    let again = place.run(&line);
    assert!(again.code == 0 && again.out.contains("up to date"), "{}", again.out);
    assert!(stamp() > before);
    assert_eq!(fs::read(place.path("floor.nav")).unwrap(), bytes);
    let json = ["bake", "floor.obj", "-o", "floor.nav", "--format", "json"];
    let report = place.run(&json).json();
    assert_eq!(report["up_to_date"], true);
    let counted: Vec<_> =
        ["bytes", "hash", "polygons", "vertices", "portals", "islands", "area_m2", "quality"]
            .map(|key| report[key].clone())
            .into();
    let forced = place.run(&[&json[..], &["--force"]].concat()).json();
    assert_eq!(forced["up_to_date"], false);
    let baked: Vec<_> =
        ["bytes", "hash", "polygons", "vertices", "portals", "islands", "area_m2", "quality"]
            .map(|key| forced[key].clone())
            .into();
    assert_eq!(counted, baked);
    let other = place.run(&[&json[..], &["--radius", "0.5"]].concat()).json();
    assert_eq!(other["up_to_date"], false);
    assert_ne!(other["hash"], forced["hash"]);
}

#[test]
fn several_levels_bake_in_one_call_and_one_bad_one_stops_no_other() {
    let place = Place::new();
    place.write("a.obj", FLOOR);
    place.write("b.map", MAP);
    let ran = place.run(&["bake", "a.obj", "b.map", "--out-dir", "out", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.out.lines().count(), 2);
    assert!(place.path("out/a.navbake").is_file() && place.path("out/b.navbake").is_file());

    place.write("bad.obj", "v 0 0 zero\n");
    let ran = place.run(&["bake", "bad.obj", "b.map", "--out-dir", "more"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains("bad.obj"), "{}", ran.err);
    assert!(place.path("more/b.navbake").is_file());

    let ran = place.run(&["bake", "a.obj", "b.map", "-o", "c.nav"]);
    ran.failed_with(2);
    fs::create_dir(place.path("sub")).unwrap();
    place.write("sub/a.obj", FLOOR);
    place.run(&["bake", "a.obj", "sub/a.obj", "--out-dir", "out"]).failed_with(2);
}

#[test]
fn a_dry_run_tells_what_would_be_done_and_writes_nothing() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let plan = place.run(&["bake", "floor.obj", "--dry-run", "--format", "json"]).json();
    assert_eq!(plan["triangles"], 14);
    assert!(plan["tiles"].as_u64().unwrap() > 0);
    assert!(plan["predicted_peak_bytes"].as_u64().unwrap() > 0);
    assert_eq!(place.names(), ["floor.obj"]);
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
    assert!(rule.contains("my\\ floor.obj") && rule.contains("c.toml"), "{rule}");
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
fn a_missing_folder_of_an_output_is_made_and_a_folder_is_no_output() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    let ran = place.run(&["bake", "floor.obj", "-o", "made/here/floor.nav"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(place.path("made/here/floor.nav").is_file());
    fs::create_dir(place.path("folder")).unwrap();
    assert!(place.run(&["bake", "floor.obj", "-o", "folder"]).failed_with(4).contains("folder"));
    let ran = place.run(&["bake", "floor.obj", "-o", "floor.obj/below.nav"]);
    assert!(ran.failed_with(4).contains("floor.obj is a file, not a folder"), "{}", ran.err);
    assert_eq!(place.names(), ["floor.obj", "folder", "made"]);
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
    let ran = place.run(&["bake", "floor.obj", "-o", "locked/floor.nav", "--radius", "0.3"]);
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
    place.run(&["bake", "floor.obj", "-o", "floor.nav"]).failed_with(3);
    assert_eq!(fs::read(place.path("floor.nav")).unwrap(), before);
    assert_eq!(place.names(), ["floor.nav", "floor.obj"]);
}

#[test]
fn a_level_is_never_replaced_by_its_blob() {
    let place = Place::new();
    place.write("floor.obj", FLOOR);
    place.run(&["bake", "floor.obj", "-o", "./floor.obj"]).failed_with(2);
    assert_eq!(fs::read_to_string(place.path("floor.obj")).unwrap(), FLOOR);
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
    let ran = place.run_with(&[&["query", "nearest", "-"], &point[..]].concat(), &expected);
    let mapped = place.run(&[&["query", "nearest", "floor.nav", "--mmap"], &point[..]].concat());
    assert_eq!(ran.json()["point"], mapped.json()["point"]);
}

/// A level whose blob takes some 90 KiB: panels on a floor.
#[cfg(unix)]
fn panels() -> String {
    let mut text = "v 0 0 0\nv 0 0 30\nv 30 0 30\nv 30 0 0\nf 1 2 3 4\n".to_owned();
    for k in 0..36 {
        let (x, z) = (f64::from(k % 6) * 5.0 + 1.0, f64::from(k / 6) * 5.0 + 1.0);
        for [a, y, b] in [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.5, 3.0, 0.5]] {
            text.push_str(&format!("v {} {y} {}\n", x + a, z + b));
        }
        let first = 5 + 3 * k;
        text.push_str(&format!("f {first} {} {}\n", first + 1, first + 2));
    }
    text
}

#[cfg(unix)]
#[test]
fn a_bake_killed_half_way_leaves_the_earlier_blob_as_it_was() {
    use std::os::unix::process::ExitStatusExt;
    let place = Place::new();
    place.floor();
    let before = fs::read(place.path("floor.nav")).unwrap();
    place.write("floor.obj", &panels());
    // With labels, the blob is large enough.
    let bake = ["bake", "floor.obj", "-o", "floor.nav", "--table-budget", "labels"];
    // The system kills a process that writes more to a file than it may: in the middle of the
    // blob, whatever the speed of the machine.
    for blocks in [0, 1, 8] {
        let limits = format!("ulimit -c 0; ulimit -f {blocks}; exec \"$@\"");
        let bake = [&[env!("CARGO_BIN_EXE_navbake"), "-q"], &bake[..]].concat();
        let killed = std::process::Command::new("sh")
            .args(["-c", &limits, "sh"])
            .args(bake)
            .current_dir(place.folder.path())
            .status()
            .unwrap();
        assert!(killed.signal().is_some(), "{killed}");
        assert_eq!(fs::read(place.path("floor.nav")).unwrap(), before);
        // One half-written file at most: the next bake removes that of the one before.
        let names = place.names();
        assert!(names.len() == 3 && names[0].starts_with(".navbake-"), "{names:?}");
        let half = fs::metadata(place.path(&names[0])).unwrap().len();
        assert!(half <= blocks * 1024, "{half}");
    }
    let whole = place.run(&[&bake[..], &["--format", "json"]].concat()).json();
    assert!(whole["bytes"].as_u64().unwrap() > 8 * 1024, "{whole}");
    assert_eq!(place.names(), ["floor.nav", "floor.obj"]);
}

#[test]
fn a_bake_killed_at_any_time_leaves_a_whole_blob() {
    let place = Place::new();
    place.floor();
    let before = fs::read(place.path("floor.nav")).unwrap();
    // Half a kilometre of floor: long enough to be in the middle of it.
    place.write("floor.obj", "v 0 0 0\nv 0 0 500\nv 500 0 500\nv 500 0 0\nf 1 2 3 4\n");
    place.run(&["bake", "floor.obj", "-o", "after.nav"]);
    let after = fs::read(place.path("after.nav")).unwrap();
    let mut killed = 0;
    for wait in 0..200 {
        let mut child = common::navbake(&["-q", "bake", "floor.obj", "-o", "floor.nav"])
            .current_dir(place.folder.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // Later with each attempt, and at the latest when the blob is being written.
        for _ in 0..wait {
            let is_writing = place.names().iter().any(|name| name.ends_with(".tmp"));
            if is_writing || child.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_micros(500));
        }
        child.kill().unwrap();
        let ended = child.wait().unwrap();
        killed += u32::from(!ended.success());
        let found = fs::read(place.path("floor.nav")).unwrap();
        assert!(found == after || (found == before && !ended.success()), "{ended}");
        if found == after {
            break;
        }
    }
    // The first attempt is killed before it has read its arguments.
    assert!(killed > 0);
    place.run(&["bake", "floor.obj", "-o", "floor.nav", "--force"]);
    assert_eq!(place.names(), ["after.nav", "floor.nav", "floor.obj"]);
}
