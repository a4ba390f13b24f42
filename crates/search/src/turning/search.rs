//! A* over the states of a lattice: tile, heading, gear.
//!
//! A state is expanded by gathering the window of tiles around it once; each move is then free or not by one AND with its mask. The start and the goal may
//! lie anywhere: free curves lead from the start to the states around it, and from those around the goal to it (*exits*), both found by sweeping the
//! footprint over the ground.
//!
//! What remains is estimated by the greater of two lower bounds: the distance over open ground from the vehicle's table, and the flood over
//! free tiles (`far`). Where the goal is a state of the lattice the table is exact; elsewhere it is read for the nearest such state, less what an exit can
//! be shorter by.

use navbake_format::VehicleView;

use super::curve::Pose;
use super::far::{Far, NOWHERE};
use super::ground::Ground;
use super::links::{Target, free_curve, stands_in};
use super::open::{self, TurningOpen};
use super::request::{
    Exit, TurningAnswer, TurningNode, TurningRequest, TurningScratch, TurningStatus,
};
use super::smooth::smooth;
use super::symmetry::Symmetry;
use super::tables::{Vehicle, lattice_pose};
use super::trig::{TURN, wrapped};
use crate::math::{round, sqrt};

/// No node.
pub(super) const NONE: u32 = u32::MAX;
/// How a node was reached, beside moves: it is the start; a change of gear; a free curve from the start, by its form.
pub(super) const START: u32 = u32::MAX;
pub(super) const CHANGE: u32 = u32::MAX - 1;
pub(super) const ENTRY: u32 = 1 << 31;
/// Farthest that shots go, tiles.
const SHOT: f64 = 24.0;
/// A search ends that opens states again so often that its tables cannot be sound.
const MOST_TIMES: u64 = 64;

/// A vehicle on its ground.
#[derive(Clone, Copy)]
pub struct TurningQuery<'q> {
    pub(super) vehicle: &'q Vehicle<'q>,
    pub(super) ground: &'q Ground<'q>,
}

/// A search under way. Its nodes lie in the scratch that it began with.
#[derive(Clone, Copy, Debug)]
pub struct TurningSearch {
    pub(super) status: TurningStatus,
    pub(super) start: Pose,
    pub(super) target: Target,
    /// The goal as a state of the lattice: its tile, and its heading.
    goal: Option<(u32, Option<u32>)>,
    /// The tile, and the heading, that estimates are for, and what an exit can be shorter by than the table and the flood say.
    near: u32,
    near_heading: Option<u32>,
    off: [u32; 2],
    is_guided: bool,
    /// In parts of 256.
    weight: u64,
    shots: bool,
    smooth: bool,
    far: Far,
    used: usize,
    open_len: usize,
    /// The best way to the goal so far: its cost, the node that it leaves from, and the gear and form of the curve; no curve where the node is the goal.
    pub(super) best: u64,
    pub(super) last: u32,
    pub(super) shot: Option<(u32, u8)>,
    bound: u64,
    expanded: u64,
    tested: u64,
    max_open: usize,
    next_shot: u64,
}

