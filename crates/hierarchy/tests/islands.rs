//! Promises of islands and of leaving some out, against a plain flood fill.

use navbake_geom::Point3;
use navbake_hierarchy::{Islands, islands_of_polygons, islands_of_triangles, keep};
use navbake_mesh::{MergeSettings, NONE, Piece, StitchSettings, Triangulation, merge, stitch};
use proptest::prelude::*;

/// Squares of 10 x 10 units, each two triangles, at a height each.
fn squares(places: &[(i32, i32, i32)]) -> Vec<Piece> {
    places
        .iter()
        .map(|&(x, y, z)| {
            let p = |dx, dz| Point3::new(10 * (x + dx), y, 10 * (z + dz));
            Piece {
                vertices: vec![p(0, 0), p(0, 1), p(1, 1), p(1, 0)],
                triangles: vec![[0, 1, 2], [0, 2, 3]],
                open: vec![7, 7],
            }
        })
        .collect()
}

fn stitched(places: &[(i32, i32, i32)]) -> Triangulation {
    let mesh = stitch(&squares(places), &StitchSettings { climb: 5 });
    mesh.check().unwrap();
    mesh
}

/// Plain oracle: the triangles that can be reached from each triangle.
fn reached(mesh: &Triangulation, from: usize) -> Vec<bool> {
    let mut seen = vec![false; mesh.triangles.len()];
    let mut stack = vec![from];
    while let Some(t) = stack.pop() {
        if !std::mem::replace(&mut seen[t], true) {
            stack.extend(
                mesh.neighbours[t]
                    .iter()
                    .filter(|&&n| n != NONE)
                    .map(|&n| n as usize),
            );
        }
    }
    seen
}

fn places() -> impl Strategy<Value = Vec<(i32, i32, i32)>> {
    prop::collection::btree_set((0..7i32, 0..3i32, 0..7i32), 0..60)
        .prop_map(|set| set.into_iter().map(|(x, y, z)| (x, 4 * y, z)).collect())
}

proptest! {
    #[test]
    fn islands_are_what_flood_fill_finds(places in places()) {
        let mesh = stitched(&places);
        let islands = islands_of_triangles(&mesh);
        for t in 0..mesh.triangles.len() {
            for (u, reached) in reached(&mesh, t).into_iter().enumerate() {
                prop_assert_eq!(reached, islands.of[t] == islands.of[u]);
            }
        }
        prop_assert_eq!(islands.area_doubled.iter().sum::<i128>(), mesh.area_doubled());
        prop_assert!(islands.area_doubled.iter().all(|&a| a > 0));
        prop_assert!(islands.least.is_sorted());
        for (t, &island) in islands.of.iter().enumerate() {
            let least = islands.least[island as usize];
            prop_assert!(mesh.triangles[t].iter().all(|&v| mesh.vertices[v as usize] >= least));
        }
    }

    #[test]
    fn polygons_have_the_islands_of_their_triangles(places in places()) {
        let triangles = stitched(&places);
        let mesh = merge(&triangles, &MergeSettings { height_error: 1, max_corners: 32 });
        mesh.check().unwrap();
        let (a, b) = (islands_of_triangles(&triangles), islands_of_polygons(&mesh));
        prop_assert_eq!(a.len(), b.len());
        let sorted = |islands: &Islands| {
            let mut areas = islands.area_doubled.clone();
            areas.sort_unstable();
            areas
        };
        prop_assert_eq!(sorted(&a), sorted(&b));
    }

    #[test]
    fn what_is_kept_is_whole(places in places(), salt in any::<u32>()) {
        let mesh = stitched(&places);
        let islands = islands_of_triangles(&mesh);
        let wanted = |island: u32| (island ^ salt).count_ones().is_multiple_of(2);
        let marks: Vec<bool> = islands.of.iter().map(|&i| wanted(i)).collect();
        let left = keep(&mesh, &marks);
        left.check().unwrap();
        let areas: i128 = (0..islands.len()).filter(|&i| wanted(i as u32)).map(|i| islands.area_doubled[i]).sum();
        prop_assert_eq!(left.area_doubled(), areas);
        prop_assert_eq!(islands_of_triangles(&left).len(), (0..islands.len()).filter(|&i| wanted(i as u32)).count());
        // The canonical order is kept, so that the rest is as if nothing else had been there.
        prop_assert!(left.vertices.is_sorted() && left.triangles.is_sorted());
    }

    #[test]
    fn any_triangles_may_be_left_out(places in places(), salt in any::<u64>()) {
        let mesh = stitched(&places);
        let marks: Vec<bool> = (0..mesh.triangles.len()).map(|t| salt >> (t % 61) & 1 == 1).collect();
        let left = keep(&mesh, &marks);
        left.check().unwrap();
        prop_assert_eq!(left.triangles.len(), marks.iter().filter(|&&m| m).count());
    }
}

#[test]
fn squares_that_touch_at_a_corner_are_two_islands() {
    let islands = islands_of_triangles(&stitched(&[(0, 0, 0), (1, 0, 1)]));
    assert_eq!(islands.area_doubled, [200, 200]);
    assert_eq!(islands.of, [0, 0, 1, 1]);
    assert!(islands_of_triangles(&Triangulation::default()).is_empty());
}
