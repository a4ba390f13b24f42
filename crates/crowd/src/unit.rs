//! One unit of a crowd: its body, its path, and how far it is along it.

use alloc::vec::Vec;

use navbake_finish::{Moving, Steering};
use navbake_navmesh::math::{distance, sqrt};
use navbake_search::{NavPoint, NavQuery};

use crate::avoid::{Seen, minus};
use crate::program::dot;
use crate::walls::Walls;
use crate::{Error, UnitId};

/// The size, limits and priority of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Radius, m.
    pub radius: f64,
    /// Height, m: units farther above or below each other pass freely.
    pub height: f64,
    /// Limits of speed and acceleration, and the behaviours that make the wanted velocity.
    ///
    /// A range of 0 pushes no unit away: bodies are avoided without it.
    pub steering: Steering,
    /// Others make room for units of higher priority, which make none in return.
    pub priority: u8,
}

impl Body {
    /// With a radius, m, a highest speed, m/s, and a highest acceleration, m/s2.
    ///
    /// It is 2 m high, of priority 0, and its range of keeping apart is 0.
    pub fn new(radius: f64, max_speed: f64, max_acceleration: f64) -> Body {
        let steering = Steering::new(max_speed, max_acceleration, 0.0);
        Body { radius, height: 2.0, steering, priority: 0 }
    }

    pub(crate) fn check(&self, step: f64) -> Result<(), Error> {
        let steering = &self.steering;
        let numbers = [
            ("the radius", self.radius),
            ("the height", self.height),
            ("the highest speed", steering.max_speed),
            ("the highest acceleration", steering.max_acceleration),
            ("the range", steering.range),
            ("the slowing distance", steering.slowing),
            ("the weight of its aim", steering.seek),
            ("the weight of keeping apart", steering.apart),
        ];
        for (name, value) in numbers {
            if !(0.0..=1e6).contains(&value) {
                return Err(Error::Number { name, value });
            }
        }
        if steering.step != step {
            return Err(Error::Step { unit: steering.step, crowd: step });
        }
        Ok(())
    }
}

/// What a unit does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// It has no path; it makes room for others.
    #[default]
    Idle,
    /// It goes along its path.
    Walking,
    /// It was pushed out of sight of its next corner: give it another path.
    ///
    /// Until then it slides along the walls towards that corner.
    Astray,
    /// It is at its goal, or as near as the units there allow.
    Arrived,
}

/// A place of a path, and the length of path after it.
#[derive(Clone, Copy, Debug)]
struct Corner {
    place: NavPoint,
    rest: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) body: Body,
    /// How much larger its radius is than that of the navmesh's agent, m.
    pub(crate) wider: f64,
    pub(crate) place: NavPoint,
    pub(crate) velocity: [f64; 2],
    pub(crate) state: State,
    /// The leader, and the length of path to stay behind it, m.
    pub(crate) leader: Option<(UnitId, f64)>,
    /// How far to the left of its path it goes where there is room, m.
    pub(crate) lane: f64,
    pub(crate) walls: Walls,
    /// Did its last motion touch a wall?
    pub(crate) touched: bool,
    /// Length of path to its goal, m.
    pub(crate) remaining: f64,
    path: Vec<Corner>,
    next: usize,
    /// Steps since it was given the path.
    age: u32,
    /// The least remaining length up to now, and the steps since.
    least: f64,
    waited: u32,
}

/// Distance from a corner at which a unit may be stuck after it, m: the wall there turns its motion
/// along by less than a grid unit a step. It goes back to the corner first.
const CLOSE: f64 = 0.08;
/// Steps between two looks at the corner after the next.
const LOOKS: u32 = 4;
/// Distance from a corner within which the one after it is looked for, in multiples of what it
/// walks in a second.
const LOOK_AHEAD: f64 = 4.0;
/// Radius of a group around its goal, in multiples of a body's and of the root of their number.
const LOOSE: f64 = 1.8;
/// How long a unit has waited, in multiples of [`PATIENCE`], before that radius grows for it, and
/// by how much: a group that comes from one side is no circle.
const LONG: f64 = 20.0;
const WIDER: f64 = 1.3;
/// Distance from its goal at which a unit that is shut out settles, in multiples of its radius.
const NEAR: f64 = 24.0;
/// Time without progress after which a unit settles where it is at its goal, or beside others, s.
const PATIENCE: f64 = 1.0;

pub(crate) fn flat(place: &NavPoint) -> [f64; 2] {
    let [x, _, z] = place.position();
    [x, z]
}

