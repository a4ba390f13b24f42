//! Maps of ROS, and what can be wrong with them.

use std::fs;
use std::path::Path;

use navbake_import::{Import, ImportError, ImportErrorKind, ImportOptions, read};
use navbake_level::{GridMap, Source};
use proptest::prelude::*;

const YAML: &str = "\
# a room
image: room.pgm
mode: trinary
resolution: 0.5
origin: [-3.0, 2.0, 0.0]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
";

/// White is free, black occupied, 205 unknown, as map_saver writes them.
const PGM: &str = "P2\n# made by hand\n3 2\n255\n254 0 205\n254 254 # free\n 254\n";

fn import_with(
    yaml: &str,
    image: (&str, &[u8]),
    options: &ImportOptions,
) -> Result<Import, ImportError> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("room.yaml"), yaml).unwrap();
    fs::write(folder.path().join(image.0), image.1).unwrap();
    let shorten = |path: &Path| path.strip_prefix(folder.path()).unwrap_or(path).to_owned();
    read(&folder.path().join("room.yaml"), options)
        .map_err(|error| ImportError { file: shorten(&error.file), ..error })
}

fn import(yaml: &str, image: &[u8]) -> Result<Import, ImportError> {
    import_with(yaml, ("room.pgm", image), &ImportOptions::default())
}

fn map_of(import: Import) -> GridMap {
    match import.source {
        Source::Grid(map) => map,
        Source::Scene(_) => panic!("a scene"),
    }
}

fn rows(map: &GridMap) -> Vec<String> {
    let letter = |&free: &bool| if free { '.' } else { '#' };
    map.free.chunks(map.width as usize).map(|row| row.iter().map(letter).collect()).collect()
}

fn refused(yaml: &str, image: &[u8], expected: &str) {
    assert_eq!(import(yaml, image).unwrap_err().to_string(), expected);
}

#[test]
fn the_picture_is_where_ros_has_it_with_z_against_y() {
    let found = import(YAML, PGM.as_bytes()).unwrap();
    assert_eq!(found.warnings, []);
    assert_eq!(found.files.len(), 2);
    let map = map_of(found);
    assert_eq!((map.width, map.height, map.cell), (3, 2, 0.5));
    assert_eq!(rows(&map), [".##", "..."]);
    // The lower left corner is (-3, 2) in ROS, the upper left one (-3, 3): x -3 and z -3 here.
    assert_eq!(map.corner, [-3.0, -3.0]);
    assert_eq!(map.end(), [-1.5, -2.0]);
    assert_eq!(map.middle(3), [-2.75, -2.25]);
    assert_eq!(map.cell_at([-2.75, -2.25]), Some(3));
    let doubled = ImportOptions { scale: 2.0, ..ImportOptions::default() };
    let map = map_of(import_with(YAML, ("room.pgm", PGM.as_bytes()), &doubled).unwrap());
    assert_eq!((map.cell, map.corner), (1.0, [-6.0, -6.0]));
}

#[test]
fn unknown_cells_are_blocked_unless_they_are_asked_for() {
    let free = ImportOptions { unknown_is_free: true, ..ImportOptions::default() };
    let map = map_of(import_with(YAML, ("room.pgm", PGM.as_bytes()), &free).unwrap());
    assert_eq!(rows(&map), [".#.", "..."]);
}

