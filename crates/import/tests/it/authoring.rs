//! What level authors write into glTF files: extras, pairs of nodes, and pictures of terrain beside
//! grid maps.

use crate::document;
use crate::document::{File, codes, scene};
use navbake_import::{
    Colour, Format, ImportErrorKind, ImportOptions, TerrainImage, Up, read, read_bytes,
    read_terrain,
};
use navbake_level::{LinkKind, Role, Tag};
use navbake_testkit::allocations;
use serde_json::{Value, json};

/// The square with one more node above it, so that every kind of object can say something.
fn nested() -> File {
    let mut file = File::square();
    file.json["nodes"] = json!([
        {"name": "yard", "children": [1]},
        {"name": "floor", "mesh": 0},
    ]);
    file.json["scenes"] = json!([{"nodes": [0]}]);
    file.json["materials"] = json!([{"name": "stone"}]);
    file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    file
}

#[test]
fn the_smaller_thing_has_the_last_word_and_tags_add_up() {
    type Object = fn(&mut Value) -> &mut Value;
    let places: [(&str, Object); 5] = [
        ("group", |j| &mut j["nodes"][0]),
        ("node", |j| &mut j["nodes"][1]),
        ("mesh", |j| &mut j["meshes"][0]),
        ("material", |j| &mut j["materials"][0]),
        ("primitive", |j| &mut j["meshes"][0]["primitives"][0]),
    ];
    let mut file = nested();
    for (bit, (name, place)) in places.into_iter().enumerate() {
        place(&mut file.json)["extras"] =
            json!({"navbake_area": name, "navbake_tags": [bit], "fps": 24});
        let given = file.scene().parts[0].given.clone();
        assert_eq!(given.area.as_deref(), Some(name));
        let tags: Vec<Tag> = (0..=bit as u8).map(Tag::Bit).collect();
        assert_eq!(given.tags, tags);
        assert_eq!((given.role, given.switch), (None, None));
    }
    file.json["nodes"][0]["extras"] = json!({"navbake": {"role": "floor", "switch": "gate"}});
    let given = file.scene().parts[0].given.clone();
    assert_eq!(given.role, Some(Role::Floor));
    assert_eq!(given.switch.as_deref(), Some("gate"));
}

#[test]
fn instances_of_a_mesh_say_things_of_their_own() {
    let mut file = nested();
    file.json["nodes"] = json!([
        {"name": "a", "mesh": 0, "extras": {"navbake_area": "mud"}},
        {"name": "b", "mesh": 0},
    ]);
    file.json["scenes"] = json!([{"nodes": [0, 1]}]);
    let parts = file.scene().parts;
    let said: Vec<_> = parts.iter().map(|p| (p.node.as_str(), p.given.area.as_deref())).collect();
    assert_eq!(said, [("a", Some("mud")), ("b", None)]);
}

#[test]
fn a_fault_in_extras_is_reported_by_its_pointer() {
    for (at, set) in [
        ("/nodes/1/extras/navbake/arae", "nodes"),
        ("/meshes/0/extras/navbake/arae", "meshes"),
        ("/materials/0/extras/navbake/arae", "materials"),
    ] {
        let mut file = nested();
        let index = usize::from(set == "nodes");
        file.json[set][index]["extras"] = json!({"navbake": {"arae": "mud"}});
        file.refused(at);
    }
    let mut file = nested();
    file.json["meshes"][0]["primitives"][0]["extras"] = json!({"navbake_tags": 40});
    file.refused("/meshes/0/primitives/0/extras/navbake_tags");
    // Links are between nodes.
    let mut file = nested();
    file.json["meshes"][0]["extras"] = json!({"navbake_link": "top"});
    file.refused("/meshes/0/extras/navbake_link");
    // Extras of other programs may have any value.
    let mut file = nested();
    file.json["nodes"][1]["extras"] = json!([1, {"navbake": 5}]);
    file.json["materials"][0]["extras"] = json!("navbake_area");
    file.scene();
}

/// The square with empties below a node that moves them.
fn with_empties(empties: Value) -> File {
    let mut file = File::square();
    let mut nodes = vec![json!({"name": "floor", "mesh": 0})];
    nodes.extend(empties.as_array().unwrap().iter().cloned());
    let children: Vec<usize> = (1..nodes.len()).collect();
    nodes.push(json!({"name": "group", "translation": [0, 0, 1], "children": children}));
    file.json["scenes"] = json!([{"nodes": [0, nodes.len() - 1]}]);
    file.json["nodes"] = Value::Array(nodes);
    file
}

