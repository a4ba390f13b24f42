//! Triangle meshes.

/// A triangle mesh, y-up metres.
#[derive(Clone, Debug, Default)]
pub(super) struct Soup {
    pub(super) vertices: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Soup {
    /// Are all numbers the same, to the last bit?
    pub(super) fn is(&self, other: &Soup) -> bool {
        let all = self.vertices.as_flattened().iter().zip(other.vertices.as_flattened());
        self.triangles == other.triangles
            && self.vertices.len() == other.vertices.len()
            && all.map(|(a, b)| a.to_bits() ^ b.to_bits()).fold(0, |any, one| any | one) == 0
    }
}
