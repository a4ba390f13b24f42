//! Edges in bits and codes: they come out as they went in, and damaged ones are refused or do no
//! harm.
#![cfg(feature = "write")]

use navbake_format::write::MeshParts;
use navbake_format::{Blob, PolyId, Section};
use proptest::prelude::*;

use crate::support::{NONE, one};

/// A bar with squares along one side, each the neighbour of the bar.
fn comb(squares: u32) -> Vec<u8> {
    let n = squares as i32;
    let mut vertices: Vec<[i32; 3]> =
        (0..=n).flat_map(|i| [[i * 9, 0, 0], [i * 9, 1, 9]]).collect();
    vertices.extend([[0, 0, -99], [n * 9, 0, -99]]);
    let bar_end = 2 * squares + 2;
    let (mut first_edge, mut corners, mut neighbours) = (vec![0], vec![], vec![]);
    for i in 0..squares {
        corners.extend([2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2]);
        let before = i.checked_sub(1).unwrap_or(NONE);
        let after = if i + 1 < squares { i + 1 } else { NONE };
        neighbours.extend([before, NONE, after, squares]);
        first_edge.push(corners.len() as u32);
    }
    corners.push(bar_end);
    neighbours.push(NONE);
    for i in 0..=squares {
        corners.push(2 * i);
        neighbours.push(if i < squares { i } else { NONE });
    }
    corners.push(bar_end + 1);
    neighbours.push(NONE);
    first_edge.push(corners.len() as u32);
    one(MeshParts {
        vertices: &vertices,
        first_edge: &first_edge,
        corners: &corners,
        neighbours: &neighbours,
        islands: &vec![7; squares as usize + 1],
        ..MeshParts::default()
    })
    .unwrap() // which checks that every portal leads to its square and back
}

#[test]
fn codes_of_one_byte_reach_far_and_groups_with_too_much_that_is_far_do_without_them() {
    for (squares, code, far) in
        [(13, 1, 0..=0), (40, 1, 1..=1), (150, 1, 20..=128), (400, 4, 1..=1)]
    {
        let bytes = comb(squares);
        let blob = Blob::open(&bytes).unwrap();
        let (edges, _) = blob.section(Section::EDGES, 0).unwrap();
        let entries = blob.section(Section::FAR, 0).map_or(0, |(info, _)| info.count);
        assert_eq!(edges.element_size, code, "{squares}");
        assert!(far.contains(&entries), "{squares}: {entries}");
    }
}

/// All that codes hold is there, in both directions.
fn assert_sound(bytes: &[u8], squares: u32) {
    let mesh = Blob::open_checked(bytes).unwrap().decode(0).unwrap().leak();
    assert_eq!(mesh.polygon_count(), squares + 1);
    let mut edges = 0;
    for p in mesh.polygons() {
        assert_eq!(mesh.edges_of(p.id()), edges..edges + p.len());
        edges += p.len();
        let [x, z] = p.corner(0);
        let ring: Vec<[i32; 3]> = (0..p.len()).map(|k| p.point(k)).collect();
        if z < 0 {
            // The bar: from below its left end to the right, and back along the squares.
            let n = squares as i32;
            let mut own = vec![[0, 0, -99]];
            own.extend((0..=n).map(|i| [i * 9, 0, 0]));
            own.push([n * 9, 0, -99]);
            assert_eq!(ring, own);
            for k in 0..p.len() {
                let beyond = p.neighbour(k).map(|q| mesh.polygon(q).corner(0));
                let is_tooth = (1..=squares).contains(&k);
                assert_eq!(beyond, is_tooth.then(|| [(k as i32 - 1) * 9, 0]), "{k}");
            }
        } else {
            assert_eq!(ring, [[x, 0, 0], [x, 1, 9], [x + 9, 1, 9], [x + 9, 0, 0]]);
            let beyond: Vec<_> =
                (0..4).map(|k| p.neighbour(k).map(|q| mesh.polygon(q).corner(0))).collect();
            let last = 9 * (squares as i32 - 1);
            let [before, after] =
                [(x > 0, x - 9), (x < last, x + 9)].map(|(is, x)| is.then_some([x, 0]));
            assert_eq!(beyond, [before, None, after, Some([0, -99])]);
        }
        for k in 0..p.len() {
            if let Some((q, twin)) = p.across(k) {
                assert_eq!(mesh.polygon(q).across(twin), Some((p.id(), k)));
            }
        }
    }
    assert_eq!(edges, mesh.edge_count());
}

#[test]
fn polygons_with_any_number_of_corners_come_out_as_they_went_in() {
    // With 15 squares the bar has 18 corners, the first number that is distinguished; bits of more
    // than 56 are looked up anew.
    for squares in [1, 13, 14, 15, 16, 17, 53, 54, 55, 56, 120, 127, 128, 300, 1000] {
        assert_sound(&comb(squares), squares);
    }
}

/// The bytes of a section, and where they begin.
fn section(bytes: &[u8], section: Section) -> Option<std::ops::Range<usize>> {
    let (info, _) = Blob::open(bytes).unwrap().section(section, 0)?;
    let begin = info.offset as usize;
    Some(begin..begin + info.len() as usize)
}

/// Calls every accessor that is allowed on a mesh whose bytes passed validation.
fn ask(bytes: &[u8]) -> bool {
    let Ok(checked) = Blob::open_checked(bytes) else {
        return false;
    };
    let mesh = checked.decode(0).unwrap().leak();
    for p in mesh.polygons() {
        for k in 0..p.len() {
            assert!(p.vertex(k).0 < mesh.vertex_count());
            if let Some(n) = p.neighbour(k) {
                assert!(n.0 < mesh.polygon_count());
                let (q, twin) = p.across(k).expect("a portal back");
                assert_eq!(mesh.polygon(q).neighbour(twin), Some(p.id()));
            }
            assert_eq!(p.corner_at(p.corner(k)), Some(k));
        }
        let mut found = false;
        let at = p.point(0).map(i64::from);
        mesh.index().for_each_in(at, at, |q| found |= q == p.id());
        assert!(found, "the index holds every polygon");
    }
    assert!(mesh.polygon(PolyId(mesh.polygon_count())).is_empty());
    true
}

#[test]
fn every_damaged_byte_of_edges_and_boxes_is_refused_or_harmless() {
    let (mut refused, mut passed) = (0, 0);
    for squares in [20, 150] {
        let bytes = comb(squares);
        for kind in [
            Section::MESH,
            Section::VERTEX_BLOCKS,
            Section::POLYGONS,
            Section::EDGES,
            Section::INDEX,
            Section::FAR,
        ] {
            let Some(range) = section(&bytes, kind) else {
                continue;
            };
            for at in range.step_by(if squares > 99 { 7 } else { 1 }) {
                for value in [0, 17, 127, 128, bytes[at] ^ 1, bytes[at] ^ 64] {
                    let mut damaged = bytes.clone();
                    damaged[at] = value;
                    match ask(&damaged) {
                        true => passed += 1,
                        false => refused += 1,
                    }
                }
            }
        }
    }
    assert!(refused > 1500 && passed > 150, "{refused} {passed}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn several_damaged_bytes_are_refused_or_harmless(
        squares in 1u32..60,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let mut bytes = comb(squares);
        // Behind the header and the section table, which other tests damage.
        let begin = section(&bytes, Section::MESH).unwrap().start;
        let len = bytes.len() - begin;
        for (at, value) in damage {
            bytes[begin + at.index(len)] = value;
        }
        ask(&bytes);
    }
}
