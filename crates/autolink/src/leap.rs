//! The path through the air of a link, as prisms that must be free of triangles.
//!
//! A **drop** goes straight out at the height of the ledge to a point above the landing, and from
//! there straight down. A **jump** is a parabola: it leaves the higher of its two ends at 45
//! degrees, the launch that carries farthest, so that the same curve serves both directions.
//! [`Body`] says which part of the agent must be free where.
//!
//! ```text
//!   drop                      jump
//!                                 .-""-.
//!   from ------.              from      '.
//!   ________   |              ________    \
//!           |  |                      |    |
//!           |  v                      |    v
//!           |  to                     |    to
//!           |______                   |    ______
//! ```

use navbake_geom::Grid;
use navbake_level::Agent;

use crate::prism::Prism;

/// The sizes of an agent, grid units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    pub(crate) radius: f64,
    pub(crate) height: f64,
    /// On ground the agent steps over anything lower than this above its feet.
    pub(crate) climb: f64,
}

impl Body {
    pub(crate) fn of(agent: &Agent, grid: &Grid) -> Body {
        let length = |metres: f64| f64::from(grid.length(metres));
        Body {
            radius: length(agent.radius),
            height: length(agent.height),
            climb: length(agent.climb),
        }
    }

    /// The radius that must be free.
    ///
    /// Borders are exactly a radius from walls, up to rounding errors. The radius is reduced by a
    /// sixty-fourth, which exceeds these errors.
    pub(crate) fn clear(&self) -> f64 {
        (self.radius * (63.0 / 64.0) - TOUCH).max(TOUCH)
    }

    /// The prism of a straight piece on which the feet stay between two heights.
    fn on(&self, ends: [[f64; 2]; 2], feet: [f64; 2]) -> Prism {
        Prism {
            ends,
            radius: self.clear(),
            low: feet[0] + TOUCH,
            high: feet[1] + self.height - TOUCH,
        }
    }
}

/// Overlaps up to this depth, grid units, count as free.
///
/// Ends of links, corners of the level and heights are each rounded.
pub(crate) const TOUCH: f64 = 2.0;

/// The kind of movement in the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// A step over a ledge, then a fall.
    Drop,
    /// A parabola.
    Jump,
}

/// A movement from one point to another: x, y, z in grid units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leap {
    pub(crate) way: Way,
    pub(crate) from: [f64; 3],
    pub(crate) to: [f64; 3],
}

impl Leap {
    /// Length in the ground plane.
    pub(crate) fn length(&self) -> f64 {
        let [dx, dz] = [0, 2].map(|k| self.to[k] - self.from[k]);
        (dx * dx + dz * dz).sqrt()
    }

    /// The prisms that must be free, the most likely to be blocked first.
    ///
    /// Together they cover the whole path except the parts that need not be free.
    pub(crate) fn prisms(&self, body: &Body) -> Vec<Prism> {
        let [from, to] = [self.from, self.to].map(|[x, _, z]| [x, z]);
        let (start, end) = (self.from[1], self.to[1]);
        match self.way {
            Way::Drop => vec![
                body.on([from, to], [start + body.climb, start]),
                body.on([to, to], [end + body.climb, start]),
            ],
            Way::Jump => {
                let length = self.length();
                let place = |s: f64| {
                    let t = s / length;
                    [0, 1].map(|k| from[k] + t * (to[k] - from[k]))
                };
                let near = body.radius.min(length);
                let piece = |from: f64, to: f64| {
                    let [mut low, high] = self.feet_between(from, to);
                    if to <= near {
                        low = low.max(start + body.climb);
                    }
                    if from >= length - near {
                        low = low.max(end + body.climb);
                    }
                    body.on([place(from), place(to)], [low, high])
                };
                let stops = stops(length, near, body);
                stops.windows(2).map(|w| piece(w[0], w[1])).collect()
            }
        }
    }

    /// Height of the feet at horizontal distance `s` from the start of a jump.
    fn feet(&self, s: f64) -> f64 {
        let length = self.length();
        let (start, end) = (self.from[1], self.to[1]);
        let from_higher = if start >= end { s } else { length - s };
        let t = from_higher / length;
        start.max(end) + from_higher - (length + (start - end).abs()) * t * t
    }

