//! The memory of a grid search, owned by the caller.

use navbake_format::{CellId, GridMapView};

use crate::GridLeg;

/// A state of a search: a cell, or a cell and the direction it was entered in.
#[derive(Clone, Copy, Debug, Default)]
pub struct GridNode {
    /// Cost from the start.
    pub(crate) g: u64,
    /// Its cell, and with penalties for turns its direction.
    pub(crate) state: u32,
    /// The node that it was entered from.
    pub(crate) parent: u32,
    /// Its place in the order of expansion, from 1 on; 0 while it is open.
    pub(crate) closed: u32,
    /// The direction of the step into it.
    pub(crate) direction: u8,
}

impl GridNode {
    /// The cost of a state that the limit of the open list pushed out.
    pub(crate) const DROPPED: u64 = u64::MAX;
}

/// An entry of the open list.
#[derive(Clone, Copy, Debug, Default)]
pub struct GridOpen {
    /// Estimated total.
    pub(crate) f: u64,
    /// Cost from the start when it was put in.
    pub(crate) g: u64,
    pub(crate) state: u32,
    pub(crate) node: u32,
}

impl GridOpen {
    /// Has the node neither been improved nor closed since?
    #[inline]
    pub(crate) fn is_current(&self, nodes: &[GridNode]) -> bool {
        nodes.get(self.node as usize).is_some_and(|n| n.g == self.g && n.closed == 0)
    }
}

/// A goal of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct GridGoal {
    /// Its cell; [`GridGoal::NOWHERE`] when it cannot be entered.
    pub(crate) cell: CellId,
    pub(crate) column: i32,
    pub(crate) row: i32,
    /// Its place in the request.
    pub(crate) index: u32,
}

impl GridGoal {
    /// No cell.
    pub(crate) const NOWHERE: CellId = CellId(u32::MAX);

    /// At a cell.
    pub(crate) fn at(map: &GridMapView<'_>, cell: CellId) -> GridGoal {
        let [column, row] = map.column_row(cell).map(|c| c as i32);
        GridGoal { cell, column, row, index: 0 }
    }

    /// Squared distance in cells.
    pub(crate) fn apart(&self, other: &GridGoal) -> u64 {
        let square = |d: u32| u64::from(d) * u64::from(d);
        square(self.column.abs_diff(other.column)) + square(self.row.abs_diff(other.row))
    }
}

/// How long the slices of a [`GridScratch`] should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridScratchSize {
    /// For [`GridScratch::slots`]: one an id of the map, nine times as many for searches with
    /// penalties for turns.
    pub slots: usize,
    /// For [`GridScratch::nodes`]. Fewer than free cells (nine times as many with penalties for
    /// turns) are allowed: a search that needs more ends with
    /// [`Status::OutOfNodes`](navbake_search::Status::OutOfNodes).
    pub nodes: usize,
    /// For [`GridScratch::open`]: half as many again as nodes.
    pub open: usize,
    /// For [`GridScratch::goals`]: one a goal.
    pub goals: usize,
    /// For [`GridScratch::cells`]: as many as free cells.
    pub cells: usize,
    /// For [`GridScratch::links`]: the most links of a path.
    pub links: usize,
}

impl GridScratchSize {
    /// Enough for every search on the map without penalties for turns.
    pub fn of(map: &GridMapView<'_>) -> GridScratchSize {
        GridScratchSize::with_nodes(map, map.free_count() as usize)
    }

    /// Enough for every search on the map.
    pub fn with_turns(map: &GridMapView<'_>) -> GridScratchSize {
        let size = GridScratchSize::with_nodes(map, 9 * map.free_count() as usize);
        GridScratchSize { slots: 9 * size.slots, ..size }
    }

    /// With this many nodes, for searches without turn penalties.
    pub fn with_nodes(map: &GridMapView<'_>, nodes: usize) -> GridScratchSize {
        GridScratchSize {
            slots: map.id_count() as usize,
            nodes,
            open: nodes + nodes / 2 + 8,
            goals: 64,
            cells: nodes.max(map.free_count() as usize),
            links: 256,
        }
    }
}

/// Slices for one search at a time. What is in them does not matter: each search begins anew, in
/// constant time. Shorter slices are allowed, and end larger searches with
/// [`Status::OutOfNodes`](navbake_search::Status::OutOfNodes).
#[derive(Debug)]
pub struct GridScratch<'a> {
    /// Where the node of each cell is.
    pub slots: &'a mut [u32],
    /// Cells seen.
    pub nodes: &'a mut [GridNode],
    /// The open list, a heap.
    pub open: &'a mut [GridOpen],
    /// The goals.
    pub goals: &'a mut [GridGoal],
    /// Cells of the answer.
    pub cells: &'a mut [CellId],
    /// Links of the answer.
    pub links: &'a mut [GridLeg],
}

impl<'s> From<&'s mut GridScratch<'_>> for GridScratch<'s> {
    /// Borrows the slices for one search.
    fn from(scratch: &'s mut GridScratch<'_>) -> GridScratch<'s> {
        GridScratch {
            slots: scratch.slots,
            nodes: scratch.nodes,
            open: scratch.open,
            goals: scratch.goals,
            cells: scratch.cells,
            links: scratch.links,
        }
    }
}

/// Scratch that owns its memory. Make one a thread and keep it: searches allocate nothing.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct GridBuffer {
    slots: alloc::vec::Vec<u32>,
    nodes: alloc::vec::Vec<GridNode>,
    open: alloc::vec::Vec<GridOpen>,
    goals: alloc::vec::Vec<GridGoal>,
    cells: alloc::vec::Vec<CellId>,
    links: alloc::vec::Vec<GridLeg>,
}

#[cfg(feature = "alloc")]
impl GridBuffer {
    /// With slices of these lengths.
    pub fn new(size: GridScratchSize) -> GridBuffer {
        use alloc::vec;
        GridBuffer {
            slots: vec![0; size.slots],
            nodes: vec![GridNode::default(); size.nodes],
            open: vec![GridOpen::default(); size.open],
            goals: vec![GridGoal::default(); size.goals],
            cells: vec![CellId::default(); size.cells],
            links: vec![GridLeg::default(); size.links],
        }
    }

    /// Are its slices at least this long?
    pub fn holds(&self, size: &GridScratchSize) -> bool {
        self.slots.len() >= size.slots
            && self.nodes.len() >= size.nodes
            && self.open.len() >= size.open
            && self.goals.len() >= size.goals
            && self.cells.len() >= size.cells
            && self.links.len() >= size.links
    }

    /// The slices for a search.
    pub fn scratch(&mut self) -> GridScratch<'_> {
        GridScratch {
            slots: &mut self.slots,
            nodes: &mut self.nodes,
            open: &mut self.open,
            goals: &mut self.goals,
            cells: &mut self.cells,
            links: &mut self.links,
        }
    }
}

#[cfg(feature = "alloc")]
impl<'s> From<&'s mut GridBuffer> for GridScratch<'s> {
    fn from(buffer: &'s mut GridBuffer) -> GridScratch<'s> {
        buffer.scratch()
    }
}
