//! The handle that runs queries.

use navbake_format::{NavMesh, PolyId, Polygon, ReachProfile};

use crate::closings::Closings;
use crate::costs::{AreaCosts, Slopes};
use crate::filter::QueryFilter;

/// Runs queries on the navmesh of one agent class.
///
/// Cheap to make and to copy, `Send` and `Sync`: it holds the view of the mesh and the filter of
/// the unit. Memory comes from the caller's [`Scratch`](crate::Scratch).
#[derive(Clone, Copy)]
pub struct NavQuery<'a> {
    pub(crate) mesh: NavMesh<'a>,
    pub(crate) closings: Closings<'a>,
    /// Agents whose links are allowed, one bit each.
    pub(crate) agents: u32,
    /// Ground costs, unless everything costs 1.
    pub(crate) costs: Option<&'a AreaCosts>,
    /// The least cost of a metre on ground that the mesh has.
    pub(crate) least: f64,
    /// Does the filter block ground of a mesh that has changed since?
    pub(crate) stale: bool,
    /// The unit's reach profile, or one that reaches at least as much.
    pub(crate) profile: Option<ReachProfile>,
}

impl<'a> NavQuery<'a> {
    /// Queries on a navmesh with everything open, every link allowed and no costs.
    ///
    /// ```
    /// # let bytes = navbake_testkit::level();
    /// use navbake_search::{NavMeshBuf, NavQuery};
    ///
    /// let nav = NavMeshBuf::open(&bytes)?; // once, for all threads
    /// let query = NavQuery::new(nav.mesh());
    /// assert!(query.locate([1.0, 0.0, 1.0], 2.0).is_some());
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn new(mesh: NavMesh<'a>) -> NavQuery<'a> {
        NavQuery {
            mesh,
            closings: Closings::default(),
            agents: u32::MAX,
            costs: None,
            least: 1.0,
            stale: false,
            profile: None,
        }
        .find_profile()
    }

    /// The same query for a unit.
    ///
    /// Places do not change: [`NavQuery::locate`] finds places on blocked ground too. A place on a
    /// blocked edge belongs to the side of its polygon.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// use navbake_search::{NavQuery, QueryFilter};
    ///
    /// let filter = QueryFilter::new().cost(&nav.mesh(), "mud", 4.0)?;
    /// let query = NavQuery::new(nav.mesh()).with_filter(&filter);
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    #[must_use]
    pub fn with_filter<W: AsRef<[u64]>>(self, filter: &'a QueryFilter<W>) -> NavQuery<'a> {
        let costs = (filter.costs != AreaCosts::PLAIN).then_some(&filter.costs);
        NavQuery {
            closings: filter.closings(),
            agents: filter.agents,
            stale: filter.is_stale(&self.mesh),
            costs,
            least: costs.map_or(1.0, |costs| costs.least_on(&self.mesh)),
            ..self
        }
        .find_profile()
    }

    /// The same query with everything open.
    pub(crate) fn opened(self) -> NavQuery<'a> {
        NavQuery { closings: Closings::default(), ..self }.find_profile()
    }

    /// What is blocked.
    #[doc(hidden)]
    #[inline]
    pub fn closings(&self) -> &Closings<'a> {
        &self.closings
    }

    /// The polygon beyond an edge; `None` at walls and blocked edges.
    ///
    /// All code that crosses an edge calls this or [`NavQuery::across`].
    #[doc(hidden)]
    #[inline]
    pub fn beyond(&self, polygon: &Polygon<'_, '_>, k: u32) -> Option<PolyId> {
        let beyond = polygon.neighbour(k)?;
        (!self.closings.is_shut(polygon.edge(k).0)).then_some(beyond)
    }

    /// [`NavQuery::beyond`], and the number of the opposite edge in that polygon.
    #[inline]
    pub(crate) fn across(&self, polygon: &Polygon<'_, '_>, k: u32) -> Option<(PolyId, u32)> {
        let across = polygon.across(k)?;
        (!self.closings.is_shut(polygon.edge(k).0)).then_some(across)
    }

    /// The navmesh.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let query = navbake_search::NavQuery::new(nav.mesh());
    /// assert!(query.mesh().polygon_count() > 0);
    /// ```
    #[inline]
    pub fn mesh(&self) -> &NavMesh<'a> {
        &self.mesh
    }
}

/// What the ground costs.
impl NavQuery<'_> {
    /// Cost of a metre on a polygon. Forbidden ground costs the least weight.
    ///
    /// So a unit that is on forbidden ground leaves it by the cheapest path.
    #[doc(hidden)]
    #[inline]
    pub fn weight(&self, polygon: PolyId) -> f64 {
        let Some(costs) = self.costs else {
            return 1.0;
        };
        let weight = costs.get(self.mesh().area(polygon));
        if weight.is_finite() { weight } else { self.least }
    }

    /// May a path lead from a polygon to one beside it, or over a link? Not onto forbidden ground
    /// from other ground: the rule of every planner, whatever polygons the ground is cut into.
    ///
    /// [`NavQuery::beyond`] knows blocked ground; this adds what the costs alone forbid.
    #[inline]
    pub(crate) fn enters(&self, from: PolyId, to: PolyId) -> bool {
        self.costs.is_none()
            || self.walks_on(to)
            || !self.walks_on(from)
            || self.closings.is_closed(to)
    }

    /// Is a polygon blocked, or forbidden by its cost? A path can leave such ground, and enters it
    /// from such ground alone.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let at = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// assert!(!query.is_forbidden(at.polygon()));
    /// ```
    pub fn is_forbidden(&self, polygon: PolyId) -> bool {
        self.closings.is_closed(polygon) || !self.walks_on(polygon)
    }

    /// Is a polygon allowed?
    #[inline]
    pub(crate) fn walks_on(&self, polygon: PolyId) -> bool {
        (self.costs).is_none_or(|costs| costs.get(self.mesh().area(polygon)).is_finite())
    }

    /// The cost of height.
    #[inline]
    pub(crate) fn slopes(&self) -> Slopes {
        self.costs.map_or(Slopes::default(), |costs| costs.slopes)
    }

    /// The least cost of a metre on ground that the mesh has.
    #[doc(hidden)]
    pub fn least_weight(&self) -> f64 {
        self.least
    }

    /// Does walking cost 1 wherever there is no wall?
    #[doc(hidden)]
    pub fn is_plain(&self) -> bool {
        let walled = |costs: &AreaCosts| costs.blocked() & !self.closings().areas() == 0;
        (self.costs).is_none_or(|costs| costs.is_plain() && walled(costs))
    }
}
