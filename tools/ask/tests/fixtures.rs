//! Ten thousand questions of each kind on the project's own levels, baked.

use std::path::PathBuf;

use navbake_ask::{Fuzzer, KINDS};
use navbake_bake::{Config, Options, bake_file};
use navbake_format::Blob;

/// Asks every kind of a baked fixture.
fn ask(level: &str, config: Option<&str>, cheap: u32, paths: u32) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let config = config.map_or_else(Config::default, |c| Config::load(&root.join(c)).unwrap());
    let baked = bake_file(&root.join(level), &config, &Options::default()).unwrap();
    let blob = Blob::open_checked(&baked.bytes).unwrap();
    for agent in blob.agents() {
        let mut fuzzer =
            Fuzzer::new(blob.decode(agent.class).unwrap().leak(), agent.radius, 7).unwrap();
        for &(kind, searches, question) in KINDS {
            let count = if searches { paths } else { cheap };
            (0..count).for_each(|_| question(&mut fuzzer));
            assert_eq!(fuzzer.faults, [], "{kind} on {level}");
        }
        assert!(fuzzer.conclusive > u64::from(cheap), "{}", fuzzer.conclusive);
    }
}

#[test]
fn the_courtyard_answers_right() {
    ask("courtyard/courtyard.obj", None, 10_000, 10_000);
}

#[test]
fn the_gatehouse_answers_right() {
    ask("gatehouse/gatehouse.glb", None, 10_000, 10_000);
}

#[test]
fn the_cellar_answers_right() {
    ask("cellar/cellar.map", None, 10_000, 10_000);
}

#[test]
fn the_tile_grid_answers_right() {
    ask("grid10/grid10.txt", None, 10_000, 10_000);
}

#[test]
fn the_plan_answers_right() {
    ask("plan/plan.obj", Some("plan/bake.toml"), 10_000, 10_000);
}
