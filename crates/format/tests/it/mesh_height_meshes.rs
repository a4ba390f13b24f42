//! Height meshes in a mesh: they come out as they went in, unsound ones are refused by name, and damaged
//! bytes do no harm.
#![cfg(feature = "write")]

use crate::support::{NONE, one};
use navbake_format::exact::LIMIT;
use navbake_format::write::{EncodeError, HeightMeshParts, MeshParts};
use navbake_format::{Blob, PolyId, Section};

/// A wide square and a triangle beside it, with height meshes.
fn with_height_meshes<'a>(
    height_mesh_of: &'a [u32],
    height_meshes: &'a [HeightMeshParts<'a>],
) -> MeshParts<'a> {
    MeshParts {
        vertices: &[
            [0, 0, 0],
            [0, 100, 20_000],
            [20_000, 0, 20_000],
            [20_000, 50, 0],
            [24_000, 0, 0],
        ],
        first_edge: &[0, 4, 7],
        corners: &[0, 1, 2, 3, 3, 2, 4],
        neighbours: &[NONE, NONE, 1, NONE, 0, NONE, NONE],
        islands: &[0, 0],
        height_mesh_of,
        height_meshes,
        ..MeshParts::default()
    }
}

const SQUARE: HeightMeshParts<'static> = HeightMeshParts {
    least: [-8, 0],
    size: [2501, 2500],
    shift: 3,
    base: -300,
    up: 2,
    corners: [75, 100, 75, 87],
    points: &[[1001, 226, 1500], [1251, 0, 1000], [3, 325, 2]],
};

const TRIANGLE: HeightMeshParts<'static> = HeightMeshParts {
    least: [20_000, 0],
    size: [4000, 10_000],
    shift: 1,
    base: 10,
    up: 0,
    corners: [0, 1, 2, 3],
    points: &[[1500, 90, 52]],
};

#[test]
fn height_meshes_come_out_as_they_went_in_and_boxes_cover_them() {
    let height_meshes = [TRIANGLE, SQUARE];
    let bytes = one(with_height_meshes(&[1, 0], &height_meshes)).unwrap();
    let mesh = Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak();
    assert_eq!(mesh.detail_count(), 2);
    let find = |corner: [i32; 2]| mesh.polygons().find(|p| p.corner(0) == corner).unwrap();
    let square = find([0, 0]);
    let height_mesh = square.detail().unwrap();
    let mut points: Vec<[i32; 3]> = height_mesh.points().collect();
    points[4..].sort_unstable();
    assert_eq!(
        points,
        [
            [-8, 0, 0],
            [-8, 100, 20_000],
            [20_000, 0, 20_000],
            [20_000, 48, 0],
            [16, 1000, 16],
            [8000, 604, 12_000],
            [10_000, -300, 8000],
        ]
    );
    assert_eq!(height_mesh.heights(), [-300, 1000]);
    assert_eq!(height_mesh.bounds(), [[-8, 0], [20_000, 20_000]]);
    assert_eq!(mesh.bounds(), [[0, -300, 0], [24_000, 1000, 20_000]]);
    assert_eq!(square.height([8000.0, 12_000.0]), 604.0);
    assert_eq!(square.edge_height(2, [20_000.0, 10_000.0]), 24.0);
    let mut found = 0;
    mesh.index().for_each_in([0, 950, 0], [20_000, 1100, 20_000], |_| found += 1);
    assert!(found > 0, "a place on the top is found by its height");

    // The order of height meshes and of their points does not matter, nor do height meshes that no polygon
    // refers to.
    let points: Vec<[u16; 3]> = SQUARE.points.iter().rev().copied().collect();
    let turned = [SQUARE, TRIANGLE, HeightMeshParts { points: &points, ..SQUARE }];
    assert_eq!(one(with_height_meshes(&[2, 1], &turned)).unwrap(), bytes);
    // Without height meshes there are no sections.
    let plain = one(with_height_meshes(&[], &height_meshes)).unwrap();
    assert_eq!(one(with_height_meshes(&[NONE, NONE], &[])).unwrap(), plain);
    let sections = |bytes: &[u8]| {
        [Section::HEIGHT_MESH_OF, Section::HEIGHT_MESHES]
            .map(|s| Blob::open(bytes).unwrap().section(s, 0).is_some())
    };
    assert_eq!((sections(&plain), sections(&bytes)), ([false; 2], [true; 2]));
    let half = one(with_height_meshes(&[NONE, 0], &height_meshes)).unwrap();
    let mesh = Blob::open_checked(&half).unwrap().decode(0).unwrap().leak();
    let has = |i: u32| mesh.detail_number(PolyId(i)).is_some();
    assert!(has(0) != has(1) && mesh.detail_count() == 1);
}

#[test]
fn heights_of_the_whole_range_can_be_stored() {
    let m = LIMIT - 1;
    let vertices: Vec<[i32; 3]> = (with_height_meshes(&[], &[]).vertices.iter())
        .map(|v| [v[0], v[1] + m - 100, v[2]])
        .collect();
    let height_mesh =
        HeightMeshParts { base: -LIMIT, up: 16, corners: [0, 1024, 1000, 7], ..SQUARE };
    let mut parts = with_height_meshes(&[0, NONE], std::slice::from_ref(&height_mesh));
    parts.vertices = &vertices;
    let bytes = one(parts).unwrap();
    let mesh = Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak();
    assert_eq!(mesh.detail(0).unwrap().heights(), [-LIMIT, LIMIT]);
}

