//! Files of levels: read and sound, or refused with one message.

use std::path::Path;

use navbake_import::{
    Colour, Format, HeightMapSettings, Import, ImportError, ImportOptions, Nonfinite, Simplify,
    TerrainImage, Up, read_bytes, read_terrain,
};
use navbake_level::Source;

/// Memory that a level may take, however it asks for it: far below the limit of the fuzzer.
const MEMORY: u64 = 64 << 20;

fn read(data: &[u8], extension: &str) {
    let (how, bytes) = match data.split_last() {
        Some((&how, bytes)) => (how, bytes),
        None => (0, data),
    };
    let options = ImportOptions {
        up: if how & 1 == 0 { Up::Y } else { Up::Z },
        scale: if how & 2 == 0 { 1.0 } else { 0.0254 },
        nonfinite: if how & 4 == 0 { Nonfinite::Refuse } else { Nonfinite::Drop },
        allow_empty: how & 8 != 0,
        memory: Some(MEMORY),
        outside: false,
        terrains: usize::from(how >> 4),
        heightmap: HeightMapSettings { heights: Some([0.0, 100.0]), ..Default::default() },
        simplify: (how & 16 != 0).then_some(Simplify { error: 0.05, least_up: 0.5 }),
        unknown_is_free: false,
    };
    let format = Format::by_extension(extension).expect("a format of navbake");
    let path = format!("/dev/null/level.{extension}");
    match read_bytes(bytes.to_vec(), format, path.as_ref(), &options) {
        Ok(import) => {
            crate::worked();
            check_sound(&import);
        }
        Err(error) => check_message(&error),
    }
}

fn check_sound(import: &Import) {
    match &import.source {
        Source::Scene(scene) => {
            assert_eq!(scene.triangles.len(), scene.triangle_parts.len());
            assert!(scene.triangles.iter().flatten().all(|&i| (i as usize) < scene.vertices.len()));
            assert!(scene.triangle_parts.iter().all(|&p| (p as usize) < scene.parts.len()));
            assert!(scene.vertices.iter().flatten().all(|c| c.is_finite()));
            assert!(scene.markers.iter().flat_map(|m| m.position).all(f64::is_finite));
        }
        Source::Grid(map) => {
            let cells = map.width as usize * map.height as usize;
            assert_eq!(map.free.len(), cells);
            assert!(map.terrain.is_empty() || map.terrain.len() == cells);
            assert!(map.cell.is_finite() && map.cell > 0.0);
        }
    }
    for warning in &import.warnings {
        check_text(&warning.message);
    }
}

fn check_message(error: &ImportError) {
    assert!(!error.place.is_empty(), "no place: {error}");
    assert!(!error.finding.is_empty() && !error.cure.is_empty(), "{error}");
    check_text(&error.to_string());
}

/// What people read has one line. Control characters are shown when it is printed.
fn check_text(text: &str) {
    assert!(!text.contains('\n'), "{text:?}");
}

pub fn obj(data: &[u8]) {
    read(data, "obj");
}

pub fn glb(data: &[u8]) {
    read(data, "glb");
}

pub fn gltf(data: &[u8]) {
    read(data, "gltf");
}

/// Maps of squares and hexagons.
pub fn map(data: &[u8]) {
    read(data, "map");
}

/// Height maps, with and without a header.
pub fn heights(data: &[u8]) {
    let is_picture = data.starts_with(b"\x89PNG");
    read(data, if is_picture { "png" } else { "r16" });
}

/// Grids as text.
pub fn tiles(data: &[u8]) {
    read(data, "txt");
}

/// Black, white, and the colours of the seed.
const PALETTE: [u32; 12] = [
    0x00_0000, 0xFF_FFFF, 0x0B_5D1E, 0x2E_8B3D, 0xA8_C66C, 0xE6_C97A, 0xA0_825A, 0x70_6868,
    0x40_4048, 0xC0_9860, 0x5A_6B4A, 0x2A_6FB0,
];

/// A picture of terrain, for a map of the size that its header says, if that is small.
pub fn png(data: &[u8]) {
    let number = |at: usize| -> Option<u32> {
        Some(u32::from_be_bytes(data.get(at..at + 4)?.try_into().ok()?))
    };
    let side = |at| number(at).map_or(1, |n| n.clamp(1, 512));
    let colours = PALETTE.map(|rgb| Colour {
        rgb: rgb.to_be_bytes()[1..].try_into().expect("three bytes"),
        ground: (rgb != 0).then_some(1),
    });
    let image = TerrainImage { width: side(16), height: side(20), beside: None, colours: &colours };
    let file = std::env::temp_dir().join(format!("navbake-fuzz-{}.png", std::process::id()));
    let file = match Path::new("/dev/shm").is_dir() {
        true => Path::new("/dev/shm").join(file.file_name().expect("a name")),
        false => file,
    };
    std::fs::write(&file, data).expect("a folder for temporary files");
    match read_terrain(&file, &image) {
        Ok(cells) => {
            crate::worked();
            assert_eq!(cells.len(), image.width as usize * image.height as usize);
            assert!(cells.iter().all(|cell| matches!(cell, None | Some(1))));
        }
        Err(error) => check_message(&error),
    }
}
