//! The memory of a search, owned by the caller.

use navbake_format::{NavMesh, PolyId};

use super::cheap::{Cheap, cheap_links};
use super::landmarks::Away;
use super::{Doors, FunnelNode, Pieces, Sight, Tables};

/// A node: a polygon or a portal in a search.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Its number among all possible nodes.
    pub(super) key: u32,
    /// The polygon that is entered.
    pub(super) polygon: u32,
    /// The node that it was entered from.
    pub(super) parent: u32,
    /// The edge of the parent's polygon through which it was entered.
    pub(super) edge: u32,
    /// Its position in the open list, or the reason why it has none.
    pub(super) place: u32,
    /// The point through which it was entered, grid units.
    pub(super) entry: [f64; 2],
    /// Length walked up to the entry.
    pub(super) g: f64,
    /// Estimated length from the entry to the goal.
    pub(super) h: f64,
    /// Its priority.
    pub(super) f: f64,
}

impl Node {
    /// No node of any search.
    pub(super) const NOWHERE: Node = Node {
        key: u32::MAX,
        polygon: u32::MAX,
        parent: 0,
        edge: 0,
        place: u32::MAX,
        entry: [0.0; 2],
        g: 0.0,
        h: 0.0,
        f: 0.0,
    };
}

impl Default for Node {
    fn default() -> Node {
        Node::NOWHERE
    }
}

/// An end of a search: a start or a goal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Goal {
    /// All bits set where it is not on the mesh, or cannot be reached.
    pub(super) polygon: u32,
    pub(super) point: [i32; 2],
    /// Height, grid units.
    pub(super) height: f64,
    /// Which of the request's goals it is.
    pub(super) number: u32,
    /// Its node, when it has one.
    pub(super) node: u32,
    /// Its distances from landmarks, where a search uses them.
    pub(super) away: Away,
}

/// One portal of a corridor.
///
/// A polygon, and the number of its edge through which the path leaves it, or the link that leads
/// away from it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    pub(super) polygon: u32,
    pub(super) edge: u32,
}

/// The lengths of the slices of a [`Scratch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScratchSize {
    /// For [`Scratch::slots`]: one per polygon, or one per edge where that is more.
    ///
    /// Both where ground is of several kinds.
    pub slots: usize,
    /// For [`Scratch::nodes`]. Fewer are allowed.
    ///
    /// A search that needs more ends with [`Status::OutOfNodes`](super::Status::OutOfNodes).
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
    /// For [`Sight::cones`] and [`Sight::opened`].
    ///
    /// Enough for all but the most tangled searches. Their number has no useful limit.
    pub cones: usize,
    /// For [`Scratch::goals`]: the most goals of one request.
    pub goals: usize,
    /// For [`Scratch::cheap`].
    pub cheap: usize,
    /// For [`Pieces::pieces`] and [`Pieces::heap`].
    ///
    /// None where all ground is of one kind, unless [`ScratchSize::weighted`] adds them; else
    /// enough for bounds of a hundredth or so. Their number has no useful limit.
    pub pieces: usize,
}

impl ScratchSize {
    /// For searches of at most `nodes` nodes.
    pub fn with_nodes(mesh: &NavMesh<'_>, nodes: usize) -> ScratchSize {
        let (polygons, links) = (mesh.polygon_count() as usize, mesh.link_count() as usize);
        // No path enters a polygon twice, unless it takes a link in between.
        let portals = nodes.min(polygons + 2 * links);
        let size = ScratchSize {
            slots: polygons.max(mesh.edge_count() as usize) + links,
            nodes,
            open: nodes,
            corridor: portals,
            // A corridor of n portals has 2 n border points, a start and an end.
            funnel: 2 * portals + 2,
            deque: 2 * portals + 5,
            points: portals + 2 + links.min(portals),
            polygons: portals + 1,
            // The places beyond a link are seen anew from its end.
            cones: 16 * portals + 64 * links + 1024,
            goals: 64,
            cheap: cheap_links(mesh),
            pieces: 0,
        };
        let area = |p: u32| mesh.area(PolyId(p));
        let one = (1..mesh.polygon_count()).all(|p| area(p) == area(0));
        if one { size } else { size.weighted(mesh) }
    }

    /// Adds room for weighted searches also where all ground is of one kind.
    ///
    /// [`Planner::Weighted`](super::Planner::Weighted) runs there for the cost of going up and
    /// down.
    pub fn weighted(self, mesh: &NavMesh<'_>) -> ScratchSize {
        let (edges, links) = (mesh.edge_count() as usize, mesh.link_count() as usize);
        ScratchSize {
            slots: mesh.polygon_count() as usize + edges + links,
            pieces: (4 * (edges + links)).clamp(8192, 1 << 16),
            ..self
        }
    }
}

