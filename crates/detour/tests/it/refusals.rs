//! Damaged files are refused with a place, and none panics or takes memory it should not.

use navbake_detour::{RefWidth, Settings, read, write};
use navbake_geom::Grid;
use navbake_mesh::given;
use navbake_testkit::Random;

use crate::{LEVELS, baked};

/// Where a tile begins in a file with 32-bit references.
const TILE: usize = 48;

/// A file of one tile with connections.
fn sound() -> Vec<u8> {
    let nav = baked(LEVELS[4]);
    write(&nav.mesh(), &Settings::new(&nav.mesh(), 0)).unwrap().bytes
}

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// Where the sections of the tile are: vertices, polygons, links, details, detail vertices, detail
/// triangles, nodes, connections.
fn sections(bytes: &[u8]) -> [usize; 8] {
    let count = |k: usize| number(bytes, TILE + 24 + 4 * k);
    let sizes = [(1, 12), (0, 32), (2, 12), (3, 12), (4, 12), (5, 4), (6, 16), (7, 36)];
    let mut at = TILE + 100;
    sizes.map(|(k, size)| {
        let here = at;
        at += count(k) * size;
        here
    })
}

/// The error of a file after a change.
fn refused(change: impl Fn(&mut Vec<u8>)) -> String {
    let mut bytes = sound();
    change(&mut bytes);
    read(&bytes).expect_err("damage").to_string()
}

fn put(at: usize, value: i32) -> impl Fn(&mut Vec<u8>) {
    move |bytes| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes())
}

fn assert_names(error: &str, words: &[&str]) {
    for word in words {
        assert!(error.contains(word), "{word} is not in: {error}");
    }
    assert!(error.contains("; "), "no cure: {error}");
}

#[test]
fn recastnavigation_829_short_data() {
    let all = sound().len();
    for length in [0, 3, 39, 47, 60, 147, 148, 1000, all - 1] {
        let error = refused(|bytes| bytes.truncate(length));
        assert!(error.contains("; "), "{length}: {error}");
    }
    assert_names(&refused(|b| b.truncate(all - 1)), &["tile 0", "dataSize"]);
    assert_names(&refused(|b| b.push(0)), &["end", "1 bytes after"]);
}

#[test]
fn recastnavigation_830_link_counts_of_nothing_below_nothing_and_far_above() {
    for count in [0, -1, i32::MIN] {
        assert_names(&refused(put(TILE + 32, count)), &["tile 0", "maxLinkCount"]);
    }
    assert_names(&refused(put(TILE + 32, i32::MAX)), &["tile 0", "counts", "dataSize"]);
}

#[test]
fn recastnavigation_831_and_833_connections_of_other_polygons() {
    let at = sections(&sound())[7] + 28;
    for polygon in [0u16, 1, u16::MAX] {
        let error =
            refused(|b: &mut Vec<u8>| b[at..at + 2].copy_from_slice(&polygon.to_le_bytes()));
        assert_names(&error, &["tile 0", "off-mesh connection 0", "polygon"]);
    }
    let side = refused(|b: &mut Vec<u8>| b[at + 3] = 8);
    assert_names(&side, &["off-mesh connection 0", "side 8"]);
}

#[test]
fn recastnavigation_832_and_834_height_triangles_out_of_range_or_without_an_outline() {
    let bytes = sound();
    let [_, _, _, details, _, triangles, nodes, _] = sections(&bytes);
    for (at, words) in [(details, "detail vertices"), (details + 4, "detail triangles")] {
        assert_names(&refused(put(at, -1)), &["tile 0", "polygon 0", words]);
    }
    let none = refused(|b: &mut Vec<u8>| b[details + 9] = 0);
    assert_names(&none, &["polygon 0", "detail triangles"]);
    let corner = refused(|b: &mut Vec<u8>| b[triangles] = 255);
    assert_names(&corner, &["polygon 0", "detail triangle 0", "255"]);
    let outline = refused(|b: &mut Vec<u8>| {
        b[triangles..nodes].chunks_exact_mut(4).for_each(|t| t[3] = 0);
    });
    assert_names(&outline, &["polygon 0", "outline"]);
}

#[test]
fn recastnavigation_835_corners_and_neighbours_out_of_range() {
    let at = sections(&sound())[1];
    let word = |at: usize, value: u16| {
        refused(move |b: &mut Vec<u8>| b[at..at + 2].copy_from_slice(&value.to_le_bytes()))
    };
    assert_names(&word(at + 4, u16::MAX), &["polygon 0", "corner 0", "65535"]);
    assert_names(&word(at + 16, 0x7fff), &["polygon 0", "neighbour 0"]);
    assert_names(&word(at + 16, 0x8001), &["polygon 0", "neighbour 0", "0x8001"]);
    for corners in [0, 2, 7, 255] {
        assert_names(&refused(|b: &mut Vec<u8>| b[at + 30] = corners), &["polygon 0", "vertCount"]);
    }
    assert_names(&refused(|b: &mut Vec<u8>| b[at + 31] |= 64), &["polygon 0", "type 1"]);
}

