//! The ends of a search: free curves from the start to the lattice, and from the lattice to the
//! goal.

use navbake_format::VehicleView;

use crate::bucket_queue::BucketQueue;
use crate::connect::{Target, is_blocked_at};
use crate::curve::Pose;
use crate::flood_steps::NOWHERE;
use crate::lattice::lattice_pose;
use crate::query::TurningQuery;
use crate::request::{ENTRY, Exit, NONE, START, TurningNode, TurningScratch, TurningStatus};
use crate::search::{EXPANSION_RANGE, TurningSearch};
use crate::trig::{TURN, wrapped};
use navbake_navmesh::math::{round, sqrt};

impl TurningSearch {
    /// Judges both ends, and opens the states that the start leads to.
    pub(crate) fn set_out(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
    ) -> Result<(), TurningStatus> {
        let (vehicle, ground) = (query.vehicle, query.ground);
        let goal_heading = match self.target {
            Target::Pose(pose) => pose.heading,
            Target::Point(_) => 0.0,
        };
        // Angles beyond any sense would lose their fractions.
        if !(self.start.heading.abs() < 1e6 && goal_heading.abs() < 1e6) {
            return Err(TurningStatus::NoHeading);
        }
        let tile_at = |[x, z]: [f64; 2]| {
            let inside = x.abs() < 1e9 && z.abs() < 1e9;
            let tile = [round(x.clamp(-1e9, 1e9)), round(z.clamp(-1e9, 1e9))];
            (inside && ground.is_inside(tile)).then_some(tile)
        };
        let place = self.target.place();
        let from = tile_at([self.start.x, self.start.z]).ok_or(TurningStatus::StartOutside)?;
        let to = tile_at(place).ok_or(TurningStatus::GoalOutside)?;
        if is_blocked_at(vehicle, ground, self.start) {
            return Err(TurningStatus::StartBlocked);
        }
        let goal_blocked = match self.target {
            Target::Pose(pose) => is_blocked_at(vehicle, ground, pose),
            Target::Point(_) => ground.is_blocked(to),
        };
        if goal_blocked {
            return Err(TurningStatus::GoalBlocked);
        }
        self.near = ground.id(to);
        let speed = match &vehicle.speeds {
            Some(speeds) => speeds.square(self.start_speed, ground.tile()),
            None => (self.start_speed == 0.0).then_some(0.0),
        };
        self.start_square = speed.ok_or(TurningStatus::NoSpeed)?;
        let out = TurningStatus::OutOfNodes;
        let seeds = self.aim(query, scratch, to).ok_or(out)?;
        let plan = ground.plan_tile(ground.id(from));
        let far = &mut scratch.obstacle;
        self.obstacle.begin(query, plan, seeds, far).ok_or(out)?;
        self.open = BucketQueue::new(&mut scratch.open).ok_or(out)?;
        let words = ground.slots() / 64;
        scratch.been.get_mut(..words).ok_or(out)?.fill(0);
        // A free curve from the start to the goal.
        if let Some(speeds) = vehicle.speeds.as_ref().filter(|_| self.analytic_expansion) {
            self.drive_straight_there(query, speeds);
        } else if self.analytic_expansion {
            for gear in 0..vehicle.gears() {
                let most = 4.0 * EXPANSION_RANGE;
                if let Some((form, cost)) =
                    query.final_curve(self.start, &self.target, 0, gear, most)
                    && u64::from(cost) < self.best
                {
                    self.best = cost.into();
                    self.final_curve = Some((gear, form));
                }
            }
        }
        match query.on_lattice(self.start) {
            Some((tile, heading)) => {
                self.prepare(query, scratch, ground.id(tile));
                let speeds = vehicle.speeds.as_ref();
                let level = speeds.map_or(0, |speeds| speeds.level_of_start(self.start_square));
                // Backwards only from rest.
                let gears = if self.start_square > 0.0 { 1 } else { vehicle.gears() };
                for gear in 0..gears {
                    let lane = level * vehicle.gears() + gear;
                    let state = query.state(ground.id(tile), lane, heading);
                    self.reach(query, scratch, state, 0, NONE, START)?;
                }
            }
            None => self.enter(query, scratch, from)?,
        }
        Ok(())
    }

