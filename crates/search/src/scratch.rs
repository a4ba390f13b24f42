//! Working memory of queries.

// Only this crate can call the sealed trait that lends the lists.
#![allow(private_interfaces)]

use navbake_format::NavMesh;
#[cfg(feature = "alloc")]
use navbake_format::PolyId;

#[cfg(feature = "alloc")]
use crate::lists::extend;
#[cfg(feature = "alloc")]
use crate::paths::Vectors;
use crate::paths::{Arrays, Slices};

/// What a query needs memory for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The polygons around a place.
    Around,
    /// A path with this many goals.
    Goals(usize),
    /// Lengths to this many goals.
    Row(usize),
    /// A search of polygons.
    Polygons,
    /// A search of portals.
    Portals,
    /// A shortest path.
    Optimal,
    /// A shortest path by labels.
    Labels,
    /// A path over weighted ground.
    Weighted,
    /// A path, and all cones that shortest paths can use, at once.
    Cones,
}

/// Memory that queries can work in: a [`Scratch`] or a [`FixedScratch`].
///
/// It cannot be implemented outside of this crate.
pub trait Memory: sealed::Memory {}

pub(crate) mod sealed {
    use navbake_format::NavMesh;

    use crate::paths::Slices;
    use crate::scratch::Need;

    /// Lends lists to searches.
    pub trait Memory {
        /// Makes room for a query, as far as it can.
        fn prepare(&mut self, mesh: &NavMesh<'_>, need: Need);

        /// Lends the lists.
        fn lend(&mut self) -> Slices<'_>;

        /// Makes the lists of a search longer, and keeps their contents. False when it cannot.
        fn grow(&mut self, need: Need) -> bool;

        /// Would [`Memory::grow`] succeed?
        fn grows(&self, need: Need) -> bool;
    }
}

/// Working memory of queries. It begins empty and grows with what is asked.
///
/// Keep one per thread. Making one takes no time and no memory. A query extends what it needs, and
/// later queries of the same kind on meshes of that size allocate nothing. It serves every mesh.
///
/// A path borrows the scratch that it was found in. To ask for anything else meanwhile, use a
/// second one.
///
/// On a mesh of 20,000 polygons it takes about 140 bytes a polygon after searches by A*, 100 more
/// after those of [`Algorithm::Optimal`](crate::Algorithm::Optimal), and a kilobyte after those of
/// [`Algorithm::Weighted`](crate::Algorithm::Weighted). Open lists begin small and double, up to a
/// bound.
///
/// ```
/// use navbake_search::Scratch;
///
/// let scratch = Scratch::new(); // grows as far as searches need
/// let small = Scratch::bounded(1000); // no search opens more than 1000 nodes
/// # let _ = (scratch, small);
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    lists: Vectors,
    /// The most nodes of a search.
    bound: Option<usize>,
    most: Most,
}

/// The most that a search on the mesh can use, within the bound.
///
/// Lists may be longer since a search on a larger mesh; no answer depends on that.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, Debug, Default)]
struct Most {
    nodes: usize,
    cones: usize,
    roots: usize,
    pieces: usize,
}

#[cfg(feature = "alloc")]
impl Most {
    const NONE: Most = Most { nodes: 0, cones: 0, roots: 0, pieces: 0 };
}

/// The least number of nodes, and of cones, that a search begins with.
#[cfg(feature = "alloc")]
const FEW: usize = 256;

#[cfg(feature = "alloc")]
impl Scratch {
    /// Makes one. Allocates nothing.
    ///
    /// ```
    /// use navbake_search::Scratch;
    ///
    /// assert_eq!(Scratch::new().size(), 0);
    /// ```
    pub const fn new() -> Scratch {
        Scratch { lists: Vectors::NEW, bound: None, most: Most::NONE }
    }

