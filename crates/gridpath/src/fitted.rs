//! The path of a search, fitted to a follower with a start and an end of its own.
//!
//! No search is needed: the follower steps straight onto the path, and straight from it to its
//! end.

use navbake_format::{CellId, CellShape};
use navbake_navmesh::math;
use navbake_search::Status;

use crate::cells::Cells;
use crate::heuristic::between;
use crate::metric::Sum;
use crate::moves::{self, DIAGONAL};
use crate::path::Way;
use crate::scratch::GridNode;
use crate::search::NONE;
use crate::space::Space;
use crate::{GridAnswer, GridLeg, GridPlanner, GridQuery, GridScratch, GridSearch};

/// Costs of a straight and of a diagonal step, to compare distances by.
const STRAIGHT_DIAGONAL: [u64; 2] = [5, 7];

impl GridSearch {
    /// The path of a finished search for another unit: from a point of its own to a cell of its
    /// own, or to the search's goal.
    ///
    /// The unit joins the path where a straight run of steps leads, and leaves it likewise. `None`
    /// where no such steps lead there, the search did not reach a goal, or it or the unit begins on
    /// closed or forbidden ground. The cost of the path is exact; a search might find a cheaper
    /// one, so it is not certified.
    ///
    /// The scratch is that of the search. Its memory of the search is kept, so that several units
    /// can be served.
    pub fn fitted<'s>(
        &self,
        query: &GridQuery<'_>,
        from: [f64; 3],
        end: Option<CellId>,
        scratch: impl Into<GridScratch<'s>>,
    ) -> Option<GridAnswer<'s>> {
        if self.status() != Status::Reached {
            return None;
        }
        let GridScratch { nodes, goals, cells, links, .. } = scratch.into();
        let from = query.ground_at(from)?;
        let square = self.square(query, self.targets(goals));
        // A search that begins on closed or forbidden ground lets the unit leave such ground.
        let is_open = query.filter.is_none() || self.own_costs || self.is_open;
        if !is_open || !square.is_plain(from) {
            return None;
        }
        let nodes = nodes.get(..self.progress.used as usize)?;
        let way = Way { square: &square, nodes, end: self.progress.reached? };
        let walked = way.write(self.start.cell, cells, links)?;
        let (mut count, mut legs) = (walked.steps + 1, walked.sum.links as usize);
        if count > cells.len() {
            return None;
        }
        let steps = self.single_steps(query);
        if let Some(end) = end.filter(|&end| end != walked.last) {
            // Where it leaves the path: well before the end, if steps lead from there.
            let near = steps.distance(cells[count - 1], end) / STRAIGHT_DIAGONAL[0];
            let run = runs(near, count).find_map(|back| {
                let at = count - 1 - back;
                Some((at, steps.run(cells[at], end, |_, _| {})?))
            });
            let (at, length) = run?;
            count = at + 1 + length;
            let rest = cells.get_mut(at..count)?;
            let first = rest[0];
            steps.run(first, end, |i, cell| rest[i + 1] = cell);
            legs = links[..legs].partition_point(|leg| (leg.at as usize) < at);
        }
        if from != cells[0] {
            let near = steps.distance(from, cells[0]) / STRAIGHT_DIAGONAL[0];
            let run =
                runs(near, count).find_map(|at| Some((at, steps.run(from, cells[at], |_, _| {})?)));
            let (at, length) = run?;
            let joined = cells[at];
            if length + count - at > cells.len() {
                return None;
            }
            cells.copy_within(at..count, length);
            count = length + count - at;
            cells[0] = from;
            steps.run(from, joined, |i, cell| cells[i + 1] = cell);
            let gone = links[..legs].partition_point(|leg| (leg.at as usize) < at);
            links.copy_within(gone..legs, 0);
            legs -= gone;
            links[..legs].iter_mut().for_each(|leg| leg.at = leg.at + length as u32 - at as u32);
        }
        let (cells, links) = (&cells[..count], &links[..legs]);
        let sum = square.sum(cells, links)?;
        let side = query.map.cell() / self.metric.units_a_step;
        Some(GridAnswer {
            length_xz: sum.length() * query.map.cell(),
            cost: sum.units(&self.metric) * side,
            straight: sum.straight,
            diagonal: sum.diagonal,
            turns: sum.turns,
            cells,
            links,
            ..GridAnswer::none(Status::Reached, self.request.planner)
        })
    }

    /// Does a straight run of steps lead from the cell that the search reached to this one?
    pub fn sees_from_goal(
        &self,
        query: &GridQuery<'_>,
        cell: CellId,
        scratch: &GridScratch<'_>,
    ) -> bool {
        let goal = self.goal_cell(query, scratch);
        goal.is_some_and(|goal| self.single_steps(query).run(goal, cell, |_, _| {}).is_some())
    }

    /// The cell of the goal that was reached.
    pub fn goal_cell(&self, query: &GridQuery<'_>, scratch: &GridScratch<'_>) -> Option<CellId> {
        let square = self.square(query, self.targets(scratch.goals));
        let nodes = scratch.nodes.get(..self.progress.used as usize)?;
        let way = Way { square: &square, nodes, end: self.progress.reached? };
        let node = if self.reverse { way.back().last() } else { way.back().next() };
        node.map(|node| square.cell(node.state))
    }

    /// The direction of the first step of what the search has found, a unit vector `[x, z]`.
    ///
    /// `None` before the first step, and for a search from the goals.
    pub fn direction(&self, query: &GridQuery<'_>, scratch: &GridScratch<'_>) -> Option<[f64; 2]> {
        if self.reverse || self.failed.is_some() {
            return None;
        }
        let nodes = scratch.nodes.get(..self.progress.used as usize)?;
        let square = self.square(query, &[]);
        let end = self.progress.reached.unwrap_or(self.progress.last);
        let way = Way { square: &square, nodes, end };
        let first = way.back().filter(|node| node.parent != u32::MAX).last()?;
        let [from, to] = [self.start.cell, square.cell(first.state)].map(|cell| {
            let [x, _, z] = query.map.centre(cell);
            [x, z]
        });
        math::towards(from, to)
    }

    /// The steps of the search from cell to cell, none left out, without links.
    fn single_steps<'q>(&'q self, query: &'q GridQuery<'_>) -> Cells<'q, 'q> {
        Cells {
            links: &[],
            stops: &[],
            reverse: false,
            leaves: false,
            tight: None,
            prune: false,
            jumps: false,
            ..self.square(query, &[])
        }
    }
}

