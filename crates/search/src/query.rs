//! The handle that answers.

use navbake_format::{NavMeshView, PolyId, Polygon, ReachProfile};

use crate::{AreaCosts, Closings};

/// Answers queries on the navmesh of one agent class. Cheap to make and to copy; holds nothing but the view, what is closed, and who asks.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    pub(crate) mesh: NavMeshView<'a>,
    pub(crate) closings: Closings<'a>,
    /// Who takes links, one bit an agent; see [`Query::with_agents`].
    pub(crate) agents: u32,
    /// What ground costs, where that is not always 1.
    pub(crate) costs: Option<&'a AreaCosts>,
    /// Whose ways the mesh knows: those of this unit, or of one that comes wherever it does.
    pub(crate) asker: Option<ReachProfile>,
}

impl<'a> Query<'a> {
    /// Queries on a navmesh with everything open.
    pub fn new(mesh: NavMeshView<'a>) -> Query<'a> {
        Query {
            mesh,
            closings: Closings::default(),
            agents: u32::MAX,
            costs: None,
            asker: None,
        }
        .find_asker()
    }

    /// The same with things closed: [`Closings`] made for this mesh, say by [`ClosingsBuffer::close`](crate::ClosingsBuffer::close). Shut
    /// portals are walls to everything that is asked: paths, lines of sight, motion, distances to walls, what is around a place.
    ///
    /// Where a place lies is not changed by that: [`Query::locate`] finds places in closed polygons too. A place on a shut edge belongs to
    /// the side of its polygon.
    #[must_use]
    pub fn with_closings(self, closings: Closings<'a>) -> Query<'a> {
        Query { closings, ..self }.find_asker()
    }

    /// The same for a unit: it takes links that at least one of these agents may take, bit k for agent k of the blob. Without it, every link
    /// is for it.
    #[must_use]
    pub fn with_agents(self, agents: u32) -> Query<'a> {
        Query { agents, ..self }.find_asker()
    }

    /// What is closed.
    #[inline]
    pub fn closings(&self) -> &Closings<'a> {
        &self.closings
    }

    /// The polygon beyond an edge; `None` where it cannot be crossed: at a wall, and where it is shut. Whoever crosses an edge asks this or
    /// [`Query::across`].
    #[inline]
    pub(crate) fn beyond(&self, polygon: &Polygon<'_, '_>, k: u32) -> Option<PolyId> {
        let beyond = polygon.neighbour(k)?;
        (!self.closings.is_shut(polygon.edge(k).0)).then_some(beyond)
    }

    /// [`Query::beyond`], and the number of the edge there that runs the other way.
    #[inline]
    pub(crate) fn across(&self, polygon: &Polygon<'_, '_>, k: u32) -> Option<(PolyId, u32)> {
        let across = polygon.across(k)?;
        (!self.closings.is_shut(polygon.edge(k).0)).then_some(across)
    }

    /// The navmesh.
    #[inline]
    pub fn mesh(&self) -> &NavMeshView<'a> {
        &self.mesh
    }
}
