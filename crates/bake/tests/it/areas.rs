//! Areas go through a bake: into the blob, the same however it is baked.

use std::collections::BTreeMap;

use crate::scenes::{Builder, map};
use navbake_bake::{Baked, Cache, Config, Options, bake};
use navbake_format::exact::orient;
use navbake_format::{Blob, CheckedBlob};
use navbake_level::{CellShape, GridMap, Source};
use navbake_search::NavQuery;

fn with(source: Source, config: &str, cache: Option<&Cache>, threads: usize) -> Baked {
    let options = Options { threads, cache, ..Options::default() };
    bake(source, &Config::parse(config).unwrap(), &options).unwrap()
}

fn blob(baked: &Baked) -> CheckedBlob<'_> {
    Blob::open_checked(&baked.bytes).unwrap()
}

/// Square metres by name of area, over all classes.
fn square_metres(blob: &CheckedBlob<'_>) -> BTreeMap<String, f64> {
    let names: Vec<&str> = blob.areas().map(|a| a.name).collect();
    let mut sums = BTreeMap::new();
    for nav in (0..blob.class_count()).filter_map(|c| blob.decode(c).ok()) {
        let mesh = nav.mesh();
        for p in mesh.polygons() {
            let name = names.get(mesh.area(p.id()).index()).copied();
            let mut doubled = 0;
            for k in 1..p.len() - 1 {
                doubled += orient(p.corner(0), p.corner(k), p.corner(k + 1));
            }
            *sums.entry(name.unwrap_or("").to_owned()).or_default() +=
                doubled as f64 / 2.0 / mesh.grid().units().powi(2);
        }
    }
    sums
}

/// A yard of 60 m with a road across it, a pond sunk in, and a bridge above.
fn yard() -> Builder {
    Builder::new()
        .part("yard")
        .solid([0.0, -1.0, 0.0], [60.0, 0.0, 60.0])
        .part("road")
        .quad([[0.0, 0.01, 21.0], [0.0, 0.01, 25.0], [60.0, 0.01, 38.0], [60.0, 0.01, 34.0]])
        .part("pond")
        .solid([6.3, -0.5, 40.2], [19.1, 0.2, 52.7])
        .part("bridge")
        .solid([30.0, 4.0, 2.0], [34.0, 4.5, 58.0])
}

const RULES: &str = r#"
min_region = 0.5
cell = 0.05

[[area]]
name = "road"
[[area]]
name = "water"
switch = "flood"

[[rule]]
node = "road"
area = "road"
[[rule]]
node = "pond"
area = "water"

[[agent]]
name = "walker"
[[agent]]
name = "cart"

[weights]
columns = ["ground", "road", "water"]
[weights.units]
walker = [1, 0.5, 4]
cart = [3, 1, "x"]
[weights.tasks.haste]
walker = [1, 0.25, 8]
"#;

#[test]
fn areas_weights_and_switches_are_in_the_blob() {
    let baked = with(yard().source(), RULES, None, 2);
    let blob = blob(&baked);
    let areas: Vec<_> = blob.areas().map(|a| (a.name, a.switch.is_some())).collect();
    assert_eq!(areas, [("ground", false), ("road", false), ("water", true)]);
    let row = |name: &str, agent: u16| -> Vec<f64> {
        blob.weights_for(name, agent).unwrap().weights().iter().collect()
    };
    assert_eq!(row("", 0), [1.0, 0.5, 4.0]);
    assert_eq!(row("", 1), [3.0, 1.0, f64::INFINITY]);
    assert_eq!(row("haste", 0), [1.0, 0.25, 8.0]);

    let sums = square_metres(&blob);
    let near = |name: &str, expected: f64| {
        let found = sums[name];
        assert!((found - expected).abs() < expected * 0.002, "{name}: {found} for {expected}");
    };
    // The road is as long as the yard without the radius; the pond's surface is within a step of
    // the ground around it.
    near("road", 58.8 * 4.0);
    near("water", 12.8 * 12.5);
    let plain = with(yard().source(), "min_region = 0.5\ncell = 0.05\n", None, 2);
    let (whole, without) = (baked.summary.area_m2, plain.summary.area_m2);
    assert!((whole / without - 1.0).abs() < 1e-4, "{without} m2, {whole} with areas");
    assert_eq!(baked.summary.islands, plain.summary.islands);
    // The switch closes every polygon of water.
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let water = mesh.polygons().filter(|p| mesh.area(p.id()).index() == 2).count();
    assert!(water > 0);
    assert_eq!(mesh.closures().len(), water);
}

#[test]
fn threads_order_and_cache_do_not_change_the_bytes() {
    let expected = with(yard().source(), RULES, None, 1).bytes;
    assert!(with(yard().source(), RULES, None, 3).bytes == expected);
    for seed in [3, 11] {
        assert!(with(yard().shuffled(seed), RULES, None, 2).bytes == expected);
    }
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path()).unwrap();
    let cold = with(yard().source(), RULES, Some(&cache), 2);
    assert!(cold.bytes == expected);
    let warm = with(yard().source(), RULES, Some(&cache), 2);
    assert!(warm.bytes == expected);
    assert_eq!(warm.summary.tiles.baked, 0);
    // Another area under the same triangles is another tile, where they are.
    let other =
        RULES.replace("node = \"pond\"\narea = \"water\"", "node = \"pond\"\narea = \"road\"");
    let moved = with(yard().source(), &other, Some(&cache), 2);
    assert!(moved.bytes == with(yard().source(), &other, None, 2).bytes);
    let tiles = moved.summary.tiles;
    assert!(0 < tiles.baked && tiles.baked < tiles.total, "{tiles:?}");
}

