//! Patches for layers made of cells, against brute force.

use std::collections::BTreeSet;

use crate::support::cells::{CELL, Cells, blobs, layer, p, thin, walled};
use crate::support::surface::Surface;
use navbake_geom::{Point, on_segment, orient};
use navbake_mesh::{NONE, Patch, PatchSettings, patch};
use navbake_walkable::{Heights, Layer, Ring};
use proptest::prelude::*;

fn flat(layer: &Layer) -> Layer {
    Layer { heights: Heights::default(), ..layer.clone() }
}

fn places(patch: &Patch) -> Vec<Vec<Point>> {
    let place = |&v: &u32| patch.mesh.vertices[v as usize].flat();
    (0..patch.mesh.len()).map(|p| patch.mesh.polygon(p).iter().map(place).collect()).collect()
}

fn area(patch: &Patch) -> i64 {
    patch.mesh.area_doubled() as i64
}

/// Edges of polygons with nothing beyond, and whether they are open. No others are.
fn border(patch: &Patch) -> Vec<(Point, Point, bool)> {
    let mesh = &patch.mesh;
    let mut border = vec![];
    for (p, ring) in places(patch).iter().enumerate() {
        for (k, e) in mesh.edges(p).enumerate() {
            if mesh.neighbours[e] == NONE {
                border.push((ring[k], ring[(k + 1) % ring.len()], patch.open[e]));
            } else {
                assert!(!patch.open[e]);
            }
        }
    }
    border
}

/// Do the insides of two convex polygons meet? By separating lines.
fn overlap(one: &[Point], other: &[Point]) -> bool {
    let separates = |a: &[Point], b: &[Point]| {
        (0..a.len()).any(|k| b.iter().all(|&q| orient(a[k], a[(k + 1) % a.len()], q) <= 0))
    };
    !separates(one, other) && !separates(other, one)
}

fn square(x: i32, z: i32) -> [Point; 4] {
    [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(dx, dz)| p((x + dx) * CELL, (z + dz) * CELL))
}

fn distance(q: Point, a: Point, b: Point) -> f64 {
    let (dx, dz) = (f64::from(b.x - a.x), f64::from(b.z - a.z));
    let (ex, ez) = (f64::from(q.x - a.x), f64::from(q.z - a.z));
    let t = ((dx * ex + dz * ez) / (dx * dx + dz * dz)).clamp(0.0, 1.0);
    ((ex - t * dx).powi(2) + (ez - t * dz).powi(2)).sqrt()
}

