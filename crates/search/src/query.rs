//! The handle that answers.

use navbake_format::NavMeshView;

use crate::Location;

/// Answers queries on the navmesh of one agent class. Cheap to make and to copy; holds nothing but the view.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    mesh: NavMeshView<'a>,
}

impl<'a> Query<'a> {
    /// Queries on a navmesh.
    pub fn new(mesh: NavMeshView<'a>) -> Query<'a> {
        Query { mesh }
    }

    /// The navmesh.
    #[inline]
    pub fn mesh(&self) -> &NavMeshView<'a> {
        &self.mesh
    }

    /// Is there any way from one location to the other? A compare of two numbers.
    #[inline]
    pub fn reachable(&self, from: &Location, to: &Location) -> bool {
        self.mesh.island(from.polygon()) == self.mesh.island(to.polygon())
    }
}
