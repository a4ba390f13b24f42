//! The path of a search that is done: its cells and links, its cost, and what is proved of it.

use navbake_format::CellId;
use navbake_search::Status;
use navbake_search::path::{Ahead, Order};

use crate::cells::Cells;
use crate::heuristic::overestimate;
use crate::metric::Sum;
use crate::moves::{DIAGONAL, STEPS};
use crate::scratch::{GridGoal, GridNode};
use crate::search::NONE;
use crate::{GridAnswer, GridLeg, GridPlanner, GridQuery, GridScratch, GridSearch};

impl GridSearch {
    /// The path, when the search is done; before, it has none.
    pub fn path<'s>(
        &self,
        query: &GridQuery<'_>,
        scratch: impl Into<GridScratch<'s>>,
    ) -> GridAnswer<'s> {
        let scratch = scratch.into();
        let progress = &self.progress;
        let status = self.status();
        let nothing = GridAnswer {
            expanded: progress.expanded,
            max_open: progress.max_open,
            closed: progress.closed,
            dropped: progress.dropped,
            ..GridAnswer::none(status, self.request.planner)
        };
        if matches!(status, Status::Looking | Status::Unreachable | Status::OffMesh)
            || self.failed.is_some()
        {
            return nothing;
        }
        let GridScratch { nodes, goals, cells, links, .. } = scratch;
        let goals = self.targets(goals);
        let square = self.square(query, goals);
        let nodes = &nodes[..progress.used as usize];
        // A search from the goals that did not reach the start has no path for it.
        let nearest = || {
            let closed = (0u32..).zip(nodes).filter(|(_, node)| node.closed > 0 && !self.reverse);
            let nearest = closed.min_by_key(|(_, node)| {
                let at = GridGoal::at(&query.map, square.cell(node.state));
                (goals.iter().map(|goal| goal.apart(&at)).min(), node.g, node.state)
            });
            nearest.map(|(n, _)| n)
        };
        let Some(end) = progress.reached.or_else(nearest) else {
            return nothing;
        };
        let way = Way { square: &square, nodes, end };
        let Some(walked) = way.write(self.start.cell, cells, links) else {
            return GridAnswer { status: Status::OutOfNodes, ..nothing };
        };
        self.answer(query, goals, (&square, walked), (cells, links), nothing)
    }

    /// The answer, and what is proved of it.
    fn answer<'s>(
        &self,
        query: &GridQuery<'_>,
        goals: &[GridGoal],
        (square, walked): (&Cells<'_, '_>, Walked),
        (cells, links): (&'s [CellId], &'s [GridLeg]),
        nothing: GridAnswer<'s>,
    ) -> GridAnswer<'s> {
        let Walked { sum, steps, last } = walked;
        let (cell, metric) = (query.map.cell(), &self.metric);
        let side = cell / metric.units_a_step;
        // A path longer than the memory for cells is cut off at its end.
        let room = (steps + 1).min(cells.len());
        let status = if room <= steps { Status::OutOfNodes } else { nothing.status };
        let goal = (status == Status::Reached).then(|| {
            let own = goals.iter().filter(|goal| goal.cell == last);
            own.map(|goal| goal.index as usize).min().unwrap_or(0)
        });
        let units = sum.units(metric);
        let cost = units * side;
        let slack = 1.0 - metric.error();
        let mut bound = metric.steps(self.bound) * cell * slack;
        let mut certified = false;
        if status == Status::Reached {
            let planner = self.request.planner;
            let factor = match (self.rules.order, self.request.a_star.ahead) {
                (Order::Dijkstra, _) => 1.0,
                (Order::AStar, Ahead::Least) => {
                    let diagonal = metric.diagonal_steps();
                    self.rules.weight.max(1.0) * overestimate(square.heuristic, planner, diagonal)
                }
                _ => f64::INFINITY,
            };
            let progress = &self.progress;
            if !progress.is_full && !progress.is_hasty && progress.dropped == 0 {
                certified = factor == 1.0 && metric.is_exact(units);
                bound = bound.max(cost / factor * slack);
            }
            bound = if certified { cost } else { bound.min(cost) };
        }
        GridAnswer {
            status,
            length_xz: sum.length() * cell,
            cost,
            bound,
            straight: sum.straight,
            diagonal: sum.diagonal,
            turns: sum.turns,
            cells: &cells[..room],
            links: &links[..sum.links as usize],
            goal,
            certified_optimal: certified,
            ..nothing
        }
    }
}

