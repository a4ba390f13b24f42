//! A map of ten terrains bakes to the same areas as digits, as a picture and as polygons.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use navbake_bake::config::{Rule, Surface, Terrain};
use navbake_bake::{BakeInput, Baked, Config, Options, bake_file};
use navbake_format::exact::orient;
use navbake_format::{Blob, CheckedBlob};
use navbake_search::Query;

fn fixture(name: &str) -> PathBuf {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/battlefield");
    Path::new(root).join(name)
}

/// The three forms: a picture, digits, polygons.
fn baked() -> [Baked; 3] {
    let pictured = Config::load(&fixture("bake.toml")).unwrap();
    let mut digits = pictured.clone();
    digits.terrain = Terrain { names: pictured.terrain.names.clone(), ..Terrain::default() };
    let mut drawn = digits.clone();
    drawn.surface = Surface::Floor;
    let rule = |name: &String| Rule {
        material: Some(name.clone()),
        area: Some(name.clone()),
        ..Rule::default()
    };
    drawn.rules = digits.terrain.names.iter().map(rule).collect();
    let bake = |level: &str, config: &Config| {
        bake_file(&fixture(level), config, &Options::default()).unwrap()
    };
    [
        bake("blank.txt", &pictured),
        bake("battlefield.txt", &digits),
        bake("battlefield.obj", &drawn),
    ]
}

fn blob(baked: &Baked) -> CheckedBlob<'_> {
    Blob::open_checked(&baked.bytes).unwrap()
}

/// Doubled area in grid units, by name.
fn sizes(blob: &CheckedBlob<'_>) -> BTreeMap<String, i64> {
    let names: Vec<&str> = blob.areas().map(|a| a.name).collect();
    let mesh = blob.decode(0).unwrap().leak();
    let mut sums = BTreeMap::new();
    for p in mesh.polygons() {
        let doubled: i64 =
            (1..p.len() - 1).map(|k| orient(p.corner(0), p.corner(k), p.corner(k + 1))).sum();
        let name = names[mesh.area(p.id()).index()];
        *sums.entry(name.to_owned()).or_default() += doubled;
    }
    sums
}

#[test]
fn a_picture_digits_and_polygons_give_the_same_areas() {
    let [picture, digits, polygons] = baked();
    let [a, b, c] = [&picture, &digits, &polygons].map(|baked| sizes(&blob(baked)));
    assert_eq!(a.len(), 10);
    assert_eq!(a, b);
    assert_eq!(a, c);

    // And at the same places: just off the middle of every cell.
    let text = std::fs::read_to_string(fixture("battlefield.txt")).unwrap();
    let rows: Vec<&[u8]> = text.lines().skip(3).map(str::as_bytes).collect();
    let blobs = [&picture, &digits, &polygons].map(blob);
    for blob in &blobs {
        let query = Query::new(blob.decode(0).unwrap().leak());
        for (z, row) in rows.iter().enumerate() {
            for (x, cell) in row.iter().enumerate() {
                let [x, z] = [x, z].map(|c| 10.0 * c as f64 + 4.9);
                let found = query.locate([x, 0.0, z], 1.0);
                let area = found.map(|at| query.mesh().area(at.polygon()).index());
                let wanted = cell.is_ascii_digit().then(|| usize::from(cell - b'0') + 1);
                assert_eq!(area, wanted, "({x}, {z})");
            }
        }
    }
}

#[test]
fn the_blob_keeps_the_table_of_weights_with_the_units() {
    let [picture, _, _] = baked();
    let blob = blob(&picture);
    let names: Vec<&str> = blob.areas().map(|a| a.name).collect();
    let units: Vec<&str> = blob.agents().map(|a| a.name).collect();
    assert_eq!((names.len(), units.len()), (11, 7));
    let weight = |unit: &str, area: &str, task: &str| {
        let unit = units.iter().position(|u| *u == unit).unwrap();
        let row = blob.weights_for(task, unit as u16).unwrap();
        let place = names.iter().position(|n| *n == area).unwrap();
        let weights = row.weights();
        weights.iter().nth(place).unwrap()
    };
    assert_eq!(weight("Heavy Infantry", "Foothills", ""), 2.0);
    assert_eq!(weight("Heavy Infantry", "Jungle", ""), f64::INFINITY);
    assert_eq!(weight("Hovercraft", "Water", ""), 1.1);
    assert_eq!(weight("Light Infantry", "Roadway", "stealth"), 6.0);
}

#[test]
fn a_picture_that_does_not_fit_the_map_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("bake.toml");
    std::fs::copy(fixture("bake.toml"), &config).unwrap();
    let level = folder.path().join("level.txt");
    let fault = |map: &str| {
        std::fs::write(&level, map).unwrap();
        let config = Config::load(&config).unwrap();
        let error = BakeInput::open(&level, &config).unwrap_err();
        (error.exit_code(), error.to_string())
    };
    // The picture is looked for beside the config.
    let (code, said) = fault("1\n2\n1\n..\n");
    assert_eq!(code, 4, "{said}");
    std::fs::copy(fixture("battlefield.png"), folder.path().join("battlefield.png")).unwrap();
    let (code, said) = fault("1\n2\n1\n..\n");
    assert_eq!(code, 3);
    assert!(said.contains("battlefield.png, the header"), "{said}");
    assert!(said.contains("64 x 48 texels, and the map 2 x 1 cells"), "{said}");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("\"#a8c66c\" = \"Plains\"\n", "")).unwrap();
    let blank = std::fs::read_to_string(fixture("blank.txt")).unwrap();
    let (code, said) = fault(&blank);
    assert_eq!(code, 3);
    assert!(said.contains("column 16, row 1: the texel is #a8c66c"), "{said}");
}
