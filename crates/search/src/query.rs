//! The handle that runs queries.

use navbake_format::{NavMesh, PolyId, Polygon, ReachProfile};

use crate::{AreaCosts, Closings};

/// Runs queries on the navmesh of one agent class.
///
/// Cheap to create and copy: it holds the view of the mesh, what is blocked, and the agents and
/// costs of the unit.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    pub(crate) mesh: NavMesh<'a>,
    pub(crate) closings: Closings<'a>,
    /// Agents whose links are allowed, one bit each; see [`Query::with_agents`].
    pub(crate) agents: u32,
    /// Ground costs, unless everything costs 1.
    pub(crate) costs: Option<&'a AreaCosts>,
    /// The unit's reach profile, or one that reaches at least as much.
    pub(crate) profile: Option<ReachProfile>,
}

impl<'a> Query<'a> {
    /// Queries on a navmesh with everything open.
    pub fn new(mesh: NavMesh<'a>) -> Query<'a> {
        Query { mesh, closings: Closings::default(), agents: u32::MAX, costs: None, profile: None }
            .find_profile()
    }

    /// The same query with some things blocked.
    ///
    /// The [`Closings`] must be made for this mesh, for example by
    /// [`ClosingsBuffer::close`](crate::ClosingsBuffer::close). Blocked portals are walls for all
    /// queries: paths, lines of sight, motion, wall distances, polygons around a place.
    ///
    /// Locations do not change: [`Query::locate`] finds places in blocked polygons too. A place on
    /// a blocked edge belongs to the side of its polygon.
    #[must_use]
    pub fn with_closings(self, closings: Closings<'a>) -> Query<'a> {
        Query { closings, ..self }.find_profile()
    }

    /// The same query for a unit that may take links of at least one of these agents.
    ///
    /// Bit k is agent k of the blob. Without this call, every link is allowed.
    #[must_use]
    pub fn with_agents(self, agents: u32) -> Query<'a> {
        Query { agents, ..self }.find_profile()
    }

    /// What is blocked.
    #[inline]
    pub fn closings(&self) -> &Closings<'a> {
        &self.closings
    }

    /// The polygon beyond an edge; `None` at walls and blocked edges.
    ///
    /// All code that crosses an edge calls this or [`Query::across`].
    #[inline]
    pub(crate) fn beyond(&self, polygon: &Polygon<'_, '_>, k: u32) -> Option<PolyId> {
        let beyond = polygon.neighbour(k)?;
        (!self.closings.is_shut(polygon.edge(k).0)).then_some(beyond)
    }

    /// [`Query::beyond`], and the number of the opposite edge in that polygon.
    #[inline]
    pub(crate) fn across(&self, polygon: &Polygon<'_, '_>, k: u32) -> Option<(PolyId, u32)> {
        let across = polygon.across(k)?;
        (!self.closings.is_shut(polygon.edge(k).0)).then_some(across)
    }

    /// The navmesh.
    #[inline]
    pub fn mesh(&self) -> &NavMesh<'a> {
        &self.mesh
    }
}