/// The nodes of a path, from its last one back.
pub(crate) struct Way<'a> {
    pub(crate) square: &'a Cells<'a, 'a>,
    pub(crate) nodes: &'a [GridNode],
    pub(crate) end: u32,
}

/// A path that was written down.
pub(crate) struct Walked {
    pub(crate) sum: Sum,
    pub(crate) steps: usize,
    /// The cell at the path's end.
    pub(crate) last: CellId,
}

impl Way<'_> {
    fn parent(&self, node: &GridNode) -> Option<&GridNode> {
        self.nodes.get(node.parent as usize)
    }

    /// The nodes from the last one back.
    pub(crate) fn back(&self) -> impl Iterator<Item = &GridNode> {
        core::iter::successors(self.nodes.get(self.end as usize), |node| self.parent(node))
    }

    fn by(&self, node: &GridNode) -> i32 {
        let [dx, dz] = STEPS[usize::from(node.direction) % 8];
        dz * self.square.map.stride() as i32 + dx
    }

    /// The steps from a node's parent to it: several in one direction, or one link.
    fn steps_to(&self, node: &GridNode) -> usize {
        let cell = |node: &GridNode| i64::from(self.square.cell(node.state).0);
        match self.parent(node) {
            Some(_) if !self.square.jumps || node.direction == NONE => 1,
            Some(before) => ((cell(node) - cell(before)) / i64::from(self.by(node))) as usize,
            None => 0,
        }
    }

    /// Writes the cells and links of the path from the start, and adds up its costs.
    ///
    /// What does not fit is left out. `None` where there is no room for the links.
    pub(crate) fn write(
        &self,
        start: CellId,
        cells: &mut [CellId],
        links: &mut [GridLeg],
    ) -> Option<Walked> {
        let (square, metric) = (self.square, self.square.metric);
        let cell = |node: &GridNode| square.cell(node.state);
        let steps: usize = self.back().map(|node| self.steps_to(node)).sum();
        let room = cells.len();
        let mut sum = Sum::default();
        let mut put = |place: usize, cell: CellId| {
            let slot = cells.get_mut(place);
            slot.into_iter().for_each(|slot| *slot = cell);
        };
        put(0, start);
        // Nodes come from the path's end, or from its start where the search came from the goals.
        let reverse = square.reverse;
        let mut place = if reverse { 0 } else { steps };
        for node in self.back() {
            let Some(before) = self.parent(node) else {
                break;
            };
            let is_link = node.direction == NONE;
            let turn = !is_link && before.direction != NONE && before.direction != node.direction;
            let diagonal = !is_link
                && square.planner == GridPlanner::Grid8
                && DIAGONAL >> node.direction & 1 != 0;
            let mut at = cell(node);
            for step in (0..self.steps_to(node)).rev() {
                let next = match square.jumps && !is_link {
                    true => CellId(at.0.wrapping_add_signed(-self.by(node))),
                    false => cell(before),
                };
                let (entered, slot) = if reverse { (next, place + 1) } else { (at, place) };
                if slot < room {
                    put(slot, entered);
                    if is_link {
                        let link = square.link_between(cell(before), at)?;
                        *links.get_mut(sum.links as usize)? =
                            GridLeg { at: slot as u32 - 1, link: link.number };
                        sum.add_link(metric, link.cost);
                    } else {
                        let units = square.units(entered);
                        sum.add(metric, units, diagonal, turn && step == 0);
                    }
                }
                place = if reverse { place + 1 } else { place - 1 };
                at = next;
            }
        }
        if !reverse {
            links.get_mut(..sum.links as usize)?.reverse();
        }
        let last = if reverse { self.back().last() } else { self.back().next() };
        Some(Walked { sum, steps, last: last.map_or(start, cell) })
    }
}
