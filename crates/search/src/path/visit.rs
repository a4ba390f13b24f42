//! What a search has looked at, for pictures and for tuning.

use navbake_format::PolyId;

use super::open_list::CLOSED;
use super::optimal::State;
use super::scratch::{Node, Scratch};
use super::search::{Phase, Search};
use crate::Query;

/// A polygon that a search has come to, a portal of [`Planner::Midpoints`](super::Planner::Midpoints), or a cone of sight into a polygon of
/// [`Planner::Optimal`](super::Planner::Optimal).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit {
    /// Its number within the search.
    pub node: u32,
    /// The one that it was come to from; itself for a start.
    pub parent: u32,
    /// The polygon.
    pub polygon: PolyId,
    /// Where it was entered, `[x, z]`, m. For a cone: where the shortest way to the goal would, if nothing were in the way.
    pub entry: [f64; 2],
    /// Length of the way up to there, m.
    pub behind: f64,
    /// The estimate from there on, m, without the weight.
    pub ahead: f64,
    /// Was it expanded? Else it waits on the open list, or was dropped from it. A cone was also when it was passed over, since there is a
    /// shorter way to the corner that it is seen from.
    pub closed: bool,
    /// What is seen through the portal. `None` where there is none, as at the start, at the goal and for links, and for all planners but
    /// [`Planner::Optimal`](super::Planner::Optimal).
    pub seen: Option<Seen>,
}

/// A cone of sight through a portal. All places are `[x, z]`, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// The corner that it is seen from: the last one of the path.
    pub from: [f64; 2],
    /// The right end of the part of the portal that is seen.
    pub right: [f64; 2],
    /// Its left end.
    pub left: [f64; 2],
}

impl Search {
    /// All that the search has come to, in the order in which it did. Straight lines show nothing. A search of
    /// [`Planner::Optimal`](super::Planner::Optimal) shows the cones to the goal that it is about; each costs a pass over the open list.
    pub fn visits<'v>(
        &self,
        query: &Query<'v>,
        scratch: &'v Scratch<'_>,
    ) -> impl Iterator<Item = Visit> + 'v {
        let used = match self.phase {
            Phase::Nodes { .. } => (self.state.used as usize).min(scratch.nodes.len()),
            _ => 0,
        };
        let nodes = &scratch.nodes[..used];
        let sight = self.cones().map(|(state, _)| state);
        let cones = sight.map(|s| s.visits(query, scratch));
        let (query, cones) = (*query, cones.into_iter().flatten());
        (0u32..)
            .zip(nodes)
            .filter(|(n, node)| node.key != u32::MAX || node.parent == *n)
            .map(move |(n, node)| visit(&query, n, node))
            .chain(cones)
    }

    fn cones(&self) -> Option<(State, Option<u32>)> {
        match self.phase {
            Phase::Optimal(turns) => turns.in_scratch(),
            Phase::Hierarchical(state) => Some(state.in_scratch()),
            _ => None,
        }
    }

    /// The one that was expanded last. Of an optimal search: the one that the last step expanded, and only when its budget was 1.
    pub fn last_visit(&self, query: &Query<'_>, scratch: &Scratch<'_>) -> Option<Visit> {
        if let Some((state, _)) = self.cones() {
            return state.last_visit(query, scratch);
        }
        let Phase::Nodes { .. } = self.phase else {
            return None;
        };
        let n = self.state.last;
        let node = scratch.nodes.get(n as usize)?;
        (n < self.state.used && self.state.expanded > 0).then(|| visit(query, n, node))
    }

    /// Length of the path through the nodes, m, before it was finished: from entry to entry, or from middle to middle. `None` until a goal is
    /// reached.
    pub fn raw_length(&self, query: &Query<'_>) -> Option<f64> {
        Some(self.state.end?.length / query.mesh().grid().units())
    }

    /// The last node of the path that was found; its parents lead back to where the search began.
    pub fn end_node(&self) -> Option<u32> {
        if let Some((_, end)) = self.cones() {
            return end;
        }
        Some(self.state.end?.node)
    }
}

fn visit(query: &Query<'_>, n: u32, node: &Node) -> Visit {
    let grid = query.mesh().grid();
    let [x, _, z] = grid.metres([node.entry[0], 0.0, node.entry[1]]);
    Visit {
        node: n,
        parent: node.parent,
        polygon: PolyId(node.polygon),
        entry: [x, z],
        behind: node.g / grid.units(),
        ahead: node.h / grid.units(),
        closed: node.place == CLOSED,
        seen: None,
    }
}