fn check(cells: &Cells, layer: &Layer, settings: &PatchSettings, patch: &Patch) {
    patch.mesh.check().unwrap();
    assert!(patch.mesh.vertices.is_sorted_by_key(|v| v.flat()));
    let polygons = places(patch);
    assert_eq!(patch.open.len(), patch.mesh.corners.len());
    for (i, one) in polygons.iter().enumerate() {
        assert!(one.len() <= settings.max_corners as usize);
        for other in &polygons[..i] {
            assert!(!overlap(one, other), "{one:?} lies over {other:?}");
        }
    }

    // Into the ground only: no polygon reaches into a cell without ground.
    for polygon in &polygons {
        let reach = |f: fn(&Point) -> i32| {
            let v = polygon.iter().map(|q| f(q).div_euclid(CELL));
            (v.clone().min().unwrap() - 1)..=(v.max().unwrap() + 1)
        };
        for z in reach(|q| q.z) {
            for x in reach(|q| q.x) {
                assert!(
                    cells.contains(&(x, z)) || !overlap(polygon, &square(x, z)),
                    "{polygon:?} reaches into {x} {z}"
                );
            }
        }
    }
    // No further than the tolerance: what was border is near the border, or on a tip between two
    // sides that are near each other; what is deep inside is covered.
    let border = border(patch);
    let edges: Vec<(Point, Point, bool)> = layer
        .rings
        .iter()
        .flat_map(|r| {
            (0..r.points.len())
                .map(|i| (r.points[i], r.points[(i + 1) % r.points.len()], r.open[i]))
        })
        .collect();
    let tolerance = f64::from(settings.tolerance);
    for &(q, _, _) in &edges {
        let near = border.iter().any(|&(a, b, _)| distance(q, a, b) <= tolerance + 1e-6);
        let is_tip =
            || edges.iter().any(|&(a, b, _)| a != q && b != q && distance(q, a, b) <= tolerance);
        assert!(near || is_tip(), "{q:?}");
    }
    for &(x, z) in cells {
        let q = p(x * CELL + CELL / 2, z * CELL + CELL / 2);
        let within = |ring: &Vec<Point>| {
            (0..ring.len()).all(|k| orient(ring[k], ring[(k + 1) % ring.len()], q) >= 0)
        };
        let deep = edges.iter().all(|&(a, b, _)| distance(q, a, b) > tolerance + 1e-6);
        assert!(!deep || polygons.iter().any(within), "{q:?} is lost");
    }
    let full = 2 * cells.len() as i64 * i64::from(CELL) * i64::from(CELL);
    if settings.tolerance == 0 {
        assert_eq!(area(patch), full);
    } else {
        let closed = edges.iter().filter(|e| !e.2).count() as i64 * i64::from(CELL);
        assert!(
            area(patch) <= full && full - area(patch) <= 2 * closed * i64::from(settings.tolerance)
        );
    }
    // Open edges keep their place, and nothing else is open.
    let length = |a: Point, b: Point| i64::from(a.x - b.x).abs() + i64::from(a.z - b.z).abs();
    let mut covered = 0;
    for &(a, b, _) in border.iter().filter(|s| s.2) {
        let on = edges.iter().filter(|&&(c, d, _)| {
            on_segment(a, b, c)
                && on_segment(a, b, d)
                && orient(c, d, p(c.x + (d.z - c.z), c.z - (d.x - c.x))) > 0
        });
        for &(c, d, open) in on {
            let same = i64::from(b.x - a.x) * i64::from(d.x - c.x)
                + i64::from(b.z - a.z) * i64::from(d.z - c.z)
                > 0;
            assert!(open || !same, "{c:?} {d:?} is not open");
            covered += if same { length(c, d) } else { 0 };
        }
    }
    let open: i64 = edges.iter().filter(|e| e.2).map(|e| length(e.0, e.1)).sum();
    assert_eq!(covered, open);
}

/// Heights of polygons at centres and corners of cells against the cells' own.
fn check_heights(
    cells: &Cells,
    settings: &PatchSettings,
    patch: &Patch,
    height: &dyn Fn(i32, i32) -> i32,
) {
    let mut lattice = BTreeSet::new();
    for &(x, z) in cells {
        lattice.extend(square(x, z));
        lattice.insert(p(x * CELL + CELL / 2, z * CELL + CELL / 2));
    }
    for i in 0..patch.mesh.len() {
        let surface = Surface::new(&patch.mesh, i);
        for &q in lattice.iter().filter(|&&q| surface.holds(q)) {
            let off = (surface.height(q) - f64::from(height(q.x, q.z))).abs();
            let slack = f64::from(settings.height_error) + 1e-6;
            assert!(off <= slack, "{q:?} is {off} off in polygon {i}");
        }
    }
}

fn level(_: i32, _: i32) -> i32 {
    7
}

fn closed(_: i32, _: i32, _: usize) -> bool {
    false
}

fn settings(tolerance: i32, height_error: i32) -> PatchSettings {
    PatchSettings {
        tolerance,
        height_error,
        seam_error: height_error,
        slope_error: 0,
        max_corners: 32,
    }
}

#[test]
fn a_square_is_one_polygon() {
    let cells: Cells = (0..10).flat_map(|x| (0..10).map(move |z| (x, z))).collect();
    let layer = layer(&cells, &level, &closed, true);
    let result = patch(&layer, &settings(0, 0)).unwrap();
    assert_eq!(
        result.mesh.vertices,
        [[0, 0], [0, 1000], [1000, 0], [1000, 1000]].map(|[x, z]| p(x, z).at(7))
    );
    assert_eq!((result.mesh.len(), result.mesh.height_meshes.len()), (1, 0));
    check(&cells, &layer, &settings(0, 0), &result);
    let result = patch(&flat(&layer), &settings(0, 0)).unwrap();
    assert!(result.mesh.vertices.iter().all(|v| v.y == 0));
}

