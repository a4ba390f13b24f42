//! Triangle meshes.

/// A triangle mesh, y-up metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Soup {
    pub(super) vertices: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
}
