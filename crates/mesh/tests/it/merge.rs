//! Promises of `merge`, against plain oracles.

use std::collections::BTreeSet;

use crate::support::{Mosaic, Rng, mapped, mosaic, rectangle, shuffled, stitch};
use navbake_geom::{Point, Point3, orient};
use navbake_mesh::{Fault, JoinSettings, MergeSettings, NONE, PolygonMesh, merge};
use proptest::prelude::*;

const CLIMB: JoinSettings = JoinSettings { climb: 10 };

fn settings(height_error: i32) -> MergeSettings {
    MergeSettings { height_error, max_corners: 32 }
}

/// The height rule of `PolygonMesh`, plainly, in `f64`.
fn height(mesh: &PolygonMesh, polygon: usize, x: f64, z: f64) -> Option<f64> {
    let ring: Vec<Point3> =
        mesh.polygon(polygon).iter().map(|&v| mesh.vertices[v as usize]).collect();
    (1..ring.len() - 1).find_map(|k| triangle_height([ring[0], ring[k], ring[k + 1]], x, z))
}

fn triangle_height(t: [Point3; 3], x: f64, z: f64) -> Option<f64> {
    let [a, b, c] = t.map(|p| [f64::from(p.x), f64::from(p.y), f64::from(p.z)]);
    let side = |p: [f64; 3], q: [f64; 3]| (q[2] - p[2]) * (x - p[0]) - (q[0] - p[0]) * (z - p[2]);
    let area = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
    let weights = [side(b, c), side(c, a), side(a, b)];
    (area > 0.0 && weights.iter().all(|&w| w >= -1e-9 * area))
        .then(|| (weights[0] * a[1] + weights[1] * b[1] + weights[2] * c[1]) / area)
}

/// May polygons `p` and `q` be one convex polygon, as far as the ground plane is concerned?
fn union_is_convex(mesh: &PolygonMesh, p: usize, edge: usize) -> bool {
    let ring = |p: usize| -> Vec<Point> {
        mesh.polygon(p).iter().map(|&v| mesh.vertices[v as usize].flat()).collect()
    };
    let (a, q) = (ring(p), mesh.neighbours[mesh.edges(p).start + edge] as usize);
    let b = ring(q);
    let (from, to) = (a[edge], a[(edge + 1) % a.len()]);
    let back = (0..b.len()).find(|&j| b[j] == to && b[(j + 1) % b.len()] == from).unwrap();
    let mut whole: Vec<Point> = (1..=a.len()).map(|k| a[(edge + k) % a.len()]).collect();
    whole.extend((2..b.len()).map(|k| b[(back + k) % b.len()]));
    let n = whole.len();
    (0..n).all(|k| {
        let (u, v, w) = (whole[k], whole[(k + 1) % n], whole[(k + 2) % n]);
        let d = |s: i32, t: i32| i64::from(t - s);
        let turn = orient(u, v, w);
        turn > 0 || (turn == 0 && d(u.x, v.x) * d(v.x, w.x) + d(u.z, v.z) * d(v.z, w.z) > 0)
    })
}

fn level_portal(mesh: &PolygonMesh, p: usize, edge: usize) -> bool {
    let ring = mesh.polygon(p);
    let q = mesh.neighbours[mesh.edges(p).start + edge];
    if q == NONE {
        return false;
    }
    let (u, v) = (ring[edge], ring[(edge + 1) % ring.len()]);
    let other = mesh.polygon(q as usize);
    (0..other.len()).any(|j| other[j] == v && other[(j + 1) % other.len()] == u)
}

/// Length of the border, by summing edges without a neighbour.
fn border_length(mesh: &PolygonMesh) -> f64 {
    let mut sum = 0.0;
    for p in 0..mesh.len() {
        let ring = mesh.polygon(p);
        for (k, &n) in mesh.neighbours[mesh.edges(p)].iter().enumerate() {
            if n == NONE {
                let [a, b] =
                    [ring[k], ring[(k + 1) % ring.len()]].map(|v| mesh.vertices[v as usize]);
                sum += f64::hypot(f64::from(a.x - b.x), f64::from(a.z - b.z));
            }
        }
    }
    sum
}

