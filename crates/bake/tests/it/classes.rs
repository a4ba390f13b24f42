//! Agents of several sizes in one bake: they share work and tiles, and nothing of it shows but in
//! the time it takes.

use crate::scenes::{boxes, bridge, storeys};
use navbake_bake::config::Budget;
use navbake_bake::{BakeInput, Baked, Cache, Config, Options, bake};
use navbake_format::Blob;
use navbake_level::Source;
use navbake_testkit::data::data;

/// A config with agents of these radii and heights.
fn config(more: &str, agents: &[(f64, f64)]) -> Config {
    let mut text = String::from(more);
    for (radius, height) in agents {
        text += &format!(
            "[[agent]]\nname = \"r{radius}h{height}\"\nradius = {radius}\nheight = {height}\nslope = 46\n"
        );
    }
    // Navmeshes are compared, in bytes, too: without tables.
    let mut config = Config::parse(&text).unwrap();
    config.tables.budget = Budget::None.into();
    config
}

fn options<'a>(threads: usize, cache: Option<&'a Cache>) -> Options<'a> {
    Options { threads, cache, ..Options::default() }
}

/// All sections of a class: their kinds and their bytes.
fn sections(baked: &Baked, class: u16) -> Vec<(u16, Vec<u8>)> {
    let blob = Blob::open(&baked.bytes).unwrap();
    // Warnings about the level apply to all agents.
    let of_class =
        |s: &navbake_format::SectionInfo| s.class == class && (0x100..0x500).contains(&s.section.0);
    let all = blob.sections().filter(of_class);
    all.map(|s| {
        let (_, bytes) = blob.section(s.section, class).unwrap();
        (s.section.0, bytes.to_vec())
    })
    .collect()
}

/// Asserts that agents baked together have what each has alone. All radii but those that are said
/// are to need the same grid.
fn assert_alone(name: &str, agents: &[(f64, f64)], make: impl Fn(&[(f64, f64)]) -> Baked) {
    let together = make(agents);
    for (class, agent) in (0..).zip(agents) {
        let alone = make(&[*agent]);
        let [alone, here] = [sections(&alone, 0), sections(&together, class)];
        assert!(alone.len() > 5, "{name}: {} sections", alone.len());
        assert!(alone == here, "{name}: agent {agent:?}");
    }
}

/// Their grid is one of 1/1024 m, whichever of them is the smallest. Two heights, so that not all
/// share.
const AGENTS: [(f64, f64); 4] = [(0.9, 2.0), (0.6, 2.0), (0.75, 1.9), (0.75, 2.0)];

#[test]
fn agents_baked_together_have_the_navmeshes_of_each_alone() {
    for (name, scene) in [("boxes", boxes()), ("storeys", storeys()), ("bridge", bridge())] {
        assert_alone(name, &AGENTS, |agents| {
            let config = config("min_region = 0.5\n", agents);
            bake(scene.clone().source(), &config, &options(2, None)).unwrap()
        });
    }
}

#[test]
fn tiles_of_one_bake_serve_another_with_more_agents() {
    let config_of = |agents: &[(f64, f64)]| config("min_region = 0.5\n", agents);
    let baked = |agents: &[(f64, f64)], threads, cache: Option<&Cache>| {
        let options = options(threads, cache);
        bake(storeys().source(), &config_of(agents), &options).unwrap()
    };
    let plain = baked(&AGENTS, 1, None);
    for first in AGENTS {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        let one = baked(&[first], 2, Some(&cache)).summary.tiles;
        assert!(one.baked > 0 && one.cached == 0);
        // Some classes of a tile from the cache, the others baked.
        let mixed = baked(&AGENTS, 2, Some(&cache));
        assert!(mixed.bytes == plain.bytes, "{first:?}");
        assert_eq!(mixed.summary.tiles.cached, one.baked);
        let warm = baked(&AGENTS, 1, Some(&cache));
        assert!(warm.bytes == plain.bytes, "{first:?}");
        assert_eq!(warm.summary.tiles.baked, 0);
    }
}

/// Levels of games, with the settings that their manifest names.
const LEVELS: [(&str, &str); 4] = [
    ("recast_nav_test.obj", ""),
    ("recast_dungeon.obj", ""),
    ("sauerbraten_pandora.obj", "scale = 0.05\n"),
    ("tesseract_steelribs.obj", "scale = 0.05\n"),
];

fn source(path: &std::path::Path, scale: f64) -> Source {
    let options = navbake_import::ImportOptions { scale, ..Default::default() };
    navbake_import::read(path, &options).unwrap().source
}

#[test]
fn agents_baked_together_have_the_navmeshes_of_each_alone_on_real_levels() {
    let Some(data) = data("agents_baked_together_have_the_navmeshes_of_each_alone_on_real_levels")
    else {
        return;
    };
    for (name, more) in LEVELS {
        let scale = config(more, &[(0.6, 2.0)]).scale;
        let source = source(&data.join("meshes").join(name), scale);
        assert_alone(name, &AGENTS, |agents| {
            bake(source.clone(), &config(more, agents), &options(2, None)).unwrap()
        });
    }
}

#[test]
fn three_sizes_take_no_more_bytes_than_three_files_and_the_smallest_is_as_if_alone() {
    let Some(data) =
        data("three_sizes_take_no_more_bytes_than_three_files_and_the_smallest_is_as_if_alone")
    else {
        return;
    };
    for (name, more) in LEVELS {
        let path = data.join("meshes").join(name);
        let bake = |radii: &[f64], threads| {
            let agents: Vec<(f64, f64)> = radii.iter().map(|&r| (r, 2.0)).collect();
            let job = BakeInput::open(&path, &config(more, &agents)).unwrap();
            job.bake(&options(threads, None)).unwrap()
        };
        // The grid of the smallest is twice as fine as the others need.
        let radii = [0.3, 0.6, 0.9];
        let together = bake(&radii, 2);
        assert!(together.bytes == bake(&radii, 1).bytes, "{name}: threads");
        let alone = radii.map(|r| bake(&[r], 2));
        let sum: usize = alone.iter().map(|b| b.bytes.len()).sum();
        let bytes = together.bytes.len();
        assert!(bytes <= sum, "{name}: {bytes} bytes, and {sum} alone");
        assert!(sections(&alone[0], 0) == sections(&together, 0), "{name}");
    }
}
