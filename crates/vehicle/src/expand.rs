//! Expansion of a state: the moves that are free and can be part of a cheaper path.
//!
//! Once some path is known, a move is tried only where the cost up to now, the move and the
//! obstacle heuristic from its end are below that path's cost. The greatest length that a move may
//! have is computed once for each tile around, and longer moves are not tested for hits at all.

use crate::backward::{AFTER, BackwardSearch, EVERY};
use crate::connect::is_blocked_at;
use crate::lattice::lattice_pose;
use crate::query::{TurningQuery, is_met};
use crate::request::{CHANGE, LINK, TurningNode, TurningScratch, TurningStatus};
use crate::search::{FREE, TurningSearch};
use crate::tables::Move;

/// Offsets within 15 rings, the most that a file holds.
pub(crate) const MOST_OFFSETS: usize = 961;

/// A move that hits nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FreeMove {
    /// The tile and the heading that it leads to.
    pub(crate) to: u32,
    pub(crate) end: u32,
    /// Its number.
    pub(crate) by: u32,
    /// What its length costs.
    pub(crate) cost: u32,
    pub(crate) length: u32,
}

impl TurningSearch {
    /// Expands a state, and looks whether anything leads to the goal where none has been found for
    /// long.
    pub(crate) fn go_on<const W: usize>(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        number: u32,
        node: TurningNode,
    ) -> Result<(), TurningStatus> {
        if let Some(speeds) = &query.vehicle.speeds {
            return self.expand_speeds::<W>(query, speeds, scratch, number, node);
        }
        self.expand::<W>(query, scratch, number, node)?;
        let is_due = self.expanded >= AFTER && self.expanded.is_multiple_of(EVERY);
        if self.best < u64::MAX || !is_due || !self.is_guided {
            return Ok(());
        }
        let TurningScratch { slots, been, backward, exits, .. } = scratch;
        if self.backward == BackwardSearch::Idle {
            self.backward.begin(query, self.goal, self.near, exits, backward);
        }
        let known = |state: u32| {
            let (tile, _, _) = query.parts_of(state);
            let is_ready = been.get(tile as usize / 64).is_some_and(|w| w >> (tile % 64) & 1 != 0);
            is_ready && slots.get(state as usize).is_some_and(|&slot| slot != FREE)
        };
        if self.backward.is_closed::<W>(query, backward, known) {
            return Err(TurningStatus::Unreachable);
        }
        Ok(())
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
        self.take_links(query, scratch, number, node)?;
        for tile in ground.images(tile) {
            // Masks leave out the tiles of the first pose, which were tested on one layer only.
            let pose = lattice_pose(ground.tile_of(tile), heading, vehicle.headings);
            if !ground.is_single(tile) && is_blocked_at(vehicle, ground, pose) {
                continue;
            }
            self.moves_from::<W>(query, scratch, number, node, tile)?;
        }
        Ok(())
    }

    /// Opens where links lead to from a state.
    pub(crate) fn take_links(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        number: u32,
        node: TurningNode,
    ) -> Result<(), TurningStatus> {
        let (vehicle, ground, links) = (query.vehicle, query.ground, query.filter.links);
        let (tile, lane, heading) = query.parts_of(node.state);
        for place in query.filter.links_from(tile) {
            let Some(link) = links.get(place) else {
                continue;
            };
            let is_free = |tile| {
                let pose = lattice_pose(ground.tile_of(tile), heading, vehicle.headings);
                !ground.is_set(tile) && !is_blocked_at(vehicle, ground, pose)
            };
            if ground.images(link.to).any(is_free) {
                self.prepare(query, scratch, link.to);
                let state = query.state(link.to, lane, heading);
                let by = LINK | place as u32; // below 2^30
                self.reach(query, scratch, state, node.cost + link.cost, number, by)?;
            }
        }
        Ok(())
    }

