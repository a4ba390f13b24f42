//! Places inside solids.

use super::ground::Ground;
use crate::explain::direction;
use crate::explain::solid::TOUCH;

/// Surfaces are looked for in paces of this length, m, and this many of them.
const PACE: f64 = 4.0;
const PACES: u32 = 16;
/// Horizontal directions.
const AROUND: u32 = 8;

/// The solid that a place (x, height, z) is inside of, if any.
///
/// Straight up and in at least seven of eight directions around, the first surface is seen from
/// its back: one may hit what sticks into the solid. The solid is that of the surface above. Soups
/// with both sides as front have no inside.
pub(super) fn inside(ground: &Ground<'_>, at: [f64; 3]) -> Option<u32> {
    if ground.has_two_fronts {
        return None;
    }
    let (above, is_back) = first(ground, at, [0.0, 1.0, 0.0])?;
    if !is_back {
        return None;
    }
    let mut open = 0;
    for k in 0..AROUND {
        // Off the axes of levels, which are drawn on round coordinates.
        let [x, z] = direction((k + 1) * 12 + 1);
        open += u32::from(first(ground, at, [x, 0.0, z]).is_none_or(|(_, is_back)| !is_back));
        if open > 1 {
            return None;
        }
    }
    Some(above)
}

/// The first triangle that a ray hits, and whether it is seen from its back.
fn first(ground: &Ground<'_>, at: [f64; 3], to: [f64; 3]) -> Option<(u32, bool)> {
    let mut near = vec![];
    let pace = PACE * ground.metre;
    let is_upright = to[1] != 0.0;
    for k in 0..if is_upright { 1 } else { PACES } {
        let middle = (f64::from(k) + 0.5) * pace;
        let place = [at[0] + middle * to[0], at[2] + middle * to[2]];
        let reach = if is_upright { 0.0 } else { pace / 2.0 };
        ground.explainer.solids.around(place, reach, &mut near);
        let most = if is_upright { f64::INFINITY } else { (f64::from(k) + 1.0) * pace };
        let hits = near.iter().filter_map(|&n| Some((hit(ground, n, at, to)?, n)));
        let hits: Vec<((f64, bool), u32)> = hits.filter(|((t, _), _)| *t <= most).collect();
        let best = hits.iter().min_by(|a, b| a.0.0.total_cmp(&b.0.0).then(a.1.cmp(&b.1)));
        if let Some(&((t, _), _)) = best {
            // Where solids touch, the side of the one that is left decides.
            let same = hits.iter().filter(|((other, _), _)| other - t <= TOUCH);
            return same.map(|&((_, is_back), n)| (n, is_back)).max_by_key(|&(n, back)| (back, n));
        }
    }
    None
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
