//! A* over the states of a lattice: tile, heading, gear.
//!
//! A state is expanded by gathering the window of tiles around it once; each move is then free or
//! not by one AND with its mask. The start and the goal may be anywhere: free curves lead from the
//! start to the states around it, and from those around the goal to it (*exits*), both found by
//! sweeping the footprint over the ground. From time to time a state tries the shortest curve to
//! the goal (analytic expansion: D. Dolgov et al., *Practical search techniques in path planning
//! for autonomous driving*, 2008).
//!
//! The rest is estimated by the greater of two lower bounds: the distance over open ground from the
//! vehicle's table, and the obstacle heuristic (`obstacle`). Where the goal is a state of the
//! lattice the table is exact; elsewhere it is read for the nearest state, minus the length by
//! which an exit can be shorter.

use navbake_format::VehicleView;

use crate::backward::BackwardSearch;
use crate::bucket_queue::{BucketQueue, bucket};
use crate::connect::Target;
use crate::curve::Pose;
use crate::flood_steps::NOWHERE;
use crate::obstacle::ObstacleHeuristic;
use crate::query::TurningQuery;
use crate::request::{
    NONE, TurningAnswer, TurningNode, TurningRequest, TurningScratch, TurningStatus,
};
use navbake_navmesh::math::sqrt;

/// The range of analytic expansions, tiles.
pub(crate) const EXPANSION_RANGE: f64 = 24.0;
/// Searches for cheapest paths begin with estimates times this, in parts of 256.
///
/// A path that costs hardly more is found soon, and bounds the rest of the search.
const FIRST: u64 = 288;
/// A slot holds a cost and, in its last bits, a node's number.
const NODE_BITS: u32 = 24;
/// The most nodes.
const NODES: usize = (1 << NODE_BITS) - 1;
/// The slot of a state that was not reached.
pub(crate) const FREE: u64 = u64::MAX;
/// The bucket of a node that is not waiting, and of one that got cheaper after it was expanded and
/// waits for the second pass.
const CLOSED: u32 = u32::MAX;
const LATER: u32 = u32::MAX - 1;
/// A search ends if it reopens states this many times, because its tables cannot be sound then.
const MOST_TIMES: u64 = 64;

/// A search in steps. Its nodes are in the scratch that it began with.
#[derive(Clone, Copy, Debug)]
pub struct TurningSearch {
    pub(crate) status: TurningStatus,
    pub(crate) start: Pose,
    /// The speed at the start, m/s, and its square, tiles²/s².
    pub(crate) start_speed: f64,
    pub(crate) start_square: f64,
    pub(crate) stop: bool,
    pub(crate) target: Target,
    /// The goal as a state of the lattice: its tile, and its heading.
    pub(crate) goal: Option<(u32, Option<u32>)>,
    /// The tile, and the heading, that the table is read for, and how much shorter than the table's
    /// distance an exit can be.
    pub(crate) near: u32,
    pub(crate) near_heading: Option<u32>,
    pub(crate) off: u32,
    pub(crate) is_guided: bool,
    /// The factor of estimates, in parts of 256: the current one, and the requested one.
    pub(crate) weight: u64,
    pub(crate) asked: u64,
    /// 65536 parts by the weight.
    pub(crate) share: u64,
    pub(crate) analytic_expansion: bool,
    pub(crate) smooth: bool,
    pub(crate) obstacle: ObstacleHeuristic,
    pub(crate) backward: BackwardSearch,
    pub(crate) used: usize,
    pub(crate) open: BucketQueue,
    /// The best path up to now: its cost, its last node, and the gear and form of the curve to the
    /// goal; no curve where the node is the goal.
    pub(crate) best: u64,
    pub(crate) last: u32,
    pub(crate) final_curve: Option<(u32, u8)>,
    pub(crate) bound: u64,
    pub(crate) expanded: u64,
    pub(crate) tested: u64,
    pub(crate) max_open: usize,
    pub(crate) next_expansion: u64,
}

