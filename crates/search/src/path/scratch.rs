//! The memory of a search, owned by the caller.

use navbake_format::{NavMeshView, PolyId};

use super::{FunnelNode, Sight};

/// A polygon on its way through a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node {
    pub(super) polygon: u32,
    /// The node that it was entered from.
    pub(super) parent: u32,
    /// The edge of the parent's polygon through which it was entered.
    pub(super) edge: u32,
    /// Its place in the open list, or [`CLOSED`].
    pub(super) place: u32,
    /// The point through which it was entered, grid units.
    pub(super) entry: [f64; 2],
    /// Length walked up to the entry.
    pub(super) g: f64,
    /// Straight length from the entry to the goal.
    pub(super) h: f64,
}

/// In [`Node::place`]: not in the open list.
pub(super) const CLOSED: u32 = u32::MAX;

impl Node {
    pub(super) fn polygon(&self) -> PolyId {
        PolyId(self.polygon)
    }
}

/// One portal of a corridor: a polygon, and the number of its edge through which the path leaves it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    pub(super) polygon: u32,
    pub(super) edge: u32,
}

/// How long the slices of a [`Scratch`] should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScratchSize {
    /// For [`Scratch::slots`]: one a polygon.
    pub slots: usize,
    /// For [`Scratch::nodes`]. Fewer than polygons are allowed: a search that needs more ends with
    /// [`Status::OutOfNodes`](super::Status::OutOfNodes).
    pub nodes: usize,
    /// For [`Scratch::open`]: as many as nodes.
    pub open: usize,
    /// For [`Scratch::corridor`]: as many as nodes.
    pub corridor: usize,
    /// For [`Scratch::funnel`].
    pub funnel: usize,
    /// For [`Scratch::deque`].
    pub deque: usize,
    /// For [`Scratch::points`].
    pub points: usize,
    /// For [`Scratch::polygons`].
    pub polygons: usize,
    /// For [`Sight::cones`] and [`Sight::opened`]. Enough for all but the most tangled searches: there is no useful limit to how many there
    /// can be.
    pub cones: usize,
}

impl ScratchSize {
    /// For a mesh of so many polygons and searches of at most so many nodes.
    pub fn with_nodes(polygons: usize, nodes: usize) -> ScratchSize {
        ScratchSize {
            slots: polygons,
            nodes,
            open: nodes,
            corridor: nodes,
            // A corridor of n portals has 2 n border points, a start and an end.
            funnel: 2 * nodes + 2,
            deque: 2 * nodes + 5,
            points: nodes + 2,
            polygons: nodes + 1,
            cones: 16 * nodes + 1024,
        }
    }
}

/// Slices for one search at a time. What is in them does not matter: each search begins anew, in constant time. Slices shorter than
/// [`Scratch::required`] says are allowed, and end larger searches with [`Status::OutOfNodes`](super::Status::OutOfNodes).
#[derive(Debug)]
pub struct Scratch<'a> {
    /// Where each polygon's node is.
    pub slots: &'a mut [u32],
    /// Polygons seen.
    pub nodes: &'a mut [Node],
    /// The open list, a heap.
    pub open: &'a mut [u32],
    /// Portals of the corridor.
    pub corridor: &'a mut [Step],
    /// Border points of the corridor.
    pub funnel: &'a mut [FunnelNode],
    /// The funnel itself.
    pub deque: &'a mut [u32],
    /// Points of the answer.
    pub points: &'a mut [[f64; 3]],
    /// Polygons of the answer.
    pub polygons: &'a mut [PolyId],
    /// What optimal searches need besides; without it ([`Sight::default`]) they end out of nodes.
    pub sight: Sight<'a>,
}

impl<'s> From<&'s mut Scratch<'_>> for Scratch<'s> {
    /// Borrows the slices for one search.
    fn from(scratch: &'s mut Scratch<'_>) -> Scratch<'s> {
        Scratch {
            slots: scratch.slots,
            nodes: scratch.nodes,
            open: scratch.open,
            corridor: scratch.corridor,
            funnel: scratch.funnel,
            deque: scratch.deque,
            points: scratch.points,
            polygons: scratch.polygons,
            sight: scratch.sight.lend(),
        }
    }
}

