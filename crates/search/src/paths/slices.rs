//! The memory of a search, owned by the caller.

use navbake_format::PolyId;

use super::cheap::Cheap;
use super::funnel::FunnelNode;
use super::nodes::{Corridor, Goal, Node, Step};
use super::optimal::{Sight, SightArrays};
use super::tables::{Tables, TablesArrays};
use super::weighted::{Pieces, PiecesArrays};
#[cfg(feature = "alloc")]
use super::{optimal::SightVectors, tables::TablesVectors, weighted::PiecesVectors};
use crate::flood::Reached;
use crate::lists::lists;

lists! {
    /// Lists for one query at a time.
    ///
    /// Their contents do not matter: each search begins anew, in constant time. A search that finds
    /// no room ends with [`Status::OutOfNodes`](super::Status::OutOfNodes), or goes on when the
    /// lists can grow.
    pub Slices, Vectors, Arrays:
    /// The node numbers of polygons or edges.
    slots: [u32] = 0,
    /// Polygons or portals seen.
    nodes: [Node] = Node::NOWHERE,
    /// The open list, a heap.
    open: [u32] = 0,
    /// Portals of the corridor.
    corridor: [Step] = Step::NONE,
    /// Border points of the corridor.
    funnel: [FunnelNode] = FunnelNode { point: [0; 2], before: 0, portal: 0 },
    /// The funnel itself.
    deque: [u32] = 0,
    /// Points of the path.
    points: [[f64; 3]] = [0.0; 3],
    /// Polygons of the path.
    polygons: [PolyId] = PolyId(0),
    /// Goals that can be reached.
    goals: [Goal] = Goal::NONE,
    /// Links that cost less than their length.
    ///
    /// With fewer places than there are such links, at most 256, searches have no estimate.
    cheap: [Cheap] = Cheap::NONE,
    /// Polygons around a place.
    reached: [Reached] = Reached::NONE,
    ;
    /// Those of optimal searches.
    sight: Sight, SightVectors, SightArrays,
    /// Those of searches over weighted ground.
    weighted: Pieces, PiecesVectors, PiecesArrays,
    /// Those of label look-ups.
    tables: Tables, TablesVectors, TablesArrays,
}

impl Slices<'_> {
    /// The steps of a corridor that was written last.
    pub fn steps(&self, corridor: &Corridor) -> &[Step] {
        self.corridor.get(..corridor.len).unwrap_or(&[])
    }

    /// Continues a corridor over a link that begins on a polygon.
    pub fn take_link(&mut self, corridor: &mut Corridor, polygon: PolyId, link: u32) {
        corridor.take_link(self.corridor, polygon, link);
    }

    /// The longest corridor that all slices have room for.
    pub fn longest_corridor(&self) -> usize {
        let funnel = self.funnel.len().saturating_sub(2) / 2;
        let deque = self.deque.len().saturating_sub(5) / 2;
        let points = self.points.len().saturating_sub(2);
        let polygons = self.polygons.len().saturating_sub(1);
        self.corridor.len().min(funnel).min(deque).min(points).min(polygons)
    }
}
