//! Height maps: what their samples become, and what can be wrong with them.

use navbake_import::{
    ByteOrder, FirstRow, Format, HeightMapSettings, Import, ImportError, ImportErrorKind,
    ImportOptions, Simplify, read_bytes,
};
use navbake_level::{Scene, Source};
use proptest::prelude::*;

fn options(settings: HeightMapSettings) -> ImportOptions {
    ImportOptions { heightmap: settings, ..ImportOptions::default() }
}

/// Samples 2 m apart from 10 to 75.535 m: a millimetre for each step of 16 bits.
fn settings() -> HeightMapSettings {
    HeightMapSettings { spacing: 2.0, heights: Some([10.0, 75.535]), ..Default::default() }
}

fn import(bytes: &[u8], name: &str, options: &ImportOptions) -> Result<Import, ImportError> {
    let extension = name.rsplit('.').next().unwrap();
    let format = Format::by_extension(extension).unwrap();
    read_bytes(bytes.to_vec(), format, name.as_ref(), options)
}

fn scene(bytes: &[u8], name: &str, settings: HeightMapSettings) -> Scene {
    match import(bytes, name, &options(settings)).unwrap().source {
        Source::Scene(scene) => scene,
        Source::Grid(_) => panic!("a grid map"),
    }
}

fn refused(bytes: &[u8], name: &str, settings: HeightMapSettings, expected: &str) {
    let error = import(bytes, name, &options(settings)).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

fn raw(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn png(size: [u32; 2], colour: png::ColorType, depth: png::BitDepth, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![];
    let mut encoder = png::Encoder::new(&mut out, size[0], size[1]);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    encoder.write_header().unwrap().write_image_data(bytes).unwrap();
    out
}

fn grey16(size: [u32; 2], values: &[u16]) -> Vec<u8> {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_be_bytes()).collect();
    png(size, png::ColorType::Grayscale, png::BitDepth::Sixteen, &bytes)
}

const VALUES: [u16; 6] = [0, 1000, 2000, 3000, 65_535, 500];

#[test]
fn a_sample_is_a_vertex_and_quads_are_cut_from_the_least_corner() {
    let by_png = scene(&grey16([3, 2], &VALUES), "hills.png", settings());
    let sized = HeightMapSettings { size: Some([3, 2]), ..settings() };
    let by_raw = scene(&raw(&VALUES), "hills.r16", sized.clone());
    assert_eq!(by_png, by_raw);
    let places: Vec<[f64; 3]> = by_png.vertices.clone();
    let expected = [
        [0.0, 10.0, 0.0],
        [2.0, 11.0, 0.0],
        [4.0, 12.0, 0.0],
        [0.0, 13.0, 2.0],
        [2.0, 75.535, 2.0],
    ];
    for (found, expected) in places.iter().zip(expected) {
        assert!((0..3).all(|k| (found[k] - expected[k]).abs() < 1e-9), "{places:?}");
    }
    assert_eq!(by_png.triangles, [[0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2]]);
    assert_eq!(by_png.parts[0].node, "hills");
    let swapped: Vec<u8> = VALUES.iter().flat_map(|v| v.to_be_bytes()).collect();
    let big = HeightMapSettings { byte_order: ByteOrder::Big, ..sized };
    assert_eq!(scene(&swapped, "hills.raw", big), by_raw);
    // Counter-clockwise from above, so that the front faces up.
    for t in &by_png.triangles {
        let [a, b, c] = t.map(|v| by_png.vertices[v as usize]);
        let up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
        assert!(up > 0.0, "{t:?}");
    }
}

#[test]
fn the_first_row_is_where_the_setting_says() {
    let sized = HeightMapSettings { size: Some([3, 2]), ..settings() };
    let near = scene(&raw(&VALUES), "a.raw", sized.clone());
    let turned: Vec<u16> = [&VALUES[3..], &VALUES[..3]].concat();
    let far = HeightMapSettings { first_row: FirstRow::GreatestZ, ..sized };
    assert_eq!(scene(&raw(&turned), "a.raw", far), near);
}

#[test]
fn samples_of_8_bits_span_the_same_heights_and_their_steps_are_reported() {
    let bytes = [0, 128, 255, 7];
    let picture = png([2, 2], png::ColorType::Grayscale, png::BitDepth::Eight, &bytes);
    let found = import(&picture, "low.png", &options(settings())).unwrap();
    let Source::Scene(of_png) = found.source else { panic!("a grid map") };
    assert!((of_png.vertices[2][1] - 75.535).abs() < 1e-9 && of_png.vertices[0][1] == 10.0);
    assert_eq!(
        found.warnings[0].message,
        "samples of 8 bits make steps of 0.26 m over 65.535 m; save the height map with 16 bits"
    );
    let of_raw = scene(&bytes, "low.raw", HeightMapSettings { bits: 8, ..settings() });
    assert_eq!(of_raw.vertices, of_png.vertices);
    let fine = HeightMapSettings { heights: Some([0.0, 25.0]), ..settings() };
    assert!(import(&picture, "low.png", &options(fine)).unwrap().warnings.is_empty());
}

#[test]
fn holes_take_the_triangles_at_them() {
    // The middle of 3 x 3 samples is a corner of six triangles of eight.
    let mut values = [1000; 9];
    values[4] = 0;
    let holed = HeightMapSettings { hole: Some(0), ..settings() };
    let expected = [[1, 5, 2], [3, 6, 7]];
    assert_eq!(scene(&raw(&values), "a.raw", holed.clone()).triangles, expected);
    let alpha: Vec<u8> = (0..9).flat_map(|k| [9, if k == 4 { 100 } else { 255 }]).collect();
    let picture = png([3, 3], png::ColorType::GrayscaleAlpha, png::BitDepth::Eight, &alpha);
    assert_eq!(scene(&picture, "a.png", settings()).triangles, expected);
    refused(
        &raw(&[0; 9]),
        "a.raw",
        holed.clone(),
        "a.raw, the whole file: every triangle of the height map has a hole; export the level's surfaces as well, or allow empty levels",
    );
    let empty = ImportOptions { allow_empty: true, ..options(holed) };
    assert_eq!(import(&raw(&[0; 9]), "a.raw", &empty).unwrap().warnings[0].code, "empty-level");
}

#[test]
fn scale_is_a_factor_on_all_lengths() {
    let both = ImportOptions { scale: 0.5, ..options(settings()) };
    let Source::Scene(found) = import(&raw(&[5; 4]), "a.raw", &both).unwrap().source else {
        panic!("a grid map")
    };
    assert!((found.vertices[3][1] - 10.005 / 2.0).abs() < 1e-12);
    assert_eq!([found.vertices[3][0], found.vertices[3][2]], [1.0, 1.0]);
}

#[test]
fn a_map_that_simplifying_hardly_helps_keeps_its_own_triangles() {
    let rough = |at: usize| (at as u32).wrapping_mul(2_654_435_761).to_be_bytes()[1].into();
    let scene = |values: &[u16], simplify: Option<Simplify>| {
        let options = ImportOptions { simplify, ..options(settings()) };
        match import(&raw(values), "map.r16", &options).unwrap().source {
            Source::Scene(scene) => scene,
            Source::Grid(_) => panic!("a grid map"),
        }
    };
    let simplify = Simplify { error: 0.05, least_up: 0.5 };
    // Rough ground in none, half, most or all of the rows.
    for (rows, few) in [(0, true), (33, true), (55, false), (65, false)] {
        let values: Vec<u16> =
            (0..65 * 65).map(|at| if at < rows * 65 { rough(at) } else { 0 }).collect();
        let [all, own] = [None, Some(simplify)].map(|simplify| scene(&values, simplify));
        if few {
            assert!(own.triangles.len() * 2 < all.triangles.len());
            assert_eq!(own.height_error, simplify.error);
        } else {
            assert!(own == all, "{rows}: {} triangles", own.triangles.len());
            assert_eq!(own.height_error, 0.0);
        }
    }
}

#[test]
fn what_a_height_map_lacks_is_named_with_its_cure() {
    let bytes = raw(&[0; 9]);
    refused(
        &bytes,
        "a.raw",
        HeightMapSettings::default(),
        "a.raw, the setting `heightmap.heights`: it is not there, and the file does not say how high its values are; give the heights of the least and the greatest value in metres, `--heights 0,600` or `[heightmap]` with `heights = [0.0, 600.0]` in the config",
    );
    refused(
        &bytes,
        "a.raw",
        HeightMapSettings { heights: Some([6.0, 6.0]), ..settings() },
        "a.raw, the setting `heightmap.heights`: it is [6, 6]; give two numbers of metres, the lower one first",
    );
    refused(
        &bytes,
        "a.raw",
        HeightMapSettings { spacing: 0.0, ..settings() },
        "a.raw, the setting `heightmap.spacing`: it is 0; give the metres from sample to sample",
    );
    refused(
        &bytes,
        "a.raw",
        HeightMapSettings { bits: 12, ..settings() },
        "a.raw, the setting `heightmap.bits`: it is 12; say 8 or 16",
    );
    refused(
        &bytes[1..],
        "a.raw",
        settings(),
        "a.raw, the whole file: its 17 bytes are no square of samples of 16 bits; give columns and rows: `[heightmap]` with `size = [columns, rows]` (and `bits`) in the config",
    );
    refused(
        &bytes,
        "a.r16",
        HeightMapSettings { size: Some([4, 3]), ..settings() },
        "a.r16, the whole file: 4 x 3 samples of 16 bits take 24 bytes, and it has 18; correct `heightmap.size` or `heightmap.bits`, or cut the header off",
    );
    refused(
        &raw(&[0; 9]),
        "a.r16",
        HeightMapSettings { size: Some([9, 1]), ..settings() },
        "a.r16, the header: there are 9 x 1 samples; give it two columns and two rows at least: ground is between samples",
    );
    refused(
        &[],
        "a.raw",
        settings(),
        "a.raw, the header: there are 0 x 0 samples; give it two columns and two rows at least: ground is between samples",
    );
    let colours = png([2, 2], png::ColorType::Rgb, png::BitDepth::Eight, &[0; 12]);
    refused(
        &colours,
        "a.png",
        settings(),
        "a.png, the header: the picture has colours, and a height map has one value a texel; save it in grey with 16 bits; heights packed in colours are not read",
    );
}

#[test]
fn a_picture_that_says_it_is_huge_is_refused_before_its_room_is_made() {
    let mut picture = grey16([2, 2], &[0; 4]);
    for at in [16, 20] {
        picture[at..at + 4].copy_from_slice(&60_000u32.to_be_bytes());
    }
    let sum = crc(&picture[12..29]);
    picture[29..33].copy_from_slice(&sum.to_be_bytes());
    let error = import(&picture, "bomb.png", &options(settings())).unwrap_err();
    assert_eq!(error.kind, ImportErrorKind::Budget, "{error}");
    assert!(error.to_string().starts_with("bomb.png, 60000 x 60000 samples: reading"), "{error}");
    let small = ImportOptions { memory: Some(1 << 20), ..options(settings()) };
    let error = import(&raw(&vec![0; 1 << 16]), "a.raw", &small).unwrap_err();
    assert_eq!(error.kind, ImportErrorKind::Budget, "{error}");
}

/// The checksum of a chunk of a PNG.
fn crc(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(u32::MAX, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), step))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_files_are_read_or_refused_in_one_line(
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
        name in prop::sample::select(vec!["a.png", "a.raw"]),
    ) {
        let mut bytes = grey16([9, 9], &(0..81).map(|k| k * 800).collect::<Vec<u16>>());
        for (at, value) in damage {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        match import(&bytes, name, &options(settings())) {
            Ok(found) => prop_assert!(matches!(found.source, Source::Scene(_))),
            Err(error) => prop_assert!(!error.to_string().contains('\n')),
        }
    }
}
