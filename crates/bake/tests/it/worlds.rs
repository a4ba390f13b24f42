//! Worlds: the navmesh is that of all placements as one level, however it is read.

use std::fs;
use std::path::{Path, PathBuf};

use navbake_bake::{BakeInput, Baked, Cache, Config, Options, bake_file};
use navbake_format::{Blob, SectionInfo};

/// A folder with a world of courtyards and buildings.
pub(crate) fn world(places: usize) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = navbake_testkit::data::world(folder.path(), places);
    (folder, path)
}

fn in_chunks(path: &Path, config: &Config, chunk: f64, cache: Option<&Cache>) -> Baked {
    let input = BakeInput::open_to_bake(path, config).unwrap();
    assert!(input.level().triangles.is_empty());
    input.bake(&Options { chunk: Some(chunk), cache, ..Options::default() }).unwrap()
}

/// Everything but the header with its hashes, and what was noticed about triangles.
fn sections(baked: &Baked) -> Vec<(SectionInfo, Vec<u8>)> {
    let blob = Blob::open(&baked.bytes).unwrap();
    blob.validate().unwrap();
    let bytes = |s: SectionInfo| {
        let from = s.offset as usize;
        let own = baked.bytes[from..from + s.len() as usize].to_vec();
        (s, own)
    };
    blob.sections().map(bytes).collect()
}

#[test]
fn a_world_in_chunks_is_the_same_navmesh_as_one_level() {
    let (_folder, path) = world(15);
    for text in [
        "cell = 0.06\nfindings = false\n",
        "findings = false\nrooms.enabled = true\n[[agent]]\nradius = 0.4\n[[agent]]\nname = \"wide\"\nradius = 0.9\n",
        "findings = false\n[[area]]\nname = \"mud\"\n[[rule]]\nnode = \"p3/*\"\narea = \"mud\"\n[[volume]]\narea = \"mud\"\nbox = [[5, -9, 5], [33, 9, 31]]\n[weights.units]\ndefault = { mud = 3.0 }\n[clearance]\nrange = 2.0\npeak = 3.0\n",
    ] {
        let config = Config::parse(text).unwrap();
        let whole = bake_file(&path, &config, &Options::default()).unwrap();
        for chunk in [1.0, 40.0] {
            let baked = in_chunks(&path, &config, chunk, None);
            assert_eq!(sections(&baked), sections(&whole), "{chunk} {text}");
            assert!(baked.summary.polygons > 50);
        }
    }
}

#[test]
fn the_size_of_chunks_changes_no_byte_and_shares_the_cache() {
    let (folder, path) = world(10);
    let config = Config::parse("cell = 0.06\n").unwrap();
    let cache = Cache::open(&folder.path().join("cache")).unwrap();
    let first = in_chunks(&path, &config, 15.0, Some(&cache));
    assert!(first.summary.tiles.baked > 4);
    let again = in_chunks(&path, &config, 300.0, Some(&cache));
    assert_eq!(again.summary.tiles.baked, 0);
    assert_eq!(first.bytes, again.bytes);
}

#[test]
fn a_placement_that_moves_bakes_only_the_tiles_around_it() {
    let (folder, path) = world(15);
    let config = Config::parse("cell = 0.06\n").unwrap();
    let cache = Cache::open(&folder.path().join("cache")).unwrap();
    let before = in_chunks(&path, &config, 40.0, Some(&cache)).summary.tiles;
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("translate = [0, 0, 0]", "translate = [-1, 0, 0]", 1)).unwrap();
    let after = in_chunks(&path, &config, 40.0, Some(&cache));
    assert!(after.summary.tiles.baked > 0 && after.summary.tiles.baked < before.baked / 2);
    assert_eq!(after.bytes, in_chunks(&path, &config, 40.0, None).bytes);
}

#[test]
fn what_needs_the_whole_level_reads_the_world_as_one_and_warns() {
    let (_folder, path) = world(3);
    let config = Config::parse("[[agent]]\ndrop = 2.0\n").unwrap();
    let input = BakeInput::open_to_bake(&path, &config).unwrap();
    assert!(!input.level().triangles.is_empty());
    assert!(input.warnings().iter().any(|w| w.code == "world-as-one-level"));
}

#[test]
fn a_world_with_nothing_left_is_refused_with_its_reason() {
    let (_folder, path) = world(2);
    let config = Config::parse("[[rule]]\nnode = \"*\"\nrole = \"ignored\"\n").unwrap();
    let error = BakeInput::open_to_bake(&path, &config).unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert!(error.to_string().contains("ignored by rules"), "{error}");
    let allowed = Config { allow_empty: true, ..config };
    let input = BakeInput::open_to_bake(&path, &allowed).unwrap();
    assert!(input.warnings().iter().any(|w| w.code == "empty-level"));
    assert_eq!(input.bake(&Options::default()).unwrap().summary.polygons, 0);
    let far = Config::parse("origin = [1e7, 0, 0]\n").unwrap();
    let error = BakeInput::open_to_bake(&path, &far).unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert!(error.to_string().contains("origin"), "{error}");
}

