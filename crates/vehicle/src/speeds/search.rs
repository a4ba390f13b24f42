//! The search with speeds: expansion, and both ends.

use crate::connect::{self, Target, is_blocked_at};
use crate::curve::Pose;
use crate::expand::MOST_OFFSETS;
use crate::obstacle::NOWHERE;
use crate::query::{TurningQuery, is_met};
use crate::request::{TurningNode, TurningScratch, TurningStatus};
use crate::search::{CHANGE, ENTRY, LINK, NONE, START, TurningSearch};
use crate::tables::{lattice_pose, parts};

use super::{NEVER, Speeds};

/// A time where a length costs more than itself: by weights, roads, or backwards.
fn scaled(time: u32, cost: u32, length: u32) -> u64 {
    if cost == length {
        return time.into();
    }
    (u64::from(time) * u64::from(cost)).div_ceil(u64::from(length.max(1)))
}

impl TurningSearch {
    /// The square of the speed at a node: at the start it need not be a level.
    fn square_at(&self, query: &TurningQuery<'_>, speeds: &Speeds<'_>, node: &TurningNode) -> f64 {
        if node.by == START {
            return self.start_square;
        }
        let (_, lane, _) = query.parts_of(node.state);
        let level = lane / query.vehicle.gears();
        speeds.levels().get(level as usize).copied().unwrap_or(0.0)
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
        let square = self.square_at(query, speeds, &node);
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
            for class in 0..classes {
                let from = (tile, gear, class, square);
                self.moves_in_class::<W>(
                    query, speeds, scratch, number, node, from, &window, &rooms,
                )?;
            }
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)] // the state of a loop
    fn moves_in_class<const W: usize>(
        &mut self,
        query: &TurningQuery<'_>,
        speeds: &Speeds<'_>,
        scratch: &mut TurningScratch<'_>,
        number: u32,
        node: TurningNode,
        (tile, gear, class, square): (u32, u32, u8, f64),
        window: &[u64; W],
        rooms: &[u32; MOST_OFFSETS],
    ) -> Result<(), TurningStatus> {
        let (vehicle, ground) = (query.vehicle, query.ground);
        let (_, _, heading) = query.parts_of(node.state);
        let travel = vehicle.travel(gear, heading);
        let (first, moves, masks) = match class {
            0 => vehicle.moves(gear, travel),
            _ => vehicle.fast_moves(class, travel),
        };
        let (masks, _) = masks.as_chunks::<W>();
        let roads = query.roads.map(|r| r.around::<W>(ground, tile, vehicle.half));
        let rings = vehicle.view.rings() as i32;
        for (i, (step, mask)) in moves.iter().zip(masks).enumerate() {
            let [x, z] = step.offset.map(i32::from);
            let place = ((z + rings) * (2 * rings + 1) + x + rings) as usize;
            // No time is less than the length.
            if rooms.get(place).is_none_or(|&room| step.length >= room) {
                continue;
            }
            self.tested += 1;
            if is_met(mask, window) {
                continue;
            }
            let to = tile
                .wrapping_add_signed(z.wrapping_mul(ground.stride() as i32))
                .wrapping_add_signed(x);
            let Some(mut cost) = query.move_cost(tile, gear, first + i, step.length) else {
                continue;
            };
            if let Some(roads) = &roads {
                let Some(dearer) = roads.cost([x, z], mask, cost) else {
                    continue;
                };
                cost = dearer;
            }
            let end = vehicle.travel(gear, step.to.into());
            let by = (first + i) as u32; // far below LINK
            for level in 0..speeds.levels().len() as u32 {
                let Some(time) = self.move_time(query, speeds, &node, square, by, level) else {
                    continue;
                };
                let cost = node.cost + scaled(time, cost, step.length);
                let state = query.state(to, level * vehicle.gears() + gear, end);
                self.reach(query, scratch, state, cost, number, by)?;
            }
        }
        Ok(())
    }

    /// The time of a move from a node to a level.
    #[inline]
    fn move_time(
        &self,
        query: &TurningQuery<'_>,
        speeds: &Speeds<'_>,
        node: &TurningNode,
        square: f64,
        by: u32,
        level: u32,
    ) -> Option<u32> {
        let (_, lane, heading) = query.parts_of(node.state);
        let gears = query.vehicle.gears();
        let (gear, own) = (lane % gears, (lane / gears) as usize);
        if speeds.levels().get(own) == Some(&square) {
            let time = speeds.row(by as usize, gear, own).get(level as usize).copied();
            return time.filter(|&time| time != NEVER);
        }
        // From the start with a speed between levels.
        let step = query.vehicle.a_move(by as usize);
        let end = query.vehicle.travel(gear, step.to.into());
        let from = lattice_pose([0; 2], heading, query.vehicle.headings);
        let curve = query.move_curve(from, gear, by as usize, end)?;
        let to = speeds.levels().get(level as usize).copied();
        let class = query.vehicle.class_of(by as usize);
        let units = speeds.units(&curve, class, gear, square, to)?;
        Some(units.max(step.length))
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
        let square = self.square_at(query, speeds, &node);
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
        let classes = match gear {
            0 => speeds.classes(),
            _ if self.start_square == 0.0 => 1,
            _ => 0,
        };
        for class in 0..classes {
            let Some((form, cost)) = query.final_curve(self.start, &to, class, gear, most) else {
                continue;
            };
            for level in 0..speeds.levels().len() as u32 {
                let entry = self.entry_time(query, speeds, &to, (gear, form), level);
                let Some((time, length)) = entry else {
                    continue;
                };
                let state = query.state(tile, level * query.vehicle.gears() + gear, heading);
                let by = ENTRY | u32::from(form);
                self.reach(query, scratch, state, scaled(time, cost, length), NONE, by)?;
            }
        }
        Ok(())
    }

    /// Time and length of a curve from the start to a level, parts.
    fn entry_time(
        &self,
        query: &TurningQuery<'_>,
        speeds: &Speeds<'_>,
        to: &Target,
        (gear, form): (u32, u8),
        level: u32,
    ) -> Option<(u32, u32)> {
        let curve = connect::curve(query.vehicle, self.start, to, gear, form)?;
        let square = *speeds.levels().get(level as usize)?;
        let time = speeds.units(&curve, form >> 3, gear, self.start_square, Some(square))?;
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
        let gears = query.vehicle.gears();
        let node_at = |number: u32| scratch.nodes.get(number as usize).copied();
        let mut node = node_at(self.last)?;
        let mut sum = 0;
        if let Some(curve) = self.final_curve {
            let pose = query.pose_like(node.state, self.target.place()[1]);
            let square = self.square_at(query, speeds, &node);
            sum += u64::from(self.final_time(query, speeds, pose, curve, square)?.0);
        }
        // No chain is longer than that.
        for _ in 0..scratch.nodes.len() {
            let (_, lane, _) = query.parts_of(node.state);
            let (gear, level) = (lane % gears, lane / gears);
            let parent = node_at(node.parent);
            let time = match node.by {
                START | CHANGE => 0,
                by if by & ENTRY != 0 => {
                    let to = Target::Pose(query.pose_like(node.state, self.start.z));
                    let form = (by & 31) as u8;
                    self.entry_time(query, speeds, &to, (gear, form), level)?.0
                }
                by if by & LINK != 0 => 0,
                by => {
                    let parent = parent?;
                    let square = self.square_at(query, speeds, &parent);
                    self.move_time(query, speeds, &parent, square, by, level)?
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