/// Merges bumpy ground and compares heights at random places of its triangles.
fn keeps_heights(seed: u64, cuts: u32, error: i32, bump: u32) {
    let mut rng = Rng(seed);
    let look = Mosaic { side: 60, cuts, extra: 2, rise: 0, levels: 1, holes: 0 };
    let pieces = mosaic(&mut rng, &look);
    // One random height a place, so that the ground is closed. T-junctions on slanted seams stay
    // apart by their heights: climb is high.
    let salt = seed | 1;
    let bumpy = mapped(&pieces, |p| {
        let h = (p.x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ (p.z as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
            ^ salt;
        let y = (h.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 40) as i32 % bump as i32;
        Point3::new(p.x, y, p.z)
    });
    let triangles = stitch(&bumpy, &JoinSettings { climb: 1000 });
    triangles.check().unwrap();
    let mesh = merge(&triangles, &settings(error));
    mesh.check().unwrap();
    assert_eq!(mesh.area_doubled(), triangles.area_doubled());
    let slack = f64::from(error.max(1)) + 1e-6;
    for t in 0..triangles.len() {
        let ring = triangles.polygon(t);
        let c = [0, 1, 2].map(|k| triangles.vertices[ring[k] as usize]);
        for _ in 0..4 {
            let w = [0, 1, 2].map(|_| 1.0 + f64::from(rng.below(1000)));
            let sum: f64 = w.iter().sum();
            let mean =
                |f: fn(Point3) -> i32| (0..3).map(|k| w[k] * f64::from(f(c[k]))).sum::<f64>() / sum;
            let (x, y, z) = (mean(|p| p.x), mean(|p| p.y), mean(|p| p.z));
            let near = (0..mesh.len())
                .filter_map(|p| height(&mesh, p, x, z))
                .any(|h| (h - y).abs() <= slack);
            assert!(near, "({x}, {y}, {z})");
        }
    }
}

#[test]
fn heights_stay_within_the_error_here() {
    keeps_heights(7956861857721162442, 36, 13, 34);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn area_border_and_local_optimality_on_flat_ground(seed in 1u64.., cuts in 0u32..60, extra in 0u32..4, holes in 0u32..6, slant in any::<bool>()) {
        let mut rng = Rng(seed);
        let mut pieces = mosaic(&mut rng, &Mosaic { side: 60, cuts, extra, rise: 0, levels: 1, holes });
        if slant {
            pieces = mapped(&pieces, |p| Point3::new(3 * p.x + 2 * p.z, p.y, 5 * p.z - 2 * p.x));
        }
        let triangles = stitch(&pieces, &CLIMB);
        let mesh = merge(&triangles, &settings(0));
        mesh.check().unwrap();
        prop_assert_eq!(mesh.area_doubled(), triangles.area_doubled());
        let (was, is) = (border_length(&triangles), border_length(&mesh));
        prop_assert!((was - is).abs() < 1e-6 * was.max(1.0));
        for p in 0..mesh.len() {
            for edge in 0..mesh.polygon(p).len() {
                prop_assert!(!level_portal(&mesh, p, edge) || !union_is_convex(&mesh, p, edge), "polygon {} edge {}", p, edge);
            }
        }
    }

    #[test]
    fn every_vertex_is_a_real_corner_for_somebody(seed in 1u64.., cuts in 0u32..60, extra in 0u32..4) {
        let mut rng = Rng(seed);
        let pieces = mosaic(&mut rng, &Mosaic { side: 60, cuts, extra, rise: 0, levels: 1, holes: 5 });
        let mesh = merge(&stitch(&pieces, &CLIMB), &settings(0));
        // A straight corner stays only where a neighbour turns, or where what is beyond changes.
        for p in 0..mesh.len() {
            let (ring, edges) = (mesh.polygon(p), mesh.edges(p));
            let n = ring.len();
            for k in 0..n {
                let [a, b, c] = [0, 1, 2].map(|i| mesh.vertices[ring[(k + i) % n] as usize].flat());
                if orient(a, b, c) == 0 {
                    let beyond = [k, (k + 1) % n].map(|k| mesh.neighbours[edges.start + k]);
                    prop_assert!(beyond[0] != beyond[1], "polygon {} corner {:?}", p, b);
                }
            }
        }
    }

    #[test]
    fn the_order_of_pieces_does_not_matter(seed in 1u64.., cuts in 0u32..60, levels in 1u32..4) {
        let mut rng = Rng(seed);
        let pieces = mosaic(&mut rng, &Mosaic { side: 60, cuts, extra: 3, rise: 4, levels, holes: 5 });
        let mesh = merge(&stitch(&pieces, &CLIMB), &settings(3));
        let other = merge(&stitch(&shuffled(&mut rng, &pieces), &CLIMB), &settings(3));
        prop_assert_eq!(other, mesh);
    }

    #[test]
    fn steps_are_never_merged_over(seed in 1u64.., cuts in 0u32..60, levels in 2u32..4) {
        let mut rng = Rng(seed);
        let pieces = mosaic(&mut rng, &Mosaic { side: 60, cuts, extra: 2, rise: 4, levels, holes: 0 });
        let triangles = stitch(&pieces, &CLIMB);
        let mesh = merge(&triangles, &settings(1000));
        mesh.check().unwrap();
        prop_assert_eq!(mesh.area_doubled(), triangles.area_doubled());
        for p in 0..mesh.len() {
            let heights: BTreeSet<i32> = mesh.polygon(p).iter().map(|&v| mesh.vertices[v as usize].y).collect();
            prop_assert_eq!(heights.len(), 1);
        }
    }

    #[test]
    fn heights_stay_within_the_error(seed in 1u64.., cuts in 0u32..40, error in 0i32..40, bump in 1u32..60) {
        keeps_heights(seed, cuts, error, bump);
    }

    #[test]
    fn corners_stay_within_the_limit(seed in 1u64.., cuts in 0u32..60, max_corners in 3u32..8) {
        let mut rng = Rng(seed);
        let pieces = mosaic(&mut rng, &Mosaic { side: 60, cuts, extra: 3, rise: 0, levels: 1, holes: 0 });
        let triangles = stitch(&pieces, &CLIMB);
        let mesh = merge(&triangles, &MergeSettings { height_error: 0, max_corners });
        mesh.check().unwrap();
        prop_assert_eq!(mesh.area_doubled(), triangles.area_doubled());
        for p in 0..mesh.len() {
            prop_assert!(mesh.polygon(p).len() <= max_corners as usize);
        }
    }
}

#[test]
fn seams_in_flat_ground_leave_nothing_behind() {
    for slope in [0, 3] {
        let mut rng = Rng(9);
        let mut pieces = vec![];
        for x in 0..20 {
            for z in 0..20 {
                let tile = [x * 8, z * 8, x * 8 + 8, z * 8 + 8];
                pieces.push(rectangle(&mut rng, tile, 0, 3));
            }
        }
        let pieces = mapped(&pieces, |p| Point3::new(p.x, slope * p.x - p.z, p.z));
        let mesh = merge(&stitch(&pieces, &CLIMB), &settings(0));
        mesh.check().unwrap();
        assert_eq!((mesh.len(), mesh.corners.len()), (1, 4));
    }
}

/// Ramps and landings around a pillar, several turns, each turn higher than the one below.
fn spiral(turns: i32, rise: i32) -> PolygonMesh {
    let mut pieces = vec![];
    let mut rng = Rng(3);
    let squares = [[0, 0], [0, 10], [0, 20], [10, 20], [20, 20], [20, 10], [20, 0], [10, 0]];
    for i in 0..turns * 8 {
        let [x, z] = squares[(i % 8) as usize];
        pieces.push(rectangle(&mut rng, [x, z, x + 10, z + 10], i * rise, 0));
    }
    stitch(&pieces, &JoinSettings { climb: 4 })
}

#[test]
fn a_spiral_does_not_wrap() {
    for rise in [2, 4] {
        let triangles = spiral(5, rise);
        triangles.check().unwrap();
        let mesh = merge(&triangles, &settings(10_000));
        mesh.check().unwrap();
        assert_eq!(mesh.area_doubled(), triangles.area_doubled());
    }
}

#[test]
fn nothing_gives_nothing() {
    let mesh = merge(&stitch(&[], &CLIMB), &settings(1));
    assert_eq!(mesh.check(), Ok(()));
    assert!(mesh.is_empty());
    let fault = PolygonMesh::default().check().unwrap_err().to_string();
    assert!(fault.contains("first_edge does not begin with 0"), "{fault}");
}

#[test]
fn every_kind_of_fault_is_found() {
    let mut rng = Rng(11);
    let pieces =
        mosaic(&mut rng, &Mosaic { side: 60, cuts: 20, extra: 2, rise: 4, levels: 2, holes: 5 });
    let triangles = stitch(&pieces, &CLIMB);
    let good = merge(&triangles, &settings(1));
    let broken = |change: fn(&mut PolygonMesh)| {
        let mut mesh = good.clone();
        change(&mut mesh);
        mesh.check().unwrap_err()
    };
    let is = |fault: Fault, pattern: &str| {
        assert!(fault.to_string().contains(pattern), "{fault}");
    };
    is(broken(|m| m.vertices.push(Point3::new(1, 2, 3))), "is not used");
    is(broken(|m| m.vertices[0].y = 1 << 25), "outside the grid");
    is(broken(|m| m.corners[0] = 1_000_000), "of polygon 0 is vertex 1000000");
    is(broken(|m| m.neighbours.iter_mut().for_each(|n| *n = 1_000_000)), "of polygon 0 is 1000000");
    is(
        broken(|m| {
            let k = m.neighbours.iter().position(|&n| n != NONE).unwrap();
            m.neighbours[k] = NONE;
        }),
        "which has none back",
    );
    is(broken(|m| m.neighbours.truncate(1)), "the arrays do not fit");
    is(broken(|m| m.first_edge[1] = 1_000_000), "the arrays do not fit");
    is(
        broken(|m| {
            let edges = m.edges(0);
            m.corners[edges].reverse();
        }),
        "is not convex",
    );
    let star = [(0, -30), (-18, 24), (29, -9), (-29, -9), (18, 24)];
    let mesh = PolygonMesh {
        vertices: star.iter().map(|&(x, z)| Point3::new(x, 0, z)).collect(),
        first_edge: vec![0, 5],
        corners: vec![0, 1, 2, 3, 4],
        neighbours: vec![NONE; 5],
        ..PolygonMesh::default()
    };
    is(mesh.check().unwrap_err(), "goes round 2 times");
}
