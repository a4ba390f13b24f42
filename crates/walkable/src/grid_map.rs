//! Exact polygons of the free cells of a grid map.

use std::collections::BTreeMap;

use navbake_geom::{Grid, LIMIT, Point};
use navbake_level::{CellShape, GridMap};

use crate::{Heights, Layer, Ring};

/// The free cells as polygons: one layer for each connected set of cells.
///
/// Cells are connected over edges; layers are in the order of their first cells, row by row. Rings
/// have the free ground to their left seen from above, no open edges, and all heights are 0.
/// Squares outside the grid's range, or without a side on it, count as blocked; the caller sees
/// that from [`Grid::snap`] of the map's corners. All hexagons must be in its range. Linear time,
/// but for a sort of the corners of hexagons.
pub fn grid_map_layers(map: &GridMap, grid: &Grid) -> Vec<Layer> {
    match map.shape {
        CellShape::Square => squares(map, grid),
        CellShape::Hexagon => by_sides(map, grid),
    }
}

/// The corners of a cell on the grid, counter-clockwise seen from above; `None` where one is out of
/// range.
pub fn cell_corners(map: &GridMap, grid: &Grid, cell: usize) -> Option<Vec<Point>> {
    let at = place(map, cell);
    (0..map.shape.sides()).map(|k| corner(map, grid, map.shape.corner_number(at, k))).collect()
}

/// Column and row of a cell.
fn place(map: &GridMap, cell: usize) -> [i64; 2] {
    let width = (map.width as usize).max(1);
    [(cell % width) as i64, (cell / width) as i64]
}

/// A corner of cells on the grid, by its number.
fn corner(map: &GridMap, grid: &Grid, number: [i64; 2]) -> Option<Point> {
    let [x, z] = map.at(map.shape.corner_at(number));
    grid.snap([x, 0.0, z]).map(|[x, _, z]| Point::new(x, z))
}

/// Follows the sides of cells beyond which there is no ground. At most one of them begins at a
/// corner of hexagons, so that rings never touch.
fn by_sides(map: &GridMap, grid: &Grid) -> Vec<Layer> {
    let shape = map.shape;
    let is_free = |[column, row]: [i64; 2]| map.is_free(column, row);
    let labels = grid_map_labels(map);
    let count = labels.iter().copied().max().unwrap_or(0) as usize;
    let mut layers: Vec<Layer> = (0..count)
        .map(|_| Layer { ground: None, rings: vec![], heights: Heights::default() })
        .collect();
    // The side that begins at a corner: where it ends, and the cell that it bounds.
    let mut sides: BTreeMap<[i64; 2], ([i64; 2], usize)> = BTreeMap::new();
    for cell in (0..map.free.len()).filter(|&cell| map.free[cell]) {
        let at = place(map, cell);
        for k in (0..shape.sides()).filter(|&k| !is_free(shape.neighbour(at, k))) {
            let [from, to] = [k, k + 1].map(|k| shape.corner_number(at, k));
            sides.insert(from, (to, cell));
        }
    }
    // In the order of cells, as the first side of a ring decides where it begins.
    let mut first: Vec<([i64; 2], usize)> =
        sides.iter().map(|(from, (_, cell))| (*from, *cell)).collect();
    first.sort_unstable_by_key(|&(from, cell)| (cell, from));
    for (start, cell) in first {
        let mut points = vec![];
        let mut at = start;
        while let Some((to, _)) = sides.remove(&at) {
            points.extend(corner(map, grid, at));
            at = to;
        }
        if !points.is_empty() {
            let open = vec![false; points.len()];
            layers[labels[cell] as usize - 1].rings.push(Ring { points, open });
        }
    }
    layers
}

/// Labels connected free cells from 1 on, by their first cell row by row; 0 for blocked cells.
pub fn grid_map_labels(map: &GridMap) -> Vec<u32> {
    let mut labels = vec![0u32; map.free.len()];
    let (mut stack, mut count) = (vec![], 0);
    for first in 0..map.free.len() {
        if !map.free[first] || labels[first] != 0 {
            continue;
        }
        count += 1;
        labels[first] = count;
        stack.push(first);
        while let Some(cell) = stack.pop() {
            let at = place(map, cell);
            for k in 0..map.shape.sides() {
                let [column, row] = map.shape.neighbour(at, k);
                if !map.is_free(column, row) {
                    continue;
                }
                let beside = row as usize * map.width as usize + column as usize;
                if labels[beside] == 0 {
                    labels[beside] = count;
                    stack.push(beside);
                }
            }
        }
    }
    labels
}

