//! Promises of islands and of leaving some out, against a plain flood fill.

use navbake_geom::Point3;
use navbake_hierarchy::{Islands, islands, keep};
use navbake_mesh::{
    HeightMesh, JoinSettings, MergeSettings, NONE, Patch, PolygonMesh, join, join_triangles, merge,
    merge_polygons,
};
use proptest::prelude::*;

const SEAMS: JoinSettings = JoinSettings { climb: 5 };

const MERGED: MergeSettings = MergeSettings { height_error: 1, max_corners: 32 };

/// Squares of 10 x 10 units at a height each.
fn squares(places: &[(i32, i32, i32)]) -> Vec<[Point3; 4]> {
    let square = |&(x, y, z): &(i32, i32, i32)| {
        [(0, 0), (0, 1), (1, 1), (1, 0)]
            .map(|(dx, dz)| Point3::new(10 * (x + dx), y, 10 * (z + dz)))
    };
    places.iter().map(square).collect()
}

/// Squares as polygons, joined and not merged. Each fourth has a height mesh.
fn joined(places: &[(i32, i32, i32)]) -> PolygonMesh {
    let patches: Vec<Patch> = squares(places)
        .into_iter()
        .enumerate()
        .map(|(i, corners)| Patch {
            mesh: PolygonMesh {
                vertices: corners.to_vec(),
                first_edge: vec![0, 4],
                corners: vec![0, 1, 2, 3],
                neighbours: vec![NONE; 4],
                height_mesh_of: vec![if i % 4 == 0 { 0 } else { NONE }],
                height_meshes: vec![
                    HeightMesh {
                        least: [corners[0].x, corners[0].z],
                        size: [10, 10],
                        points: vec![[3, 1, 4]],
                        ..HeightMesh::default()
                    };
                    usize::from(i % 4 == 0)
                ],
                areas: vec![(i % 3) as u8],
            },
            open: vec![true; 4],
        })
        .collect();
    let mesh = join(&patches, &SEAMS);
    mesh.check().unwrap();
    mesh
}

/// Squares as two triangles each, joined and not merged: a designer's floor.
fn triangles(places: &[(i32, i32, i32)]) -> PolygonMesh {
    let patches: Vec<Patch> = squares(places)
        .into_iter()
        .map(|c| Patch::of_triangles(c.to_vec(), &[[0, 1, 2], [0, 2, 3]], &[7, 7]))
        .collect();
    join_triangles(&patches, &SEAMS)
}

/// Plain oracle: the polygons that can be reached from each polygon.
fn reached(mesh: &PolygonMesh, from: usize) -> Vec<bool> {
    let mut seen = vec![false; mesh.len()];
    let mut stack = vec![from];
    while let Some(p) = stack.pop() {
        if !std::mem::replace(&mut seen[p], true) {
            let beyond = &mesh.neighbours[mesh.edges(p)];
            stack.extend(beyond.iter().filter(|&&n| n != NONE).map(|&n| n as usize));
        }
    }
    seen
}

/// The islands of a mesh, each by its least vertex and area.
fn regions(islands: &Islands) -> Vec<(Point3, i128)> {
    let areas = islands.area_doubled.iter().copied();
    islands.least.iter().copied().zip(areas).collect()
}

/// What each polygon of a mesh is, in places.
fn polygons(mesh: &PolygonMesh) -> Vec<(Vec<Point3>, Option<HeightMesh>)> {
    (0..mesh.len())
        .map(|p| {
            let corners = mesh.polygon(p).iter();
            let corners = corners.map(|&v| mesh.vertices[v as usize]).collect();
            (corners, mesh.height_mesh(p).cloned())
        })
        .collect()
}

fn places() -> impl Strategy<Value = Vec<(i32, i32, i32)>> {
    prop::collection::btree_set((0..7i32, 0..3i32, 0..7i32), 0..60)
        .prop_map(|set| set.into_iter().map(|(x, y, z)| (x, 4 * y, z)).collect())
}

