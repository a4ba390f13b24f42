//! Bakes of many processes that share a cache while calls of the system fail: no wrong file, no
//! good file lost, and an exit code that says what happened.
//!
//! `NAVBAKE_FAULTS_RUNS` is the number of bakes; `tools/faults/run` has many more.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::Place;

/// Bakes at once.
const PROCESSES: u64 = 4;

/// One call in this number fails; another number for each bake.
const RATES: [u64; 4] = [8, 20, 60, 200];

/// A floor with a block: a few tiles of 12.8 m.
const YARD: &str = "v 0 0 0\nv 0 0 30\nv 30 0 30\nv 30 0 0\nf 1 2 3 4\n\
    v 10 0 10\nv 10 0 14\nv 14 0 14\nv 14 0 10\nv 10 3 10\nv 10 3 14\nv 14 3 14\nv 14 3 10\n\
    f 5 8 7 6\nf 9 10 11 12\nf 5 6 10 9\nf 6 7 11 10\nf 7 8 12 11\nf 8 5 9 12\n";
const WORLD: &str = "[[place]]\nfile = \"yard.obj\"\n\
    [[place]]\nfile = \"yard.obj\"\ntranslate = [28, 0, 0]\nrotate = 90\n";
const LEVELS: [&str; 2] = ["yard.obj", "world.toml"];

/// The library that makes calls fail; `None` where there is no compiler for it.
fn shim(place: &Place) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/faults.c");
    let library = place.path("faults.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o"]);
    let ran = compiler.arg(&library).arg(source).arg("-ldl").output();
    let Ok(ran) = ran else {
        println!("skipped: no cc here");
        return None;
    };
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    Some(library)
}

fn bake(place: &Place, level: &str, output: &str, cache: Option<&str>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_navbake"));
    command.current_dir(place.folder.path());
    command.args(["-q", "bake", level, "-o", output, "--cell", "0.05", "--force"]);
    command.args(["--threads", "2"]);
    if let Some(folder) = cache {
        command.args(["--cache", folder]);
    }
    command
}

fn fresh(place: &Place, level: &str, cache: Option<&str>) -> Vec<u8> {
    let ran = bake(place, level, "fresh.nav", cache).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    fs::read(place.path("fresh.nav")).unwrap()
}

/// What a bake with faults left is whole, and its exit code is right.
fn check(output: &Output, before: &[u8], after: &[u8], left: &[u8]) {
    let text = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => assert!(left == after, "success, and another file\n{text}"),
        Some(4) => {
            assert!(left == before || left == after, "{text}");
            assert!(text.contains("cannot"), "{text}");
        }
        // Killed: before or after the rename.
        None => assert!(left == before || left == after, "{}", output.status),
        Some(code) => panic!("exit code {code}\n{text}"),
    }
}

#[cfg(target_os = "linux")]
#[test]
fn bakes_that_share_a_cache_while_calls_fail_leave_whole_files() {
    let place = Place::new();
    let Some(shim) = shim(&place) else {
        return;
    };
    let runs = std::env::var("NAVBAKE_FAULTS_RUNS").ok();
    let runs: u64 = runs.map_or(120, |n| n.parse().expect("NAVBAKE_FAULTS_RUNS is a number"));
    place.write("yard.obj", YARD);
    place.write("world.toml", WORLD);
    place.write("floor.obj", "v 0 0 0\nv 0 0 9\nv 9 0 9\nf 1 2 3\n");
    let before = fresh(&place, "floor.obj", None);
    let after = LEVELS.map(|level| fresh(&place, level, None));
    let faults = place.path("count");
    let codes = [const { AtomicU64::new(0) }; 3];
    std::thread::scope(|scope| {
        for process in 0..PROCESSES {
            let (place, shim, faults, before) = (&place, &shim, &faults, &before);
            let (after, codes) = (&after, &codes);
            scope.spawn(move || {
                let name = format!("out-{process}/level.nav");
                let file = place.path(&name);
                fs::create_dir(file.parent().unwrap()).unwrap();
                for run in (process..runs).step_by(PROCESSES as usize) {
                    let level = run as usize / 7 % LEVELS.len();
                    fs::write(&file, before).unwrap();
                    let rate = RATES[run as usize / 4 % RATES.len()];
                    // Now and then the cache is begun anew: else nothing would be written to it.
                    let cache = format!("cache-{}", run / 64);
                    let output = bake(place, LEVELS[level], &name, Some(&cache))
                        .env("LD_PRELOAD", shim)
                        .env("NAVBAKE_FAULTS", format!("{run}:{rate}"))
                        .env("NAVBAKE_FAULTS_COUNT", faults)
                        .output()
                        .unwrap();
                    check(&output, before, &after[level], &fs::read(&file).unwrap());
                    let code = match output.status.code() {
                        Some(0) => 0,
                        Some(_) => 1,
                        None => 2,
                    };
                    codes[code].fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    // What the caches hold is right, and the folders are tidy after one more bake.
    for cache in 0..runs.div_ceil(64) {
        let cache = format!("cache-{cache}");
        for (level, after) in LEVELS.iter().zip(&after) {
            assert!(fresh(&place, level, Some(&cache)) == *after, "{cache}: a wrong entry");
        }
        let names = fs::read_dir(place.path(&cache)).unwrap().map(|entry| entry.unwrap());
        let is_left = |name: &str| name.ends_with(".tmp");
        assert!(!names.into_iter().any(|e| is_left(e.file_name().to_str().unwrap())), "{cache}");
    }
    let faults = fs::metadata(&faults).map_or(0, |data| data.len());
    let [good, failed, killed] = codes.map(AtomicU64::into_inner);
    println!("{faults} faults in {runs} bakes: {good} succeeded, {failed} failed, {killed} killed");
    assert!(faults >= runs / 2 && good > 0 && failed > 0 && killed > 0);
}
