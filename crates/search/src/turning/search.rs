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
use super::links::{Target, free_curve, stands_in};
use super::open::{self, TurningOpen};
use super::query::TurningQuery;
use super::request::{TurningAnswer, TurningNode, TurningScratch, TurningStatus};
use super::smooth::smooth;
use super::tables::lattice_pose;
use crate::math::sqrt;

/// No node.
pub(super) const NONE: u32 = u32::MAX;
/// How a node was reached, beside moves: it is the start; a change of gear; a free curve from the start, by its form.
pub(super) const START: u32 = u32::MAX;
pub(super) const CHANGE: u32 = u32::MAX - 1;
pub(super) const ENTRY: u32 = 1 << 31;
/// Farthest that shots go, tiles.
pub(super) const SHOT: f64 = 24.0;
/// A search ends that opens states again so often that its tables cannot be sound.
const MOST_TIMES: u64 = 64;

/// A search under way. Its nodes lie in the scratch that it began with.
#[derive(Clone, Copy, Debug)]
pub struct TurningSearch {
    pub(super) status: TurningStatus,
    pub(super) start: Pose,
    pub(super) target: Target,
    /// The goal as a state of the lattice: its tile, and its heading.
    pub(super) goal: Option<(u32, Option<u32>)>,
    /// The tile, and the heading, that estimates are for, and what an exit can be shorter by than the table and the flood say.
    pub(super) near: u32,
    pub(super) near_heading: Option<u32>,
    pub(super) off: [u32; 2],
    pub(super) is_guided: bool,
    /// In parts of 256.
    pub(super) weight: u64,
    pub(super) shots: bool,
    pub(super) smooth: bool,
    pub(super) far: Far,
    pub(super) used: usize,
    pub(super) open_len: usize,
    /// The best way to the goal so far: its cost, the node that it leaves from, and the gear and form of the curve; no curve where the node is the goal.
    pub(super) best: u64,
    pub(super) last: u32,
    pub(super) shot: Option<(u32, u8)>,
    pub(super) bound: u64,
    pub(super) expanded: u64,
    pub(super) tested: u64,
    pub(super) max_open: usize,
    pub(super) next_shot: u64,
}

impl TurningSearch {
    /// How it stands.
    pub fn status(&self) -> TurningStatus {
        self.status
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
        let at = ground.plan_tile(tile);
        let to = ground.plan_tile(self.near);
        let open = match query.told(at, gear, heading, to, self.near_heading) {
            // Not even over open ground.
            Some(VehicleView::NO_WAY) if self.goal.is_some() => return NOWHERE,
            Some(VehicleView::NO_WAY) => 0,
            Some(told) => told.saturating_sub(self.off[0]),
            None => {
                let place = ground.plan_place(self.target.place());
                let (x, z) = (f64::from(at[0]) - place[0], f64::from(at[1]) - place[1]);
                (sqrt(x * x + z * z) * f64::from(VehicleView::UNITS)) as u32
            }
        };
        open.max(flood)
    }

    /// A way to a state.
    #[inline]
    pub(super) fn reach(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        state: u32,
        cost: u64,
        parent: u32,
        by: u32,
    ) -> Result<(), TurningStatus> {
        let out = TurningStatus::OutOfNodes;
        let state = query.home(state);
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
        for tile in ground.images(tile) {
            self.finish(query, scratch, number, node, tile);
        }
        if vehicle.reverse.is_some() && node.by != CHANGE {
            let state = query.state(tile, 1 - gear, heading);
            let cost = node.cost + u64::from(vehicle.change);
            self.reach(query, scratch, state, cost, number, CHANGE)?;
        }
        for tile in ground.images(tile) {
            // Masks leave out what a vehicle stands on, which was tested on one sheet only.
            let pose = lattice_pose(ground.tile_of(tile), heading, vehicle.headings);
            if !ground.is_single(tile) && stands_in(vehicle, ground, pose) {
                continue;
            }
            self.moves_from::<W>(query, scratch, number, node, tile)?;
        }
        Ok(())
    }

    /// Opens where moves lead to from a tile of a state: one of those that are the same place.
    #[inline]
    fn moves_from<const W: usize>(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        number: u32,
        node: TurningNode,
        tile: u32,
    ) -> Result<(), TurningStatus> {
        let (vehicle, ground) = (query.vehicle, query.ground);
        let (_, gear, heading) = query.parts_of(node.state);
        let window = ground.window::<W>(tile, vehicle.half);
        let (first, moves, masks) = vehicle.moves(gear, vehicle.travel(gear, heading));
        let roads = query
            .roads
            .map(|r| r.around::<W>(ground, tile, vehicle.half));
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
            let mut cost = vehicle.cost(gear, step.length);
            if let Some(roads) = &roads {
                let Some(tolled) = roads.cost([x, z], mask, cost) else {
                    continue;
                };
                cost = tolled;
            }
            let cost = node.cost + u64::from(cost);
            let by = (first + i) as u32; // far below 2^31
            self.reach(query, scratch, query.state(to, gear, end), cost, number, by)?;
        }
        Ok(())
    }

    /// Is a state the goal, or is there a way from it? `tile` is one of those that are its place.
    fn finish(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        number: u32,
        node: TurningNode,
        tile: u32,
    ) {
        let (vehicle, ground) = (query.vehicle, query.ground);
        let (_, gear, heading) = query.parts_of(node.state);
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
        let [x, z] = self.target.place();
        let same = ground.is_one_sheet(tile, z);
        if self.shots && self.expanded >= self.next_shot && same {
            let pose = lattice_pose(ground.tile_of(tile), heading, vehicle.headings);
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
        let pieces = scratch.pieces.get_mut(..count).unwrap_or_default();
        for piece in pieces.iter_mut() {
            piece.sheet = query.ground.sheet_of(piece.from.z) as u32; // below 2^26
            piece.from = query.ground.plan_pose(piece.from);
        }
        answer.pieces = pieces;
        answer.length = tile * answer.pieces.iter().map(|p| p.segment.length).sum::<f64>();
        answer.cost = metres(self.best) - saved * tile;
        answer.bound = metres(self.bound.min(self.best)).min(answer.cost);
        answer.end = query.ground.plan_pose(end);
        answer
    }
}