/// Squares as rectilinear polygons, with corners at turns only.
///
/// At a corner where two free cells only touch, a ring turns left, back along the same cell, so
/// that it passes there twice without crossing itself. Cell corner (c, r) is at the grid point
/// nearest to the map's corner plus (c, r) times the cell's side.
fn squares(map: &GridMap, grid: &Grid) -> Vec<Layer> {
    let (width, height) = (map.width as usize, map.height as usize);
    let [xs, zs] = grid_map_lines(map, grid);
    let fits = |line: &[f64], i: usize| {
        let limit = f64::from(LIMIT);
        line[i].abs() < limit && line[i + 1].abs() < limit && line[i] < line[i + 1]
    };
    let columns: Vec<bool> = (0..width).map(|c| fits(&xs, c)).collect();
    let rows: Vec<bool> = (0..height).map(|r| fits(&zs, r)).collect();

    // A frame of blocked cells around the map spares every bounds check: cell (c, r) is at (r + 1)
    // * stride + c + 1.
    let stride = width + 2;
    let mut free = vec![false; stride * (height + 2)];
    for r in (0..height).filter(|&r| rows[r]) {
        let own = &map.free[r * width..][..width];
        let framed = &mut free[(r + 1) * stride + 1..][..width];
        for c in 0..width {
            framed[c] = own[c] && columns[c];
        }
    }
    let labels = components(&free, stride);
    let count = labels.iter().copied().max().unwrap_or(0);
    let mut layers: Vec<Layer> = (0..count)
        .map(|_| Layer { ground: None, rings: vec![], heights: Heights::default() })
        .collect();

    let mut seen = vec![false; free.len()];
    for cell in stride..free.len() - stride {
        // A ring has an edge down along the left side of a cell that does not continue one above.
        let left_side = |cell: usize| free[cell] && !free[cell - 1];
        if !left_side(cell) || left_side(cell - stride) || seen[cell] {
            continue;
        }
        let corners = trace(&free, stride, cell, &mut seen);
        let points: Vec<Point> =
            corners.into_iter().map(|(c, r)| Point::new(xs[c] as i32, zs[r] as i32)).collect();
        let open = vec![false; points.len()];
        layers[labels[cell] as usize - 1].rings.push(Ring { points, open });
    }
    layers
}

/// Where columns of cells begin along x and where the last one ends, and the same for rows along z,
/// in grid units; also beyond the grid's range.
pub fn grid_map_lines(map: &GridMap, grid: &Grid) -> [Vec<f64>; 2] {
    [(map.width, 0), (map.height, 1)].map(|(count, k)| {
        let at = |c: u32| map.at([f64::from(c); 2])[k] - grid.origin[2 * k];
        (0..=count).map(|c| (at(c) * grid.units()).round_ties_even()).collect()
    })
}

/// Walks one ring from the upper end of the left side of `start`, ground to the left, and gives the
/// corners where it turns. Marks the cells whose left side it passes.
fn trace(free: &[bool], stride: usize, start: usize, seen: &mut [bool]) -> Vec<(usize, usize)> {
    // Towards greater z, greater x, lesser z, lesser x: each is a left turn from the one before it.
    let step = [stride as isize, 1, -(stride as isize), -1];
    let moved = |cell: usize, way: usize| cell.wrapping_add_signed(step[way]);
    let mut corners = vec![];
    let (mut cell, mut way) = (start, 0);
    loop {
        if way == 0 {
            seen[cell] = true;
        }
        let (ahead, beyond) = (moved(cell, way), moved(moved(cell, way), (way + 3) % 4));
        let turned = if !free[ahead] {
            // Left, along the same cell.
            Some((cell, (way + 1) % 4))
        } else if free[beyond] {
            // Right, round the corner of the blocked cell.
            Some((beyond, (way + 3) % 4))
        } else {
            cell = ahead;
            None
        };
        if let Some((to, next_way)) = turned {
            corners.push(end_of_side(cell, way, stride));
            (cell, way) = (to, next_way);
        }
        if (cell, way) == (start, 0) {
            return corners;
        }
    }
}

/// The end of the side of a cell that is followed in the direction `way`.
fn end_of_side(cell: usize, way: usize, stride: usize) -> (usize, usize) {
    let (c, r) = (cell % stride - 1, cell / stride - 1);
    match way {
        0 => (c, r + 1),
        1 => (c + 1, r + 1),
        2 => (c + 1, r),
        _ => (c, r),
    }
}

