//! Best-first search over any space: A* (Hart, Nilsson and Raphael 1968), Dijkstra's, greedy.
//!
//! A search can stop after any number of expansions and go on later: what it knows is in its
//! [`Progress`] and in the caller's scratch.

use navbake_search::Status;
use navbake_search::path::Order;

use crate::open::OpenList;
use crate::scratch::{GridNode, GridOpen, GridScratch};
use crate::space::Space;

/// In the place of a direction: the path begins here, or a link leads here.
pub(crate) const NONE: u8 = 8;

/// Parts of runs that are looked along in the time that a state takes.
const PARTS: u32 = 12;

/// The order of a search and its limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) order: Order,
    /// Factor of the estimate, 0 to 1000.
    pub(crate) weight: f64,
    /// The longest open list.
    pub(crate) max_open: u32,
}

impl Rules {
    /// The priority of a state: what it costs, and what remains.
    fn priority<S: Space>(&self, space: &S, g: u64, state: u32) -> u64 {
        match self.order {
            Order::Dijkstra => g,
            Order::Greedy => space.estimate(state),
            Order::AStar => g.saturating_add(self.weighted(space.estimate(state))),
        }
    }

    pub(crate) fn weighted(&self, estimate: u64) -> u64 {
        if self.weight == 1.0 {
            return estimate;
        }
        let weighted = (estimate as f64 * self.weight) as u64;
        // Rounding does not lift what shall be below.
        if self.weight <= 1.0 { weighted.min(estimate) } else { weighted }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    /// The node of a goal.
    pub(crate) reached: Option<u32>,
    /// A goal was reached, or no state is open.
    pub(crate) is_done: bool,
    /// There was no room for further nodes.
    pub(crate) is_full: bool,
    /// Closed nodes that improved were left closed, so that the search ends.
    pub(crate) is_hasty: bool,
    pub(crate) expanded: u32,
    /// Parts of runs that it looked along.
    pub(crate) looked: u32,
    /// The node that was expanded last.
    pub(crate) last: u32,
    /// The greatest number of open states.
    pub(crate) max_open: u32,
    /// Closed states.
    pub(crate) closed: u32,
    /// Entries that the limit of the open list pushed out.
    pub(crate) dropped: u32,
    /// Nodes in use.
    pub(crate) used: u32,
    /// Open states.
    open: u32,
    /// Entries of the heap, and the one beside it.
    heap: usize,
    held: Option<GridOpen>,
}

impl Progress {
    /// Begins a search from some states.
    pub(crate) fn begin<S: Space>(
        space: &S,
        rules: &Rules,
        starts: impl Iterator<Item = u32>,
        scratch: &mut GridScratch<'_>,
    ) -> Progress {
        let mut progress = Progress::default();
        let mut bank = Bank { slots: scratch.slots, nodes: scratch.nodes, used: 0 };
        let mut open = OpenList::new(scratch.open, 0, None);
        for state in starts {
            let node = GridNode { g: 0, state, parent: u32::MAX, direction: NONE, closed: 0 };
            if bank.find(state).is_some() {
                continue;
            }
            let Some(n) = bank.add(node) else {
                progress.is_full = true;
                continue;
            };
            let f = rules.priority(space, 0, state);
            progress.is_full |= !open.push(bank.nodes, GridOpen { f, g: 0, state, node: n });
            progress.open += 1;
        }
        progress.used = bank.used;
        (progress.heap, progress.held) = open.parts();
        progress
    }

    /// The outcome of a search that is satisfied with a place near a goal if `partial`.
    pub(crate) fn status(&self, partial: bool) -> Status {
        match self {
            Progress { is_done: false, .. } => Status::Looking,
            Progress { reached: Some(_), .. } => Status::Reached,
            _ if self.is_full || self.dropped > 0 => Status::OutOfNodes,
            _ if partial => Status::Partial,
            _ => Status::Unreachable,
        }
    }