#[test]
fn recastnavigation_837_numbers_that_are_no_numbers_or_leave_16_bits() {
    for bits in [f32::NAN.to_bits(), f32::INFINITY.to_bits(), 1e30f32.to_bits()] {
        let bits = bits as i32;
        assert_names(&refused(put(TILE + 72, bits)), &["tile 0", "bmin"]);
        assert_names(&refused(put(TILE + 96, bits)), &["tile 0", "bvQuantFactor"]);
        assert_names(&refused(put(TILE + 100, bits)), &["tile 0", "vertex 0"]);
        assert_names(&refused(put(24, bits)), &["tileWidth"]);
    }
    let factor = refused(put(TILE + 96, 1e6f32.to_bits() as i32));
    assert_names(&factor, &["bvQuantFactor", "65533"]);
    let inverted = refused(put(TILE + 84, (-1e5f32).to_bits() as i32));
    assert_names(&inverted, &["bmin", "above bmax"]);
    // Queries would walk 10^38 cells.
    assert_names(&refused(put(24, 1e-38f32.to_bits() as i32)), &["tileWidth", "below 0.1"]);
}

#[test]
fn recastnavigation_838_counts_and_cells_whose_sums_overflow() {
    for at in [24, 28, 36, 40, 44, 48, 52, 56] {
        for value in [i32::MAX, i32::MIN, -1] {
            let error = refused(put(TILE + at, value));
            assert!(error.starts_with("tile 0, ") && error.contains("; "), "{at}: {error}");
        }
    }
    for (at, name) in [(8, "x"), (12, "y")] {
        assert_names(&refused(put(TILE + at, i32::MAX)), &["tile 0", name]);
        assert_names(&refused(put(TILE + at, i32::MIN)), &["tile 0", name]);
    }
    for (at, name) in [(8, "numTiles"), (32, "maxTiles"), (36, "maxPolys")] {
        assert_names(&refused(put(at, -1)), &[name]);
    }
    assert_names(&refused(put(32, 1 << 24)), &["maxTiles and maxPolys", "22"]);
}

#[test]
fn recastnavigation_839_sections_that_do_not_fit_in_the_data() {
    let bytes = sound();
    let vertices = number(&bytes, TILE + 28) as i32;
    assert_names(&refused(put(TILE + 28, vertices + 1)), &["tile 0", "counts", "dataSize"]);
    let nodes = sections(&bytes)[6];
    assert_names(&refused(put(nodes + 12, i32::MIN)), &["BV node 0", "out of the tree"]);
    assert_names(&refused(put(nodes + 12, i32::MAX)), &["BV node 0"]);
}

#[test]
fn other_files_are_named_with_the_cure() {
    let with = |word: &[u8; 4]| {
        let word = *word;
        refused(move |bytes| bytes[..4].copy_from_slice(&word))
    };
    assert_names(&with(b"TEST"), &["TSET", "voxels", "exportNavMesh"]);
    assert_names(&with(b"MSET"), &["swapped", "little-endian"]);
    assert_names(&with(b"VAND"), &["one tile"]);
    assert_names(&with(b"navb"), &["no MSET file"]);
    assert_names(&refused(put(4, 2)), &["version", "2"]);
    assert_names(&refused(put(40, 0)), &["tile 0", "tileRef"]);
}

#[test]
fn mutated_files_never_panic_and_what_is_taken_is_sound() {
    let nav = baked(LEVELS[4]);
    let usual = Settings::new(&nav.mesh(), 0);
    let files = [
        Settings { piece_size: None, ..usual.clone() },
        Settings { tile_size: Some(9.0), ..usual.clone() },
        Settings { tile_size: Some(16.0), refs: RefWidth::Bits64, ..usual },
    ]
    .map(|settings| write(&nav.mesh(), &settings).unwrap().bytes);
    let mut random = Random(11);
    let grid = Grid { bits: 10, origin: [0.0; 3] };
    let (mut taken, mut refused) = (0, 0);
    for round in 0..6000 {
        let mut bytes = files[round % files.len()].clone();
        for _ in 0..1 + random.below(3) {
            // Headers of the file and of tiles as often as all the rest.
            let reach = if random.below(2) == 0 { 160.min(bytes.len()) } else { bytes.len() };
            let at = random.below(reach);
            match random.below(4) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = random.next() as u8,
                2 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
                _ => {
                    bytes.truncate(at.max(1));
                }
            }
        }
        match read(&bytes) {
            Err(_) => refused += 1,
            Ok(tiles) => {
                taken += 1;
                let ground = tiles.ground();
                let level =
                    navbake_detour::level(ground, &Default::default(), "level.bin".as_ref());
                let (mesh, _) = given(&level.polygons, &grid);
                mesh.check().expect("a sound mesh");
            }
        }
    }
    assert!(taken > 500 && refused > 500, "{taken} taken, {refused} refused");
}
