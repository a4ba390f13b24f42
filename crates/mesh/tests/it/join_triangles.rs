//! Promises of `join_triangles`, against plain oracles.

use crate::support::{
    Mosaic, Piece, Rng, area_of_pieces, mapped, mosaic, rectangle, shuffled, stitch, walls,
};
use navbake_geom::{Point3, on_segment, orient};
use navbake_mesh::{JoinSettings, NONE, PolygonMesh};
use proptest::prelude::*;

const CLIMB: JoinSettings = JoinSettings { climb: 10 };

fn length(a: Point3, b: Point3) -> f64 {
    f64::hypot(f64::from(a.x - b.x), f64::from(a.z - b.z))
}

/// Length of all edges of pieces that no triangle of the same piece shares.
fn open_length(pieces: &[Piece]) -> f64 {
    let mut sum = 0.0;
    for p in pieces {
        let edges: Vec<[u32; 2]> =
            p.triangles.iter().flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]).collect();
        for &[a, b] in &edges {
            if !edges.contains(&[b, a]) {
                sum += length(p.vertices[a as usize], p.vertices[b as usize]);
            }
        }
    }
    sum
}

/// Plain oracle: the length over which border edges of level pieces have a partner within climb.
/// All pairs of edges; only right where no more than one partner is in reach anywhere.
fn plain_joined_length(pieces: &[Piece], climb: i32) -> f64 {
    let mut open = vec![];
    for p in pieces {
        let edges: Vec<[u32; 2]> =
            p.triangles.iter().flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]).collect();
        for &[a, b] in &edges {
            if !edges.contains(&[b, a]) {
                open.push([p.vertices[a as usize], p.vertices[b as usize]]);
            }
        }
    }
    let mut sum = 0.0;
    for (i, &[a, b]) in open.iter().enumerate() {
        for &[c, d] in &open[..i] {
            if orient(a.flat(), b.flat(), c.flat()) != 0
                || orient(a.flat(), b.flat(), d.flat()) != 0
                || (a.y - c.y).abs() > climb
            {
                continue;
            }
            let way = |p: Point3, q: Point3| (q.x - p.x, q.z - p.z);
            let (u, v) = (way(a, b), way(c, d));
            if i64::from(u.0) * i64::from(v.0) + i64::from(u.1) * i64::from(v.1) > 0 {
                continue;
            }
            // The overlap is bounded by two of the four ends.
            let ends: Vec<Point3> = [a, b, c, d]
                .into_iter()
                .filter(|e| {
                    on_segment(a.flat(), b.flat(), e.flat())
                        && on_segment(c.flat(), d.flat(), e.flat())
                })
                .collect();
            let mut longest = 0.0f64;
            for p in &ends {
                for q in &ends {
                    longest = longest.max(length(*p, *q));
                }
            }
            sum += longest;
        }
    }
    sum
}

fn border_length(mesh: &PolygonMesh) -> f64 {
    walls(mesh).iter().map(|&[a, b]| length(a, b)).sum()
}

fn agrees_with_the_plain_oracle(pieces: &[Piece], climb: i32) -> PolygonMesh {
    let mesh = stitch(pieces, &JoinSettings { climb });
    mesh.check().unwrap();
    assert_eq!(mesh.area_doubled(), area_of_pieces(pieces));
    let joined = (open_length(pieces) - border_length(&mesh)) / 2.0;
    let plain = plain_joined_length(pieces, climb);
    assert!((joined - plain).abs() < 1e-6 * plain.max(1.0), "joined {joined}, plain {plain}");
    mesh
}

fn any_order_gives_the_same(seed: u64, cuts: u32, levels: u32, storeys: i32) {
    let mut rng = Rng(seed);
    let mut pieces = vec![];
    for storey in 0..storeys {
        let look = Mosaic { side: 30, cuts, extra: 3, rise: 4, levels, holes: 5 };
        // Storeys so near that edges have several candidates.
        let own = mosaic(&mut rng, &look);
        pieces.extend(mapped(&own, |p| Point3::new(p.x, p.y + storey * 6, p.z)));
    }
    let mesh = stitch(&pieces, &CLIMB);
    mesh.check().unwrap();
    for _ in 0..3 {
        let other = shuffled(&mut rng, &pieces);
        assert_eq!(&stitch(&other, &CLIMB), &mesh);
    }
}