#[test]
fn a_diagonal_staircase_becomes_a_line_through_its_inner_corners() {
    let n = 20;
    let cells: Cells = (0..n).flat_map(|x| (0..=x).map(move |z| (x, z))).collect();
    let layer = layer(&cells, &level, &closed, true);
    let result = patch(&layer, &settings(75, 10)).unwrap();
    check(&cells, &layer, &settings(75, 10), &result);
    let border: BTreeSet<Point> = border(&result).iter().map(|s| s.0).collect();
    // The first step's corner is cut to the line's beginning as well.
    let on_line = border.iter().filter(|q| q.x == q.z + CELL).count();
    assert!(on_line <= 2 && border.len() <= 6, "{border:?}");
}

#[test]
fn a_shallow_staircase_becomes_a_line_too() {
    let cells: Cells = (0..60).flat_map(|x| (0..=x / 3).map(move |z| (x, z))).collect();
    let layer = layer(&cells, &level, &closed, true);
    let result = patch(&layer, &settings(100, 10)).unwrap();
    check(&cells, &layer, &settings(100, 10), &result);
    assert!(border(&result).len() <= 7, "{:?}", border(&result));
}

#[test]
fn walls_are_not_cut() {
    // A pillar's corners are reflex corners of the ground: they stay.
    let cells: Cells =
        (0..9).flat_map(|x| (0..9).map(move |z| (x, z))).filter(|&c| c != (4, 4)).collect();
    let layer = layer(&cells, &level, &closed, true);
    let result = patch(&layer, &settings(1000, 0)).unwrap();
    check(&cells, &layer, &settings(1000, 0), &result);
    for q in [p(400, 400), p(500, 400), p(400, 500), p(500, 500)] {
        assert!(result.mesh.vertices.iter().any(|v| v.flat() == q));
    }
}

#[test]
fn open_staircases_keep_their_place() {
    let cells: Cells = (0..12).flat_map(|x| (0..=x).map(move |z| (x, z))).collect();
    let layer = layer(&cells, &level, &|_, _, k| k < 2, true);
    let result = patch(&layer, &settings(500, 10)).unwrap();
    check(&cells, &layer, &settings(500, 10), &result);
    assert!(border(&result).len() >= 24);
}

#[test]
fn flat_slopes_need_no_height_mesh() {
    let cells: Cells = (0..40).flat_map(|x| (0..40).map(move |z| (x, z))).collect();
    let height = |x: i32, z: i32| (x + 2 * z) / 4;
    let layer = layer(&cells, &height, &closed, true);
    let result = patch(&layer, &settings(50, 2)).unwrap();
    assert_eq!((result.mesh.len(), result.mesh.height_meshes.len()), (1, 0));
    check_heights(&cells, &settings(50, 2), &result, &height);
}

#[test]
fn one_bump_on_flat_ground_leaves_the_rest_flat() {
    // Once there is a height mesh, corners no longer give heights along their plane either.
    let cells: Cells = (0..20).flat_map(|x| (0..20).map(move |z| (x, z))).collect();
    for bump in [p(950, 950), p(1000, 300), p(300, 0)] {
        let height = |x: i32, z: i32| if p(x, z) == bump { 200 } else { 7 };
        let layer = layer(&cells, &height, &closed, true);
        let result = patch(&layer, &settings(0, 20)).unwrap();
        assert_eq!(result.mesh.len(), 1);
        check_heights(&cells, &settings(0, 20), &result, &height);
    }
}

#[test]
fn polygons_agree_on_the_heights_of_bumpy_ground_that_they_share() {
    // An edge through lattice corners, from both of its sides.
    let cells: Cells = (0..12)
        .flat_map(|x| (0..12).map(move |z| (x, z)))
        .filter(|&(x, z)| x < 6 || z < 6)
        .collect();
    let height = |x: i32, z: i32| 10 * ((x / 50 * 7 + z / 50 * 13) % 11);
    let layer = layer(&cells, &height, &closed, true);
    let result = patch(&layer, &settings(0, 5)).unwrap();
    assert!(result.mesh.len() > 1);
    check(&cells, &layer, &settings(0, 5), &result);
    check_heights(&cells, &settings(0, 5), &result, &height);
}

