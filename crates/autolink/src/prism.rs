//! The space that a cylinder sweeps along a straight segment.
//!
//! It is the set of points nearer than a radius to a segment of the ground plane, between two
//! heights. A cylinder that also rises or falls sweeps a subset, so it is free if the prism is.

use navbake_geom::Point3;

/// Points nearer than `radius` to the segment `ends` and between two heights.
///
/// The segment is in x and z, the heights are `low` and `high`. The bounds are not included. Grid
/// units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prism {
    pub(crate) ends: [[f64; 2]; 2],
    pub(crate) radius: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Prism {
    /// Least and greatest corner of a box around it.
    pub(crate) fn bounds(&self) -> [[f64; 3]; 2] {
        let [a, b] = self.ends;
        let (low, high) =
            (|k: usize| a[k].min(b[k]) - self.radius, |k: usize| a[k].max(b[k]) + self.radius);
        [[low(0), self.low, low(1)], [high(0), self.high, high(1)]]
    }

    /// Does a triangle intersect it?
    pub(crate) fn meets(&self, triangle: [Point3; 3]) -> bool {
        let [least, greatest] = self.bounds();
        let apart = |k: usize, of: fn(&Point3) -> i32| {
            let values = || triangle.iter().map(|p| f64::from(of(p)));
            values().all(|v| v <= least[k]) || values().all(|v| v >= greatest[k])
        };
        if apart(0, |p| p.x) || apart(1, |p| p.y) || apart(2, |p| p.z) {
            return false;
        }
        let mut part = Part::of(triangle.map(|p| [p.x, p.y, p.z].map(f64::from)));
        part.keep(|y| y - self.low);
        part.keep(|y| self.high - y);
        let corners = part.corners();
        // A triangle within one of the two bounding planes does not intersect it.
        let inside =
            corners.iter().any(|c| c[1] > self.low) && corners.iter().any(|c| c[1] < self.high);
        inside && self.is_near(corners)
    }

    /// Is a convex polygon nearer to the segment than the radius, seen from above?
    fn is_near(&self, corners: &[[f64; 3]]) -> bool {
        let flat = |k: usize| {
            let [x, _, z] = corners[k % corners.len()];
            [x, z]
        };
        let most = self.radius * self.radius;
        holds(corners.len(), flat, self.ends[0])
            || (0..corners.len()).any(|k| apart([flat(k), flat(k + 1)], self.ends) < most)
    }
}

/// The rest of a triangle after cuts at heights. Each cut adds at most one corner.
struct Part {
    at: [[f64; 3]; 6],
    count: usize,
}

impl Part {
    fn of(triangle: [[f64; 3]; 3]) -> Part {
        let mut at = [[0.0; 3]; 6];
        at[..3].copy_from_slice(&triangle);
        Part { at, count: 3 }
    }

    fn corners(&self) -> &[[f64; 3]] {
        &self.at[..self.count]
    }

    /// Keeps the part where `side` (linear in the height) is not negative.
    fn keep(&mut self, side: impl Fn(f64) -> f64) {
        let (old, count) = (self.at, self.count);
        self.count = 0;
        let mut push = |p: [f64; 3]| {
            if let Some(slot) = self.at.get_mut(self.count) {
                *slot = p;
                self.count += 1;
            }
        };
        for k in 0..count {
            let (a, b) = (old[k], old[(k + 1) % count]);
            let (from, to) = (side(a[1]), side(b[1]));
            if from >= 0.0 {
                push(a);
            }
            if (from < 0.0) != (to < 0.0) {
                let t = from / (from - to);
                push(std::array::from_fn(|k| a[k] + t * (b[k] - a[k])));
            }
        }
    }
}

/// Does a convex polygon contain a point? A polygon without area contains none.
fn holds(count: usize, corner: impl Fn(usize) -> [f64; 2], p: [f64; 2]) -> bool {
    let (mut left, mut right, mut area) = (true, true, 0.0);
    for k in 0..count {
        let (a, b) = (corner(k), corner(k + 1));
        let side = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        left &= side >= 0.0;
        right &= side <= 0.0;
        area += side;
    }
    area != 0.0 && (left || right)
}

/// The squared distance between two segments of the ground plane.
fn apart(a: [[f64; 2]; 2], b: [[f64; 2]; 2]) -> f64 {
    let side = |s: [[f64; 2]; 2], p: [f64; 2]| {
        (s[1][0] - s[0][0]) * (p[1] - s[0][1]) - (s[1][1] - s[0][1]) * (p[0] - s[0][0])
    };
    let parts = |s: [[f64; 2]; 2], t: [[f64; 2]; 2]| {
        let [p, q] = [side(s, t[0]), side(s, t[1])];
        (p < 0.0 && q > 0.0) || (p > 0.0 && q < 0.0)
    };
    if parts(a, b) && parts(b, a) {
        return 0.0;
    }
    let ends = [(a, b[0]), (a, b[1]), (b, a[0]), (b, a[1])];
    let all = ends.map(|(segment, p)| from_segment(segment, p));
    all.into_iter().fold(f64::INFINITY, f64::min)
}