#[test]
fn pairs_of_nodes_are_links_and_no_markers() {
    let file = with_empties(json!([
        {"name": "ladder.link_a", "translation": [1, 0, 0], "extras": {"navbake_kind": "climb", "navbake_width": 0.5, "navbake_tags": "2"}},
        {"name": "ladder.link_b", "translation": [1, 4, 0]},
        {"name": "ledge.link_from", "translation": [2, 3, 0], "extras": {"navbake": {"kind": "drop", "cost": 2, "agents": ["elf"], "switch": "grate"}}},
        {"name": "ledge.link_to", "translation": [3, 0, 0]},
        {"name": "portal", "translation": [5, 0, 5], "extras": {"navbake_link": "exit", "navbake_kind": "teleport", "navbake_two_way": true}},
        {"name": "exit", "translation": [9, 0, 9]},
        {"name": ".link_a"},
    ]));
    let read = file.read().unwrap();
    assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    let scene = scene(read);
    let markers: Vec<&str> = scene.markers.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(markers, ["exit", ".link_a"], "an ending alone is a name like any other");
    let [ladder, ledge, portal] = &scene.links[..] else { panic!("{:?}", scene.links) };
    assert_eq!(
        (ladder.name.as_str(), ladder.kind, ladder.two_way),
        ("ladder", LinkKind::Climb, true)
    );
    assert_eq!((ladder.from, ladder.to), ([1.0, 0.0, 1.0], [1.0, 4.0, 1.0]));
    assert_eq!((ladder.width, ladder.cost), (Some(0.5), None));
    assert_eq!(ladder.tags, [Tag::Bit(2)]);
    assert_eq!((ledge.name.as_str(), ledge.kind, ledge.two_way), ("ledge", LinkKind::Drop, false));
    assert_eq!((ledge.cost, ledge.switch.as_deref()), (Some(2.0), Some("grate")));
    assert_eq!(ledge.agents, Some(vec!["elf".to_string()]));
    assert_eq!((portal.name.as_str(), portal.two_way), ("portal", true));
    assert_eq!(portal.to, [9.0, 0.0, 10.0]);

    let turned = ImportOptions { up: Up::Z, scale: 2.0, ..ImportOptions::default() };
    let turned = document::scene(file.read_with(&turned).unwrap());
    assert_eq!(turned.links[0].to, [2.0, 2.0, -8.0]);
}

#[test]
fn half_a_pair_is_warned_of_and_a_link_to_nowhere_is_an_error() {
    let file = with_empties(json!([
        {"name": "a.link_a"},
        {"name": "b.link_to"},
        {"name": "c.link_from"},
        {"name": "c.link_to", "translation": [1, 0, 0]},
        {"name": "c.link_to", "translation": [2, 0, 0]},
    ]));
    let read = file.read().unwrap();
    assert_eq!(codes(&read), ["link-without-partner"; 3]);
    assert!(document::scene(read).links.is_empty());
    let link = |to: &str| json!([{"name": "a", "extras": {"navbake_link": to}}, {"name": "b"}, {"name": "b"}]);
    with_empties(link("nobody")).refused("/nodes/1");
    with_empties(link("b")).refused("/nodes/1");
}

const COLOURS: [Colour; 3] = [
    Colour { rgb: [0, 128, 0], ground: Some(0) },
    Colour { rgb: [200, 200, 200], ground: Some(7) },
    Colour { rgb: [0, 0, 0], ground: None },
];

/// Writes a picture and reads it as the terrain of a map.
fn pictured(
    size: [u32; 2],
    (kind, depth): (png::ColorType, png::BitDepth),
    palette: Option<Vec<u8>>,
    texels: &[u8],
    map: [u32; 2],
) -> Result<Vec<Option<u8>>, navbake_import::ImportError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ground.png");
    let file = std::fs::File::create(&path).unwrap();
    let mut encoder = png::Encoder::new(file, size[0], size[1]);
    encoder.set_color(kind);
    encoder.set_depth(depth);
    if let Some(palette) = palette {
        encoder.set_palette(palette);
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(texels).unwrap();
    writer.finish().unwrap();
    read_terrain(
        &path,
        &TerrainImage { width: map[0], height: map[1], beside: None, colours: &COLOURS },
    )
}

