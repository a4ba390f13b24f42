//! Cutting polygons in space into triangles.

use std::collections::BTreeSet;

use earcut::Earcut;

/// Cuts a polygon in space, concave or slightly bent ones too, into triangles that keep its
/// winding: `n - 2` of them for `n` points, each three indices into `points`.
///
/// The cut is made by cutting ears (a port of mapbox/earcut) as seen along the polygon's normal by
/// Newell's method (Sutherland, Sproull, Schumacker, A characterization of ten hidden-surface
/// algorithms, 1974). Strictly convex polygons become the [`fan`] of their first point, as nearly
/// every tool does it, so that a bent quad is the same surface here as in the editor. `None` when
/// there is no answer: fewer than three points, points that are not finite, no area, a border that
/// crosses itself, and some whose corners touch. The fan is what is left then: it covers all of the
/// inside, and more.
///
/// The time grows with the square of the points of a concave polygon, in the worst case: one to
/// three seconds for 20,000.
pub fn cut_polygon(points: &[[f64; 3]]) -> Option<Vec<[usize; 3]>> {
    let n = points.len();
    if n < 3 || points.iter().flatten().any(|c| !c.is_finite()) {
        return None;
    }
    let flat = flatten(points)?;
    if n == 3 {
        return Some(vec![[0, 1, 2]]);
    }
    if strictly_convex(&flat) {
        return Some(fan(n));
    }
    if n > FEW && crosses_itself(&flat) {
        return None;
    }
    // earcut takes a last point that equals the first for the ring's closing and drops it.
    let start = (0..n).find(|&i| flat[i] != flat[(i + n - 1) % n])?;
    let mut ears: Vec<usize> = Vec::new();
    Earcut::new().earcut((start..start + n).map(|i| flat[i % n]), &[], &mut ears);
    let mut triangles: Vec<[usize; 3]> =
        ears.chunks_exact(3).map(|t| [t[0], t[1], t[2]].map(|i| (i + start) % n)).collect();
    // Counter-clockwise is the ring's order for each triangle, also for those of no area.
    for t in &mut triangles {
        t.sort_unstable();
    }
    put_back(&mut triangles, n);
    if triangles.len() != n - 2 {
        return None;
    }
    let (mut covered, mut absolute) = (0.0, 0.0);
    for t in &mut triangles {
        let area = area(t.map(|i| flat[i]));
        covered += area;
        absolute += area.abs();
        let least = (0..3).min_by_key(|&k| t[k]).unwrap_or(0);
        t.rotate_left(least);
    }
    // Ears that overlap (a border that crosses itself) cover more than the ring encloses.
    let ring = enclosed(&flat);
    let slack = 1e-9 * absolute;
    if (absolute - ring).abs() > slack || (covered - ring).abs() > slack {
        return None;
    }
    triangles.sort_unstable();
    Some(triangles)
}

/// Is the polygon strictly convex, as seen along its normal?
///
/// Such a one is its [`fan`], however many points it has.
pub fn is_strictly_convex(points: &[[f64; 3]]) -> bool {
    points.len() > 2
        && points.iter().flatten().all(|c| c.is_finite())
        && flatten(points).is_some_and(|flat| strictly_convex(&flat))
}

fn strictly_convex(p: &[[f64; 2]]) -> bool {
    let n = p.len();
    let left = (0..n).all(|i| area([p[i], p[(i + 1) % n], p[(i + 2) % n]]) > 0.0);
    // A star turns left everywhere too, but goes round more than once.
    left && (0..2).all(|k| {
        let signs: Vec<bool> = (0..n)
            .map(|i| p[(i + 1) % n][k] - p[i][k])
            .filter(|&d| d != 0.0)
            .map(|d| d > 0.0)
            .collect();
        let m = signs.len();
        (0..m).filter(|&i| signs[i] != signs[(i + 1) % m]).count() <= 2
    })
}

/// Up to this many points a failed cut is cheaper than a check beforehand.
const FEW: usize = 64;

/// Is there a side twice in the same direction, or do two sides plainly cross?
///
/// Cutting ears takes nearly cubic time to fail on such borders. Corners that touch a side, and
/// sides that run on one another, pass: rounding alone can make those cross.
fn crosses_itself(p: &[[f64; 2]]) -> bool {
    let n = p.len();
    let mut sides: Vec<[[f64; 2]; 2]> =
        (0..n).map(|i| [p[i], p[(i + 1) % n]]).filter(|s| s[0] != s[1]).collect();
    let order = |a: &[f64; 2], b: &[f64; 2]| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]));
    sides.sort_unstable_by(|a, b| order(&a[0], &b[0]).then(order(&a[1], &b[1])));
    if sides.windows(2).any(|w| w[0] == w[1]) {
        return true;
    }
    let west = |s: &[[f64; 2]; 2]| s[0][0].min(s[1][0]);
    sides.sort_by(|a, b| west(a).total_cmp(&west(b)));
    sides.iter().enumerate().any(|(i, s)| {
        let east = s[0][0].max(s[1][0]);
        let later = sides[i + 1..].iter().take_while(|t| west(t) <= east);
        later.into_iter().any(|t| plainly_cross(*s, *t))
    })
}

