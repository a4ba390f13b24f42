//! Promises of `merge_polygons`, against plain oracles.

use std::collections::BTreeSet;

use crate::support::surface::Surface;
use crate::support::{Mosaic, Rng, length, mixed, moved, patches, raise_middle, ring, tile, walls};
use navbake_geom::{Point, Point3};
use navbake_mesh::{
    HeightMesh, JoinSettings, MergeSettings, NONE, Patch, PolygonMesh, join, merge_polygons,
};
use proptest::prelude::*;

const SCALE: i32 = 7;

fn settings(height_error: i32) -> MergeSettings {
    MergeSettings { height_error, max_corners: 32 }
}

/// Joined rectangles with one random height a place, below `bump`, so that the ground is closed.
/// One rectangle in `fixed` has height points.
fn bumpy(rng: &mut Rng, cuts: u32, holes: u32, bump: u32, fixed: u32) -> Vec<Patch> {
    let look = Mosaic { side: 60, cuts, extra: 2, rise: 0, levels: 1, holes };
    let salt = u64::from(rng.below(1 << 30));
    let flat = patches(rng, &look);
    let mut all = moved(&flat, |p| {
        let h = (p.x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ (p.z as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
            ^ salt;
        let y = (h.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 40) as i32 % bump as i32;
        Point3::new(SCALE * p.x, y, SCALE * p.z)
    });
    for patch in &mut all {
        if fixed > 0 && rng.below(fixed) == 0 {
            raise_middle(&mut patch.mesh, 3 * bump as u16);
        }
    }
    all
}

fn wall_length(mesh: &PolygonMesh) -> f64 {
    walls(mesh).into_iter().map(length).sum()
}

/// Polygons with height_meshes, by their places.
fn pointed(mesh: &PolygonMesh) -> BTreeSet<(Vec<Point3>, HeightMesh)> {
    let place = |&v: &u32| mesh.vertices[v as usize];
    (0..mesh.len())
        .filter_map(|p| {
            let ring = mesh.polygon(p).iter().map(place).collect();
            Some((ring, mesh.height_mesh(p)?.clone()))
        })
        .collect()
}

fn keeps_its_promises(seed: u64, cuts: u32, holes: u32, error: i32, bump: u32, fixed: u32) {
    let mut rng = Rng(seed);
    let patches = bumpy(&mut rng, cuts, holes, bump, fixed);
    let before = join(&patches, &JoinSettings { climb: 1000 });
    let after = merge_polygons(&before, &settings(error));
    after.check().unwrap();
    assert_eq!(after.area_doubled(), before.area_doubled());
    let (was, is) = (wall_length(&before), wall_length(&after));
    assert!((was - is).abs() < 1e-6 * was.max(1.0));
    assert_eq!(pointed(&after), pointed(&before));

    let slack = f64::from(error.max(1)) + 1e-6;
    let merged: Vec<Surface> = (0..after.len()).map(|p| Surface::new(&after, p)).collect();
    for p in 0..before.len() {
        let own = Surface::new(&before, p);
        let corners = before.polygon(p).iter();
        let corners: Vec<Point> = corners.map(|&v| before.vertices[v as usize].flat()).collect();
        let (low, high) = (corners.iter().min().unwrap(), corners.iter().max().unwrap());
        for k in 0..6 {
            let within = |rng: &mut Rng, a: i32, b: i32| a + rng.below((b - a + 1) as u32) as i32;
            let random =
                Point::new(within(&mut rng, low.x, high.x), within(&mut rng, low.z, high.z));
            let q = if k == 0 { corners[0] } else { random };
            if !own.holds(q) {
                continue;
            }
            let y = own.height(q);
            let near =
                merged.iter().filter(|s| s.holds(q)).any(|s| (s.height(q) - y).abs() <= slack);
            assert!(near, "{q:?} was at {y}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn area_border_heights_and_height_meshes_are_kept(seed in 1u64.., cuts in 0u32..40, holes in 0u32..6, error in 0i32..40, bump in 1u32..60, fixed in 0u32..5) {
        keeps_its_promises(seed, cuts, holes, error, bump, fixed);
    }

    #[test]
    fn the_order_of_patches_does_not_matter(seed in 1u64.., cuts in 0u32..40, error in 0i32..40, bump in 1u32..60, fixed in 0u32..5) {
        let mut rng = Rng(seed);
        let patches = bumpy(&mut rng, cuts, 5, bump, fixed);
        let other = mixed(&mut rng, &patches);
        let whole = |patches| merge_polygons(&join(patches, &JoinSettings { climb: 30 }), &settings(error));
        prop_assert_eq!(whole(&patches), whole(&other));
    }

    #[test]
    fn steps_are_never_merged_over(seed in 1u64.., cuts in 0u32..60, levels in 2u32..4) {
        let look = Mosaic { side: 60, cuts, extra: 2, rise: 4, levels, holes: 0 };
        let before = join(&patches(&mut Rng(seed), &look), &JoinSettings { climb: 10 });
        let after = merge_polygons(&before, &settings(1000));
        after.check().unwrap();
        prop_assert_eq!(after.area_doubled(), before.area_doubled());
        for p in 0..after.len() {
            let heights: BTreeSet<i32> = after.polygon(p).iter().map(|&v| after.vertices[v as usize].y).collect();
            prop_assert_eq!(heights.len(), 1);
        }
    }

    #[test]
    fn corners_stay_within_the_limit(seed in 1u64.., cuts in 0u32..60, max_corners in 3u32..8) {
        let look = Mosaic { side: 60, cuts, extra: 0, rise: 0, levels: 1, holes: 0 };
        let before = join(&patches(&mut Rng(seed), &look), &JoinSettings { climb: 10 });
        let after = merge_polygons(&before, &MergeSettings { height_error: 0, max_corners });
        after.check().unwrap();
        let most = |mesh: &PolygonMesh| (0..mesh.len()).map(|p| mesh.polygon(p).len()).max().unwrap_or(0);
        prop_assert!(most(&after) <= most(&before).max(max_corners as usize));
    }
}

#[test]
fn seams_in_flat_ground_leave_nothing_behind() {
    let mut rng = Rng(9);
    for slope in [0, 3] {
        let mut patches = vec![];
        for x in 0..20 {
            for z in 0..20 {
                let place = [x * 8, z * 8, x * 8 + 8, z * 8 + 8];
                patches.push(tile(&ring(&mut rng, place, 0, 3)));
            }
        }
        let patches = moved(&patches, |p| Point3::new(p.x, slope * p.x - p.z, p.z));
        let before = join(&patches, &JoinSettings { climb: 10 });
        let after = merge_polygons(&before, &settings(0));
        after.check().unwrap();
        assert_eq!((after.len(), after.corners.len()), (1, 4));
    }
}

#[test]
fn a_polygon_with_a_height_mesh_keeps_its_straight_corners() {
    // Two squares that become one, beside a polygon that has a corner where their seam meets it.
    let mut rng = Rng(1);
    let mut square = |r| tile(&ring(&mut rng, r, 0, 0));
    let mut patches =
        vec![square([0, 0, 10, 10]), square([0, 10, 10, 20]), square([10, 0, 20, 20])];
    raise_middle(&mut patches[2].mesh, 9);
    let before = join(&patches, &JoinSettings { climb: 0 });
    let after = merge_polygons(&before, &settings(0));
    after.check().unwrap();
    assert_eq!(after.len(), 2);
    assert_eq!(pointed(&after), pointed(&before));
    assert_eq!([after.polygon(0).len(), after.polygon(1).len()], [5, 5]);
}

#[test]
fn nothing_gives_nothing() {
    let nothing = merge_polygons(&join(&[], &JoinSettings { climb: 0 }), &settings(1));
    nothing.check().unwrap();
    assert!(nothing.is_empty() && nothing.neighbours.iter().all(|&n| n == NONE));
}

#[test]
fn rounded_heights_move_by_a_twelfth_of_the_error_at_most_and_equal_ones_stay_equal() {
    for error in [0, 1, 5, 12, 51, 102, 1000] {
        let heights = -300..300;
        let mut mesh = PolygonMesh {
            vertices: heights.clone().map(|y| Point3::new(1, y, 2)).collect(),
            ..PolygonMesh::default()
        };
        navbake_mesh::round_heights(&mut mesh, error);
        for (v, y) in mesh.vertices.iter().zip(heights) {
            assert!(12 * v.y.abs_diff(y) <= error as u32, "{error}: {y} to {}", v.y);
        }
        assert!(mesh.vertices.is_sorted_by_key(|v| v.y));
        mesh.vertices.dedup();
        let step = (error / 6).max(1);
        assert!(mesh.vertices.len() as i32 <= 600 / (step / 2 + 1) + 2, "{error}");
    }
}