    /// The least and the greatest height of the feet on a piece of a jump.
    fn feet_between(&self, from: f64, to: f64) -> [f64; 2] {
        let [a, b] = [from, to].map(|s| self.feet(s));
        let length = self.length();
        // The highest point of the curve.
        let fall = (self.from[1] - self.to[1]).abs();
        let mut top = length * length / (2.0 * (length + fall));
        if self.from[1] < self.to[1] {
            top = length - top;
        }
        let most = match from < top && top < to {
            true => self.feet(top),
            false => a.max(b),
        };
        [a.min(b), most]
    }
}

/// The positions where a jump is cut into pieces.
///
/// Pieces are at most a quarter of the radius long. They also end where obstacles that can be
/// stepped over begin or cease to count.
fn stops(length: f64, near: f64, body: &Body) -> Vec<f64> {
    let pace = body.radius.max(body.height / 8.0) / 4.0;
    let mut stops = vec![0.0];
    let mut corners = [near, length - near, length];
    corners.sort_by(f64::total_cmp);
    for to in corners {
        let from = stops.last().copied().unwrap_or(0.0);
        let count = ((to - from) / pace).ceil().clamp(0.0, 100_000.0);
        let steps = (1..=count as u32).map(|k| match f64::from(k) == count {
            true => to,
            false => from + (to - from) * (f64::from(k) / count),
        });
        stops.extend(steps);
    }
    stops
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: Body = Body { radius: 600.0, height: 2000.0, climb: 500.0 };

    fn jump(rise: f64, length: f64) -> Leap {
        Leap {
            way: Way::Jump,
            from: [100.0, 50.0, -70.0],
            to: [100.0 + 0.6 * length, 50.0 + rise, -70.0 + 0.8 * length],
        }
    }

    #[test]
    fn a_jump_is_the_same_curve_both_ways_and_leaves_the_higher_end_at_45_degrees() {
        for rise in [0.0, 300.0, -450.0, -5000.0] {
            let there = jump(rise, 3000.0);
            let back = Leap { from: there.to, to: there.from, ..there };
            for k in 0..=30 {
                let s = f64::from(k) * 100.0;
                assert!((there.feet(s) - back.feet(3000.0 - s)).abs() < 1e-6);
            }
            assert!((there.feet(0.0) - 50.0).abs() < 1e-6);
            assert!((there.feet(3000.0) - 50.0 - rise).abs() < 1e-6);
            let higher = if rise > 0.0 { back } else { there };
            let slope = higher.feet(1.0) - higher.feet(0.0);
            assert!((0.99..=1.0).contains(&slope), "{slope}");
        }
    }

    #[test]
    fn the_prisms_of_a_jump_hold_every_moment_of_it() {
        for (rise, length) in [(0.0, 1300.0), (400.0, 2500.0), (-3000.0, 4000.0), (0.0, 700.0)] {
            let leap = jump(rise, length);
            let prisms = leap.prisms(&BODY);
            for k in 0..=1000 {
                let s = length * f64::from(k) / 1000.0;
                let at = [100.0 + 0.6 * s, -70.0 + 0.8 * s];
                let (mut low, high) = (leap.feet(s), leap.feet(s) + BODY.height);
                for (away, end) in [(s, leap.from[1]), (length - s, leap.to[1])] {
                    if away < BODY.radius {
                        low = low.max(end + BODY.climb);
                    }
                }
                let held = prisms.iter().any(|p| {
                    let [a, b] = p.ends;
                    let between = (0..2)
                        .all(|k| (a[k].min(b[k]) - 1e-6..=a[k].max(b[k]) + 1e-6).contains(&at[k]));
                    between && p.low <= low + TOUCH + 1e-6 && p.high >= high - TOUCH - 1e-6
                });
                assert!(held, "{rise} {length} {s}");
            }
            let most = prisms.iter().map(|p| p.high - p.low).fold(0.0, f64::max);
            assert!(most < BODY.height + 400.0, "{most}");
        }
    }

    #[test]
    fn a_drop_is_walked_out_and_fallen_down() {
        let leap = Leap { way: Way::Drop, from: [0.0, 4000.0, 0.0], to: [1300.0, 0.0, 0.0] };
        let [out, down] = leap.prisms(&BODY)[..] else { panic!("two prisms") };
        assert_eq!(out.ends, [[0.0, 0.0], [1300.0, 0.0]]);
        assert_eq!([out.low, out.high], [4502.0, 5998.0]);
        assert_eq!(down.ends, [[1300.0, 0.0]; 2]);
        assert_eq!([down.low, down.high], [502.0, 5998.0]);
    }
}
