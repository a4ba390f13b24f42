//! Exact rectilinear polygons of the free cells of a grid map.

use navbake_geom::{Grid, LIMIT, Point};
use navbake_level::GridMap;

use crate::{Heights, Layer, Ring};

/// The free cells as rectilinear polygons, exactly: one layer for each set of cells that hang together over edges, by the first cell of each row by row.
///
/// Rings have the free ground on their left seen from above, corners at turns only, no open edges, and all heights are 0. Two free cells that
/// touch only at a corner are not connected: a ring that meets such a corner turns left, back along the same cell, so that it passes there
/// twice without crossing itself. Cell corner (c, r) lies at the grid point nearest to (c, r) times the cell's side. Cells outside the grid's range, or
/// without a side on it, count as blocked; the caller sees that from [`Grid::snap`] of the map's corners. Linear time.
pub fn grid_map_layers(map: &GridMap, grid: &Grid) -> Vec<Layer> {
    let (width, height) = (map.width as usize, map.height as usize);
    let lattice = |count: usize, k: usize| -> Vec<f64> {
        (0..=count)
            .map(|c| ((c as f64 * map.cell - grid.origin[k]) * grid.units()).round_ties_even())
            .collect()
    };
    let (xs, zs) = (lattice(width, 0), lattice(height, 2));
    let fits = |line: &[f64], i: usize| {
        let limit = f64::from(LIMIT);
        line[i].abs() < limit && line[i + 1].abs() < limit && line[i] < line[i + 1]
    };
    let columns: Vec<bool> = (0..width).map(|c| fits(&xs, c)).collect();
    let rows: Vec<bool> = (0..height).map(|r| fits(&zs, r)).collect();

    // A frame of blocked cells round the map spares every bounds check: cell (c, r) is at (r + 1) * stride + c + 1.
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
        .map(|_| Layer {
            rings: vec![],
            heights: Heights::default(),
        })
        .collect();

    let mut seen = vec![false; free.len()];
    for cell in stride..free.len() - stride {
        // A ring has an edge down along the left side of a cell that is not the continuation of one above.
        let left_side = |cell: usize| free[cell] && !free[cell - 1];
        if !left_side(cell) || left_side(cell - stride) || seen[cell] {
            continue;
        }
        let corners = trace(&free, stride, cell, &mut seen);
        let points: Vec<Point> = corners
            .into_iter()
            .map(|(c, r)| Point::new(xs[c] as i32, zs[r] as i32))
            .collect();
        let open = vec![false; points.len()];
        layers[labels[cell] as usize - 1]
            .rings
            .push(Ring { points, open });
    }
    layers
}

/// Walks one ring from the upper end of the left side of `start`, ground on the left, and gives the lattice corners where it turns. Marks the cells
/// whose left side it passes.
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

/// The lattice corner where the side of a cell that is walked in the direction `way` ends.
fn end_of_side(cell: usize, way: usize, stride: usize) -> (usize, usize) {
    let (c, r) = (cell % stride - 1, cell / stride - 1);
    match way {
        0 => (c, r + 1),
        1 => (c + 1, r + 1),
        2 => (c + 1, r),
        _ => (c, r),
    }
}

/// Numbers free cells that hang together over edges from 1 on, by their first cell row by row; 0 for blocked ones.
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
