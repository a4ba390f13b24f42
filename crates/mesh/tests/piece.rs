//! Pieces of layers made of cells, against brute force.

use std::collections::{BTreeMap, BTreeSet};

use navbake_geom::{Point, on_segment, orient};
use navbake_mesh::{Piece, PieceError, PieceSettings, piece};
use navbake_walkable::{Heights, Layer, Ring};
use proptest::prelude::*;

const CELL: i32 = 100;

type Cells = BTreeSet<(i32, i32)>;

fn p(x: i32, z: i32) -> Point {
    Point::new(x, z)
}

/// The layer of cells: each side without a neighbour is border, open where `open` says so of its cell and direction.
/// Where cells meet in a corner only, `apart` says whether rings keep them apart there.
fn layer(
    cells: &Cells,
    height: &dyn Fn(i32, i32) -> i32,
    open: &dyn Fn(i32, i32, usize) -> bool,
    apart: bool,
) -> Layer {
    walled(cells, height, open, apart, &|_, _| false)
}

/// The same with closed walls of no width between cells, on both sides of them.
fn walled(
    cells: &Cells,
    height: &dyn Fn(i32, i32) -> i32,
    open: &dyn Fn(i32, i32, usize) -> bool,
    apart: bool,
    wall: &dyn Fn((i32, i32), (i32, i32)) -> bool,
) -> Layer {
    let mut leaving: BTreeMap<Point, Vec<(Point, bool)>> = BTreeMap::new();
    for &(x, z) in cells {
        let c =
            [p(x, z), p(x, z + 1), p(x + 1, z + 1), p(x + 1, z)].map(|q| p(q.x * CELL, q.z * CELL));
        let beyond = [(x - 1, z), (x, z + 1), (x + 1, z), (x, z - 1)];
        for k in 0..4 {
            let (one, other) = ((x, z).min(beyond[k]), (x, z).max(beyond[k]));
            let way = c[(k + 1) % 4];
            if !cells.contains(&beyond[k]) {
                leaving.entry(c[k]).or_default().push((way, open(x, z, k)));
            } else if wall(one, other) {
                leaving.entry(c[k]).or_default().push((way, false));
            }
        }
    }
    let mut rings = Vec::new();
    while let Some((&start, _)) = leaving.iter().find(|(_, v)| !v.is_empty()) {
        let mut ring = Ring::default();
        let mut here = start;
        let mut before: Option<Point> = None;
        loop {
            let ways = leaving.get_mut(&here).unwrap();
            // Leftmost first, or rightmost; back last.
            let turn = |b: Point, w: Point| match orient(b, here, w).signum() as i32 {
                0 if w == b => 2,
                sign if apart => -sign,
                sign => sign,
            };
            let k = before.map_or(0, |b| {
                (0..ways.len()).min_by_key(|&k| turn(b, ways[k].0)).unwrap()
            });
            let (next, open) = ways.remove(k);
            ring.points.push(here);
            ring.open.push(open);
            before = Some(here);
            here = next;
            if here == start && (apart || leaving[&here].is_empty()) {
                break;
            }
        }
        rings.push(ring);
    }
    let (mut low, mut high) = ([i32::MAX; 2], [i32::MIN; 2]);
    for &(x, z) in cells {
        low = [low[0].min(x), low[1].min(z)];
        high = [high[0].max(x), high[1].max(z)];
    }
    if cells.is_empty() {
        return Layer::default();
    }
    let size = [0, 1].map(|k| (high[k] - low[k] + 1) as u32);
    let mut all = Vec::new();
    for z in low[1]..=high[1] {
        for x in low[0]..=high[0] {
            let corner = |dx, dz| height((x + dx) * CELL, (z + dz) * CELL);
            all.push(if cells.contains(&(x, z)) {
                let centre = height(x * CELL + CELL / 2, z * CELL + CELL / 2);
                [
                    corner(0, 0),
                    corner(1, 0),
                    corner(1, 1),
                    corner(0, 1),
                    centre,
                ]
            } else {
                [Heights::NONE; 5]
            });
        }
    }
    Layer {
        rings,
        heights: Heights {
            cell: CELL,
            least: low,
            size,
            cells: all,
        },
    }
}