#[test]
fn height_meshes_that_do_not_belong_to_the_polygons_are_refused() {
    let index = |of: &[u32], height_meshes: &[HeightMeshParts]| {
        let error = one(with_height_meshes(of, height_meshes)).unwrap_err();
        assert!(
            matches!(error, EncodeError::Length { .. } | EncodeError::Index { .. }),
            "{of:?}: {error}"
        );
    };
    index(&[0], &[SQUARE]);
    index(&[0, 1, 2], &[SQUARE, TRIANGLE, SQUARE]);
    index(&[1, NONE], &[SQUARE]);
    let many = vec![[0, 5, 7]; 70_000];
    let unsound = |change: &dyn Fn(&mut HeightMeshParts<'static>),
                   points: Option<&'static [[u16; 3]]>,
                   words: &str| {
        let mut height_mesh = SQUARE;
        height_mesh.points = points.unwrap_or(height_mesh.points);
        change(&mut height_mesh);
        let error = one(with_height_meshes(&[0, NONE], &[height_mesh])).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    unsound(&|r| r.size = [0, 2500], None, "1 to 16383 steps");
    unsound(&|r| r.size[1] = 16_384, None, "1 to 16383 steps");
    unsound(&|r| r.size[0] = 2500, None, "box holds the polygon");
    unsound(&|r| r.least[1] = 8, None, "box holds the polygon");
    unsound(&|r| r.shift = 14, None, "a box from");
    unsound(&|r| r.shift = 19, None, "shifts of at most 18");
    unsound(&|r| r.base = LIMIT, None, "heights from");
    unsound(&|_| (), Some(&[[0, 9, 0]]), "not at its corners");
    unsound(&|_| (), Some(&[[2501, 9, 2500]]), "not at its corners");
    unsound(&|_| (), Some(&[[2502, 9, 2000]]), "a place in the box");
    unsound(&|_| (), Some(&[[7, 9, 9], [7, 8, 9]]), "ascending");
    unsound(&|_| (), Some(many.leak()), "expected 65532");
}

#[test]
fn damaged_height_meshes_are_refused_or_harmless() {
    let height_meshes = [SQUARE, TRIANGLE];
    let bytes = one(with_height_meshes(&[0, 1], &height_meshes)).unwrap();
    let blob = Blob::open(&bytes).unwrap();
    let (mut refused, mut passed) = (0, 0);
    for section in [Section::HEIGHT_MESH_OF, Section::HEIGHT_MESHES] {
        let (info, content) = blob.section(section, 0).unwrap();
        for at in 0..content.len() {
            for value in 0..=255u8 {
                let mut damaged = bytes.clone();
                damaged[info.offset as usize + at] = value;
                let Ok(checked) = Blob::open_checked(&damaged) else {
                    refused += 1;
                    continue;
                };
                passed += 1;
                let mesh = checked.decode(0).unwrap().leak();
                let [low, high] = mesh.bounds().map(|b| f64::from(b[1]));
                for p in mesh.polygons() {
                    for place in [
                        [20_500.0, 9000.0],
                        [21_000.0, 77.5],
                        [12.0, 40.0],
                        [5000.0, 5001.0],
                        [f64::INFINITY, -1e30],
                    ] {
                        let h = p.height(place);
                        assert!(h >= low - 1e-3 && h <= high + 1e-3, "{h}");
                    }
                }
            }
        }
    }
    assert!(refused > 5000 && passed > 2000, "{refused} {passed}");
}

#[test]
fn runs_of_polygons_read_as_one_by_one() {
    // A strip of squares, long enough that runs are shorter where height meshes change seldom; many
    // height meshes take two bytes each.
    for (count, every) in [(40u32, 1u32), (40, 13), (300, 1), (300, 7), (600, 100), (70_000, 9000)]
    {
        let mut vertices = vec![];
        for i in 0..=count as i32 {
            vertices.extend([[i * 4, 0, 0], [i * 4, 0, 4]]);
        }
        let of: Vec<u32> =
            (0..count).map(|i| i / every).map(|r| if r % 3 == 2 { NONE } else { r }).collect();
        let least = |r: u32| [(r * every * 4) as i32, 0];
        let height_meshes: Vec<HeightMeshParts> = (0..count.div_ceil(every))
            .map(|r| HeightMeshParts {
                least: least(r),
                size: [(every.min(count - r * every)) as u16, 1],
                shift: 2,
                base: r as i32,
                ..HeightMeshParts::default()
            })
            .collect();
        let corners: Vec<u32> = (0..count).flat_map(|i| [0, 1, 3, 2].map(|k| 2 * i + k)).collect();
        let neighbours: Vec<u32> = (0..count)
            .flat_map(|i| {
                let next = if i + 1 == count { NONE } else { i + 1 };
                [if i == 0 { NONE } else { i - 1 }, NONE, next, NONE]
            })
            .collect();
        let bytes = one(MeshParts {
            vertices: &vertices,
            first_edge: &(0..=count).map(|i| 4 * i).collect::<Vec<_>>(),
            corners: &corners,
            neighbours: &neighbours,
            islands: &vec![0; count as usize],
            height_mesh_of: &of,
            height_meshes: &height_meshes,
            ..MeshParts::default()
        })
        .unwrap();
        let mesh = Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak();
        for p in mesh.polygons() {
            let i = (p.corner(0)[0] / 4) as usize;
            let base = p.detail().map(|r| r.heights()[0] as u32);
            assert_eq!(base.unwrap_or(NONE), of[i]);
        }
    }
}
