//! The purpose of a tile's job, and its result.

use navbake_mesh::Patch;
use navbake_walkable::NarrowPassage;

/// The purpose of a job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) tile: usize,
    pub(crate) class: usize,
}

/// The result of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TileResult {
    /// Polygons, a patch for each layer.
    pub(crate) patches: Vec<Patch>,
    /// The warnings.
    pub(crate) notes: Vec<TileNote>,
    /// Passages about as wide as the agent.
    pub(crate) narrow: Vec<NarrowPassage>,
}

/// A warning about a tile, without its place.
///
/// A place needs the agent's name and the grid's origin, which are not part of a content key. It is
/// added when the result is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TileNote {
    /// A stable code.
    pub(crate) code: String,
    /// The problem, and what the bake did about it.
    pub(crate) message: String,
}