impl TurningQuery<'_> {
    /// A path. Allocates nothing; the answer is in the scratch.
    pub fn path<'s>(
        &self,
        request: &TurningRequest,
        scratch: &'s mut TurningScratch<'_>,
    ) -> TurningAnswer<'s> {
        let mut search = self.begin(request, scratch);
        while search.step(self, scratch, u32::MAX) == TurningStatus::Looking {}
        search.answer(self, scratch)
    }

    /// Begins a search; go on with [`TurningSearch::step`].
    pub fn begin(
        &self,
        request: &TurningRequest,
        scratch: &mut TurningScratch<'_>,
    ) -> TurningSearch {
        let ground = self.ground;
        let [x, z] = ground.entry(request.from);
        let start = Pose { x, z, heading: request.from_heading };
        let place = ground.entry(request.to);
        let target = match request.to_heading {
            Some(heading) => Target::Pose(Pose { x: place[0], z: place[1], heading }),
            None => Target::Point(place),
        };
        let weight = if request.weight.is_nan() { 1.0 } else { request.weight.clamp(1.0, 100.0) };
        let has_roads = self.roads.is_some();
        let mut search = TurningSearch {
            status: TurningStatus::Looking,
            start,
            start_speed: request.speed,
            start_square: 0.0,
            stop: request.stop,
            target,
            goal: None,
            near: 0,
            near_heading: None,
            off: 0,
            is_guided: !request.dijkstra,
            weight: (weight * 256.0) as u64,
            asked: (weight * 256.0) as u64,
            share: 0,
            analytic_expansion: request.analytic_expansion && !has_roads,
            smooth: request.smooth && !has_roads && self.vehicle.speeds.is_none(),
            obstacle: ObstacleHeuristic::idle(self.vehicle.steps),
            backward: BackwardSearch::default(),
            used: 0,
            open: BucketQueue::idle(),
            best: u64::MAX,
            last: NONE,
            final_curve: None,
            bound: 0,
            expanded: 0,
            tested: 0,
            max_open: 0,
            next_expansion: 1,
        };
        search.set_weight();
        if let Err(status) = search.set_out(self, scratch) {
            search.status = status;
        }
        search
    }
}

impl TurningSearch {
    /// The current status.
    pub fn status(&self) -> TurningStatus {
        self.status
    }

    /// Sets the weight that the search begins with.
    pub(crate) fn set_weight(&mut self) {
        let is_exact = self.is_guided && self.asked == 256;
        self.weigh(if is_exact { FIRST } else { self.asked });
    }

    fn weigh(&mut self, weight: u64) {
        self.weight = weight;
        self.share = (1 << 24) / weight.max(1);
    }

    /// The greatest heuristic at which a path of that cost can still be the best.
    #[inline]
    pub(crate) fn limit(&self, cost: u64) -> u32 {
        let left = self.best.saturating_sub(cost);
        u32::try_from(left).unwrap_or(NOWHERE)
    }

    /// Lower bound of the rest from a state reached at that cost by that; [`NOWHERE`] where no path is
    /// left.
    fn rest(
        &mut self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        state: u32,
        by: u32,
        cost: u64,
    ) -> u32 {
        if !self.is_guided {
            return 0;
        }
        let (tile, lane, heading) = query.parts_of(state);
        let gear = if query.vehicle.speeds.is_some() { lane % query.vehicle.gears() } else { lane };
        let ground = query.ground;
        let filter = &query.filter;
        let limit = filter.length_for(self.limit(cost));
        let flood = self.obstacle.cost(query, tile, limit, &mut scratch.obstacle);
        if flood == NOWHERE {
            return NOWHERE;
        }
        let flood = filter.at_least(flood);
        if !filter.links.is_empty() {
            // The table knows nothing of links.
            return flood;
        }
        let at = ground.plan_tile(tile);
        let to = ground.plan_tile(self.near);
        let open = match query.table_distance(at, gear, heading, to, self.near_heading) {
            // Not even over open ground.
            Some(VehicleView::NO_WAY) if self.goal.is_some() => return NOWHERE,
            Some(VehicleView::NO_WAY) => 0,
            Some(table_distance) => {
                filter.table_at_least(query.vehicle, table_distance).saturating_sub(self.off)
            }
            None => {
                let place = ground.plan_place(self.target.place());
                let (x, z) = (f64::from(at[0]) - place[0], f64::from(at[1]) - place[1]);
                filter.at_least((sqrt(x * x + z * z) * f64::from(VehicleView::UNITS)) as u32)
            }
        };
        let rest = open.max(flood);
        match &query.vehicle.speeds {
            Some(speeds) if filter.is_plain() => {
                // Changes of gear are no lengths.
                let length = if query.vehicle.change > 0 { flood } else { rest };
                let square = self.square_of(query, speeds, state, by);
                speeds.least(square, length, self.stop).max(rest)
            }
            _ => rest,
        }
    }