impl Unit {
    pub(crate) fn new(place: NavPoint, body: Body, wider: f64) -> Unit {
        Unit {
            body,
            wider,
            place,
            velocity: [0.0; 2],
            state: State::Idle,
            leader: None,
            lane: 0.0,
            walls: Walls::NONE,
            touched: false,
            remaining: 0.0,
            path: Vec::new(),
            next: 0,
            age: 0,
            least: f64::INFINITY,
            waited: 0,
        }
    }

    /// Takes a path. Its first place is where it begins.
    pub(crate) fn go(&mut self, places: &[NavPoint]) {
        self.path.clear();
        self.path.extend(places.iter().map(|&place| Corner { place, rest: 0.0 }));
        for k in (1..self.path.len()).rev() {
            let [a, b] = [k - 1, k].map(|k| flat(&self.path[k].place));
            self.path[k - 1].rest = self.path[k].rest + distance(a, b);
        }
        self.next = 1.min(self.path.len().saturating_sub(1));
        (self.age, self.least, self.waited) = (0, f64::INFINITY, 0);
        self.state = if self.path.is_empty() { State::Idle } else { State::Walking };
        self.measure();
    }

    /// Takes a path. Where it leads to the goal of now, the unit does not begin anew: it stays
    /// where it has arrived, and has waited as long as before.
    pub(crate) fn go_on(&mut self, places: &[NavPoint]) {
        if self.goal() != places.last().map(flat) || self.state == State::Idle {
            return self.go(places);
        }
        if self.state != State::Arrived {
            let (age, least, waited) = (self.age, self.least, self.waited);
            self.go(places);
            (self.age, self.least, self.waited) = (age, least, waited);
        }
    }

    fn measure(&mut self) {
        let next = self.path.get(self.next);
        self.remaining = next.map_or(0.0, |c| distance(flat(&self.place), flat(&c.place)) + c.rest);
    }

    pub(crate) fn is_walking(&self) -> bool {
        matches!(self.state, State::Walking | State::Astray)
    }

    pub(crate) fn goal(&self) -> Option<[f64; 2]> {
        self.path.last().map(|c| flat(&c.place))
    }

    /// Passes the corners that it has seen past, and measures what remains.
    pub(crate) fn advance(&mut self, query: &NavQuery<'_>) {
        if !self.is_walking() {
            return;
        }
        let last = self.path.len() - 1;
        let steering = &self.body.steering;
        let to_next = distance(flat(&self.place), flat(&self.path[self.next].place));
        let soon = 2.0 * steering.max_speed * steering.step;
        // A wide unit comes no nearer to a corner of a wall.
        if to_next <= self.wider && self.next < last {
            self.next += 1;
        }
        if self.touched || to_next <= soon || self.age.is_multiple_of(LOOKS) {
            self.pass(query, LOOK_AHEAD * steering.max_speed);
        }
        if self.touched || self.state == State::Astray {
            let sees = query.sees(&self.place, &self.path[self.next].place);
            self.state = if sees { State::Walking } else { State::Astray };
        }
        self.age = self.age.wrapping_add(1);
        self.measure();
        if self.remaining < self.least - 0.1 * self.body.radius {
            (self.least, self.waited) = (self.remaining, 0);
        } else {
            self.waited = self.waited.saturating_add(1);
        }
        // At the goal to a few grid units, or within its body when others push it off.
        let reach = if self.waited() >= 1.0 { self.body.radius } else { 0.005 };
        if self.next == last && self.remaining <= reach {
            self.state = State::Arrived;
        }
    }

    /// How long it has made no progress, in multiples of its patience.
    fn waited(&self) -> f64 {
        f64::from(self.waited) * self.body.steering.step / PATIENCE
    }

    /// Takes the farthest of the corners ahead that it sees, up to a distance.
    fn pass(&mut self, query: &NavQuery<'_>, look: f64) {
        let at = flat(&self.place);
        // Around a wall of many corners a step may lead past some of them.
        let mut unseen = 0;
        for k in self.next + 1..self.path.len() {
            if distance(at, flat(&self.path[k - 1].place)) > look || unseen == 3 {
                break;
            }
            if query.sees(&self.place, &self.path[k].place) {
                (self.next, unseen) = (k, 0);
            } else {
                unseen += 1;
            }
        }
    }

