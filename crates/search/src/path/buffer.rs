//! Scratch that owns its memory.

use alloc::vec::Vec;

use navbake_format::{NavMesh, PolyId};

use super::FunnelNode;
use super::cheap::Cheap;
use super::hierarchical::DoorsBuffer;
use super::optimal::SightBuffer;
use super::scratch::{Goal, Lender, Node, Scratch, ScratchSize, Step};
use super::tables::TablesBuffer;
use super::weighted::PiecesBuffer;

/// The least number of nodes of a buffer that may grow.
const FEW: usize = 64;

/// Scratch that owns its memory.
///
/// Make one per thread and keep it: searches allocate nothing, unless the buffer may grow.
#[derive(Clone, Debug)]
pub struct SearchBuffer {
    slots: Vec<u32>,
    nodes: Vec<Node>,
    open: Vec<u32>,
    corridor: Vec<Step>,
    funnel: Vec<FunnelNode>,
    deque: Vec<u32>,
    points: Vec<[f64; 3]>,
    polygons: Vec<PolyId>,
    sight: SightBuffer,
    goals: Vec<Goal>,
    cheap: Vec<Cheap>,
    weighted: PiecesBuffer,
    tables: TablesBuffer,
    doors: DoorsBuffer,
    /// The longest useful lengths.
    most: ScratchSize,
    /// The number of nodes up to which the buffer grows.
    most_nodes: usize,
}

impl SearchBuffer {
    /// Enough for every search on the mesh.
    pub fn new(mesh: &NavMesh<'_>) -> SearchBuffer {
        SearchBuffer::of(Scratch::required(mesh), mesh)
    }

    /// Makes a buffer with the given number of nodes.
    ///
    /// Searches that need more end with [`Status::OutOfNodes`](super::Status::OutOfNodes).
    pub fn with_nodes(mesh: &NavMesh<'_>, nodes: usize) -> SearchBuffer {
        let size = ScratchSize::with_nodes(mesh, nodes);
        SearchBuffer::of(size, mesh)
    }

    /// Allows the buffer to grow to `most_nodes`, at most to what the mesh can need.
    ///
    /// A search that runs out doubles the buffer and goes on from the same state; that allocates.
    pub fn growing(mut self, most_nodes: usize) -> SearchBuffer {
        self.most_nodes = most_nodes;
        if self.nodes.len() < FEW {
            let _ = (&mut self).grow();
        }
        self
    }

    /// Makes room for this many goals in a request; 64 always fit.
    pub fn goals(mut self, goals: usize) -> SearchBuffer {
        self.goals.resize(goals.max(self.goals.len()), Goal::default());
        self
    }

    /// Makes room for weighted searches also on uniform ground.
    ///
    /// [`Planner::Weighted`](super::Planner::Weighted) runs there for units to which going up and
    /// down costs something.
    pub fn weighted(mut self, mesh: &NavMesh<'_>) -> SearchBuffer {
        self.most = self.most.weighted(mesh);
        self.slots.resize(self.most.slots, 0);
        self.weighted.resize(self.most.pieces, self.corridor.len());
        self
    }

    /// Number of nodes that there is room for.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn of(size: ScratchSize, mesh: &NavMesh<'_>) -> SearchBuffer {
        let sight = SightBuffer::new(mesh, size.cones);
        let mut buffer = SearchBuffer {
            slots: Vec::new(),
            nodes: Vec::new(),
            open: Vec::new(),
            corridor: Vec::new(),
            funnel: Vec::new(),
            deque: Vec::new(),
            points: Vec::new(),
            polygons: Vec::new(),
            tables: TablesBuffer::new(mesh),
            doors: DoorsBuffer::new(mesh),
            sight,
            goals: Vec::new(),
            cheap: Vec::new(),
            weighted: PiecesBuffer::default(),
            most: Scratch::required(mesh),
            most_nodes: 0,
        };
        buffer.resize(size);
        buffer
    }

    /// Resizes the slices; their contents stay.
    fn resize(&mut self, size: ScratchSize) {
        self.slots.resize(size.slots, 0);
        self.nodes.resize(size.nodes, Node::default());
        self.open.resize(size.open, 0);
        self.corridor.resize(size.corridor, Step::default());
        self.funnel.resize(size.funnel, FunnelNode::default());
        self.deque.resize(size.deque, 0);
        self.points.resize(size.points, [0.0; 3]);
        self.polygons.resize(size.polygons, PolyId(0));
        self.sight.resize(size.cones);
        self.goals.resize(size.goals.max(self.goals.len()), Goal::default());
        self.cheap.resize(size.cheap, Cheap::default());
        self.weighted.resize(size.pieces, size.corridor);
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
            goals: &mut self.goals,
            cheap: &mut self.cheap,
            weighted: self.weighted.pieces(),
            tables: self.tables.tables(),
            doors: self.doors.doors(),
        }
    }
}

impl<'s> From<&'s mut SearchBuffer> for Scratch<'s> {
    fn from(buffer: &'s mut SearchBuffer) -> Scratch<'s> {
        buffer.scratch()
    }
}

impl<'s> Lender<'s> for &'s mut SearchBuffer {
    fn lend(&mut self) -> Scratch<'_> {
        self.scratch()
    }

    fn grow(&mut self) -> bool {
        let (now, most) = (self.nodes.len(), self.most_nodes.min(self.most.nodes));
        if now >= most {
            return false;
        }
        let nodes = (2 * now).max(FEW).min(most);
        let portals = nodes.min(self.most.corridor);
        let fewer = 16 * self.most.corridor.saturating_sub(portals);
        let cones = self.most.cones.saturating_sub(fewer).max(self.sight.cones());
        self.resize(ScratchSize {
            nodes,
            open: nodes,
            corridor: portals,
            funnel: 2 * portals + 2,
            deque: 2 * portals + 5,
            points: (2 * portals + 2).min(self.most.points),
            polygons: portals + 1,
            cones,
            ..self.most
        });
        true
    }

    fn grows(&self) -> bool {
        self.nodes.len() < self.most_nodes.min(self.most.nodes)
    }

    fn lend_for_good(self) -> Scratch<'s> {
        self.scratch()
    }
}
