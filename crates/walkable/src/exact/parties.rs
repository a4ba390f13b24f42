//! What facets near ground may be to it, as far as their heights tell.

use super::Measures;
use super::blocks::{least, most};
use super::facet::Facet;

/// A surface has to differ by this much from a limit to be on one side of it.
pub(super) const TOUCH: f64 = 0.5;

/// What a facet may be to ground, one bit each.
pub(super) type Parties = u32;

/// Ground that may lie a step above.
pub(super) const STEP: Parties = 1;
/// Ground at most a step below.
pub(super) const LOW: Parties = 2;
/// What may take the head room on those.
pub(super) const LID: Parties = 4;
/// What may take it here.
pub(super) const ROOF: Parties = 8;

/// How far around a ground triangle lines on it may lie.
pub(super) const AROUND: f64 = 4.0;
/// More than heights of planes are off by rounding.
const ROUNDING: f64 = 1e-3;

/// May a ground facet lie up to a step above another one?
pub(super) fn may_be_step(measures: &Measures, ground: &Facet, other: &Facet) -> bool {
    let [least, most] = rise(ground, other);
    least <= measures.climb + TOUCH + ROUNDING && most >= TOUCH - ROUNDING
}

/// May a facet take the head room on ground up to a step above or below other ground?
pub(super) fn may_be_lid(measures: &Measures, ground: &Facet, other: &Facet) -> bool {
    let [least, most] = rise(ground, other);
    most > ROUNDING && least < measures.climb + measures.height
}

/// The least and the most that a facet may lie above ground where both are, or nearly.
fn rise(ground: &Facet, other: &Facet) -> [f64; 2] {
    let ([g, h], [p, q]) = (ground.rise(), other.rise());
    let (mut middle, mut away) = ([0.0; 2], 0.0);
    for (axis, slope) in [p - g, q - h].into_iter().enumerate() {
        let low = most(ground.bounds[axis], other.bounds[axis]) - AROUND;
        let high = least(ground.bounds[axis + 2], other.bounds[axis + 2]) + AROUND;
        middle[axis] = (low + high) / 2.0;
        away += slope.abs() * most((high - low) / 2.0, 0.0);
    }
    let rise = other.at(middle) - ground.at(middle);
    // Nor more than their heights leave.
    let slack = AROUND * (g.abs() + h.abs() + p.abs() + q.abs());
    [
        most(rise - away, other.low - ground.high - slack),
        least(rise + away, other.high - ground.low + slack),
    ]
}

/// Facets near a line on ground by what they may be to it.
#[derive(Debug, Default)]
pub(super) struct Near {
    pub(super) steps: Vec<u32>,
    pub(super) low: Vec<u32>,
    pub(super) lids: Vec<u32>,
    pub(super) roofs: Vec<u32>,
}

impl Near {
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.low.clear();
        self.lids.clear();
        self.roofs.clear();
    }

    /// Takes in a facet near a line on ground from `least` to `most`. Its own heights decide as well: the plane of a sliver may lie anywhere.
    pub(super) fn add(
        &mut self,
        measures: &Measures,
        i: u32,
        f: &Facet,
        parties: Parties,
        on: (f64, f64),
    ) {
        let Measures { climb, height, .. } = *measures;
        let (least, most) = on;
        let meets = |low: f64, high: f64| f.high >= low && f.low <= high;
        if parties & STEP != 0 && meets(least, most + climb + 2.0) {
            self.steps.push(i);
        }
        if parties & LOW != 0 && meets(least - climb - 2.0, most + 2.0) {
            self.low.push(i);
        }
        if parties & LID != 0 && meets(least, most + climb + height + 2.0) {
            self.lids.push(i);
        }
        if parties & ROOF != 0 && meets(least + climb, most + height) {
            self.roofs.push(i);
        }
    }
}
