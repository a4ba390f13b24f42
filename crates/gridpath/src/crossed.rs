//! Where the navmesh is on the cells of its map: the cells in a polygon, and those beside a line.

use alloc::vec::Vec;

use navbake_format::{CellId, GridMapView};
use navbake_search::{NavMesh, PolyId};

use crate::moves::{STEPS, direction};

/// Column and row of a point of the mesh, with fractions.
pub(crate) fn place(map: &GridMapView<'_>, mesh: &NavMesh<'_>, [x, z]: [i32; 2]) -> [f64; 2] {
    map.column_row_at(mesh.grid().metres([x, 0, z].map(f64::from)))
}

/// Calls `f` with each free cell whose middle is in a polygon.
pub(crate) fn each_cell(
    map: &GridMapView<'_>,
    mesh: &NavMesh<'_>,
    polygon: PolyId,
    mut f: impl FnMut(CellId),
) {
    /// Far less than half a cell, and more than what rounding does.
    const SLACK: f64 = 1e-6;
    let polygon = mesh.polygon(polygon);
    let shape = map.shape();
    let corner = |k: u32| place(map, mesh, polygon.corner(k));
    let rows = (0..polygon.len()).map(|k| corner(k)[1]);
    let (low, high) = rows.fold((f64::MAX, f64::MIN), |(l, h), z| (l.min(z), h.max(z)));
    // The whole numbers whose middles are between two places.
    let middles = |low: f64, high: f64, most: u32, middle: &dyn Fn(i64) -> f64| {
        let apart = middle(1) - middle(0);
        let first = ((low - SLACK - middle(0)) / apart).max(-1.0) as i64;
        let all = (first.max(0)..i64::from(most)).skip_while(|&v| middle(v) < low - SLACK);
        all.take_while(|&v| middle(v) <= high + SLACK).collect::<Vec<i64>>()
    };
    for row in middles(low, high, map.height(), &|row| shape.middle([0, row])[1]) {
        let z = shape.middle([0, row])[1];
        let (mut left, mut right) = (f64::MAX, f64::MIN);
        for k in 0..polygon.len() {
            let [a, b] = [k, polygon.next(k)].map(corner);
            let (from, to) = (a[1].min(b[1]), a[1].max(b[1]));
            if z >= from - SLACK && z <= to + SLACK {
                let t = if from == to { 0.0 } else { ((z - a[1]) / (b[1] - a[1])).clamp(0.0, 1.0) };
                for t in if from == to { [0.0, 1.0] } else { [t, t] } {
                    let x = a[0] + t * (b[0] - a[0]);
                    (left, right) = (left.min(x), right.max(x));
                }
            }
        }
        let middle = |column| shape.middle([column, row])[0];
        for column in middles(left, right, map.width(), &middle) {
            if let Some(cell) = map.id([column, row]).filter(|&cell| map.is_free(cell)) {
                f(cell);
            }
        }
    }
}

/// Calls `f` with each cell and straight direction whose step crosses a line, given in columns and
/// rows; for both cells beside a side.
///
/// A line through a cell's middle is beyond it.
pub(crate) fn each_crossed(
    map: &GridMapView<'_>,
    ends: [[f64; 2]; 2],
    f: &mut impl FnMut(CellId, u8),
) {
    // Along x, then along z: steps from middle to middle, seen from `own` along the other axis.
    for axis in [0, 1] {
        let other = 1 - axis;
        let [a, b] = match ends[0][other] <= ends[1][other] {
            true => ends,
            false => [ends[1], ends[0]],
        };
        let most = if other == 0 { map.width() } else { map.height() };
        let first = (a[other] - 0.5).max(0.0) as i64;
        let lines = (first..i64::from(most)).take_while(|&line| line as f64 + 0.5 < b[other]);
        for line in lines.filter(|&line| line as f64 + 0.5 >= a[other]) {
            let t = (line as f64 + 0.5 - a[other]) / (b[other] - a[other]);
            let crossing = a[axis] + t * (b[axis] - a[axis]) - 0.5;
            let before = crossing.max(-1.0) as i64 - i64::from(crossing < 0.0);
            let cell = |along: i64| map.id(if axis == 0 { [along, line] } else { [line, along] });
            let towards = |by: i32| if axis == 0 { direction(by, 0) } else { direction(0, by) };
            for (at, by) in [(before, 1), (before + 1, -1)] {
                debug_assert!(STEPS[usize::from(towards(by))][axis] == by);
                if let Some(cell) = cell(at) {
                    f(cell, towards(by));
                }
            }
        }
    }
}

/// The same over hexagons; a line through a cell's middle is to the right of it, seen along the
/// line.
pub(crate) fn each_crossed_hexagon(
    map: &GridMapView<'_>,
    [a, b]: [[f64; 2]; 2],
    f: &mut impl FnMut(CellId, u8),
) {
    let shape = map.shape();
    let side = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]) < 0.0
    };
    let [low, high] = [f64::min, f64::max].map(|of| [0, 1].map(|k| of(a[k], b[k])));
    let [first, last] = [low, high].map(|p| shape.cell_at(p).unwrap_or([0; 2]));
    for row in first[1] - 1..=last[1] + 1 {
        for column in first[0] - 1..=last[0] + 1 {
            let Some(cell) = map.id([column, row]) else {
                continue;
            };
            let own = shape.middle([column, row]);
            for k in 0..shape.sides() {
                let other = shape.middle(shape.neighbour([column, row], k));
                let crosses = side(a, b, own) != side(a, b, other)
                    && side(own, other, a) != side(own, other, b);
                if crosses {
                    f(cell, k as u8);
                }
            }
        }
    }
}
