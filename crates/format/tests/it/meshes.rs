//! Meshes that are not sound are refused, by name; large and wide ones come out as they went in.
#![cfg(feature = "write")]

use navbake_format::exact::LIMIT;
use navbake_format::write::{EncodeError, MeshParts};
use navbake_format::{Blob, BlobError, PolyId, Section};
use proptest::prelude::*;

use crate::support::{NONE, one};

/// One polygon without neighbours.
fn polygon(ring: &[[i32; 2]]) -> Result<Vec<u8>, EncodeError> {
    let vertices: Vec<[i32; 3]> = ring.iter().map(|p| [p[0], 0, p[1]]).collect();
    let n = ring.len() as u32;
    one(MeshParts {
        vertices: &vertices,
        first_edge: &[0, n],
        corners: &(0..n).collect::<Vec<_>>(),
        neighbours: &vec![NONE; ring.len()],
        islands: &[0],
        ..MeshParts::default()
    })
}

/// The text of the error that says which record of a section is wrong.
fn refused(result: Result<Vec<u8>, EncodeError>, section: Section) -> String {
    match result {
        Err(EncodeError::Unsound(e @ BlobError::Record { section: s, .. })) => {
            assert_eq!(s, section, "{e}");
            e.to_string()
        }
        other => panic!("expected an error in {section}, got {other:?}"),
    }
}

#[test]
fn only_convex_counter_clockwise_polygons_with_area_pass() {
    let m = LIMIT - 1;
    for good in [
        &[[0, 0], [0, 9], [9, 0]][..],
        &[[9, 9], [9, 0], [0, 0], [0, 9]],
        &[[0, 0], [0, 4], [0, 9], [5, 9], [9, 9], [9, 0]],
        &[[-m, -m], [-m, m], [m, m], [m, -m]],
        &[[0, 0], [1, 9], [9, 12], [12, 9], [9, -1], [5, -2]],
    ] {
        polygon(good).unwrap();
    }
    for bad in [
        &[[0, 0], [9, 0], [0, 9]][..],     // clockwise
        &[[0, 0], [0, 5], [0, 9]],         // no area
        &[[0, 0], [0, 9], [0, 9], [9, 0]], // a corner twice
        &[[0, 0], [0, 9], [3, 3], [9, 0]], // concave
        &[[0, 0], [0, 9], [9, 9], [9, 0], [0, 0], [0, 9], [9, 9], [9, 0]], // twice around
        &[[0, 0], [3, 9], [6, 0], [0, 6], [7, 6]], // a star
        &[[0, 0], [0, 9], [0, 4], [9, 4]], // a spike
    ] {
        let result = polygon(bad);
        assert!(matches!(result, Err(EncodeError::Unsound(_))), "{bad:?}");
    }
    let error = polygon(&[[0, 0], [0, 9]]).unwrap_err().to_string();
    assert!(error.contains("2 entries, expected 3"), "{error}");
    refused(polygon(&[[0, 0], [0, LIMIT], [9, 0]]), Section::VERTICES);
    refused(polygon(&[[-LIMIT, 0], [9 - LIMIT, 9], [9 - LIMIT, 0]]), Section::VERTICES);
}

#[test]
fn portals_must_be_mirrored_with_the_same_segment_and_island() {
    let vertices =
        [[0, 0, 0], [0, 0, 9], [9, 0, 9], [9, 0, 0], [20, 0, 9], [20, 0, 0], [9, 5, 9], [9, 5, 0]];
    let mesh = |corners: &[u32], neighbours: &[u32], islands: &[u32]| {
        one(MeshParts {
            vertices: &vertices,
            first_edge: &[0, 4, 8],
            corners,
            neighbours,
            islands,
            ..MeshParts::default()
        })
    };
    let step = [0, 1, 2, 3, 6, 4, 5, 7];
    let both = [NONE, NONE, 1, NONE, NONE, NONE, NONE, 0];
    mesh(&step, &both, &[3, 3]).unwrap(); // heights may differ: a step
    refused(mesh(&step, &both, &[0, 1]), Section::ISLANDS);
    let one_way = [NONE, NONE, 1, NONE, NONE, NONE, NONE, NONE];
    refused(mesh(&step, &one_way, &[0, 0]), Section::EDGES);
    let wrong_edge = [NONE, NONE, 1, NONE, NONE, 0, NONE, NONE];
    refused(mesh(&step, &wrong_edge, &[0, 0]), Section::EDGES);
    let itself = [NONE, NONE, 0, NONE, NONE, NONE, NONE, NONE];
    refused(mesh(&step, &itself, &[0, 0]), Section::EDGES);
}

