//! The search with speeds: expansion, and both ends.

use crate::connect::{self, Target, is_blocked_at};
use crate::curve::{Curve, Pose};
use crate::expand::MOST_OFFSETS;
use crate::flood_steps::NOWHERE;
use crate::lattice::{lattice_pose, parts};
use crate::query::TurningQuery;
use crate::request::{
    CHANGE, ENTRY, LINK, NONE, START, TurningNode, TurningScratch, TurningStatus,
};
use crate::search::{EXPANSION_RANGE, TurningSearch};

use super::{NEVER, Speeds};

/// A time where a length costs more than itself: by weights, roads, or backwards.
fn scaled(time: u32, cost: u32, length: u32) -> u64 {
    if cost == length {
        return time.into();
    }
    (u64::from(time) * u64::from(cost)).div_ceil(u64::from(length.max(1)))
}

/// The times of a move from a speed to each level.
enum Times<'t> {
    /// From a level, by the table.
    Row(&'t [u32]),
    /// From a square between levels, by the curve.
    Curve { curve: Option<Curve>, class: u8, gear: u32, square: f64, least: u32 },
}

impl Times<'_> {
    #[inline]
    fn to(&self, speeds: &Speeds<'_>, level: u32) -> Option<u32> {
        let place = level as usize;
        match self {
            Times::Row(row) => row.get(place).copied().filter(|&time| time != NEVER),
            Times::Curve { curve, class, gear, square, least } => {
                let to = Some(*speeds.levels().get(place)?);
                let units = speeds.units(curve.as_ref()?, *class, *gear, *square, to)?;
                Some(units.max(*least))
            }
        }
    }
}

impl TurningSearch {
    /// The square of the speed at a state that was reached by that: the start, and what curves from
    /// it reach as fast as they can, need not be at a level.
    pub(crate) fn square_of(
        &self,
        query: &TurningQuery<'_>,
        speeds: &Speeds<'_>,
        state: u32,
        by: u32,
    ) -> f64 {
        if by == START {
            return self.start_square;
        }
        let (_, lane, _) = query.parts_of(state);
        let gears = query.vehicle.gears();
        match speeds.levels().get((lane / gears) as usize) {
            Some(&square) => square,
            None => {
                let curve = self.entry(query, state, by);
                let range = curve.and_then(|(curve, class)| {
                    speeds.range(&curve, class, lane % gears, self.start_square)
                });
                let beyond = lane / gears - speeds.levels().len() as u32;
                let is_slow = beyond >= u32::from(speeds.classes());
                range.map_or(self.start_square, |range| range[usize::from(is_slow)])
            }
        }
    }

    /// The curve from the start to a state, and its class.
    fn entry(&self, query: &TurningQuery<'_>, state: u32, by: u32) -> Option<(Curve, u8)> {
        let to = Target::Pose(query.pose_like(state, self.start.z));
        let (_, lane, _) = query.parts_of(state);
        let (gear, form) = (lane % query.vehicle.gears(), (by & 31) as u8);
        Some((connect::curve(query.vehicle, self.start, &to, gear, form)?, form >> 3))
    }

    /// The square of the speed that the path ends with; `None` for any.
    pub(super) fn last_square(&self) -> Option<f64> {
        self.stop.then_some(0.0)
    }

