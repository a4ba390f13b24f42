//! What a tile's job is for, and what it gives.

use navbake_mesh::Patch;

/// What a job is for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) tile: usize,
    pub(crate) class: usize,
}

/// What a job gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TileResult {
    /// Polygons, a patch for each layer.
    pub(crate) patches: Vec<Patch>,
    /// What was noticed.
    pub(crate) notes: Vec<TileNote>,
}

/// A warning about a tile, without its place.
///
/// A place needs the agent's name and the grid's origin, which are not part of a content key. It is
/// added when the result is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TileNote {
    /// A stable code.
    pub(crate) code: String,
    /// What was found and what was done about it.
    pub(crate) message: String,
}