impl<'q> TurningQuery<'q> {
    /// Queries for a vehicle on a ground. `None` when the ground's tiles are not those that its tables were made for.
    pub fn new(vehicle: &'q Vehicle<'q>, ground: &'q Ground<'q>) -> Option<TurningQuery<'q>> {
        let off = vehicle.view.tile() - ground.tile();
        (off.abs() <= 1e-9 * ground.tile()).then_some(TurningQuery { vehicle, ground })
    }

    /// The vehicle.
    pub fn vehicle(&self) -> &'q Vehicle<'q> {
        self.vehicle
    }

    /// The ground.
    pub fn ground(&self) -> &'q Ground<'q> {
        self.ground
    }

    /// A path. Allocates nothing; the answer lies in the scratch.
    pub fn path<'s>(
        &self,
        request: &TurningRequest,
        scratch: &'s mut TurningScratch<'_>,
    ) -> TurningAnswer<'s> {
        let mut search = self.begin(request, scratch);
        while search.step(self, scratch, u32::MAX) == TurningStatus::Looking {}
        search.answer(self, scratch)
    }

    /// Begins a search; go on with [`TurningSearch::step`].
    pub fn begin(
        &self,
        request: &TurningRequest,
        scratch: &mut TurningScratch<'_>,
    ) -> TurningSearch {
        let ground = self.ground;
        let [x, z] = ground.place(request.from);
        let start = Pose {
            x,
            z,
            heading: request.from_heading,
        };
        let place = ground.place(request.to);
        let target = match request.to_heading {
            Some(heading) => Target::Pose(Pose {
                x: place[0],
                z: place[1],
                heading,
            }),
            None => Target::Point(place),
        };
        let weight = if request.weight.is_nan() {
            1.0
        } else {
            request.weight.clamp(1.0, 100.0)
        };
        let mut search = TurningSearch {
            status: TurningStatus::Looking,
            start,
            target,
            goal: None,
            near: 0,
            near_heading: None,
            off: [0; 2],
            is_guided: !request.dijkstra,
            weight: (weight * 256.0) as u64,
            shots: request.shots,
            smooth: request.smooth,
            far: Far::default(),
            used: 0,
            open_len: 0,
            best: u64::MAX,
            last: NONE,
            shot: None,
            bound: 0,
            expanded: 0,
            tested: 0,
            max_open: 0,
            next_shot: 1,
        };
        if let Err(status) = search.set_out(self, scratch) {
            search.status = status;
        }
        search
    }

    /// The state of the lattice at a pose, if there is one: its tile's place and its heading.
    fn on_lattice(&self, pose: Pose) -> Option<([i32; 2], u32)> {
        let tile = [round(pose.x), round(pose.z)];
        let eighths = wrapped(pose.heading) / TURN * f64::from(self.vehicle.headings);
        let heading = round(eighths);
        let near = |a: f64, b: i32| (a - f64::from(b)).abs() < 1e-9;
        let on = near(pose.x, tile[0]) && near(pose.z, tile[1]) && near(eighths, heading);
        on.then_some((tile, heading as u32 % self.vehicle.headings))
    }

    #[inline]
    fn state(&self, tile: u32, gear: u32, heading: u32) -> u32 {
        let headings = self.vehicle.headings;
        (tile * self.vehicle.gears() + gear) * headings + heading
    }

    /// Tile, gear and heading of a state.
    #[inline]
    pub(super) fn parts_of(&self, state: u32) -> (u32, u32, u32) {
        let (headings, gears) = (self.vehicle.headings, self.vehicle.gears());
        let (rest, heading) = (state / headings, state % headings);
        (rest / gears, rest % gears, heading)
    }

    /// The pose of a state.
    pub(super) fn pose_of(&self, state: u32) -> Pose {
        let (tile, _, heading) = self.parts_of(state);
        lattice_pose(self.ground.tile_of(tile), heading, self.vehicle.headings)
    }

    /// What the table says from a state to a tile, at a heading or at any: `None` beyond the table.
    fn told(
        &self,
        from: [i32; 2],
        gear: u32,
        heading: u32,
        to: [i32; 2],
        at: Option<u32>,
    ) -> Option<u32> {
        let view = &self.vehicle.view;
        let headings = self.vehicle.headings;
        let (quarter, range) = (headings / 4, view.range() as i32);
        let offset = [from[0] - to[0], from[1] - to[1]];
        if offset[0].abs() > range || offset[1].abs() > range {
            return None;
        }
        // Turned back until the goal's heading, or that of the state, is in the first quarter turn.
        let by = at.unwrap_or(heading);
        let turn = Symmetry {
            mirror: false,
            quarters: ((4 - by / quarter) % 4) as u8,
        };
        let [x, z] = turn.offset(offset);
        let side = 2 * range as usize + 1;
        let place = (z + range) as usize * side + (x + range) as usize;
        let gears = self.vehicle.gears();
        let table = match at {
            Some(to) => {
                ((to % quarter) * gears + gear) * headings + turn.heading(heading, headings)
            }
            None => quarter * gears * headings + gear * quarter + heading % quarter,
        };
        Some(view.distance(table as usize * side * side + place))
    }
}

impl TurningSearch {
    /// How it stands.
    pub fn status(&self) -> TurningStatus {
        self.status
    }

