//! Blobs are decoded as they were encoded, and damaged bytes give an error with their location.
#![cfg(feature = "write")]

use navbake_format::write::{
    AgentParts, BlobParts, EncodeError, MarkerParts, MeshParts, OtherSection, encode,
};
use navbake_format::{Blob, BlobError, MAGIC, PolyId, Section, UpAxis, VertexId};

const NONE: u32 = u32::MAX;

/// Two squares side by side, and a triangle on its own.
const MESH: MeshParts<'_> = MeshParts {
    vertices: &[
        [0, 0, 0],
        [0, 1, 10],
        [10, 2, 10],
        [10, 3, 0],
        [20, 4, 10],
        [20, 5, 0],
        [100, 0, 0],
        [100, 0, 50],
        [150, 0, 0],
    ],
    first_edge: &[0, 4, 8, 11],
    corners: &[0, 1, 2, 3, 2, 4, 5, 3, 6, 7, 8],
    neighbours: &[NONE, NONE, 1, NONE, NONE, NONE, NONE, 0, NONE, NONE, NONE],
    islands: &[4, 4, 9],
    height_mesh_of: &[],
    height_meshes: &[],
    areas: &[],
    doors: &[],
    closures: &[],
    links: &[],
    far_links: &[],
    rooms: None,
};

fn parts() -> BlobParts<'static> {
    BlobParts {
        grid_bits: 10,
        origin: [1024.0, 0.0, -2048.0],
        up: UpAxis::Z,
        scale: 0.0254,
        level_hash: [7; 32],
        config_hash: [9; 32],
        agents: &[
            AgentParts {
                name: "default",
                class: 0,
                radius: 0.6,
                height: 2.0,
                climb: 0.9,
                slope: 45.0,
            },
            AgentParts {
                name: "größer",
                class: 1,
                radius: 1.5,
                height: 3.0,
                climb: 0.5,
                slope: 30.0,
            },
        ],
        markers: &[
            MarkerParts { name: "spawn", position: [1.0, 2.0, 3.5] },
            MarkerParts { name: "default", position: [-1.0, 0.0, 1e6] },
        ],
        source_parts: &[],
        config: "cell = 0.3\n",
        summary: "{\"area_m2\":1}",
        meshes: &[
            MESH,
            MeshParts {
                vertices: &[],
                first_edge: &[0],
                corners: &[],
                neighbours: &[],
                islands: &[],
                height_mesh_of: &[],
                height_meshes: &[],
                areas: &[],
                doors: &[],
                closures: &[],
                links: &[],
                far_links: &[],
                rooms: None,
            },
        ],
        switches: &[],
        areas: &[],
        weights: &[],
        grid_map: None,
        vehicles: &[],
        tile_grounds: &[],
        ground_of_vehicle: &[],
        others: &[],
        ..BlobParts::default()
    }
}

#[test]
fn what_goes_in_comes_out() {
    let bytes = encode(&parts()).unwrap();
    let blob = Blob::open(&bytes).unwrap();
    blob.verify_checksum().unwrap();
    let checked = blob.validate().unwrap();
    let header = checked.header();
    assert_eq!((header.version, header.min_reader), (4, 4));
    assert_eq!(header.total_len, bytes.len() as u64);
    assert_eq!((header.grid.bits, header.grid.origin), (10, [1024.0, 0.0, -2048.0]));
    assert_eq!((header.up, header.scale), (UpAxis::Z, 0.0254));
    assert_eq!((header.level_hash, header.config_hash), ([7; 32], [9; 32]));
    let agents: Vec<_> = checked.agents().collect();
    assert_eq!(agents[0].name, "default");
    assert_eq!((agents[1].name, agents[1].class, agents[1].radius), ("größer", 1, 1.5));
    assert_eq!(checked.agent("größer"), Some(agents[1]));
    assert_eq!(checked.agent("nobody"), None);
    let markers: Vec<_> = checked.markers().map(|m| (m.name, m.position)).collect();
    assert_eq!(markers, [("spawn", [1.0, 2.0, 3.5]), ("default", [-1.0, 0.0, 1e6])]);
    assert_eq!((checked.config(), checked.summary()), ("cell = 0.3\n", "{\"area_m2\":1}"));
    assert_eq!(checked.class_count(), 2);

    let mesh = checked.decode_for("default").unwrap().leak();
    assert_eq!((mesh.polygon_count(), mesh.vertex_count()), (3, 9));
    assert_eq!((mesh.edge_count(), mesh.island_count()), (11, 2));
    assert_eq!(mesh.bounds(), [[0, 0, 0], [150, 5, 50]]);
    let found = |corner: [i32; 2]| mesh.polygons().find(|p| p.corner(0) == corner).unwrap();
    let (left, right, triangle) = (found([0, 0]), found([10, 0]), found([100, 0]));
    let ring: Vec<_> = (0..4).map(|k| right.point(k)).collect();
    assert_eq!(ring, [[10, 3, 0], [10, 2, 10], [20, 4, 10], [20, 5, 0]]);
    assert_eq!(left.neighbour(2), Some(right.id()));
    assert_eq!(left.across(2), Some((right.id(), 0)));
    assert_eq!(right.across(0), Some((left.id(), 2)));
    assert_eq!(left.across(1), None);
    assert_eq!(mesh.island(left.id()), mesh.island(right.id()));
    assert_ne!(mesh.island(left.id()), mesh.island(triangle.id()));

    let empty = checked.decode(1).unwrap().leak();
    assert_eq!((empty.polygon_count(), empty.bounds()), (0, [[0; 3]; 2]));
    empty.index().for_each_in([i64::MIN; 3], [i64::MAX; 3], |_| panic!("nothing there"));
    assert!(matches!(checked.decode(2), Err(BlobError::NoClass { class: 2, classes: 2 })));
}

