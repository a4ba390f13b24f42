//! A tile whose content did not change is not baked again, and the bytes are those of a bake
//! without a cache.

use std::fs;
use std::path::{Path, PathBuf};

use crate::scenes::{Builder, boxes, bridge, map, storeys};
use navbake_bake::{Baked, Cache, Config, Options, bake, bake_file};
use navbake_level::Source;
use navbake_testkit::data::data;
use proptest::prelude::*;

/// Tiles of 12.8 m.
const FINE: &str = "cell = 0.05\nmin_region = 0.5\n";

fn with(source: Source, config: &str, cache: Option<&Cache>, threads: usize) -> Baked {
    let options = Options { threads, cache, ..Options::default() };
    bake(source, &Config::parse(config).unwrap(), &options).unwrap()
}

fn plain(source: Source, config: &str) -> Baked {
    with(source, config, None, 2)
}

fn counts(baked: &Baked) -> (u64, u64) {
    let tiles = baked.summary.tiles;
    assert_eq!(tiles.total, tiles.baked + tiles.cached);
    (tiles.baked, tiles.cached)
}

fn entry_warnings(baked: &Baked) -> Vec<&navbake_bake::Note> {
    let warnings = &baked.summary.warnings;
    warnings.iter().filter(|w| w.code == "cache-entry").collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .flat_map(|shelf| fs::read_dir(shelf.unwrap().path()).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

/// A small cell.
const EXACT: &str = "cell = 0.05\nmin_region = 0.5\n";

/// A plain of 100 m with a box every 10 m; one of them elsewhere by `moved`.
pub(crate) fn plain_of_boxes(moved: [f64; 2]) -> Builder {
    let mut level = Builder::new().solid([0.0, -1.0, 0.0], [100.0, 0.0, 100.0]);
    for i in 0..100 {
        let (mut x, mut z) = (f64::from(i % 10) * 10.0 + 4.0, f64::from(i / 10) * 10.0 + 3.0);
        if i == 44 {
            x += moved[0];
            z += moved[1];
        }
        level = level.solid([x, 0.0, z], [x + 2.0, 1.5, z + 1.0]);
    }
    level
}

#[test]
fn cold_warm_and_no_cache_give_the_same_bytes_for_any_number_of_threads() {
    for (name, scene) in [("boxes", boxes()), ("storeys", storeys()), ("bridge", bridge())] {
        for (config, threads) in [(FINE, 1), (FINE, 2), (FINE, 4), (EXACT, 1), (EXACT, 2)] {
            let expected = plain(scene.clone().source(), config);
            let (total, none) = counts(&expected);
            assert_eq!(none, 0, "{name}: without a cache");
            let folder = tempfile::tempdir().unwrap();
            let cache = Cache::open(folder.path()).unwrap();
            let cold = with(scene.clone().source(), config, Some(&cache), threads);
            assert_eq!(counts(&cold), (total, 0), "{name}, {threads}");
            // The order of the triangles changes no key.
            let warm = with(scene.clone().shuffled(7), config, Some(&cache), threads);
            assert_eq!(counts(&warm), (0, total), "{name}, {threads}");
            for baked in [&cold, &warm] {
                assert!(baked.bytes == expected.bytes, "{name}, {threads}");
                assert_eq!(baked.summary.warnings, expected.summary.warnings);
            }
        }
    }
}

#[test]
fn moving_one_box_bakes_the_tiles_around_it_only() {
    for config in [FINE, EXACT] {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        let before = with(plain_of_boxes([0.0; 2]).source(), config, Some(&cache), 2);
        let (total, _) = counts(&before);
        assert!(total >= 64, "{total} tiles");
        let full = plain(plain_of_boxes([0.7, -0.4]).source(), config);
        assert!(full.bytes != before.bytes);
        let after = with(plain_of_boxes([0.7, -0.4]).source(), config, Some(&cache), 2);
        let (baked, cached) = counts(&after);
        assert!((1..=9).contains(&baked), "{baked} baked, {cached} cached");
        assert!(after.bytes == full.bytes);
        // And back: both are known.
        let back = with(plain_of_boxes([0.0; 2]).source(), config, Some(&cache), 2);
        assert_eq!(counts(&back), (0, total));
        assert!(back.bytes == before.bytes);
    }
}

#[test]
fn what_lies_far_away_and_what_it_is_called_change_no_tile() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path()).unwrap();
    let near = |name: &str| Builder::new().part(name).solid([0.0, -1.0, 0.0], [30.0, 0.0, 30.0]);
    let first = with(near("m").source(), FINE, Some(&cache), 2);
    let (total, _) = counts(&first);
    // Before and after it in every order: vertices, triangles and parts have other numbers.
    let more = near("m")
        .part("a")
        .solid([-100.0, -1.0, 0.0], [-90.0, 0.0, 10.0])
        .part("z")
        .solid([60.0, 5.0, 60.0], [70.0, 6.0, 70.0])
        .marker("flag", [5.0, 0.0, 5.0]);
    let far = with(more.clone().source(), FINE, Some(&cache), 2);
    assert_eq!(counts(&far).1, total);
    assert!(far.bytes == plain(more.source(), FINE).bytes);
    let renamed = with(near("b").source(), FINE, Some(&cache), 2);
    assert_eq!(counts(&renamed), (0, total));
    assert!(renamed.bytes == plain(near("b").source(), FINE).bytes);
}

