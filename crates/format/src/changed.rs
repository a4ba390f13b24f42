//! The navmesh of a world that changes.

use navbake_navmesh::PolyMesh;
use navbake_navmesh::record::Records;

use crate::index::{IndexPart, SpatialIndex};
use crate::mesh::NavMesh;
use crate::records::BoxRecord;

/// Polygons of several chunks under one numbering, and what searches read beside them.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct ChunkGround<'a> {
    /// Their polygons and edges.
    pub polys: PolyMesh<'a>,
    /// Vertices of all chunks.
    pub vertices: Records<'a, [i32; 3]>,
    /// Boxes over the polygons of all chunks.
    pub nodes: Records<'a, BoxRecord>,
    /// The boxes of each chunk.
    pub parts: Records<'a, IndexPart>,
    /// Least and greatest x, y, z.
    pub bounds: [[i32; 3]; 2],
}

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

    /// The ground of chunks, with the names of this file: an index of a world.
    #[doc(hidden)]
    #[must_use]
    pub fn with_chunks(mut self, ground: &ChunkGround<'a>) -> NavMesh<'a> {
        self.polys = ground.polys;
        self.vertices = ground.vertices;
        self.islands = ground.polys.islands;
        self.index = SpatialIndex::of_parts(ground.nodes, ground.parts);
        [self.least, self.greatest] = ground.bounds;
        self
    }

    /// Vertices as they are stored.
    #[doc(hidden)]
    pub fn vertices(&self) -> Records<'a, [i32; 3]> {
        self.vertices
    }

    /// The navmesh as baked, without the changes of a world.
    #[doc(hidden)]
    #[must_use]
    pub fn baked(&self) -> NavMesh<'a> {
        NavMesh::of(&self.blob, self.class)
    }
}
