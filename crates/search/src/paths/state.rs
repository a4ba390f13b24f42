//! What a search by A* is between its steps, and its settings.

use super::cheap::Savings;
use super::open_list::OpenState;
use super::{AStar, Ahead, Heuristic, Order};

/// The state of a search, without its memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct State {
    /// Number of nodes in use.
    pub(super) used: u32,
    pub(super) open: OpenState,
    pub(super) expanded: u32,
    /// Number of closed nodes that were opened again.
    pub(super) reopened: u32,
    /// Number of nodes for which there was no room.
    pub(super) missing: u32,
    /// The node expanded last.
    pub(super) last: u32,
    pub(super) end: Option<End>,
    /// The effect of shortcut links on estimates.
    pub(super) savings: Savings,
    /// The assumed cost of a metre: estimates are multiplied by it.
    pub(super) metre: f64,
    /// Is ground left out that no path between start and goals leads through?
    pub(super) marked: bool,
}

/// The end of a path: a node whose polygon holds a goal, and the target's number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct End {
    pub(super) node: u32,
    pub(super) target: u32,
    /// Length of the path through the nodes, grid units.
    pub(super) length: f64,
}

impl State {
    /// The state of a new search that replaces one that had no room.
    pub(super) fn after(before: &State) -> State {
        State { missing: before.missing, ..State::default() }
    }

    /// Number of closed nodes.
    pub(super) fn closed(&self) -> u32 {
        self.expanded.saturating_sub(self.reopened)
    }

    /// Number of entries for which there was no room.
    pub(super) fn dropped(&self) -> u32 {
        self.missing.saturating_add(self.open.dropped)
    }
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    /// The budget is spent.
    Budget,
    /// It needs more nodes. It may go on with more, or without them.
    Full,
    /// A goal was reached, or no node is left.
    Ended,
}

/// The settings of a search.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    pub(super) order: Order,
    pub(super) heuristic: Heuristic,
    pub(super) weight: f64,
    /// The assumed cost of a metre ahead is the weight of the node's own ground.
    pub(super) own: bool,
    pub(super) max_open: usize,
    /// Expansions after which closed nodes stay closed.
    ///
    /// Reopening ends, but no useful bound says how soon.
    pub(super) patience: u32,
    /// End with [`Pause::Full`] before nodes run out, instead of going on without.
    pub(super) may_grow: bool,
}

impl Rules {
    pub(super) fn of(request: &AStar, places: u32) -> Rules {
        let weight = if request.weight.is_nan() { 1.0 } else { request.weight.clamp(0.0, 1000.0) };
        Rules {
            order: request.order,
            heuristic: if request.order == Order::Dijkstra {
                Heuristic::Zero
            } else {
                request.heuristic
            },
            weight,
            own: request.ahead == Ahead::Own,
            max_open: request.max_open.map_or(usize::MAX, |n| n.max(1) as usize),
            patience: places.saturating_mul(8),
            may_grow: false,
        }
    }

    /// Do landmarks contribute to estimates?
    pub(super) fn by_landmarks(&self) -> bool {
        self.heuristic == Heuristic::Table
    }
}
