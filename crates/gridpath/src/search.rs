//! Best-first search over cells, or over cells and headings: A* (Hart, Nilsson and Raphael 1968),
//! Dijkstra's, greedy.
//!
//! With a turn penalty the cost of a step depends on the one before, so the cheapest path into a
//! cell need not be part of the cheapest path through it. States are then cells with the direction
//! they were entered in.

use navbake_format::{CellId, GridMapView};

use crate::jump::Jumper;
use crate::metric::Metric;
use crate::moves::{self, CUTTING, DIAGONAL, EIGHT, FOUR, NONE, STEPS};
use crate::open::OpenList;
use crate::scratch::{GridGoal, GridNode, GridOpen, GridScratch};
use crate::{GridHeuristic, GridOrder, GridPlanner, GridRequest};

/// How a search ended.
pub(crate) struct Found {
    /// The node of a goal.
    pub(crate) reached: Option<u32>,
    /// There was no room for further nodes.
    pub(crate) is_full: bool,
    /// Closed nodes that improved were left closed, so that the search ends.
    pub(crate) is_hasty: bool,
    pub(crate) expanded: u32,
    pub(crate) max_open: u32,
    pub(crate) closed: u32,
    /// Nodes in use.
    pub(crate) used: u32,
}

/// What a search asks of its request, prepared.
pub(crate) struct Search<'a, 'm> {
    pub(crate) map: &'a GridMapView<'m>,
    pub(crate) metric: &'a Metric,
    pub(crate) planner: GridPlanner,
    pub(crate) order: GridOrder,
    pub(crate) heuristic: GridHeuristic,
    pub(crate) weight: f64,
    pub(crate) cutting: bool,
    /// Is the cell nearest to the goals wanted where no goal can be reached? That takes all cells.
    partial: bool,
}

impl<'a, 'm> Search<'a, 'm> {
    pub(crate) fn new(
        map: &'a GridMapView<'m>,
        metric: &'a Metric,
        request: &GridRequest<'_>,
    ) -> Search<'a, 'm> {
        let zero = request.order == GridOrder::Dijkstra;
        Search {
            map,
            metric,
            planner: request.planner,
            order: request.order,
            heuristic: if zero { GridHeuristic::Zero } else { request.heuristic },
            weight: if request.weight.is_nan() { 1.0 } else { request.weight.clamp(0.0, 1000.0) },
            cutting: request.corner_cutting,
            partial: request.partial,
        }
    }

    /// Is the direction of the last step part of a state?
    fn has_heading(&self) -> bool {
        self.metric.penalty > 0
    }

    /// Can steps be left out without making paths longer? (See `moves.rs`; it takes estimates that
    /// are consistent.)
    fn can_leave_out(&self) -> bool {
        self.heuristic.is_consistent(self.planner, self.weight)
            && self.order != GridOrder::Greedy
            && self.metric.is_uniform
            && !self.has_heading()
            && !(self.cutting && self.planner == GridPlanner::Grid8)
    }

    /// What remains to the nearest of the goals, weighted.
    #[inline]
    fn estimate(&self, goals: &[GridGoal], cell: CellId) -> u64 {
        if self.heuristic == GridHeuristic::Zero {
            return 0;
        }
        let [column, row] = self.map.column_row(cell).map(|c| c as i32);
        let mut least = u64::MAX;
        for goal in goals {
            let (dx, dz) = (column.abs_diff(goal.column), row.abs_diff(goal.row));
            least = least.min(self.heuristic.estimate(self.metric.least, dx, dz));
        }
        if self.weight == 1.0 || self.order == GridOrder::Greedy {
            return least;
        }
        let weighted = (least as f64 * self.weight) as u64;
        // Rounding does not lift what shall be below.
        if self.weight <= 1.0 { weighted.min(least) } else { weighted }
    }

