//! The ground that a step takes away, and the border that it brings; all of it exact.

use navbake_geom::{Point, direction, dot, on_segment, orient, ring_area};

/// Is `p` at most `tolerance` away from the segment?
pub(super) fn near_segment(p: Point, a: Point, b: Point, tolerance: i32) -> bool {
    let (d, e) = (direction(a, b), direction(a, p));
    let limit = i64::from(tolerance).pow(2);
    let (along, square) = (dot(e, d), dot(d, d));
    if along <= 0 {
        return dot(e, e) <= limit;
    }
    if along >= square {
        let f = direction(b, p);
        return dot(f, f) <= limit;
    }
    let cross = i128::from(orient(a, b, p));
    cross * cross <= i128::from(limit) * i128::from(square)
}

/// Is all of the segment from `p` to `q` at most `tolerance` away from a line of points?
///
/// Never said of one that is further away; one that is less than a grid unit nearer may be missed.
pub(super) fn is_covered(line: &[Point], p: [f64; 2], q: [f64; 2], tolerance: f64) -> bool {
    let middle = [(p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0];
    let apart = |a: [f64; 2], b: [f64; 2]| {
        let [x, z] = [b[0] - a[0], b[1] - a[1]];
        (x * x + z * z).sqrt()
    };
    let half = apart(p, q) / 2.0;
    let at = |p: Point| [f64::from(p.x), f64::from(p.z)];
    let away = |w: &[Point]| {
        let (a, b) = (at(w[0]), at(w[1]));
        let [x, z] = [b[0] - a[0], b[1] - a[1]];
        let square = x * x + z * z;
        let along = (middle[0] - a[0]) * x + (middle[1] - a[1]) * z;
        let share = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
        apart(middle, [a[0] + share * x, a[1] + share * z])
    };
    let least = line.windows(2).map(away).fold(f64::INFINITY, f64::min);
    if least + half <= tolerance {
        return true;
    }
    least <= tolerance
        && half > 0.5
        && is_covered(line, p, middle, tolerance)
        && is_covered(line, middle, q, tolerance)
}

/// Does a triangle with `loss` as twice its area, cut off a tip at `b`, lose ground near the border
/// only, and little of it? At its deepest place the border is nearer than half of the tolerance.
pub(super) fn is_tip([a, b, c]: [Point; 3], loss: i64, tolerance: i32) -> bool {
    is_small(loss, tolerance)
        && 2.0 * loss as f64 <= f64::from(tolerance) * (length(a, b) + length(b, c))
}

/// Is all ground in a ring as near to it, and as little?
pub(super) fn is_narrow(ring: &[Point], tolerance: i32) -> bool {
    let area = ring_area(ring);
    let ends = ring.iter().zip(ring.iter().cycle().skip(1));
    let around: f64 = ends.map(|(&a, &b)| length(a, b)).sum();
    is_small(area, tolerance) && 2.0 * area as f64 <= f64::from(tolerance) * around
}

/// Is twice an area at most that of two squares with the tolerance as their side?
fn is_small(loss: i64, tolerance: i32) -> bool {
    loss <= i64::from(tolerance).pow(2).saturating_mul(4)
}

fn length(a: Point, b: Point) -> f64 {
    let d = direction(a, b);
    (dot(d, d) as f64).sqrt()
}

/// Do two closed segments have a point in common?
fn meet(a: Point, b: Point, p: Point, q: Point) -> bool {
    let apart = |a: i32, b: i32, p: i32, q: i32| a.max(b) < p.min(q) || p.max(q) < a.min(b);
    if apart(a.x, b.x, p.x, q.x) || apart(a.z, b.z, p.z, q.z) {
        return false;
    }
    let (u, v) = (orient(a, b, p).signum(), orient(a, b, q).signum());
    let (s, t) = (orient(p, q, a).signum(), orient(p, q, b).signum());
    (u * v < 0 && s * t < 0)
        || u == 0 && on_segment(a, b, p)
        || v == 0 && on_segment(a, b, q)
        || s == 0 && on_segment(p, q, a)
        || t == 0 && on_segment(p, q, b)
}

/// Is `q` in the closed triangle, which is counter-clockwise or flat?
fn in_triangle([a, b, c]: [Point; 3], q: Point) -> bool {
    let within = |q: i32, a: i32, b: i32, c: i32| a.min(b).min(c) <= q && q <= a.max(b).max(c);
    within(q.x, a.x, b.x, c.x)
        && within(q.z, a.z, b.z, c.z)
        && orient(a, b, q) >= 0
        && orient(b, c, q) >= 0
        && orient(c, a, q) >= 0
}

/// A change of the border, with the ground to its left.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// The border `a b c` becomes `a c`.
    Cut([Point; 3]),
    /// The border `a b c d` becomes `a x d`; `x` comes last.
    Collapse([Point; 5]),
}

impl Change {
    /// The points around the ground that is lost.
    pub(super) fn around(&self) -> &[Point] {
        match self {
            Change::Cut(p) => p,
            Change::Collapse(p) => p,
        }
    }

    /// Least and greatest x and z of [`Change::around`].
    pub(super) fn bounds(&self) -> [[i32; 2]; 2] {
        let mut bounds = [[i32::MAX, i32::MIN]; 2];
        for p in self.around() {
            for (c, [least, most]) in [p.x, p.z].into_iter().zip(&mut bounds) {
                (*least, *most) = ((*least).min(c), (*most).max(c));
            }
        }
        bounds
    }

