//! How far it is to the goal at least, over free tiles.
//!
//! A flood from the goal's tile over free tiles, as far as somebody asks: to the eight neighbours, and two ahead and one aside as a knight steps, where one of the two tiles
//! that it passes is free. A step costs so little that no edge of the vehicle's is
//! cheaper than the way over the tiles it touches, which the tables vouch for; so the sum is a lower bound, and a consistent one.
//! With three lengths of steps three queues do for a heap: what is put into each costs ever more.

use super::ground::Ground;

/// No way over free tiles.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Memory of a flood.
#[derive(Debug)]
pub struct FarScratch<'s> {
    /// Cost of each tile, by number.
    pub costs: &'s mut [u32],
    /// Queues of tiles with their costs.
    pub queues: [&'s mut [[u32; 2]]; 3],
}

/// Where a flood stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Far {
    steps: [u32; 3],
    /// Heads and ends of the queues.
    heads: [usize; 3],
    ends: [usize; 3],
    /// All costs up to this are final.
    level: u32,
    over: bool,
}

impl Far {
    /// From a tile on, with steps of these costs. `None` when the memory is too small.
    pub(super) fn begin(
        ground: &Ground<'_>,
        from: u32,
        steps: [u32; 3],
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
            ends: [1, 0, 0],
            ..Far::default()
        })
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
        let stride = ground.stride();
        let (east, south) = (1u32, stride);
        let (west, north) = (east.wrapping_neg(), south.wrapping_neg());
        let sides = [[east, south], [south, west], [west, north], [north, east]];
        loop {
            let mut next: Option<(usize, [u32; 2])> = None;
            for k in 0..3 {
                if self.heads[k] < self.ends[k] {
                    let head = scratch.queues[k][self.heads[k]];
                    if next.is_none_or(|(_, best)| head[1] < best[1]) {
                        next = Some((k, head));
                    }
                }
            }
            let Some((k, [at, cost])) = next else {
                self.over = true;
                break;
            };
            self.level = cost;
            if cost > limit {
                break;
            }
            self.heads[k] += 1;
            if scratch.costs.get(at as usize).is_none_or(|&c| c < cost) {
                continue;
            }
            let costs = self.steps.map(|step| cost.saturating_add(step));
            let images = ground.images(at);
            for (at, [ahead, aside]) in images.flat_map(|at| sides.map(|side| (at, side))) {
                let straight = at.wrapping_add(ahead);
                let (left, right) = (straight.wrapping_sub(aside), straight.wrapping_add(aside));
                let is_straight = !ground.is_set(straight);
                if is_straight {
                    self.put(0, ground.home(straight), costs[0], scratch);
                }
                if !ground.is_set(right) {
                    self.put(1, ground.home(right), costs[1], scratch);
                }
                for corner in [left, right] {
                    let knight = corner.wrapping_add(ahead);
                    if (is_straight || !ground.is_set(corner)) && !ground.is_set(knight) {
                        self.put(2, ground.home(knight), costs[2], scratch);
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

    #[inline]
    fn put(&mut self, k: usize, tile: u32, cost: u32, scratch: &mut FarScratch<'_>) {
        if let Some(known) = scratch.costs.get_mut(tile as usize)
            && cost < *known
            && let Some(place) = scratch.queues[k].get_mut(self.ends[k])
        {
            *known = cost;
            *place = [tile, cost];
            self.ends[k] += 1;
        }
    }
}
