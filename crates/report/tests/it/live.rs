//! Pages of a level that is saved again and again.

use std::fmt::Write;

use navbake_bake::{BakeInput, Config, Options};
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
fn a_page_of_a_save_has_the_bytes_of_one_that_is_drawn_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.obj");
    let mut kept = EarlierDrawing::default();
    let (a, b, c) = ([-3.3, 4.0], [60.7, 20.2], [0.5, 10.0]);
    let moved = [-1.9, 4.0];
    // Added, moved, none, removed, in the order of another file, and as at first.
    for crates in [&[a][..], &[a, b, c], &[moved, b, c], &[moved, b, c], &[b], &[c, b, a], &[a]] {
        std::fs::write(&path, level(crates)).unwrap();
        let job = BakeInput::open_to_draw(&path, &Config::default(), None).unwrap();
        let baked = job.bake(&Options::default()).unwrap();
        let blob = Blob::open_checked(&baked.bytes).unwrap();
        let meshes = Meshes::of(&blob);
        let report = check_decoded(blob, &meshes, &Settings::default());
        let page = |earlier: &mut EarlierDrawing| {
            let level = LevelDrawing::again(&job, earlier);
            Live::new(blob, &meshes, "level.obj", Some(&level), earlier).page(&report, 1, None)
        };
        assert!(page(&mut kept) == page(&mut EarlierDrawing::default()), "{crates:?}");
    }
}
