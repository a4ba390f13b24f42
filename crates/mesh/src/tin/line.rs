//! Lines that triangles are to follow.

use navbake_geom::Point;

/// A straight line along which heights are known, as on one side of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    /// In steps.
    pub(crate) ends: [Point; 2],
    /// Of its ends, in steps.
    pub(crate) heights: [f64; 2],
}

impl Line {
    /// The number of steps along its longer axis.
    pub(super) fn steps(&self) -> i32 {
        let [a, b] = self.ends;
        (b.x - a.x).abs().max((b.z - a.z).abs())
    }

    /// Height at a share of its length.
    pub(super) fn height(&self, along: f64) -> f64 {
        self.heights[0] + along * (self.heights[1] - self.heights[0])
    }

    /// The end of part k of equal parts: its place to the nearest step, and its height.
    pub(super) fn at(&self, k: i32, parts: i32) -> (Point, f64) {
        let t = f64::from(k) / f64::from(parts);
        let [a, b] = self.ends;
        let along = |a: i32, b: i32| a + nearest(t * f64::from(b - a));
        (Point::new(along(a.x, b.x), along(a.z, b.z)), self.height(t))
    }
}

/// The nearest whole number to one that is not great, ties away from zero.
#[inline]
fn nearest(v: f64) -> i32 {
    let whole = v as i32;
    let rest = v - f64::from(whole);
    whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)
}