fn flat(layer: &Layer) -> Layer {
    Layer {
        rings: layer.rings.clone(),
        heights: Heights::default(),
    }
}

fn places(piece: &Piece) -> Vec<[Point; 3]> {
    piece
        .triangles
        .iter()
        .map(|t| t.map(|v| piece.vertices[v as usize].flat()))
        .collect()
}

fn area(piece: &Piece) -> i64 {
    places(piece).iter().map(|&[a, b, c]| orient(a, b, c)).sum()
}

/// Sides of triangles that no other triangle has, with their open bits.
fn border(piece: &Piece) -> Vec<(Point, Point, bool)> {
    let mut sides = BTreeMap::new();
    for (t, open) in places(piece).iter().zip(&piece.open) {
        for k in 0..3 {
            let side = (t[k], t[(k + 1) % 3]);
            assert!(
                sides.insert(side, open >> k & 1 != 0).is_none(),
                "{side:?} twice"
            );
        }
    }
    let alone = |(&(a, b), &open): (&(Point, Point), &bool)| {
        (!sides.contains_key(&(b, a))).then_some((a, b, open))
    };
    sides.iter().filter_map(alone).collect()
}

/// Do the insides of a triangle and a cell meet? By separating lines.
fn overlap(t: &[Point; 3], x: i32, z: i32) -> bool {
    let [x0, z0] = [x * CELL, z * CELL];
    let square = [
        p(x0, z0),
        p(x0, z0 + CELL),
        p(x0 + CELL, z0 + CELL),
        p(x0 + CELL, z0),
    ];
    let separates = |a: &[Point], b: &[Point]| {
        (0..a.len()).any(|k| {
            b.iter()
                .all(|&q| orient(a[k], a[(k + 1) % a.len()], q) <= 0)
        })
    };
    !separates(t, &square) && !separates(&square, t)
}

fn distance(q: Point, a: Point, b: Point) -> f64 {
    let (dx, dz) = (f64::from(b.x - a.x), f64::from(b.z - a.z));
    let (ex, ez) = (f64::from(q.x - a.x), f64::from(q.z - a.z));
    let t = ((dx * ex + dz * ez) / (dx * dx + dz * dz)).clamp(0.0, 1.0);
    ((ex - t * dx).powi(2) + (ez - t * dz).powi(2)).sqrt()
}

