//! Descent in a potential: from cell to cell where it falls, without a search.

use navbake_format::CellId;
use navbake_navmesh::math;
use navbake_search::Error;
use navbake_search::around::DescentEnd;

use crate::cells::Cells;
use crate::scratch::GridNode;
use crate::search::NONE;
use crate::space::Space;
use crate::{GridQuery, GridRequest, GridScratch, GridSearch};

/// A potential over the cells of a map: the cost of a metre, and the pull of a goal.
///
/// It is the cost of a metre on the cell, plus `pull` times the straight distance to the nearest
/// goal in metres. Links are not followed.
pub struct GridPotential<'q, 'r> {
    query: &'q GridQuery<'q>,
    search: GridSearch,
    goals: &'r [[f64; 3]],
    pull: f64,
}

/// Where a descent led.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridDescent<'c> {
    /// Why it ended.
    pub end: DescentEnd,
    /// The cells, from the start.
    pub cells: &'c [CellId],
}

impl<'q> GridQuery<'q> {
    /// The potential of a request: its goals, if any, its steps and costs.
    ///
    /// ```
    /// # fn run(query: navbake_gridpath::GridQuery<'_>) -> Result<(), navbake_search::Error> {
    /// use navbake_format::CellId;
    /// use navbake_gridpath::{GridPlanner, GridRequest};
    /// use navbake_search::around::DescentEnd;
    ///
    /// let goals = [[9.5, 0.0, 2.5]];
    /// let request = GridRequest::new([0.5, 0.0, 0.5], &goals, GridPlanner::Grid8);
    /// let mut cells = vec![CellId(0); query.map().free_count() as usize];
    /// let descent = query.potential(&request, 1.0)?.descend(&mut cells);
    /// match descent.end {
    ///     DescentEnd::Goal => {}
    ///     _ => {} // A search finds a path where a descent is stuck.
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OtherCells`] where the planner is for cells of another shape.
    pub fn potential<'r>(
        &'q self,
        request: &GridRequest<'r>,
        pull: f64,
    ) -> Result<GridPotential<'q, 'r>, Error> {
        if request.planner.shape() != self.map.shape() {
            return Err(Error::OtherCells);
        }
        // Steps and costs of a search without goals, which is over at once.
        let mut own = *request;
        own.to = &[];
        own.a_star.reverse = false;
        own.turn_penalty = 0.0;
        let mut nothing = GridScratch {
            slots: &mut [],
            nodes: &mut [],
            open: &mut [],
            goals: &mut [],
            cells: &mut [],
            links: &mut [],
        };
        let search = GridSearch::new(self, &own, &mut nothing);
        Ok(GridPotential { query: self, search, goals: request.to, pull })
    }
}

impl GridPotential<'_, '_> {
    /// The potential of a cell; `None` where it is blocked or forbidden.
    pub fn at(&self, cell: CellId) -> Option<f64> {
        self.of(&self.search.square(self.query, &[]), cell)
    }

    fn of(&self, cells: &Cells<'_, '_>, cell: CellId) -> Option<f64> {
        if !cells.is_free(cell) || !cells.is_plain(cell) {
            return None;
        }
        let [x, _, z] = self.query.map.centre(cell);
        let apart = self.goals.iter().map(|goal| {
            let goal = self.query.ground_at(*goal).map_or(*goal, |at| self.query.map.centre(at));
            math::length(goal[0] - x, goal[2] - z)
        });
        let nearest = apart.fold(f64::INFINITY, f64::min);
        let far = if nearest.is_finite() { self.pull * nearest } else { 0.0 };
        Some(cells.metric.price(cells.units(cell)) + far)
    }

    /// Goes from cell to neighbour, each time to the lowest, while that is lower.
    ///
    /// Of neighbours that are equally low the first is taken. Writes the cells to `cells`: their
    /// number is at most that of free cells. Takes time by the number of steps.
    pub fn descend<'c>(&self, cells: &'c mut [CellId]) -> GridDescent<'c> {
        let square = self.search.square(self.query, &[]);
        let start = self.query.ground_at(self.search.request.from);
        let Some(mut at) = start.filter(|&start| square.is_free(start)) else {
            return GridDescent { end: DescentEnd::OffMesh, cells: &[] };
        };
        let is_goal = |cell| self.goals.iter().any(|&p| self.query.ground_at(p) == Some(cell));
        let mut count = 0;
        let end = loop {
            let Some(slot) = cells.get_mut(count) else {
                break DescentEnd::OutOfRoom;
            };
            *slot = at;
            count += 1;
            if is_goal(at) {
                break DescentEnd::Goal;
            }
            let mut lowest = (self.of(&square, at).unwrap_or(f64::INFINITY), at);
            let state = square.state(at, NONE);
            let node = GridNode { state, direction: NONE, ..GridNode::default() };
            square.each_step(&node, |step| {
                let to = square.cell(step.to);
                let potential = self.of(&square, to).unwrap_or(f64::INFINITY);
                if step.direction != NONE && potential < lowest.0 {
                    lowest = (potential, to);
                }
            });
            if lowest.1 == at {
                break DescentEnd::Minimum;
            }
            at = lowest.1;
        };
        GridDescent { end, cells: &cells[..count] }
    }
}