    /// Opens where moves lead to from a tile of a state: one of those that are the same place.
    ///
    /// The loop of `free_moves` again: through that, searches take 0.9 % more instructions.
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
        let (masks, _) = masks.as_chunks::<W>();
        let roads = query.roads.map(|r| r.around::<W>(ground, tile, vehicle.half));
        let mut rooms = [u32::MAX; MOST_OFFSETS];
        self.room(query, scratch, tile, node.cost, &mut rooms);
        let rings = vehicle.view.rings() as i32;
        let side = 2 * rings + 1;
        for (i, (step, mask)) in moves.iter().zip(masks).enumerate() {
            let [x, z] = step.offset.map(i32::from);
            let place = ((z + rings) * side + x + rings) as usize;
            if rooms.get(place).is_none_or(|&room| step.length >= room) {
                continue;
            }
            self.tested += 1;
            if is_met(mask, &window) {
                continue;
            }
            let to = tile
                .wrapping_add_signed(z.wrapping_mul(ground.stride() as i32))
                .wrapping_add_signed(x);
            let end = vehicle.travel(gear, step.to.into());
            let Some(mut cost) = query.move_cost(tile, gear, first + i, step.length) else {
                continue;
            };
            if let Some(roads) = &roads {
                let Some(scaled) = roads.cost([x, z], mask, cost) else {
                    continue;
                };
                cost = scaled;
            }
            let cost = node.cost + u64::from(cost);
            let by = (first + i) as u32; // far below LINK
            self.reach(query, scratch, query.state(to, gear, end), cost, number, by)?;
        }
        Ok(())
    }

    /// Takes the moves of a list that are free and short enough, in order.
    #[inline]
    pub(crate) fn free_moves<const W: usize>(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        (tile, gear): (u32, u32),
        (first, moves, masks): (usize, &[Move], &[u64]),
        (window, rooms): (&[u64; W], &[u32; MOST_OFFSETS]),
        mut take: impl FnMut(&mut Self, &mut TurningScratch<'_>, FreeMove) -> Result<(), TurningStatus>,
    ) -> Result<(), TurningStatus> {
        let (vehicle, ground) = (query.vehicle, query.ground);
        let (masks, _) = masks.as_chunks::<W>();
        let roads = query.roads.map(|r| r.around::<W>(ground, tile, vehicle.half));
        let rings = vehicle.view.rings() as i32;
        let side = 2 * rings + 1;
        for (i, (step, mask)) in moves.iter().zip(masks).enumerate() {
            let [x, z] = step.offset.map(i32::from);
            let place = ((z + rings) * side + x + rings) as usize;
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
            let end = vehicle.travel(gear, step.to.into());
            let Some(mut cost) = query.move_cost(tile, gear, first + i, step.length) else {
                continue;
            };
            if let Some(roads) = &roads {
                let Some(scaled) = roads.cost([x, z], mask, cost) else {
                    continue;
                };
                cost = scaled;
            }
            let by = (first + i) as u32; // far below LINK
            take(self, scratch, FreeMove { to, end, by, cost, length: step.length })?;
        }
        Ok(())
    }

    /// The length below which moves to each tile within the rings can be part of a cheaper path.
    ///
    /// Makes those tiles ready.
    pub(crate) fn room(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        tile: u32,
        cost: u64,
        rooms: &mut [u32; MOST_OFFSETS],
    ) {
        let ground = query.ground;
        let rings = query.vehicle.view.rings() as i32;
        let filter = &query.filter;
        let limit = filter.length_for(self.limit(cost));
        let is_bound = self.is_guided && self.best < u64::MAX;
        let mut rooms = rooms.iter_mut();
        for z in -rings..=rings {
            let row = tile.wrapping_add_signed(z.wrapping_mul(ground.stride() as i32));
            for (x, room) in (-rings..=rings).zip(&mut rooms) {
                let to = row.wrapping_add_signed(x);
                *room = if ground.is_set(to) {
                    0
                } else if !is_bound {
                    self.prepare(query, scratch, to);
                    u32::MAX
                } else {
                    self.prepare(query, scratch, to);
                    let home = ground.home(to);
                    let flood = self.obstacle.cost(query, home, limit, &mut scratch.obstacle);
                    limit.saturating_sub(flood)
                };
            }
        }
    }
}