#[test]
fn what_decides_a_tile_makes_it_another_and_what_does_not_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path()).unwrap();
    let config = |agent: &str, rest: &str| format!("cell = 0.1\n{rest}\n[[agent]]\n{agent}");
    let first = with(storeys().source(), &config("", ""), Some(&cache), 2);
    let (total, _) = counts(&first);
    for (agent, rest) in [
        ("radius = 0.5", ""),
        ("radius = 0.601", ""),
        ("height = 1.9", ""),
        ("climb = 0.8", ""),
        ("slope = 50", ""),
        ("", "height_error = 0.05"),
        ("", "border_error = 0.2"),
        ("", "winding = \"both\""),
        ("", "origin = [1, 0, 0]"),
        ("", "[[rule]]\nnode = \"upper\"\nrole = \"obstacle\""),
    ] {
        let text = config(agent, rest);
        let baked = with(storeys().source(), &text, Some(&cache), 2);
        assert!(baked.summary.tiles.baked > 0, "{text}");
        assert!(baked.bytes == plain(storeys().source(), &text).bytes, "{text}");
        let warm = with(storeys().source(), &text, Some(&cache), 2);
        assert_eq!(warm.summary.tiles.baked, 0, "{text}");
        assert!(warm.bytes == baked.bytes, "{text}");
    }
    let finer = "cell = 0.035";
    assert!(with(storeys().source(), finer, Some(&cache), 2).summary.tiles.baked > 0);
    for (agent, rest) in [
        ("name = \"other\"", ""),
        ("", "min_region = 7"),
        ("", "seeds = [[2, 0, 2]]"),
        ("", "allow_empty = true"),
    ] {
        let text = config(agent, rest);
        let baked = with(storeys().source(), &text, Some(&cache), 2);
        assert_eq!(counts(&baked), (0, total), "{text}");
        assert!(baked.bytes == plain(storeys().source(), &text).bytes, "{text}");
    }
}

#[test]
fn damaged_entries_are_baked_again_reported_in_one_warning_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path()).unwrap();
    let first = with(bridge().source(), FINE, Some(&cache), 2);
    let (total, _) = counts(&first);
    let entries = files(folder.path());
    assert_eq!(entries.len() as u64, total);
    let whole: Vec<Vec<u8>> = entries.iter().map(|path| fs::read(path).unwrap()).collect();
    // Cut short, a flipped byte, something else, another tile's.
    fs::write(&entries[0], &whole[0][..whole[0].len() - 1]).unwrap();
    let mut flipped = whole[1].clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    fs::write(&entries[1], flipped).unwrap();
    fs::write(&entries[2], "what is this?").unwrap();
    fs::write(&entries[3], &whole[0]).unwrap();

    let mended = with(bridge().source(), FINE, Some(&cache), 2);
    assert_eq!(counts(&mended), (4, total - 4));
    assert!(mended.bytes == first.bytes);
    let [warning] = entry_warnings(&mended)[..] else { panic!("{:?}", mended.summary.warnings) };
    assert!(warning.message.contains("4 entries of the cache"), "{warning:?}");
    let path_named = Path::new(&warning.source);
    assert!(entries[..4].iter().any(|path| path == path_named), "{warning:?}");

    let warm = with(bridge().source(), FINE, Some(&cache), 2);
    assert_eq!(counts(&warm), (0, total));
    assert!(entry_warnings(&warm).is_empty());
    for (path, bytes) in entries.iter().zip(&whole) {
        assert!(&fs::read(path).unwrap() == bytes, "{path:?}");
    }
    assert_eq!(files(folder.path()), entries, "nothing lies beside them");
}

