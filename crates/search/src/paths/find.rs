//! Paths in one call.

use super::{NavPath, PathRequest};
use crate::locate::extent;
use crate::{Error, Memory, NavPoint, NavQuery, Point};

/// A budget that no search uses up.
const UNLIMITED: u32 = u32::MAX;

impl NavQuery<'_> {
    /// Finds a path. Allocates only where the scratch has to grow.
    ///
    /// The path borrows the scratch.
    ///
    /// # Errors
    /// When the algorithm does not serve the request: see [`Algorithm`](crate::Algorithm). That
    /// there is no path is no error: see [`NavPath::status`].
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let path = query.find_path(&request, &mut scratch)?;
    /// assert_eq!(path.status, Status::Reached);
    /// assert_eq!(path.points, [request.from, request.to]);
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn find_path<'s>(
        &self,
        request: &PathRequest,
        scratch: &'s mut dyn Memory,
    ) -> Result<NavPath<'s>, Error> {
        self.find_path_to_any(request, &[request.to], scratch)
    }

    /// Finds a path to the nearest of several goals, y-up metres.
    ///
    /// "Nearest" is in the algorithm's metric. Ignores `to` of the request; [`NavPath::goal`] says
    /// which goal it is. Goals that are off the mesh or cannot be reached do no harm.
    ///
    /// # Errors
    /// When the algorithm does not serve the request: see [`Algorithm`](crate::Algorithm).
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let goals = [[8.0, 0.0, 5.0], [2.0, 0.0, 1.0]];
    /// let path = query.find_path_to_any(&request, &goals, &mut scratch)?;
    /// assert_eq!((path.goal, path.length_xz), (1, 1.0));
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn find_path_to_any<'s>(
        &self,
        request: &PathRequest,
        goals: &[[f64; 3]],
        scratch: &'s mut dyn Memory,
    ) -> Result<NavPath<'s>, Error> {
        let mut search = self.start_path_to_any(request, goals, scratch)?;
        search.step(self, scratch, UNLIMITED);
        Ok(search.path(self, scratch))
    }

    /// Finds a path between two places.
    ///
    /// Ignores `from`, `to` and `extents` of the request.
    ///
    /// # Errors
    /// When the algorithm does not serve the request: see [`Algorithm`](crate::Algorithm).
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let from = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// let to = query.locate([3.0, 0.0, 1.0], 2.0).unwrap();
    /// let path = query.find_path_between(&from, &to, &request, &mut scratch)?;
    /// assert_eq!(path.length_xz, 2.0);
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn find_path_between<'s>(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        request: &PathRequest,
        scratch: &'s mut dyn Memory,
    ) -> Result<NavPath<'s>, Error> {
        let mut search = self.start_path_between(from, to, request, scratch)?;
        search.step(self, scratch, UNLIMITED);
        Ok(search.path(self, scratch))
    }

    /// The place on the mesh of a point of a request.
    ///
    /// That of [`NavQuery::locate`], else that of [`NavQuery::nearest`].
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let beside = query.end([-0.5, 0.0, 1.0], [1.0, 2.0, 1.0]);
    /// assert_eq!(beside.map(|at| at.position()), Some([0.0, 0.0, 1.0]));
    /// ```
    pub fn end(&self, point: impl Into<Point>, extents: [f64; 3]) -> Option<NavPoint> {
        let grid = self.mesh().grid();
        let p = grid.snap(point.into().0)?;
        let [ex, ey, ez] = extents.map(|e| extent(grid, e));
        self.locate_on_grid(p, ey)
            .or_else(|| self.nearest_on_grid(p, [ex.max(1.0), ey, ez.max(1.0)]))
    }
}
