//! Pages of a level that is saved again and again.

use std::fmt::Write;

use navbake_bake::{BakeInput, Cache, Config, EarlierInput, Options};
use navbake_format::Blob;
use navbake_report::{EarlierDrawing, LevelDrawing, Live, Meshes, Settings, check_decoded};

/// Hills of 160 m by 30 m with crates on them.
fn level(crates: &[[f64; 2]]) -> String {
    const COLUMNS: usize = 81;
    const ROWS: usize = 16;
    let mut text = String::from("o hills\n");
    for k in 0..COLUMNS * ROWS {
        let (x, z) = (2.0 * (k / ROWS) as f64 - 70.0, 2.0 * (k % ROWS) as f64);
        writeln!(text, "v {x} {} {z}", (x * 0.21).sin() + (z * 0.17).cos()).unwrap();
    }
    for k in (1..(COLUMNS - 1) * ROWS).filter(|k| k % ROWS != 0) {
        writeln!(text, "f {} {} {} {}", k, k + 1, k + ROWS + 1, k + ROWS).unwrap();
    }
    for [x, z] in crates {
        text.push_str("o crate\n");
        for [i, j, k] in [0, 1, 2, 3, 4, 5, 6, 7].map(|n| [n & 1, n >> 1 & 1, n >> 2]) {
            writeln!(text, "v {} {} {}", x + f64::from(i), 3 * j - 1, z + f64::from(k)).unwrap();
        }
        text.push_str("f -8 -4 -2 -6\nf -7 -5 -1 -3\nf -8 -7 -3 -4\nf -6 -2 -1 -5\n");
        text.push_str("f -6 -5 -7 -8\nf -2 -4 -3 -1\n");
    }
    text
}

#[test]
fn a_save_has_the_navmesh_and_the_page_of_a_level_that_is_opened_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.obj");
    let (mut input, cache, mut kept) =
        (EarlierInput::default(), Cache::in_memory(), EarlierDrawing::default());
    let (a, b, c) = ([-3.3, 4.0], [60.7, 20.2], [0.5, 10.0]);
    let moved = [-1.9, 4.0];
    // Added, moved, none, another config, removed, in the order of another file, and as at first.
    let saves: [(&[[f64; 2]], &str); 8] = [
        (&[a], ""),
        (&[a, b, c], ""),
        (&[moved, b, c], ""),
        (&[moved, b, c], ""),
        (&[moved, b, c], "[[rule]]\nnode = \"crate\"\nrole = \"ignored\""),
        (&[b], "bounds = [[-40.0, -10.0, 0.0], [70.0, 10.0, 25.0]]"),
        (&[c, b, a], "winding = \"both\""),
        (&[a], ""),
    ];
    for (crates, config) in saves {
        std::fs::write(&path, level(crates)).unwrap();
        let config = Config::parse(config).unwrap();
        let fresh = BakeInput::open_to_draw(&path, &config, None).unwrap();
        let again = BakeInput::open_to_draw(&path, &config, Some(&mut input)).unwrap();
        again.look_for_oddities(&mut input);
        let bake = |job: &BakeInput, cache| {
            job.bake(&Options { cache, ..Options::default() }).unwrap().bytes
        };
        let bytes = bake(&fresh, None);
        assert!(bake(&again, Some(&cache)) == bytes, "{crates:?}");
        let blob = Blob::open_checked(&bytes).unwrap();
        let meshes = Meshes::of(&blob);
        let report = check_decoded(blob, &meshes, &Settings::default());
        let page = |job, earlier: &mut EarlierDrawing| {
            let level = LevelDrawing::again(job, earlier);
            Live::new(blob, &meshes, "level.obj", Some(&level), earlier).page(&report, 1, None)
        };
        let shown = page(&again, &mut kept);
        assert!(shown == page(&fresh, &mut EarlierDrawing::default()), "{crates:?}");
    }
}