    fn set_out(
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
        if stands_in(vehicle, ground, self.start) {
            return Err(TurningStatus::StartBlocked);
        }
        let goal_blocked = match self.target {
            Target::Pose(pose) => stands_in(vehicle, ground, pose),
            Target::Point(_) => ground.is_blocked(to),
        };
        if goal_blocked {
            return Err(TurningStatus::GoalBlocked);
        }
        self.near = ground.id(to);
        let out = TurningStatus::OutOfNodes;
        self.far =
            Far::begin(ground, self.near, vehicle.view.weights(), &mut scratch.far).ok_or(out)?;
        self.aim(query, scratch, to).ok_or(out)?;
        // Straight away, where the way is free.
        if self.shots {
            for gear in 0..vehicle.gears() {
                let most = 4.0 * SHOT;
                if let Some((form, cost)) =
                    free_curve(vehicle, ground, self.start, &self.target, gear, most)
                    && u64::from(cost) < self.best
                {
                    self.best = cost.into();
                    self.shot = Some((gear, form));
                }
            }
        }
        match query.on_lattice(self.start) {
            Some((tile, heading)) => {
                for gear in 0..vehicle.gears() {
                    let state = query.state(ground.id(tile), gear, heading);
                    self.reach(query, scratch, state, 0, NONE, START)?;
                }
            }
            None => self.enter(query, scratch, from)?,
        }
        Ok(())
    }

