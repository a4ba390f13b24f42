//! Asks 100,000 reachability questions per level, agent and row of weights, on fixtures and on real
//! levels. Real levels are optional: they are read from the folder that NAVBAKE_DATA names or in
//! `shared/data` beside the tree.

use std::path::{Path, PathBuf};

use navbake_ask::{reach, relink};
use navbake_bake::{Config, Options, bake_file};
use navbake_format::Blob;

const PAIRS: u64 = 100_000;

/// Asks for all agents of a blob; none must be left without a table where `known` says so, but from
/// forbidden ground to forbidden ground.
fn ask(bytes: &[u8], name: &str, known: bool) {
    let blob = Blob::open_checked(bytes).unwrap();
    for (number, agent) in (0..).zip(blob.agents()) {
        let conclusive = reach(&blob, number, PAIRS, 11).unwrap();
        assert_eq!(conclusive.faults, [], "{name}, {}", agent.name);
        let answered = conclusive.known + conclusive.searched;
        assert!(conclusive.asked >= PAIRS && (!known || answered == conclusive.asked));
        assert!(conclusive.yes > 0, "{name}, {}", agent.name);
    }
}

fn bake(level: &Path, config: &Config) -> Vec<u8> {
    bake_file(level, config, &Options::default()).unwrap().bytes
}

#[test]
fn fixtures_know_who_comes_where() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    for (level, config) in [
        ("battlefield/battlefield.txt", "battlefield/bake.toml"),
        ("crossing/crossing.glb", "crossing/bake.toml"),
        ("mall/mall.obj", "mall/bake.toml"),
        ("office/office.obj", "office/bake.toml"),
        ("tower/tower.obj", "tower/bake.toml"),
        ("tunnels/tunnel.map", "tunnels/tunnel.toml"),
        ("tunnels/chain.map", "tunnels/chain.toml"),
    ] {
        let config = Config::load(&root.join(config)).unwrap();
        ask(&bake(&root.join(level), &config), level, true);
    }
}

#[test]
fn real_levels_cut_to_pieces_and_joined_by_links_know_who_comes_where() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("NAVBAKE_DATA").map_or(beside, PathBuf::from);
    for (level, config) in [
        ("recast_nav_test.obj", ""),
        ("recast_dungeon.obj", ""),
        ("navcat_bridges.glb", "[[agent]]\nradius = 0.3"),
    ] {
        let path = data.join("meshes").join(level);
        if !path.is_file() {
            eprintln!("skipped, there is no {}", path.display());
            continue;
        }
        let baked = bake(&path, &Config::parse(config).unwrap());
        ask(&baked, level, true);
        let blob = Blob::open_checked(&baked).unwrap();
        for links in [0, 20, 200] {
            let bytes = relink(&blob, links, 3).unwrap();
            ask(&bytes, level, true);
        }
    }
}
