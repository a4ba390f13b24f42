//! Ring cleanup: removes corners, spikes and folds that rounding made.

use navbake_geom::{Point, orient};

use crate::layers::Ring;

/// Corners this far from the straight line, in grid units, are roundings.
const ROUNDING: f64 = 1.5;

/// Corners to reserve at once.
const SOME: usize = 64;

/// A ring without the corners that only rounding put there. Corners of open edges stay.
pub(crate) fn cleaned(ring: &mut Ring) -> Ring {
    let count = ring.points.len();
    // Begin where the border turns for sure: at the least corner.
    let begin = (0..count).min_by_key(|&k| (ring.points[k], k)).unwrap_or(0);
    ring.points.rotate_left(begin);
    ring.open.rotate_left(begin);
    ring.points.extend(ring.points.first().copied());
    let (points, open) = (&ring.points[..], &ring.open[..]);
    let mut out = Ring::with_capacity(count.min(SOME));
    let mut k = 0;
    while k < count {
        let mut end = k + 1;
        if !open[k] {
            // As far as one straight line reaches.
            let mut sight = Sight::new(points[k]);
            while end < count && !open[end] {
                sight.pass(points[end]);
                let may_go_on = sight.reaches(points[end + 1]);
                let goes_on = may_go_on.unwrap_or_else(|| {
                    are_near_line(points[k], points[end + 1], &points[k + 1..=end])
                });
                if !goes_on {
                    break;
                }
                end += 1;
            }
        }
        if out.points.last() != Some(&points[k]) {
            out.push(points[k], open[k]);
        } else if let Some(last) = out.open.last_mut() {
            *last = open[k];
        }
        k = end;
    }
    if out.points.len() > 1 && out.points.first() == out.points.last() {
        out.points.pop();
        out.open.pop();
    }
    out
}

/// Two edges that rounding made cross may have an edge of at most this length between them.
const SHORT: i32 = 4;

/// A ring without places where it runs back along itself or over itself.
pub(crate) fn without_spikes(mut ring: Ring) -> Ring {
    let mut k = 0;
    let mut steady = 0;
    while ring.points.len() > 2 && steady < ring.points.len() {
        let count = ring.points.len();
        if k >= count {
            k = 0;
        }
        let before = if k > 0 { k - 1 } else { count - 1 };
        let after = if k + 1 < count { k + 1 } else { 0 };
        let (p, q, s) = (ring.points[before], ring.points[k], ring.points[after]);
        let [u, v] = [p, s].map(|e| [i64::from(e.x - q.x), i64::from(e.z - q.z)]);
        let dot = u[0] * v[0] + u[1] * v[1];
        if p == q || (orient(p, q, s) == 0 && dot > 0) {
            // The rest of the two edges is the end of the longer one.
            if v[0] * v[0] + v[1] * v[1] > u[0] * u[0] + u[1] * u[1] {
                ring.open[before] = ring.open[k];
            }
            ring.points.remove(k);
            ring.open.remove(k);
            steady = 0;
            k = before.min(ring.points.len() - 1);
        } else if is_fold(&ring, k) {
            ring.points.remove(k);
            ring.open.remove(k);
            steady = 0;
            k = before.min(ring.points.len() - 1);
        } else {
            steady += 1;
            k += 1;
        }
    }
    ring
}

/// Did rounding make the edges before and after the short one that begins here cross?
fn is_fold(ring: &Ring, k: usize) -> bool {
    let count = ring.points.len();
    let after = |k: usize| if k + 1 < count { k + 1 } else { 0 };
    let [q, s] = [k, after(k)].map(|k| ring.points[k]);
    if (s.x - q.x).abs() > SHORT || (s.z - q.z).abs() > SHORT {
        return false;
    }
    let before = if k > 0 { k - 1 } else { count - 1 };
    let [p, t] = [before, after(after(k))].map(|k| ring.points[k]);
    let [open, more] = [before, k].map(|k| ring.open[k]);
    count > 4
        && !open
        && !more
        && orient(p, q, s).signum() * orient(p, q, t).signum() < 0
        && orient(s, t, p).signum() * orient(s, t, q).signum() < 0
}

/// The cone of directions from a place that pass other places closely enough. It gives the answer
/// of [`are_near_line`], but for close calls.
struct Sight {
    from: Point,
    /// The directions farthest to the right and to the left.
    sides: Option<[[f64; 2]; 2]>,
    /// The farthest place passed, its distance squared.
    far: f64,
}

