//! The least cost from one piece of a border to another across a convex polygon.
//!
//! The polygon has one weight. On the piece that paths leave, the cost of reaching it is bounded
//! from below by an affine function of the place. Across ground of one weight the least cost of
//! arriving at a point is then a convex function of that point. Where rays that leave at one angle
//! (Snell's law) arrive, it is affine itself. Beside them it grows around an end of the piece. A
//! tangent of a convex function is below it everywhere. So on the piece of arrival an affine
//! function is a bound again, and its loss is of the second order in the pieces' lengths.
//!
//! ```text
//!       |         rays at one angle         |
//!       |       /        /        /         |
//!     around   /        /        /   around
//!     the end /        /        /    the end
//!            o--------o--------o
//!                   piece
//! ```

use super::super::portal::foot;
use navbake_navmesh::math::{distance, length, sqrt};

/// The start of the paths across a polygon: a piece and its bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beam {
    /// The ends of the piece, and the direction from the first to the second.
    ends: [[f64; 2]; 2],
    axis: [f64; 2],
    length: f64,
    /// The least cost of the path to the ends.
    value: [f64; 2],
    /// The cost of a unit of ground in the polygon.
    weight: f64,
    /// How much the cost of reaching the piece grows per unit along the piece.
    slope: f64,
    /// How much the whole cost grows per unit of distance from the piece's line.
    ///
    /// Negative where no rays leave at one angle.
    rise: f64,
}

