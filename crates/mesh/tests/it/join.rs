//! Promises of `join`, against plain oracles.

use crate::support::surface::Surface;
use crate::support::{Mosaic, Rng, length, mixed, moved, patches, raise_middle, ring, tile, walls};
use navbake_geom::{Point, Point3, on_segment, orient};
use navbake_mesh::{HeightMesh, JoinSettings, NONE, Patch, PolygonMesh, join};
use proptest::prelude::*;

const CLIMB: JoinSettings = JoinSettings { climb: 10 };

fn area(patches: &[Patch]) -> i128 {
    patches.iter().map(|p| p.mesh.area_doubled()).sum()
}

fn wall_length(mesh: &PolygonMesh) -> f64 {
    walls(mesh).into_iter().map(length).sum()
}

/// Plain oracle: the length over which open edges of level patches have a partner within climb. All
/// pairs of edges; only right where no more than one partner is in reach anywhere.
fn plain_joined_length(patches: &[Patch], climb: i32) -> f64 {
    let open: Vec<_> = patches.iter().flat_map(|p| walls(&p.mesh)).collect();
    let mut sum = 0.0;
    for (i, &[a, b]) in open.iter().enumerate() {
        for &[c, d] in &open[..i] {
            let on_line = |p: Point3| orient(a.flat(), b.flat(), p.flat()) == 0;
            if !on_line(c) || !on_line(d) || (a.y - c.y).abs() > climb {
                continue;
            }
            let way = |p: Point3, q: Point3| (i64::from(q.x - p.x), i64::from(q.z - p.z));
            let (u, v) = (way(a, b), way(c, d));
            if u.0 * v.0 + u.1 * v.1 > 0 {
                continue;
            }
            // The overlap is bounded by two of the four ends.
            let on = |p: Point3, q: Point3, e: Point3| on_segment(p.flat(), q.flat(), e.flat());
            let ends = [a, b, c, d].into_iter();
            let ends: Vec<Point3> = ends.filter(|&e| on(a, b, e) && on(c, d, e)).collect();
            let pairs = ends.iter().flat_map(|&p| ends.iter().map(move |&q| [p, q]));
            sum += pairs.map(length).fold(0.0, f64::max);
        }
    }
    sum
}

fn agrees_with_the_plain_oracle(patches: &[Patch], climb: i32) -> PolygonMesh {
    let mesh = join(patches, &JoinSettings { climb });
    mesh.check().unwrap();
    assert_eq!(mesh.area_doubled(), area(patches));
    assert_eq!(mesh.len(), patches.len(), "polygons get corners, and stay one");
    let all: f64 = patches.iter().map(|p| wall_length(&p.mesh)).sum();
    let joined = (all - wall_length(&mesh)) / 2.0;
    let plain = plain_joined_length(patches, climb);
    assert!((joined - plain).abs() < 1e-6 * plain.max(1.0), "joined {joined}, plain {plain}");
    // No step is higher than the climb.
    for p in 0..mesh.len() {
        let height = |p: usize| mesh.vertices[mesh.polygon(p)[0] as usize].y;
        for &q in mesh.neighbours[mesh.edges(p)].iter().filter(|&&q| q != NONE) {
            assert!((height(p) - height(q as usize)).abs() <= climb);
        }
    }
    mesh
}