#[test]
fn every_kind_of_png_gives_the_same_terrain() {
    use png::{
        BitDepth::{Eight, Four, Sixteen},
        ColorType::{Grayscale, Indexed, Rgb, Rgba},
    };
    let size = [3, 2];
    let numbers = [0usize, 1, 2, 2, 0, 1];
    let expected: Vec<Option<u8>> = numbers.iter().map(|&n| COLOURS[n].ground).collect();
    let of = |texel: fn([u8; 3]) -> Vec<u8>| -> Vec<u8> {
        numbers.iter().flat_map(|&n| texel(COLOURS[n].rgb)).collect()
    };
    let palette: Vec<u8> = COLOURS.iter().flat_map(|c| c.rgb).collect();
    let read = |kind, palette, texels: &[u8]| pictured(size, kind, palette, texels, size).unwrap();
    assert_eq!(read((Rgb, Eight), None, &of(|c| c.to_vec())), expected);
    assert_eq!(read((Rgba, Eight), None, &of(|[r, g, b]| vec![r, g, b, 255])), expected);
    let wide = of(|c| c.iter().flat_map(|&v| [v, 17]).collect());
    assert_eq!(read((Rgb, Sixteen), None, &wide), expected);
    let flat: Vec<u8> = numbers.iter().map(|&n| n as u8).collect();
    assert_eq!(read((Indexed, Eight), Some(palette.clone()), &flat), expected);
    assert_eq!(read((Indexed, Four), Some(palette), &[0x01, 0x20, 0x20, 0x10]), expected);
    assert_eq!(read((Grayscale, Eight), None, &[0, 200, 0, 200, 0, 0])[1], Some(7));
}