#[test]
fn a_cliff_inside_a_layer_is_steep_and_right_on_both_sides() {
    // Four rows of cells; a cliff that is closed on both sides parts the upper two from the lower
    // two over most of their length, and the upper ones rise and fall along it.
    let s = CELL;
    let outer = Ring {
        points: vec![p(0, 0), p(0, 4 * s), p(8 * s, 4 * s), p(8 * s, 0)],
        open: vec![false; 4],
    };
    let way: Vec<i32> = (1..=7).chain((2..7).rev()).collect();
    let cliff = Ring {
        points: way.iter().map(|&x| p(x * s, 2 * s)).collect(),
        open: vec![false; way.len()],
    };
    let up = |x: i32| 100 * (x.min(8 - x) - 1).max(0);
    let mut cells = vec![];
    for z in 0..4 {
        for x in 0..8 {
            let corner = |x| if z >= 2 { up(x) } else { 0 };
            let [a, b] = [corner(x), corner(x + 1)];
            cells.push([a, b, b, a, (a + b) / 2]);
        }
    }
    let layer = Layer {
        rings: vec![outer, cliff],
        heights: Heights { cell: s, least: [0, 0], size: [8, 4], cells },
        ground: None,
    };
    let result = patch(&layer, &settings(50, 10)).unwrap();
    result.mesh.check().unwrap();
    assert_eq!(area(&result), 2 * 32 * i64::from(s) * i64::from(s));
    for i in 0..result.mesh.len() {
        let surface = Surface::new(&result.mesh, i);
        for z in 0..4 {
            for x in 0..8 {
                let q = p(x * s + s / 2, z * s + s / 2);
                let expected = if z >= 2 { (up(x) + up(x + 1)) / 2 } else { 0 };
                if surface.holds(q) {
                    let off = surface.height(q) - f64::from(expected);
                    assert!(off.abs() <= 10.0, "{q:?} is {off} off");
                }
            }
        }
    }
    // The cliff is a wall with ground on both sides.
    let walls = border(&result);
    let on = |e: &&(Point, Point, bool)| e.0.z == 2 * s && e.1.z == 2 * s;
    let long: i32 = walls.iter().filter(on).map(|e| (e.1.x - e.0.x).abs()).sum();
    assert_eq!(long, 2 * 6 * s);
    assert!(walls.iter().all(|e| !e.2));
}

#[test]
fn ground_that_hangs_on_a_corner_stays() {
    // Cells that meet in corners only. With rings that run through such corners, cutting one off
    // must not fold ground up.
    let cells: Cells = [(0, 0), (1, 1), (2, 0), (1, 3), (0, 2), (2, 2)].into();
    for apart in [true, false] {
        let layer = layer(&cells, &level, &closed, apart);
        for tolerance in [0, 50, 75, 200] {
            let settings = settings(tolerance, 0);
            check(&cells, &layer, &settings, &patch(&layer, &settings).unwrap());
        }
    }
}

/// A corner in an open edge would part what a tile beside has in one piece.
#[test]
fn open_edges_keep_their_place_beside_narrow_ground() {
    let on = [199, 201, 202, 214, 215, 218, 220, 229, 230, 231, 233, 234, 235, 245, 247, 251];
    let noise: Vec<bool> = (0..256).map(|i| on.contains(&i)).collect();
    let cells = blobs(16, &noise, 1);
    let open = |x: i32, z: i32, k: usize| ((x / 4 + z / 4) as u32 + k as u32).is_multiple_of(4);
    let layer = layer(&cells, &|_, _| 0, &open, false);
    let settings = settings(100, 20);
    check(&cells, &layer, &settings, &patch(&layer, &settings).unwrap());
}