    /// Finds the goal's place on the lattice, or the exits to it and how much shorter they can be
    /// than the table's distance. Returns the number of seeds for the flood.
    fn aim(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        to: [i32; 2],
    ) -> Option<usize> {
        let (vehicle, ground) = (query.vehicle, query.ground);
        let on = match self.target {
            Target::Pose(pose) => query.on_lattice(pose).map(|(_, heading)| Some(heading)),
            Target::Point([x, z]) => query.on_lattice(Pose { x, z, heading: 0.0 }).map(|_| None),
        };
        if let Some(heading) = on {
            self.goal = Some((ground.home(self.near), heading));
            self.near_heading = heading;
            *scratch.obstacle.seeds.first_mut()? = [ground.home(self.near), 0];
            return Some(1);
        }
        let headings = vehicle.headings;
        self.near_heading = match self.target {
            Target::Pose(pose) => {
                let share = wrapped(pose.heading) / TURN * f64::from(headings);
                Some(round(share) as u32 % headings)
            }
            Target::Point(_) => None,
        };
        let rings = vehicle.view.rings() as i32;
        let most = 4.0 * f64::from(rings) + 4.0 * TURN * vehicle.radius;
        let (mut next, mut seeds) = (0, 0);
        for z in -rings..=rings {
            for x in -rings..=rings {
                let tile = [to[0] + x, to[1] + z];
                let is_blocked = ground.is_blocked(tile);
                let mut least = NOWHERE;
                for gear in 0..vehicle.gears() {
                    for heading in 0..headings {
                        let classes = usize::from(vehicle.classes());
                        let exits = scratch.exits.get_mut(next..next + classes)?;
                        next += classes;
                        exits.fill(Exit { cost: NOWHERE, form: 0 });
                        let pose = lattice_pose(tile, heading, headings);
                        if is_blocked || is_blocked_at(vehicle, ground, pose) {
                            continue;
                        }
                        // Backwards in the slowest class only.
                        let classes = if gear > 0 { 1 } else { classes };
                        for (class, exit) in (0..).zip(exits).take(classes) {
                            let free = query.final_curve(pose, &self.target, class, gear, most);
                            let Some((form, cost)) = free else {
                                continue;
                            };
                            *exit = Exit { cost, form };
                            // Any excess of the estimates over that is subtracted.
                            let table_distance =
                                query.table_distance(tile, gear, heading, to, self.near_heading);
                            let over = table_distance.map_or(0, |distance| {
                                let bound = query.filter.table_at_least(vehicle, distance);
                                bound.saturating_sub(cost)
                            });
                            self.off = self.off.max(over);
                            least = least.min(cost);
                        }
                    }
                }
                if least != NOWHERE {
                    let length = query.filter.length_below(least.into());
                    *scratch.obstacle.seeds.get_mut(seeds)? =
                        [ground.home(ground.id(tile)), length];
                    seeds += 1;
                }
            }
        }
        Some(seeds)
    }

    /// Free curves from the start to the states around it.
    fn enter(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        from: [i32; 2],
    ) -> Result<(), TurningStatus> {
        let (vehicle, ground) = (query.vehicle, query.ground);
        let rings = vehicle.view.rings() as i32;
        let most = 4.0 * f64::from(rings) + 4.0 * TURN * vehicle.radius;
        for z in -rings..=rings {
            for x in -rings..=rings {
                let tile = [from[0] + x, from[1] + z];
                if ground.is_blocked(tile) {
                    continue;
                }
                self.prepare(query, scratch, ground.id(tile));
                for heading in 0..vehicle.headings {
                    let pose = lattice_pose(tile, heading, vehicle.headings);
                    if is_blocked_at(vehicle, ground, pose) {
                        continue;
                    }
                    for gear in 0..vehicle.gears() {
                        if let Some(speeds) = &vehicle.speeds {
                            let at = (pose, ground.id(tile), gear, heading);
                            self.enter_speeds(query, speeds, scratch, at, most)?;
                            continue;
                        }
                        let to = Target::Pose(pose);
                        if let Some((form, cost)) =
                            query.final_curve(self.start, &to, 0, gear, most)
                        {
                            let state = query.state(ground.id(tile), gear, heading);
                            let by = ENTRY | u32::from(form);
                            self.reach(query, scratch, state, cost.into(), NONE, by)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Is a state the goal, or does a curve lead from it to the goal?
    ///
    /// `tile` is one of the images of its place.
    pub(crate) fn finish(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        number: u32,
        node: TurningNode,
        tile: u32,
    ) {
        let (vehicle, ground) = (query.vehicle, query.ground);
        let (_, gear, heading) = query.parts_of(node.state);
        match self.goal {
            Some((goal, at)) => {
                if tile == goal && at.is_none_or(|at| at == heading) {
                    self.found(node.cost, number, None);
                }
            }
            None => {
                let at = query.exit_of(self.near, tile, gear, heading);
                if let Some(exit) = at.and_then(|at| scratch.exits.get(at))
                    && exit.cost != NOWHERE
                {
                    let cost = node.cost + u64::from(exit.cost);
                    self.found(cost, number, Some((gear, exit.form)));
                }
            }
        }
        let [x, z] = self.target.place();
        let same = ground.is_same_layer(tile, z);
        if self.analytic_expansion && self.expanded >= self.next_expansion && same {
            let pose = lattice_pose(ground.tile_of(tile), heading, vehicle.headings);
            let (x, z) = (pose.x - x, pose.z - z);
            let far = sqrt(x * x + z * z);
            // The nearer the more often.
            self.next_expansion = self.expanded + 8 + (4.0 * far) as u64;
            let left = self.best.saturating_sub(node.cost) as f64;
            let most = query.filter.tiles_for(left / f64::from(VehicleView::UNITS));
            let most = most.min(2.0 * EXPANSION_RANGE);
            if far <= EXPANSION_RANGE
                && let Some((form, cost)) = query.final_curve(pose, &self.target, 0, gear, most)
            {
                self.found(node.cost + u64::from(cost), number, Some((gear, form)));
            }
        }
    }

    pub(crate) fn found(&mut self, cost: u64, last: u32, final_curve: Option<(u32, u8)>) {
        if cost < self.best {
            self.best = cost;
            self.last = last;
            self.final_curve = final_curve;
        }
    }
}
