//! The memory of label look-ups.

use super::buckets::Far;
use super::hops::{GroundWay, Hop};
#[cfg(feature = "alloc")]
use super::hops::{HOPS, WAYS};
use super::merge::{EMPTY, Near};
use super::squares::Looked;
use super::visible::{Seen, Window};
use crate::lists::lists;

/// Counters that distinguish new entries from old ones.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clock {
    pub(super) stamp: u32,
    pub(super) epoch: u16,
    /// Work of look-ups, in label entries that are read in the same time. It wraps around.
    pub(super) work: u32,
    /// The squares for which there is room: see [`navbake_format::Labels::squares_key`].
    #[cfg(feature = "alloc")]
    squares: [u64; 3],
}

impl Clock {
    const NONE: Clock = Clock {
        stamp: 0,
        epoch: 0,
        work: 0,
        #[cfg(feature = "alloc")]
        squares: [0; 3],
    };
}

lists! {
    /// Lists for paths by labels. Without them the paths are searched for.
    pub(crate) Tables, TablesVectors, TablesArrays:
    /// By corner: the number of the last look that saw it.
    stamps: [u32] = 0,
    windows: [Window] = Window::NONE,
    /// Corners seen, from either end.
    seen: [Seen] = Seen::NONE,
    from: [Near] = Near::NONE,
    to: [Near] = Near::NONE,
    /// By entry of the grid-cell label of the start.
    looked_from: [Looked] = Looked::NONE,
    /// The same for the goal.
    looked_to: [Looked] = Looked::NONE,
    keys: [u64] = EMPTY,
    /// Corners of a path, twice: the best path and a candidate.
    chain: [u32] = 0,
    spare: [u32] = 0,
    /// Links that may be on the path.
    hops: [Hop] = Hop::NONE,
    ground_ways: [GroundWay] = GroundWay::NONE,
    /// A single one.
    clock: [Clock] = Clock::NONE,
    /// By goal of a row: the shortest path.
    far: [Far] = Far::NONE,
    /// By goal of a row: the length of that path, label units.
    least: [u32] = 0,
}

/// The number of windows that may wait.
/// Each leads over another edge, except for a few that are visible past both sides of an obstacle.
#[cfg(feature = "alloc")]
pub fn windows(polys: &navbake_navmesh::PolyMesh<'_>) -> usize {
    polys.edges.len() + 64
}

#[cfg(feature = "alloc")]
impl TablesVectors {
    /// Makes room for a row of this many goals.
    pub(crate) fn extend_row(&mut self, goals: usize) {
        use crate::lists::extend;
        extend(&mut self.far, goals);
        extend(&mut self.least, goals);
    }

    /// Makes room for the labels of a mesh, if it has any.
    pub(crate) fn extend(&mut self, mesh: &navbake_format::NavMesh<'_>) {
        use crate::lists::extend;
        // Reading the layout again takes longer than a short search.
        let baked = mesh.polys().is_changed().then(|| mesh.baked());
        let polys = baked.as_ref().unwrap_or(mesh).polys();
        let count = polys.corners as usize;
        let Some(labels) = mesh.labels().filter(|l| l.corner_count() as usize == count) else {
            return;
        };
        let seen = count.min(usize::from(u16::MAX));
        extend(&mut self.stamps, count);
        extend(&mut self.windows, windows(polys));
        extend(&mut self.seen, seen);
        extend(&mut self.from, seen);
        extend(&mut self.to, seen);
        extend(&mut self.clock, 1);
        // Counting the views of all squares takes longer than a path.
        let squares = labels.squares_key();
        if self.clock[0].squares != squares {
            extend(&mut self.looked_from, labels.most_square_views());
            extend(&mut self.looked_to, labels.most_square_views());
            self.clock[0].squares = squares;
        }
        if self.keys.len() < count {
            self.keys.resize(count, EMPTY);
        }
        if mesh.link_count() > 0 && self.hops.is_empty() {
            self.hops.resize(HOPS, Hop::NONE);
            self.ground_ways.resize(WAYS, GroundWay::NONE);
        }
        extend(&mut self.chain, 2 * count + 2);
        extend(&mut self.spare, 2 * count + 2);
    }
}
