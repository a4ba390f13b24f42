//! Pieces that stand in a level more than once: what is known of them changes nothing but the work.

use navbake_testkit::data;
use std::path::Path;

use navbake_bake::{BakeInput, Baked, Config, Options};

fn baked(path: &Path, config: &Config, threads: usize, without_reuse: bool) -> Baked {
    let options = Options {
        threads,
        without_reuse,
        ..Options::default()
    };
    BakeInput::open(path, config)
        .unwrap()
        .bake(&options)
        .unwrap()
}

fn spiral() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/spiral/spiral.glb")
}

fn config() -> Config {
    Config::parse("agent = [{ radius = 0.4, height = 1.8, climb = 0.6 }]").unwrap()
}

#[test]
fn a_spiral_stair_of_forty_quarter_turns_is_one_piece() {
    let (with, without) = (
        baked(&spiral(), &config(), 1, false),
        baked(&spiral(), &config(), 1, true),
    );
    assert!(with.bytes == without.bytes);
    let reuse = with.summary.reuse;
    assert_eq!((reuse.pieces, reuse.places, reuse.reused), (1, 40, 40));
    // Forty times the lines, looked at once.
    assert!(
        reuse.looked_at > 0 && reuse.lines > 20 * reuse.looked_at,
        "{reuse:?}"
    );
    assert!(
        reuse.known > 5 * reuse.looked_at && reuse.saved > 0.1,
        "{reuse:?}"
    );
    let nothing = without.summary.reuse;
    assert_eq!((nothing.lines, nothing.known, nothing.looked_at), (0, 0, 0));
    assert_eq!(nothing.saved, 0.0);
}

#[test]
fn threads_change_neither_the_bytes_nor_what_was_reused() {
    let (one, four) = (
        baked(&spiral(), &config(), 1, false),
        baked(&spiral(), &config(), 4, false),
    );
    assert!(one.bytes == four.bytes);
    assert_eq!(one.summary.reuse, four.summary.reuse);
}

#[test]
fn a_dungeon_of_pieces_has_the_same_bytes_without_reuse() {
    let Some(data) = data::data("a_dungeon_of_pieces_has_the_same_bytes_without_reuse") else {
        return;
    };
    let path = data.join("meshes/kaykit_dungeon_instanced.glb");
    let (with, without) = (
        baked(&path, &config(), 2, false),
        baked(&path, &config(), 2, true),
    );
    assert!(with.bytes == without.bytes);
    let reuse = with.summary.reuse;
    assert_eq!((reuse.pieces, reuse.places), (15, 1161));
    // Of what pieces hide themselves at least four fifths need not be looked at.
    assert!(
        reuse.reused > 1000 && reuse.known > 30_000 && 5 * reuse.looked_at < reuse.known,
        "{reuse:?}"
    );
}