    /// The ends of the border that changes: they stay.
    fn ends(&self) -> [Point; 2] {
        match *self {
            Change::Cut([a, _, c]) => [a, c],
            Change::Collapse([a, _, _, d, _]) => [a, d],
        }
    }

    fn loses(&self, q: Point) -> bool {
        match *self {
            Change::Cut(triangle) => in_triangle(triangle, q),
            Change::Collapse([a, b, c, d, x]) => {
                in_triangle([x, a, b], q) || in_triangle([x, b, c], q) || in_triangle([x, c, d], q)
            }
        }
    }

    /// Does an edge from `p` to `q`, which does not cross the old border, block the change?
    ///
    /// The old border's own edges always are.
    ///
    /// An edge may begin or end where the changed border does, if it does not go through lost
    /// ground from there.
    pub(super) fn meets(&self, p: Point, q: Point) -> bool {
        let [first, last] = self.ends();
        let is_end = |p: Point| p == first || p == last;
        if !is_end(p) && self.loses(p) {
            return true;
        }
        match *self {
            Change::Cut([a, _, c]) => match [is_end(p), is_end(q)] {
                // Where the edge leaves lost ground it ends in it or crosses the old border.
                [true, false] | [false, true] => false,
                [true, true] => true,
                [false, false] => meet(a, c, p, q),
            },
            Change::Collapse([a, b, _, d, x]) => {
                let ends = [p, q];
                if ends.contains(&a) && ends.contains(&d) {
                    // Between the old and the new border at `a`?
                    orient(a, b, d) >= 0 && orient(a, x, d) <= 0
                } else {
                    !ends.contains(&a) && meet(a, x, p, q) || !ends.contains(&d) && meet(x, d, p, q)
                }
            }
        }
    }
}

/// Where the lines `a b` and `c d` meet, on the grid and on the ground's side of both, with twice
/// the ground that `a x d` loses against `a b c d`: of the grid points around the one that loses
/// least.
///
/// `None` where ground would be won, or lost by anything but sliding or extending the edges beside
/// `b c`. Also `None` where the point is so much farther away than the `tolerance` that the first
/// border need not be examined: `b`, `c` and all of `b c` are within the tolerance of it.
pub(super) fn corner([a, b, c, d]: [Point; 4], tolerance: i32) -> Option<(i64, Point)> {
    let (u, v, w) = (direction(a, b), direction(c, d), direction(a, c));
    let cross = |u: [i64; 2], v: [i64; 2]| u[1] * v[0] - u[0] * v[1];
    let bottom = cross(u, v);
    if bottom == 0 {
        return None;
    }
    let reach = 2.0 * f64::from(tolerance) + 4.0;
    let is_far = |p: Point, a: Point, b: Point| {
        let (line, away) = (direction(a, b), orient(a, b, p) as f64);
        away * away > reach * reach * dot(line, line) as f64
    };
    // A convex end of the edge, else the new corner: from which line, and how far?
    let convex = if orient(a, b, c) > 0 {
        Some((b, c, d))
    } else if orient(b, c, d) > 0 {
        Some((c, a, b))
    } else {
        None
    };
    if convex.is_some_and(|(p, a, b)| is_far(p, a, b)) {
        return None;
    }
    let t = cross(w, v) as f64 / bottom as f64;
    let place = |k: usize| {
        let from = if k == 0 { a.x } else { a.z };
        (f64::from(from) + t * u[k] as f64).floor()
    };
    let (px, pz) = (place(0), place(1));
    let limit = f64::from(navbake_geom::LIMIT - 3);
    if !(px.abs() < limit && pz.abs() < limit) {
        return None;
    }
    let about = Point::new(px as i32, pz as i32);
    if convex.is_none() && is_far(about, b, c) {
        return None;
    }
    // Twice the areas between a place and the three edges, which are linear in it: at the first
    // place, and a step along x and along z further.
    let from = Point::new(about.x - 1, about.z - 1);
    let line = |p: Point, q: Point| {
        let along = direction(p, q);
        [orient(from, p, q), along[1], -along[0]]
    };
    let lines = [line(a, b), line(b, c), line(c, d)];
    // Most edges cannot be collapsed: all places are on the wrong side of a line.
    if lines.iter().any(|&[at, x, z]| at + 3 * x.max(0) + 3 * z.max(0) < 0) {
        return None;
    }
    let mut best: Option<(i64, Point)> = None;
    for i in 0..4 {
        let row = |k: usize| lines[k][0] + i * lines[k][1];
        let mut areas = [row(0), row(1), row(2)];
        let most = |k: usize| areas[k] + 3 * lines[k][2].max(0);
        if most(0) | most(1) | most(2) < 0 {
            continue;
        }
        for j in 0..4 {
            let [first, second, third] = areas;
            for (area, line) in areas.iter_mut().zip(&lines) {
                *area += line[2];
            }
            let loss = first + second + third;
            // Rarely is there more than one place to look at more closely.
            if first | second | third < 0 || best.is_some_and(|(least, _)| loss > least) {
                continue;
            }
            let x = Point::new(from.x + i as i32, from.z + j);
            if x == b || x == c {
                continue;
            }
            // Onwards along both edges, and less than once around `x`.
            let onwards = dot(direction(a, x), u) > 0 && dot(direction(x, d), v) > 0;
            let folded = orient(x, a, c) < 0 && orient(x, a, d) >= 0;
            if onwards && !folded {
                let found = (loss, x);
                best = Some(best.map_or(found, |b| b.min(found)));
            }
        }
    }
    best
}