    /// Finds the goal's place on the lattice, or the exits to it and what they can be shorter by than estimates.
    fn aim(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        to: [i32; 2],
    ) -> Option<()> {
        let (vehicle, ground) = (query.vehicle, query.ground);
        let on = match self.target {
            Target::Pose(pose) => query.on_lattice(pose).map(|(_, heading)| Some(heading)),
            Target::Point([x, z]) => query.on_lattice(Pose { x, z, heading: 0.0 }).map(|_| None),
        };
        if let Some(heading) = on {
            self.goal = Some((self.near, heading));
            self.near_heading = heading;
            return Some(());
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
        let mut next = 0;
        for z in -rings..=rings {
            for x in -rings..=rings {
                let tile = [to[0] + x, to[1] + z];
                let is_blocked = ground.is_blocked(tile);
                for gear in 0..vehicle.gears() {
                    for heading in 0..headings {
                        let exit = scratch.exits.get_mut(next)?;
                        next += 1;
                        *exit = Exit {
                            cost: NOWHERE,
                            form: 0,
                        };
                        let pose = lattice_pose(tile, heading, headings);
                        if is_blocked || stands_in(vehicle, ground, pose) {
                            continue;
                        }
                        let Some((form, cost)) =
                            free_curve(vehicle, ground, pose, &self.target, gear, most)
                        else {
                            continue;
                        };
                        *exit = Exit { cost, form };
                        // What the estimates say more than that is taken off them.
                        let told = query.told(tile, gear, heading, to, self.near_heading);
                        let over = told.map_or(0, |told| told.saturating_sub(cost));
                        self.off[0] = self.off[0].max(over);
                        let flood = self.far.cost(ground, ground.id(tile), &mut scratch.far);
                        if flood != NOWHERE {
                            self.off[1] = self.off[1].max(flood.saturating_sub(cost));
                        }
                    }
                }
            }
        }
        Some(())
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
                for heading in 0..vehicle.headings {
                    let pose = lattice_pose(tile, heading, vehicle.headings);
                    if stands_in(vehicle, ground, pose) {
                        continue;
                    }
                    for gear in 0..vehicle.gears() {
                        let to = Target::Pose(pose);
                        if let Some((form, cost)) =
                            free_curve(vehicle, ground, self.start, &to, gear, most)
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

    /// What remains from a state at least; [`NOWHERE`] where there is no way.
    fn rest(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        tile: u32,
        gear: u32,
        heading: u32,
    ) -> u32 {
        let ground = query.ground;
        let flood = self.far.cost(ground, tile, &mut scratch.far);
        if flood == NOWHERE {
            return NOWHERE;
        }
        if !self.is_guided {
            return 0;
        }
        let flood = flood.saturating_sub(self.off[1]);
        let at = ground.tile_of(tile);
        let to = ground.tile_of(self.near);
        let open = match query.told(at, gear, heading, to, self.near_heading) {
            // Not even over open ground.
            Some(VehicleView::NO_WAY) if self.goal.is_some() => return NOWHERE,
            Some(VehicleView::NO_WAY) => 0,
            Some(told) => told.saturating_sub(self.off[0]),
            None => {
                let place = self.target.place();
                let (x, z) = (f64::from(at[0]) - place[0], f64::from(at[1]) - place[1]);
                (sqrt(x * x + z * z) * f64::from(VehicleView::UNITS)) as u32
            }
        };
        open.max(flood)
    }

    /// A way to a state.
    #[inline]
    fn reach(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        state: u32,
        cost: u64,
        parent: u32,
        by: u32,
    ) -> Result<(), TurningStatus> {
        let out = TurningStatus::OutOfNodes;
        let slot = *scratch.slots.get(state as usize).ok_or(out)?;
        let known = (slot as usize) < self.used;
        let node = match scratch.nodes.get_mut(slot as usize) {
            Some(node) if known && node.state == state => {
                if cost >= node.cost {
                    return Ok(());
                }
                node.cost = cost;
                node.parent = parent;
                node.by = by;
                node.closed = false;
                (slot, node.rest)
            }
            _ => {
                let (tile, gear, heading) = query.parts_of(state);
                let rest = self.rest(query, scratch, tile, gear, heading);
                let node = self.used as u32; // few enough, as states are
                *scratch.nodes.get_mut(self.used).ok_or(out)? = TurningNode {
                    cost,
                    state,
                    parent,
                    rest,
                    by,
                    closed: false,
                };
                scratch.slots[state as usize] = node;
                self.used += 1;
                (node, rest)
            }
        };
        let (node, rest) = node;
        if rest == NOWHERE {
            return Ok(());
        }
        let entry = TurningOpen {
            total: cost + ((u64::from(rest) * self.weight) >> 8),
            rest,
            node,
        };
        if entry.total >= self.best && self.weight == 256 {
            return Ok(());
        }
        if !open::push(scratch.open, &mut self.open_len, entry) {
            return Err(out);
        }
        self.max_open = self.max_open.max(self.open_len);
        Ok(())
    }

    /// Goes on: expands at most `budget` states. Gives the same answer whatever the budgets.
    pub fn step(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        budget: u32,
    ) -> TurningStatus {
        let mut left = budget;
        while left > 0 && self.status == TurningStatus::Looking {
            let next = open::pop(scratch.open, &mut self.open_len);
            let Some(entry) = next.filter(|e| e.total < self.best) else {
                self.status = if self.best < u64::MAX {
                    self.bound = next
                        .map_or(self.best, |e| e.total * 256 / self.weight)
                        .min(self.best);
                    TurningStatus::Reached
                } else {
                    TurningStatus::Unreachable
                };
                break;
            };
            let Some(node) = scratch.nodes.get_mut(entry.node as usize) else {
                continue;
            };
            let total = node.cost + ((u64::from(node.rest) * self.weight) >> 8);
            if node.closed || total != entry.total {
                continue;
            }
            node.closed = true;
            left -= 1;
            self.expanded += 1;
            let node = *node;
            let many = self.expanded > MOST_TIMES * (self.used as u64 + 1);
            let done = match query.vehicle.words {
                _ if many => Err(TurningStatus::OutOfNodes),
                1 => self.expand::<1>(query, scratch, entry.node, node),
                2 => self.expand::<2>(query, scratch, entry.node, node),
                4 => self.expand::<4>(query, scratch, entry.node, node),
                8 => self.expand::<8>(query, scratch, entry.node, node),
                _ => self.expand::<16>(query, scratch, entry.node, node),
            };
            if let Err(status) = done {
                self.status = status;
            }
        }
        self.status
    }

    fn expand<const W: usize>(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        number: u32,
        node: TurningNode,
    ) -> Result<(), TurningStatus> {
        let (vehicle, ground) = (query.vehicle, query.ground);
        let (tile, gear, heading) = query.parts_of(node.state);
        self.finish(query, scratch, number, node);
        if vehicle.reverse.is_some() && node.by != CHANGE {
            let state = query.state(tile, 1 - gear, heading);
            let cost = node.cost + u64::from(vehicle.change);
            self.reach(query, scratch, state, cost, number, CHANGE)?;
        }
        let window = ground.window::<W>(tile, vehicle.half);
        let (first, moves, masks) = vehicle.moves(gear, vehicle.travel(gear, heading));
        self.tested += moves.len() as u64;
        let (masks, _) = masks.as_chunks::<W>();
        for (i, (step, mask)) in moves.iter().zip(masks).enumerate() {
            let mut hit = 0;
            for (a, b) in mask.iter().zip(&window) {
                hit |= a & b;
            }
            if hit != 0 {
                continue;
            }
            let [x, z] = step.offset.map(i32::from);
            let to = tile
                .wrapping_add_signed(z.wrapping_mul(ground.stride() as i32))
                .wrapping_add_signed(x);
            let end = vehicle.travel(gear, step.to.into());
            let cost = node.cost + u64::from(vehicle.cost(gear, step.length));
            let by = (first + i) as u32; // far below 2^31
            self.reach(query, scratch, query.state(to, gear, end), cost, number, by)?;
        }
        Ok(())
    }

    /// Is a state the goal, or is there a way from it?
    fn finish(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        number: u32,
        node: TurningNode,
    ) {
        let (vehicle, ground) = (query.vehicle, query.ground);
        let (tile, gear, heading) = query.parts_of(node.state);
        let mut found = |cost: u64, shot: Option<(u32, u8)>| {
            if cost < self.best {
                self.best = cost;
                self.last = number;
                self.shot = shot;
            }
        };
        match self.goal {
            Some((goal, at)) => {
                if tile == goal && at.is_none_or(|at| at == heading) {
                    found(node.cost, None);
                }
            }
            None => {
                let rings = vehicle.view.rings() as i32;
                let ([x, z], [gx, gz]) = (ground.tile_of(tile), ground.tile_of(self.near));
                let (dx, dz) = (x - gx + rings, z - gz + rings);
                let side = 2 * rings + 1;
                if (0..side).contains(&dx) && (0..side).contains(&dz) {
                    let states = vehicle.headings * vehicle.gears();
                    let at = (dz * side + dx) as u32 * states + gear * vehicle.headings + heading;
                    if let Some(exit) = scratch.exits.get(at as usize)
                        && exit.cost != NOWHERE
                    {
                        found(node.cost + u64::from(exit.cost), Some((gear, exit.form)));
                    }
                }
            }
        }
        if self.shots && self.expanded >= self.next_shot {
            let pose = query.pose_of(node.state);
            let [x, z] = self.target.place();
            let (x, z) = (pose.x - x, pose.z - z);
            let far = sqrt(x * x + z * z);
            // The nearer the more often.
            self.next_shot = self.expanded + 8 + (4.0 * far) as u64;
            if far <= SHOT
                && let Some((form, cost)) =
                    free_curve(vehicle, ground, pose, &self.target, gear, 2.0 * SHOT)
            {
                found(node.cost + u64::from(cost), Some((gear, form)));
            }
        }
    }

    /// The path, once the search is over.
    pub fn answer<'s>(
        &self,
        query: &TurningQuery<'_>,
        scratch: &'s mut TurningScratch<'_>,
    ) -> TurningAnswer<'s> {
        let tile = query.ground.tile();
        let metres = |cost: u64| cost as f64 / f64::from(VehicleView::UNITS) * tile;
        let mut answer = TurningAnswer {
            status: self.status,
            length: 0.0,
            cost: 0.0,
            bound: 0.0,
            pieces: &[],
            end: self.start,
            expanded: self.expanded,
            tested: self.tested,
            nodes: self.used as u32,
            max_open: self.max_open,
        };
        if self.status != TurningStatus::Reached {
            return answer;
        }
        let Some((count, end)) = self.lay_out(query, scratch) else {
            answer.status = TurningStatus::OutOfNodes;
            return answer;
        };
        let (count, saved) = if self.smooth {
            let pieces = scratch.pieces.get_mut(..count).unwrap_or_default();
            smooth(query, pieces, count, end)
        } else {
            (count, 0.0)
        };
        answer.pieces = scratch.pieces.get(..count).unwrap_or_default();
        answer.length = tile * answer.pieces.iter().map(|p| p.segment.length).sum::<f64>();
        answer.cost = metres(self.best) - saved * tile;
        answer.bound = metres(self.bound.min(self.best)).min(answer.cost);
        answer.end = end;
        answer
    }
}
