//! Half-planes of velocities that avoid a unit or a wall: optimal reciprocal collision avoidance.
//!
//! A velocity obstacle holds the velocities that lead to a collision within a time, the horizon. It
//! is a cone, cut off where the collision would be later. The half-plane touches it at the point
//! nearest to the velocity of now (van den Berg and others, 2011, sections 4 and 5).

use navbake_navmesh::math::{distance, length, sqrt};

use crate::program::{HalfPlane, cross, dot};

/// One unit as another one sees it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) at: [f64; 2],
    pub(crate) velocity: [f64; 2],
    /// Unit vector to where it goes, zero when it rests.
    pub(crate) heading: [f64; 2],
    /// The end of its path.
    pub(crate) goal: Option<[f64; 2]>,
    /// Length of path to there, m.
    pub(crate) remaining: f64,
    /// The next corner of its path.
    pub(crate) corner: Option<[f64; 2]>,
    pub(crate) arrived: bool,
    /// Height of the ground, m.
    pub(crate) ground: f64,
    pub(crate) radius: f64,
    pub(crate) height: f64,
    pub(crate) priority: u8,
    /// At a wall, so that it may not be able to make room.
    pub(crate) touched: bool,
    /// It goes nowhere: it has no heading.
    pub(crate) stays: bool,
}

/// What is between two units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Between {
    /// From one to the other.
    to: [f64; 2],
    /// Its square.
    far: f64,
    /// Sum of the radii.
    both: f64,
}

#[inline]
pub(crate) fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

impl Seen {
    /// Is another one on the same storey?
    #[inline]
    pub(crate) fn is_level_with(&self, other: &Seen) -> bool {
        let up = other.ground - self.ground;
        up < self.height && -up < other.height
    }

    /// Does it stay where it is?
    #[inline]
    pub(crate) fn rests(&self) -> bool {
        self.stays && self.velocity == [0.0; 2]
    }

    #[inline]
    pub(crate) fn between(&self, other: &Seen) -> Between {
        let to = minus(other.at, self.at);
        Between { to, far: dot(to, to), both: self.radius + other.radius }
    }

    /// The share of an avoidance that this unit takes; the other one takes the rest.
    ///
    /// All of it beside a unit of higher priority. Of two in the same direction, the one behind
    /// takes more, so that a queue forms at a door; and one that walks more than one that rests.
    #[inline]
    pub(crate) fn share(&self, other: &Seen) -> f64 {
        if self.priority != other.priority {
            return if self.priority < other.priority { 1.0 } else { 0.0 };
        }
        if self.stays != other.stays {
            return if self.stays { 1.0 - BEHIND } else { BEHIND };
        }
        let together = match (self.goal, other.goal) {
            (Some([a, b]), Some([c, d])) => a == c && b == d,
            _ => false,
        };
        let ahead = if together {
            self.remaining - other.remaining
        } else if let Some((own, theirs)) = self.corners(other) {
            // To one corner, or to both sides of a door.
            distance(self.at, own) - distance(other.at, theirs)
        } else if dot(self.heading, other.heading) > 0.0 {
            let both = [0, 1].map(|k| self.heading[k] + other.heading[k]);
            dot(minus(other.at, self.at), both)
        } else {
            0.0
        };
        if ahead > 0.0 {
            BEHIND
        } else if ahead < 0.0 {
            1.0 - BEHIND
        } else {
            0.5
        }
    }

    /// The next corners of both units, if they are near each other.
    #[inline]
    fn corners(&self, other: &Seen) -> Option<([f64; 2], [f64; 2])> {
        let both = 4.0 * (self.radius + other.radius);
        self.corner.zip(other.corner).filter(|&(a, b)| distance(a, b) < both)
    }

    /// The half-plane in which this unit avoids another one for a time, by its [`Seen::share`].
    ///
    /// `None` for two units at the same place, between which there is no direction.
    #[inline]
    pub(crate) fn avoid(
        &self,
        other: &Seen,
        Between { to, far, both }: Between,
        share: f64,
        horizon: f64,
    ) -> Option<HalfPlane> {
        let relative = minus(self.velocity, other.velocity);
        let touch = far <= both * both;
        let share = share.max(f64::from(u8::from(touch && other.touched)));
        let at = |change: [f64; 2]| [0, 1].map(|k| self.velocity[k] + share * change[k]);
        if touch {
            // They touch: not nearer. What they overlap is undone by `push`.
            if far == 0.0 {
                return None;
            }
            let size = sqrt(far);
            let unit = to.map(|c| -c / size);
            let nearer = -dot(relative, unit);
            return Some(HalfPlane {
                point: at(unit.map(|c| c * nearer)),
                along: [unit[1], -unit[0]],
            });
        }
        let rate = 1.0 / horizon;
        let w = [relative[0] - rate * to[0], relative[1] - rate * to[1]];
        let (square, along) = (dot(w, w), dot(w, to));
        if along < 0.0 && along * along > both * both * square {
            // Nearest to the cut.
            let size = sqrt(square);
            let unit = w.map(|c| c / size);
            let change = unit.map(|c| c * (both * rate - size));
            return Some(HalfPlane { point: at(change), along: [unit[1], -unit[0]] });
        }
        let leg = sqrt(far - both * both);
        let (both, sign) = if cross(to, w) > 0.0 { (both, 1.0) } else { (-both, -1.0) };
        let along =
            [sign * (to[0] * leg - to[1] * both) / far, sign * (to[0] * both + to[1] * leg) / far];
        let kept = dot(relative, along);
        Some(HalfPlane { point: at([0, 1].map(|k| kept * along[k] - relative[k])), along })
    }

