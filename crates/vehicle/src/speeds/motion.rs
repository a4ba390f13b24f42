//! The least time for a length under bounds of speed, acceleration and braking.
//!
//! Speeds are squared ("energies", tiles²/s²): with constant acceleration `a` a square changes by
//! `2 a` for each tile.

use crate::curve::MOST_SEGMENTS;
use navbake_navmesh::math::sqrt;

/// Squares that differ by no more than this share of the greatest one are equal.
const SAME: f64 = 1e-9;

fn slack(stretches: &[Stretch]) -> f64 {
    SAME * stretches.iter().fold(0.0, |most: f64, s| most.max(s.cap))
}

/// A length that may be driven up to a speed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stretch {
    /// Tiles.
    pub(crate) length: f64,
    /// The greatest square of the speed.
    pub(crate) cap: f64,
}

/// A length at constant acceleration: its length, and the squares of the speeds at both ends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Phase {
    pub(crate) length: f64,
    pub(crate) ends: [f64; 2],
}

/// Bounds of acceleration and braking, tiles/s².
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) acceleration: f64,
    pub(crate) braking: f64,
}

impl Phase {
    /// Seconds.
    pub(crate) fn time(&self) -> f64 {
        let mean = (sqrt(self.ends[0]) + sqrt(self.ends[1])) / 2.0;
        if self.length > 0.0 { self.length / mean } else { 0.0 }
    }
}

impl Bounds {
    /// The greatest square after a length.
    pub(crate) fn faster(&self, from: f64, length: f64) -> f64 {
        from + 2.0 * self.acceleration * length
    }

    /// The greatest square a length before.
    pub(crate) fn slower(&self, to: f64, length: f64) -> f64 {
        to + 2.0 * self.braking * length
    }

    /// Driven from one speed to another, in the least time: faster, at the cap, slower.
    ///
    /// The second speed is one that can be reached.
    pub(crate) fn phases(&self, stretch: Stretch, [from, to]: [f64; 2]) -> [Phase; 3] {
        let (up, down) = (0.5 / self.acceleration, 0.5 / self.braking);
        let peak = (stretch.length + up * from + down * to) / (up + down);
        let peak = peak.min(stretch.cap).max(from).max(to);
        let first = ((peak - from) * up).min(stretch.length);
        let last = ((peak - to) * down).min(stretch.length - first);
        let middle = stretch.length - first - last;
        let phase = |length, ends| Phase { length, ends };
        [phase(first, [from, peak]), phase(middle, [peak; 2]), phase(last, [peak, to])]
    }

    /// The greatest squares at the ends of stretches that begin at a speed; `None` where that is
    /// too fast.
    fn forwards(&self, stretches: &[Stretch], from: f64) -> Option<[f64; MOST_SEGMENTS + 1]> {
        let mut ends = [from; MOST_SEGMENTS + 1];
        if stretches.first().is_some_and(|s| from > s.cap + slack(stretches)) {
            return None;
        }
        for (k, s) in stretches.iter().enumerate() {
            let cap = stretches.get(k + 1).map_or(s.cap, |next| next.cap.min(s.cap));
            *ends.get_mut(k + 1)? = self.faster(ends[k], s.length).min(cap);
        }
        Some(ends)
    }

    /// The greatest square at the end of stretches that begin at a speed, if there is time to brake
    /// where they are slower.
    pub(crate) fn fastest(&self, stretches: &[Stretch], from: f64) -> Option<f64> {
        let end = *self.forwards(stretches, from)?.get(stretches.len())?;
        self.time(stretches, from, Some(end)).map(|_| end)
    }

    /// The least square at the end of stretches that begin at a speed, if there is time to brake
    /// where they are slower.
    pub(crate) fn slowest(&self, stretches: &[Stretch], from: f64) -> Option<f64> {
        let length: f64 = stretches.iter().map(|s| s.length).sum();
        let end = (from - 2.0 * self.braking * length).max(0.0);
        self.time(stretches, from, Some(end)).map(|_| end)
    }

    /// The least time over stretches from one speed to another, or to any; `None` where bounds
    /// forbid it.
    pub(crate) fn time(&self, stretches: &[Stretch], from: f64, to: Option<f64>) -> Option<f64> {
        let Some(last) = stretches.last() else {
            return to.is_none_or(|to| to == from).then_some(0.0);
        };
        let slack = slack(stretches);
        let mut ends = self.forwards(stretches, from)?;
        let ends = ends.get_mut(..=stretches.len())?;
        let end = ends[stretches.len()];
        let to = to.unwrap_or(end);
        if to > end + slack || to > last.cap + slack {
            return None;
        }
        ends[stretches.len()] = to;
        for (k, s) in stretches.iter().enumerate().rev() {
            ends[k] = ends[k].min(self.slower(ends[k + 1], s.length));
        }
        if ends[0] < from - slack {
            return None;
        }
        ends[0] = from;
        let pairs = stretches.iter().zip(ends.windows(2));
        Some(pairs.map(|(&s, pair)| self.times(s, [pair[0], pair[1]])).sum())
    }

    fn times(&self, stretch: Stretch, ends: [f64; 2]) -> f64 {
        self.phases(stretch, ends).iter().map(Phase::time).sum()
    }

    /// The least time over a length or more from one speed to another, or to any.
    pub(crate) fn least(&self, stretch: Stretch, from: f64, to: Option<f64>) -> f64 {
        let ahead = self.faster(from, stretch.length).min(stretch.cap);
        let to = to.unwrap_or(ahead).min(ahead);
        let length = stretch.length.max((from - to) * 0.5 / self.braking);
        self.times(Stretch { length, ..stretch }, [from, to])
    }
}
