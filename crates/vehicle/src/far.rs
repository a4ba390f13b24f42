//! How far it is to the goal at least, over free tiles.
//!
//! A flood from the goal towards the start, as far as somebody asks, by steps to the tile beside, to the one at the corner, and to those two or three ahead and one or two
//! aside. Each needs some of the tiles between to be free, either of two sets of them for the longer ones, and costs so little that no edge of the vehicle's is
//! cheaper than a way by steps over the tiles it sweeps. Tables vouch for that edge by edge when they are built; so the sum is a lower bound, and a consistent one.
//! It begins on the goal's tile, or on those that exits lead from, at what they cost.

use crate::ground::Ground;
use crate::open::{Open, OpenScratch, SHIFT, bucket};
use crate::steps::{FLOOD_HALF, NO_STEP, Norm, Steps};

/// No way over free tiles.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Memory of a flood.
#[derive(Debug)]
pub struct FarScratch<'s> {
    /// Cost of each tile, by number.
    pub costs: &'s mut [u32],
    /// A bit a tile: its cost is final.
    pub done: &'s mut [u64],
    /// Tiles to go on from.
    pub open: OpenScratch<'s>,
    /// The tiles that it begins with, and what they cost.
    pub seeds: &'s mut [[u32; 2]],
}

/// Where a flood stands. It goes where the way to the start lies first: costs are final in the order of what they make together with the least that the way
/// from there to the start can cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Far {
    steps: Steps,
    norm: Norm,
    open: Open,
    /// Where it leads to, on the plan.
    to: [i32; 2],
    /// All buckets below are empty for good.
    level: u32,
    /// It has come everywhere.
    over: bool,
    /// It had no memory to go on.
    stuck: bool,
}

impl Far {
    /// One that tells nothing.
    pub(crate) fn idle(steps: Steps) -> Far {
        Far {
            steps,
            norm: Norm::new(steps.costs),
            open: Open::idle(),
            to: [0; 2],
            level: 0,
            over: true,
            stuck: false,
        }
    }

    /// From as many seeds on as there are in the scratch, towards a tile of the plan. `None` when the memory is too small.
    pub(crate) fn begin(
        &mut self,
        ground: &Ground<'_>,
        to: [i32; 2],
        seeds: usize,
        scratch: &mut FarScratch<'_>,
    ) -> Option<()> {
        let many = ground.ids() as usize;
        scratch.costs.get_mut(..many)?.fill(NOWHERE);
        scratch.done.get_mut(..many.div_ceil(64))?.fill(0);
        self.open = Open::new(&mut scratch.open)?;
        self.to = to;
        self.over = false;
        for k in 0..seeds {
            let &[tile, cost] = scratch.seeds.get(k)?;
            let at = ground.plan_tile(tile);
            self.put(tile, at, cost, scratch);
        }
        self.level = self.open.lowest(&mut scratch.open).unwrap_or(0);
        (!self.stuck).then_some(())
    }

    /// The least cost from a tile to the goal's, or where that is more than `limit`, something above `limit` that it is not below.
    #[inline]
    pub(crate) fn cost(
        &mut self,
        ground: &Ground<'_>,
        tile: u32,
        limit: u32,
        scratch: &mut FarScratch<'_>,
    ) -> u32 {
        if is_done(scratch, tile) {
            return scratch.costs.get(tile as usize).copied().unwrap_or(NOWHERE);
        }
        if self.over {
            return NOWHERE;
        }
        self.flood(ground, tile, limit, scratch)
    }

    fn flood(
        &mut self,
        ground: &Ground<'_>,
        tile: u32,
        limit: u32,
        scratch: &mut FarScratch<'_>,
    ) -> u32 {
        let [x, z] = ground.plan_tile(tile);
        let ahead = self.norm.of([x - self.to[0], z - self.to[1]]);
        loop {
            // What is not final makes at least that together.
            let level = u32::try_from(u64::from(self.level) << SHIFT).unwrap_or(NOWHERE - 1);
            let least = level.saturating_sub(ahead);
            if least > limit || self.stuck {
                return least;
            }
            loop {
                let Some(lowest) = self.open.lowest(&mut scratch.open) else {
                    self.over = true;
                    break;
                };
                if lowest > self.level {
                    self.level = lowest;
                    break;
                }
                if let Some(next) = self.open.pop(&mut scratch.open) {
                    self.go_on(ground, next.value, scratch);
                }
            }
            if is_done(scratch, tile) {
                return scratch.costs.get(tile as usize).copied().unwrap_or(NOWHERE);
            }
            if self.over {
                return NOWHERE;
            }
        }
    }

    fn go_on(&mut self, ground: &Ground<'_>, tile: u32, scratch: &mut FarScratch<'_>) {
        let Some(done) = scratch.done.get_mut(tile as usize / 64) else {
            return;
        };
        let bit = 1 << (tile % 64);
        if *done & bit != 0 {
            return;
        }
        *done |= bit;
        let Some(&cost) = scratch.costs.get(tile as usize) else {
            return;
        };
        let stride = ground.stride() as i32;
        let [x, z] = ground.plan_tile(tile);
        for at in ground.images(tile) {
            let [window] = ground.window::<1>(at, FLOOD_HALF as u32);
            for k in 0..self.steps.count {
                let Some(step) = self.steps.all.get(k) else {
                    break;
                };
                if window & step.needs != 0 {
                    continue;
                }
                let [dx, dz] = step.to.map(i32::from);
                let next = at.wrapping_add_signed(dz.wrapping_mul(stride).wrapping_add(dx));
                let more = self.steps.costs.get(usize::from(step.kind)).copied();
                let cost = cost.saturating_add(more.unwrap_or(NO_STEP));
                self.put(ground.home(next), [x + dx, z + dz], cost, scratch);
            }
        }
    }

    /// A way to a tile, which lies there on the plan.
    #[inline]
    fn put(&mut self, tile: u32, [x, z]: [i32; 2], cost: u32, scratch: &mut FarScratch<'_>) {
        let Some(known) = scratch.costs.get_mut(tile as usize) else {
            return;
        };
        if cost >= *known {
            return;
        }
        let before = core::mem::replace(known, cost);
        let ahead = u64::from(self.norm.of([x - self.to[0], z - self.to[1]]));
        let own = bucket(u64::from(cost) + ahead);
        let Some(done) = scratch.done.get_mut(tile as usize / 64) else {
            return;
        };
        let bit = 1 << (tile % 64);
        let waits = before != NOWHERE && *done & bit == 0;
        *done &= !bit;
        if !(waits && bucket(u64::from(before) + ahead) == own) {
            self.stuck |= !self.open.push(&mut scratch.open, own, tile);
        }
    }
}

#[inline]
fn is_done(scratch: &FarScratch<'_>, tile: u32) -> bool {
    let word = scratch.done.get(tile as usize / 64);
    word.is_some_and(|w| w >> (tile % 64) & 1 != 0)
}
