//! Where obstacles cross edges of polygons: places rounded to the grid.

use alloc::vec::Vec;

use navbake_grid::{direction, dot, orient};
use navbake_navmesh::math::{length, round};

use crate::shape::{Shape, Shapes};

/// A crossing of an edge with an obstacle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The grid point nearest to it that is free.
    pub(crate) point: [i32; 2],
    /// The obstacle, and the number of its edge.
    pub(crate) obstacle: u32,
    pub(crate) edge: usize,
    at: Ratio,
}

/// A fraction from 0 to 1; the denominator is positive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ratio(pub(crate) i64, pub(crate) i64);

impl Ratio {
    pub(crate) fn before(self, other: Ratio) -> bool {
        i128::from(self.0) * i128::from(other.1) < i128::from(other.0) * i128::from(self.1)
    }

    fn value(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

/// The part of a line from `u` to `v` that is inside of an obstacle: where it begins and ends, with
/// the obstacle's edges there; `None` where nothing of it is strictly inside.
fn inside(shape: &Shape, [u, v]: [[i32; 2]; 2]) -> Option<[(Ratio, usize); 2]> {
    let beyond = |k: usize| u[k].max(v[k]) <= shape.low[k] || shape.high[k] <= u[k].min(v[k]);
    if beyond(0) || beyond(1) {
        return None;
    }
    let (mut first, mut last) = ((Ratio(0, 1), usize::MAX), (Ratio(1, 1), usize::MAX));
    for (j, [a, b]) in shape.edges().enumerate() {
        let (s, t) = (orient(a, b, u), orient(a, b, v));
        match (s > 0, t > 0) {
            (true, true) => {}
            (false, false) => return None,
            (false, true) => {
                let at = Ratio(-s, t - s);
                if first.0.before(at) || (first.1 == usize::MAX && !at.before(first.0)) {
                    first = (at, j);
                }
            }
            (true, false) => {
                let at = Ratio(s, s - t);
                if at.before(last.0) || (last.1 == usize::MAX && !last.0.before(at)) {
                    last = (at, j);
                }
            }
        }
    }
    first.0.before(last.0).then_some([first, last])
}

/// Has a line a point strictly inside of an obstacle?
pub(crate) fn crosses(shape: &Shape, line: [[i32; 2]; 2]) -> bool {
    inside(shape, line).is_some()
}

/// Is a point of a line strictly inside of an obstacle?
fn holds_at(shape: &Shape, [u, v]: [[i32; 2]; 2], at: Ratio) -> bool {
    shape.edges().all(|[a, b]| {
        let (s, t) = (i128::from(orient(a, b, u)), i128::from(orient(a, b, v)));
        s * i128::from(at.1) + (t - s) * i128::from(at.0) > 0
    })
}

/// Is a grid point at most two units along each axis from a point of a line?
fn near([u, v]: [[i32; 2]; 2], at: Ratio, p: [i32; 2]) -> bool {
    let t = at.value();
    (0..2).all(|k| {
        let exact = f64::from(u[k]) + (f64::from(v[k]) - f64::from(u[k])) * t;
        (f64::from(p[k]) - exact).abs() <= 2.0
    })
}

/// A grid point for a crossing on a line that `allowed` takes: the nearest of those at most two
/// units away along each axis; where there is none, of those around places farther along the line,
/// `ahead` or back. Between two borders that meet at an acute angle the first is some units away.
fn grid_point(
    [u, v]: [[i32; 2]; 2],
    at: Ratio,
    ahead: bool,
    allowed: impl Fn([i32; 2]) -> bool,
) -> Option<[i32; 2]> {
    let d = [0, 1].map(|k| f64::from(v[k]) - f64::from(u[k]));
    let unit = if ahead { 1.0 } else { -1.0 } / length(d[0], d[1]);
    FARTHER.iter().find_map(|units| {
        let t = at.value() + unit * units;
        let exact = [0, 1].map(|k| f64::from(u[k]) + d[k] * t);
        (0.0..=1.0).contains(&t).then(|| nearest(exact, &allowed)).flatten()
    })
}

/// How far along a line grid points are looked for, grid units.
const FARTHER: [f64; 6] = [0.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// How far outside of its line's bounding box the grid point of a crossing can be, grid units.
pub(crate) const AROUND: i32 = 3;

/// The grid point nearest to a place that `allowed` takes, at most two units away along each axis.
fn nearest(exact: [f64; 2], allowed: impl Fn([i32; 2]) -> bool) -> Option<[i32; 2]> {
    let middle = exact.map(round);
    if allowed(middle) {
        return Some(middle);
    }
    let mut around = [(0.0, middle); 25];
    for (k, place) in (0..).zip(&mut around) {
        let p = [middle[0] + k / 5 - 2, middle[1] + k % 5 - 2];
        let off = [0, 1].map(|k| f64::from(p[k]) - exact[k]);
        *place = (off[0] * off[0] + off[1] * off[1], p);
    }
    // Mostly one of the next ones is allowed.
    for first in 0..around.len() {
        for k in first + 1..around.len() {
            if around[k] < around[first] {
                around.swap(first, k);
            }
        }
        if allowed(around[first].1) {
            return Some(around[first].1);
        }
    }
    None
}

/// Adds the crossings of an edge with obstacles, from `u` to `v`: where the union of the obstacles
/// begins and ends, and where volumes outside of it do. `ground` says which points are on the
/// ground that may be beside the edge.
pub(crate) fn of_edge(
    line: [[i32; 2]; 2],
    shapes: Shapes<'_>,
    ground: impl Fn([i32; 2]) -> bool,
    nodes: &mut Vec<Node>,
) {
    let begin = nodes.len();
    let length = dot(direction(line[0], line[1]), direction(line[0], line[1]));
    for (obstacle, shape) in shapes.iter() {
        let Some(ends) = inside(shape, line) else {
            continue;
        };
        for ((at, edge), ahead) in ends.into_iter().zip([false, true]) {
            let mut takers = shapes.takers();
            let mut covered = || takers.any(|(o, s)| o != obstacle && holds_at(s, line, at));
            if edge == usize::MAX || at.0 == 0 || at.0 == at.1 || covered() {
                continue;
            }
            let free = |p| ground(p) && !shapes.hold(p);
            // A corner of the obstacle that is so near would be on the wrong side of the edge.
            let corner = || shape.ring.iter().copied().find(|&p| near(line, at, p) && free(p));
            if let Some(point) = corner().or_else(|| grid_point(line, at, ahead, free)) {
                nodes.push(Node { point, obstacle, edge, at });
            }
        }
    }
    nodes[begin..].sort_unstable_by(|a, b| match (a.at.before(b.at), b.at.before(a.at)) {
        (true, _) => core::cmp::Ordering::Less,
        (_, true) => core::cmp::Ordering::Greater,
        _ => (a.obstacle, a.edge).cmp(&(b.obstacle, b.edge)),
    });
    // Rounding may exchange neighbours; a ring must not run back.
    let (mut kept, mut before) = (begin, 0);
    for i in begin..nodes.len() {
        let node = nodes[i];
        let along = dot(direction(line[0], line[1]), direction(line[0], node.point));
        if (before < along || (kept > begin && nodes[kept - 1].point == node.point))
            && along < length
        {
            before = along;
            nodes[kept] = node;
            kept += 1;
        }
    }
    nodes.truncate(kept);
}

/// The crossing of two edges of obstacles, rounded.
pub(crate) fn of_edges(
    own: [[i32; 2]; 2],
    other: [[i32; 2]; 2],
    allowed: impl Fn([i32; 2]) -> bool,
) -> Option<[i32; 2]> {
    let (s, t) = (orient(other[0], other[1], own[0]), orient(other[0], other[1], own[1]));
    let (p, q) = (orient(own[0], own[1], other[0]), orient(own[0], own[1], other[1]));
    let cross = |a: i64, b: i64| (a > 0 && b < 0) || (a < 0 && b > 0);
    if !cross(s, t) || !cross(p, q) {
        return None;
    }
    let at = if s > 0 { Ratio(s, s - t) } else { Ratio(-s, t - s) };
    // Towards the end that is outside of the other one.
    grid_point(own, at, s > 0, allowed)
}