    /// Reaches a state of a tile at a cost.
    #[inline]
    pub(crate) fn reach(
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
        let place = query.slot(state);
        let slot = scratch.slots.get_mut(place).ok_or(out)?;
        if cost >= *slot >> NODE_BITS {
            return Ok(());
        }
        let (node, rest, is_later) = if *slot == FREE {
            let rest = self.rest(query, scratch, state, by, cost);
            if rest == NOWHERE || cost + u64::from(rest) >= self.best {
                return Ok(());
            }
            let node = self.used as u32; // below NODES
            if self.used >= NODES || cost >= FREE >> NODE_BITS {
                return Err(out);
            }
            *scratch.nodes.get_mut(self.used).ok_or(out)? =
                TurningNode { cost, state, parent, rest, by, bucket: CLOSED };
            self.used += 1;
            (node, rest, false)
        } else {
            let number = (*slot & NODES as u64) as u32;
            let node = scratch.nodes.get_mut(number as usize).ok_or(out)?;
            if cost + u64::from(node.rest) >= self.best {
                return Ok(());
            }
            // With a weight a state is expanded once: the path costs no more than the weight times
            // the least all the same.
            if self.asked > 256 && node.bucket >= LATER {
                return Ok(());
            }
            node.cost = cost;
            node.parent = parent;
            node.by = by;
            let is_later = self.weight > 256 && node.bucket >= LATER;
            (number, node.rest, is_later)
        };
        scratch.slots[place] = cost << NODE_BITS | u64::from(node);
        if is_later {
            scratch.nodes[node as usize].bucket = LATER;
            return Ok(());
        }
        self.wait(scratch, node, self.bucket(cost, rest)).ok_or(out)?;
        self.max_open = self.max_open.max(self.open.len());
        Ok(())
    }

    /// Makes a tile's slots ready, the first time that the search comes there.
    #[inline]
    pub(crate) fn prepare(
        &self,
        query: &TurningQuery<'_>,
        scratch: &mut TurningScratch<'_>,
        tile: u32,
    ) {
        let tile = query.ground.slot(query.ground.home(tile));
        let (word, bit) = (tile as usize / 64, 1 << (tile % 64));
        if let Some(been) = scratch.been.get_mut(word)
            && *been & bit == 0
        {
            *been |= bit;
            let states = (query.vehicle.headings * query.vehicle.lanes) as usize;
            let first = (tile as usize).saturating_mul(states);
            if let Some(slots) = scratch.slots.get_mut(first..first.saturating_add(states)) {
                slots.fill(FREE);
            }
        }
    }

    /// The bucket for a state of this cost with the current factor of estimates: that of `cost /
    /// weight + rest`.
    #[inline]
    fn bucket(&self, cost: u64, rest: u32) -> u32 {
        bucket(((cost * self.share) >> 16) + u64::from(rest))
    }

    /// Lets a node wait in a bucket, unless it does.
    #[inline]
    fn wait(&mut self, scratch: &mut TurningScratch<'_>, number: u32, own: u32) -> Option<()> {
        let node = scratch.nodes.get_mut(number as usize)?;
        if node.bucket != own {
            node.bucket = own;
            return self.open.push(&mut scratch.open, own, number).then_some(());
        }
        Some(())
    }

    /// Called when a path is found with the initial weight: continues with the requested one.
    fn settle(&mut self, scratch: &mut TurningScratch<'_>) -> Option<()> {
        self.weigh(self.asked);
        self.open = BucketQueue::new(&mut scratch.open)?;
        for number in 0..self.used {
            let node = scratch.nodes.get_mut(number)?;
            let waits = core::mem::replace(&mut node.bucket, CLOSED) != CLOSED;
            if waits && node.cost + u64::from(node.rest) < self.best {
                let own = self.bucket(node.cost, node.rest);
                self.wait(scratch, number as u32, own)?; // below NODES
            }
        }
        Some(())
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
            let lowest = self.open.lowest(&mut scratch.open);
            let is_known = self.best < u64::MAX;
            let enough = |lowest| is_known && lowest > self.bucket(self.best, 0);
            if lowest.is_none_or(enough) {
                if self.weight > self.asked && is_known {
                    if self.settle(scratch).is_none() {
                        self.status = TurningStatus::OutOfNodes;
                    }
                    continue;
                }
                self.end();
                break;
            }
            let Some(entry) = self.open.pop(&mut scratch.open) else {
                continue;
            };
            let Some(node) = scratch.nodes.get_mut(entry.value as usize) else {
                continue;
            };
            if node.bucket != entry.bucket {
                continue;
            }
            node.bucket = CLOSED;
            if node.cost + u64::from(node.rest) >= self.best {
                continue;
            }
            left -= 1;
            self.expanded += 1;
            let node = *node;
            let many = self.expanded > MOST_TIMES * (self.used as u64 + 1);
            let done = match query.vehicle.words {
                _ if many => Err(TurningStatus::OutOfNodes),
                1 => self.go_on::<1>(query, scratch, entry.value, node),
                2 => self.go_on::<2>(query, scratch, entry.value, node),
                4 => self.go_on::<4>(query, scratch, entry.value, node),
                8 => self.go_on::<8>(query, scratch, entry.value, node),
                _ => self.go_on::<16>(query, scratch, entry.value, node),
            };
            if let Err(status) = done {
                self.status = status;
            }
        }
        self.status
    }

    /// No open state can be part of a cheaper path.
    fn end(&mut self) {
        self.status = if self.best < u64::MAX {
            self.bound = (self.best * 256 / self.weight).min(self.best);
            TurningStatus::Reached
        } else {
            TurningStatus::Unreachable
        };
    }
}