#[cfg(feature = "alloc")]
impl<'s> From<&'s mut SearchBuffer> for Scratch<'s> {
    fn from(buffer: &'s mut SearchBuffer) -> Scratch<'s> {
        buffer.scratch()
    }
}

impl Scratch<'_> {
    /// How long the slices must be, so that no search on the mesh runs out of nodes.
    pub fn required(mesh: &NavMeshView<'_>) -> ScratchSize {
        let polygons = mesh.polygon_count() as usize;
        ScratchSize::with_nodes(polygons, polygons)
    }

    /// The longest corridor that all slices have room for.
    pub(super) fn longest_corridor(&self) -> usize {
        let funnel = self.funnel.len().saturating_sub(2) / 2;
        let deque = self.deque.len().saturating_sub(5) / 2;
        let points = self.points.len().saturating_sub(2);
        let polygons = self.polygons.len().saturating_sub(1);
        self.corridor
            .len()
            .min(funnel)
            .min(deque)
            .min(points)
            .min(polygons)
    }
}

/// The portals of a path: the first `len` steps of [`Scratch::corridor`].
#[derive(Clone, Copy)]
pub(super) struct Corridor {
    pub(super) len: usize,
    whole: bool,
    pub(super) last: PolyId,
}

impl Corridor {
    pub(super) fn new(last: PolyId) -> Corridor {
        Corridor {
            len: 0,
            whole: true,
            last,
        }
    }

    pub(super) fn push(&mut self, steps: &mut [Step], polygon: PolyId, edge: u32) {
        match steps.get_mut(self.len) {
            Some(step) => {
                *step = Step {
                    polygon: polygon.0,
                    edge,
                };
                self.len += 1;
            }
            None => self.whole = false,
        }
    }

    /// Was there room for all of it?
    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }
}

/// Scratch that owns its memory. Make one a thread and keep it: searches allocate nothing.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct SearchBuffer {
    slots: alloc::vec::Vec<u32>,
    nodes: alloc::vec::Vec<Node>,
    open: alloc::vec::Vec<u32>,
    corridor: alloc::vec::Vec<Step>,
    funnel: alloc::vec::Vec<FunnelNode>,
    deque: alloc::vec::Vec<u32>,
    points: alloc::vec::Vec<[f64; 3]>,
    polygons: alloc::vec::Vec<PolyId>,
    sight: super::optimal::SightBuffer,
}

#[cfg(feature = "alloc")]
impl SearchBuffer {
    /// Enough for every search on the mesh.
    pub fn new(mesh: &NavMeshView<'_>) -> SearchBuffer {
        SearchBuffer::of(Scratch::required(mesh), mesh)
    }

    /// With so many nodes: searches that need more end with [`Status::OutOfNodes`](super::Status::OutOfNodes).
    pub fn with_nodes(mesh: &NavMeshView<'_>, nodes: usize) -> SearchBuffer {
        SearchBuffer::of(
            ScratchSize::with_nodes(mesh.polygon_count() as usize, nodes),
            mesh,
        )
    }

    fn of(size: ScratchSize, mesh: &NavMeshView<'_>) -> SearchBuffer {
        use alloc::vec;
        SearchBuffer {
            slots: vec![0; size.slots],
            nodes: vec![Node::default(); size.nodes],
            open: vec![0; size.open],
            corridor: vec![Step::default(); size.corridor],
            funnel: vec![FunnelNode::default(); size.funnel],
            deque: vec![0; size.deque],
            points: vec![[0.0; 3]; size.points],
            polygons: vec![PolyId(0); size.polygons],
            sight: super::optimal::SightBuffer::new(mesh, size.cones),
        }
    }

    /// The slices for a search.
    pub fn scratch(&mut self) -> Scratch<'_> {
        Scratch {
            slots: &mut self.slots,
            nodes: &mut self.nodes,
            open: &mut self.open,
            corridor: &mut self.corridor,
            funnel: &mut self.funnel,
            deque: &mut self.deque,
            points: &mut self.points,
            polygons: &mut self.polygons,
            sight: self.sight.sight(),
        }
    }
}
