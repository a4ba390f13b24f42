//! The navmesh of a world that changes.

use navbake_navmesh::PolyMesh;

use crate::mesh::NavMesh;

impl<'a> NavMesh<'a> {
    /// The same navmesh with other polygons: those of a world that changes.
    ///
    /// Rooms and landmarks are left out: their distances are those of the mesh as baked. Labels
    /// stay, for paths that no change touches.
    #[doc(hidden)]
    #[must_use]
    pub fn with_polys(mut self, polys: PolyMesh<'a>) -> NavMesh<'a> {
        (self.polys, self.rooms, self.landmarks) = (polys, None, None);
        self
    }

    /// The navmesh as baked, without the changes of a world.
    #[doc(hidden)]
    #[must_use]
    pub fn baked(&self) -> NavMesh<'a> {
        NavMesh::of(&self.blob, self.class)
    }
}
