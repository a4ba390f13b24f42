//! Height triangles: heights by them are those of a plain oracle by pivoting, to the last bit.

#[allow(unreachable_pub)] // shared with other crates
#[path = "../../../testkit/src/heights.rs"]
mod heights;

use navbake_format::write::{BlobParts, HeightMeshParts, MeshParts, encode};
use navbake_format::{Blob, NavMesh};

use navbake_testkit::Random;

/// Points of a box, sorted, none at its corners, none twice.
fn kept(mut points: Vec<[i32; 3]>, size: [i32; 2]) -> Vec<[u16; 3]> {
    let is_end = |p: &[i32; 3]| (p[0] == 0 || p[0] == size[0]) && (p[2] == 0 || p[2] == size[1]);
    points.retain(|p| p[0] >= 0 && p[2] >= 0 && p[0] <= size[0] && p[2] <= size[1] && !is_end(p));
    points.sort_unstable_by_key(|p| [p[0], p[2]]);
    points.dedup_by_key(|p| [p[0], p[2]]);
    points.iter().map(|p| p.map(|c| c as u16)).collect()
}

/// Scattered points, a lattice of squares, two lines side by side as along a step, points on the
/// box's sides, a circle.
fn points(random: &mut Random, kind: u32, size: [i32; 2], count: i32, top: i32) -> Vec<[u16; 3]> {
    let side = ((size[0] / 8).max(1), (size[1] / 8).max(1));
    let point = |random: &mut Random, i: i32| {
        let mut at = size.map(|s| random.within(0, s));
        match kind {
            0 => {}
            1 => at = [at[0] / side.0 * side.0, at[1] / side.1 * side.1],
            2 => at[1] = (at[0] / 3 + i % 2).min(size[1]),
            3 => at[i as usize % 2] = size[i as usize % 2] * (i / 2 % 2),
            _ => {
                // On circles about the middle: all that have whole places, by Euclid's triples.
                let [a, b, c] = [[3, 4, 5], [5, 12, 13], [8, 15, 17]][i as usize % 3];
                let r = size[0].min(size[1]) / 2 / c;
                let (a, b) = if i & 4 == 0 { (a, b) } else { (b, a) };
                let sign = |bit: i32| if i & bit == 0 { 1 } else { -1 };
                at = [size[0] / 2 + sign(8) * a * r, size[1] / 2 + sign(16) * b * r];
            }
        }
        [at[0], random.within(0, top), at[1]]
    };
    kept((0..count).map(|i| point(random, i)).collect(), size)
}

fn with_mesh(height_meshes: &[HeightMeshParts<'_>], f: impl FnOnce(NavMesh<'_>)) {
    let (mut vertices, mut first_edge, mut height_mesh_of) = (vec![], vec![0], vec![]);
    for (i, parts) in (0..).zip(height_meshes) {
        let [x, z] = parts.least;
        let [w, h] = parts.size.map(|s| i32::from(s) << parts.shift);
        vertices.extend([[x, 0, z], [x, 0, z + h], [x + w, 0, z + h], [x + w, 0, z]]);
        first_edge.push(vertices.len() as u32);
        height_mesh_of.push(i);
    }
    let corners: Vec<u32> = (0..vertices.len() as u32).collect();
    let bytes = encode(&BlobParts {
        meshes: &[MeshParts {
            vertices: &vertices,
            first_edge: &first_edge,
            corners: &corners,
            neighbours: &vec![u32::MAX; vertices.len()],
            islands: &(0..height_meshes.len() as u32).collect::<Vec<_>>(),
            height_mesh_of: &height_mesh_of,
            height_meshes,
            ..MeshParts::default()
        }],
        ..BlobParts::default()
    })
    .unwrap();
    f(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
}

/// Asks for heights at points, between two of them, at borders of squares, anywhere and outside.
fn compare(random: &mut Random, mesh: &NavMesh<'_>, asked: u32) {
    for i in 0..mesh.detail_count() {
        let laid = mesh.detail(i).expect("a detail mesh");
        let all: Vec<[i32; 3]> = laid.points().collect();
        let [low, high] = laid.bounds();
        for _ in 0..asked {
            let [a, b] = [0; 2].map(|_: i32| all[random.next() as usize % all.len()]);
            let any = |random: &mut Random| {
                [0, 1].map(|k| f64::from(random.within(low[k] - 2, high[k] + 2)))
            };
            let place = match random.next() % 4 {
                0 => [a[0], a[2]].map(f64::from),
                1 => {
                    let t = random.within(0, 1000) as f64 / 1000.0;
                    [(a[0], b[0]), (a[2], b[2])]
                        .map(|(a, b)| f64::from(a) + t * (f64::from(b) - f64::from(a)))
                }
                2 => any(random).map(|c| (c / 64.0).floor() * 64.0),
                _ => any(random).map(|c| c + random.within(0, 999) as f64 / 1000.0),
            };
            let expected = heights::height(&laid, place);
            let found = laid.height(place);
            assert_eq!(found.to_bits(), expected.to_bits(), "{place:?} of {i}");
        }
    }
    assert!(mesh.detail(mesh.detail_count()).is_none());
}

#[test]
fn heights_by_triangles_laid_out_are_those_by_pivoting_to_the_last_bit() {
    let mut random = Random(7);
    for round in 0..60 {
        let inner: Vec<([i32; 2], Vec<[u16; 3]>)> = (0..5)
            .map(|kind| {
                let most = [9, 300, 5000, 16_383][round % 4];
                let size = [0; 2].map(|_: i32| random.within(1, most));
                let count = [0, 5, 60, 900][round / 4 % 4];
                (size, points(&mut random, kind, size, count, 900))
            })
            .collect();
        let height_meshes: Vec<HeightMeshParts<'_>> = inner
            .iter()
            .map(|(size, points)| HeightMeshParts {
                least: [0; 2].map(|_: i32| random.within(-5000, 5000)),
                size: size.map(|s| s as u16),
                shift: random.within(0, 6) as u32,
                base: random.within(-900, 900),
                up: random.within(0, 4) as u32,
                corners: [0; 4].map(|_: i32| random.within(0, 900) as u16),
                points,
            })
            .collect();
        with_mesh(&height_meshes, |mesh| compare(&mut random, &mesh, 400));
    }
}

#[test]
fn heights_far_from_all_points_come_from_the_lowest_triangle_however_many_pivots_that_takes() {
    let mut random = Random(8);
    for size in [[16_383, 16_383], [2500, 1400], [700, 9000]] {
        let points = points(&mut random, 3, size, 4000, 900);
        let parts = HeightMeshParts {
            size: size.map(|s| s as u16),
            shift: 2,
            corners: [5, 70, 900, 0],
            points: &points,
            ..HeightMeshParts::default()
        };
        with_mesh(&[parts], |mesh| compare(&mut random, &mesh, 1000));
    }
}

#[test]
fn places_outside_and_no_numbers_have_the_same_height_too() {
    let parts = HeightMeshParts {
        least: [-100, 40],
        size: [50, 30],
        shift: 2,
        base: -7,
        up: 1,
        corners: [3, 9, 4, 0],
        points: &[[20, 11, 9], [0, 5, 17]],
    };
    with_mesh(&[parts], |mesh| {
        let laid = mesh.detail(0).unwrap();
        let [far, none] = [f64::INFINITY, f64::NAN];
        for place in [[-500.0, 60.0], [100.0, 160.0], [1e30, -1e30], [-far, far], [none, none]] {
            assert_eq!(laid.height(place), heights::height(&laid, place));
        }
    });
}