fn from_segment([a, b]: [[f64; 2]; 2], p: [f64; 2]) -> f64 {
    let (ex, ez) = (b[0] - a[0], b[1] - a[1]);
    let (px, pz) = (p[0] - a[0], p[1] - a[1]);
    let length = ex * ex + ez * ez;
    let t = match length > 0.0 {
        true => ((px * ex + pz * ez) / length).clamp(0.0, 1.0),
        false => 0.0,
    };
    let (dx, dz) = (px - t * ex, pz - t * ez);
    dx * dx + dz * dz
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Is one of many points of the triangle in the prism?
    ///
    /// The coordinates of the prism are integers. The test is exact, because with rounding a mere
    /// contact would count.
    fn by_points(prism: &Prism, triangle: [Point3; 3]) -> bool {
        const STEPS: i64 = 100;
        let scaled = |v: f64| STEPS * v as i64;
        let [s, e] = prism.ends.map(|p| p.map(|c| c as i64));
        let all = (0..=STEPS).flat_map(|i| (0..=STEPS - i).map(move |j| (i, j)));
        all.into_iter().any(|(i, j)| {
            let mix = |f: fn(Point3) -> i32| {
                let [a, b, c] = triangle.map(|p| i64::from(f(p)));
                (STEPS - i - j) * a + i * b + j * c
            };
            let (x, y, z) = (mix(|p| p.x), mix(|p| p.y), mix(|p| p.z));
            // Tests many points of the segment.
            let near = (0..=STEPS).any(|k| {
                let off = |axis: usize, c: i64| (STEPS - k) * s[axis] + k * e[axis] - c;
                let (dx, dz) = (off(0, x), off(1, z));
                dx * dx + dz * dz < scaled(prism.radius) * scaled(prism.radius)
            });
            near && scaled(prism.low) < y && y < scaled(prism.high)
        })
    }

    fn corner() -> impl Strategy<Value = Point3> {
        (-40..40i32, -40..40i32, -40..40i32).prop_map(|(x, y, z)| Point3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn what_points_of_a_triangle_show_is_found_and_nothing_else_than_is_near(
            triangle in [corner(), corner(), corner()],
            ends in [[-30..30i32, -30..30i32], [-30..30i32, -30..30i32]],
            radius in 1..20i32,
            low in -30..20i32,
            tall in 1..20i32,
        ) {
            let prism = Prism {
                ends: ends.map(|p| p.map(f64::from)),
                radius: radius.into(),
                low: low.into(),
                high: f64::from(low + tall),
            };
            let met = prism.meets(triangle);
            if by_points(&prism, triangle) {
                prop_assert!(met);
            }
            if met {
                // Neighbouring points of the triangle are less than 1.4 units apart, those of the
                // segment less than 1, so none is farther away than that.
                let wider = Prism { radius: prism.radius + 3.0, low: prism.low - 2.0, high: prism.high + 2.0, ..prism };
                prop_assert!(by_points(&wider, triangle));
            }
        }
    }

    #[test]
    fn what_only_touches_is_free() {
        let prism = Prism { ends: [[0.0, 0.0], [10.0, 0.0]], radius: 5.0, low: 0.0, high: 20.0 };
        let triangle = |corners: [[i32; 3]; 3]| corners.map(|[x, y, z]| Point3::new(x, y, z));
        // A floor at its foot, a ceiling at its top, an edge that hangs down to its top, and a wall
        // beside it.
        let free = [
            [[0, 21, 0], [-21, 20, 0], [0, 20, 20]],
            [[-50, 0, -50], [50, 0, -50], [0, 0, 80]],
            [[-50, 20, -50], [50, 20, -50], [0, 20, 80]],
            [[-50, -5, 5], [50, -5, 5], [0, 80, 5]],
        ];
        assert!(free.iter().all(|&t| !prism.meets(triangle(t))));
        // The same one unit further in, and a wall across.
        let met = [
            [[-50, 1, -50], [50, 1, -50], [0, 1, 80]],
            [[-50, 19, -50], [50, 19, -50], [0, 19, 80]],
            [[-50, -5, 4], [50, -5, 4], [0, 80, 4]],
            [[5, -5, -50], [5, -5, 50], [5, 80, 0]],
        ];
        assert!(met.iter().all(|&t| prism.meets(triangle(t))));
    }
}