/// Do two sides cross away from their ends and at more than a thousandth of a right angle?
fn plainly_cross([a, b]: [[f64; 2]; 2], [c, d]: [[f64; 2]; 2]) -> bool {
    if a[1].max(b[1]) < c[1].min(d[1]) || c[1].max(d[1]) < a[1].min(b[1]) {
        return false;
    }
    let (u, v) = ([b[0] - a[0], b[1] - a[1]], [d[0] - c[0], d[1] - c[1]]);
    let cross = u[0] * v[1] - u[1] * v[0];
    let square = |w: [f64; 2]| w[0] * w[0] + w[1] * w[1];
    if cross * cross <= 1e-6 * square(u) * square(v) {
        return false;
    }
    let inside = |t: f64| 0.01 < t && t < 0.99;
    inside(area([a, c, d]) / cross) && inside(-area([a, b, c]) / cross)
}

/// Adds the triangles of no area that are missing where points on a line were left out, so that
/// each side of a triangle has its mate or is a side of the polygon.
fn put_back(triangles: &mut Vec<[usize; 3]>, n: usize) {
    let sides = |t: &[usize; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
    let there: BTreeSet<(usize, usize)> = triangles.iter().flat_map(sides).collect();
    let border = (0..n).map(|i| (i, (i + 1) % n));
    let mates = there.iter().filter(|s| (s.0 + 1) % n != s.1);
    let mut missing: BTreeSet<(usize, usize)> =
        border.chain(mates.map(|&(a, b)| (b, a))).filter(|side| !there.contains(side)).collect();
    // What is missing bounds polygons of no area: any cut of them will do. A walk that comes back
    // to one of its corners has gone once around such a polygon.
    let mut walk: Vec<usize> = Vec::new();
    while let Some(&(first, _)) = missing.first() {
        let here = walk.last().copied().unwrap_or(first);
        let Some(&(_, next)) = missing.range((here, 0)..(here + 1, 0)).next() else {
            return;
        };
        missing.remove(&(here, next));
        if walk.is_empty() {
            walk.push(here);
        }
        match walk.iter().position(|&w| w == next) {
            Some(k) => {
                let around = walk.split_off(k);
                let fan = around.windows(2).skip(1);
                triangles.extend(fan.map(|w| [around[0], w[0], w[1]]));
                if k > 0 {
                    walk.push(next);
                }
            }
            None => walk.push(next),
        }
    }
}

/// The triangles from the first of `n` points to all others: a poor man's cut of a polygon, right
/// for convex ones only.
pub fn fan(n: usize) -> Vec<[usize; 3]> {
    (2..n).map(|i| [0, i - 1, i]).collect()
}

/// The points as seen along their polygon's normal, so that it is counter-clockwise; `None` when it
/// has no area.
fn flatten(points: &[[f64; 3]]) -> Option<Vec<[f64; 2]>> {
    let origin = points[0];
    let rel: Vec<[f64; 3]> =
        points.iter().map(|p| [p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]]).collect();
    let mut normal = [0.0f64; 3];
    let mut reach = 0.0f64;
    for (i, p) in rel.iter().enumerate() {
        let q = rel[(i + 1) % rel.len()];
        for k in 0..3 {
            let (u, v) = ((k + 1) % 3, (k + 2) % 3);
            normal[k] += p[u] * q[v] - p[v] * q[u];
            reach = reach.max(p[k].abs());
        }
    }
    let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
    // Less than rounding leaves of a line's area.
    if !length.is_finite() || length <= reach * reach * 1e-13 {
        return None;
    }
    let n = normal.map(|c| c / length);
    // A first axis from the coordinate axis that the normal leans on least.
    let k = (0..3).min_by(|&a, &b| n[a].abs().total_cmp(&n[b].abs()))?;
    let mut u = [-n[0] * n[k], -n[1] * n[k], -n[2] * n[k]];
    u[k] += 1.0;
    let size = (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]).sqrt();
    let u = u.map(|c| c / size);
    let v = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    Some(rel.iter().map(|&p| [dot(p, u), dot(p, v)]).collect())
}

/// Twice the signed area of a triangle.
fn area([a, b, c]: [[f64; 2]; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Twice the signed area of a ring.
fn enclosed(ring: &[[f64; 2]]) -> f64 {
    (2..ring.len()).map(|i| area([ring[0], ring[i - 1], ring[i]])).sum()
}
