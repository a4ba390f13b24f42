//! The crowd: units, and the step that moves all of them.

use alloc::vec::Vec;

use navbake_finish::Moving;
use navbake_search::around::MoveLog;
use navbake_search::{MoveRequest, NavPoint, NavQuery, Scratch};

use crate::avoid::Seen;
use crate::cells::{self, Cells};
use crate::program::{HalfPlane, dot, solve};
use crate::unit::{Unit, flat};
use crate::{Body, Error, Field, State, walls};

/// A unit of a crowd. After its removal the id is an error, even if its number is used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId {
    number: u32,
    generation: u32,
}

/// A place for a unit, and how many units it has had.
#[derive(Clone, Debug)]
struct Slot {
    generation: u32,
    unit: Option<Unit>,
}

/// Units that move together over one navmesh.
///
/// Time of a step: linear in the number of units. Memory: about a kilobyte a unit, and its path.
#[derive(Clone, Debug)]
pub struct Crowd {
    /// How far ahead collisions of units are avoided, s; 1.
    pub horizon: f64,
    /// How far ahead walls are avoided, s; 0.5.
    pub wall_horizon: f64,
    step: f64,
    slots: Vec<Slot>,
    /// Of each slot: its velocity, and the distance that it may go.
    aims: Vec<Option<([f64; 2], f64)>>,
    cells: Cells,
    /// Goals of the units that have arrived, sorted.
    taken: Vec<[f64; 2]>,
    /// Of each slot: what it does in the step.
    decided: Vec<Decision>,
    /// A path, read from a field.
    way: Vec<NavPoint>,
}

/// What a unit does in a step.
#[derive(Clone, Copy, Debug, Default)]
struct Decision {
    velocity: [f64; 2],
    /// How far it moves besides, to undo overlaps, m.
    push: [f64; 2],
    settles: bool,
}

/// The most half-planes of a unit.
const PLANES: usize = cells::MOST + walls::MOST;
/// How much a unit prefers to pass others on the right: the sine of an angle.
///
/// Without it two units that meet head-on would stop.
const TO_THE_RIGHT: f64 = 0.05;

impl Crowd {
    /// Without units, with time steps of `step` seconds.
    pub fn new(step: f64) -> Crowd {
        Crowd {
            horizon: 1.0,
            wall_horizon: 0.5,
            step,
            slots: Vec::new(),
            aims: Vec::new(),
            cells: Cells::default(),
            taken: Vec::new(),
            decided: Vec::new(),
            way: Vec::new(),
        }
    }