fn check(cells: &Cells, layer: &Layer, settings: &PieceSettings, piece: &Piece) {
    let triangles = places(piece);
    for &[a, b, c] in &triangles {
        assert!(orient(a, b, c) > 0);
    }
    assert_eq!(piece.open.len(), triangles.len());
    let used: BTreeSet<u32> = piece.triangles.iter().flatten().copied().collect();
    assert_eq!(used.len(), piece.vertices.len());
    let mut distinct = piece.vertices.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), piece.vertices.len());

    // Into the ground only: no triangle reaches into a cell without ground.
    for t in &triangles {
        let reach = |f: fn(&Point) -> i32| {
            let v = t.map(|q| f(&q).div_euclid(CELL));
            (v.into_iter().min().unwrap() - 1)..=(v.into_iter().max().unwrap() + 1)
        };
        for z in reach(|q| q.z) {
            for x in reach(|q| q.x) {
                assert!(
                    cells.contains(&(x, z)) || !overlap(t, x, z),
                    "{t:?} reaches into {x} {z}"
                );
            }
        }
    }
    // No further than the tolerance: what was border is near the border, what is deep inside is covered.
    let border = border(piece);
    let edges: Vec<(Point, Point, bool)> = layer
        .rings
        .iter()
        .flat_map(|r| {
            (0..r.points.len())
                .map(|i| (r.points[i], r.points[(i + 1) % r.points.len()], r.open[i]))
        })
        .collect();
    let tolerance = f64::from(settings.tolerance);
    let wall = |q: Point| {
        let to = |a: Point, b: Point| {
            edges.iter().any(|e| {
                on_segment(e.0, e.1, a)
                    && on_segment(e.0, e.1, b)
                    && orient(a, b, e.0) == 0
                    && e.0 != a
            })
        };
        edges
            .iter()
            .any(|&(a, b, _)| (a == q || b == q) && to(b, a))
    };
    for &(q, _, _) in &edges {
        let near = border
            .iter()
            .any(|&(a, b, _)| distance(q, a, b) <= tolerance + 1e-6);
        assert!(near || wall(q), "{q:?}");
    }
    for &(x, z) in cells {
        let q = p(x * CELL + CELL / 2, z * CELL + CELL / 2);
        let within = |t: &[Point; 3]| (0..3).all(|k| orient(t[k], t[(k + 1) % 3], q) >= 0);
        let deep = edges
            .iter()
            .all(|&(a, b, _)| distance(q, a, b) > tolerance + 1e-6);
        assert!(!deep || triangles.iter().any(within), "{q:?} is lost");
    }
    let full = 2 * cells.len() as i64 * i64::from(CELL) * i64::from(CELL);
    if settings.tolerance == 0 {
        assert_eq!(area(piece), full);
    } else {
        let closed = edges.iter().filter(|e| !e.2).count() as i64 * i64::from(CELL);
        assert!(
            area(piece) <= full && full - area(piece) <= 2 * closed * i64::from(settings.tolerance)
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

/// Heights of the piece against the cells' own.
fn check_heights(
    cells: &Cells,
    settings: &PieceSettings,
    piece: &Piece,
    height: &dyn Fn(i32, i32) -> i32,
) {
    let slack = f64::from(settings.height_error) + 1.0;
    for t in &piece.triangles {
        let v = t.map(|v| piece.vertices[v as usize]);
        let [a, b, c] = v.map(|v| v.flat());
        let whole = orient(a, b, c) as f64;
        for &(x, z) in cells {
            let q = p(x * CELL + CELL / 2, z * CELL + CELL / 2);
            let w = [orient(b, c, q), orient(c, a, q), orient(a, b, q)];
            if w.iter().all(|&w| w > 0) {
                let y: f64 = (0..3)
                    .map(|k| w[k] as f64 * f64::from(v[k].y) / whole)
                    .sum();
                let off = (y - f64::from(height(q.x, q.z))).abs();
                assert!(off <= slack, "{q:?} is {off} off");
            }
        }
    }
    if settings.tolerance > 0 {
        return;
    }
    // The border has all its lattice corners: heights along it hold there too.
    let at: BTreeMap<Point, i32> = piece.vertices.iter().map(|v| (v.flat(), v.y)).collect();
    for (a, b, _) in border(piece) {
        let n = ((b.x - a.x).abs() + (b.z - a.z).abs()) / CELL;
        for i in 0..=n {
            let q = p(
                a.x + (b.x - a.x).signum() * i * CELL,
                a.z + (b.z - a.z).signum() * i * CELL,
            );
            let y = f64::from(at[&a]) + f64::from(at[&b] - at[&a]) * f64::from(i) / f64::from(n);
            assert!((y - f64::from(height(q.x, q.z))).abs() <= slack, "{q:?}");
        }
    }
}

fn level(_: i32, _: i32) -> i32 {
    7
}

fn closed(_: i32, _: i32, _: usize) -> bool {
    false
}

fn settings(tolerance: i32, height_error: i32) -> PieceSettings {
    PieceSettings {
        tolerance,
        height_error,
    }
}

#[test]
fn a_square_is_two_triangles() {
    let cells: Cells = (0..10).flat_map(|x| (0..10).map(move |z| (x, z))).collect();
    let layer = layer(&cells, &level, &closed, true);
    let result = piece(&layer, &settings(0, 0)).unwrap();
    assert_eq!(
        result.vertices,
        [[0, 0], [1000, 0], [0, 1000], [1000, 1000]].map(|[x, z]| p(x, z).at(7))
    );
    assert_eq!(result.triangles.len(), 2);
    check(&cells, &layer, &settings(0, 0), &result);
    assert!(
        piece(&flat(&layer), &settings(0, 0))
            .unwrap()
            .vertices
            .iter()
            .all(|v| v.y == 0)
    );
}

#[test]
fn a_diagonal_staircase_becomes_a_line_through_its_inner_corners() {
    let n = 20;
    let cells: Cells = (0..n).flat_map(|x| (0..=x).map(move |z| (x, z))).collect();
    let layer = layer(&cells, &level, &closed, true);
    let result = piece(&layer, &settings(75, 10)).unwrap();
    check(&cells, &layer, &settings(75, 10), &result);
    let border: BTreeSet<Point> = border(&result).iter().map(|s| s.0).collect();
    // The first step's corner is cut to the line's beginning as well.
    let on_line = border.iter().filter(|q| q.x == q.z + CELL).count();
    assert!(on_line <= 2 && border.len() <= 6, "{border:?}");
}

#[test]
fn a_shallow_staircase_becomes_a_line_too() {
    let cells: Cells = (0..60)
        .flat_map(|x| (0..=x / 3).map(move |z| (x, z)))
        .collect();
    let layer = layer(&cells, &level, &closed, true);
    let result = piece(&layer, &settings(100, 10)).unwrap();
    check(&cells, &layer, &settings(100, 10), &result);
    assert!(border(&result).len() <= 7, "{:?}", border(&result));
}

#[test]
fn walls_are_not_cut() {
    // A pillar's corners are reflex corners of the ground: they stay.
    let cells: Cells = (0..9)
        .flat_map(|x| (0..9).map(move |z| (x, z)))
        .filter(|&c| c != (4, 4))
        .collect();
    let layer = layer(&cells, &level, &closed, true);
    let result = piece(&layer, &settings(1000, 0)).unwrap();
    check(&cells, &layer, &settings(1000, 0), &result);
    for q in [p(400, 400), p(500, 400), p(400, 500), p(500, 500)] {
        assert!(result.vertices.iter().any(|v| v.flat() == q));
    }
}

#[test]
fn open_staircases_keep_their_place() {
    let cells: Cells = (0..12).flat_map(|x| (0..=x).map(move |z| (x, z))).collect();
    let layer = layer(&cells, &level, &|_, _, k| k < 2, true);
    let result = piece(&layer, &settings(500, 10)).unwrap();
    check(&cells, &layer, &settings(500, 10), &result);
    assert!(border(&result).len() >= 24);
}

#[test]
fn flat_slopes_need_no_corners_inside() {
    let cells: Cells = (0..40).flat_map(|x| (0..40).map(move |z| (x, z))).collect();
    let height = |x: i32, z: i32| (x + 2 * z) / 4;
    let layer = layer(&cells, &height, &closed, true);
    let result = piece(&layer, &settings(50, 2)).unwrap();
    assert_eq!(result.triangles.len(), 2);
    check_heights(&cells, &settings(50, 2), &result, &height);
}

#[test]
fn a_wall_through_ground_parts_its_heights() {
    // Two terraces that meet in one corner only.
    let cells: Cells = [(0, 0), (1, 1)].into();
    let height = |x: i32, _: i32| if x < CELL { 0 } else { 500 };
    let mut both = layer(&cells, &height, &closed, true);
    both.heights.cells[0] = [0; 5];
    both.heights.cells[3] = [500; 5];
    let result = piece(&both, &settings(0, 10)).unwrap();
    let heights: Vec<i32> = result
        .vertices
        .iter()
        .filter(|v| v.flat() == p(CELL, CELL))
        .map(|v| v.y)
        .collect();
    assert_eq!(heights, [0, 500]);
    assert_eq!(result.vertices.len(), 8);
}

#[test]
fn a_cliff_inside_a_layer_parts_its_heights() {
    // A strip of two by four cells, cut along the middle for three of them by a cliff that is closed on both sides.
    let s = CELL;
    let outer = Ring {
        points: vec![p(0, 0), p(0, 2 * s), p(4 * s, 2 * s), p(4 * s, 0)],
        open: vec![false; 4],
    };
    let cliff = Ring {
        points: vec![p(s, s), p(2 * s, s), p(3 * s, s), p(2 * s, s)],
        open: vec![false; 4],
    };
    let low = [0; 5];
    let cell = |a: i32, b: i32, c: i32, d: i32, m: i32| [a, b, c, d, m];
    let layer = Layer {
        rings: vec![outer, cliff],
        heights: Heights {
            cell: s,
            least: [0, 0],
            size: [4, 2],
            cells: vec![
                low,
                low,
                low,
                low,
                low,
                cell(0, 300, 0, 0, 75),
                cell(300, 0, 0, 0, 75),
                low,
            ],
        },
    };
    let result = piece(&layer, &settings(50, 10)).unwrap();
    assert_eq!(area(&result), 2 * 8 * i64::from(s) * i64::from(s));
    let heights: Vec<i32> = result
        .vertices
        .iter()
        .filter(|v| v.flat() == p(2 * s, s))
        .map(|v| v.y)
        .collect();
    assert_eq!(heights, [0, 300]);
}

#[test]
fn ground_that_hangs_on_a_corner_stays() {
    // Cells that meet in corners only. With rings that run through such corners, cutting one off must not fold ground up.
    let cells: Cells = [(0, 0), (1, 1), (2, 0), (1, 3), (0, 2), (2, 2)].into();
    for apart in [true, false] {
        let layer = layer(&cells, &level, &closed, apart);
        for tolerance in [0, 50, 75, 200] {
            let settings = settings(tolerance, 0);
            check(
                &cells,
                &layer,
                &settings,
                &piece(&layer, &settings).unwrap(),
            );
        }
    }
}

#[test]
fn bad_layers_are_errors() {
    let line = Ring {
        points: vec![p(0, 0)],
        open: vec![false; 1],
    };
    let error = |layer: Layer| piece(&layer, &settings(5, 5)).unwrap_err();
    assert!(matches!(
        error(Layer {
            rings: vec![line],
            ..Layer::default()
        }),
        PieceError::BadRing { ring: 0, .. }
    ));
    let odd = Heights {
        cell: 3,
        least: [0, 0],
        size: [1, 1],
        cells: vec![[0; 5]],
    };
    assert!(matches!(
        error(Layer {
            rings: vec![],
            heights: odd
        }),
        PieceError::BadHeights { .. }
    ));
    let short = Heights {
        cell: 2,
        least: [0, 0],
        size: [2, 1],
        cells: vec![[0; 5]],
    };
    assert!(matches!(
        error(Layer {
            rings: vec![],
            heights: short
        }),
        PieceError::BadHeights { .. }
    ));
    let bow = Ring {
        points: vec![p(0, 0), p(10, 10), p(10, 0), p(0, 10)],
        open: vec![false; 4],
    };
    assert!(matches!(
        error(Layer {
            rings: vec![bow],
            ..Layer::default()
        }),
        PieceError::Rings(_)
    ));
    assert!(matches!(
        piece(&Layer::default(), &settings(-1, 0)),
        Err(PieceError::BadSettings(_))
    ));
    assert_eq!(
        piece(&Layer::default(), &settings(1, 1)),
        Ok(Piece::default())
    );
}

/// Cells of a size by size square that noise, smoothed a few times, leaves.
fn blobs(size: i32, noise: &[bool], smooth: usize) -> Cells {
    let mut cells: Cells = (0..size * size)
        .filter(|&i| noise[i as usize % noise.len()])
        .map(|i| (i % size, i / size))
        .collect();
    for _ in 0..smooth {
        let count = |x: i32, z: i32| {
            let near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dz| (x + dx, z + dz)));
            near.filter(|c| cells.contains(c)).count()
        };
        cells = (0..size * size)
            .map(|i| (i % size, i / size))
            .filter(|&(x, z)| count(x, z) >= 5)
            .collect();
    }
    cells
}