    /// Opens what a state with a speed leads to.
    pub(crate) fn expand_speeds<const W: usize>(
        &mut self,
        query: &TurningQuery<'_>,
        speeds: &Speeds<'_>,
        scratch: &mut TurningScratch<'_>,
        number: u32,
        node: TurningNode,
    ) -> Result<(), TurningStatus> {
        let (vehicle, ground) = (query.vehicle, query.ground);
        let (tile, lane, heading) = query.parts_of(node.state);
        let gear = lane % vehicle.gears();
        let square = self.square_of(query, speeds, node.state, node.by);
        for tile in ground.images(tile) {
            self.finish_speeds(query, speeds, scratch, number, node, tile);
        }
        // Gears are changed, and links taken, at rest.
        if square == 0.0 {
            if vehicle.reverse.is_some() && node.by != CHANGE {
                let state = query.state(tile, 1 - gear, heading);
                let cost = node.cost + u64::from(vehicle.change);
                self.reach(query, scratch, state, cost, number, CHANGE)?;
            }
            self.take_links(query, scratch, number, node)?;
        }
        for tile in ground.images(tile) {
            let pose = lattice_pose(ground.tile_of(tile), heading, vehicle.headings);
            if !ground.is_single(tile) && is_blocked_at(vehicle, ground, pose) {
                continue;
            }
            let window = ground.window::<W>(tile, vehicle.half);
            let mut rooms = [u32::MAX; MOST_OFFSETS];
            self.room(query, scratch, tile, node.cost, &mut rooms);
            let classes = if gear > 0 { 1 } else { speeds.classes() };
            let travel = vehicle.travel(gear, heading);
            for class in 0..classes {
                let moves = match class {
                    0 => vehicle.moves(gear, travel),
                    _ => vehicle.fast_moves(class, travel),
                };
                let (from, around) = ((tile, gear), (&window, &rooms));
                // No time is less than the length.
                self.free_moves(query, scratch, from, moves, around, |own, scratch, m| {
                    let times = Self::times_of(query, speeds, node.state, square, m.by);
                    for level in 0..speeds.levels().len() as u32 {
                        let Some(time) = times.to(speeds, level) else {
                            continue;
                        };
                        let cost = node.cost + scaled(time, m.cost, m.length);
                        let state = query.state(m.to, level * vehicle.gears() + gear, m.end);
                        own.reach(query, scratch, state, cost, number, m.by)?;
                    }
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    /// Times of the moves of a node: from a level those of the table.
    fn times_of<'t>(
        query: &TurningQuery<'_>,
        speeds: &Speeds<'t>,
        state: u32,
        square: f64,
        by: u32,
    ) -> Times<'t> {
        let (vehicle, number) = (query.vehicle, by as usize);
        let (_, lane, heading) = query.parts_of(state);
        let (gear, level) = (lane % vehicle.gears(), (lane / vehicle.gears()) as usize);
        if level < speeds.levels().len() {
            return Times::Row(speeds.row(number, gear, level));
        }
        let step = vehicle.a_move(number);
        let from = lattice_pose([0; 2], heading, vehicle.headings);
        let end = vehicle.travel(gear, step.to.into());
        let curve = query.move_curve(from, gear, number, end);
        Times::Curve { curve, class: vehicle.class_of(number), gear, square, least: step.length }
    }

    /// Is a state the goal, or does a curve lead from it to the goal?
    fn finish_speeds(
        &mut self,
        query: &TurningQuery<'_>,
        speeds: &Speeds<'_>,
        scratch: &mut TurningScratch<'_>,
        number: u32,
        node: TurningNode,
        tile: u32,
    ) {
        let (vehicle, ground) = (query.vehicle, query.ground);
        let (_, lane, heading) = query.parts_of(node.state);
        let gear = lane % vehicle.gears();
        let square = self.square_of(query, speeds, node.state, node.by);
        if let Some((goal, at)) = self.goal {
            let is_slow = !self.stop || square == 0.0;
            if tile == goal && is_slow && at.is_none_or(|at| at == heading) {
                self.found(node.cost, number, None);
            }
            return;
        }
        let Some(first) = query.exit_of(self.near, tile, gear, heading) else {
            return;
        };
        let pose = lattice_pose(ground.tile_of(tile), heading, vehicle.headings);
        for class in 0..speeds.classes() {
            let exit = scratch.exits.get(first + usize::from(class)).copied().unwrap_or_default();
            if exit.cost == NOWHERE {
                continue;
            }
            let Some((time, length)) =
                self.final_time(query, speeds, pose, (gear, exit.form), square)
            else {
                continue;
            };
            let cost = node.cost + scaled(time, exit.cost, length);
            self.found(cost, number, Some((gear, exit.form)));
        }
    }

    /// Time and length of a curve to the goal, parts.
    fn final_time(
        &self,
        query: &TurningQuery<'_>,
        speeds: &Speeds<'_>,
        pose: Pose,
        (gear, form): (u32, u8),
        square: f64,
    ) -> Option<(u32, u32)> {
        let curve = connect::curve(query.vehicle, pose, &self.target, gear, form)?;
        let time = speeds.units(&curve, form >> 3, gear, square, self.last_square())?;
        let length = parts(curve.length()).max(1);
        Some((time.max(length), length))
    }

    /// Tries the curve of each class from the start to the goal.
    ///
    /// Over levels there may be no room to brake where a curve just has it.
    pub(crate) fn drive_straight_there(&mut self, query: &TurningQuery<'_>, speeds: &Speeds<'_>) {
        for gear in 0..query.vehicle.gears() {
            let most = 4.0 * EXPANSION_RANGE;
            for class in 0..self.classes_at_start(speeds, gear) {
                let free = query.final_curve(self.start, &self.target, class, gear, most);
                let Some((form, cost)) = free else {
                    continue;
                };
                let (curve, square) = ((gear, form), self.start_square);
                let time = self.final_time(query, speeds, self.start, curve, square);
                if let Some((time, length)) = time {
                    self.found(scaled(time, cost, length), NONE, Some(curve));
                }
            }
        }
    }

    /// In how many classes curves leave the start: backwards in one, from rest.
    fn classes_at_start(&self, speeds: &Speeds<'_>, gear: u32) -> u8 {
        match gear {
            0 => speeds.classes(),
            _ if self.start_square == 0.0 => 1,
            _ => 0,
        }
    }

    /// Opens the states at a pose that a free curve from the start leads to.
    pub(crate) fn enter_speeds(
        &mut self,
        query: &TurningQuery<'_>,
        speeds: &Speeds<'_>,
        scratch: &mut TurningScratch<'_>,
        (pose, tile, gear, heading): (Pose, u32, u32, u32),
        most: f64,
    ) -> Result<(), TurningStatus> {
        let to = Target::Pose(pose);
        for class in 0..self.classes_at_start(speeds, gear) {
            let Some((form, cost)) = query.final_curve(self.start, &to, class, gear, most) else {
                continue;
            };
            let by = ENTRY | u32::from(form);
            let levels = speeds.levels().len() as u32;
            let gears = query.vehicle.gears();
            for level in 0..levels {
                let state = query.state(tile, level * gears + gear, heading);
                self.enter_at(query, speeds, scratch, state, by, cost)?;
            }
            // A start in motion is at no level, and none may be in reach.
            if self.start_square > 0.0 {
                for beyond in [0, speeds.classes()] {
                    let level = levels + u32::from(beyond + class);
                    let state = query.state(tile, level * gears + gear, heading);
                    let square = self.square_of(query, speeds, state, by);
                    if speeds.level_of(square).is_none() {
                        self.enter_at(query, speeds, scratch, state, by, cost)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Opens a state that a curve from the start leads to, at its level.
    fn enter_at(
        &mut self,
        query: &TurningQuery<'_>,
        speeds: &Speeds<'_>,
        scratch: &mut TurningScratch<'_>,
        state: u32,
        by: u32,
        cost: u32,
    ) -> Result<(), TurningStatus> {
        let Some((time, length)) = self.entry_time(query, speeds, state, by) else {
            return Ok(());
        };
        self.reach(query, scratch, state, scaled(time, cost, length), NONE, by)
    }

    /// Time and length of a curve from the start to the speed of a state, parts.
    fn entry_time(
        &self,
        query: &TurningQuery<'_>,
        speeds: &Speeds<'_>,
        state: u32,
        by: u32,
    ) -> Option<(u32, u32)> {
        let (curve, class) = self.entry(query, state, by)?;
        let (_, lane, _) = query.parts_of(state);
        let gears = query.vehicle.gears();
        let square = Some(self.square_of(query, speeds, state, by));
        let time = speeds.units(&curve, class, lane % gears, self.start_square, square)?;
        let length = parts(curve.length()).max(1);
        Some((time.max(length), length))
    }

    /// The time of the best path over its levels, without what weights, roads, gears and links add,
    /// parts.
    pub(super) fn time_of_best(
        &self,
        query: &TurningQuery<'_>,
        speeds: &Speeds<'_>,
        scratch: &TurningScratch<'_>,
    ) -> Option<u64> {
        let node_at = |number: u32| scratch.nodes.get(number as usize).copied();
        let mut sum = 0;
        let Some(mut node) = node_at(self.last) else {
            // The curve from the start to the goal.
            let (start, square) = (self.start, self.start_square);
            return Some(
                self.final_time(query, speeds, start, self.final_curve?, square)?.0.into(),
            );
        };
        if let Some(curve) = self.final_curve {
            let pose = query.pose_like(node.state, self.target.place()[1]);
            let square = self.square_of(query, speeds, node.state, node.by);
            sum += u64::from(self.final_time(query, speeds, pose, curve, square)?.0);
        }
        // No chain is longer than that.
        for _ in 0..scratch.nodes.len() {
            let parent = node_at(node.parent);
            let time = match node.by {
                START | CHANGE => 0,
                by if by & ENTRY != 0 => self.entry_time(query, speeds, node.state, by)?.0,
                by if by & LINK != 0 => 0,
                by => {
                    let TurningNode { state, by: before, .. } = parent?;
                    let square = self.square_of(query, speeds, state, before);
                    let level = query.parts_of(node.state).1 / query.vehicle.gears();
                    Self::times_of(query, speeds, state, square, by).to(speeds, level)?
                }
            };
            sum += u64::from(time);
            match parent {
                Some(parent) => node = parent,
                None => break,
            }
        }
        Some(sum)
    }
}