impl Beam {
    /// Makes a beam from a piece, the least cost at its ends and the weight ahead.
    pub(super) fn new(ends: [[f64; 2]; 2], value: [f64; 2], weight: f64) -> Beam {
        let [dx, dz] = [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]];
        let length = length(dx, dz);
        let (axis, slope) = if length > 0.0 {
            ([dx / length, dz / length], (value[1] - value[0]) / length)
        } else {
            ([0.0; 2], f64::INFINITY)
        };
        let rise =
            if slope.abs() < weight { sqrt((weight - slope) * (weight + slope)) } else { -1.0 };
        Beam { ends, axis, length, value, weight, slope, rise }
    }

    /// A point's position along the piece's line, and its distance from that line.
    fn foot(&self, p: [f64; 2]) -> (f64, f64) {
        let d = [p[0] - self.ends[0][0], p[1] - self.ends[0][1]];
        let along = d[0] * self.axis[0] + d[1] * self.axis[1];
        let away = d[0] * self.axis[1] - d[1] * self.axis[0];
        (along, away.abs())
    }

    /// The least cost of arriving at `p` over end `k` of the piece.
    ///
    /// Paths leave from an end to reach places where no ray arrives: the first end for places
    /// before its rays.
    fn around(&self, k: usize, p: [f64; 2]) -> f64 {
        self.value[k] + self.weight * distance(self.ends[k], p)
    }

    /// The cheaper end to leave from, where rays leave at no angle.
    fn low(&self) -> usize {
        usize::from(self.value[1] < self.value[0])
    }

    /// The least cost of arriving at a point, and the place where that path leaves.
    ///
    /// The place is a share of the piece, from 0 to 1.
    pub(super) fn at(&self, p: [f64; 2]) -> (f64, f64) {
        if self.rise <= 0.0 {
            let low = self.low();
            return (self.around(low, p), low as f64);
        }
        let (along, away) = self.foot(p);
        let from = along - self.slope / self.rise * away;
        if from <= 0.0 {
            (self.around(0, p), 0.0)
        } else if from >= self.length {
            (self.around(1, p), 1.0)
        } else {
            let value = self.value[0] + self.slope * along + self.rise * away;
            (value, from / self.length)
        }
    }

    /// An affine lower bound of the cost of arriving between two points.
    ///
    /// Given by its values there. It takes little work, and may be far below the least cost.
    pub(super) fn below(&self, to: [[f64; 2]; 2]) -> [f64; 2] {
        if self.rise > 0.0 {
            // As if the piece had no ends.
            let value = to.map(|p| {
                let (along, away) = self.foot(p);
                self.value[0] + self.slope * along + self.rise * away
            });
            if value[0].min(value[1]) >= self.value[0].min(self.value[1]) {
                return value;
            }
        }
        let from = |k: usize| self.value[k] + self.weight * foot(to, self.ends[k]).1;
        let least = from(0).min(from(1)).min(self.at(to[0]).0).min(self.at(to[1]).0);
        [least; 2]
    }

    /// The least margin of the cost of arriving on a piece over an affine function.
    ///
    /// `line` gives the piece: the beam that leaves it with the opposite values.
    ///
    /// Both places, of departure and arrival, may move so that the path stays parallel; the cost
    /// then changes linearly. So it is least where one of them is an end of its piece.
    pub(super) fn above(&self, line: &Beam) -> f64 {
        let here = |k: usize| self.value[k] + line.at(self.ends[k]).0;
        let there = |k: usize| line.value[k] + self.at(line.ends[k]).0;
        here(0).min(here(1)).min(there(0)).min(there(1))
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    type Line = [[f64; 2]; 2];

    /// A random case for a beam.
    ///
    /// Segments on two sides of a convex quadrilateral, costs at the ends of the first, and a
    /// weight.
    fn random(seed: &mut u32) -> (Line, [f64; 2], Line, f64) {
        let mut next = |most: u32| {
            *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from((*seed >> 8) % most)
        };
        let from = [[0.0, 0.0], [1.0 + next(50), 0.0]];
        let to = [[next(100) - 50.0, next(60)], [next(100) - 50.0, next(60)]];
        (from, [next(60), next(60)], to, 0.5 + next(4))
    }

    fn between([a, b]: [[f64; 2]; 2], t: f64) -> [f64; 2] {
        [0, 1].map(|k| a[k] + t * (b[k] - a[k]))
    }

    #[test]
    fn no_way_over_a_piece_is_cheaper_than_it_says_and_one_costs_as_much() {
        let mut seed = 3;
        for _ in 0..300 {
            let (from, value, to, weight) = random(&mut seed);
            let beam = Beam::new(from, value, weight);
            let way = |p: [f64; 2], t: f64| {
                value[0] + t * (value[1] - value[0]) + weight * distance(between(from, t), p)
            };
            for k in 0..=4 {
                let p = between(to, f64::from(k) / 4.0);
                let (cost, t) = beam.at(p);
                assert!((way(p, t) - cost).abs() < 1e-9, "{cost}");
                let best =
                    (0..=2000).map(|k| way(p, f64::from(k) / 2000.0)).fold(f64::INFINITY, f64::min);
                assert!(cost <= best + 1e-9 && best <= cost + 0.1, "{cost} {best}");
            }
        }
    }

    #[test]
    fn a_line_lies_below_all_ways_by_as_much_as_it_says() {
        let mut seed = 4;
        for _ in 0..300 {
            let (from, value, to, weight) = random(&mut seed);
            let beam = Beam::new(from, value, weight);
            let ends = [20.0, 20.0 + f64::from(seed % 40)];
            let line = Beam::new(to, ends.map(|v| -v), weight);
            let above = beam.above(&line);
            let mut least = f64::INFINITY;
            for k in 0..=400 {
                let t = f64::from(k) / 400.0;
                least = least.min(beam.at(between(to, t)).0 - (ends[0] + t * (ends[1] - ends[0])));
            }
            assert!(above <= least + 1e-9 && least <= above + 1.0, "{above} {least}");
            // The bound that takes little work is below as well.
            let below = beam.below(to);
            for k in 0..=20 {
                let t = f64::from(k) / 20.0;
                assert!(below[0] + t * (below[1] - below[0]) <= beam.at(between(to, t)).0 + 1e-9);
            }
        }
    }
}
