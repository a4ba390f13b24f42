//! Steering: a velocity for the next time step of a unit among others.
//!
//! The behaviours are those of Craig Reynolds, *Steering Behaviors for Autonomous Characters* (GDC
//! 1999): arrival, separation, path following and leader following, combined by weights. As there,
//! a behaviour wants a velocity, and the unit turns its own into it as far as its acceleration
//! allows.

use navbake_navmesh::math::{distance, length, sqrt};

use crate::Advice;

/// Most that one other unit counts, in multiples of the highest speed.
///
/// The sum of 2^20 units then fits into 64 bits.
const MOST: f64 = 1024.0;
/// Units of the sums over the others: 2^-32 of the highest speed.
const UNITS: f64 = 4_294_967_296.0;

/// A unit in motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moving {
    /// In y-up metres.
    pub position: [f64; 3],
    /// In the ground plane, `[x, z]`, m/s.
    pub velocity: [f64; 2],
}

/// How units steer: limits, ranges and weights.
///
/// ```
/// # let bytes = navbake_testkit::level();
/// use navbake_finish::{Follower, Moving, Steering};
/// use navbake_search::around::{MoveLog, PolyPoint};
/// use navbake_search::{MoveRequest, NavMeshBuf, NavQuery, PathRequest, Scratch};
///
/// let nav = NavMeshBuf::open_for(&bytes, "default")?; // a floor of 10 m by 9 m
/// let query = NavQuery::new(nav.mesh());
/// let mut scratch = Scratch::new();
/// let request = PathRequest::new([1.0, 0.0, 1.0], [8.0, 0.0, 5.0]);
/// let path = query.find_path(&request, &mut scratch)?;
///
/// let steering = Steering::new(1.5, 6.0, 1.0); // 1.5 m/s, 6 m/s2, apart within 1 m
/// let mut place = query.locate([1.0, 0.0, 1.0], 1.0).expect("on the mesh");
/// let mut unit = Moving { position: place.position(), velocity: [0.0; 2] };
/// let post = Moving { position: [4.5, 0.0, 3.2], velocity: [0.0; 2] }; // one that stays
/// let mut follower = Follower::new(0.2);
/// for _ in 0..100 {
///     let advice = follower.advise(path.points, unit.position);
///     let aim = advice.aim(unit.position, 0.0);
///     unit.velocity = steering.steer(&unit, aim, [post].into_iter());
///     // The mesh has the last word on where the unit goes.
///     let request = MoveRequest::new(steering.target(&unit));
///     let motion = query.move_along(&place, &request, MoveLog::default());
///     place = query.place(motion.end).expect("on the mesh");
///     unit.position = place.position();
/// }
/// let [x, _, z] = unit.position;
/// assert!((x - 8.0).hypot(z - 5.0) < 0.2); // around the post, to the goal
/// # Ok::<(), navbake_search::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steering {
    /// Highest speed, m/s.
    pub max_speed: f64,
    /// Highest acceleration, also of turning and braking, m/s2.
    pub max_acceleration: f64,
    /// Time between two calls, s; 0.1.
    pub step: f64,
    /// Distance within which others are kept away from, m.
    pub range: f64,
    /// Distance from the aim at which a unit begins to slow down, m.
    ///
    /// From there its speed is in proportion to the distance, down to rest at the aim. It brakes in
    /// time if this is at least the square of the speed over the acceleration, the default.
    pub slowing: f64,
    /// Weight of the aim; 1.
    pub seek: f64,
    /// Weight of keeping apart; 1.
    ///
    /// At 1, a unit at full speed towards one that does not move ends at half the range.
    pub apart: f64,
}

impl Steering {
    /// With a highest speed, m/s, a highest acceleration, m/s2, and a range of keeping apart, m.
    pub fn new(max_speed: f64, max_acceleration: f64, range: f64) -> Steering {
        Steering {
            max_speed,
            max_acceleration,
            step: 0.1,
            range,
            slowing: max_speed * max_speed / max_acceleration,
            seek: 1.0,
            apart: 1.0,
        }
    }

    /// The velocity of a unit for the next time step, `[x, z]`, m/s.
    ///
    /// Without an aim, the unit stops where it is free to. `others` may hold more than the units
    /// within range, but not the unit itself. Their order does not matter: the bits of the answer
    /// are the same. So that the order of the units does not matter either, steer all of them
    /// before the first one moves.
    ///
    /// Distances are in space, so units of another storey are out of range. Units at the same place
    /// do not push each other: nothing says in which direction. Where a number is not finite, the
    /// unit stops at once; another unit of such numbers is left out.
    ///
    /// Time: linear in the number of others.
    pub fn steer(
        &self,
        unit: &Moving,
        aim: Option<[f64; 2]>,
        others: impl Iterator<Item = Moving>,
    ) -> [f64; 2] {
        self.turn(unit.velocity, self.wanted(unit, aim, others))
    }

