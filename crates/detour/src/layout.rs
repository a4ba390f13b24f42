//! Numbers that the writer and the reader share.

/// `MSET`: a file of tiles.
pub(crate) const MSET: u32 = 0x4D53_4554;

/// `TSET`: a file of compressed tile-cache layers.
pub(crate) const TSET: u32 = 0x5453_4554;

/// The version of both files.
pub(crate) const FILE_VERSION: i32 = 1;

/// The header of an `MSET` file.
pub(crate) const FILE_HEAD: usize = 40;

/// `DNAV`: tile data.
pub(crate) const TILE_MAGIC: u32 = 0x444E_4156;

/// The version of tile data.
pub(crate) const TILE_VERSION: i32 = 7;

/// The header of a tile.
pub(crate) const TILE_HEAD: usize = 100;

/// Marks a neighbour that is a side of the tile.
pub(crate) const PORTAL: u16 = 0x8000;

/// Bits of a 32-bit reference that tiles and polygons share; the rest is a counter of at least 10.
pub(crate) const INDEX_BITS: u32 = 22;

/// Bits needed for `n` numbers, as Detour counts them.
pub(crate) fn bits(n: u32) -> u32 {
    n.max(1).next_power_of_two().trailing_zeros()
}

/// The header of a tile after its magic and version, in the order of its fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Head {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) layer: i32,
    pub(crate) user: u32,
    pub(crate) polygons: i32,
    pub(crate) vertices: i32,
    pub(crate) links: i32,
    pub(crate) detail_meshes: i32,
    pub(crate) detail_vertices: i32,
    pub(crate) detail_triangles: i32,
    pub(crate) nodes: i32,
    pub(crate) connections: i32,
    /// The number of polygons that are ground; they come first.
    pub(crate) ground: i32,
    /// Height, radius and climb of the agent, m.
    pub(crate) agent: [f32; 3],
    pub(crate) least: [f32; 3],
    pub(crate) greatest: [f32; 3],
    /// Steps of the tree of boxes in a metre.
    pub(crate) factor: f32,
}

impl Head {
    /// Its bytes after magic and version.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let counts = [
            self.x,
            self.y,
            self.layer,
            self.user as i32,
            self.polygons,
            self.vertices,
            self.links,
            self.detail_meshes,
            self.detail_vertices,
            self.detail_triangles,
            self.nodes,
            self.connections,
            self.ground,
        ];
        out.extend(counts.map(i32::to_le_bytes).as_flattened());
        for values in [self.agent, self.least, self.greatest] {
            out.extend(values.map(f32::to_le_bytes).as_flattened());
        }
        out.extend(self.factor.to_le_bytes());
    }
}