/// Takes out corners where the ring goes straight on.
fn thin(ring: &mut Ring) {
    let n = ring.points.len();
    let at = |i: usize| ring.points[i % n];
    let keep: Vec<usize> = (0..n)
        .filter(|&i| {
            let (a, b, c) = (at(i + n - 1), at(i), at(i + 1));
            orient(a, b, c) != 0 || a == c
        })
        .collect();
    *ring = Ring {
        points: keep.iter().map(|&i| ring.points[i]).collect(),
        open: keep.iter().map(|&i| ring.open[i]).collect(),
    };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn pieces_keep_to_their_ground(
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
        let result = piece(&layer, &settings).unwrap();
        check(&cells, &layer, &settings, &result);
        check_heights(&cells, &settings, &result, &height);
        check(&cells, &layer, &settings, &piece(&flat(&layer), &settings).unwrap());

        let mut turned = layer.clone();
        turned.rings.reverse();
        for ring in &mut turned.rings {
            let k = ring.points.len() / 3;
            ring.points.rotate_left(k);
            ring.open.rotate_left(k);
        }
        prop_assert_eq!(piece(&turned, &settings).unwrap(), result);
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
        let result = piece(&layer, &settings).unwrap();
        check(&cells, &layer, &settings, &result);
        check_heights(&cells, &settings, &result, &height);
        // Walls are sides of triangles unless ground was cut away at them: no side crosses one.
        for (a, b) in cells.iter().flat_map(|&a| [(a, (a.0 + 1, a.1)), (a, (a.0, a.1 + 1))]) {
            if cells.contains(&b) && wall(a, b) {
                let ends = if a.0 < b.0 { [p(b.0, b.1), p(b.0, b.1 + 1)] } else { [p(b.0, b.1), p(b.0 + 1, b.1)] };
                let [u, v] = ends.map(|q| p(q.x * CELL, q.z * CELL));
                for t in places(&result) {
                    for k in 0..3 {
                        let (c, d) = (t[k], t[(k + 1) % 3]);
                        let crosses = orient(u, v, c).signum() * orient(u, v, d).signum() < 0 && orient(c, d, u).signum() * orient(c, d, v).signum() < 0;
                        prop_assert!(!crosses, "{u:?} {v:?} {c:?} {d:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn odd_rings_give_an_answer(
        rings in prop::collection::vec(prop::collection::vec(((0i32..7, 0i32..7), any::<bool>()), 0..9), 0..4),
        tolerance in 0i32..4,
    ) {
        let rings = rings.iter().map(|r| Ring {
            points: r.iter().map(|&((x, z), _)| p(x, z)).collect(),
            open: r.iter().map(|&(_, open)| open).collect(),
        }).collect();
        let heights = Heights { cell: 2, least: [0, 0], size: [2, 3], cells: (0..6).map(|k| [k, 2 * k, 0, 9 - k, 4]).collect() };
        let layer = Layer { rings, heights };
        let plain = piece(&layer, &settings(0, 1));
        let result = piece(&layer, &settings(tolerance, 1));
        prop_assert!(plain.is_err() || result.is_ok());
        if let Ok(result) = result {
            prop_assert!(places(&result).iter().all(|&[a, b, c]| orient(a, b, c) > 0));
        }
    }
}