proptest! {
    #[test]
    fn islands_are_what_flood_fill_finds(places in places(), cut in any::<bool>()) {
        let mesh = if cut { triangles(&places) } else { joined(&places) };
        let islands = islands(&mesh);
        for p in 0..mesh.len() {
            for (q, reached) in reached(&mesh, p).into_iter().enumerate() {
                prop_assert_eq!(reached, islands.of[p] == islands.of[q]);
            }
        }
        prop_assert_eq!(islands.area_doubled.iter().sum::<i128>(), mesh.area_doubled());
        prop_assert!(islands.area_doubled.iter().all(|&a| a > 0));
        prop_assert!(islands.least.is_sorted());
        for (p, &island) in islands.of.iter().enumerate() {
            let least = islands.least[island as usize];
            prop_assert!(mesh.polygon(p).iter().all(|&v| mesh.vertices[v as usize] >= least));
        }
    }

    #[test]
    fn merged_or_not_the_islands_are_the_same(places in places()) {
        let whole = joined(&places);
        let merged = merge_polygons(&whole, &MERGED);
        merged.check().unwrap();
        prop_assert!(merged.len() <= whole.len());
        prop_assert_eq!(regions(&islands(&whole)), regions(&islands(&merged)));
    }

    #[test]
    fn a_floor_has_the_islands_of_its_triangles(places in places()) {
        let triangles = triangles(&places);
        let merged = merge(&triangles, &MERGED);
        merged.check().unwrap();
        prop_assert_eq!(regions(&islands(&triangles)), regions(&islands(&merged)));
    }

    #[test]
    fn what_is_kept_is_whole(places in places(), salt in any::<u32>()) {
        let mesh = joined(&places);
        let all = islands(&mesh);
        let wanted = |island: u32| (island ^ salt).count_ones().is_multiple_of(2);
        let marks: Vec<bool> = all.of.iter().map(|&i| wanted(i)).collect();
        let left = keep(&mesh, &marks);
        left.check().unwrap();
        let expected: Vec<_> = regions(&all).into_iter().enumerate().filter(|r| wanted(r.0 as u32)).map(|r| r.1).collect();
        prop_assert_eq!(regions(&islands(&left)), expected);
        // The canonical order is kept, so that the rest is as if nothing else had been there; and
        // so are height points.
        prop_assert!(left.vertices.is_sorted());
        let kept: Vec<_> = polygons(&mesh).into_iter().zip(&marks).filter(|p| *p.1).map(|p| p.0).collect();
        prop_assert_eq!(polygons(&left), kept);
    }

    #[test]
    fn any_polygons_may_be_left_out(places in places(), salt in any::<u64>(), cut in any::<bool>()) {
        let mesh = if cut { triangles(&places) } else { joined(&places) };
        let marks: Vec<bool> = (0..mesh.len()).map(|p| salt >> (p % 61) & 1 == 1).collect();
        let left = keep(&mesh, &marks);
        left.check().unwrap();
        let kept: Vec<usize> = (0..mesh.len()).filter(|&p| marks[p]).collect();
        prop_assert_eq!(left.len(), kept.len());
        // Edges lead where they led, or nowhere when that is gone.
        for (new, &old) in kept.iter().enumerate() {
            for (e, f) in left.edges(new).zip(mesh.edges(old)) {
                let beyond = mesh.neighbours[f];
                let there = kept.binary_search(&(beyond as usize)).map_or(NONE, |n| n as u32);
                prop_assert_eq!(left.neighbours[e], there);
            }
        }
    }
}

#[test]
fn squares_that_touch_at_a_corner_are_two_islands() {
    let places = [(0, 0, 0), (1, 0, 1)];
    let whole = islands(&joined(&places));
    assert_eq!(whole.area_doubled, [200, 200]);
    assert_eq!(whole.of, [0, 1]);
    let cut = islands(&triangles(&places));
    assert_eq!(cut.area_doubled, [200, 200]);
    assert_eq!(cut.of, [0, 0, 1, 1]);
    assert!(islands(&PolygonMesh::default()).is_empty());
    assert!(islands(&join(&[], &SEAMS)).is_empty());
}

#[test]
fn nothing_is_left_when_nothing_is_kept() {
    let mesh = joined(&[(0, 0, 0), (1, 0, 0)]);
    let left = keep(&mesh, &[false; 2]);
    left.check().unwrap();
    assert!(left.is_empty() && left.vertices.is_empty() && left.height_meshes.is_empty());
    assert_eq!(keep(&mesh, &[true; 2]), mesh);
}