#[test]
fn triangles_that_are_left_out_of_a_world_are_warned_of() {
    let (_folder, path) = world(2);
    let file = path.with_file_name("courtyard.obj");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text + "\nf 1 1 2\n").unwrap();
    let config = Config::default();
    let whole = bake_file(&path, &config, &Options::default()).unwrap();
    let chunked = BakeInput::open_to_bake(&path, &config).unwrap();
    let chunked = chunked.bake(&Options::default()).unwrap();
    let codes = |baked: &Baked| -> Vec<String> {
        baked.summary.warnings.iter().map(|w| w.code.clone()).collect()
    };
    for code in codes(&whole).iter().filter(|code| code.ends_with("triangles")) {
        assert!(codes(&chunked).contains(code), "{code}");
    }
    assert!(codes(&whole).iter().any(|code| code.contains("degenerate")));
}

/// How often triangles of a chunk were read.
fn chunks_read(baked: &Baked) -> u32 {
    let stages = &baked.timings.stages;
    stages.iter().filter(|s| s.stage == "chunk").map(|s| s.runs).sum()
}

#[test]
fn chunks_whose_placements_did_not_change_are_not_read_again() {
    let (folder, path) = world(15);
    let config = Config::parse("cell = 0.06\n").unwrap();
    let cache = Cache::open(&folder.path().join("cache")).unwrap();
    let bake = || in_chunks(&path, &config, 15.0, Some(&cache));
    let first = bake();
    assert!(chunks_read(&first) > 10);
    let again = bake();
    assert_eq!((chunks_read(&again), again.summary.tiles.baked), (0, 0));
    assert_eq!(again.summary.tiles.total, first.summary.tiles.total);
    assert_eq!(again.summary.warnings, first.summary.warnings);
    assert_eq!(again.bytes, first.bytes);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("translate = [0, 0, 0]", "translate = [-1, 0, 0]", 1)).unwrap();
    let moved = bake();
    assert!(chunks_read(&moved) > 0 && chunks_read(&moved) < chunks_read(&first) / 2);
    assert_eq!(moved.bytes, in_chunks(&path, &config, 15.0, None).bytes);
}

/// A change to the text of a world.
type Edit<'e> = &'e dyn Fn(&str) -> String;

#[test]
fn a_cache_gives_the_bytes_of_a_bake_without_it_after_any_edit() {
    let (folder, path) = world(8);
    let cache = Cache::open(&folder.path().join("cache")).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let plain = "findings = false\ncell = 0.06\n";
    let mud = "[[rule]]\nnode = \"p3/*\"\narea = \"mud\"\n[[area]]\nname = \"mud\"\n";
    let same = |world: &str| world.to_owned();
    let edits: [(&str, Edit); 9] = [
        ("", &same),
        ("", &|world| world.replacen("rotate = 37", "rotate = 38", 1)),
        ("", &|world| world.replacen("scale = 1.1", "scale = 1.2", 1)),
        ("", &|world| world.replacen("name = \"p2\"", "name = \"p9\"", 1)),
        ("", &|world| format!("{world}[[place]]\nfile = \"courtyard.obj\"\nname = \"more\"\n")),
        (mud, &same),
        (mud, &|world| world.replacen("name = \"p3\"", "name = \"p9\"", 1)),
        ("[[rule]]\nnode = \"p1/*\"\nrole = \"obstacle\"\n", &same),
        ("[[agent]]\nradius = 0.5\n[[agent]]\nname = \"wide\"\nradius = 0.9\n", &same),
    ];
    for (config, edit) in edits {
        fs::write(&path, edit(&text)).unwrap();
        let config = Config::parse(&format!("{plain}{config}")).unwrap();
        let kept = in_chunks(&path, &config, 25.0, Some(&cache));
        assert!(kept.bytes == in_chunks(&path, &config, 25.0, None).bytes, "{config:?}");
    }
}

#[test]
fn a_list_of_tiles_that_is_damaged_is_made_again() {
    let (folder, path) = world(6);
    let config = Config::parse("cell = 0.06\n").unwrap();
    let shelf = folder.path().join("cache");
    let cache = Cache::open(&shelf).unwrap();
    let bake = || in_chunks(&path, &config, 300.0, Some(&cache));
    let first = bake();
    let files = |folder: &Path| -> Vec<PathBuf> {
        let all = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        all.collect()
    };
    let entries: Vec<PathBuf> = files(&shelf).iter().flat_map(|shelf| files(shelf)).collect();
    assert!(entries.len() as u64 > first.summary.tiles.total, "tiles, and a list");
    for entry in &entries {
        let whole = fs::read(entry).unwrap();
        fs::write(entry, &whole[..whole.len() - 1]).unwrap();
        assert!(bake().bytes == first.bytes);
        assert!(fs::read(entry).unwrap() == whole, "the entry is whole again");
    }
}