    /// Makes one for searches of at most `nodes` nodes. Allocates nothing.
    ///
    /// A search that needs more ends with [`Status::OutOfNodes`](crate::Status::OutOfNodes). Nodes
    /// are polygons or portals, and no path is longer than the nodes. For every node there are 16
    /// of the intervals of [`Algorithm::Optimal`](crate::Algorithm::Optimal), and of the pieces of
    /// [`Algorithm::Weighted`](crate::Algorithm::Weighted).
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let query = NavQuery::new(nav.mesh());
    /// let mut small = Scratch::bounded(0);
    /// let request = PathRequest::new([1.0, 0.0, 1.0], [8.0, 0.0, 5.0]);
    /// let path = query.find_path(&request, &mut small)?;
    /// assert_eq!(path.status, Status::OutOfNodes);
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub const fn bounded(nodes: usize) -> Scratch {
        Scratch { lists: Vectors::NEW, bound: Some(nodes), most: Most::NONE }
    }

    /// Bytes that it takes now.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # query.find_path(&request, &mut scratch)?;
    /// assert_eq!(Scratch::new().size(), 0);
    /// assert!(scratch.size() > 0); // bytes, after a search
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn size(&self) -> usize {
        self.lists.bytes()
    }

    /// The longest corridor that a search on a mesh can find.
    fn portals(&self, mesh: &NavMesh<'_>) -> usize {
        // No path enters a polygon twice, unless it takes a link in between.
        let most = mesh.polygon_count() as usize + 2 * mesh.link_count() as usize;
        self.bound.unwrap_or(usize::MAX).min(most)
    }

    /// Room for corridors and the paths through them.
    fn extend_paths(&mut self, mesh: &NavMesh<'_>, goals: usize) {
        let (portals, links) = (self.portals(mesh), mesh.link_count() as usize);
        let lists = &mut self.lists;
        extend(&mut lists.slots, mesh.polygon_count() as usize + links);
        extend(&mut lists.corridor, portals);
        // A corridor of n portals has 2 n border points, a start and an end.
        extend(&mut lists.funnel, 2 * portals + 2);
        extend(&mut lists.deque, 2 * portals + 5);
        extend(&mut lists.points, portals + 2 + links.min(portals));
        if lists.polygons.len() < portals + 1 {
            lists.polygons.resize(portals + 1, PolyId(0));
        }
        extend(&mut lists.goals, goals.max(16));
        extend(&mut lists.cheap, links.min(256));
    }

    /// Room for a search of nodes: `places` is the number of all polygons or portals.
    fn extend_nodes(&mut self, mesh: &NavMesh<'_>, places: usize) {
        extend(&mut self.lists.slots, places);
        extend(&mut self.lists.sight.marks, mesh.polys().tops.len().div_ceil(64));
        // Every start and every goal may be a node of its own.
        let most = places + self.lists.goals.len() + 1;
        self.most.nodes = self.bound.unwrap_or(usize::MAX).min(most);
        let few = self.most.nodes.min(FEW.max(self.lists.goals.len() + 1));
        extend(&mut self.lists.nodes, few);
        extend(&mut self.lists.open, few);
    }

    /// Room for a search of cones: few at first, or all at once.
    fn extend_cones(&mut self, mesh: &NavMesh<'_>, all: bool) {
        // The places beyond a link are seen anew from its end. There is no useful limit of tangled
        // searches; this is enough for all but the most tangled ones.
        self.most.cones = 16 * self.portals(mesh) + 64 * mesh.link_count() as usize + 1024;
        // Places where paths can turn: pivots and ends of links.
        let bends = mesh.polys().pivots as usize + mesh.link_count() as usize;
        self.most.roots = self.most.cones.min(2 * bends + 64);
        let few = if all { self.most.cones } else { self.most.cones.min(4 * FEW) };
        self.lists.sight.extend(mesh, bends, few.max(self.lists.sight.cones.len()));
    }
}

#[cfg(feature = "alloc")]
impl Memory for Scratch {}