    /// Adds a unit at a place. It is idle: others pass, and it makes room.
    ///
    /// The navmesh keeps units off the walls by the radius of its agent. A larger body keeps the
    /// difference by avoidance.
    ///
    /// # Errors
    /// For a number out of range, and where the step of the body is not that of the crowd.
    pub fn add(
        &mut self,
        query: &NavQuery<'_>,
        place: NavPoint,
        body: Body,
    ) -> Result<UnitId, Error> {
        body.check(self.step)?;
        let mesh = query.mesh();
        let file = mesh.file();
        let agent = file.agents().find(|agent| agent.class == mesh.class());
        let wider = (body.radius - agent.map_or(0.0, |agent| agent.radius)).max(0.0);
        let unit = Some(Unit::new(place, body, wider));
        let free = self.slots.iter().position(|slot| slot.unit.is_none());
        let number = free.unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, unit: None });
            self.slots.len() - 1
        });
        self.slots[number].unit = unit;
        Ok(UnitId { number: number as u32, generation: self.slots[number].generation })
    }

    /// Removes a unit. Its followers go on along their paths.
    ///
    /// # Errors
    /// When there is no such unit.
    pub fn remove(&mut self, id: UnitId) -> Result<(), Error> {
        self.unit(id)?;
        let slot = &mut self.slots[id.number as usize];
        (slot.unit, slot.generation) = (None, slot.generation.wrapping_add(1));
        Ok(())
    }

    /// Sends a unit along a path: its places, from [`navbake_finish::places`] or a finished path.
    ///
    /// The first is where the path begins. A path over a link is given in two parts: up to the
    /// link, and after [`Crowd::put`] from its end.
    ///
    /// # Errors
    /// When there is no such unit, or no place.
    pub fn go(&mut self, id: UnitId, path: &[NavPoint]) -> Result<(), Error> {
        if path.is_empty() {
            return Err(Error::NoPath);
        }
        self.unit_mut(id)?.go(path);
        Ok(())
    }

    /// Sends a unit along its way in a field. False, and it keeps its path, where there is none.
    ///
    /// Call it again when the unit is astray, or every few steps: it allocates nothing once the
    /// crowd's lists have grown.
    ///
    /// # Errors
    /// When there is no such unit, and [`Error::StaleField`].
    pub fn flow(&mut self, query: &NavQuery<'_>, id: UnitId, field: &Field) -> Result<bool, Error> {
        let place = self.unit(id)?.place;
        let mut way = core::mem::take(&mut self.way);
        let found = field.path(query, &place, &mut way);
        if found == Ok(true) {
            self.unit_mut(id)?.go_on(&way);
        }
        self.way = way;
        found
    }

    /// Stops a unit. It is idle.
    ///
    /// # Errors
    /// When there is no such unit.
    pub fn stop(&mut self, id: UnitId) -> Result<(), Error> {
        self.unit_mut(id)?.go(&[]);
        Ok(())
    }

    /// Makes a unit follow a leader: along its own path, `behind` metres of path after the leader,
    /// `lane` metres to the left of the path where there is room, negative to the right.
    ///
    /// Through doors the lanes come together, and units that are behind by different lengths go in
    /// file. At the end each one goes to the end of its own path.
    ///
    /// # Errors
    /// When there is no such unit or leader, when both are one, or for a number that is not finite.
    pub fn follow(
        &mut self,
        id: UnitId,
        leader: UnitId,
        behind: f64,
        lane: f64,
    ) -> Result<(), Error> {
        self.unit(leader)?;
        if id == leader {
            return Err(Error::OwnLeader);
        }
        for (name, value) in [("the length behind", behind), ("the lane", lane)] {
            if !value.is_finite() {
                return Err(Error::Number { name, value });
            }
        }
        let unit = self.unit_mut(id)?;
        (unit.leader, unit.lane) = (Some((leader, behind)), lane);
        Ok(())
    }

    /// Puts a unit to a place, at rest: after a link, or a spell.
    ///
    /// # Errors
    /// When there is no such unit.
    pub fn put(&mut self, id: UnitId, place: NavPoint) -> Result<(), Error> {
        let unit = self.unit_mut(id)?;
        (unit.place, unit.velocity) = (place, [0.0; 2]);
        unit.walls = walls::Walls::NONE;
        Ok(())
    }

    /// Where a unit is; `None` when there is no such unit.
    pub fn place(&self, id: UnitId) -> Option<NavPoint> {
        self.unit(id).ok().map(|unit| unit.place)
    }

    /// The velocity of a unit, `[x, z]`, m/s; `None` when there is no such unit.
    pub fn velocity(&self, id: UnitId) -> Option<[f64; 2]> {
        self.unit(id).ok().map(|unit| unit.velocity)
    }

    /// What a unit does; `None` when there is no such unit.
    pub fn state(&self, id: UnitId) -> Option<State> {
        self.unit(id).ok().map(|unit| unit.state)
    }

    /// The units, in the order of their numbers.
    pub fn ids(&self) -> impl Iterator<Item = UnitId> + '_ {
        self.slots
            .iter()
            .enumerate()
            .filter(|(_, slot)| slot.unit.is_some())
            .map(|(k, slot)| UnitId { number: k as u32, generation: slot.generation })
    }

    /// The navmesh has changed, or what is blocked on it. Returns units without ground under them.
    ///
    /// Call it after a commit of `navbake-world`, and when doors close or open. The others keep
    /// their paths; where one does not exist any more the unit is astray.
    pub fn ground_changed<'s>(
        &'s mut self,
        query: &'s NavQuery<'_>,
    ) -> impl Iterator<Item = UnitId> + 's {
        self.slots.iter_mut().enumerate().filter_map(|(k, slot)| {
            let lost = !slot.unit.as_mut()?.renew(query);
            lost.then_some(UnitId { number: k as u32, generation: slot.generation })
        })
    }

    /// Moves all units by one time step.
    pub fn step(&mut self, query: &NavQuery<'_>, scratch: &mut Scratch) {
        self.aim(query);
        self.decide(query, scratch);
        self.walk(query);
    }

    /// Where each unit goes, from the places of all before the step.
    fn aim(&mut self, query: &NavQuery<'_>) {
        let mut reach = 0.0f64;
        for unit in self.slots.iter_mut().filter_map(|slot| slot.unit.as_mut()) {
            unit.advance(query);
            reach = reach.max(look(unit, self.horizon));
        }
        self.aims.clear();
        for k in 0..self.slots.len() {
            let aim = self.slots[k].unit.as_ref().and_then(|unit| {
                let leader = unit.leader.and_then(|(id, _)| self.unit(id).ok());
                unit.aim(query, leader)
            });
            self.aims.push(aim);
        }
        let units = self.slots.iter().filter_map(|slot| slot.unit.as_ref());
        self.taken.clear();
        self.taken.reserve(self.slots.len());
        self.taken.extend(units.filter(|unit| unit.state == State::Arrived).filter_map(Unit::goal));
        self.taken.sort_unstable_by(order);
        let (slots, aims) = (&self.slots, &self.aims);
        let seen = slots.iter().zip(aims).enumerate().filter_map(|(k, (slot, aim))| {
            Some((k as u32, slot.unit.as_ref()?.seen(aim.map_or([0.0; 2], |aim| aim.0))))
        });
        self.cells.fill(seen, reach);
    }

    /// The velocity of each unit.
    fn decide(&mut self, query: &NavQuery<'_>, scratch: &mut Scratch) {
        self.decided.clear();
        self.decided.resize(self.slots.len(), Decision::default());
        let mut planes = [HalfPlane::default(); PLANES];
        let mut spare = planes;
        for own in 0..self.cells.entries().len() {
            let nearest = self.cells.around(own);
            self.cells.keep(own, &nearest);
            let entries = self.cells.entries();
            let entry = &entries[own];
            let Some(unit) = self.slots[entry.unit as usize].unit.as_mut() else {
                continue;
            };
            let (me, steering) = (&entry.seen, &unit.body.steering);
            let others = nearest.iter().map(|k| &entries[k].seen);
            // Nothing moves it where all near it rest, and it keeps no distance to others.
            if me.rests() && steering.range == 0.0 && others.clone().all(Seen::rests) {
                let mut push = Push::default();
                for other in others {
                    push.add(me.push(other, me.between(other), || me.share(other)));
                }
                let push = push.of(unit.state);
                self.decided[entry.unit as usize] = Decision { push, ..Decision::default() };
                continue;
            }
            let aim = self.aims[entry.unit as usize];
            let aim = aim.map(|(to, left)| [0, 1].map(|k| me.at[k] + left * to[k]));
            let moving = others.clone().map(Seen::moving);
            let mut wanted = steering.wanted(&unit.moving(), aim, moving);
            if others.clone().any(|other| dot(other.heading, me.heading) < 0.0) {
                // Seen from above, the right of +z is -x.
                wanted =
                    [wanted[0] - TO_THE_RIGHT * wanted[1], wanted[1] + TO_THE_RIGHT * wanted[0]];
            }
            let mut count = 0;
            let range = unit.wider + steering.max_speed * self.wall_horizon;
            let (near, hard) = unit.walls.within(query, &unit.place, range, scratch);
            for wall in &near[..hard] {
                let known = &planes[..count];
                if let Some(plane) = me.avoid_wall(*wall, unit.wider, self.wall_horizon, known) {
                    planes[count] = plane;
                    count += 1;
                }
            }
            let hard = count;
            let mut push = Push::default();
            for other in others.clone() {
                let (between, share) = (me.between(other), me.share(other));
                if let Some(by) = me.wait(other, between, share) {
                    wanted = [0, 1].map(|k| wanted[k] + steering.max_speed * by[k]);
                }
                let plane = me.avoid(other, between, share, self.horizon);
                // One that no velocity of the unit leaves does not matter.
                let matters = |plane: &HalfPlane| plane.violation([0.0; 2]) > -steering.max_speed;
                if let Some(plane) = plane.filter(matters) {
                    planes[count] = plane;
                    count += 1;
                }
                push.add(me.push(other, between, || share));
            }
            let found = solve(&planes[..count], hard, steering.max_speed, wanted, &mut spare);
            self.decided[entry.unit as usize] = Decision {
                velocity: steering.turn(unit.velocity, found),
                push: push.of(unit.state),
                settles: unit.settles(others, |goal| {
                    let up_to = |other: &[f64; 2]| order(other, &goal).is_le();
                    let from = self.taken.partition_point(|other| order(other, &goal).is_lt());
                    self.taken[from..].partition_point(up_to)
                }),
            };
        }
    }

    /// Moves the units over the ground.
    fn walk(&mut self, query: &NavQuery<'_>) {
        for (slot, decision) in self.slots.iter_mut().zip(&self.decided) {
            let Some(unit) = slot.unit.as_mut() else {
                continue;
            };
            if decision.settles {
                unit.state = State::Arrived;
            }
            (unit.velocity, unit.touched) = (decision.velocity, false);
            let motion = [0, 1].map(|k| self.step * unit.velocity[k] + decision.push[k]);
            if motion == [0.0; 2] {
                continue;
            }
            let [x, y, z] = unit.place.position();
            let request = MoveRequest::new([x + motion[0], y, z + motion[1]]).kept(1.0);
            let motion = query.move_along(&unit.place, &request, MoveLog::default());
            let Some(place) = query.place(motion.end) else {
                continue;
            };
            unit.place = place;
            if motion.hit > 0 {
                unit.touched = true;
                // What is left of its velocity in the direction in which it went.
                let after = flat(&place);
                let walked = [after[0] - x, after[1] - z];
                let (far, along) = (dot(walked, walked), dot(unit.velocity, walked));
                let kept = if far > 0.0 { along.max(0.0) / far } else { 0.0 };
                unit.velocity = walked.map(|c| c * kept.min(1.0 / self.step));
            }
        }
    }

    fn unit(&self, id: UnitId) -> Result<&Unit, Error> {
        let slot = self.slots.get(id.number as usize).filter(|s| s.generation == id.generation);
        slot.and_then(|slot| slot.unit.as_ref()).ok_or(Error::NoUnit)
    }

    fn unit_mut(&mut self, id: UnitId) -> Result<&mut Unit, Error> {
        let slot = self.slots.get_mut(id.number as usize).filter(|s| s.generation == id.generation);
        slot.and_then(|slot| slot.unit.as_mut()).ok_or(Error::NoUnit)
    }
}

/// How far a unit moves to undo overlaps with others.
#[derive(Default)]
struct Push {
    sum: [f64; 2],
    count: u32,
}

impl Push {
    fn add(&mut self, by: Option<[f64; 2]>) {
        if let Some(by) = by {
            self.sum = [self.sum[0] + by[0], self.sum[1] + by[1]];
            self.count += 1;
        }
    }

    /// The mean of all, so that several do not add up to too much. At rest they may: a mean below
    /// the grid would move no unit.
    fn of(&self, state: State) -> [f64; 2] {
        let most = if state == State::Arrived { 2 } else { u32::MAX };
        self.sum.map(|c| c / f64::from(self.count.clamp(1, most)))
    }
}

fn order(a: &[f64; 2], b: &[f64; 2]) -> core::cmp::Ordering {
    a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
}

/// How far from a unit others like it matter, m.
fn look(unit: &Unit, horizon: f64) -> f64 {
    let body = &unit.body;
    (2.0 * (body.radius + body.steering.max_speed * horizon)).max(body.steering.range)
}

impl Seen {
    fn moving(&self) -> Moving {
        let [x, z] = self.at;
        Moving { position: [x, self.ground, z], velocity: self.velocity }
    }
}
