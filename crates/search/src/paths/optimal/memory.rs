//! The memory of an optimal search.

use super::cone::{Cone, Root};
use super::goals::Settled;
use super::heap::Open;
use super::notes::Note;
use crate::lists::lists;

lists! {
    /// Lists of one optimal search at a time.
    pub(crate) Sight, SightVectors, SightArrays:
    /// Cones of sight.
    cones: [Cone] = Cone::NONE,
    /// The open list: as long as `cones`.
    opened: [Open] = Open { f: 0.0, cone: 0 },
    /// The start, and corners where paths turn.
    roots: [Root] = Root { point: [0; 2], pivot: 0, before: 0, g: 0.0 },
    /// The root of each pivot and of each link's end.
    best: [u32] = 0,
    /// The length noted for each pivot, and before them the number of the last search.
    notes: [Note] = Note::NONE,
    /// One bit for each biconnected component.
    marks: [u64] = 0,
    /// Polygons that hold the goal.
    ends: [u32] = 0,
    /// By goal, of a search for all goals: the shortest path seen.
    settled: [Settled] = Settled::NONE,
}

#[cfg(feature = "alloc")]
impl SightVectors {
    /// Makes room for a mesh, for `bends` places where its paths can turn, and for `cones` cones.
    /// The contents stay.
    pub(crate) fn extend(
        &mut self,
        mesh: &navbake_format::NavMesh<'_>,
        bends: usize,
        cones: usize,
    ) {
        use crate::lists::extend;
        let polys = mesh.polys();
        extend(&mut self.cones, cones);
        extend(&mut self.opened, cones);
        extend(&mut self.roots, cones.min(2 * bends + 64));
        extend(&mut self.best, bends);
        extend(&mut self.notes, polys.pivots as usize + 1);
        extend(&mut self.marks, polys.tops.len().div_ceil(64));
        extend(&mut self.ends, (polys.widest as usize).max(2));
    }
}
