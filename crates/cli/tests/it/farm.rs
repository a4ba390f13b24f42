//! Bakes in jobs: whatever happens to the jobs, the blob has the bytes of one machine's, or there
//! is none and the failure names what is missing.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::common::{Place, navbake};

/// A floor with a block, as a file to be placed.
const YARD: &str = "o yard\nv 0 0 0\nv 0 0 30\nv 30 0 30\nv 30 0 0\nf 1 2 3 4\n\
    o block\nv 10 0 10\nv 10 0 14\nv 14 0 14\nv 14 0 10\nv 10 3 10\nv 10 3 14\nv 14 3 14\nv 14 3 10\n\
    f 5 8 7 6\nf 9 10 11 12\nf 5 6 10 9\nf 6 7 11 10\nf 7 8 12 11\nf 8 5 9 12\n";

/// Tiles of 12.8 m, so that a small world has many.
const SETTINGS: [&str; 2] = ["--cell", "0.05"];

/// A place with a world of yards, side by side and turned, and the bytes of its blob.
fn world(yards: usize) -> (Place, Vec<u8>) {
    let place = Place::new();
    place.write("yard.obj", YARD);
    let mut text = String::new();
    for k in 0..yards {
        let (x, z) = (28 * (k % 4), 28 * (k / 4));
        writeln!(
            text,
            "[[place]]\nfile = \"yard.obj\"\ntranslate = [{x}, 0, {z}]\nrotate = {}",
            7 * k
        )
        .unwrap();
    }
    place.write("world.toml", &text);
    let bytes = baked(&place);
    (place, bytes)
}

fn baked(place: &Place) -> Vec<u8> {
    let command = [&["bake", "world.toml", "-o", "one.nav", "--force"][..], &SETTINGS].concat();
    let ran = place.run(&command);
    assert_eq!(ran.code, 0, "{}", ran.err);
    fs::read(place.path("one.nav")).unwrap()
}

fn plan(place: &Place, jobs: usize) -> Value {
    let jobs = jobs.to_string();
    let options = ["--jobs", &jobs, "--format", "json"];
    place.run(&[&["plan", "world.toml", "-o", "plan"][..], &SETTINGS, &options].concat()).json()
}

fn run(place: &Place, jobs: &str) -> i32 {
    place.run(&["run", "--plan", "plan", "--job", jobs]).code
}