#[test]
fn wrong_sizes_unknown_colours_and_damaged_pictures_are_reported_with_their_place() {
    use png::{
        BitDepth::Eight,
        ColorType::{Rgb, Rgba},
    };
    let error = pictured([2, 1], (Rgb, Eight), None, &[0; 6], [1, 2]).unwrap_err();
    assert_eq!(error.place, "the header");
    assert!(error.finding.contains("2 x 1 texels, and the map 1 x 2 cells"), "{error}");
    let texels = [0, 0, 0, 0, 128, 0, 0, 0, 0, 1, 128, 0];
    let error = pictured([2, 2], (Rgb, Eight), None, &texels, [2, 2]).unwrap_err();
    assert_eq!(error.place, "column 2, row 2");
    assert!(error.finding.contains("#018000"), "{error}");
    assert!(error.cure.contains("nearest that is known is #008000"), "{error}");
    let error = pictured([1, 1], (Rgba, Eight), None, &[0, 0, 0, 200], [1, 1]).unwrap_err();
    assert!(error.finding.contains("transparent"), "{error}");
    assert_eq!(error.kind, ImportErrorKind::BadInput);

    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/battlefield/");
    let sound = std::fs::read(format!("{root}battlefield.png")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ground.png");
    let wanted = TerrainImage { width: 64, height: 48, beside: None, colours: &COLOURS };
    for length in (0..sound.len()).step_by(37) {
        std::fs::write(&path, &sound[..length]).unwrap();
        assert!(read_terrain(&path, &wanted).is_err(), "{length}");
    }
    let missing = read_terrain(&folder.path().join("none.png"), &wanted).unwrap_err();
    assert_eq!(missing.kind, ImportErrorKind::Io);
    assert!(read(&folder.path().join("none.txt"), &ImportOptions::default()).is_err());
}

/// The picture with another size in its header, and the right checksum of that.
fn resized(mut png: Vec<u8>, size: [u32; 2]) -> Vec<u8> {
    for (at, side) in [(16, size[0]), (20, size[1])] {
        png[at..at + 4].copy_from_slice(&side.to_be_bytes());
    }
    let mut rest = !0u32;
    for byte in &png[12..29] {
        rest ^= u32::from(*byte);
        for _ in 0..8 {
            rest = (rest >> 1) ^ (0xEDB8_8320 & (rest & 1).wrapping_neg());
        }
    }
    png[29..33].copy_from_slice(&(!rest).to_be_bytes());
    png
}

#[test]
fn pictures_that_unpack_to_much_take_little_memory() {
    const SIDE: u32 = 8192;
    const MUCH: usize = (SIDE * SIDE) as usize;
    let written = |fill: &dyn Fn(&mut png::Info<'_>), text: bool, side: u32| {
        let mut info = png::Info::with_size(side, side);
        info.color_type = png::ColorType::Grayscale;
        fill(&mut info);
        let mut bytes = vec![];
        let mut encoder = png::Encoder::with_info(&mut bytes, info).unwrap();
        if text {
            encoder.add_ztxt_chunk("Comment".into(), "a".repeat(MUCH)).unwrap();
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&vec![0; (side * side) as usize]).unwrap();
        writer.finish().unwrap();
        bytes
    };
    let texels = written(&|_| (), false, SIDE);
    let text = written(&|_| (), true, 2);
    let profile = written(&|info| info.icc_profile = Some(vec![0; MUCH].into()), false, 2);
    let (wide, tall) =
        (resized(text.clone(), [i32::MAX as u32; 2]), resized(text.clone(), [2, 1 << 30]));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ground.png");
    let map = TerrainImage { width: 2, height: 2, beside: None, colours: &COLOURS };
    for (name, png, is_sound) in [
        ("texels", resized(texels, [2, 2]), None),
        ("text", text, Some(true)),
        ("profile", profile, None),
        ("wide", wide, Some(false)),
        ("tall", tall, Some(false)),
    ] {
        assert!(png.len() < MUCH / 100, "{name}: {} bytes", png.len());
        std::fs::write(&path, png).unwrap();
        let before = allocations::bytes();
        let read = read_terrain(&path, &map);
        let taken = allocations::bytes() - before;
        assert!(taken < MUCH / 8, "{name}: {taken} bytes");
        if let Some(is_sound) = is_sound {
            assert_eq!(read.is_ok(), is_sound, "{name}: {read:?}");
        }
    }
}

#[test]
fn digits_and_letters_of_a_tile_grid_are_terrains() {
    let read = |rows: &str| {
        let text = format!("1\n4\n1\n{rows}\n");
        read_bytes(
            text.into_bytes(),
            Format::by_extension("txt").unwrap(),
            "t.txt".as_ref(),
            &ImportOptions::default(),
        )
    };
    let navbake_level::Source::Grid(map) = read(".9Wx").unwrap().source else {
        panic!("a grid map")
    };
    assert_eq!(map.terrain, [0, 9, 32, 0]);
    assert_eq!(map.free, [true, true, true, false]);
    let error = read("0a..").unwrap_err();
    assert_eq!(error.place, "line 4, column 2");
    assert!(error.cure.contains("a digit or a letter A to W"), "{error}");
}

#[test]
fn triangles_have_the_number_that_all_their_corners_share() {
    // Two triangles over the corners 0 1 2 and 0 2 3.
    for (stored, expected) in [
        ([3, 3, 3, 7], [Some(3), None]),
        ([3, 3, 3, 3], [Some(3), Some(3)]),
        ([0, 0, 0, 0], [Some(0), Some(0)]),
        ([1, 2, 3, 4], [None, None]),
    ] {
        let with = |file: &mut File, accessor: usize| {
            file.json["meshes"][0]["primitives"][0]["attributes"]["_AREA"] = json!(accessor);
            let scene = file.scene();
            let parts = scene.triangle_parts.iter();
            let mut found: Vec<Option<u16>> =
                parts.map(|&p| scene.parts[p as usize].attribute).collect();
            found.sort();
            let mut expected = expected.to_vec();
            expected.sort();
            assert_eq!(found, expected, "{stored:?}");
        };
        let mut file = nested();
        let whole = file.indices(&stored);
        with(&mut file, whole);
        let mut file = nested();
        let floats = file.floats("SCALAR", &stored.map(f32::from));
        with(&mut file, floats);
    }
    // Values that are not whole numbers are ignored.
    let mut file = nested();
    let odd = file.floats("SCALAR", &[2.5, 2.5, 2.5, 2.5]);
    file.json["meshes"][0]["primitives"][0]["attributes"]["_AREA"] = json!(odd);
    assert_eq!(file.scene().parts[0].attribute, None);
    assert_eq!(nested().scene().parts[0].attribute, None);

    let mut file = nested();
    let few = file.indices(&[1, 1]);
    file.json["meshes"][0]["primitives"][0]["attributes"]["_AREA"] = json!(few);
    let error = file.refused(&format!("/accessors/{few}"));
    assert!(error.contains("`_AREA` has 2 elements, and the positions have 4"), "{error}");
    let mut file = nested();
    file.json["meshes"][0]["primitives"][0]["attributes"]["_AREA"] = json!(0);
    let error = file.refused("/accessors/0");
    assert!(error.contains("a whole number from 0 to 65535"), "{error}");
    let mut file = nested();
    file.json["meshes"][0]["primitives"][0]["attributes"]["_AREA"] = json!(99);
    file.refused("/meshes/0/primitives/0/attributes/_AREA");
}