#[test]
fn ids_out_of_range_give_nothing_and_never_panic() {
    let bytes = encode(&parts()).unwrap();
    let mesh = Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak();
    for id in [3, 4, 1 << 20, NONE - 1, NONE] {
        assert!(mesh.polygon(PolyId(id)).is_empty());
        assert_eq!(mesh.polygon(PolyId(id)).corner_at([0, 0]), None);
        assert_eq!(mesh.edges_of(PolyId(id)), 0..0);
        mesh.vertex(VertexId(id));
        mesh.island(PolyId(id));
        mesh.polygon(PolyId(0)).point(id);
        assert_eq!(mesh.polygon(PolyId(id)).across(id), None);
    }
}

#[test]
fn the_order_of_the_input_does_not_change_the_bytes() {
    let shuffled = MeshParts {
        vertices: &[
            [150, 0, 0],
            [20, 5, 0],
            [10, 3, 0],
            [10, 2, 10],
            [777, 7, 7], // not used
            [20, 4, 10],
            [0, 0, 0],
            [100, 0, 50],
            [0, 1, 10],
            [100, 0, 0],
        ],
        first_edge: &[0, 3, 7, 11],
        corners: &[7, 0, 9, 1, 2, 3, 5, 8, 3, 2, 6],
        neighbours: &[NONE, NONE, NONE, NONE, 2, NONE, NONE, NONE, 1, NONE, NONE],
        islands: &[1, 0, 0],
        ..MeshParts::default()
    };
    let original = encode(&parts()).unwrap();
    let meshes = [shuffled, parts().meshes[1]];
    let other = encode(&BlobParts { meshes: &meshes, ..parts() });
    assert_eq!(other.unwrap(), original);
}

#[test]
fn the_documented_bytes_are_there() {
    let bytes = encode(&parts()).unwrap();
    let u16_at = |at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let u64_at = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let f64_at = |at: usize| f64::from_bits(u64_at(at));
    assert_eq!(bytes[..8], MAGIC);
    assert_eq!([u32_at(8), u32_at(12), u32_at(16)], [4, 4, 0]);
    let sections = u32_at(20) as usize;
    assert_eq!(u64_at(24), bytes.len() as u64);
    assert_eq!(bytes[36..40], [10, 1, 0, 0]);
    assert_eq!([f64_at(40), f64_at(48), f64_at(56)], [1024.0, 0.0, -2048.0]);
    assert_eq!(f64_at(64), 0.0254);
    assert_eq!((&bytes[72..104], &bytes[104..136]), (&[7; 32][..], &[9; 32][..]));
    // 5 sections of the blob, 7 of a mesh, and of the empty one that it is there.
    assert_eq!(sections, 13);
    let mut offset = 136 + 12 * sections;
    let mut seen = 0;
    for row in 0..sections {
        let at = 136 + 12 * row;
        assert_eq!(u16_at(at + 4), 1, "required");
        let (size, count) = (u16_at(at + 6), u32_at(at + 8) as usize);
        let content = &bytes[offset..offset + count * usize::from(size)];
        offset += content.len();
        if u16_at(at + 2) != 0 {
            assert_eq!(u16_at(at), 0x0100, "nothing empty");
            continue;
        }
        seen += 1;
        match u16_at(at) {
            // Nine vertices of 7 + 3 + 5 bits, 135 in all: the first is the least corner of the
            // first square, relative to its block.
            0x0101 => assert_eq!((size, count, &content[..2]), (1, 17, &[0; 2][..])),
            0x0102 => assert_eq!((size, &content[..6]), (14, &[0; 6][..])),
            // Four, four and three corners, and nothing before the only group.
            0x0103 => {
                assert_eq!((size, content), (16, &[&[0x11, 0, 0][..], &[0; 13]].concat()[..]))
            }
            0x0104 => assert_eq!((size, content), (1, &EDGES[..])),
            0x0105 => assert_eq!((size, content), (2, &[0, 0, 2, 0][..])),
            // The one box is that around all.
            0x0106 => assert_eq!((size, content), (6, &[0; 6][..])),
            _ => seen -= 1,
        }
    }
    assert_eq!((seen, offset), (6, bytes.len()));
}

/// Bits of the portals, which are edges 2 and 4; the vertices; polygons 1 and 0, counted from 56
/// before the first.
const EDGES: [u8; 15] = [0b1_0100, 0, 0, 1, 2, 3, 3, 2, 4, 5, 6, 7, 8, 57, 56];