fn any_order_gives_the_same(seed: u64, cuts: u32, levels: u32, storeys: i32, twice: bool) {
    let mut rng = Rng(seed);
    let mut all = vec![];
    for storey in 0..storeys {
        let look = Mosaic { side: 30, cuts, extra: 3, rise: 4, levels, holes: 5 };
        // Storeys so near that edges have several candidates.
        let mut own = moved(&patches(&mut rng, &look), |p| Point3::new(p.x, p.y + storey * 6, p.z));
        for (i, patch) in own.iter_mut().enumerate().filter(|(i, _)| i % 3 == 0) {
            raise_middle(&mut patch.mesh, i as u16);
        }
        all.extend(own);
    }
    if twice {
        // The same polygons in patches of their own, all of them or some of their edges not open,
        // others with other height_meshes.
        let again = all.clone();
        for (i, mut patch) in again.into_iter().enumerate() {
            match i % 4 {
                0 => patch.open[0] = false,
                1 => patch.mesh.height_meshes.iter_mut().for_each(|r| r.base += 1),
                2 => continue,
                _ => {}
            }
            all.push(patch);
        }
    }
    let mesh = join(&all, &CLIMB);
    mesh.check().unwrap();
    for _ in 0..3 {
        let other = mixed(&mut rng, &all);
        assert_eq!(&join(&other, &CLIMB), &mesh);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_flat_mosaic_is_joined_wherever_rectangles_touch(seed in 1u64.., cuts in 0u32..40, extra in 0u32..4, holes in 0u32..6, side in 1i32..60) {
        let patches = patches(&mut Rng(seed), &Mosaic { side, cuts, extra, rise: 0, levels: 1, holes });
        agrees_with_the_plain_oracle(&patches, 0);
    }

    #[test]
    fn slanted_seams_are_joined_as_well(seed in 1u64.., cuts in 0u32..40, extra in 0u32..4, holes in 0u32..6) {
        let patches = patches(&mut Rng(seed), &Mosaic { side: 50, cuts, extra, rise: 0, levels: 1, holes });
        // A turn with a stretch; keeps the orientation.
        let patches = moved(&patches, |p| Point3::new(3 * p.x + 2 * p.z - 17, p.y, 5 * p.z - 2 * p.x));
        agrees_with_the_plain_oracle(&patches, 0);
    }

    #[test]
    fn steps_are_joined_up_to_the_climb(seed in 1u64.., cuts in 0u32..40, extra in 0u32..4, levels in 1u32..5, climb in 0i32..30) {
        let patches = patches(&mut Rng(seed), &Mosaic { side: 50, cuts, extra, rise: 7, levels, holes: 0 });
        agrees_with_the_plain_oracle(&patches, climb);
    }

    #[test]
    fn storeys_do_not_join(seed in 1u64.., cuts in 0u32..20, extra in 0u32..4) {
        let mut rng = Rng(seed);
        let mut all = vec![];
        for storey in 0..3 {
            let own = patches(&mut rng, &Mosaic { side: 50, cuts, extra, rise: 5, levels: 2, holes: 0 });
            all.extend(moved(&own, |p| Point3::new(p.x, p.y + storey * 40, p.z)));
        }
        agrees_with_the_plain_oracle(&all, 10);
    }

    #[test]
    fn the_order_of_patches_does_not_matter(seed in 1u64.., cuts in 0u32..40, levels in 1u32..6, storeys in 1i32..4, twice in any::<bool>()) {
        any_order_gives_the_same(seed, cuts, levels, storeys, twice);
    }

    #[test]
    fn slopes_are_joined_where_they_meet(seed in 1u64.., cuts in 0u32..40, extra in 0u32..4, a in -3i32..4, b in -3i32..4) {
        let patches = patches(&mut Rng(seed), &Mosaic { side: 50, cuts, extra, rise: 0, levels: 1, holes: 0 });
        let patches = moved(&patches, |p| Point3::new(p.x, a * p.x + b * p.z, p.z));
        let mesh = join(&patches, &JoinSettings { climb: 0 });
        mesh.check().unwrap();
        // The square's own border and nothing else; no vertex off the plane.
        prop_assert_eq!(wall_length(&mesh), 200.0);
        prop_assert!(mesh.vertices.iter().all(|p| p.y == a * p.x + b * p.z));
        no_steps(&mesh);
    }

    #[test]
    fn rounding_on_slopes_makes_no_steps(seed in 1u64.., cuts in 0u32..20, extra in 0u32..4, a in -30i32..30, b in -30i32..30) {
        let patches = patches(&mut Rng(seed), &Mosaic { side: 50, cuts, extra, rise: 0, levels: 1, holes: 0 });
        let patches = moved(&patches, |p| Point3::new(20 * p.x, (a * p.x + b * p.z).div_euclid(7), 20 * p.z));
        let mesh = join(&patches, &JoinSettings { climb: 2 });
        mesh.check().unwrap();
        prop_assert_eq!(wall_length(&mesh), 4000.0);
        no_steps(&mesh);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn heights_are_what_they_were(seed in 1u64.., cuts in 0u32..30, bump in 1u32..60) {
        // Rectangles that are not flat: their heights depend on the corner that they begin with.
        let mut rng = Rng(seed);
        let flat = patches(&mut rng, &Mosaic { side: 50, cuts, extra: 2, rise: 0, levels: 1, holes: 0 });
        let mut bumpy = moved(&flat, |p| Point3::new(7 * p.x, (p.x * 31 + p.z * 57) % bump as i32, 7 * p.z));
        for patch in &mut bumpy {
            let turn = rng.below(patch.mesh.corners.len() as u32) as usize;
            patch.mesh.corners.rotate_left(turn);
        }
        let mesh = join(&bumpy, &JoinSettings { climb: 1000 });
        mesh.check().unwrap();
        let joined: Vec<Surface> = (0..mesh.len()).map(|p| Surface::new(&mesh, p)).collect();
        for patch in &bumpy {
            let own = Surface::new(&patch.mesh, 0);
            for _ in 0..20 {
                let q = Point::new(rng.below(351) as i32, rng.below(351) as i32);
                if own.holds(q) {
                    // Cuts are rounded to the grid, by half a unit, and then to a partner one unit
                    // away.
                    let near = joined.iter().any(|s| s.holds(q) && (s.height(q) - own.height(q)).abs() <= 1.5 + 1e-6);
                    prop_assert!(near, "{:?}", q);
                }
            }
        }
    }
}

/// Both sides of every portal have the same vertices.
fn no_steps(mesh: &PolygonMesh) {
    for p in 0..mesh.len() {
        let ring = mesh.polygon(p);
        for (k, e) in mesh.edges(p).enumerate() {
            let q = mesh.neighbours[e];
            if q != NONE {
                let back = mesh.polygon(q as usize);
                let (u, v) = (ring[k], ring[(k + 1) % ring.len()]);
                let m = back.len();
                assert!((0..m).any(|j| back[j] == v && back[(j + 1) % m] == u));
            }
        }
    }
}

fn rectangle(r: [i32; 4], y: i32) -> Patch {
    tile(&ring(&mut Rng(1), r, y, 0))
}

#[test]
fn a_polygon_in_two_patches_goes_to_the_same_one_in_any_order() {
    any_order_gives_the_same(17574332239623075016, 13, 4, 3, true);
}

#[test]
fn the_nearest_in_height_is_the_partner() {
    let patches = [
        rectangle([0, 0, 10, 10], 0),
        rectangle([10, 0, 20, 10], 6),
        rectangle([10, 0, 20, 10], -3),
    ];
    let mesh = join(&patches, &CLIMB);
    mesh.check().unwrap();
    let height = |p: usize| mesh.vertices[mesh.polygon(p)[0] as usize].y;
    for p in 0..mesh.len() {
        for &q in mesh.neighbours[mesh.edges(p)].iter().filter(|&&q| q != NONE) {
            let pair = [height(p), height(q as usize)];
            assert!(pair.contains(&0) && pair.contains(&-3));
        }
    }
    assert_eq!(wall_length(&mesh), 3.0 * 40.0 - 20.0);
}

#[test]
fn closed_edges_stay_walls() {
    let mut patches = [rectangle([0, 0, 10, 10], 0), rectangle([10, 0, 20, 10], 0)];
    assert_eq!(wall_length(&join(&patches, &CLIMB)), 60.0);
    patches[1].open.fill(false);
    let mesh = join(&patches, &CLIMB);
    mesh.check().unwrap();
    assert_eq!(wall_length(&mesh), 80.0);
}

#[test]
fn neighbours_within_a_patch_and_height_meshes_are_kept() {
    let p = Point3::new;
    let height_mesh = HeightMesh {
        least: [10, 0],
        size: [10, 10],
        points: vec![[5, 9, 5], [2, 3, 4]],
        ..HeightMesh::default()
    };
    let inner = PolygonMesh {
        vertices: vec![
            p(0, 0, 0),
            p(0, 0, 10),
            p(10, 0, 10),
            p(10, 0, 0),
            p(20, 0, 10),
            p(20, 0, 0),
        ],
        first_edge: vec![0, 4, 8],
        corners: vec![0, 1, 2, 3, 3, 2, 4, 5],
        neighbours: vec![NONE, NONE, 1, NONE, 0, NONE, NONE, NONE],
        height_mesh_of: vec![NONE, 0],
        height_meshes: vec![height_mesh.clone()],
        areas: vec![3, 0],
    };
    inner.check().unwrap();
    let patch = Patch { open: vec![true; 8], mesh: inner };
    let beside = rectangle([20, -5, 30, 5], 4);
    let mesh = join(&[beside, patch], &CLIMB);
    mesh.check().unwrap();
    assert_eq!(mesh.len(), 3);
    assert_eq!([0, 1, 2].map(|p| mesh.height_mesh(p)), [None, Some(&height_mesh), None]);
    assert_eq!([0, 1, 2].map(|p| mesh.area(p)), [3, 0, 0]);
    // 0 - 1 within the patch, 1 - 2 over half of an edge, which is cut there.
    let beyond = |p: usize| {
        let all = mesh.neighbours[mesh.edges(p)].iter();
        all.copied().filter(|&q| q != NONE).collect::<Vec<_>>()
    };
    assert_eq!([beyond(0), beyond(1), beyond(2)], [vec![1], vec![0, 2], vec![1]]);
    assert_eq!([4, 5, 5], [0, 1, 2].map(|q| mesh.polygon(q).len()));
}

#[test]
fn nothing_gives_nothing() {
    let nothing = join(&[], &CLIMB);
    nothing.check().unwrap();
    assert!(nothing.is_empty());
    assert_eq!(join(&[Patch::default()], &CLIMB), nothing);
}

#[test]
fn the_farthest_corners_of_the_grid_are_safe() {
    let far = (1 << 25) - 1;
    let mut rng = Rng(5);
    let patches = [
        tile(&ring(&mut rng, [-far, -far, 0, far], 0, 3)),
        tile(&ring(&mut rng, [0, -far, far, far], 0, 3)),
    ];
    let slanted = moved(&patches, |p| Point3::new(p.x, p.x, p.z));
    for patches in [&patches[..], &slanted] {
        let mesh = join(patches, &CLIMB);
        mesh.check().unwrap();
        assert_eq!(wall_length(&mesh), 8.0 * f64::from(far));
    }
}
