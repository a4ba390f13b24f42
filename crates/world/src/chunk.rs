//! Chunks of a world, made ready to be inserted.

use alloc::vec::Vec;

use navbake_format::{Chunk, Header, NavMesh, NavMeshBuf, Records, Seam};
use navbake_navmesh::{Edge, NONE, PolyMesh, Polygon, blocks};

use crate::Error;

/// A chunk of a world, decoded and ready to be inserted.
///
/// Opening the file and making this takes most of the time: it can be done on any thread, while
/// the game runs. [`World::insert_chunk`](crate::World::insert_chunk) copies it.
#[derive(Clone, Debug)]
pub struct ChunkMesh {
    pub(crate) nav: NavMeshBuf,
    pub(crate) chunk: Chunk,
    pub(crate) fingerprint: u64,
    pub(crate) blocks: Blocks,
    /// Seams by their places.
    pub(crate) by_place: Vec<u32>,
}

/// In place of an edge.
pub(crate) const NO_EDGE: Edge = Edge {
    at: [0; 2],
    height: 0,
    vertex: NONE,
    neighbour: NONE,
    twin: 0,
    pivot: NONE,
    block: NONE,
};

/// The blocks of a chunk, by numbers of its own: [`THROUGH`], and others from 1.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    /// For each polygon its block, and its place in the walk that found the blocks.
    pub(crate) polygons: Vec<[u32; 2]>,
    /// The block of each edge.
    pub(crate) edges: Vec<u32>,
    /// The polygon at which each block from 1 is connected to the rest.
    pub(crate) tops: Vec<u32>,
}

/// The block of everything that paths from one side of a chunk to another may cross.
pub(crate) const THROUGH: u32 = 0;

/// The block of pieces that no portal leads to. Blocks of chunks are behind it.
pub(crate) const ALONE: u32 = 1;

impl ChunkMesh {
    /// Makes a decoded chunk ready. O(n) in its edges, and a logarithm for its seams.
    ///
    /// # Errors
    /// [`Error::NoChunk`] for a file that is not a chunk of a world.
    pub fn new(nav: NavMeshBuf) -> Result<ChunkMesh, Error> {
        let mesh = nav.mesh();
        let chunks = mesh.file().chunks();
        // An index has the lengths of the files.
        let is_chunk = |own: &Chunk| chunks.len() == 1 && own.bytes == 0;
        let chunk = chunks.first().filter(is_chunk).ok_or(Error::NoChunk)?;
        if mesh.world_islands().len() != mesh.island_count() as usize {
            return Err(Error::NoChunk);
        }
        let seams = mesh.seams();
        let blocks = Blocks::of(mesh.polys(), seams);
        let mut by_place: Vec<u32> = (0..seams.len() as u32).collect();
        by_place.sort_unstable_by_key(|&i| place(&seams.at(i as usize)));
        let fingerprint = mesh.fingerprint();
        Ok(ChunkMesh { chunk, fingerprint, blocks, by_place, nav })
    }

    /// Its column and row.
    pub fn key(&self) -> [i32; 2] {
        self.chunk.key
    }

    /// Its navmesh alone: at its sides it has walls.
    pub fn nav_mesh(&self) -> NavMesh<'_> {
        self.nav.mesh()
    }

    /// Does it belong to a world?
    pub(crate) fn is_of(&self, world: &NavMesh<'_>) -> bool {
        let own = self.nav.mesh();
        let same = |header: &Header| {
            (header.grid.bits, header.grid.origin, header.level_hash, header.config_hash)
        };
        same(own.file().header()) == same(world.file().header()) && own.class() == world.class()
    }
}

/// What a seam is sorted and found by: where it is, its heights on both sides.
pub(crate) fn place(seam: &Seam) -> ([i32; 3], [i32; 3], [i32; 2]) {
    (seam.from, seam.to, seam.heights)
}

impl Blocks {
    /// Whatever is around the chunk: all seams lead to one place outside.
    ///
    /// What no path through the chunk crosses, a dead end or a room with one door, is a block of
    /// its own as in any mesh.
    fn of(mesh: &PolyMesh<'_>, seams: Records<'_, Seam>) -> Blocks {
        let (mut polygons, mut edges) = with_outside(mesh, seams);
        let tops = blocks::find(&mut polygons, &mut edges);
        // Blocks at the place outside are one.
        let (mut number, mut kept) = (Vec::with_capacity(tops.len()), Vec::new());
        for &top in &tops {
            number.push(match top {
                0 => THROUGH,
                _ => {
                    kept.push(top - 1);
                    kept.len() as u32
                }
            });
        }
        let block = |block: u32| number.get(block as usize).copied().unwrap_or(NONE);
        let inside = &polygons[1..polygons.len() - 1];
        let of_edges = edges[seams.len()..].iter().zip(mesh.edges.iter());
        Blocks {
            polygons: inside.iter().map(|own| [block(own.block), own.order]).collect(),
            edges: of_edges
                .map(|(edge, own)| match own.neighbour {
                    // A seam is a wall until it is joined.
                    NONE => NONE,
                    _ => block(edge.block),
                })
                .collect(),
            tops: kept,
        }
    }
}

/// The polygons and edges of a chunk with a place outside: polygon 0, with an edge for each seam.
fn with_outside(mesh: &PolyMesh<'_>, seams: Records<'_, Seam>) -> (Vec<Polygon>, Vec<Edge>) {
    let around = seams.len() as u32;
    let mut polygons = Vec::with_capacity(mesh.polygons.len() + 1);
    polygons.push(Polygon::new(0));
    polygons.extend(mesh.polygons.iter().map(|own| Polygon::new(own.first + around)));
    let mut edges = Vec::with_capacity(mesh.edges.len() + around as usize);
    edges.extend(seams.iter().map(|seam| Edge {
        neighbour: seam.polygon + 1,
        twin: seam.edge,
        ..NO_EDGE
    }));
    edges.extend(mesh.edges.iter().map(|edge| Edge {
        neighbour: if edge.neighbour == NONE { NONE } else { edge.neighbour + 1 },
        twin: edge.twin,
        ..NO_EDGE
    }));
    for (i, seam) in (0..).zip(seams.iter()) {
        let e = polygons[seam.polygon as usize + 1].first + seam.edge;
        (edges[e as usize].neighbour, edges[e as usize].twin) = (0, i);
    }
    (polygons, edges)
}
