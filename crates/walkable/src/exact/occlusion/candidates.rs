//! Which triangles may hide a line on ground, by their heights alone.

use crate::exact::input::Triangle;
use crate::exact::math::{max, min};
use crate::exact::measures::Measures;

/// A surface has to differ by this much from a limit to be on one side of it.
pub(crate) const TOUCH: f64 = 0.5;

/// How a triangle may hide ground, one bit each.
pub(crate) type CandidateMask = u32;

/// Ground that may be a step above.
pub(crate) const STEP: CandidateMask = 1;
/// Ground at most a step below.
pub(crate) const LOW: CandidateMask = 2;
/// A surface that may limit the head room on those.
pub(crate) const LID: CandidateMask = 4;
/// A surface that may limit the head room here.
pub(crate) const ROOF: CandidateMask = 8;

/// How far beyond a ground triangle a line on it may reach, in grid units.
pub(crate) const AROUND: f64 = 4.0;
/// More than heights of planes are off by rounding.
const ROUNDING: f64 = 1e-3;

/// May another ground triangle be up to a step above this one?
pub(crate) fn may_be_step(measures: &Measures, ground: &Triangle, other: &Triangle) -> bool {
    let [least, most] = rise(ground, other);
    least <= measures.climb + TOUCH + ROUNDING && most >= TOUCH - ROUNDING
}

/// May a triangle take the head room on ground up to a step above or below other ground?
pub(crate) fn may_be_lid(measures: &Measures, ground: &Triangle, other: &Triangle) -> bool {
    let [least, most] = rise(ground, other);
    most > ROUNDING && least < measures.climb + measures.height
}

/// The least and the greatest height of a triangle above ground, where both are or nearly.
fn rise(ground: &Triangle, other: &Triangle) -> [f64; 2] {
    let ([g, h], [p, q]) = (ground.rise(), other.rise());
    let (mut middle, mut away) = ([0.0; 2], 0.0);
    for (axis, slope) in [p - g, q - h].into_iter().enumerate() {
        let low = max(ground.bounds[axis], other.bounds[axis]) - AROUND;
        let high = min(ground.bounds[axis + 2], other.bounds[axis + 2]) + AROUND;
        middle[axis] = (low + high) / 2.0;
        away += slope.abs() * max((high - low) / 2.0, 0.0);
    }
    let rise = other.at(middle) - ground.at(middle);
    // Nor more than their heights leave.
    let slack = AROUND * (g.abs() + h.abs() + p.abs() + q.abs());
    [
        max(rise - away, other.low - ground.high - slack),
        min(rise + away, other.high - ground.low + slack),
    ]
}

/// Triangles near a line on ground, by how they may hide it.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) steps: Vec<u32>,
    pub(crate) low: Vec<u32>,
    pub(crate) lids: Vec<u32>,
    pub(crate) roofs: Vec<u32>,
}

impl Candidates {
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
        self.low.clear();
        self.lids.clear();
        self.roofs.clear();
    }

    /// Adds a triangle near a line on ground whose heights are in `on`. The triangle's own heights
    /// decide as well: the plane of a sliver can have any height.
    pub(crate) fn add(
        &mut self,
        measures: &Measures,
        i: u32,
        f: &Triangle,
        mask: CandidateMask,
        on: (f64, f64),
    ) {
        let Measures { climb, height, .. } = *measures;
        let (least, most) = on;
        let meets = |low: f64, high: f64| f.high >= low && f.low <= high;
        if mask & STEP != 0 && meets(least, most + climb + 2.0) {
            self.steps.push(i);
        }
        if mask & LOW != 0 && meets(least - climb - 2.0, most + 2.0) {
            self.low.push(i);
        }
        if mask & LID != 0 && meets(least, most + climb + height + 2.0) {
            self.lids.push(i);
        }
        if mask & ROOF != 0 && meets(least + climb, most + height) {
            self.roofs.push(i);
        }
    }
}
