//! How far it is to the goal at least, over free tiles.
//!
//! A flood from the goal's tile to the eight neighbours of free tiles, as far as somebody asks. A step costs so little that no edge of the vehicle's is
//! cheaper than the way over the tiles it touches, which the tables vouch for; so the sum is a lower bound, and a consistent one.
//! With two lengths of steps two queues do for a heap: what is put into each costs ever more.

use super::ground::Ground;

/// No way over free tiles.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Memory of a flood.
#[derive(Debug)]
pub struct FarScratch<'s> {
    /// Cost of each tile, by number.
    pub costs: &'s mut [u32],
    /// Two queues of tiles with their costs.
    pub queues: [&'s mut [[u32; 2]]; 2],
}

/// Where a flood stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Far {
    steps: [u32; 2],
    /// Heads and ends of the queues.
    heads: [usize; 2],
    ends: [usize; 2],
    /// All costs up to this are final.
    level: u32,
    over: bool,
}

impl Far {
    /// From a tile on, with steps of these costs. `None` when the memory is too small.
    pub(super) fn begin(
        ground: &Ground<'_>,
        from: u32,
        steps: [u32; 2],
        scratch: &mut FarScratch<'_>,
    ) -> Option<Far> {
        let many = ground.ids() as usize;
        let costs = scratch.costs.get_mut(..many)?;
        if scratch.queues.iter().any(|q| q.len() < many) {
            return None;
        }
        costs.fill(NOWHERE);
        *costs.get_mut(from as usize)? = 0;
        *scratch.queues[0].first_mut()? = [from, 0];
        Some(Far {
            steps,
            ends: [1, 0],
            ..Far::default()
        })
    }

    /// The least cost from a tile to the goal's.
    #[inline]
    pub(super) fn cost(
        &mut self,
        ground: &Ground<'_>,
        tile: u32,
        scratch: &mut FarScratch<'_>,
    ) -> u32 {
        let known = scratch.costs.get(tile as usize).copied();
        match known {
            Some(cost) if cost <= self.level || self.over => cost,
            None => NOWHERE,
            _ => self.flood(ground, tile, scratch),
        }
    }

    fn flood(&mut self, ground: &Ground<'_>, tile: u32, scratch: &mut FarScratch<'_>) -> u32 {
        let stride = ground.stride();
        let beside = [1, stride, 1u32.wrapping_neg(), stride.wrapping_neg()];
        let corner = [
            stride.wrapping_add(1),
            stride.wrapping_sub(1),
            stride.wrapping_add(1).wrapping_neg(),
            stride.wrapping_sub(1).wrapping_neg(),
        ];
        let FarScratch { costs, queues } = scratch;
        loop {
            let head = |k: usize| {
                let queue: &[[u32; 2]] = queues[k];
                (self.heads[k] < self.ends[k]).then(|| queue[self.heads[k]])
            };
            let (k, [at, cost]) = match (head(0), head(1)) {
                (None, None) => {
                    self.over = true;
                    break;
                }
                (Some(a), None) => (0, a),
                (None, Some(b)) => (1, b),
                (Some(a), Some(b)) if a[1] <= b[1] => (0, a),
                (Some(_), Some(b)) => (1, b),
            };
            self.heads[k] += 1;
            self.level = cost;
            if costs.get(at as usize).is_none_or(|&c| c < cost) {
                continue;
            }
            for (k, steps) in [beside, corner].into_iter().enumerate() {
                let next_cost = cost.saturating_add(self.steps[k]);
                for step in steps {
                    let next = at.wrapping_add(step);
                    if ground.is_set(next) {
                        continue;
                    }
                    if let Some(known) = costs.get_mut(next as usize)
                        && next_cost < *known
                        && self.ends[k] < queues[k].len()
                    {
                        *known = next_cost;
                        queues[k][self.ends[k]] = [next, next_cost];
                        self.ends[k] += 1;
                    }
                }
            }
            if costs.get(tile as usize).is_some_and(|&c| c <= cost) {
                break;
            }
        }
        costs.get(tile as usize).copied().unwrap_or(NOWHERE)
    }
}