    /// A velocity away from a unit ahead that is nearer than a gap, in multiples of the highest
    /// speed: so that a queue leaves room for those at its front.
    #[inline]
    pub(crate) fn wait(&self, other: &Seen, between: Between, share: f64) -> Option<[f64; 2]> {
        let (Between { to, far, both }, rests) = (between, self.stays || other.stays);
        let gap = GAP * both;
        if far >= gap * gap || far == 0.0 || rests || share != BEHIND {
            return None;
        }
        let far = sqrt(far);
        let weight = gap / far - 1.0;
        Some(to.map(|c| -c / far * weight))
    }

    /// How far this unit moves to undo its share of an overlap; `None` without one.
    #[inline]
    pub(crate) fn push(
        &self,
        other: &Seen,
        Between { to, far, both }: Between,
        share: impl Fn() -> f64,
    ) -> Option<[f64; 2]> {
        if far >= both * both || far == 0.0 {
            return None;
        }
        let far = sqrt(far);
        let share = if other.touched { 1.0 } else { share() };
        let deep = (both - far) * share;
        Some(to.map(|c| -c / far * deep))
    }

    /// The half-plane in which this unit keeps `wider` metres off a wall for a time.
    ///
    /// Ground is to the right of the wall from `a` to `b`, as x and z are axes to the right and up.
    /// `None` where the wall ends in this place, and where other half-planes cover it.
    pub(crate) fn avoid_wall(
        &self,
        [a, b]: [[f64; 2]; 2],
        wider: f64,
        horizon: f64,
        known: &[HalfPlane],
    ) -> Option<HalfPlane> {
        let (a, b) = (minus(a, self.at), minus(b, self.at));
        let rate = 1.0 / horizon;
        let (ends, cut) = ([a, b].map(|e| e.map(|c| c * rate)), wider * rate);
        let covers = |p: &HalfPlane| ends.iter().all(|&e| p.violation(e) >= cut - 1e-9);
        if known.iter().any(covers) {
            return None;
        }
        let along = minus(b, a);
        let (size, square) = (length(along[0], along[1]), dot(along, along));
        if size == 0.0 {
            return None;
        }
        let direction = along.map(|c| c / size);
        let s = -dot(a, along) / square;
        if wider == 0.0 && !(s > 0.0 && s < 1.0) {
            // A point may touch walls. Paths lead to their ends and along them.
            return None;
        }
        let off = cross(direction, a);
        let (near, square) = (off * off <= wider * wider, wider * wider);
        let (to_a, to_b) = (dot(a, a), dot(b, b));
        // Nearer than it should be: away from the nearest point.
        let away = |e: [f64; 2], far: f64| {
            let size = sqrt(far);
            (size > 0.0).then(|| HalfPlane { point: [0.0; 2], along: [-e[1] / size, e[0] / size] })
        };
        if s <= 0.0 && to_a <= square {
            return away(a, to_a);
        }
        if s >= 1.0 && to_b <= square {
            return away(b, to_b);
        }
        if s > 0.0 && s < 1.0 && near {
            return Some(HalfPlane { point: [0.0; 2], along: direction.map(|c| -c) });
        }
        // Seen along its line, the wall is its nearer end.
        let (left, right) = match near {
            true if s <= 0.0 => (a, a),
            true => (b, b),
            false => (a, b),
        };
        let leg = |e: [f64; 2], side: f64| {
            let far = dot(e, e);
            let (leg, side) = (sqrt((far - square).max(0.0)), side * wider);
            [(e[0] * leg - e[1] * side) / far, (e[0] * side + e[1] * leg) / far]
        };
        let legs = [leg(left, 1.0), leg(right, -1.0)];
        let cuts = [left, right].map(|e| e.map(|c| c * rate));
        let v = self.velocity;
        let from = cuts.map(|c| minus(v, c));
        let beyond = [0, 1].map(|k| dot(from[k], legs[k]));
        let edge = minus(cuts[1], cuts[0]);
        let t = if near { 0.5 } else { dot(from[0], edge) / dot(edge, edge) };
        let round = if near {
            beyond[0] < 0.0 && beyond[1] < 0.0
        } else {
            t < 0.0 && beyond[0] < 0.0 || t > 1.0 && beyond[1] < 0.0
        };
        if round {
            // Nearest to an end of the cut: away from it.
            let k = usize::from(t > 1.0);
            let size = length(from[k][0], from[k][1]);
            let unit =
                if size > 0.0 { from[k].map(|c| c / size) } else { [-direction[1], direction[0]] };
            let point = [0, 1].map(|c| cuts[k][c] + cut * unit[c]);
            return Some(HalfPlane { point, along: [unit[1], -unit[0]] });
        }
        let squared = |d: [f64; 2]| dot(d, d);
        let to_cut = if near || !(0.0..=1.0).contains(&t) {
            f64::INFINITY
        } else {
            squared([0, 1].map(|c| from[0][c] - t * edge[c]))
        };
        let to_leg = |k: usize| {
            if beyond[k] < 0.0 {
                f64::INFINITY
            } else {
                squared([0, 1].map(|c| from[k][c] - beyond[k] * legs[k][c]))
            }
        };
        let (to_left, to_right) = (to_leg(0), to_leg(1));
        let (at, along) = if to_cut <= to_left && to_cut <= to_right {
            (cuts[0], direction.map(|c| -c))
        } else if to_left <= to_right {
            (cuts[0], legs[0])
        } else {
            (cuts[1], legs[1].map(|c| -c))
        };
        Some(HalfPlane { point: [at[0] - cut * along[1], at[1] + cut * along[0]], along })
    }
}

/// The share of the unit behind, of two in the same direction.
const BEHIND: f64 = 0.9;
/// Distance that a unit keeps in a queue, in multiples of that at which bodies touch.
const GAP: f64 = 1.6;
