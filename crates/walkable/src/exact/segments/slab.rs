//! Triangles cut by the slab between knee and head above ground.

use crate::exact::input::Triangle;
use crate::exact::math::V2;
use crate::exact::occlusion::TOUCH;

/// Cuts triangles by the slab above a plane.
#[derive(Debug, Default)]
pub(crate) struct Slab {
    /// X, Y, height above the plane; is the edge that begins here an outline?
    polygon: Vec<([f64; 3], bool)>,
    spare: Vec<([f64; 3], bool)>,
}

impl Slab {
    /// Do corners at these heights above a plane reach into the slab from `climb` to `height` above
    /// it?
    pub(crate) fn meets(above: [f64; 3], climb: f64, height: f64) -> bool {
        let (low, high) = (climb + TOUCH, height - TOUCH);
        above.iter().any(|&h| h > low) && above.iter().any(|&h| h < high)
    }

    /// May a triangle that reaches into the slab have an outline there?
    pub(crate) fn cuts(other: &Triangle, above: [f64; 3], climb: f64, height: f64) -> bool {
        let (low, high) = (climb + TOUCH, height - TOUCH);
        // A triangle wholly in the slab is not cut.
        other.upright
            || other.kinds.iter().any(|kind| !kind.inner)
            || above.iter().any(|&h| h < low || h > high)
    }

    /// Calls `out` with the outlines, seen from above, of the part of a triangle inside the slab.
    /// `above` are the heights of its corners above the plane.
    pub(crate) fn outline(
        &mut self,
        other: &Triangle,
        above: [f64; 3],
        climb: f64,
        height: f64,
        mut out: impl FnMut(V2, V2),
    ) {
        self.polygon.clear();
        for (k, (c, h)) in other.corners.iter().zip(above).enumerate() {
            let outline = other.upright || !other.kinds[k].inner;
            self.polygon.push(([c[0], c[1], h], outline));
        }
        if above.iter().any(|h| h - climb - TOUCH < 0.0) {
            self.clip(|h| h - climb - TOUCH);
        }
        if above.iter().any(|h| height - TOUCH - h < 0.0) {
            self.clip(|h| height - TOUCH - h);
        }
        let flat = |corner: &([f64; 3], bool)| [corner.0[0], corner.0[1]];
        let Some(mut before) = self.polygon.last() else {
            return;
        };
        if self.polygon.len() < 2 {
            return;
        }
        if other.upright {
            let b = other.bounds;
            let axis = usize::from(b[2] - b[0] < b[3] - b[1]);
            let by = |p: &V2, q: &V2| p[axis].total_cmp(&q[axis]);
            let places = self.polygon.iter().map(flat);
            if let (Some(a), Some(b)) = (places.clone().min_by(by), places.max_by(by)) {
                out(a, b);
            }
            return;
        }
        for corner in &self.polygon {
            if before.1 {
                out(flat(before), flat(corner));
            }
            before = corner;
        }
    }

    /// Keeps the part with `f(height) >= 0`; the edge that the cut makes is an outline.
    fn clip(&mut self, f: impl Fn(f64) -> f64) {
        self.spare.clear();
        let Some(first) = self.polygon.first() else {
            return;
        };
        let next = self.polygon[1..].iter().chain([first]);
        for (p, q) in self.polygon.iter().zip(next) {
            let (a, b) = (f(p.0[2]), f(q.0[2]));
            if a >= 0.0 {
                self.spare.push(*p);
            }
            if (a < 0.0) != (b < 0.0) {
                let t = a / (a - b);
                let cut = std::array::from_fn(|j| p.0[j] + (q.0[j] - p.0[j]) * t);
                self.spare.push((cut, if a >= 0.0 { true } else { p.1 }));
            }
        }
        std::mem::swap(&mut self.polygon, &mut self.spare);
    }
}