#[test]
fn every_truncation_is_an_error() {
    let bytes = encode(&parts()).unwrap();
    for len in 0..bytes.len() {
        assert!(Blob::open(&bytes[..len]).is_err(), "cut to {len} bytes");
    }
}

#[test]
fn rejects_extra_bytes() {
    let mut bytes = encode(&parts()).unwrap();
    bytes.push(0);
    assert!(matches!(Blob::open(&bytes), Err(BlobError::Length { .. })));
    // A total length that agrees does not help.
    let len = bytes.len() as u64;
    bytes[24..32].copy_from_slice(&len.to_le_bytes());
    assert!(Blob::open(&bytes).is_err());
}

#[test]
fn every_flipped_bit_is_found_by_the_checksum() {
    let bytes = encode(&parts()).unwrap();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            let found = Blob::open(&damaged).and_then(|b| {
                let _ = b.validate(); // an error or none, never a panic
                b.verify_checksum()
            });
            assert!(found.is_err(), "byte {at}, bit {bit}");
        }
    }
}

#[test]
fn flipped_header_and_table_bytes_are_errors_or_harmless() {
    let bytes = encode(&parts()).unwrap();
    // Free to change: the checksum, the low bits of floats, hashes.
    let free = |at: usize| (32..36).contains(&at) || (40..136).contains(&at);
    for at in 0..136 + 12 * 13 {
        for value in 0..=255u8 {
            let mut damaged = bytes.clone();
            damaged[at] = value;
            let result = Blob::open_checked(&damaged);
            // Required sections may be called optional, the version may rise as long as old readers
            // are allowed, and grids may differ in scale.
            let flag = at >= 136 && (at - 136) % 12 == 4 && value == 0;
            let version = (8..12).contains(&at) || (at == 12 && (1..4).contains(&value));
            let harmless = free(at) || flag || version || at == 36 || at == 37;
            assert!(damaged == bytes || result.is_err() || harmless, "byte {at} to {value}");
        }
    }
}

#[test]
fn unknown_optional_sections_are_skipped_and_required_ones_refused() {
    let section = |required| OtherSection {
        section: Section(0x7001),
        class: 0,
        required,
        element_size: 3,
        bytes: b"abcdef",
    };
    let with = |required| encode(&BlobParts { others: &[section(required)], ..parts() });
    let bytes = with(false).unwrap();
    let blob = Blob::open_checked(&bytes).unwrap().blob();
    let (info, content) = blob.section(Section(0x7001), 0).unwrap();
    assert_eq!((info.count, info.required, content), (2, false, &b"abcdef"[..]));
    let error = with(true).unwrap_err();
    let EncodeError::Unsound(error) = error else { panic!("{error}") };
    assert_eq!(error, BlobError::UnknownSection { section: Section(0x7001) });
    assert!(error.to_string().contains("update navbake-search"));
}

#[test]
fn a_newer_blob_is_read_when_it_allows_and_refused_with_the_cure_when_not() {
    let mut bytes = encode(&parts()).unwrap();
    bytes[8] = 9;
    assert_eq!(Blob::open(&bytes).unwrap().header().version, 9);
    bytes[12] = 5;
    let error = Blob::open(&bytes).err().unwrap();
    assert_eq!(error, BlobError::TooNew { version: 9, min_reader: 5 });
    assert!(error.to_string().contains("update navbake-search"));
}

#[test]
fn an_older_blob_is_refused_with_the_cure() {
    let mut bytes = encode(&parts()).unwrap();
    (bytes[8], bytes[12]) = (1, 1);
    let error = Blob::open(&bytes).err().unwrap();
    assert_eq!(error, BlobError::TooOld { version: 1 });
    assert!(error.to_string().contains("bake the level again"));
}

#[test]
fn a_transfer_in_text_mode_is_named() {
    let bytes = encode(&parts()).unwrap();
    let text: Vec<u8> = bytes.iter().copied().filter(|&b| b != b'\r').collect();
    let error = Blob::open(&text).err().unwrap();
    assert!(error.to_string().contains("line ends"));
    let error = Blob::open(b"").err().unwrap();
    assert!(error.to_string().contains("cut short"));
}

#[test]
fn sections_are_found_as_the_table_lists_them() {
    let bytes = encode(&parts()).unwrap();
    let checked = Blob::open_checked(&bytes).unwrap();
    let buffers = [0, 1].map(|class| checked.decode(class).unwrap());
    let [first, second] = [0, 1].map(|class| buffers[class].mesh().file().blob());
    for blob in [checked.blob(), first, second] {
        for (kind, class) in (0..0x500).flat_map(|kind| (0..3).map(move |class| (kind, class))) {
            let found = blob.section(Section(kind), class).map(|(info, _)| info);
            let mut all = blob.sections();
            let listed = all.find(|info| (info.section, info.class) == (Section(kind), class));
            assert_eq!(found, listed, "{kind:#x} {class}");
        }
    }
}
