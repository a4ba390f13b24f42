//! How far it is to the goal at least, over free tiles.
//!
//! A flood outwards from the goal, as far as somebody asks, by steps to the tile beside, to the one at the corner, and to those two or three ahead and one or two
//! aside. A step is taken where all the tiles are free that every edge of its offset sweeps, and costs so little that no edge of the vehicle's is
//! cheaper than the way by steps over the tiles it sweeps, which the tables vouch for; so the sum is a lower bound, and a consistent one.
//! With five lengths of steps five queues do for a heap: what is put into each costs ever more. A sixth holds where the flood begins: the goal's tile,
//! or those that exits lead from, at what they cost.

use super::ground::Ground;
use super::symmetry::Symmetry;
use navbake_format::VehicleView;

/// No way over free tiles.
pub(super) const NOWHERE: u32 = u32::MAX;
/// Steps of a flood, of those that are alike by quarter turns and mirror images one.
pub const FLOOD_STEPS: [[i32; 2]; KINDS] = [[1, 0], [1, 1], [2, 1], [3, 1], [3, 2]];
/// Tiles around one that steps may ask to be free, columns and rows each way.
pub const FLOOD_HALF: i32 = 3;
/// How many there are.
const KINDS: usize = 5;
/// With all that are alike.
const STEPS: usize = 32;
/// Costs of steps that a vehicle has not.
const NO_STEP: u32 = u32::MAX;

/// The bit of a tile around the one that a step begins on; 0 where it is too far.
pub fn flood_bit([x, z]: [i32; 2]) -> u64 {
    let side = 2 * FLOOD_HALF + 1;
    let inside = x.abs() <= FLOOD_HALF && z.abs() <= FLOOD_HALF;
    u64::from(inside) << (inside as i32 * ((z + FLOOD_HALF) * side + x + FLOOD_HALF))
}

/// A step outwards.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    /// The tiles that have to be free.
    needs: u64,
    to: [i8; 2],
    kind: u8,
}

/// The steps of a vehicle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    all: [Step; STEPS],
    count: usize,
    costs: [u32; KINDS],
}