#[test]
fn slices_that_do_not_belong_together_are_refused_before_anything_is_read() {
    let good = MeshParts {
        vertices: &[[0, 0, 0], [0, 0, 9], [9, 0, 0]],
        first_edge: &[0, 3],
        corners: &[0, 1, 2],
        neighbours: &[NONE; 3],
        islands: &[0],
        ..MeshParts::default()
    };
    one(good).unwrap();
    for bad in [
        MeshParts { vertices: &[], ..good },
        MeshParts { first_edge: &[], ..good },
        MeshParts { first_edge: &[0], ..good },
        MeshParts { first_edge: &[1, 3], ..good },
        MeshParts { first_edge: &[0, 4], ..good },
        MeshParts { corners: &[0, 1], ..good },
        MeshParts { corners: &[0, 1, 3], ..good },
        MeshParts { neighbours: &[NONE, NONE, 1], ..good },
        MeshParts { neighbours: &[NONE], ..good },
        MeshParts { islands: &[], ..good },
    ] {
        let error = one(bad).unwrap_err();
        assert!(
            matches!(error, EncodeError::Length { .. } | EncodeError::Index { .. }),
            "{bad:?}: {error}"
        );
    }
}

/// A strip of squares that share edges; every second vertex line is a little off.
fn strip(squares: u32, width: i32, wobble: i32) -> Vec<u8> {
    let vertices: Vec<[i32; 3]> = (0..=squares as i32)
        .flat_map(|i| {
            let x = i * width + i % 2 * wobble;
            [
                [x - squares as i32 * width / 2, i % 7, 0],
                [x - squares as i32 * width / 2, i % 5, 60],
            ]
        })
        .collect();
    let corners: Vec<u32> =
        (0..squares).flat_map(|i| [2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2]).collect();
    let neighbours: Vec<u32> = (0..squares)
        .flat_map(|i| {
            let before = i.checked_sub(1).unwrap_or(NONE);
            [before, NONE, if i + 1 < squares { i + 1 } else { NONE }, NONE]
        })
        .collect();
    one(MeshParts {
        vertices: &vertices,
        first_edge: &(0..=squares).map(|i| 4 * i).collect::<Vec<_>>(),
        corners: &corners,
        neighbours: &neighbours,
        islands: &vec![0; squares as usize],
        ..MeshParts::default()
    })
    .unwrap()
}

#[test]
fn records_are_as_small_as_the_mesh_allows() {
    let size = |bytes: &[u8], section| {
        Blob::open(bytes).unwrap().section(section, 0).unwrap().0.element_size
    };
    // Bits of a vertex, on average.
    let bits = |bytes: &[u8]| {
        let blob = Blob::open(bytes).unwrap();
        let (_, data) = blob.section(Section::VERTICES, 0).unwrap();
        let vertices = Blob::open_checked(bytes)
            .unwrap()
            .decode(0)
            .map(|nav| nav.leak())
            .unwrap()
            .vertex_count() as usize;
        data.len() * 8 / vertices
    };
    let small = strip(200, 64, 1);
    assert_eq!(bits(&small), 18);
    assert_eq!(size(&small, Section::POLYGONS), 16);
    assert_eq!(size(&small, Section::EDGES), 1);
    assert_eq!(size(&small, Section::ISLANDS), 2);
    // 400 vertices, 800 edges, 200 polygons: the whole blob at about 15 bytes a polygon.
    assert!(small.len() < 200 * 15, "{}", small.len());
    assert_eq!(bits(&strip(200, 100_001, 1)), 28);
    // Low bits that are zero take no room.
    assert_eq!(bits(&strip(200, 1 << 17, 0)), 12);
    // More polygons than 16 bits count.
    let large = strip(70_000, 64, 0);
    assert_eq!(size(&large, Section::EDGES), 1);
    assert_eq!(size(&large, Section::POLYGONS), 20);
    let mesh = Blob::open_checked(&large).unwrap().decode(0).unwrap().leak();
    assert_eq!(mesh.polygon_count(), 70_000);
}

#[test]
fn vertices_of_more_than_64_bits_are_stored_whole() {
    let m = LIMIT - 1;
    let ring = [[-m, -m, -m], [-m, m, m - 1], [m - 2, 0, m]];
    let bytes = one(MeshParts {
        vertices: &ring,
        first_edge: &[0, 3],
        corners: &[0, 1, 2],
        neighbours: &[NONE; 3],
        islands: &[0],
        ..MeshParts::default()
    })
    .unwrap();
    let blob = Blob::open_checked(&bytes).unwrap();
    let mesh = blob.decode(0).unwrap().leak();
    assert_eq!(blob.blob().section(Section::VERTICES, 0).unwrap().0.element_size, 12);
    let polygon = mesh.polygon(PolyId(0));
    assert_eq!([0, 1, 2].map(|k| polygon.point(k)), ring);
}