fn merged(place: &Place) -> Vec<u8> {
    let ran = place.run(&["merge", "--plan", "plan", "-o", "farm.nav"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    fs::read(place.path("farm.nav")).unwrap()
}

/// The files of the store.
fn entries(place: &Place) -> Vec<PathBuf> {
    let shelves = fs::read_dir(place.path("plan/store")).unwrap();
    let shelves = shelves.map(|shelf| shelf.unwrap().path()).filter(|path| path.is_dir());
    let mut all: Vec<PathBuf> = shelves
        .flat_map(|shelf| fs::read_dir(shelf).unwrap().map(|entry| entry.unwrap().path()))
        .collect();
    all.sort();
    all
}

#[test]
fn any_number_of_jobs_in_any_order_and_twice_gives_the_bytes_of_one_machine() {
    let (place, wanted) = world(8);
    for jobs in [1, 2, 7] {
        let _ = fs::remove_dir_all(place.path("plan"));
        let planned = plan(&place, jobs);
        assert_eq!(planned["jobs"], jobs as u64);
        for twice in 0..2 {
            for job in (0..jobs).rev() {
                let job = (job * 3 + twice) % jobs;
                assert_eq!(run(&place, &job.to_string()), 0);
            }
        }
        assert_eq!(merged(&place), wanted, "{jobs}");
    }
}

#[test]
fn a_plan_is_the_same_twice_and_whatever_the_threads() {
    let (place, _) = world(6);
    plan(&place, 3);
    let first = fs::read(place.path("plan/plan.json")).unwrap();
    for threads in ["1", "3"] {
        let options = ["-o", "other", "--jobs", "3", "-j", threads];
        let ran = place.run(&[&["plan", "world.toml"][..], &SETTINGS, &options].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(fs::read(place.path("other/plan.json")).unwrap(), first);
    }
}

#[test]
fn merge_and_status_name_the_jobs_that_are_missing() {
    let (place, wanted) = world(8);
    plan(&place, 5);
    assert_eq!(run(&place, "1,3"), 0);
    let ran = place.run(&["merge", "--plan", "plan", "-o", "farm.nav"]);
    assert!(ran.failed_with(75).contains("--job 0,2,4"), "{}", ran.err);
    assert!(!place.path("farm.nav").exists());
    let ran = place.run(&["status", "--plan", "plan", "--format", "json"]);
    assert_eq!(ran.code, 75);
    let status: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&status["done"], &status["missing"]), (&2.into(), &3.into()));
    assert_eq!(status["again"], "0,2,4");
    assert!(status["jobs"][1]["seconds"].as_f64().is_some());
    assert_eq!(run(&place, "0,2,4"), 0);
    assert_eq!(place.run(&["status", "--plan", "plan"]).code, 0);
    assert_eq!(merged(&place), wanted);
}

#[test]
fn jobs_that_are_killed_leave_nothing_wrong() {
    let (place, wanted) = world(12);
    plan(&place, 3);
    for attempt in 0..12 {
        let job = (attempt % 3).to_string();
        let mut child = navbake(&["run", "--plan", "plan", "--job", &job, "-j", "1"])
            .current_dir(place.folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(15 * attempt));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(run(&place, "0-2"), 0);
    assert_eq!(merged(&place), wanted);
    // What was written in part is gone.
    let names = fs::read_dir(place.path("plan/store")).unwrap();
    assert!(names.map(|n| n.unwrap().file_name()).all(|n| n.to_str().unwrap().len() == 2));
}

#[cfg(unix)]
#[test]
fn a_signal_to_end_stops_between_tiles_and_can_be_gone_on_from() {
    let (place, wanted) = world(12);
    plan(&place, 1);
    let mut stopped = false;
    for attempt in 0..20 {
        let child = navbake(&["run", "--plan", "plan", "--job", "0", "-j", "1"])
            .current_dir(place.folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(10 * attempt));
        let id = child.id().to_string();
        std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap();
        let code = child.wait_with_output().unwrap().status.code();
        // Before the program listens the signal ends it, and after the last tile it does nothing.
        assert!(matches!(code, None | Some(0 | 75)), "{code:?}");
        stopped |= code == Some(75);
        if code == Some(0) {
            break;
        }
    }
    assert!(stopped, "no attempt was stopped while it ran");
    assert_eq!(run(&place, "0"), 0);
    assert_eq!(merged(&place), wanted);
}

#[test]
fn an_entry_that_is_damaged_or_gone_is_baked_again() {
    let (place, wanted) = world(8);
    plan(&place, 2);
    assert_eq!(run(&place, "0-1"), 0);
    let all = entries(&place);
    let bytes = fs::read(&all[0]).unwrap();
    fs::write(&all[0], &bytes[..bytes.len() / 2]).unwrap();
    let mut other = fs::read(&all[1]).unwrap();
    let middle = other.len() / 2;
    other[middle] ^= 1;
    fs::write(&all[1], other).unwrap();
    // A whole entry of another tile.
    fs::copy(&all[2], &all[3]).unwrap();
    fs::remove_file(&all[4]).unwrap();
    let ran = place.run(&["merge", "--plan", "plan", "-o", "farm.nav"]);
    ran.failed_with(75);
    assert_eq!(run(&place, "0-1"), 0);
    assert_eq!(merged(&place), wanted);
}

#[test]
fn a_level_or_config_that_changed_since_the_plan_is_refused() {
    let (place, _) = world(4);
    plan(&place, 2);
    let text = fs::read_to_string(place.path("world.toml")).unwrap();
    place.write("world.toml", &text.replacen("rotate = 7", "rotate = 8", 1));
    let ran = place.run(&["run", "--plan", "plan", "--job", "0"]);
    assert!(ran.failed_with(3).contains("make the plan again"), "{}", ran.err);
    place.write("world.toml", &text);
    assert_eq!(run(&place, "0-1"), 0);
    place.write("yard.obj", &YARD.replace("14 3 14", "14 4 14"));
    let ran = place.run(&["merge", "--plan", "plan", "-o", "farm.nav"]);
    assert!(ran.failed_with(3).contains("make the plan again"), "{}", ran.err);
}

#[test]
fn after_a_small_change_only_the_tiles_around_it_are_planned() {
    let (place, _) = world(12);
    let first = plan(&place, 4);
    assert_eq!(run(&place, "0-3"), 0);
    let again = plan(&place, 4);
    assert_eq!((&again["jobs"], &again["stored"]), (&0.into(), &first["tiles"]));
    merged(&place);
    let text = fs::read_to_string(place.path("world.toml")).unwrap();
    place.write("world.toml", &text.replacen("rotate = 0", "rotate = 1", 1));
    let moved = plan(&place, 4);
    let (tiles, stored) = (moved["tiles"].as_u64().unwrap(), moved["stored"].as_u64().unwrap());
    assert!(stored > 0 && stored < tiles && stored * 3 > tiles, "{stored} of {tiles}");
    let jobs = moved["jobs"].as_u64().unwrap();
    assert_eq!(run(&place, &format!("0-{}", jobs - 1)), 0);
    assert_eq!(merged(&place), baked(&place));
}

#[test]
fn faults_of_a_farm_name_the_cure() {
    let (place, _) = world(2);
    let ran = place.run(&["status", "--plan", "none"]);
    ran.failed_with(4);
    place.write("plan.json", "{}");
    let ran = place.run(&["status", "--plan", "."]);
    assert!(ran.failed_with(3).contains("navbake plan"), "{}", ran.err);
    plan(&place, 2);
    let ran = place.run(&["run", "--plan", "plan", "--job", "9"]);
    assert!(ran.failed_with(2).contains("it has 0"), "{}", ran.err);
    place.write("small.map", "type octile\nheight 1\nwidth 2\nmap\n..\n");
    let ran = place.run(&["plan", "small.map", "-o", "p2", "--jobs", "2"]);
    assert!(ran.failed_with(3).contains("navbake bake"), "{}", ran.err);
    // A store that takes no files: tried again, then worth another attempt.
    place.write("file", "");
    let ran = place.run(&["run", "--plan", "plan", "--job", "0", "--cache", "file"]);
    assert!(ran.failed_with(75).contains("file"), "{}", ran.err);
    let ran = place.run(&["status", "--plan", "plan", "--format", "json"]);
    let status: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(status["failed"], 1);
}
