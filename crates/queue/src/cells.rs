//! Queues over the cells of a grid map.

use alloc::vec::Vec;

use navbake_format::CellId;
use navbake_gridpath::{
    GridAnswer, GridBuffer, GridQuery, GridRequest, GridScratchSize, GridSearch,
};
use navbake_search::Error;

use crate::share::{MOST_PLACES, around};
use crate::{PathQueue, Space};

/// Cells of a path that are written in the time of an entry of an open list.
const WRITTEN: u32 = 64;

/// Queues over the cells of a grid map; answers are [`GridAnswer`]s.
#[derive(Clone, Copy, Debug)]
pub struct Cells;

/// A request for a path over cells, with goals and costs of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct CellsRequest {
    settings: GridRequest<'static>,
    to: Vec<[f64; 3]>,
    costs: Vec<f64>,
}

impl From<&GridRequest<'_>> for CellsRequest {
    fn from(request: &GridRequest<'_>) -> CellsRequest {
        let (to, costs) = (request.to.to_vec(), request.costs.to_vec());
        CellsRequest { settings: request.settings(), to, costs }
    }
}

impl PathQueue<Cells> {
    /// Makes a queue over the cells of a grid map for `units` units and `lanes` searches at once.
    ///
    /// Each search has memory of its own, of the given size.
    ///
    /// ```no_run
    /// # fn game(query: &navbake_gridpath::GridQuery<'_>, from: [f64; 3], to: [f64; 3]) {
    /// use navbake_gridpath::{GridPlanner, GridRequest, GridScratchSize};
    /// use navbake_queue::PathQueue;
    ///
    /// let mut queue = PathQueue::over_cells(1000, 4, GridScratchSize::of(query.map()));
    /// queue.ask(7, &GridRequest::new(from, &[to], GridPlanner::Grid8));
    /// // Every frame:
    /// queue.tick(query, 500, |unit, path| match path {
    ///     Ok(path) => println!("{unit}: {:?}", path.cells),
    ///     Err(error) => eprintln!("{unit}: {error}"),
    /// });
    /// # }
    /// ```
    pub fn over_cells(units: usize, lanes: usize, size: GridScratchSize) -> PathQueue<Cells> {
        PathQueue::with_memory(units, lanes, GridBuffer::new(size))
    }
}

fn written(path: &GridAnswer<'_>) -> u32 {
    path.cells.len() as u32 / WRITTEN
}

impl Space for Cells {
    type Query<'q> = GridQuery<'q>;
    type Request = CellsRequest;
    type Search = GridSearch;
    type Memory = GridBuffer;
    type Place = CellId;
    type Path<'s> = GridAnswer<'s>;

    fn begin(
        query: &GridQuery<'_>,
        request: &CellsRequest,
        memory: &mut GridBuffer,
    ) -> Result<(GridSearch, u32), Error> {
        let CellsRequest { settings, to, costs } = request;
        let search = query.start_path(&GridRequest { to, costs, ..*settings }, memory)?;
        Ok((search, 0))
    }

    fn step(
        query: &GridQuery<'_>,
        search: &mut GridSearch,
        memory: &mut GridBuffer,
        work: u32,
    ) -> (u32, bool) {
        let before = search.work();
        let status = search.step(query, memory, work);
        // A state takes 1,200 to 2,500 instructions, about as many as an entry over polygons.
        (search.work().saturating_sub(before), status.is_over())
    }

    fn path<'s>(
        query: &GridQuery<'_>,
        search: &GridSearch,
        memory: &'s mut GridBuffer,
    ) -> (GridAnswer<'s>, u32) {
        let path = search.path(query, memory);
        (path, written(&path))
    }

    fn fitted<'s>(
        query: &GridQuery<'_>,
        search: &GridSearch,
        request: &CellsRequest,
        end: Option<CellId>,
        memory: &'s mut GridBuffer,
    ) -> Option<(GridAnswer<'s>, u32)> {
        let path = search.fitted(query, request.settings.from, end, memory)?;
        Some((path, 2 * written(&path)))
    }

    fn place_near_goal(
        query: &GridQuery<'_>,
        search: &GridSearch,
        next: &mut u32,
        spacing: f64,
        memory: &mut GridBuffer,
    ) -> Option<CellId> {
        let scratch = memory.scratch();
        let goal = search.goal_cell(query, &scratch)?;
        if spacing <= 0.0 {
            return Some(goal);
        }
        let map = query.map();
        // Cells, not points, are apart by this much.
        let apart = spacing.max(map.cell()) + map.cell();
        while *next < MOST_PLACES {
            *next += 1;
            let [x, y, z] = map.centre(goal);
            let [dx, dz] = around(*next, apart);
            let cell = map.free_cell_at([x + dx, y, z + dz]);
            if let Some(cell) = cell.filter(|&cell| search.sees_from_goal(query, cell, &scratch)) {
                return Some(cell);
            }
        }
        None
    }

    fn aim_like(request: &mut CellsRequest, other: &CellsRequest) {
        request.to.clone_from(&other.to);
    }

    fn aim_at(query: &GridQuery<'_>, request: &mut CellsRequest, place: CellId) {
        request.to.clear();
        request.to.push(query.map().centre(place));
    }

    fn ends(request: &CellsRequest) -> [[f64; 3]; 2] {
        let from = request.settings.from;
        [from, request.to.first().copied().unwrap_or(from)]
    }

    fn direction(
        query: &GridQuery<'_>,
        search: &GridSearch,
        memory: &mut GridBuffer,
    ) -> Option<[f64; 2]> {
        search.direction(query, &memory.scratch())
    }
}