    /// The velocity that a unit wants, its behaviours combined by their weights: at most the
    /// highest speed, `[x, z]`, m/s.
    ///
    /// [`Steering::steer`] turns the unit's velocity into it. In between, a crowd makes of it one
    /// that avoids the others.
    pub fn wanted(
        &self,
        unit: &Moving,
        aim: Option<[f64; 2]>,
        others: impl Iterator<Item = Moving>,
    ) -> [f64; 2] {
        let arrive = aim.map_or([0.0; 2], |aim| self.arrive(flat(unit.position), aim));
        let away = self.separate(unit, others);
        let wanted = [0, 1].map(|k| self.seek * arrive[k] + self.apart * self.max_speed * away[k]);
        at_most(wanted, self.max_speed)
    }

    /// A velocity turned into the wanted one, as far as speed and acceleration allow within a step.
    ///
    /// Zero where a number is not finite.
    pub fn turn(&self, velocity: [f64; 2], wanted: [f64; 2]) -> [f64; 2] {
        let change = [0, 1].map(|k| wanted[k] - velocity[k]);
        let change = at_most(change, self.max_acceleration * self.step);
        let velocity = [0, 1].map(|k| velocity[k] + change[k]);
        let velocity = at_most(velocity, self.max_speed);
        if velocity.iter().all(|c| c.is_finite()) { velocity } else { [0.0; 2] }
    }

    /// The place of a unit after a time step on open ground, y-up metres.
    ///
    /// It is a target for [`NavQuery::move_along`](navbake_search::NavQuery::move_along), which
    /// keeps the unit on the mesh.
    pub fn target(&self, unit: &Moving) -> [f64; 3] {
        let ([x, y, z], [u, v]) = (unit.position, unit.velocity);
        [x + u * self.step, y, z + v * self.step]
    }

    /// The velocity wanted to arrive at an aim.
    fn arrive(&self, at: [f64; 2], aim: [f64; 2]) -> [f64; 2] {
        let far = distance(at, aim);
        if far == 0.0 {
            return [0.0; 2];
        }
        let slowed = if far < self.slowing { far / self.slowing } else { 1.0 };
        // Not past the aim within a step.
        let speed = (self.max_speed * slowed).min(far / self.step);
        [0, 1].map(|k| (aim[k] - at[k]) / far * speed)
    }

    /// The sum of directions away from others, each times its weight by distance.
    ///
    /// The weight is 0 at the range, 1 at half of it, and grows without bound up to `MOST`. Each
    /// term is rounded to whole units first, as sums of floats depend on the order.
    fn separate(&self, unit: &Moving, others: impl Iterator<Item = Moving>) -> [f64; 2] {
        let mut sum = [0i64; 2];
        // No unit is nearer than a range of 0.
        let others = others.take(if self.range > 0.0 { usize::MAX } else { 0 });
        for other in others {
            let d = [0, 1, 2].map(|k| unit.position[k] - other.position[k]);
            let (flat, far) = (length(d[0], d[2]), sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
            if far < self.range && flat > 0.0 {
                let weight = (self.range / far - 1.0).min(MOST) * UNITS;
                sum[0] = sum[0].wrapping_add((d[0] / flat * weight) as i64);
                sum[1] = sum[1].wrapping_add((d[2] / flat * weight) as i64);
            }
        }
        sum.map(|c| c as f64 / UNITS)
    }
}

impl Moving {
    /// An aim at a distance from a leader, m: the point beside it that is nearest to this unit.
    ///
    /// It is for open ground, where no wall is between the two. Elsewhere follow the leader's path
    /// with [`Advice::aim`].
    pub fn near(&self, leader: &Moving, spacing: f64) -> [f64; 2] {
        let (at, to) = (flat(self.position), flat(leader.position));
        let far = distance(at, to);
        if far > 0.0 { [0, 1].map(|k| to[k] + (at[k] - to[k]) / far * spacing) } else { at }
    }
}

impl Advice {
    /// The aim of a unit at a position, y-up metres, that follows a path; `None` at the end.
    ///
    /// The unit stays `gap` metres of the path off its end. With the `remaining` of a leader plus a
    /// spacing as the gap, it stays that spacing behind the leader, around corners too. Each may
    /// have its own path to the goal.
    ///
    /// Others may push a unit off its path, to where a wall hides the next corner. Where the advice
    /// is `correcting`, or the last motion had contacts, ask for a new path. A
    /// [`reach`](crate::Follower::reach) of 0 keeps the follower from passing a corner before the
    /// unit is around it.
    pub fn aim(&self, position: [f64; 3], gap: f64) -> Option<[f64; 2]> {
        let ([x, _, z], left) = (position, self.remaining - gap);
        let go = !self.arrived && left > 0.0;
        go.then(|| [x + self.heading[0] * left, z + self.heading[1] * left])
    }
}

/// A vector, shortened to a length if it is longer.
fn at_most(v: [f64; 2], most: f64) -> [f64; 2] {
    let size = length(v[0], v[1]);
    if size > most { v.map(|c| c / size * most) } else { v }
}

fn flat([x, _, z]: [f64; 3]) -> [f64; 2] {
    [x, z]
}
