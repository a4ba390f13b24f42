//! Paths across a polygon where going up and down also costs something.
//!
//! Beside its length, a path costs the greater of `uphill` times its rise and `-downhill` times its
//! rise. So for any `tilt` from `-downhill` to `uphill` no path costs less than its length plus
//! `tilt` times its rise. The rise depends only on the begin and end of the path. With `tilt` times
//! the height subtracted from the costs at the one end, and added at the other, the path is a
//! [`Beam`] over level ground. The greatest of the bounds of some tilts is a bound. Where both ends
//! are known it is exact except for paths along the slope, whose best tilt is between these; pieces
//! that are cut in two come nearer to it.

use super::beam::Beam;
use crate::costs::Slopes;

/// A piece in space: its ends in the ground plane, and their heights.
///
/// All are relative to the start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) ends: [[f64; 2]; 2],
    pub(super) heights: [f64; 2],
}

/// The cost of ground: per unit of length, and of height.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    pub(super) weight: f64,
    pub(super) slopes: Slopes,
}

impl Ground {
    /// Multiplies all costs.
    pub(super) fn times(self, factor: f64) -> Ground {
        Ground { weight: self.weight * factor, slopes: self.slopes.times(factor) }
    }

    /// The tilts that are computed: the first alone where heights cost nothing.
    fn tilts(&self) -> [f64; TILTS] {
        [0.0, self.slopes.uphill, -self.slopes.downhill]
    }
}

const TILTS: usize = 3;

/// The start of paths across a polygon, for each tilt.
///
/// Or a line that they are compared with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ways {
    beams: [Beam; TILTS],
    tilts: [f64; TILTS],
    used: usize,
    /// The least cost of the path to the ends of the piece.
    value: [f64; 2],
    ground: Ground,
}

impl Ways {
    /// Makes paths from a piece, the least cost at its ends and the ground ahead.
    pub(super) fn new(from: &Span, value: [f64; 2], ground: Ground) -> Ways {
        Ways::tilted(from, value, ground, ground.tilts())
    }

    /// A line over a piece, by its values at the ends, for [`Ways::above`].
    pub(super) fn line(over: &Span, value: [f64; 2], ground: Ground) -> Ways {
        let tilts = ground.tilts().map(|tilt| -tilt);
        Ways::tilted(over, value.map(|v| -v), ground, tilts)
    }

    fn tilted(span: &Span, value: [f64; 2], ground: Ground, tilts: [f64; TILTS]) -> Ways {
        let beam = |tilt: f64| {
            let value = [0, 1].map(|k| value[k] - tilt * span.heights[k]);
            Beam::new(span.ends, value, ground.weight)
        };
        let level = beam(0.0);
        let (used, beams) = if ground.slopes.are_free() {
            (1, [level; TILTS])
        } else {
            (TILTS, [level, beam(tilts[1]), beam(tilts[2])])
        };
        Ways { beams, tilts, used, value, ground }
    }

    fn each(&self) -> impl Iterator<Item = (&Beam, f64)> {
        let beams = self.beams.iter().zip(self.tilts);
        beams.take(self.used)
    }

    /// The cost of the ground ahead.
    pub(super) fn ground(&self) -> Ground {
        self.ground
    }

    /// The cost of the path to a share of the piece.
    pub(super) fn value_at(&self, t: f64) -> f64 {
        self.value[0] + t * (self.value[1] - self.value[0])
    }

    /// The least cost of arriving at a place and height, and the departure.
    ///
    /// The departure is a share of the piece, from 0 to 1.
    pub(super) fn at(&self, p: [f64; 2], height: f64) -> (f64, f64) {
        let mut best = self.beams[0].at(p);
        for (beam, tilt) in self.each().skip(1) {
            let (value, t) = beam.at(p);
            let value = value + tilt * height;
            if value > best.0 {
                best = (value, t);
            }
        }
        best
    }

    /// An affine lower bound of the cost of arriving on a piece.
    ///
    /// Given by its values at the ends: see [`Beam::below`].
    pub(super) fn below(&self, to: &Span) -> [f64; 2] {
        let mut best = self.beams[0].below(to.ends);
        for (beam, tilt) in self.each().skip(1) {
            let value = beam.below(to.ends);
            let value = [0, 1].map(|k| value[k] + tilt * to.heights[k]);
            if value[0] + value[1] > best[0] + best[1] {
                best = value;
            }
        }
        best
    }

    /// The least margin of the cost of arriving on a piece over a line.
    ///
    /// See [`Beam::above`].
    pub(super) fn above(&self, line: &Ways) -> f64 {
        let mut best = self.beams[0].above(&line.beams[0]);
        for k in 1..self.used {
            best = best.max(self.beams[k].above(&line.beams[k]));
        }
        best
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use navbake_navmesh::math::distance;

    #[test]
    fn no_way_over_a_slope_is_cheaper_than_it_says() {
        let mut seed = 5u32;
        let mut next = |most: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from((seed >> 8) % most)
        };
        let mut tight = 0;
        for _ in 0..300 {
            let from =
                Span { ends: [[0.0, 0.0], [1.0 + next(50), 0.0]], heights: [next(20), next(20)] };
            let to = Span {
                ends: [[next(100) - 50.0, next(60)], [next(100) - 50.0, next(60)]],
                heights: [next(20), next(20)],
            };
            let value = [next(60), next(60)];
            let slopes = Slopes { uphill: next(4), downhill: next(3) };
            let ground = Ground { weight: 0.5 + next(4), slopes };
            let ways = Ways::new(&from, value, ground);
            let line = [20.0, 20.0 + next(40)];
            let above = ways.above(&Ways::line(&to, line, ground));
            let below = ways.below(&to);
            let mix = |ends: [f64; 2], t: f64| ends[0] + t * (ends[1] - ends[0]);
            let place = |span: &Span, t: f64| {
                let at = [0, 1].map(|k| mix([span.ends[0][k], span.ends[1][k]], t));
                (at, mix(span.heights, t))
            };
            for i in 0..=20 {
                let u = f64::from(i) / 20.0;
                let (p, height) = place(&to, u);
                let mut best = f64::INFINITY;
                for k in 0..=500 {
                    let t = f64::from(k) / 500.0;
                    let (q, begin) = place(&from, t);
                    let way = ground.weight * distance(q, p) + slopes.cost(height - begin);
                    best = best.min(mix(value, t) + way);
                }
                let (cost, _) = ways.at(p, height);
                assert!(cost <= best + 1e-9, "{cost} {best}");
                tight += u32::from(best - cost < 0.5);
                assert!(above <= best - mix(line, u) + 1e-9);
                assert!(mix(below, u) <= best + 1e-9);
            }
        }
        assert!(tight > 300 * 21 * 3 / 4, "{tight}");
    }
}
