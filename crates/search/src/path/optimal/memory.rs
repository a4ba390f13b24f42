//! The memory of an optimal search.

use super::chart::Chart;
use super::cone::{Cone, Root};
use super::heap::Open;

/// Slices for one optimal search at a time. What is in them does not matter, but for the chart, which is the mesh's.
#[derive(Debug, Default)]
pub struct Sight<'a> {
    /// Cones of sight.
    pub cones: &'a mut [Cone],
    /// The open list: as many as cones.
    pub opened: &'a mut [Open],
    /// The start, and corners that paths turn at.
    pub roots: &'a mut [Root],
    /// Where the root of each pivot is, and of the end of each link.
    pub best: &'a mut [u32],
    /// One bit a block.
    pub marks: &'a mut [u64],
    /// Polygons that hold the goal.
    pub ends: &'a mut [u32],
    /// The mesh's borders, by which all path queries are faster. Charts are drawn by [`SearchBuffer`](super::super::SearchBuffer) alone, so optimal paths need the feature `alloc`.
    pub chart: Chart<'a>,
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
            chart: self.chart,
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
    chart: super::chart::ChartBuffer,
}

#[cfg(feature = "alloc")]
impl SightBuffer {
    /// For so many cones.
    pub(in super::super) fn new(chart: super::chart::ChartBuffer, cones: usize) -> SightBuffer {
        use alloc::vec;
        SightBuffer {
            cones: vec![Cone::default(); cones],
            opened: vec![Open::default(); cones],
            roots: vec![Root::default(); cones.min(2 * chart.bends() + 64)],
            best: vec![0; chart.bends()],
            marks: vec![0; chart.blocks().div_ceil(64)],
            ends: vec![0; chart.widest.max(2)],
            chart,
        }
    }

    /// The mesh's chart.
    pub(in super::super) fn chart(&self) -> Chart<'_> {
        self.chart.chart()
    }

    /// For how many cones there is room.
    pub(in super::super) fn cones(&self) -> usize {
        self.cones.len()
    }

    /// Makes room for so many cones. What is there stays.
    pub(in super::super) fn resize(&mut self, cones: usize) {
        self.cones.resize(cones, Cone::default());
        self.opened.resize(cones, Open::default());
        let roots = cones.min(2 * self.chart.bends() + 64);
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
            chart: self.chart.chart(),
        }
    }
}
