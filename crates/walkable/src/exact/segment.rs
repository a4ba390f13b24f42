//! A segment that ground ends at.

use super::math::V2;

/// A segment that ground ends at, or that no agent can be beside anyway. It is on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    pub(crate) a: V2,
    pub(crate) b: V2,
    /// Heights of the ground at `a` and `b`.
    pub(crate) heights: [f64; 2],
}

impl Segment {
    /// The segment, directed towards greater X, or Y.
    pub(crate) fn upwards(&self) -> Segment {
        if self.a <= self.b {
            return *self;
        }
        Segment { a: self.b, b: self.a, heights: [self.heights[1], self.heights[0]] }
    }

    /// The squared distance of a place, seen from above, and the segment's height there.
    pub(crate) fn apart(&self, p: V2) -> (f64, f64) {
        let (px, py) = (p[0] - self.a[0], p[1] - self.a[1]);
        let (dx, dy) = (self.b[0] - self.a[0], self.b[1] - self.a[1]);
        let t = ((px * dx + py * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
        let (qx, qy) = (px - t * dx, py - t * dy);
        let [ya, yb] = self.heights;
        (qx * qx + qy * qy, ya + t * (yb - ya))
    }
}