#[test]
fn pictures_of_all_kinds_are_the_same_map() {
    let shades = [254u8, 0, 205, 254, 254, 254];
    let raw = [b"P5 3 2 255\n".as_slice(), &shades].concat();
    let deep: Vec<u8> = shades.iter().flat_map(|&s| (u16::from(s) * 257).to_be_bytes()).collect();
    let deep = [b"P5\n# 16 bits\n3 2\n65535\n".as_slice(), &deep].concat();
    let rgb: Vec<u8> = shades.iter().flat_map(|&s| [s; 3]).collect();
    let rgba: Vec<u8> = shades.iter().flat_map(|&s| [s, s, s, 255]).collect();
    let png = |colour, bytes: &[u8]| {
        let mut out = vec![];
        let mut encoder = png::Encoder::new(&mut out, 3, 2);
        encoder.set_color(colour);
        encoder.write_header().unwrap().write_image_data(bytes).unwrap();
        out
    };
    let pictures = [
        raw,
        deep,
        png(png::ColorType::Grayscale, &shades),
        png(png::ColorType::Rgb, &rgb),
        png(png::ColorType::Rgba, &rgba),
    ];
    for (number, picture) in pictures.iter().enumerate() {
        // Alpha counts as a channel in trinary maps: 205 becomes 217.5 of 255, which is free.
        let unknown = if number == 4 { "." } else { "#" };
        let map = map_of(import(YAML, picture).unwrap());
        assert_eq!(rows(&map), [format!(".#{unknown}"), "...".into()], "{number}");
    }
}

#[test]
fn modes_and_thresholds_are_those_of_map_server() {
    let shades = "P2 6 1 255  0 89 90 100 101 255";
    let map = |yaml: &str| rows(&map_of(import(yaml, shades.as_bytes()).unwrap())).concat();
    // Occupied shares: 1, 0.651, 0.647, 0.608, 0.604, 0.
    assert_eq!(map(YAML), "#####.");
    assert_eq!(map(&YAML.replace("trinary", "scale")), "##....");
    assert_eq!(map(&YAML.replace("trinary", "raw")), "...###");
    assert_eq!(map(&YAML.replace("negate: 0", "negate: 1")), ".#####");
    assert_eq!(map(&YAML.replace("negate: 0", "negate: true")), ".#####");
    assert_eq!(map(&YAML.replace("mode: trinary\n", "")), "#####.");
    let loose = YAML.replace("0.196", "0.61");
    assert_eq!(map(&loose), "###...");
}

#[test]
fn yaml_is_read_in_the_forms_that_tools_write() {
    let block = YAML
        .replace("origin: [-3.0, 2.0, 0.0]", "origin:\n- -3.0\n- 2.0\n- 0.0")
        .replace("room.pgm", "\"room.pgm\" # the picture")
        .replace('\n', "\r\n");
    let plain = map_of(import(YAML, PGM.as_bytes()).unwrap());
    let found = import(&format!("\u{feff}---\r\n{block}width: 3\r\n"), PGM.as_bytes()).unwrap();
    assert_eq!(found.warnings[0].message, "the key `width` is not read");
    assert_eq!(found.warnings.len(), 1);
    assert_eq!(map_of(found), plain);
}

#[test]
fn what_is_wrong_with_the_text_is_named_with_line_and_cure() {
    let pgm = PGM.as_bytes();
    let shape = "a map of map_server is a text of lines `key: value`, with `origin: [x, y, yaw]` as its only list";
    for (from, to, expected) in [
        ("image: room.pgm", "image:\n  file: room.pgm", format!("room.yaml, line 3: the line is indented: tables within tables are not read; {shape}")),
        ("mode: trinary", "mode trinary", format!("room.yaml, line 3: there is no `key: value` in this line; {shape}")),
        ("mode: trinary", "negate: 1", format!("room.yaml, line 6: the key was there before; {shape}")),
        ("0.0]", "0.0", format!("room.yaml, line 5: the list does not end in this line; {shape}")),
        ("mode: trinary", "- 4", format!("room.yaml, line 3: an item of a list that no key begins; {shape}")),
        ("mode: trinary", "mode: binary", "room.yaml, line 3, `mode`: it is `binary`; say trinary, scale or raw".into()),
        ("resolution: 0.5", "resolution: 0", "room.yaml, line 4, `resolution`: it is `0`; give the side of a cell in metres, such as 0.05".into()),
        ("resolution: 0.5\n", "", "room.yaml, the whole file: `resolution` is missing; give the side of a cell in metres, such as 0.05".into()),
        ("0.0]", "0.3]", "room.yaml, line 5, `origin`: the map is turned by 0.3, and map_server ignores that as well; turn the picture, and set the yaw to 0".into()),
        ("2.0, 0.0]", "0.0]", "room.yaml, line 5, `origin`: it is not a list of three numbers; give the place of the picture's lower left corner: `origin: [x, y, 0.0]`, in metres".into()),
        ("negate: 0", "negate: 2", "room.yaml, line 6, `negate`: it is `2`; say 0 (dark is occupied) or 1 (light is occupied)".into()),
        ("0.65", "65", "room.yaml, line 7, `occupied_thresh`: it is `65`; give a share from 0 to 1; 0.65 is usual".into()),
        ("0.196", "0.75", "room.yaml, the whole file: `free_thresh` 0.75 is above `occupied_thresh` 0.65; lower it: what is less occupied than that is free".into()),
        ("room.pgm", "../room.pgm", String::new()),
        ("room.pgm", "hall.pgm", "room.yaml, `image`: `hall.pgm` cannot be read: no such file or folder; check the path, which begins at the folder of the map".into()),
    ] {
        let yaml = YAML.replacen(from, to, 1);
        assert_ne!(yaml, YAML);
        let error = import(&yaml, pgm).unwrap_err();
        assert_eq!(error.kind, ImportErrorKind::BadInput, "{error}");
        if !expected.is_empty() {
            assert_eq!(error.to_string(), expected);
        }
    }
    refused(
        YAML,
        b"P2 1 1 255 0",
        "room.yaml, the whole file: no cell of the map is free: check the thresholds and `negate`; export the level's surfaces as well, or allow empty levels",
    );
}

