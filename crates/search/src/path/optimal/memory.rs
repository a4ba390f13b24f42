//! The memory of an optimal search.

#[cfg(feature = "alloc")]
use navbake_format::NavMesh;

use super::cone::{Cone, Root};
use super::heap::Open;

/// Slices for one optimal search at a time.
/// Their contents do not matter when a search begins.
#[derive(Debug, Default)]
pub struct Sight<'a> {
    /// Cones of sight.
    pub cones: &'a mut [Cone],
    /// The open list: as long as `cones`.
    pub opened: &'a mut [Open],
    /// The start, and corners where paths turn.
    pub roots: &'a mut [Root],
    /// The root of each pivot and of each link's end.
    pub best: &'a mut [u32],
    /// One bit for each biconnected component.
    pub marks: &'a mut [u64],
    /// Polygons that hold the goal.
    pub ends: &'a mut [u32],
}

impl Sight<'_> {
    /// Lends the slices on.
    pub(in super::super) fn lend(&mut self) -> Sight<'_> {
        Sight {
            cones: self.cones,
            opened: self.opened,
            roots: self.roots,
            best: self.best,
            marks: self.marks,
            ends: self.ends,
        }
    }
}

/// A [`Sight`] that owns its memory.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub(in super::super) struct SightBuffer {
    cones: alloc::vec::Vec<Cone>,
    opened: alloc::vec::Vec<Open>,
    roots: alloc::vec::Vec<Root>,
    best: alloc::vec::Vec<u32>,
    marks: alloc::vec::Vec<u64>,
    ends: alloc::vec::Vec<u32>,
    /// Number of places where paths can turn: pivots and ends of links.
    bends: usize,
}

#[cfg(feature = "alloc")]
impl SightBuffer {
    /// Memory for a mesh and this many cones.
    pub(in super::super) fn new(mesh: &NavMesh<'_>, cones: usize) -> SightBuffer {
        use alloc::vec;
        let polys = mesh.polys();
        let bends = polys.pivots as usize + mesh.link_count() as usize;
        SightBuffer {
            cones: vec![Cone::default(); cones],
            opened: vec![Open::default(); cones],
            roots: vec![Root::default(); cones.min(2 * bends + 64)],
            best: vec![0; bends],
            marks: vec![0; polys.tops.len().div_ceil(64)],
            ends: vec![0; (polys.widest as usize).max(2)],
            bends,
        }
    }

    /// The number of cones that fit.
    pub(in super::super) fn cones(&self) -> usize {
        self.cones.len()
    }

    /// Makes room for this many cones. The contents stay.
    pub(in super::super) fn resize(&mut self, cones: usize) {
        self.cones.resize(cones, Cone::default());
        self.opened.resize(cones, Open::default());
        let roots = cones.min(2 * self.bends + 64);
        self.roots.resize(roots, Root::default());
    }

    pub(in super::super) fn sight(&mut self) -> Sight<'_> {
        Sight {
            cones: &mut self.cones,
            opened: &mut self.opened,
            roots: &mut self.roots,
            best: &mut self.best,
            marks: &mut self.marks,
            ends: &mut self.ends,
        }
    }
}