#[test]
fn islands_are_runs_of_polygons() {
    let squares = 300;
    let vertices: Vec<[i32; 3]> = (0..squares)
        .flat_map(|i| {
            let (x, z) = (i % 20 * 10, i / 20 * 10);
            [[x, 0, z], [x, 0, z + 9], [x + 9, 0, z + 9], [x + 9, 0, z]]
        })
        .collect();
    let count = squares as u32;
    let islands: Vec<u32> = (0..count).map(|i| i * i % 37).collect();
    let bytes = one(MeshParts {
        vertices: &vertices,
        first_edge: &(0..=count).map(|i| 4 * i).collect::<Vec<_>>(),
        corners: &(0..4 * count).collect::<Vec<_>>(),
        neighbours: &vec![NONE; 4 * squares as usize],
        islands: &islands,
        ..MeshParts::default()
    })
    .unwrap();
    let mesh = Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak();
    let mut numbers: Vec<u32> = vec![];
    for p in mesh.polygons() {
        let [x, z] = p.corner(0);
        let given = islands[(z / 10 * 20 + x / 10) as usize];
        let island = mesh.island(p.id()).0 as usize;
        if island == numbers.len() {
            numbers.push(given);
        }
        assert_eq!(numbers[island], given);
    }
    assert_eq!(mesh.island_count() as usize, numbers.len());
}

#[test]
fn the_index_finds_what_a_plain_scan_finds() {
    let bytes = strip(3000, 700, 13);
    let mesh = Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak();
    for (x, reach) in
        [(0, 0), (-5000, 10), (12_345, 900), (1 << 24, 1000), (-1_050_000, 1), (700, 1 << 25)]
    {
        let (low, high) = (x - reach, x + reach);
        let mut found = vec![];
        mesh.index().for_each_in([low, -10, -10], [high, 10, 100], |p| found.push(p));
        assert!(found.windows(2).all(|w| w[0] < w[1]), "in order, each once");
        for p in mesh.polygons() {
            let xs = || (0..p.len()).map(|k| i64::from(p.corner(k)[0]));
            if xs().min() <= Some(high) && xs().max() >= Some(low) {
                assert!(found.contains(&p.id()));
            }
        }
        assert!(reach > 100_000 || found.len() < 40, "a filter that filters");
        mesh.index().for_each_in([low, 20, -10], [high, 30, 100], |_| panic!("above"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Corners of convex polygons with many corners are found by the binary search as by a scan.
    #[test]
    fn corners_are_found(points in prop::collection::vec((-40i32..40, -40i32..40), 3..200)) {
        // The border of the points' convex hull with all lattice points on it: collinear corners
        // included.
        let mut hull: Vec<[i32; 2]> = hull(points);
        prop_assume!(hull.len() >= 3);
        let n = hull.len();
        let mut ring = vec![];
        for k in 0..n {
            let (a, b) = (hull[k], hull[(k + 1) % n]);
            let (dx, dz) = (b[0] - a[0], b[1] - a[1]);
            let steps = gcd(dx.abs(), dz.abs());
            ring.extend((0..steps).map(|s| [a[0] + dx / steps * s, a[1] + dz / steps * s]));
        }
        hull.clear();
        let bytes = polygon(&ring).unwrap();
        let mesh = Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak();
        let p = mesh.polygon(PolyId(0));
        prop_assert_eq!(p.len() as usize, ring.len());
        for x in -41..=41 {
            for z in -41..=41 {
                let scan = (0..p.len()).find(|&k| p.corner(k) == [x, z]);
                prop_assert_eq!(p.corner_at([x, z]), scan);
            }
        }
    }
}

fn gcd(a: i32, b: i32) -> i32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Andrew's monotone chain, counter-clockwise seen from above, collinear points left out.
fn hull(points: Vec<(i32, i32)>) -> Vec<[i32; 2]> {
    let mut points: Vec<[i32; 2]> = points.into_iter().map(|p| [p.0, p.1]).collect();
    points.sort_unstable();
    points.dedup();
    let half = |points: &mut dyn Iterator<Item = [i32; 2]>| {
        let mut chain: Vec<[i32; 2]> = vec![];
        for p in points {
            while let [.., a, b] = chain[..] {
                if navbake_format::exact::orient(a, b, p) > 0 {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut ring = half(&mut points.iter().copied());
    ring.extend(half(&mut points.iter().rev().copied()));
    ring
}
