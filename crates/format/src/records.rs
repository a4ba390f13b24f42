//! Records of the packed mesh, as stored in the file.

use navbake_navmesh::record;

/// Vertices in a block.
pub(crate) const BLOCK: usize = 64;
/// Polygons in a group.
pub(crate) const GROUP: usize = 16;
/// How many polygons before a group's first one the range of one-byte neighbour codes begins.
pub(crate) const BEFORE: u32 = 56;
/// In a one-byte code: an element of `far`, with its number in the low bits.
pub(crate) const FAR: u8 = 0x80;
/// The fewest corners of a polygon.
pub(crate) const LEAST_CORNERS: u32 = 3;
/// With this many corners more than the fewest, or above, `far` stores the number of corners.
pub(crate) const LARGE: u32 = 15;

record! {
    /// Section `mesh`: bounds, number of polygons and vertices.
    pub(crate) struct MeshRecord: 32 {
        pub(crate) least: [i32; 3],
        pub(crate) greatest: [i32; 3],
        pub(crate) polygons: u32,
        pub(crate) vertices: u32,
    }
}

record! {
    /// Section `vertex-blocks`.
    pub(crate) struct VertexBlock: 14 {
        pub(crate) base: [u16; 3],
        pub(crate) split: u32,
        pub(crate) first: u32,
    }
}

record! {
    /// Section `index`: a box within the box above.
    ///
    /// Each side is given by how far it is inside of that one's, in 1/256 of its extent, rounded
    /// outwards.
    #[derive(Debug)]
    pub struct BoxRecord: 6 {
        pub(crate) least: [u8; 3],
        pub(crate) greatest: [u8; 3],
    }
}

record! {
    /// Section `height-mesh-of`, element size 4: a run of polygons with one height mesh.
    ///
    /// It ends before the next run's first polygon. `height mesh` is 1 + the height mesh, 0 for none.
    pub(crate) struct ShortRun: 4 { pub(crate) first: u16, pub(crate) height_mesh: u16 }
}

record! {
    /// Section `height-mesh-of`, element size 8: as [`ShortRun`].
    pub(crate) struct LongRun: 8 { pub(crate) first: u32, pub(crate) height_mesh: u32 }
}
