//! The navmesh of a world that changes, and of its chunks.

use navbake_grid::PolyId;
use navbake_navmesh::PolyMesh;
use navbake_navmesh::record::Records;

use crate::index::{IndexPart, SpatialIndex};
use crate::mesh::NavMesh;
use crate::records::BoxRecord;
use crate::section::Section;
use crate::sections::labels::{Hash, mesh_hash};
use crate::sections::{DoorsLinks, LandmarkRow, LoadedPortal, Seam};

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
    /// Where the ground goes on in chunks.
    pub beyond: Beyond<'a>,
    /// The room of the world of each polygon, where the index has rooms.
    pub room_of: Records<'a, u32>,
    /// The portals of doors, by door.
    pub portals: Records<'a, LoadedPortal>,
    /// Doors, closures and links.
    pub doors_links: DoorsLinks<'a>,
    /// By pivot, where the index has landmarks.
    pub landmarks: Records<'a, LandmarkRow>,
}

/// Where ground that is loaded goes on in chunks. Empty on a mesh that is not in chunks.
#[doc(hidden)]
#[derive(Clone, Copy, Default)]
pub struct Beyond<'a> {
    /// For each island of a chunk the island of the world that it is part of.
    pub islands: Records<'a, u32>,
    /// Where the ground of the chunks that are loaded goes on.
    pub exits: Records<'a, Exit>,
    /// By the number of a chunk in the index: 1 where it is loaded.
    pub loaded: Records<'a, u32>,
}

navbake_navmesh::record! {
    /// An edge at the side of a chunk, or a link to another, by the numbers of now.
    #[doc(hidden)]
    #[derive(Debug, PartialEq, Eq)]
    pub struct Exit: 20 {
        pub polygon: u32,
        /// The edge; [`NONE`](navbake_navmesh::NONE) for a link.
        pub edge: u32,
        /// Where the link begins.
        pub at: [i32; 2],
        /// The chunk beyond, by its number in the index.
        pub beyond: u32,
    }
}

impl<'a> NavMesh<'a> {
    /// The same navmesh with other polygons: those of a world that changes.
    ///
    /// Labels stay, for paths that no change touches, and landmarks: obstacles only take ground, so
    /// their bounds hold. A piece is in the room of its polygon.
    #[doc(hidden)]
    #[must_use]
    pub fn with_polys(mut self, polys: PolyMesh<'a>) -> NavMesh<'a> {
        self.rooms = self.rooms.map(|rooms| rooms.with_pieces(polys.pieces));
        self.polys = polys;
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
        self.beyond = ground.beyond;
        self.doors_links = ground.doors_links;
        self.landmarks = self.landmarks.map(|own| own.with_rows(ground.landmarks));
        self.rooms = self.rooms.map(|rooms| rooms.with_loaded(ground.room_of, ground.portals));
        self
    }

    /// Is it the ground of chunks, of which some may not be loaded?
    #[doc(hidden)]
    #[inline]
    pub fn is_in_chunks(&self) -> bool {
        !self.beyond.loaded.is_empty()
    }

    /// May two polygons that no path over loaded ground connects be connected once more chunks are
    /// loaded? O(exits).
    #[doc(hidden)]
    pub fn goes_on(&self, from: PolyId, to: PolyId) -> bool {
        let [a, b] = [from, to].map(|polygon| self.world_island(polygon));
        a.is_some() && a == b && self.exits(from).next().is_some()
    }

    /// Where the ground that may be connected with a polygon goes on in a chunk that is not loaded.
    /// It is that of the bake, without obstacles. O(exits).
    #[doc(hidden)]
    pub fn exits(&self, from: PolyId) -> impl Iterator<Item = Exit> + use<'_, 'a> {
        let island = self.world_island(from);
        let open = |exit: &Exit| self.beyond.loaded.get(exit.beyond as usize) == Some(0);
        let own = move |exit: &Exit| self.world_island(PolyId(exit.polygon)) == island;
        self.beyond.exits.iter().filter(open).filter(own)
    }

    /// Is a place of the ground plane in a chunk that is not loaded? O(log chunks).
    #[doc(hidden)]
    pub fn is_missing(&self, place: [i32; 2]) -> bool {
        self.chunk_at(place).is_some_and(|number| !self.is_chunk_loaded(number))
    }

    /// Is a chunk loaded, by its number in the index?
    #[doc(hidden)]
    pub fn is_chunk_loaded(&self, number: usize) -> bool {
        self.beyond.loaded.get(number) == Some(1)
    }

    /// The island of the world that a polygon is part of.
    #[doc(hidden)]
    pub fn world_island(&self, polygon: PolyId) -> Option<u32> {
        self.beyond.islands.get(self.slot(polygon) as usize)
    }

    /// The chunk of a place of the ground plane, by its number in the index. O(log chunks).
    #[doc(hidden)]
    pub fn chunk_at(&self, [x, z]: [i32; 2]) -> Option<usize> {
        if !self.is_in_chunks() {
            return None;
        }
        let table = self.file().chunks();
        let side = table.first().map_or(1, |chunk| chunk.side.max(1)) as i32;
        let (column, row) = (x.div_euclid(side), z.div_euclid(side));
        table.find((row, column), |chunk| (chunk.key[1], chunk.key[0]))
    }

    /// The island of its chunk that a polygon is part of.
    fn slot(&self, polygon: PolyId) -> u32 {
        self.polys.polygon(polygon.0).map_or(u32::MAX, |own| own.island)
    }

    /// Edges of a chunk behind which the ground goes on in another chunk, by polygon and edge.
    pub fn seams(&self) -> Records<'a, Seam> {
        self.blob.records(Section::SEAMS, self.class)
    }

    /// For each island of a chunk the island of the world that it is part of.
    pub fn world_islands(&self) -> Records<'a, u32> {
        self.blob.records(Section::WORLD_ISLANDS, self.class)
    }

    /// Vertices as they are stored.
    #[doc(hidden)]
    pub fn vertices(&self) -> Records<'a, [i32; 3]> {
        self.vertices
    }

    /// A hash of the bake and of the baked ground, and of the chunks that an index names: two
    /// meshes with one fingerprint are the same ground, unless they were made to deceive.
    #[doc(hidden)]
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Hash::default();
        let header = self.blob.header();
        hash.bytes(&header.level_hash);
        hash.bytes(&header.config_hash);
        hash.add(u64::from(self.class));
        hash.add(mesh_hash(&self.blob, self.class));
        for (section, class) in [
            (Section::CHUNKS, 0),
            (Section::SEAMS, self.class),
            (Section::WORLD_ISLANDS, self.class),
        ] {
            hash.bytes(self.blob.section(section, class).map_or(&[], |(_, bytes)| bytes));
        }
        // Chunks without such links have the fingerprints of versions that knew none.
        if let Some((_, bytes)) = self.blob.section(Section::FAR_LINKS, self.class) {
            hash.bytes(bytes);
        }
        hash.0
    }

    /// The navmesh as baked, without the changes of a world.
    #[doc(hidden)]
    #[must_use]
    pub fn baked(&self) -> NavMesh<'a> {
        NavMesh::of(&self.blob, self.class)
    }
}