    /// Searches from a cell to the nearest of the goals.
    pub(crate) fn run(
        &self,
        start: CellId,
        goals: &[GridGoal],
        scratch: &mut GridScratch<'_>,
    ) -> Found {
        let stride = self.map.stride() as i32;
        let offsets: [i32; 8] = core::array::from_fn(|d| STEPS[d][1] * stride + STEPS[d][0]);
        let (states_a_cell, has_heading) = match self.has_heading() {
            true => (8, true),
            false => (1, false),
        };
        // Off forbidden ground not every step has one the other way.
        let prune = self.can_leave_out() && self.metric.enters(self.map.terrain(start));
        let plain = self.metric.is_uniform && !self.metric.has_blocked;
        let table = match self.planner {
            GridPlanner::Grid4 => &FOUR,
            GridPlanner::Grid8 => &EIGHT,
        };
        let cutting = self.cutting && self.planner == GridPlanner::Grid8;
        let greedy = self.order == GridOrder::Greedy;
        let jumper = Jumper { map: self.map, goals, diagonal: self.planner == GridPlanner::Grid8 };
        let jumps = prune && plain && !self.partial;

        let mut bank = Bank { slots: scratch.slots, nodes: scratch.nodes, used: 0 };
        let mut open = OpenList::new(scratch.open);
        let mut found = Found {
            reached: None,
            is_full: false,
            is_hasty: false,
            expanded: 0,
            max_open: 0,
            closed: 0,
            used: 0,
        };
        let state = start.0 * states_a_cell;
        let first = GridNode { g: 0, state, parent: u32::MAX, direction: NONE, is_closed: false };
        let entry = |f, node: &GridNode, n| GridOpen { f, g: node.g, state: node.state, node: n };
        match bank.add(first) {
            Some(n) => {
                let f = self.estimate(goals, start);
                found.is_full = !open.push(bank.nodes, entry(f, &first, n));
            }
            None => found.is_full = true,
        }
        // Reopening ends, but nothing says how soon; after this many expansions closed nodes stay
        // closed.
        let patience = (bank.slots.len() as u32).saturating_mul(8);
        let mut open_now = 1u32;
        while let Some(best) = open.pop() {
            if !best.is_current(bank.nodes) {
                continue;
            }
            let node = &mut bank.nodes[best.node as usize];
            node.is_closed = true;
            let node = *node;
            found.max_open = found.max_open.max(open_now);
            open_now -= 1;
            found.closed += 1;
            found.expanded = found.expanded.saturating_add(1);
            let cell = CellId(node.state / states_a_cell);
            if goals.iter().any(|goal| goal.cell == cell) {
                found.reached = Some(best.node);
                break;
            }
            let mut around = moves::eight(self.map.around(cell));
            if self.metric.has_blocked {
                around = self.enterable(cell, around, &offsets);
            }
            let mut steps = if cutting {
                CUTTING[usize::from(around)]
            } else {
                table[usize::from(if prune { node.direction } else { NONE })][usize::from(around)]
            };
            while steps != 0 {
                let d = steps.trailing_zeros() as usize;
                steps &= steps - 1;
                let mut to = CellId(cell.0.wrapping_add_signed(offsets[d]));
                let diagonal = DIAGONAL >> d & 1 != 0;
                let mut g = node.g;
                if jumps {
                    let Some((end, steps)) = jumper.run(cell, d) else {
                        continue;
                    };
                    to = end;
                    g += self.metric.least_step(diagonal) * u64::from(steps);
                } else if plain {
                    g += self.metric.least_step(diagonal);
                } else {
                    g += self.metric.step(self.map.terrain(to), diagonal);
                }
                let mut state = to.0;
                if has_heading {
                    state = to.0 * 8 + d as u32;
                    if node.direction != NONE && usize::from(node.direction) != d {
                        g += self.metric.penalty;
                    }
                }
                let new =
                    GridNode { g, state, parent: best.node, direction: d as u8, is_closed: false };
                let n = match bank.find(state) {
                    Some(n) => {
                        let known = &mut bank.nodes[n as usize];
                        if known.g <= g {
                            continue;
                        }
                        if known.is_closed {
                            // Greedy search orders by the estimate, which a cheaper path here does
                            // not change.
                            if greedy {
                                continue;
                            }
                            if found.expanded > patience {
                                found.is_hasty = true;
                                continue;
                            }
                            found.closed -= 1;
                            open_now += 1;
                        }
                        *known = new;
                        n
                    }
                    None => {
                        let Some(n) = bank.add(new) else {
                            found.is_full = true;
                            continue;
                        };
                        open_now += 1;
                        n
                    }
                };
                let remains = self.estimate(goals, to);
                let f = if greedy { remains } else { g.saturating_add(remains) };
                if !open.push(bank.nodes, entry(f, &new, n)) {
                    found.is_full = true;
                }
            }
        }
        found.used = bank.used;
        found
    }

    /// Of the free cells around a cell those that can be entered.
    fn enterable(&self, cell: CellId, around: u8, offsets: &[i32; 8]) -> u8 {
        let (mut left, mut kept) = (around, around);
        // Forbidden ground is not entered from other ground.
        if !self.metric.enters(self.map.terrain(cell)) {
            return around;
        }
        while left != 0 {
            let d = left.trailing_zeros() as usize;
            left &= left - 1;
            let to = CellId(cell.0.wrapping_add_signed(offsets[d]));
            if !self.metric.enters(self.map.terrain(to)) {
                kept &= !(1 << d);
            }
        }
        kept
    }
}

/// Nodes in use, and the node of each state.
///
/// A slot of an earlier search names a node of another state, and so counts as empty.
struct Bank<'s> {
    slots: &'s mut [u32],
    nodes: &'s mut [GridNode],
    used: u32,
}

impl Bank<'_> {
    #[inline]
    fn find(&self, state: u32) -> Option<u32> {
        let n = *self.slots.get(state as usize)?;
        let known = n < self.used && self.nodes.get(n as usize)?.state == state;
        known.then_some(n)
    }

    #[inline]
    fn add(&mut self, node: GridNode) -> Option<u32> {
        let slot = self.slots.get_mut(node.state as usize)?;
        *self.nodes.get_mut(self.used as usize)? = node;
        *slot = self.used;
        self.used += 1;
        Some(*slot)
    }
}