/// The places to try at which a follower joins or leaves the path, in cells from the path's end,
/// where its own place is `near` steps away. The path's end is the last.
fn runs(near: u64, count: usize) -> impl Iterator<Item = usize> {
    let along = |steps: u64| usize::try_from(steps).unwrap_or(usize::MAX).min(count - 1);
    [along(near.saturating_mul(2)), along(near), 0].into_iter()
}

impl Cells<'_, '_> {
    /// How far two cells are apart, in [`STRAIGHT_DIAGONAL`].
    fn distance(&self, from: CellId, to: CellId) -> u64 {
        let at = |cell| self.map.column_row(cell).map(|c| c as i32);
        let usual = self.planner.usual_heuristic();
        between(self.map.shape(), usual, STRAIGHT_DIAGONAL, at(from), at(to))
    }

    /// Steps from a cell to another, each of them nearer to it: calls `each` with their numbers
    /// and cells, and gives their count. `None` where no such steps lead there.
    fn run(&self, from: CellId, to: CellId, mut each: impl FnMut(usize, CellId)) -> Option<usize> {
        let (mut at, mut count) = (from, 0);
        let mut left = self.distance(at, to);
        while at != to {
            let here =
                GridNode { state: self.state(at, NONE), direction: NONE, ..GridNode::default() };
            let mut best = None;
            self.each_step(&here, |step| {
                let next = self.cell(step.to);
                let less = self.distance(next, to);
                if less < left && best.is_none_or(|best| (less, next) < best) {
                    best = Some((less, next));
                }
            });
            (left, at) = best?;
            each(count, at);
            count += 1;
        }
        Some(count)
    }

    /// The numbers of steps, turns and links of a path, and their cost.
    fn sum(&self, cells: &[CellId], links: &[GridLeg]) -> Option<Sum> {
        let mut sum = Sum::default();
        let mut before = NONE;
        for (at, pair) in (0u32..).zip(cells.windows(2)) {
            if links.get(sum.links as usize).is_some_and(|leg| leg.at == at) {
                let [start, end] =
                    if self.reverse { [pair[1], pair[0]] } else { [pair[0], pair[1]] };
                sum.add_link(self.metric, self.link_between(start, end)?.cost);
                before = NONE;
                continue;
            }
            let direction = self.direction_of(pair[0], pair[1])?;
            let diagonal = self.planner == GridPlanner::Grid8 && DIAGONAL >> direction & 1 != 0;
            let turn = before != NONE && before != direction;
            sum.add(self.metric, self.units(pair[1]), diagonal, turn);
            before = direction;
        }
        Some(sum)
    }

    /// The direction of a step between two neighbours.
    fn direction_of(&self, from: CellId, to: CellId) -> Option<u8> {
        let [a, b] = [from, to].map(|cell| self.map.column_row(cell).map(i64::from));
        match self.map.shape() {
            CellShape::Square => {
                let [dx, dz] = [0, 1].map(|k| (b[k] - a[k]) as i32);
                Some(moves::direction(dx, dz))
            }
            shape => {
                let side = (0..shape.sides()).find(|&side| shape.neighbour(a, side) == b)?;
                Some(side as u8)
            }
        }
    }
}
