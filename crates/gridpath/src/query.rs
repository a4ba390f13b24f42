//! Queries on a grid map.

use navbake_format::{CellId, GridMapView};
use navbake_search::{Error, Heuristic};

use crate::filter::FilterParts;
use crate::scratch::GridGoal;
use crate::{GridAnswer, GridPlanner, GridRequest, GridScratch, GridSearch};

/// A test of reachability: `false` only where no path leads from the first cell to the second.
pub type CanReach<'a> = dyn Fn(CellId, CellId) -> bool + Sync + 'a;

/// Answers queries on a grid map. Cheap to make and to copy.
#[derive(Clone, Copy)]
pub struct GridQuery<'a> {
    pub(crate) map: GridMapView<'a>,
    pub(crate) can_reach: Option<&'a CanReach<'a>>,
    pub(crate) filter: Option<FilterParts<'a>>,
}

impl<'a> GridQuery<'a> {
    /// Queries on a grid map: all free cells are open, and there are no links.
    pub fn new(map: GridMapView<'a>) -> GridQuery<'a> {
        GridQuery { map, can_reach: None, filter: None }
    }

    /// The same for a unit: with its costs, its links, and what is closed for it.
    ///
    /// A filter of a map of another size is ignored.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn with_filter(self, filter: &'a crate::CellFilter) -> GridQuery<'a> {
        let parts = filter.parts();
        let fits = self.map.with(parts.free, parts.areas).is_some();
        GridQuery { filter: fits.then_some(parts), ..self }
    }

    /// The same with a quick test of reachability, such as the islands of the level's navmesh.
    ///
    /// The test gets two free cells, and says `false` only where no path leads from the first to
    /// the second. Goals that it rules out need no search.
    #[must_use]
    pub fn with_reachability(self, can_reach: &'a CanReach<'a>) -> GridQuery<'a> {
        GridQuery { can_reach: Some(can_reach), ..self }
    }

    /// The map.
    pub fn map(&self) -> &GridMapView<'a> {
        &self.map
    }

    /// Finds a path.
    ///
    /// Allocates nothing; the answer borrows the scratch, a `&mut GridBuffer` or a
    /// `&mut GridScratch`.
    ///
    /// # Errors
    /// [`Error::NoLandmarks`] for the heuristic `Table` without a filter that has landmarks for the
    /// request: of its planner, and not for costs of its own or cheaper diagonal steps;
    /// [`Error::OtherCells`] where the planner is for cells of another shape, and
    /// [`Error::OctileHexagons`].
    pub fn find_path<'s>(
        &self,
        request: &GridRequest<'_>,
        scratch: impl Into<GridScratch<'s>>,
    ) -> Result<GridAnswer<'s>, Error> {
        let mut scratch = scratch.into();
        let mut search = self.start_path(request, &mut scratch)?;
        search.step(self, &mut scratch, u32::MAX);
        Ok(search.path(self, scratch))
    }

    /// Begins a search that runs in steps.
    ///
    /// The goals stay in the scratch: it belongs to this search until its path is read.
    ///
    /// # Errors
    /// Those of [`GridQuery::find_path`].
    ///
    /// ```
    /// # use navbake_gridpath::*;
    /// # use navbake_search::Status;
    /// # fn run(
    /// #     query: GridQuery<'_>, buffer: &mut GridBuffer,
    /// # ) -> Result<(), navbake_search::Error> {
    /// let goals = [[3.5, 0.0, 2.5]];
    /// let request = GridRequest::new([0.5, 0.0, 0.5], &goals, GridPlanner::Grid8);
    /// let mut search = query.start_path(&request, &mut *buffer)?;
    /// while search.step(&query, &mut *buffer, 500) == Status::Looking {
    ///     // The next frame.
    /// }
    /// let path = search.path(&query, buffer);
    /// # let _ = path;
    /// # Ok(())
    /// # }
    /// ```
    pub fn start_path<'s>(
        &self,
        request: &GridRequest<'_>,
        scratch: impl Into<GridScratch<'s>>,
    ) -> Result<GridSearch, Error> {
        let heuristic = request.a_star.heuristic;
        if heuristic == Heuristic::Table && !self.has_landmarks_for(request) {
            return Err(Error::NoLandmarks);
        }
        if request.planner.shape() != self.map.shape() {
            return Err(Error::OtherCells);
        }
        if request.planner == GridPlanner::Hex && heuristic == Heuristic::Octile {
            return Err(Error::OctileHexagons);
        }
        Ok(GridSearch::new(self, request, &mut scratch.into()))
    }

    /// Has the filter landmarks that hold for a request?
    fn has_landmarks_for(&self, request: &GridRequest<'_>) -> bool {
        let landmarks = self.filter.map(|filter| filter.landmarks).unwrap_or_default();
        let is_cheaper = request.planner == GridPlanner::Grid8
            && (0.0..core::f64::consts::SQRT_2).contains(&request.diagonal_cost);
        landmarks.count > 0
            && landmarks.planner == request.planner
            && request.costs.is_empty()
            && !is_cheaper
    }

    /// The goal at a point. Points off the map move to its nearest side, one cell beyond it.
    pub(crate) fn goal(&self, point: [f64; 3], index: u32) -> GridGoal {
        if let Some(cell) = self.ground_at(point) {
            return GridGoal { index, ..GridGoal::at(&self.map, cell) };
        }
        let [x, z] = self.map.column_row_at(point);
        // Casts cut towards zero, and make zero of NaN.
        let cut = |v: f64, most: u32| (v.clamp(-1.0, f64::from(most)) + 1.0) as i32 - 1;
        GridGoal {
            cell: GridGoal::NOWHERE,
            column: cut(x, self.map.width()),
            row: cut(z, self.map.height()),
            index,
        }
    }

    /// The cell at a point where it is ground, open or not.
    pub(crate) fn ground_at(&self, point: [f64; 3]) -> Option<CellId> {
        let cell = self.map.free_cell_at(point)?;
        self.filter.is_none_or(|filter| filter.is_ground(cell)).then_some(cell)
    }
}