    /// Where it goes next: a direction, and the distance over which it may go there.
    pub(crate) fn aim(
        &self,
        query: &NavQuery<'_>,
        leader: Option<&Unit>,
    ) -> Option<([f64; 2], f64)> {
        if !self.is_walking() {
            return None;
        }
        let mut left = self.remaining;
        let leader = leader.filter(|leader| leader.is_walking());
        if let (Some(leader), Some((_, behind))) = (leader, self.leader) {
            left -= leader.remaining + behind;
        }
        let at = flat(&self.place);
        let passed = self.next.checked_sub(1).map(|k| flat(&self.path[k].place));
        let back = passed.filter(|&p| self.waited() >= 0.5 && p != at && distance(at, p) < CLOSE);
        if let Some(corner) = back {
            let far = distance(at, corner);
            return Some((minus(corner, at).map(|c| c / far), far));
        }
        let corner = flat(&self.path[self.next].place);
        let to = self.beside(query, at, corner).unwrap_or(corner);
        let far = distance(at, to);
        (left > 0.0 && far > 0.0).then(|| (minus(to, at).map(|c| c / far), left))
    }

    /// The point that it goes to in its lane beside the path, if there is room.
    fn beside(&self, query: &NavQuery<'_>, at: [f64; 2], corner: [f64; 2]) -> Option<[f64; 2]> {
        if self.lane == 0.0 || self.next == 0 || self.remaining <= 2.0 * self.lane.abs() {
            return None;
        }
        let before = flat(&self.path[self.next - 1].place);
        let (whole, stretch) = (distance(before, corner), minus(corner, before));
        if whole == 0.0 {
            return None;
        }
        let along = stretch.map(|c| c / whole);
        let ahead = self.body.steering.max_speed + 2.0 * self.lane.abs();
        let along_by = (dot(minus(at, before), along) + ahead).min(whole);
        // Seen from above, +x is to the left of +z.
        let left = [along[1], -along[0]];
        // Half the lane where the whole has no room.
        [self.lane, 0.5 * self.lane].into_iter().find_map(|lane| {
            let to = [0, 1].map(|k| before[k] + along_by * along[k] + lane * left[k]);
            let hit = query.raycast(&self.place, [to[0], 0.0, to[1]]);
            hit.wall.is_none().then_some(to)
        })
    }

    /// The unit as others see it.
    pub(crate) fn seen(&self, heading: [f64; 2]) -> Seen {
        Seen {
            at: flat(&self.place),
            velocity: self.velocity,
            heading,
            goal: self.goal(),
            remaining: self.remaining,
            corner: self.path.get(self.next).map(|corner| flat(&corner.place)),
            arrived: self.state == State::Arrived,
            ground: self.place.position()[1],
            radius: self.body.radius,
            height: self.body.height,
            priority: self.body.priority,
            touched: self.touched,
            stays: heading == [0.0; 2],
        }
    }

    pub(crate) fn moving(&self) -> Moving {
        Moving { position: self.place.position(), velocity: self.velocity }
    }

    /// Does it settle beside others, for its goal is taken?
    ///
    /// It has waited, sees its goal, and touches one that rests on the goal, or one that has
    /// arrived there: so a group fills up around its goal. Outside of the circle that the group
    /// fills it goes on, so that a queue does not end in a door. Near its goal it settles at last
    /// beside anyone who rests, for those may shut it out. `count` is the number of units
    /// arrived at a goal.
    pub(crate) fn settles<'s>(
        &self,
        mut others: impl Iterator<Item = &'s Seen>,
        count: impl Fn([f64; 2]) -> usize,
    ) -> bool {
        let sees = self.is_walking() && self.next + 1 == self.path.len();
        let Some(goal) = self.goal().filter(|_| sees && self.waited() >= 1.0) else {
            return false;
        };
        let at = flat(&self.place);
        let fits = || {
            let full = (LOOSE * sqrt(count(goal) as f64) + 1.0) * self.body.radius;
            self.remaining <= if self.waited() < LONG { full } else { WIDER * full }
        };
        others.any(|other| {
            let both = self.body.radius + other.radius;
            let touches = distance(at, other.at) <= 1.2 * both;
            let rests = touches && other.stays;
            let covers = distance(other.at, goal) < both;
            let group = other.arrived && other.goal == Some(goal);
            let shut = self.waited() >= 3.0 && self.remaining <= NEAR * self.body.radius;
            rests && (covers || shut || group && fits())
        })
    }

    /// Takes places of a changed navmesh for its own. False where there is no ground any more.
    pub(crate) fn renew(&mut self, query: &NavQuery<'_>) -> bool {
        let height = self.body.height;
        let renewed = |place: &mut NavPoint| {
            let same = query.place((&*place).into()).filter(|p| p.position() == place.position());
            let found = same.or_else(|| query.locate(place.position(), height));
            *place = found.unwrap_or(*place);
            found.is_some()
        };
        self.walls = Walls::NONE;
        let on_ground = renewed(&mut self.place);
        let whole = self.path.iter_mut().all(|corner| renewed(&mut corner.place));
        if self.is_walking() && !whole {
            self.state = State::Astray;
        }
        on_ground
    }
}
