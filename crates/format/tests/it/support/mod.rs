//! One mesh in a blob of its own.

use navbake_format::write::{BlobParts, EncodeError, MeshParts, encode};

pub(crate) const NONE: u32 = u32::MAX;

pub(crate) fn one(mesh: MeshParts<'_>) -> Result<Vec<u8>, EncodeError> {
    encode(&BlobParts { meshes: &[mesh], ..BlobParts::default() })
}

/// Unit squares of 1024 units, numbered from the right to the left, so that the writer turns the
/// order round.
#[derive(Default)]
pub(crate) struct Squares {
    pub(crate) vertices: Vec<[i32; 3]>,
    pub(crate) first_edge: Vec<u32>,
    pub(crate) corners: Vec<u32>,
    pub(crate) neighbours: Vec<u32>,
    pub(crate) islands: Vec<u32>,
}

impl Squares {
    /// A strip of squares along x that share their edges.
    pub(crate) fn strip(count: u32) -> Squares {
        let mut strip = Squares { first_edge: vec![0], ..Squares::default() };
        for k in 0..=count {
            let x = 1024 * (count - k) as i32;
            strip.vertices.extend([[x, 0, 0], [x, 0, 1024]]);
        }
        for k in 0..count {
            // From the upper right corner on: right, top, left, bottom (seen from above, z towards
            // the viewer).
            let (right, left) = (2 * k, 2 * (k + 1));
            strip.corners.extend([right, left, left + 1, right + 1]);
            let before = if k == 0 { NONE } else { k - 1 };
            let after = if k + 1 == count { NONE } else { k + 1 };
            strip.neighbours.extend([NONE, after, NONE, before]);
            strip.first_edge.push(4 * (k + 1));
            strip.islands.push(0);
        }
        strip
    }

    /// Squares apart from each other, each an island.
    pub(crate) fn apart(count: u32) -> Squares {
        let left = |k: u32| 2048 * (count - 1 - k) as i32;
        Squares {
            vertices: (0..count)
                .flat_map(|k| [[0, 0], [0, 1024], [1024, 1024], [1024, 0]].map(|d| (left(k), d)))
                .map(|(x, [dx, z])| [x + dx, 0, z])
                .collect(),
            first_edge: (0..=count).map(|k| 4 * k).collect(),
            corners: (0..4 * count).collect(),
            neighbours: vec![NONE; 4 * count as usize],
            islands: (0..count).collect(),
        }
    }

    pub(crate) fn parts(&self) -> MeshParts<'_> {
        MeshParts {
            vertices: &self.vertices,
            first_edge: &self.first_edge,
            corners: &self.corners,
            neighbours: &self.neighbours,
            islands: &self.islands,
            ..MeshParts::default()
        }
    }
}
