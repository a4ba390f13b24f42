//! Places inside solids.

use super::ground::Ground;
use crate::explain::direction;

/// Distances within which surfaces are looked for, m: the next only where the last had too few.
const REACHES: [f64; 3] = [4.0, 16.0, 64.0];
/// Horizontal directions.
const AROUND: u32 = 8;

/// The solid that a place (x, height, z) is inside of, if any.
///
/// Straight up and in eight directions around, the first surface is seen from its back. The solid
/// is that of the surface above. Soups with both sides as front have no inside.
pub(super) fn inside(ground: &Ground<'_>, at: [f64; 3]) -> Option<u32> {
    if ground.has_two_fronts {
        return None;
    }
    let mut near = vec![];
    for reach in REACHES {
        ground.explainer.solids.around([at[0], at[2]], reach * ground.metre, &mut near);
        let hits = (0..=AROUND).map(|k| {
            // Off the axes of levels, which are drawn on round coordinates.
            let to = match k {
                0 => [0.0, 1.0, 0.0],
                k => {
                    let [x, z] = direction(k * 12 + 1);
                    [x, 0.0, z]
                }
            };
            first(ground, &near, at, to)
        });
        let mut above = None;
        let mut is_known = true;
        for (k, hit) in hits.enumerate() {
            match hit {
                // Seen from its front: outside.
                Some((_, false)) => return None,
                Some((solid, true)) if k == 0 => above = Some(solid),
                Some(_) => {}
                None => {
                    is_known = false;
                    break;
                }
            }
        }
        if is_known {
            return above;
        }
    }
    None
}

/// The first triangle that a ray hits, and whether it is seen from its back.
fn first(ground: &Ground<'_>, near: &[u32], at: [f64; 3], to: [f64; 3]) -> Option<(u32, bool)> {
    let hits = near.iter().filter_map(|&n| Some((hit(ground, n, at, to)?, n)));
    let ((_, is_back), n) = hits.min_by(|a, b| a.0.0.total_cmp(&b.0.0).then(a.1.cmp(&b.1)))?;
    Some((n, is_back))
}

/// Where a ray hits a triangle, and whether it is seen from its back (Moeller and Trumbore, 1997).
fn hit(ground: &Ground<'_>, solid: u32, at: [f64; 3], to: [f64; 3]) -> Option<(f64, bool)> {
    let [a, b, c] = ground.solid(solid).corners;
    let minus = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|k| p[k] - q[k]);
    let cross = |p: [f64; 3], q: [f64; 3]| {
        [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    };
    let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let (e, f) = (minus(b, a), minus(c, a));
    let p = cross(to, f);
    let turn = dot(e, p);
    if turn == 0.0 {
        return None;
    }
    let s = minus(at, a);
    let u = dot(s, p) / turn;
    let q = cross(s, e);
    let v = dot(to, q) / turn;
    let t = dot(f, q) / turn;
    let is_hit = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0;
    is_hit.then_some((t, (turn < 0.0) != ground.is_clockwise))
}