#[test]
fn bakes_may_share_a_cache_at_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let expected = plain(bridge().source(), FINE);
    std::thread::scope(|scope| {
        let bakes: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let cache = Cache::open(folder.path()).unwrap();
                    with(bridge().source(), FINE, Some(&cache), 2)
                })
            })
            .collect();
        for bake in bakes {
            let baked = bake.join().unwrap();
            assert!(baked.bytes == expected.bytes);
            assert!(entry_warnings(&baked).is_empty());
        }
    });
    assert_eq!(files(folder.path()).len() as u64, expected.summary.tiles.total);
}

#[test]
fn each_class_of_agents_has_its_own_tiles() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path()).unwrap();
    let one = "cell = 0.035\n[[agent]]\nname = \"a\"\nradius = 0.3\n";
    let two = format!("{one}[[agent]]\nname = \"b\"\nradius = 0.9\n");
    let (first, _) = counts(&with(boxes().source(), one, Some(&cache), 2));
    let both = with(boxes().source(), &two, Some(&cache), 2);
    assert_eq!(counts(&both).1, first);
    assert!(both.bytes == plain(boxes().source(), &two).bytes);
}

#[test]
fn grid_maps_and_designers_floors_are_baked_without_the_cache() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path()).unwrap();
    for _ in 0..2 {
        let grid = with(map(&["..#", "..."]), "", Some(&cache), 2);
        assert_eq!(counts(&grid), (1, 0));
        let floor = with(boxes().source(), "surface = \"floor\"", Some(&cache), 2);
        assert_eq!(counts(&floor), (1, 0));
    }
    assert!(files(folder.path()).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The oracle of the keys: after any change, a bake with the cache is a bake without it.
    #[test]
    fn a_cache_never_gives_what_a_full_bake_would_not(
        edits in proptest::collection::vec((0..6usize, 0..240i32, 0..240i32, 0..20i32, 1..30i32), 1..4),
        exact in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        let config = if exact { EXACT } else { FINE };
        let mut places = [[20, 20, 0, 15], [60, 90, 0, 15], [120, 40, 5, 10], [130, 130, 0, 10], [200, 60, 12, 3], [220, 220, 0, 25]];
        let level = |places: &[[i32; 4]]| {
            let mut level = Builder::new().solid([0.0, -1.0, 0.0], [26.0, 0.0, 26.0]);
            for &[x, z, y, h] in places {
                let [x, z, y, h] = [x, z, y, h].map(|v| f64::from(v) / 10.0);
                level = level.solid([x, y, z], [x + 2.0, y + h, z + 3.0]);
            }
            level.source()
        };
        with(level(&places), config, Some(&cache), 2);
        for (i, x, z, y, h) in edits {
            places[i] = [x, z, y, h];
            let cached = with(level(&places), config, Some(&cache), 2);
            prop_assert!(cached.bytes == plain(level(&places), config).bytes);
        }
    }
}

#[test]
fn real_levels_are_the_same_cold_warm_and_without_a_cache() {
    let Some(data) = data("real_levels_are_the_same_cold_warm_and_without_a_cache") else {
        return;
    };
    for (name, config) in [
        ("recast_nav_test.obj", ""),
        ("recast_dungeon.obj", ""),
        ("recast_dungeon.obj", "[[agent]]\nradius = 0"),
        ("recast_undulating.obj", ""),
        ("navcat_bridges.glb", "[[agent]]\nradius = 0.3"),
        (
            "tesseract_steelribs.obj",
            "scale = 0.05\n[[agent]]\nradius = 0.4\nheight = 1.8\nclimb = 0.8",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        let path = data.join("meshes").join(name);
        let config = Config::parse(config).unwrap();
        let run = |cache: Option<&Cache>, threads: usize| {
            let options = Options { threads, cache, ..Options::default() };
            bake_file(&path, &config, &options).unwrap()
        };
        let expected = run(None, 2);
        let cold = run(Some(&cache), 2);
        assert_eq!(counts(&cold), counts(&expected), "{name}");
        assert!(cold.bytes == expected.bytes, "{name}");
        for threads in [1, 2] {
            let warm = run(Some(&cache), threads);
            assert_eq!(counts(&warm), (0, expected.summary.tiles.total), "{name}");
            assert_eq!(warm.summary.warnings, expected.summary.warnings, "{name}");
            assert!(warm.bytes == expected.bytes, "{name}");
        }
    }
}