impl Steps {
    pub(super) fn new(view: &VehicleView<'_>) -> Steps {
        let costs = view.flood_costs();
        let mut steps = Steps {
            all: [Step::default(); STEPS],
            count: 0,
            costs,
        };
        for (kind, offset) in FLOOD_STEPS.into_iter().enumerate() {
            if costs.get(kind).is_none_or(|&cost| cost == NO_STEP) {
                continue;
            }
            let first = steps.count;
            for symmetry in Symmetry::all() {
                let to = symmetry.offset(offset).map(|o| o as i8); // of at most 3
                let before = steps.all.get(first..steps.count).unwrap_or_default();
                if before.iter().any(|step| step.to == to) {
                    continue;
                }
                if let Some(step) = steps.all.get_mut(steps.count) {
                    *step = Step {
                        needs: turned(view.flood_needs(kind), symmetry),
                        to,
                        kind: kind as u8, // below 5
                    };
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

/// Memory of a flood.
#[derive(Debug)]
pub struct FarScratch<'s> {
    /// Cost of each tile, by number.
    pub costs: &'s mut [u32],
    /// Queues of tiles with their costs, one for each kind of step.
    pub queues: [&'s mut [[u32; 2]]; KINDS],
    /// The tiles that it begins with, and what they cost.
    pub seeds: &'s mut [[u32; 2]],
}

/// Where a flood stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Far {
    steps: Steps,
    /// Heads and ends of the queues.
    heads: [usize; KINDS],
    ends: [usize; KINDS],
    seeds: [usize; 2],
    /// All costs up to this are final.
    level: u32,
    over: bool,
}

impl Far {
    /// One that tells nothing.
    pub(super) fn idle(steps: Steps) -> Far {
        Far {
            steps,
            heads: [0; KINDS],
            ends: [0; KINDS],
            seeds: [0; 2],
            level: 0,
            over: true,
        }
    }

    /// From as many seeds on as there are in the scratch. `None` when the memory is too small.
    pub(super) fn begin(
        &mut self,
        ground: &Ground<'_>,
        seeds: usize,
        scratch: &mut FarScratch<'_>,
    ) -> Option<()> {
        let many = ground.ids() as usize;
        let costs = scratch.costs.get_mut(..many)?;
        if scratch.queues.iter().any(|q| q.len() < many) {
            return None;
        }
        costs.fill(NOWHERE);
        let own = scratch.seeds.get_mut(..seeds)?;
        own.sort_unstable_by_key(|&[tile, cost]| (cost, tile));
        for &mut [tile, cost] in own {
            let known = costs.get_mut(tile as usize)?;
            *known = cost.min(*known);
        }
        *self = Far {
            seeds: [0, seeds],
            over: false,
            ..Far::idle(self.steps)
        };
        Some(())
    }

    /// The least cost from a tile to the goal's, or where that is more than `limit`, something above `limit` that it is not below.
    #[inline]
    pub(super) fn cost(
        &mut self,
        ground: &Ground<'_>,
        tile: u32,
        limit: u32,
        scratch: &mut FarScratch<'_>,
    ) -> u32 {
        let known = scratch.costs.get(tile as usize).copied();
        match known {
            Some(cost) if cost <= self.level || self.over => cost,
            None => NOWHERE,
            _ if self.level > limit => self.level,
            _ => self.flood(ground, tile, limit, scratch),
        }
    }

    fn flood(
        &mut self,
        ground: &Ground<'_>,
        tile: u32,
        limit: u32,
        scratch: &mut FarScratch<'_>,
    ) -> u32 {
        let stride = ground.stride() as i32;
        loop {
            let Some(([at, cost], queue)) = self.next(scratch) else {
                self.over = true;
                break;
            };
            self.level = cost;
            if cost > limit {
                break;
            }
            match queue {
                Some(kind) => self.heads[kind] += 1,
                None => self.seeds[0] += 1,
            }
            if scratch.costs.get(at as usize).is_none_or(|&c| c < cost) {
                continue;
            }
            for at in ground.images(at) {
                let [window] = ground.window::<1>(at, FLOOD_HALF as u32);
                let steps = self.steps.all.get(..self.steps.count).unwrap_or_default();
                for step in steps {
                    if window & step.needs == 0 {
                        let [x, z] = step.to.map(i32::from);
                        let to = at.wrapping_add_signed(z.wrapping_mul(stride).wrapping_add(x));
                        let kind = usize::from(step.kind);
                        let cost = cost.saturating_add(self.steps.costs[kind]);
                        put(&mut self.ends, kind, ground.home(to), cost, scratch);
                    }
                }
            }
            if scratch.costs.get(tile as usize).is_some_and(|&c| c <= cost) {
                break;
            }
        }
        let cost = scratch.costs.get(tile as usize).copied().unwrap_or(NOWHERE);
        if self.over {
            cost
        } else {
            cost.min(self.level)
        }
    }

    /// The tile that is next, with its cost, and the kind of its queue; no kind for a seed.
    #[inline]
    fn next(&self, scratch: &FarScratch<'_>) -> Option<([u32; 2], Option<usize>)> {
        let [first, end] = self.seeds;
        let seed = scratch.seeds.get(first).filter(|_| first < end);
        let mut next = seed.map(|&seed| (seed, None));
        for (kind, queue) in scratch.queues.iter().enumerate() {
            if self.heads[kind] < self.ends[kind]
                && let Some(&one) = queue.get(self.heads[kind])
                && next.is_none_or(|(best, _)| one[1] < best[1])
            {
                next = Some((one, Some(kind)));
            }
        }
        next
    }
}

#[inline]
fn put(ends: &mut [usize; KINDS], kind: usize, tile: u32, cost: u32, scratch: &mut FarScratch<'_>) {
    if let Some(known) = scratch.costs.get_mut(tile as usize)
        && cost < *known
        && let Some(end) = ends.get_mut(kind)
        && let Some(place) = scratch.queues.get_mut(kind).and_then(|q| q.get_mut(*end))
    {
        *known = cost;
        *place = [tile, cost];
        *end += 1;
    }
}