/// A block of two by two cells is no tip, however narrow what hangs on it.
#[test]
fn a_corner_of_ground_wider_than_the_tolerance_is_not_cut_off_with_a_tip() {
    let cells: Cells = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (3, 1), (2, 2), (3, 3)].into();
    let mut layer = layer(&cells, &level, &closed, false);
    layer.rings.iter_mut().for_each(thin);
    let settings = settings(150, 20);
    check(&cells, &layer, &settings, &patch(&layer, &settings).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn patches_keep_to_their_ground(
        noise in prop::collection::vec(any::<bool>(), 256),
        smooth in 0usize..3,
        tolerance in prop::sample::select(vec![0, 50, 71, 100, 150, 300, 1000]),
        (open_every, apart) in (0u32..4, any::<bool>()),
        slope in -3i32..4,
        bumps in 0i32..3,
    ) {
        let cells = blobs(16, &noise, smooth);
        let open = |x: i32, z: i32, k: usize| open_every > 0 && ((x / 4 + z / 4) as u32 + k as u32).is_multiple_of(open_every + 1);
        let height = |x: i32, z: i32| slope * x / 4 + bumps * ((x / 10) * (z / 10) % 97);
        let layer = layer(&cells, &height, &open, apart);
        let settings = settings(tolerance, 20);
        let result = patch(&layer, &settings).unwrap();
        check(&cells, &layer, &settings, &result);
        check_heights(&cells, &settings, &result, &height);
        check(&cells, &layer, &settings, &patch(&flat(&layer), &settings).unwrap());

        let mut turned = layer.clone();
        turned.rings.reverse();
        for ring in &mut turned.rings {
            let k = ring.points.len() / 3;
            ring.points.rotate_left(k);
            ring.open.rotate_left(k);
        }
        prop_assert_eq!(patch(&turned, &settings).unwrap(), result);
    }

    #[test]
    fn walls_of_no_width_stay_walls(
        noise in prop::collection::vec(prop::bool::weighted(0.8), 100),
        walls in prop::collection::vec(prop::bool::weighted(0.4), 97),
        tolerance in prop::sample::select(vec![0, 71, 150, 1000]),
        apart in any::<bool>(),
        bumps in 0i32..3,
        thinned in any::<bool>(),
    ) {
        let cells = blobs(10, &noise, 0);
        let wall = |a: (i32, i32), b: (i32, i32)| walls[(a.0 * 7 + a.1 * 31 + b.0 * 11 + b.1 * 53) as usize % walls.len()];
        let height = |x: i32, z: i32| bumps * ((x / 10) * (z / 10) % 97);
        let mut layer = walled(&cells, &height, &|_, _, _| false, apart, &wall);
        if thinned {
            for ring in &mut layer.rings {
                thin(ring);
            }
        }
        let settings = settings(tolerance, 20);
        let result = patch(&layer, &settings).unwrap();
        check(&cells, &layer, &settings, &result);
        check_heights(&cells, &settings, &result, &height);
        // Walls are sides of polygons unless ground was cut away at them: no side crosses one, and
        // no polygon has one inside.
        for (a, b) in cells.iter().flat_map(|&a| [(a, (a.0 + 1, a.1)), (a, (a.0, a.1 + 1))]) {
            if cells.contains(&b) && wall(a, b) {
                let ends = if a.0 < b.0 { [p(b.0, b.1), p(b.0, b.1 + 1)] } else { [p(b.0, b.1), p(b.0 + 1, b.1)] };
                let [u, v] = ends.map(|q| p(q.x * CELL, q.z * CELL));
                let middle = p((u.x + v.x) / 2, (u.z + v.z) / 2);
                for t in places(&result) {
                    prop_assert!((0..t.len()).any(|k| orient(t[k], t[(k + 1) % t.len()], middle) <= 0), "{u:?} {v:?} in {t:?}");
                    for k in 0..t.len() {
                        let (c, d) = (t[k], t[(k + 1) % t.len()]);
                        let crosses = orient(u, v, c).signum() * orient(u, v, d).signum() < 0 && orient(c, d, u).signum() * orient(c, d, v).signum() < 0;
                        prop_assert!(!crosses, "{u:?} {v:?} {c:?} {d:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn open_edges_rise_and_fall_with_the_ground() {
    // Up for half of its length, then level, along a side that goes on in another layer.
    let cells: Cells = (0..8).flat_map(|x| [(x, 0), (x, 1)]).collect();
    let height = |x: i32, _: i32| 2 * x.min(4 * CELL);
    let layer = layer(&cells, &height, &|_, z, k| z == 1 && k == 1, false);
    let settings = settings(0, 20);
    let patch = patch(&layer, &settings).unwrap();
    let (mesh, mut long) = (&patch.mesh, 0);
    for p in 0..mesh.len() {
        let edges = mesh.edges(p);
        for e in edges.clone().filter(|&e| patch.open[e]) {
            let next = edges.start + (e + 1 - edges.start) % edges.len();
            let [a, b] = [e, next].map(|e| mesh.vertices[mesh.corners[e] as usize]);
            for x in a.x.min(b.x)..=a.x.max(b.x) {
                let part = f64::from(x - a.x) / f64::from(b.x - a.x);
                let y = f64::from(a.y) + part * f64::from(b.y - a.y);
                let off = (y - f64::from(height(x, 0))).abs();
                assert!(off <= f64::from(settings.seam_error), "{off} at {x}");
                long += 1;
            }
        }
    }
    assert!(long > 8 * CELL);
}