/// How much closer than close calls are, as a share.
const CLOSE: f64 = 1e-9;

impl Sight {
    fn new(from: Point) -> Sight {
        Sight { from, sides: None, far: 0.0 }
    }

    fn to(&self, p: Point) -> [f64; 2] {
        [f64::from(p.x - self.from.x), f64::from(p.z - self.from.z)]
    }

    /// Adds a place that lines must pass.
    fn pass(&mut self, p: Point) {
        let [x, z] = self.to(p);
        let square = x * x + z * z;
        self.far = self.far.max(square);
        let rest = square - ROUNDING * ROUNDING;
        // Near the beginning any direction will do, if it is ahead; a turn back is no line.
        let is_ahead = |side: [f64; 2]| side[0] * x + side[1] * z > 0.0;
        if rest <= 0.0 || self.sides.is_some_and(|sides| !sides.into_iter().all(is_ahead)) {
            self.far = f64::INFINITY;
            return;
        }
        let aside = ROUNDING / rest.sqrt();
        let [right, left] = [[x + z * aside, z - x * aside], [x - z * aside, z + x * aside]];
        self.sides = Some(match self.sides {
            None => [right, left],
            Some([r, l]) => [
                if cross(r, right) > 0.0 { right } else { r },
                if cross(left, l) > 0.0 { left } else { l },
            ],
        });
    }

    /// May a line go to a place? Nothing where that needs a closer look.
    fn reaches(&self, p: Point) -> Option<bool> {
        let to = self.to(p);
        let square = to[0] * to[0] + to[1] * to[1];
        let [right, left] = self.sides?;
        let length = |v: [f64; 2]| v[0].abs() + v[1].abs();
        let slack = [right, left].map(|side| CLOSE * length(side) * length(to));
        let turns = [cross(right, to), cross(to, left)];
        let ahead =
            right[0] * to[0] + right[1] * to[1] > 0.0 && left[0] * to[0] + left[1] * to[1] > 0.0;
        if !ahead || square <= self.far * (1.0 + CLOSE) {
            return None;
        }
        if turns[0] > slack[0] && turns[1] > slack[1] {
            Some(true)
        } else if turns[0] < -slack[0] || turns[1] < -slack[1] {
            Some(false)
        } else {
            None
        }
    }
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn are_near_line(a: Point, b: Point, points: &[Point]) -> bool {
    let (bx, bz) = (f64::from(b.x - a.x), f64::from(b.z - a.z));
    let square = bx * bx + bz * bz;
    // The last ones leave the line first.
    points.iter().rev().all(|p| {
        let (px, pz) = (f64::from(p.x - a.x), f64::from(p.z - a.z));
        let along = px * bx + pz * bz;
        let across = px * bz - pz * bx;
        across * across <= ROUNDING * ROUNDING * square && along >= 0.0 && along <= square
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_reach_as_far_as_a_look_at_all_places_passed_says() {
        let mut seed = 3u32;
        let mut next = move |most: i32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as i32 % most
        };
        let (mut yes, mut no, mut unknown) = (0, 0, 0);
        for turn in 0..20_000 {
            // Along a line in any direction, a little off it, with steps back and large steps aside
            // at times.
            let (dx, dz) = (next(401) - 200, next(401) - 200);
            let from = Point::new(next(2000) - 1000, next(2000) - 1000);
            let wide = if turn % 4 == 0 { 40 } else { 3 };
            let mut sight = Sight::new(from);
            let mut passed = vec![];
            let mut far = 0;
            for _ in 0..12 {
                far += next(30) - 3;
                let aside = |next: &mut dyn FnMut(i32) -> i32| next(wide) - wide / 2;
                let x = from.x + dx * far / 20 + aside(&mut next);
                let to = Point::new(x, from.z + dz * far / 20 + aside(&mut next));
                let wanted = are_near_line(from, to, &passed);
                match sight.reaches(to) {
                    Some(found) => {
                        assert_eq!(found, wanted, "{from:?} {passed:?} {to:?}");
                        if found { yes += 1 } else { no += 1 }
                    }
                    None => unknown += 1,
                }
                sight.pass(to);
                passed.push(to);
            }
        }
        assert!(yes > 5000 && no > 5000 && unknown > 1000, "{yes} {no} {unknown}");
    }
}
