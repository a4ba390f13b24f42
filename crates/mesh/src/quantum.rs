//! The places that height points can have: in a file they are told in steps of a polygon's extent.

use navbake_geom::{Point, orient};

/// The extent of a polygon is told in at most so many steps along x and z.
const STEPS: i32 = 4095;

/// The steps of one polygon.
pub(crate) struct Quantum {
    least: Point,
    greatest: Point,
    step: [i32; 2],
}

impl Quantum {
    /// Of the polygon with these corners.
    pub(crate) fn new(corners: &[Point]) -> Quantum {
        let first = corners.first().copied().unwrap_or_default();
        let (mut least, mut greatest) = (first, first);
        for p in corners {
            least = Point::new(least.x.min(p.x), least.z.min(p.z));
            greatest = Point::new(greatest.x.max(p.x), greatest.z.max(p.z));
        }
        let step = |extent: i32| {
            let mut s = 0;
            while extent >> s > STEPS {
                s += 1;
            }
            1 << s
        };
        Quantum {
            least,
            greatest,
            step: [step(greatest.x - least.x), step(greatest.z - least.z)],
        }
    }

    /// How far off an edge a place has to lie so that it is told on its side of it, in grid units.
    pub(crate) fn beside(&self) -> f64 {
        1.5 * f64::from(self.step[0].max(self.step[1])) + 1.0
    }

    /// Moves a place to the nearest one beside it that can be told and that the polygon holds, if there is any.
    pub(crate) fn settle(&self, corners: &[Point], p: &mut Point) -> bool {
        let on = |v: i32, low: i32, high: i32, step: i32| {
            let whole = (high - low) / step * step;
            low + ((v - low + step / 2).div_euclid(step) * step).clamp(0, whole)
        };
        let [u, v] = self.step;
        let near = Point::new(
            on(p.x, self.least.x, self.greatest.x, u),
            on(p.z, self.least.z, self.greatest.z, v),
        );
        if p.x.abs_diff(near.x) > 2 * u as u32 || p.z.abs_diff(near.z) > 2 * v as u32 {
            return false;
        }
        const BESIDE: [[i32; 2]; 9] = [
            [0, 0],
            [-1, 0],
            [1, 0],
            [0, -1],
            [0, 1],
            [-1, -1],
            [1, -1],
            [-1, 1],
            [1, 1],
        ];
        let held = BESIDE
            .iter()
            .map(|d| Point::new(near.x + d[0] * u, near.z + d[1] * v))
            .find(|&q| holds(corners, q));
        if let Some(q) = held {
            *p = q;
        }
        held.is_some()
    }
}

fn holds(corners: &[Point], p: Point) -> bool {
    (0..corners.len()).all(|k| orient(corners[k], corners[(k + 1) % corners.len()], p) >= 0)
}
