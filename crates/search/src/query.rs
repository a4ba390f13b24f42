//! The handle that answers.

use navbake_format::{NavMeshView, PolyId, Polygon};

use crate::{Closings, Location};

/// Answers queries on the navmesh of one agent class. Cheap to make and to copy; holds nothing but the view and what is closed.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    mesh: NavMeshView<'a>,
    closings: Closings<'a>,
}

impl<'a> Query<'a> {
    /// Queries on a navmesh with everything open.
    pub fn new(mesh: NavMeshView<'a>) -> Query<'a> {
        Query {
            mesh,
            closings: Closings::default(),
        }
    }

    /// The same with things closed: [`Closings`] made for this mesh, say by [`ClosingsBuffer::close`](crate::ClosingsBuffer::close). Shut
    /// portals are walls to everything that is asked: paths, lines of sight, motion, distances to walls, what is around a place.
    ///
    /// Where a place lies is not changed by that: [`Query::locate`] finds places in closed polygons too. A place on a shut edge belongs to
    /// the side of its polygon.
    #[must_use]
    pub fn with_closings(self, closings: Closings<'a>) -> Query<'a> {
        Query { closings, ..self }
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

    /// Is there any way from one location to the other? A compare of two numbers. It looks at the ground alone: with things closed, *no* is
    /// still certain, and *yes* says that there is a way when all is open.
    #[inline]
    pub fn reachable(&self, from: &Location, to: &Location) -> bool {
        self.mesh.island(from.polygon()) == self.mesh.island(to.polygon())
    }
}
