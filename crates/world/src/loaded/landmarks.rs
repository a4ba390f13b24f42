//! Rows of landmarks of the chunks that are loaded.

use navbake_format::{LandmarkRow, NavMesh};

use crate::arena::Arena;

/// The rows, by pivot. None in a world without landmarks.
#[derive(Clone, Debug, Default)]
pub(super) struct LoadedLandmarks {
    pub(super) rows: Arena<LandmarkRow>,
}

/// Does a chunk have landmarks of a world, or neither any?
pub(super) fn has_landmarks_of(index: &NavMesh<'_>, chunk: &NavMesh<'_>) -> bool {
    match [index, chunk].map(|mesh| mesh.landmarks()) {
        [None, None] => true,
        [None, Some(_)] => false,
        [Some(_), None] => chunk.polygon_count() == 0,
        [Some(world), Some(own)] => {
            own.shift() == world.shift() && own.count() == chunk.polys().pivots
        }
    }
}

impl LoadedLandmarks {
    /// Notes the rows of a chunk whose first pivot has the number `first` now. `pivots` is the
    /// number of all pivots.
    pub(super) fn put(&mut self, chunk: &NavMesh<'_>, first: u32, pivots: u32) {
        let Some(landmarks) = chunk.landmarks() else {
            return;
        };
        self.rows.lengthen(pivots as usize);
        for (i, row) in (first as usize..).zip(landmarks.rows().iter()) {
            self.rows.set(i, row);
        }
    }
}