#[test]
fn a_triangle_in_two_pieces_goes_to_the_same_one_in_any_order() {
    any_order_gives_the_same(17574332239623075016, 13, 4, 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_flat_mosaic_is_joined_wherever_rectangles_touch(seed in 1u64.., cuts in 0u32..40, extra in 0u32..4, holes in 0u32..6, side in 1i32..60) {
        let mut rng = Rng(seed);
        let pieces = mosaic(&mut rng, &Mosaic { side, cuts, extra, rise: 0, levels: 1, holes });
        agrees_with_the_plain_oracle(&pieces, 0);
    }

    #[test]
    fn slanted_seams_are_joined_as_well(seed in 1u64.., cuts in 0u32..40, extra in 0u32..4, holes in 0u32..6) {
        let mut rng = Rng(seed);
        let pieces = mosaic(&mut rng, &Mosaic { side: 50, cuts, extra, rise: 0, levels: 1, holes });
        // A turn with a stretch; keeps the orientation.
        let pieces = mapped(&pieces, |p| Point3::new(3 * p.x + 2 * p.z - 17, p.y, 5 * p.z - 2 * p.x));
        agrees_with_the_plain_oracle(&pieces, 0);
    }

    #[test]
    fn steps_are_joined_up_to_the_climb(seed in 1u64.., cuts in 0u32..40, extra in 0u32..4, levels in 1u32..5, climb in 0i32..30) {
        let mut rng = Rng(seed);
        let pieces = mosaic(&mut rng, &Mosaic { side: 50, cuts, extra, rise: 7, levels, holes: 0 });
        agrees_with_the_plain_oracle(&pieces, climb);
    }

    #[test]
    fn storeys_do_not_join(seed in 1u64.., cuts in 0u32..20, extra in 0u32..4) {
        let mut rng = Rng(seed);
        let mut pieces = vec![];
        for storey in 0..3 {
            let own = mosaic(&mut rng, &Mosaic { side: 50, cuts, extra, rise: 5, levels: 2, holes: 0 });
            pieces.extend(mapped(&own, |p| Point3::new(p.x, p.y + storey * 40, p.z)));
        }
        agrees_with_the_plain_oracle(&pieces, 10);
    }

    #[test]
    fn the_order_of_pieces_does_not_matter(seed in 1u64.., cuts in 0u32..40, levels in 1u32..6, storeys in 1i32..4) {
        any_order_gives_the_same(seed, cuts, levels, storeys);
    }

    #[test]
    fn slopes_are_joined_where_they_meet(seed in 1u64.., cuts in 0u32..40, extra in 0u32..4, a in -3i32..4, b in -3i32..4) {
        let mut rng = Rng(seed);
        let pieces = mosaic(&mut rng, &Mosaic { side: 50, cuts, extra, rise: 0, levels: 1, holes: 0 });
        let pieces = mapped(&pieces, |p| Point3::new(p.x, a * p.x + b * p.z, p.z));
        let mesh = stitch(&pieces, &JoinSettings { climb: 0 });
        mesh.check().unwrap();
        // The square's own border and nothing else; no vertex off the plane.
        prop_assert_eq!(border_length(&mesh), 200.0);
        prop_assert!(mesh.vertices.iter().all(|p| p.y == a * p.x + b * p.z));
        for (t, n) in mesh.neighbours.chunks(3).enumerate() {
            for k in (0..3).filter(|&k| n[k] != NONE) {
                let (u, v) = (mesh.polygon(t)[k], mesh.polygon(t)[(k + 1) % 3]);
                let back = mesh.polygon(n[k] as usize);
                prop_assert!((0..3).any(|j| back[j] == v && back[(j + 1) % 3] == u));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn rounding_on_slopes_makes_no_steps(seed in 1u64.., cuts in 0u32..20, extra in 0u32..4, a in -30i32..30, b in -30i32..30) {
        let mut rng = Rng(seed);
        let pieces = mosaic(&mut rng, &Mosaic { side: 50, cuts, extra, rise: 0, levels: 1, holes: 0 });
        let pieces = mapped(&pieces, |p| Point3::new(20 * p.x, (a * p.x + b * p.z).div_euclid(7), 20 * p.z));
        let mesh = stitch(&pieces, &JoinSettings { climb: 2 });
        mesh.check().unwrap();
        prop_assert_eq!(border_length(&mesh), 4000.0);
        for (t, n) in mesh.neighbours.chunks(3).enumerate() {
            for k in (0..3).filter(|&k| n[k] != NONE) {
                let (u, v) = (mesh.polygon(t)[k], mesh.polygon(t)[(k + 1) % 3]);
                let back = mesh.polygon(n[k] as usize);
                prop_assert!((0..3).any(|j| back[j] == v && back[(j + 1) % 3] == u));
            }
        }
    }
}

#[test]
fn the_nearest_in_height_is_the_partner() {
    let mut rng = Rng(1);
    let pieces = [
        rectangle(&mut rng, [0, 0, 10, 10], 0, 0),
        rectangle(&mut rng, [10, 0, 20, 10], 6, 0),
        rectangle(&mut rng, [10, 0, 20, 10], -3, 0),
    ];
    let mesh = stitch(&pieces, &CLIMB);
    mesh.check().unwrap();
    for t in 0..mesh.len() {
        let height = |t: usize| mesh.vertices[mesh.polygon(t)[0] as usize].y;
        for &u in mesh.neighbours[mesh.edges(t)].iter().filter(|&&u| u != NONE) {
            let pair = [height(t), height(u as usize)];
            assert!(pair[0] == pair[1] || (!pair.contains(&6) && pair.contains(&-3)));
        }
    }
    assert_eq!(border_length(&mesh), 3.0 * 40.0 - 20.0, "one seam of 10 is joined");
}

#[test]
fn closed_edges_stay_walls() {
    let mut rng = Rng(1);
    let mut pieces =
        vec![rectangle(&mut rng, [0, 0, 10, 10], 0, 2), rectangle(&mut rng, [10, 0, 20, 10], 0, 2)];
    pieces[1].open.fill(0);
    let mesh = stitch(&pieces, &CLIMB);
    mesh.check().unwrap();
    assert_eq!(border_length(&mesh), 80.0);
}

#[test]
fn nothing_gives_nothing() {
    assert!(stitch(&[], &CLIMB).is_empty());
    assert!(stitch(&[Piece::default()], &CLIMB).is_empty());
}

#[test]
fn the_farthest_corners_of_the_grid_are_safe() {
    let far = (1 << 25) - 1;
    let mut rng = Rng(5);
    let pieces = [
        rectangle(&mut rng, [-far, -far, 0, far], 0, 3),
        rectangle(&mut rng, [0, -far, far, far], 0, 3),
    ];
    let slanted = mapped(&pieces, |p| Point3::new(p.x, p.x, p.z));
    for pieces in [&pieces[..], &slanted] {
        let mesh = stitch(pieces, &CLIMB);
        mesh.check().unwrap();
        assert_eq!(border_length(&mesh), 8.0 * f64::from(far));
    }
}

#[test]
fn a_step_inside_a_piece_is_joined_up_to_the_climb() {
    let p = |x, y, z| Point3::new(x, y, z);
    let mut piece = Piece {
        vertices: vec![
            p(0, 0, 0),
            p(0, 0, 10),
            p(10, 0, 0),
            p(0, 9, 10),
            p(10, 9, 10),
            p(10, 9, 0),
        ],
        triangles: vec![[0, 1, 2], [3, 4, 5]],
        open: vec![7, 7],
    };
    let mesh = stitch(std::slice::from_ref(&piece), &CLIMB);
    mesh.check().unwrap();
    assert_eq!(walls(&mesh).len(), 4);
    assert_eq!(mesh.vertices.len(), 6, "the step keeps its heights");
    piece.vertices[3].y = 11;
    let mesh = stitch(&[piece], &CLIMB);
    assert_eq!(walls(&mesh).len(), 6);
}
