//! The memory of label look-ups, owned.

use alloc::vec::Vec;
use navbake_navmesh::PolyMesh;

use navbake_format::NavMesh;

use super::merge::{EMPTY, Near};
use super::squares::Looked;
use super::visible::{Seen, Window};
use super::{Clock, Tables};

/// [`Tables`] that own their memory; empty for a mesh without labels.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct TablesBuffer {
    stamps: Vec<u32>,
    windows: Vec<Window>,
    seen: Vec<Seen>,
    from: Vec<Near>,
    to: Vec<Near>,
    looked: [Vec<Looked>; 2],
    keys: Vec<u64>,
    chain: Vec<u32>,
    spare: Vec<u32>,
    clock: Clock,
}

impl TablesBuffer {
    pub(in super::super) fn new(mesh: &NavMesh<'_>) -> TablesBuffer {
        use alloc::vec;
        let polys = mesh.polys();
        let count = polys.corners as usize;
        let labels = mesh.labels();
        let Some(labels) = labels.filter(|l| l.corner_count() as usize == count) else {
            return TablesBuffer::default();
        };
        let seen = count.min(usize::from(u16::MAX));
        TablesBuffer {
            stamps: vec![0; count],
            windows: vec![Window::default(); windows(polys)],
            seen: vec![Seen::default(); seen],
            from: vec![Near::default(); seen],
            to: vec![Near::default(); seen],
            looked: [(); 2].map(|()| vec![Looked::default(); labels.most_square_views()]),
            keys: vec![EMPTY; count],
            chain: vec![0; 2 * count + 2],
            spare: vec![0; 2 * count + 2],
            clock: Clock::default(),
        }
    }

    pub(in super::super) fn tables(&mut self) -> Tables<'_> {
        Tables {
            stamps: &mut self.stamps,
            windows: &mut self.windows,
            seen: &mut self.seen,
            from: &mut self.from,
            to: &mut self.to,
            looked: self.looked.each_mut().map(|l| &mut l[..]),
            keys: &mut self.keys,
            chain: &mut self.chain,
            spare: &mut self.spare,
            clock: Some(&mut self.clock),
        }
    }
}

/// The number of windows that may wait.
/// Each leads over another edge, except for a few that are visible past both sides of an obstacle.
pub(super) fn windows(polys: &PolyMesh<'_>) -> usize {
    polys.edges.len() + 64
}