#[test]
fn what_is_wrong_with_the_picture_is_named_with_its_place() {
    let again = "save the picture as PGM again";
    for (picture, expected) in [
        ("BM", "room.pgm, byte 0: it is neither a PGM (P2 or P5) nor a PNG; convert it: `magick map.bmp map.png`".to_owned()),
        ("P5 3 x", format!("room.pgm, byte 5: the height is not a whole number from 1 to 16777216; {again}")),
        ("P5 3 2 70000 ", format!("room.pgm, byte 7: the greatest value is not a whole number from 1 to 65535; {again}")),
        ("P5 3 2 255 abcde", format!("room.pgm, byte 11: 3 x 2 samples take 6 bytes at least, and 5 are left; {again}")),
        ("P2 3 2 255 1 2 3 4 5 -6", format!("room.pgm, byte 21, column 3, row 2: the sample is not a whole number from 0 to 255; {again}")),
        ("P2 3 2 9 1 2 3 4 5 10", format!("room.pgm, byte 19, column 3, row 2: the sample is not a whole number from 0 to 9; {again}")),
        ("P5 2 1 9 \n9", format!("room.pgm, byte 9: the sample 10 is above the greatest value, 9; {again}")),
        ("P5 16000000 16000000 255 ", format!("room.pgm, byte 25: 16000000 x 16000000 samples take 256000000000000 bytes at least, and 0 are left; {again}")),
    ] {
        refused(YAML, picture.as_bytes(), &expected);
    }
    let little = ImportOptions { memory: Some(64), ..ImportOptions::default() };
    let error = import_with(YAML, ("room.pgm", PGM.as_bytes()), &little).unwrap_err();
    assert_eq!(error.kind, ImportErrorKind::Budget);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damaged_maps_are_read_or_refused_in_one_line(
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        is_picture in any::<bool>(),
        binary in any::<bool>(),
    ) {
        let mut yaml = YAML.as_bytes().to_vec();
        let mut image = PGM.as_bytes().to_vec();
        if binary {
            image = b"P5\n3 2\n65535\nabcdefghijkl".to_vec();
        }
        let bytes = if is_picture { &mut image } else { &mut yaml };
        for (at, value) in damage {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("room.yaml"), &yaml).unwrap();
        fs::write(folder.path().join("room.pgm"), &image).unwrap();
        match read(&folder.path().join("room.yaml"), &ImportOptions::default()) {
            Ok(found) => prop_assert!(matches!(found.source, Source::Grid(_))),
            Err(error) => prop_assert!(!error.to_string().contains('\n')),
        }
    }
}
