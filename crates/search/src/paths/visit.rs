//! The places that a search visited, for pictures and for tuning.

use navbake_format::PolyId;

use super::nodes::Node;
use super::open_list::CLOSED;
use super::optimal::State;
use super::slices::Slices;
use super::steps::{Phase, Search};
use crate::NavQuery;
use crate::scratch::Memory;

/// A node that a search has reached.
///
/// A polygon, a portal of [`Algorithm::Midpoints`](super::Algorithm::Midpoints), or a cone of sight
/// into a polygon of [`Algorithm::Optimal`](super::Algorithm::Optimal).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit {
    /// Its number within the search.
    pub node: u32,
    /// The node that it was reached from; itself for a start.
    pub parent: u32,
    /// The polygon.
    pub polygon: PolyId,
    /// The place of the entry, `[x, z]`, m.
    ///
    /// For a cone: the entry of the shortest path to the goal if there were no obstacle.
    pub entry: [f64; 2],
    /// Length of the path up to the entry, m.
    pub behind: f64,
    /// The estimate from the entry on, m, without the weight.
    pub ahead: f64,
    /// Was it expanded?
    ///
    /// Else it is on the open list, or was dropped from it. For a cone also true when it was passed
    /// over, because a shorter path leads to the corner that it is seen from.
    pub closed: bool,
    /// The cone through the portal.
    ///
    /// `None` at the start, at the goal and for links, and for all planners but
    /// [`Algorithm::Optimal`](super::Algorithm::Optimal).
    pub seen: Option<Seen>,
}

/// A cone of sight through a portal. All places are `[x, z]`, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// The corner that it is seen from: the last one of the path.
    pub from: [f64; 2],
    /// The right end of the visible part of the portal.
    pub right: [f64; 2],
    /// Its left end.
    pub left: [f64; 2],
}

impl Search {
    /// All nodes that the search has reached, in that order.
    ///
    /// Straight lines show nothing. A search of [`Algorithm::Optimal`](super::Algorithm::Optimal)
    /// shows the cones to its current goal; each costs a pass over the open list.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let search = query.start_path(&request, &mut scratch)?;
    /// // A straight line is no search.
    /// assert_eq!(search.visits(&query, &mut scratch).count(), 0);
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn visits<'v>(
        &self,
        query: &NavQuery<'v>,
        scratch: &'v mut dyn Memory,
    ) -> impl Iterator<Item = Visit> + 'v {
        self.visits_within(query, scratch, self.cones().map(|(state, _)| state))
    }

    /// The same, with the cones of another search that is in the scratch.
    #[doc(hidden)]
    pub fn visits_within<'v>(
        &self,
        query: &NavQuery<'v>,
        scratch: &'v mut dyn Memory,
        cones: Option<State>,
    ) -> impl Iterator<Item = Visit> + 'v {
        let Slices { nodes, sight, .. } = scratch.lend();
        let used = match self.phase {
            Phase::Nodes { .. } => (self.state.used as usize).min(nodes.len()),
            _ => 0,
        };
        let nodes = &nodes[..used];
        let cones = cones.map(|state| state.visits(query, sight));
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
            _ => None,
        }
    }

    /// The node that was expanded last.
    ///
    /// Of an optimal search: the one that the last step expanded, and only when its budget was 1.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let search = query.start_path(&request, &mut scratch)?;
    /// assert_eq!(search.last_visit(&query, &mut scratch), None);
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn last_visit(&self, query: &NavQuery<'_>, scratch: &mut dyn Memory) -> Option<Visit> {
        let scratch = scratch.lend();
        if let Some((state, _)) = self.cones() {
            return state.last_visit(query, &scratch);
        }
        let Phase::Nodes { .. } = self.phase else {
            return None;
        };
        let n = self.state.last;
        let node = scratch.nodes.get(n as usize)?;
        (n < self.state.used && self.state.expanded > 0).then(|| visit(query, n, node))
    }

    /// Length of the path through the nodes, m, before it was finished.
    ///
    /// From entry to entry, or from middle to middle. `None` until a goal is reached.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let search = query.start_path(&request, &mut scratch)?;
    /// assert_eq!(search.raw_length(&query), None); // a straight line is no search
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn raw_length(&self, query: &NavQuery<'_>) -> Option<f64> {
        Some(self.state.end?.length / query.mesh().grid().units())
    }

    /// The last node of the path that was found.
    ///
    /// Its parents lead back to the begin of the search.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let search = query.start_path(&request, &mut scratch)?;
    /// assert_eq!(search.end_node(), None); // a straight line is no search
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn end_node(&self) -> Option<u32> {
        if let Some((_, end)) = self.cones() {
            return end;
        }
        Some(self.state.end?.node)
    }
}

fn visit(query: &NavQuery<'_>, n: u32, node: &Node) -> Visit {
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
