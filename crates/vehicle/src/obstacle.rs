//! The obstacle heuristic: a lower bound of the cost to the goal over free tiles.
//!
//! A flood fill from the goal towards the start, as far as the search needs it, by steps to the
//! next tile, to the diagonal one, and to those two or three ahead and one or two aside. A step
//! needs some of the tiles between to be free, the longer ones either of two sets, and its cost is
//! low enough that no edge of the vehicle is cheaper than a path of steps over the tiles that the
//! edge sweeps. The builder of the tables checks that edge by edge, so the sum is a lower bound and
//! consistent. The flood begins on the goal's tile, or on those that goal exits leave from, at
//! their costs.

use crate::bucket_queue::{BucketQueue, SHIFT, bucket};
use crate::flood_steps::{FLOOD_HALF, KINDS, NO_STEP, NOWHERE, Norm, Steps};
use crate::ground::Ground;
use crate::query::TurningQuery;
use crate::request::ObstacleScratch;

/// The state of the flood fill.
///
/// It goes towards the start first: costs become final in the order of cost plus lower bound to the
/// start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObstacleHeuristic {
    steps: Steps,
    norm: Norm,
    open: BucketQueue,
    /// Where it leads to, on the plan.
    to: [i32; 2],
    /// All buckets below are empty for good.
    level: u32,
    /// It has come everywhere.
    over: bool,
    /// It had no memory to go on.
    stuck: bool,
}

impl ObstacleHeuristic {
    /// One that estimates nothing.
    pub(crate) fn idle(steps: Steps) -> ObstacleHeuristic {
        ObstacleHeuristic {
            steps,
            norm: Norm::new(steps.costs),
            open: BucketQueue::idle(),
            to: [0; 2],
            level: 0,
            over: true,
            stuck: false,
        }
    }

    /// From as many seeds on as there are in the scratch, towards a tile of the plan. `None` when
    /// the memory is too small.
    pub(crate) fn begin(
        &mut self,
        query: &TurningQuery<'_>,
        to: [i32; 2],
        seeds: usize,
        scratch: &mut ObstacleScratch<'_>,
    ) -> Option<()> {
        let ground = query.ground;
        if !query.filter.links.is_empty() {
            // Whatever is near the goal may be near the start by a link.
            self.norm = Norm::new([NO_STEP; KINDS]);
        }
        let many = ground.slots();
        scratch.costs.get_mut(..many)?.fill(NOWHERE);
        scratch.done.get_mut(..many.div_ceil(64))?.fill(0);
        self.open = BucketQueue::new(&mut scratch.open)?;
        self.to = to;
        self.over = false;
        for k in 0..seeds {
            let &[tile, cost] = scratch.seeds.get(k)?;
            let at = ground.plan_tile(tile);
            self.put(ground, tile, at, cost, scratch);
        }
        self.level = self.open.lowest(&mut scratch.open).unwrap_or(0);
        (!self.stuck).then_some(())
    }

    /// The least cost from a tile to the goal's, or where that is more than `limit`, something
    /// above `limit` that it is not below.
    #[inline]
    pub(crate) fn cost(
        &mut self,
        query: &TurningQuery<'_>,
        tile: u32,
        limit: u32,
        scratch: &mut ObstacleScratch<'_>,
    ) -> u32 {
        let slot = query.ground.slot(tile);
        if is_done(scratch, slot) {
            return scratch.costs.get(slot as usize).copied().unwrap_or(NOWHERE);
        }
        if self.over {
            return NOWHERE;
        }
        self.flood(query, tile, limit, scratch)
    }

    fn flood(
        &mut self,
        query: &TurningQuery<'_>,
        tile: u32,
        limit: u32,
        scratch: &mut ObstacleScratch<'_>,
    ) -> u32 {
        let ground = query.ground;
        let slot = ground.slot(tile);
        let [x, z] = ground.plan_tile(tile);
        let ahead = self.norm.of([x - self.to[0], z - self.to[1]]);
        loop {
            // A tile that is not final has at least this total.
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
                    self.go_on(query, next.value, scratch);
                }
            }
            if is_done(scratch, slot) {
                return scratch.costs.get(slot as usize).copied().unwrap_or(NOWHERE);
            }
            if self.over {
                return NOWHERE;
            }
        }
    }

    fn go_on(&mut self, query: &TurningQuery<'_>, tile: u32, scratch: &mut ObstacleScratch<'_>) {
        let ground = query.ground;
        let slot = ground.slot(tile);
        let Some(done) = scratch.done.get_mut(slot as usize / 64) else {
            return;
        };
        let bit = 1 << (slot % 64);
        if *done & bit != 0 {
            return;
        }
        *done |= bit;
        let Some(&cost) = scratch.costs.get(slot as usize) else {
            return;
        };
        for link in query.filter.links_to(tile) {
            let cost = cost.saturating_add(query.filter.length_below(link.cost));
            self.put(ground, link.from, ground.plan_tile(link.from), cost, scratch);
        }
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
                self.put(ground, ground.home(next), [x + dx, z + dz], cost, scratch);
            }
        }
    }

    /// A path to a tile, which is there on the plan.
    #[inline]
    fn put(
        &mut self,
        ground: &Ground<'_>,
        tile: u32,
        [x, z]: [i32; 2],
        cost: u32,
        scratch: &mut ObstacleScratch<'_>,
    ) {
        let slot = ground.slot(tile);
        let Some(known) = scratch.costs.get_mut(slot as usize) else {
            return;
        };
        if cost >= *known {
            return;
        }
        let before = core::mem::replace(known, cost);
        let ahead = u64::from(self.norm.of([x - self.to[0], z - self.to[1]]));
        let own = bucket(u64::from(cost) + ahead);
        let Some(done) = scratch.done.get_mut(slot as usize / 64) else {
            return;
        };
        let bit = 1 << (slot % 64);
        let waits = before != NOWHERE && *done & bit == 0;
        *done &= !bit;
        if !(waits && bucket(u64::from(before) + ahead) == own) {
            self.stuck |= !self.open.push(&mut scratch.open, own, tile);
        }
    }
}

#[inline]
fn is_done(scratch: &ObstacleScratch<'_>, slot: u32) -> bool {
    let word = scratch.done.get(slot as usize / 64);
    word.is_some_and(|w| w >> (slot % 64) & 1 != 0)
}
