//! Landmarks over cells: the costs to and from a few cells bound the cost between any two.
//!
//! For cells v and t and a landmark L, a path from v to t costs at least d(L, t) - d(L, v) and at
//! least d(v, L) - d(t, L). Paths over links are included, so a tunnel lowers an estimate only as
//! far as it helps. The method is from Goldberg and Harrelson, *Computing the shortest path: A\* search meets
//! graph theory*, 2005, with each landmark as far from the others as it can be.

use alloc::vec;
use alloc::vec::Vec;

use navbake_format::{CellId, GridMapView};
use navbake_search::AStar;
use navbake_search::path::Order;

use crate::cell_filter::{CellFilter, Landmarks};
use crate::filter::LandmarkParts;
use crate::search::{NONE, Progress};
use crate::{GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize, GridSearch};

/// The most landmarks.
const MOST: u32 = 64;

impl CellFilter {
    /// A number of landmarks that serves most maps.
    pub const LANDMARKS: u32 = 8;

    /// The same with landmarks, by which [`Heuristic::Table`](navbake_search::Heuristic::Table)
    /// estimates: requests of this planner expand fewer cells, most of all around walls, over
    /// ground that costs more and over links.
    ///
    /// Two searches over all cells for each landmark, up to 64, and eight bytes a cell and
    /// landmark. They are of the largest piece of connected ground, as if no unit stood on it and
    /// no obstacle took any. Units that stand and obstacles that come leave them as they are;
    /// [`CellFilter::shape`], [`CellFilter::fields`] and [`CellFilter::paint`] remove them.
    ///
    /// ```
    /// # fn run(
    /// #     nav: navbake_search::NavMesh<'_>,
    /// #     file: navbake_format::CheckedBlob<'_>,
    /// # ) -> Result<(), navbake_search::Error> {
    /// use navbake_gridpath::{CellFilter, GridPlanner, GridQuery, GridRequest};
    /// use navbake_search::{Heuristic, QueryFilter};
    ///
    /// let map = file.grid_map().expect("baked from a grid map");
    /// let filter = CellFilter::new(&map, &nav, &QueryFilter::new());
    /// let filter = filter.landmarks(&map, GridPlanner::Grid8, 8);
    /// let query = GridQuery::new(map).with_filter(&filter);
    /// let goals = [[8.5, 0.0, 5.5]];
    /// let mut request = GridRequest::new([0.5, 0.0, 0.5], &goals, GridPlanner::Grid8);
    /// request.a_star.heuristic = Heuristic::Table;
    /// # let _ = (query, request);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn landmarks(
        mut self,
        map: &GridMapView<'_>,
        planner: GridPlanner,
        count: u32,
    ) -> CellFilter {
        self.landmarks = Landmarks::default();
        if planner.shape() == map.shape() && count > 0 {
            let empty = self.without_units(map);
            self.landmarks = found(map, &empty, planner, count.min(MOST) as usize);
        }
        self
    }

    /// Has it landmarks? [`CellFilter::landmarks`] finds none where no ground is open.
    pub fn has_landmarks(&self) -> bool {
        self.landmarks.count > 0
    }
}

/// Costs from or to one cell, by cell.
type Costs = Vec<u32>;

/// Finds landmarks and their costs.
fn found(
    map: &GridMapView<'_>,
    filter: &CellFilter,
    planner: GridPlanner,
    count: usize,
) -> Landmarks {
    let query = GridQuery::new(*map).with_filter(filter);
    let mut buffer = GridBuffer::new(GridScratchSize::of(map));
    let mut costs = |cell, back| run(&query, planner, cell, back, &mut buffer);
    let is_known = |cost: &u32| *cost != LandmarkParts::UNKNOWN;
    // The piece of ground from whose first cell the most cells can be reached.
    let mut seen = vec![false; map.id_count() as usize];
    let mut largest: (usize, Costs) = (0, vec![]);
    for cell in (0..map.id_count()).map(CellId).filter(|&cell| filter.is_open(cell)) {
        if !seen[cell.0 as usize] {
            let own = costs(cell, false);
            seen.iter_mut().zip(&own).for_each(|(seen, cost)| *seen |= is_known(cost));
            let reached = own.iter().filter(|&cost| is_known(cost)).count();
            if reached > largest.0 {
                largest = (reached, own);
            }
        }
    }
    let (reached, mut nearest) = largest;
    let count = count.min(reached);
    let mut landmarks =
        Landmarks { planner, count, costs: vec![[LandmarkParts::UNKNOWN; 2]; count * seen.len()] };
    for k in 0..count {
        // The cell that is farthest from all landmarks; the first one from where the piece began.
        let all = (0u32..).zip(&nearest).filter(|(_, cost)| is_known(cost));
        let Some((farthest, _)) = all.max_by_key(|&(cell, &cost)| (cost, u32::MAX - cell)) else {
            break;
        };
        for back in [false, true] {
            let own = costs(CellId(farthest), back);
            for (cell, &cost) in own.iter().enumerate() {
                landmarks.costs[cell * count + k][usize::from(back)] = cost;
            }
            if !back {
                match k {
                    0 => nearest = own,
                    _ => nearest.iter_mut().zip(own).for_each(|(n, own)| *n = own.min(*n)),
                }
            }
        }
    }
    landmarks
}

/// The costs from a cell to all others, or from all others to it; corners may be cut.
fn run(
    query: &GridQuery<'_>,
    planner: GridPlanner,
    cell: CellId,
    back: bool,
    buffer: &mut GridBuffer,
) -> Costs {
    let request = GridRequest {
        a_star: AStar { order: Order::Dijkstra, ..AStar::default() },
        corner_cutting: true,
        ..GridRequest::new(query.map.centre(cell), &[], planner)
    };
    let mut scratch = buffer.scratch();
    // A search without goals, which is over at once, has the costs and steps of one with goals.
    let mut search = GridSearch::new(query, &request, &mut scratch);
    search.reverse = back;
    let square = search.square(query, &[]);
    let starts = core::iter::once(square.state(cell, NONE));
    let mut progress = Progress::begin(&square, &search.rules, starts, &mut scratch);
    progress.advance(&square, &search.rules, u32::MAX, &mut scratch);
    let mut costs = vec![LandmarkParts::UNKNOWN; query.map.id_count() as usize];
    for node in &scratch.nodes[..progress.used as usize] {
        costs[square.cell(node.state).0 as usize] =
            LandmarkParts::from_steps(search.metric.steps(node.g));
    }
    costs
}