/// Slices for one search at a time.
///
/// Their contents do not matter: each search begins anew, in constant time. Slices shorter than
/// [`Scratch::required`] says are allowed; larger searches then end with
/// [`Status::OutOfNodes`](super::Status::OutOfNodes).
#[derive(Debug)]
pub struct Scratch<'a> {
    /// The node numbers of polygons or edges.
    pub slots: &'a mut [u32],
    /// Polygons or portals seen.
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
    /// The extra memory of optimal searches.
    ///
    /// Without it ([`Sight::default`]) they run out of nodes.
    pub sight: Sight<'a>,
    /// Goals that can be reached.
    pub goals: &'a mut [Goal],
    /// Links that cost less than their length.
    ///
    /// With fewer places than there are such links, at most 256, searches have no estimate.
    pub cheap: &'a mut [Cheap],
    /// The extra memory of searches over weighted ground.
    ///
    /// Without it ([`Pieces::default`]) there are no such searches.
    pub weighted: Pieces<'a>,
    /// The memory to look up optimal paths.
    ///
    /// It serves meshes with [labels](navbake_format::Labels). Without it ([`Tables::default`]) the
    /// paths are searched for.
    pub tables: Tables<'a>,
    /// The extra memory of hierarchical searches.
    ///
    /// Without it ([`Doors::default`]) `Optimal` replaces them.
    pub doors: Doors<'a>,
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
            goals: scratch.goals,
            cheap: scratch.cheap,
            weighted: scratch.weighted.lend(),
            tables: scratch.tables.lend(),
            doors: scratch.doors.lend(),
        }
    }
}

impl Scratch<'_> {
    /// The lengths with which no search on the mesh runs out of nodes.
    pub fn required(mesh: &NavMesh<'_>) -> ScratchSize {
        let places = mesh.polygon_count().max(mesh.edge_count()) + mesh.link_count();
        let places = places as usize;
        let size = ScratchSize::with_nodes(mesh, places);
        // Every start and every goal may be a node of its own.
        ScratchSize { nodes: size.nodes + size.goals + 1, open: size.open + size.goals + 1, ..size }
    }

    /// The longest corridor that all slices have room for.
    pub(super) fn longest_corridor(&self) -> usize {
        let funnel = self.funnel.len().saturating_sub(2) / 2;
        let deque = self.deque.len().saturating_sub(5) / 2;
        let points = self.points.len().saturating_sub(2);
        let polygons = self.polygons.len().saturating_sub(1);
        self.corridor.len().min(funnel).min(deque).min(points).min(polygons)
    }
}

/// The portals of a path: the first `len` steps of [`Scratch::corridor`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Corridor {
    pub(super) len: usize,
    whole: bool,
    cut: bool,
    pub(super) last: PolyId,
}

impl Corridor {
    pub(super) fn new(last: PolyId) -> Corridor {
        Corridor { len: 0, whole: true, cut: false, last }
    }

    pub(super) fn push(&mut self, steps: &mut [Step], polygon: PolyId, edge: u32) {
        match steps.get_mut(self.len) {
            Some(step) => {
                *step = Step { polygon: polygon.0, edge };
                self.len += 1;
            }
            None => self.whole = false,
        }
    }

    /// Continues over a link that begins on a polygon.
    pub(super) fn take_link(&mut self, steps: &mut [Step], polygon: PolyId, link: u32) {
        let Step { polygon, edge } = Step::by_link(polygon.0, link);
        self.push(steps, PolyId(polygon), edge);
    }

    /// Removes the steps from `len` on, which make a loop.
    pub(super) fn cut(&mut self, len: usize) {
        (self.len, self.cut) = (len, true);
    }

    /// Were loops removed?
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Was there room for the whole corridor?
    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }
}

/// A source of scratch for a query.
///
/// A `&mut` [`Scratch`], a [`Scratch`], or a `&mut SearchBuffer`, which may grow.
pub trait Lender<'s> {
    /// Lends the slices for a while.
    fn lend(&mut self) -> Scratch<'_>;

    /// Makes the slices longer, and keeps their contents.
    ///
    /// False when it may not or cannot.
    fn grow(&mut self) -> bool {
        false
    }

    /// Would [`Lender::grow`] succeed?
    fn grows(&self) -> bool {
        false
    }

    /// Lends the slices for as long as the answer lives.
    fn lend_for_good(self) -> Scratch<'s>;
}

impl<'s> Lender<'s> for Scratch<'s> {
    fn lend(&mut self) -> Scratch<'_> {
        self.into()
    }

    fn lend_for_good(self) -> Scratch<'s> {
        self
    }
}

impl<'s> Lender<'s> for &'s mut Scratch<'_> {
    fn lend(&mut self) -> Scratch<'_> {
        (&mut **self).into()
    }

    fn lend_for_good(self) -> Scratch<'s> {
        self.into()
    }
}
