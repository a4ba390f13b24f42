//! Chunks of a world: the sections `chunks`, `seams` and `world-islands`.
//!
//! The index of a world is a file without polygons that lists all chunks; the file of a chunk lists
//! itself. Polygons of a chunk end at its sides. Where the ground goes on in another chunk the edge
//! is a wall of this file, and a seam says which edge of the other chunk is its twin.

use navbake_grid::PolyId;
use navbake_navmesh::record::Records;

use crate::packed_mesh::NavMeshView;
use crate::place::{BLOB, Checked, Element, Place};
use crate::{Blob, CheckedBlob, Section};

navbake_navmesh::record! {
    /// Section `chunks`.
    #[derive(Debug, PartialEq, Eq)]
    pub struct Chunk: 84 {
        /// Column and row: it covers `column * side` to `(column + 1) * side` along x, rows
        /// likewise along z.
        pub key: [i32; 2],
        /// Side of a chunk, grid units.
        pub side: u32,
        /// Least x, y, z of its ground, grid units.
        pub least: [i32; 3],
        /// Greatest x, y, z of its ground.
        pub greatest: [i32; 3],
        /// Polygons of all agent classes.
        pub polygons: u32,
        /// Islands of the whole world, of the class that has most.
        pub islands: u32,
        /// Length of its file in bytes; 0 in that file.
        pub bytes: u64,
        /// BLAKE3 of its file; zeros in that file.
        pub hash: [u8; 32],
    }
}

navbake_navmesh::record! {
    /// Section `seams`: an edge at the side of a chunk, behind which the ground goes on in another
    /// chunk.
    #[derive(Debug, PartialEq, Eq)]
    pub struct Seam: 48 {
        /// The polygon.
        pub polygon: u32,
        /// The number of its edge.
        pub edge: u32,
        /// The other chunk.
        pub beyond: [i32; 2],
        /// Where the edge begins: x, y, z, grid units.
        pub from: [i32; 3],
        /// Where it ends.
        pub to: [i32; 3],
        /// Heights of the other chunk's edge where this one begins and ends: they differ at a step.
        pub heights: [i32; 2],
    }
}

impl Seam {
    /// What the edge of the other chunk has as `from`, `to` and `heights`.
    pub fn twin(&self) -> ([i32; 3], [i32; 3], [i32; 2]) {
        let ([ax, ay, az], [bx, by, bz], [a, b]) = (self.from, self.to, self.heights);
        ([bx, b, bz], [ax, a, az], [by, ay])
    }
}

impl Chunk {
    /// Is this the row of an index for a chunk, as its own file describes it?
    pub fn is_of(&self, own: &Chunk) -> bool {
        Chunk { bytes: own.bytes, hash: own.hash, ..*self } == *own
    }

    /// The name of its file, in the folder of the index: what it holds is part of it, so that a
    /// world that is baked again leaves the files of the one before as they are.
    #[cfg(feature = "alloc")]
    pub fn file_name(&self) -> alloc::string::String {
        use core::fmt::Write;
        let [column, row] = self.key;
        let mut name = alloc::format!("{column}_{row}-");
        for byte in &self.hash[..8] {
            // A string takes all that is written to it.
            let _ = write!(name, "{byte:02x}");
        }
        name.push_str(".nav");
        name
    }
}

impl<'a> CheckedBlob<'a> {
    /// The chunks of a world, by row and column, or the chunk that this is; none in other files.
    pub fn chunks(&self) -> Records<'a, Chunk> {
        self.blob().records(Section::CHUNKS, 0)
    }

    /// Is it the index of a world in chunks?
    pub fn is_index(&self) -> bool {
        is_index(&self.blob())
    }
}

/// Is it the index of a world in chunks?
pub(crate) fn is_index(blob: &Blob<'_>) -> bool {
    // The file of a chunk states no length for itself.
    blob.records::<Chunk>(Section::CHUNKS, 0).first().is_some_and(|chunk| chunk.bytes > 0)
}

/// Chunks are sorted, of one side, and within it.
pub(crate) fn check(blob: &Blob<'_>) -> Checked {
    let all = blob.records::<Chunk>(Section::CHUNKS, 0);
    let side = all.first().map_or(0, |chunk| chunk.side);
    let mut last = None;
    for (it, chunk) in BLOB.each(Section::CHUNKS, all.iter()) {
        let [column, row] = chunk.key;
        let place = Some((row, column));
        it.refuse(last >= place, column, "chunks sorted by row and column, each once")?;
        last = place;
        it.refuse(chunk.side != side || side == 0, chunk.side, "one side above 0 for all chunks")?;
        it.coordinates(&chunk.least)?;
        it.coordinates(&chunk.greatest)?;
        within(&it, &chunk)?;
    }
    Ok(())
}

/// The bounds of a chunk are within its sides.
fn within(it: &Element, chunk: &Chunk) -> Checked {
    for (k, axis) in [(0, 0), (1, 2)] {
        let (least, greatest) = (chunk.least[axis], chunk.greatest[axis]);
        let low = i64::from(chunk.key[k]) * i64::from(chunk.side);
        let high = low + i64::from(chunk.side);
        let is_within = low <= least.into() && least <= greatest && i64::from(greatest) <= high;
        it.refuse(!is_within, least, "bounds of ground within the sides of the chunk")?;
    }
    it.refuse(chunk.least[1] > chunk.greatest[1], chunk.least[1], "the least height first")
}

/// Seams are walls at the corners that they state, and islands have a number each.
pub(crate) fn check_class(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let chunks = blob.records::<Chunk>(Section::CHUNKS, 0);
    let islands = blob.records::<u32>(Section::WORLD_ISLANDS, at.class);
    let seams = blob.records::<Seam>(Section::SEAMS, at.class);
    let own = match (chunks.len(), chunks.first()) {
        (1, Some(own)) if !islands.is_empty() || mesh.polygon_count() == 0 => own,
        _ => {
            let expected = "seams and islands in the file of one chunk";
            return at.alone(blob, [Section::SEAMS, Section::WORLD_ISLANDS], expected);
        }
    };
    let (found, wanted) = (islands.len(), mesh.island_count() as usize);
    let expected = "an island of the world for each island";
    at.refuse(found != wanted, Section::WORLD_ISLANDS, 0, found, expected)?;
    for (it, island) in at.each(Section::WORLD_ISLANDS, islands.iter()) {
        it.refuse(island >= own.islands, island, "an island of the world")?;
    }
    let mut last = None;
    for (it, seam) in at.each(Section::SEAMS, seams.iter()) {
        let (p, k) = (seam.polygon, seam.edge);
        it.refuse(p >= mesh.polygon_count(), p, "a polygon")?;
        let polygon = mesh.polygon(PolyId(p));
        it.refuse(k >= polygon.len(), k, "an edge of its polygon")?;
        it.refuse(polygon.neighbour(k).is_some(), k, "an edge without a neighbour")?;
        it.refuse(last >= Some((p, k)), p, "seams sorted by polygon and edge, each once")?;
        last = Some((p, k));
        let ends = [k, polygon.next(k)].map(|k| polygon.point(k));
        it.refuse(ends != [seam.from, seam.to], k, "the ends of its edge")?;
        it.refuse(seam.beyond == own.key, seam.beyond[0], "another chunk")?;
        it.coordinates(&seam.heights)?;
    }
    Ok(())
}