    /// The work up to now, in states that take as long.
    pub(crate) fn work(&self) -> u32 {
        self.expanded.saturating_add(self.looked / PARTS)
    }

    /// Works as long as `most` states take, one at least, and finds out whether the search is done.
    pub(crate) fn advance<S: Space>(
        &mut self,
        space: &S,
        rules: &Rules,
        most: u32,
        scratch: &mut GridScratch<'_>,
    ) {
        let mut bank = Bank { slots: scratch.slots, nodes: scratch.nodes, used: self.used };
        let mut open = OpenList::new(scratch.open, self.heap, self.held);
        let greedy = rules.order == Order::Greedy;
        // Reopening ends, but nothing says how soon; after this many expansions closed nodes stay
        // closed.
        let patience = (bank.slots.len() as u32).saturating_mul(8);
        let last = self.work().saturating_add(most);
        let (before, looked) = (self.looked, space.looked());
        while !self.is_done && self.work() < last {
            let Some(best) = open.pop() else {
                self.is_done = true;
                break;
            };
            if !best.is_current(bank.nodes) {
                continue;
            }
            self.max_open = self.max_open.max(self.open);
            self.open -= 1;
            self.closed += 1;
            self.expanded = self.expanded.saturating_add(1);
            self.last = best.node;
            let node = &mut bank.nodes[best.node as usize];
            node.closed = self.expanded;
            let node = *node;
            if space.is_goal(node.state) {
                self.reached = Some(best.node);
                self.is_done = true;
                break;
            }
            space.each_step(&node, |step| {
                let g = node.g.saturating_add(step.cost);
                let (state, direction) = (step.to, step.direction);
                let new = GridNode { g, state, parent: best.node, direction, closed: 0 };
                let n = match bank.find(state) {
                    Some(n) => {
                        let known = &mut bank.nodes[n as usize];
                        if known.g <= g {
                            return;
                        }
                        if known.closed > 0 {
                            // Greedy search orders by the estimate, which a cheaper path here does
                            // not change.
                            if greedy {
                                return;
                            }
                            if self.expanded > patience {
                                self.is_hasty = true;
                                return;
                            }
                            self.closed -= 1;
                            self.open += 1;
                        } else if known.g == GridNode::DROPPED {
                            self.open += 1;
                        }
                        *known = new;
                        n
                    }
                    None => {
                        let Some(n) = bank.add(new) else {
                            self.is_full = true;
                            return;
                        };
                        self.open += 1;
                        n
                    }
                };
                let f = rules.priority(space, g, state);
                if !open.push(bank.nodes, GridOpen { f, g, state, node: n }) {
                    self.is_full = true;
                }
                if self.open > rules.max_open
                    && let Some(worst) = open.drop_worst(bank.nodes)
                {
                    // Found again, it is as if it were new.
                    bank.nodes[worst as usize].g = GridNode::DROPPED;
                    self.open -= 1;
                    self.dropped += 1;
                }
            });
            self.looked = before.saturating_add(space.looked().wrapping_sub(looked));
        }
        self.used = bank.used;
        (self.heap, self.held) = open.parts();
    }
}

/// Nodes in use, and the node of each state.
///
/// A slot of an earlier search names a node of another state, and so counts as empty.
struct Bank<'s> {
    slots: &'s mut [u32],
    nodes: &'s mut [GridNode],
    used: u32,
}

impl Bank<'_> {
    #[inline]
    fn find(&self, state: u32) -> Option<u32> {
        let n = *self.slots.get(state as usize)?;
        let known = n < self.used && self.nodes.get(n as usize)?.state == state;
        known.then_some(n)
    }

    #[inline]
    fn add(&mut self, node: GridNode) -> Option<u32> {
        let slot = self.slots.get_mut(node.state as usize)?;
        *self.nodes.get_mut(self.used as usize)? = node;
        *slot = self.used;
        self.used += 1;
        Some(*slot)
    }
}
