//! Triangles of the level's file behind polygons.
#![cfg(feature = "write")]

use navbake_format::write::{BlobParts, ClassSources, EncodeError, MeshParts, SourcePart, encode};
use navbake_format::{Blob, PolyId, Section, Source};
use proptest::prelude::*;

const NONE: u32 = u32::MAX;
const PARTS: [SourcePart<'static>; 2] = [
    SourcePart { node: "hall/floor", mesh: "plane", material: "stone" },
    SourcePart { node: "hall/steps", mesh: "", material: "stone" },
];

/// Three triangles apart from each other.
fn with(sources: &[ClassSources<'_>]) -> Result<Vec<u8>, EncodeError> {
    let corners = |k: i32| [[k, 0, 0], [k, 0, 1024], [k + 1024, 0, 0]];
    let vertices: Vec<[i32; 3]> = (0..3).flat_map(|k| corners(4096 * k)).collect();
    encode(&BlobParts {
        source_parts: &PARTS,
        meshes: &[MeshParts {
            vertices: &vertices,
            first_edge: &[0, 3, 6, 9],
            corners: &[0, 1, 2, 3, 4, 5, 6, 7, 8],
            neighbours: &[NONE; 9],
            islands: &[0, 1, 2],
            ..MeshParts::default()
        }],
        sources,
        ..BlobParts::default()
    })
}

const ENDS: [u32; 3] = [2, 2, 5];
const TRIANGLES: [(u32, u32); 5] = [(0, 7), (1, 0), (0, 3), (0, 7), (1, 2)];

fn add(ends: &[u32], triangles: &[(u32, u32)]) -> Result<Vec<u8>, EncodeError> {
    let own = ClassSources { class: 0, ends, triangles };
    with(&[own])
}

#[test]
fn sources_come_back_polygon_by_polygon_with_the_names_of_their_objects() {
    let bytes = add(&ENDS, &TRIANGLES).unwrap();
    let blob = Blob::open_checked(&bytes).unwrap();
    let mesh = blob.decode(0).unwrap().leak();
    let of = |p: u32| blob.sources(&mesh, PolyId(p)).collect::<Vec<Source>>();
    let source = |part: usize, triangle: u32| {
        let SourcePart { node, mesh, material } = PARTS[part];
        Source { node, mesh, material, triangle }
    };
    assert_eq!(of(0), [source(0, 7), source(1, 0)]);
    assert_eq!(of(1), []);
    assert_eq!(of(2), [source(0, 3), source(0, 7), source(1, 2)]);
    assert_eq!(of(3), []);
    assert_eq!(of(NONE), []);
}

#[test]
fn readers_may_skip_them() {
    let bytes = add(&ENDS, &TRIANGLES).unwrap();
    let blob = Blob::open(&bytes).unwrap();
    let sections = [Section::SOURCE_PARTS, Section::SOURCE_ENDS, Section::SOURCES];
    let found: Vec<Section> =
        (blob.sections()).filter(|s| !s.required).map(|s| s.section).collect();
    assert_eq!(found, sections);
    let bare = with(&[]).unwrap();
    let bare = Blob::open(&bare).unwrap();
    for s in bare.sections() {
        let [own, other] = [&bare, &blob].map(|b| b.section(s.section, s.class).unwrap().1);
        assert_eq!(own, other, "{}", s.section);
    }
}

#[test]
fn sources_that_do_not_belong_to_the_mesh_are_refused() {
    for (ends, triangles) in [
        (&ENDS[..2], &TRIANGLES[..2]),
        (&[2, 1, 5][..], &TRIANGLES[..]),
        (&[2, 2, 6], &TRIANGLES),
        (&[2, 2, 4], &TRIANGLES),
        (&ENDS, &[(0, 7), (2, 0), (0, 3), (0, 7), (1, 2)]),
    ] {
        let error = add(ends, triangles).unwrap_err();
        assert!(matches!(error, EncodeError::Unsound(_)), "{error}");
        assert!(error.to_string().contains("sources") || error.to_string().contains("source-ends"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_sources_are_refused_or_make_sense(at in any::<prop::sample::Index>(), value in any::<u8>()) {
        let mut bytes = add(&ENDS, &TRIANGLES).unwrap();
        let place = at.index(bytes.len());
        bytes[place] = value;
        // The checksum finds every change; this test looks at the records.
        if let Ok(blob) = Blob::open(&bytes)
            && let Ok(blob) = blob.validate()
            && let Ok(mesh) = blob.decode(0).map(|nav| nav.leak())
        {
            let count: usize = (0..mesh.polygon_count()).map(|p| blob.sources(&mesh, PolyId(p)).count()).sum();
            prop_assert!(count <= TRIANGLES.len());
        }
    }
}
