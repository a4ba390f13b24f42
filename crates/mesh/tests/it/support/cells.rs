//! Layers made of cells.

use std::collections::{BTreeMap, BTreeSet};

use navbake_geom::{Point, orient};
use navbake_walkable::{Heights, Layer, Ring};

pub(crate) const CELL: i32 = 100;

pub(crate) type Cells = BTreeSet<(i32, i32)>;

pub(crate) fn p(x: i32, z: i32) -> Point {
    Point::new(x, z)
}

/// The layer of cells: each side without a neighbour is border, open where `open` says so of its
/// cell and direction. Where cells meet in a corner only, `apart` says whether rings keep them
/// apart there.
pub(crate) fn layer(
    cells: &Cells,
    height: &dyn Fn(i32, i32) -> i32,
    open: &dyn Fn(i32, i32, usize) -> bool,
    apart: bool,
) -> Layer {
    walled(cells, height, open, apart, &|_, _| false)
}

/// The same with closed walls of no width between cells, on both sides of them.
pub(crate) fn walled(
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
            let k =
                before.map_or(0, |b| (0..ways.len()).min_by_key(|&k| turn(b, ways[k].0)).unwrap());
            let (next, open) = ways.remove(k);
            ring.push(here, open);
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
                [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1), centre]
            } else {
                [Heights::NONE; 5]
            });
        }
    }
    Layer { rings, heights: Heights { cell: CELL, least: low, size, cells: all }, ground: None }
}

/// Cells of a size by size square that noise, smoothed a few times, leaves.
pub(crate) fn blobs(size: i32, noise: &[bool], smooth: usize) -> Cells {
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
pub(crate) fn thin(ring: &mut Ring) {
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
