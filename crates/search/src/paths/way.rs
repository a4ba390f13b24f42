//! From a node back to the begin of the search: the corridor to walk.

use navbake_format::{NavMesh, PolyId};

use super::nodes::{Corridor, Goal, Node, Step};
use super::slices::Slices;
use super::steps::Search;
use crate::{NavPoint, NavQuery, surface};

/// A traced corridor.
pub(super) struct Way {
    pub(super) corridor: Corridor,
    /// Is the corridor complete? Else there was no room for more.
    pub(super) whole: bool,
    /// The mark of the node that the search began with.
    pub(super) mark: u32,
}

impl Search {
    /// Writes the path to a node into `Scratch::corridor`, from the start.
    ///
    /// Where it is too long for the scratch, writes its first part.
    pub(super) fn way(
        &self,
        query: &NavQuery<'_>,
        node: u32,
        reverse: bool,
        scratch: &mut Slices<'_>,
    ) -> Option<Way> {
        let (mesh, nodes) = (query.mesh(), &*scratch.nodes);
        let parent = |n: u32| {
            let node = nodes.get(n as usize)?;
            (node.parent != n && (node.parent as usize) < nodes.len()).then_some(node.parent)
        };
        // Paths have no circles: a node's length is never less than its parent's. The bound is for
        // memory that belongs to another search.
        let most = nodes.len();
        let (mut depth, mut root) = (0, node);
        while let Some(n) = parent(root) {
            (depth, root) = (depth + 1, n);
            if depth > most {
                return None;
            }
        }
        let room = scratch.longest_corridor();
        let mark = nodes.get(root as usize)?.edge;
        let mut n = node;
        if !reverse {
            // The steps that do not fit are at the far end, where the chain begins.
            for _ in room..depth {
                n = parent(n)?;
            }
        }
        let mut corridor = Corridor::new(PolyId(nodes.get(n as usize)?.polygon));
        for _ in 0..depth.min(room) {
            let from = parent(n)?;
            let Step { polygon, edge } = step(mesh, nodes, n, from, reverse)?;
            corridor.push(scratch.corridor, PolyId(polygon), edge);
            n = from;
        }
        if reverse {
            corridor.last = PolyId(nodes.get(n as usize)?.polygon);
        } else {
            scratch.corridor.get_mut(..corridor.len)?.reverse();
        }
        Some(Way { corridor, whole: depth <= room, mark })
    }
}

/// The portal between a node and the one before it, in walking direction.
fn step(mesh: &NavMesh<'_>, nodes: &[Node], n: u32, from: u32, reverse: bool) -> Option<Step> {
    let polygon = nodes.get(from as usize)?.polygon;
    let edge = nodes.get(n as usize)?.edge;
    if !reverse {
        return Some(Step { polygon, edge });
    }
    let (beyond, twin) = mesh.polygon(PolyId(polygon)).across(edge)?;
    Some(Step { polygon: beyond.0, edge: twin })
}

impl NavQuery<'_> {
    /// The place nearest to a goal on a polygon.
    pub(super) fn nearest_on(&self, polygon: PolyId, goal: &Goal) -> Option<NavPoint> {
        let it = self.mesh().polygon(polygon);
        if it.is_empty() {
            return None;
        }
        self.on_polygon_grid(polygon, surface::nearest(&it, goal.point))
    }

    /// The straight line, when it stays on the ground and ends on the goal's ground.
    ///
    /// No path is shorter.
    #[doc(hidden)]
    pub fn straight(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        scratch: &mut Slices<'_>,
    ) -> Option<Corridor> {
        let mut corridor = Corridor::new(to.polygon());
        let free = self.walk_to(from, to, |p, k| corridor.push(scratch.corridor, p, k));
        let fits = corridor.is_whole() && corridor.len <= scratch.longest_corridor();
        (free && fits).then_some(corridor)
    }
}