#[test]
fn a_level_without_areas_says_nothing_of_them() {
    let plain = "min_region = 0.5\ncell = 0.05\n";
    let bytes = with(yard().source(), plain, None, 2).bytes;
    let blob = Blob::open_checked(&bytes).unwrap();
    assert_eq!(blob.areas().len(), 0);
    assert!(blob.blob().sections().all(|s| s.section.name() != "polygon-areas"));
}

#[test]
fn a_designers_floor_keeps_the_areas_of_its_triangles() {
    let quad = |x: [f64; 2], z: [f64; 2]| {
        [[x[0], 0.0, z[0]], [x[0], 0.0, z[1]], [x[1], 0.0, z[1]], [x[1], 0.0, z[0]]]
    };
    let floor = || {
        Builder::new()
            .part("ground")
            .quad(quad([0.0, 10.0], [0.0, 10.0]))
            .part("road")
            .quad(quad([10.0, 12.0], [-4.0, 14.0]))
            .part("more")
            .quad(quad([12.0, 20.0], [0.0, 3.5]))
            .quad(quad([12.0, 20.0], [3.5, 10.0]))
    };
    let config = "surface = \"floor\"\n[[area]]\nname = \"road\"\n[[rule]]\nnode = \"road\"\narea = \"road\"\n";
    let baked = with(floor().source(), config, None, 2);
    let sums = square_metres(&blob(&baked));
    assert_eq!((sums["ground"], sums["road"]), (180.0, 36.0));
    assert_eq!(baked.summary.islands, 1);
    assert!(with(floor().shuffled(5), config, None, 1).bytes == baked.bytes);
    // Ground of one area is merged.
    assert_eq!(baked.summary.polygons, 3);
}

#[test]
fn cells_of_different_terrain_are_in_different_polygons() {
    let rows = ["........", "..##....", "........", "....#..."];
    let Source::Grid(plain) = map(&rows) else { panic!("a map") };
    let terrain: Vec<u8> = (0..32).map(|k| [0, 1, 1, 2][k % 8 / 2]).collect();
    let painted = GridMap { terrain, ..plain };
    let config = "min_region = 0\n[terrain]\nnames = [\"ground\", \"mud\", \"sea\"]\n";
    let baked = with(Source::Grid(painted.clone()), config, None, 1);
    let sums = square_metres(&blob(&baked));
    let cells = |wanted: &[u8]| {
        let own = painted.free.iter().zip(&painted.terrain);
        own.filter(|(free, t)| **free && wanted.contains(t)).count() as f64
    };
    assert_eq!(sums["ground"], cells(&[0]));
    assert_eq!(sums["mud"], cells(&[1]));
    assert_eq!(sums["sea"], cells(&[2]));
    assert_eq!(baked.summary.islands, 1);
}

#[test]
fn volumes_change_the_cells_of_a_grid_map_whose_middles_they_hold() {
    let text = "tags = [\"trap\", \"step\"]\n[[area]]\nname = \"mud\"\nedge_tags = [\"step\"]\n[[switch]]\nname = \"gate\"\n[terrain]\nnames = [\"mud\", \"ground\"]\n\
        [[volume]]\npolygon = [[2.5, -1], [2.5, 9], [6, 9], [6, -1]]\ny = [-1, 1]\narea = \"mud\"\ntags = [\"trap\"]\n[[volume]]\nbox = [[4, -1, 0], [5, 1, 1]]\nswitch = \"gate\"\n\
        [[volume]]\nbox = [[4, 1, 0], [5, 2, 1]]\narea = \"ground\"\n";
    let config = Config::parse(text).unwrap();
    let map = GridMap {
        shape: CellShape::Square,
        cell: 1.0,
        corner: [0.0; 2],
        width: 8,
        height: 3,
        free: vec![true; 24],
        terrain: vec![1; 24],
    };
    let baked = bake(Source::Grid(map), &config, &Options::default()).unwrap();
    let codes: Vec<&str> = (baked.summary.warnings.iter()).map(|w| w.code.as_str()).collect();
    assert_eq!(codes, ["volume-holds-no-ground"], "the last one floats");
    let blob = Blob::open_checked(&baked.bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let query = NavQuery::new(nav.mesh());
    for column in 0..8 {
        for row in 0..3 {
            let p = [f64::from(column) + 0.5, 0.0, f64::from(row) + 0.5];
            let at = query.locate(p, 1.0).unwrap();
            let area = blob.area_of(query.mesh(), at.polygon()).unwrap();
            let is_mud = (2..6).contains(&column);
            let gate = (column == 4 && row == 0).then_some(0);
            let expected = if is_mud { ("mud", 1, gate) } else { ("ground", 0, None) };
            assert_eq!((area.name, area.tags, area.switch), expected, "{p:?}");
        }
    }
    // The mud's edges have its tags, where it ends and at walls, and not where mud meets mud.
    let mut counts = [0; 2];
    for polygon in query.mesh().polygons() {
        for k in 0..polygon.len() {
            let name = |p| blob.area_of(query.mesh(), p).unwrap().name;
            let here = name(polygon.id());
            let beyond = polygon.across(k).map(|(beyond, _)| name(beyond));
            let ends = beyond != Some(here) && (here == "mud" || beyond == Some("mud"));
            let tags = blob.edge_tags(query.mesh(), polygon.id(), k);
            assert_eq!(tags, if ends { 0b10 } else { 0 });
            counts[usize::from(ends)] += 1;
        }
    }
    assert!(counts.iter().all(|&n| n > 4), "{counts:?}");
}
