//! Height maps, whose triangles are simplified: the ground of all their triangles, with heights as
//! near to the samples as `height_error` allows.

use std::fs;

use navbake_bake::{BakeInput, Config, Options, bake, bake_file};
use navbake_format::{Blob, NavMeshBuf};
use navbake_import::{Format, HeightMapSettings, ImportOptions, read_bytes};
use navbake_search::NavQuery;
use navbake_search::around::{Areas, Random};

const SIDE: usize = 160;
const SPACING: f64 = 0.5;
/// Heights of the least and the greatest value, m.
const HIGH: f64 = 65.535;

/// Hills, terraces with upright sides and rough ground, as samples of 16 bits row by row.
fn samples() -> Vec<u16> {
    let height = |x: f64, z: f64| {
        let hills = 30.0 + (x * 0.05).sin() * (z * 0.04).cos() * 4.5 + (x * 0.3).sin() * 0.005;
        if (x * 0.03).sin() * (z * 0.04).sin() > 0.4 { (hills / 3.0).floor() * 3.0 } else { hills }
    };
    let value = |at: usize| (height((at % SIDE) as f64, (at / SIDE) as f64) * 1000.0) as u16;
    (0..SIDE * SIDE).map(value).collect()
}

/// The height of the ground at a place: of the two triangles between four samples.
fn height(samples: &[u16], [x, z]: [f64; 2]) -> f64 {
    let [u, v] = [x / SPACING, z / SPACING];
    let [i, j] = [u, v].map(|k| (k as usize).min(SIDE - 2));
    let [s, t] = [u - i as f64, v - j as f64];
    let at = |i: usize, j: usize| f64::from(samples[j * SIDE + i]) / 65_535.0 * HIGH;
    let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
    if t > s { a + (b - a) * t + (c - b) * s } else { a + (d - a) * s + (c - d) * t }
}

fn decoded(bytes: &[u8]) -> NavMeshBuf {
    Blob::open_checked(bytes).unwrap().decode(0).unwrap()
}

/// The same map with all of its triangles, and as it is baked from its file.
fn both(config: &Config, samples: &[u16]) -> [NavMeshBuf; 2] {
    let bytes: Vec<u8> = samples.iter().flat_map(|v| v.to_le_bytes()).collect();
    let settings =
        HeightMapSettings { spacing: SPACING, heights: Some([0.0, HIGH]), ..Default::default() };
    let options = ImportOptions { heightmap: settings, ..ImportOptions::default() };
    let format = Format::by_extension("r16").unwrap();
    let all = read_bytes(bytes.clone(), format, "hills.r16".as_ref(), &options).unwrap().source;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hills.r16");
    fs::write(&file, bytes).unwrap();
    let few = BakeInput::open(&file, config).unwrap().level().triangles.len();
    assert!(few < (SIDE - 1) * (SIDE - 1), "{config:?}: {few} triangles");
    let options = Options::default();
    [bake(all, config, &options).unwrap(), bake_file(&file, config, &options).unwrap()]
        .map(|baked| decoded(&baked.bytes))
}

fn config(keys: &str) -> Config {
    let heightmap = format!("[heightmap]\nspacing = {SPACING}\nheights = [0.0, {HIGH}]\n");
    Config::parse(&format!("{keys}{heightmap}")).unwrap()
}

#[test]
fn a_height_map_has_the_ground_of_all_its_triangles() {
    let samples = samples();
    for (keys, height_error) in [
        ("[[agent]]\nradius = 0.4\n", 0.1),
        ("height_error = 0.02\n[[agent]]\nradius = 0.4\nslope = 30.0\n", 0.02),
        (
            "height_error = 0.5\n[[agent]]\nclimb = 0.2\n[[agent]]\nname = \"b\"\nslope = 20.0\n",
            0.5,
        ),
    ] {
        let meshes = both(&config(keys), &samples);
        let mut found = 0;
        for (own, other) in [(0, 1), (1, 0)] {
            let [own, other] = [own, other].map(|k: usize| NavQuery::new(meshes[k].mesh()));
            let mut sums = vec![0; own.mesh().polygon_count() as usize];
            let areas: Areas<'_> = own.areas(&mut sums).unwrap();
            let mut random = Random::new(7);
            for _ in 0..20_000 {
                let Some(place) = own.random_place(&areas, &mut random) else { continue };
                let place = place.position();
                // The same ground, but for a centimetre at borders.
                let near = other.nearest(place, [0.01, 2.0 * height_error, 0.01]);
                assert!(near.is_some(), "{keys}: {place:?} is ground in one only");
                let off = (place[1] - height(&samples, [place[0], place[2]])).abs();
                assert!(off <= height_error, "{keys}: {place:?} is {off} m off the samples");
                found += 1;
            }
        }
        assert_eq!(found, 40_000);
    }
}