/// Labels connected free cells from 1 on, by their first cell row by row; 0 for blocked cells.
fn components(free: &[bool], stride: usize) -> Vec<u32> {
    let mut labels = vec![0u32; free.len()];
    let mut stack = vec![];
    let mut count = 0;
    for first in 0..free.len() {
        if !free[first] || labels[first] != 0 {
            continue;
        }
        count += 1;
        labels[first] = count;
        stack.push(first);
        while let Some(cell) = stack.pop() {
            for next in [cell - stride, cell - 1, cell + 1, cell + stride] {
                if free[next] && labels[next] == 0 {
                    labels[next] = count;
                    stack.push(next);
                }
            }
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use navbake_geom::{orient, ring_area};

    const GRID: Grid = Grid { bits: 4, origin: [0.0; 3] };

    fn map(rows: &[&str]) -> GridMap {
        GridMap {
            shape: CellShape::Square,
            cell: 1.0,
            corner: [0.0; 2],
            width: rows.first().map_or(0, |r| r.len()) as u32,
            height: rows.len() as u32,
            free: rows.iter().flat_map(|r| r.bytes().map(|b| b == b'.')).collect(),
            terrain: vec![],
        }
    }

    fn random(seed: u64, width: u32, height: u32, free_in_8: u64) -> GridMap {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let free = (0..width * height)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state >> 20 & 7 < free_in_8
            })
            .collect();
        GridMap {
            shape: CellShape::Square,
            cell: 1.0,
            corner: [0.0; 2],
            width,
            height,
            free,
            terrain: vec![],
        }
    }

    fn area(layer: &Layer) -> i64 {
        layer.rings.iter().map(|r| ring_area(&r.points)).sum()
    }

    /// Plain oracle: is a cell's centre inside the rings, by the winding number?
    fn inside(layer: &Layer, column: i32, row: i32) -> bool {
        let (x, z) = (column * 16 + 8, row * 16 + 8);
        let mut winding = 0;
        for ring in &layer.rings {
            for (i, p) in ring.points.iter().enumerate() {
                let q = ring.points[(i + 1) % ring.points.len()];
                if p.x == q.x && p.x < x && z > p.z.min(q.z) && z < p.z.max(q.z) {
                    winding += (q.z - p.z).signum();
                }
            }
        }
        assert!(winding == 0 || winding == 1);
        winding == 1
    }

    #[test]
    fn layers_cover_the_free_cells_exactly_and_are_their_components() {
        for seed in 1..400u64 {
            let (w, h) = (1 + seed as u32 % 13, 1 + seed as u32 / 13 % 11);
            let map = random(seed, w, h, 2 + seed % 6);
            let layers = grid_map_layers(&map, &GRID);
            for r in 0..h as i32 {
                for c in 0..w as i32 {
                    let owners: Vec<usize> =
                        (0..layers.len()).filter(|&l| inside(&layers[l], c, r)).collect();
                    let free = map.is_free(c.into(), r.into());
                    assert_eq!(owners.len(), usize::from(free), "seed {seed} cell {c} {r}");
                    for (c2, r2) in [(c + 1, r), (c, r + 1)] {
                        if free && map.is_free(c2.into(), r2.into()) {
                            assert!(inside(&layers[owners[0]], c2, r2), "seed {seed}");
                        }
                    }
                }
            }
            for layer in &layers {
                // One outer ring a component: otherwise two components would share a layer.
                let outer = layer.rings.iter().filter(|r| ring_area(&r.points) > 0);
                assert_eq!(outer.count(), 1);
                for ring in &layer.rings {
                    let (p, n) = (&ring.points, ring.points.len());
                    assert_eq!(ring.open, vec![false; n]);
                    for k in 0..n {
                        let turn = orient(p[k], p[(k + 1) % n], p[(k + 2) % n]);
                        assert_ne!(turn, 0, "corners at turns only");
                    }
                }
            }
        }
    }

    #[test]
    fn cells_that_touch_at_a_corner_are_apart() {
        let layers = grid_map_layers(&map(&[".@", "@."]), &GRID);
        assert_eq!(layers.len(), 2);
        let shape = |l: &Layer| l.rings[0].points.clone();
        let p = |x, z| Point::new(x, z);
        assert_eq!(shape(&layers[0]), [p(0, 16), p(16, 16), p(16, 0), p(0, 0)]);
        assert_eq!(shape(&layers[1]), [p(16, 32), p(32, 32), p(32, 16), p(16, 16)]);
    }

    #[test]
    fn a_hole_of_diagonal_cells_touches_itself_without_crossing() {
        let layers = grid_map_layers(&map(&["....", ".@..", "..@.", "...."]), &GRID);
        assert_eq!(layers.len(), 1);
        assert_eq!(area(&layers[0]), 2 * 14 * 256);
        assert_eq!(layers[0].rings.len(), 2);
        assert_eq!(layers[0].rings[1].points.len(), 8);
        assert_eq!(
            layers[0].rings[1].points.iter().filter(|&&p| p == Point::new(32, 32)).count(),
            2
        );
    }

    #[test]
    fn corners_lie_at_the_nearest_grid_point() {
        let mut map = map(&["..."]);
        map.cell = 0.7;
        let grid = Grid { bits: 4, origin: [1.0, 0.0, 0.0] };
        let layers = grid_map_layers(&map, &grid);
        // 3 cells are 33.6 units, one is 11.2, and the origin is at 16.
        let mut points = layers[0].rings[0].points.clone();
        points.sort();
        assert_eq!(points, [(-16, 0), (-16, 11), (18, 0), (18, 11)].map(|(x, z)| Point::new(x, z)));
    }

    #[test]
    fn empty_maps_and_cells_out_of_range_give_nothing() {
        assert!(grid_map_layers(&map(&[]), &GRID).is_empty());
        assert!(grid_map_layers(&map(&["@@"]), &GRID).is_empty());
        for cell in [1e9, 0.0, f64::NAN, f64::INFINITY, -1.0, 1e-9] {
            let mut map = map(&["..", ".."]);
            map.cell = cell;
            assert!(grid_map_layers(&map, &GRID).is_empty(), "{cell}");
        }
    }
}
