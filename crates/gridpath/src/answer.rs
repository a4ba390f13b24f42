//! The answer: the path over cells, or why there is none.

use navbake_format::CellId;
use navbake_search::Status;

use crate::GridPlanner;

/// A path over cells, or why there is none. The cells are in the scratch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridAnswer<'s> {
    /// The outcome.
    pub status: Status,
    /// The planner of the request.
    pub planner: GridPlanner,
    /// Length from the centre of the first cell to that of the last, m.
    pub length_xz: f64,
    /// The cost that the planner minimises, m; the length where all costs are 1 and turns are free.
    pub cost: f64,
    /// No path from start to goal costs less than this; 0 where there is none.
    pub bound: f64,
    /// Steps along x or z.
    pub straight: u32,
    /// Diagonal steps.
    pub diagonal: u32,
    /// Steps that do not go straight on.
    pub turns: u32,
    /// The cells of the path, in order.
    pub cells: &'s [CellId],
    /// The links of the path, in order.
    pub links: &'s [GridLeg],
    /// Which of the goals was reached.
    pub goal: Option<usize>,
    /// States taken off the open list; one that was opened again counts again.
    ///
    /// A state is a cell, or a cell and a direction where turns have a penalty. Where all steps
    /// cost the same, cells between jump points are not states.
    pub expanded: u32,
    /// The greatest number of open states.
    pub max_open: u32,
    /// Closed states at the end.
    pub closed: u32,
    /// Entries that the limit of the open list pushed out.
    pub dropped: u32,
    /// The search has proved that no cheaper path over the cells exists, at the costs requested.
    ///
    /// Without a [`CellFilter`](crate::CellFilter) links, closed doors and weights of the file are
    /// not considered.
    pub certified_optimal: bool,
}

/// A link in a path over cells or points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GridLeg {
    /// It leads from this one of the path's cells or points to the next.
    pub at: u32,
    /// Its number in the navmesh.
    pub link: u32,
}

/// A state that a search has seen, for drawings and tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridVisit {
    /// Its cell.
    pub cell: CellId,
    /// The cell that it was entered from.
    pub parent: Option<CellId>,
    /// Its place in the order of expansion, from 1 on; `None` while it is open.
    pub closed: Option<u32>,
    /// The cost of the path to it, m.
    pub cost: f64,
    /// The estimate of the rest, times the weight, m.
    pub estimate: f64,
}

impl GridAnswer<'_> {
    pub(crate) fn none(status: Status, planner: GridPlanner) -> Self {
        GridAnswer {
            status,
            planner,
            length_xz: 0.0,
            cost: 0.0,
            bound: 0.0,
            straight: 0,
            diagonal: 0,
            turns: 0,
            cells: &[],
            links: &[],
            goal: None,
            expanded: 0,
            max_open: 0,
            closed: 0,
            dropped: 0,
            certified_optimal: false,
        }
    }
}
