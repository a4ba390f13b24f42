//! The obstacle heuristic: a lower bound of the cost to the goal over free tiles.
//!
//! A flood fill from the goal towards the start, as far as the search needs it, by steps to the
//! next tile, to the diagonal one, and to those two or three ahead and one or two aside. A step
//! needs some of the tiles between to be free, the longer ones either of two sets, and its cost is
//! low enough that no edge of the vehicle is cheaper than a path of steps over the tiles that the
//! edge sweeps. The builder of the tables checks that edge by edge, so the sum is a lower bound and
//! consistent. The flood begins on the goal's tile, or on those that goal exits leave from, at
//! their costs.

use navbake_format::VehicleView;

use crate::bucket_queue::{BucketQueue, QueueScratch, SHIFT, bucket};
use crate::ground::Ground;
use crate::query::TurningQuery;
use crate::symmetry::Symmetry;

/// No path over free tiles.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Memory of a flood.
#[derive(Debug)]
pub struct ObstacleScratch<'s> {
    /// Cost of each tile, by number.
    pub costs: &'s mut [u32],
    /// A bit a tile: its cost is final.
    pub done: &'s mut [u64],
    /// Tiles to go on from.
    pub open: QueueScratch<'s>,
    /// The tiles that it begins with, and their costs.
    pub seeds: &'s mut [[u32; 2]],
}

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

/// Steps of a flood, of those that are alike by quarter turns and mirror images one.
pub const FLOOD_STEPS: [[i32; 2]; KINDS] = [[1, 0], [1, 1], [2, 1], [3, 1], [3, 2]];
/// The kind of each set of tiles that a step may need: of those of one kind either will do.
pub const FLOOD_SETS: [usize; 8] = [0, 1, 2, 2, 3, 3, 4, 4];
/// Tiles around one that steps may need, columns and rows to each side.
pub(crate) const FLOOD_HALF: i32 = 3;
/// How many there are.
const KINDS: usize = 5;
/// With all that are alike.
const STEPS: usize = 64;
/// Costs of steps that a vehicle has not.
pub(crate) const NO_STEP: u32 = u32::MAX;

/// The bit of a tile relative to the tile where a step begins; 0 where it is too far.
pub fn flood_bit([x, z]: [i32; 2]) -> u64 {
    let side = 2 * FLOOD_HALF + 1;
    let inside = x.abs() <= FLOOD_HALF && z.abs() <= FLOOD_HALF;
    u64::from(inside) << (inside as i32 * ((z + FLOOD_HALF) * side + x + FLOOD_HALF))
}

/// A step outwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Step {
    /// The tiles that have to be free.
    pub(crate) needs: u64,
    pub(crate) to: [i8; 2],
    pub(crate) kind: u8,
}

/// The steps of a vehicle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    pub(crate) all: [Step; STEPS],
    pub(crate) count: usize,
    pub(crate) costs: [u32; KINDS],
}

impl Steps {
    pub(crate) fn new(view: &VehicleView<'_>) -> Steps {
        let costs = view.flood_costs();
        let mut steps = Steps { all: [Step::default(); STEPS], count: 0, costs };
        for (set, kind) in FLOOD_SETS.into_iter().enumerate() {
            let Some(&offset) = FLOOD_STEPS.get(kind) else {
                continue;
            };
            if costs.get(kind).is_none_or(|&cost| cost == NO_STEP) {
                continue;
            }
            for symmetry in Symmetry::all() {
                let step = Step {
                    needs: turned(view.flood_needs(set), symmetry),
                    to: symmetry.offset(offset).map(|o| o as i8), // of at most 3
                    kind: kind as u8,                             // below 5
                };
                let before = steps.all.get(..steps.count).unwrap_or_default();
                if before.contains(&step) {
                    continue;
                }
                if let Some(place) = steps.all.get_mut(steps.count) {
                    *place = step;
                    steps.count += 1;
                }
            }
        }
        steps
    }
}

/// Tiles turned and mirrored.
fn turned(tiles: u64, by: Symmetry) -> u64 {
    let mut all = 0;
    for z in -FLOOD_HALF..=FLOOD_HALF {
        for x in -FLOOD_HALF..=FLOOD_HALF {
            if tiles & flood_bit([x, z]) != 0 {
                all |= flood_bit(by.offset([x, z]));
            }
        }
    }
    all
}

/// A lower bound over open ground: the greatest of some sums of columns and rows, each no more than
/// any step's cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Norm {
    sums: [[i64; 2]; KINDS],
    count: usize,
}

impl Norm {
    pub(crate) fn new(costs: [u32; KINDS]) -> Norm {
        let mut norm = Norm { sums: [[0; 2]; KINDS], count: 0 };
        // By direction, from straight ahead to the corner.
        let order = [0, 3, 2, 4, 1];
        let kinds = || {
            let all =
                order.into_iter().filter_map(|k| Some((*FLOOD_STEPS.get(k)?, *costs.get(k)?)));
            all.filter(|&(_, cost)| cost != NO_STEP)
                .map(|(step, cost)| (step.map(i64::from), i64::from(cost)))
        };
        for ((a, first), (b, second)) in kinds().zip(kinds().skip(1)) {
            // Whole numbers where the two span all tiles between them.
            if a[0] * b[1] - a[1] * b[0] != 1 {
                continue;
            }
            let sum = [first * b[1] - second * a[1], second * a[0] - first * b[0]];
            let is_below = kinds().all(|(step, cost)| sum[0] * step[0] + sum[1] * step[1] <= cost);
            if is_below
                && sum[0] >= sum[1]
                && sum[1] >= 0
                && let Some(place) = norm.sums.get_mut(norm.count)
            {
                *place = sum;
                norm.count += 1;
            }
        }
        norm
    }

    /// The bound for this many columns and rows.
    #[inline]
    pub(crate) fn of(&self, [x, z]: [i32; 2]) -> u32 {
        let [x, z] = [x, z].map(|v| i64::from(v.unsigned_abs()));
        let (long, short) = (x.max(z), x.min(z));
        let sums = self.sums.get(..self.count).unwrap_or_default();
        let most = sums.iter().map(|s| s[0] * long + s[1] * short).max();
        u32::try_from(most.unwrap_or(0)).unwrap_or(NO_STEP - 1)
    }
}