#[cfg(feature = "alloc")]
impl sealed::Memory for Scratch {
    fn prepare(&mut self, mesh: &NavMesh<'_>, need: Need) {
        let (polygons, edges) = (mesh.polygon_count() as usize, mesh.edge_count() as usize);
        let links = mesh.link_count() as usize;
        match need {
            Need::Around => {
                let reached = self.bound.unwrap_or(usize::MAX).min(polygons);
                extend(&mut self.lists.slots, polygons);
                extend(&mut self.lists.reached, reached);
                extend(&mut self.lists.open, reached);
            }
            Need::Goals(goals) => self.extend_paths(mesh, goals),
            Need::Row(goals) => {
                self.extend_paths(mesh, goals + 1);
                self.lists.tables.extend(mesh);
                self.lists.tables.extend_row(goals);
                extend(&mut self.lists.sight.settled, goals);
            }
            Need::Polygons => self.extend_nodes(mesh, polygons + links),
            Need::Portals => self.extend_nodes(mesh, edges + links),
            Need::Optimal => self.extend_cones(mesh, false),
            Need::Labels => self.lists.tables.extend(mesh),
            Need::Weighted => {
                self.extend_nodes(mesh, polygons + links);
                extend(&mut self.lists.slots, polygons + edges + links);
                // Enough for bounds of a hundredth or so. Their number has no useful limit.
                let pieces = (4 * (edges + links)).clamp(8192, 1 << 16);
                let pieces = pieces.min(16 * self.bound.unwrap_or(usize::MAX / 16));
                self.most.pieces = pieces;
                let goals = self.lists.goals.len();
                self.lists.weighted.extend(pieces, self.portals(mesh), goals);
            }
            Need::Cones => {
                self.extend_paths(mesh, 1);
                self.extend_cones(mesh, true);
            }
        }
    }

    fn lend(&mut self) -> Slices<'_> {
        let most = self.most;
        let mut lent = self.lists.lend();
        first(&mut lent.sight.cones, most.cones);
        first(&mut lent.sight.opened, most.cones);
        first(&mut lent.sight.roots, most.roots);
        first(&mut lent.weighted.pieces, most.pieces);
        first(&mut lent.weighted.heap, most.pieces);
        lent
    }

    fn grow(&mut self, need: Need) -> bool {
        if !self.grows(need) {
            return false;
        }
        let lists = &mut self.lists;
        if need == Need::Optimal {
            let cones = (2 * lists.sight.cones.len()).min(self.most.cones);
            extend(&mut lists.sight.cones, cones);
            extend(&mut lists.sight.opened, cones);
            extend(&mut lists.sight.roots, cones.min(self.most.roots));
        } else {
            let nodes = (2 * lists.nodes.len()).min(self.most.nodes);
            extend(&mut lists.nodes, nodes);
            extend(&mut lists.open, nodes);
        }
        true
    }

    fn grows(&self, need: Need) -> bool {
        match need {
            Need::Optimal => self.lists.sight.cones.len() < self.most.cones,
            _ => self.lists.nodes.len() < self.most.nodes,
        }
    }
}

/// Keeps the first entries of a lent list, at most this many.
#[cfg(feature = "alloc")]
fn first<T>(list: &mut &mut [T], most: usize) {
    let all = core::mem::take(list);
    let count = most.min(all.len());
    *list = &mut all[..count];
}

/// Working memory of a fixed size, for targets without an allocator.
///
/// Every list has `N` entries. That is enough for all queries on meshes with at most `N / 2`
/// polygons, and `N` edges and links; a search that needs more ends with
/// [`Status::OutOfNodes`](crate::Status::OutOfNodes). An entry of all lists takes about a kilobyte,
/// so keep it in a static:
///
/// ```
/// use navbake_search::FixedScratch;
/// use std::sync::Mutex;
///
/// static SCRATCH: Mutex<FixedScratch<512>> = Mutex::new(FixedScratch::new());
/// ```
#[derive(Clone, Debug)]
pub struct FixedScratch<const N: usize> {
    lists: Arrays<N>,
}

impl<const N: usize> FixedScratch<N> {
    /// Makes one.
    pub const fn new() -> FixedScratch<N> {
        FixedScratch { lists: Arrays::NEW }
    }
}

impl<const N: usize> Default for FixedScratch<N> {
    fn default() -> FixedScratch<N> {
        FixedScratch::new()
    }
}

impl<const N: usize> Memory for FixedScratch<N> {}

impl<const N: usize> sealed::Memory for FixedScratch<N> {
    fn prepare(&mut self, _: &NavMesh<'_>, _: Need) {}

    fn lend(&mut self) -> Slices<'_> {
        self.lists.lend()
    }

    fn grow(&mut self, _: Need) -> bool {
        false
    }

    fn grows(&self, _: Need) -> bool {
        false
    }
}

#[cfg(test)]
pub(crate) mod tests;
