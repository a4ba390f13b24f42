//! Polygons and their edges, laid out for searches.
//!
//! A packed file stores corners and neighbours in a few bits each. Searches read the same borders
//! over and over, so here each edge is one record of 32 bytes that begins with the corner it
//! starts at. The edges of a polygon follow each other, counter-clockwise seen from above:
//!
//! ```text
//!      at(2)                 edge k runs from corner k to corner k + 1,
//!       /\                   the last one back to corner 0.
//!  e2  /  \  e1
//!     /    \                 polygon p:  edges first(p) .. first(p + 1)
//!  at(0)---at(1)             edge:       neighbour polygon and the number of its edge
//!      e0                                in the opposite direction (the twin)
//! ```

use crate::cells::Cells;
use crate::detail::Details;
use crate::link::{LinkStart, LinkStarts};
use crate::pieces::Pieces;
use crate::record::Records;

/// No polygon, no block, no pivot.
pub const NONE: u32 = u32::MAX;

/// In [`Edge::pivot`]: a shortest path can turn there.
pub const CORNER: u32 = 1 << 31;

/// In [`Edge::pivot`]: the ground takes more than one turn there, as around the axis of a helix,
/// so that a path may turn by more than half a turn.
pub const WIDE: u32 = 1 << 30;

/// In place of a pivot: the number is that of an edge's corner. Where the ground takes more than
/// one turn, blocked edges may leave several sectors in which paths turn, and the shortest path to
/// one says nothing about another.
pub const OWN: u32 = 1 << 29;

/// In [`Polygon::area`]: the polygon is not there now. It has no edges; [`Pieces`] may replace it.
pub const GONE: u32 = 1 << 31;

/// The most edges of a mesh: their numbers leave room for the bits above.
pub const MOST_EDGES: usize = OWN as usize;

crate::record! {
    /// A polygon. Its edges end where those of the next polygon begin.
    #[derive(Debug, PartialEq, Eq)]
    pub struct Polygon: 24 {
        /// Its first edge.
        pub first: u32,
        /// The block by which it is connected to the first polygon of its island; see
        /// [`blocks`](crate::blocks).
        pub block: u32,
        /// Its place in the depth-first walk that found the blocks.
        pub order: u32,
        /// Its height triangles, [`NONE`] where its corners define the height.
        pub detail: u32,
        /// Its island.
        pub island: u32,
        /// Its area id, with the bit [`GONE`] where it is not there now.
        pub area: u32,
    }
}

crate::record! {
    /// An edge of a polygon, and the corner where it begins.
    #[derive(Debug, PartialEq, Eq)]
    pub struct Edge: 32 {
        /// The corner, `[x, z]`, grid units.
        pub at: [i32; 2],
        /// The corner's height, grid units.
        pub height: i32,
        /// The corner's vertex.
        pub vertex: u32,
        /// The neighbour: the polygon on the far side, [`NONE`] at a wall.
        pub neighbour: u32,
        /// The number of the neighbour's edge in the opposite direction.
        pub twin: u32,
        /// The number of the corner's pivot, with the bits [`CORNER`] and [`WIDE`]. All corners
        /// around a vertex that are one ground share a pivot; other ground there, as beyond a
        /// pinch or on another storey, has another.
        pub pivot: u32,
        /// The block of the portal; see [`blocks`](crate::blocks).
        pub block: u32,
    }
}

impl Polygon {
    /// One that begins with an edge, nothing else known.
    pub fn new(first: u32) -> Polygon {
        Polygon { first, block: NONE, order: NONE, detail: NONE, island: 0, area: 0 }
    }
}

impl Edge {
    /// Can a shortest path turn at the corner where the edge begins?
    #[inline]
    pub fn is_corner(&self) -> bool {
        self.pivot & CORNER != 0
    }

    /// The number of the corner where the edge begins, if a shortest path can turn there.
    #[inline]
    pub fn corner(&self) -> Option<u32> {
        self.is_corner().then_some(self.pivot_number())
    }

    /// The number of the pivot of the corner where the edge begins.
    #[inline]
    pub fn pivot_number(&self) -> u32 {
        self.pivot & !(CORNER | WIDE)
    }

    /// Does the ground there take more than one turn?
    #[inline]
    pub fn is_wide(&self) -> bool {
        self.pivot & WIDE != 0
    }

    /// The corner in space, `[x, y, z]`, grid units.
    #[inline]
    pub fn point(&self) -> [i32; 3] {
        [self.at[0], self.height, self.at[1]]
    }
}

/// An edge, and its number among all edges of the mesh.
#[derive(Clone, Copy, Debug)]
pub struct HalfEdge {
    edge: Edge,
    number: u32,
}

impl HalfEdge {
    /// Its number among all edges of the mesh.
    #[inline]
    pub fn number(&self) -> u32 {
        self.number
    }
}

impl core::ops::Deref for HalfEdge {
    type Target = Edge;

    #[inline]
    fn deref(&self) -> &Edge {
        &self.edge
    }
}

/// The edges of one polygon, counter-clockwise.
#[derive(Clone, Copy, Debug, Default)]
pub struct Border<'a> {
    edges: Records<'a, Edge>,
    first: u32,
}

impl<'a> Border<'a> {
    /// Number of edges.
    #[inline]
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Only of a polygon that does not exist.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Edge k.
    ///
    /// # Panics
    /// When there is none.
    #[inline]
    pub fn at(&self, k: usize) -> HalfEdge {
        HalfEdge { edge: self.edges.at(k), number: self.number(k) }
    }

    /// Edge k, `None` when there is none.
    #[inline]
    pub fn get(&self, k: usize) -> Option<HalfEdge> {
        let edge = self.edges.get(k)?;
        let number = self.number(k);
        Some(HalfEdge { edge, number })
    }

    /// The edge after edge k.
    ///
    /// # Panics
    /// When there are none.
    #[inline]
    pub fn after(&self, k: usize) -> HalfEdge {
        self.at(self.next(k))
    }

    /// The last edge.
    #[inline]
    pub fn last(&self) -> Option<HalfEdge> {
        self.get(self.edges.len().checked_sub(1)?)
    }

    /// The number after k, going around.
    #[inline]
    pub fn next(&self, k: usize) -> usize {
        if k + 1 < self.edges.len() { k + 1 } else { 0 }
    }

    /// The number before k, going around.
    #[inline]
    pub fn previous(&self, k: usize) -> usize {
        match k {
            0 => self.edges.len().saturating_sub(1),
            _ => k - 1,
        }
    }

    /// The number of edge k among all edges of the mesh.
    #[inline]
    pub fn number(&self, k: usize) -> u32 {
        self.first.wrapping_add(k as u32)
    }

    /// All edges in order.
    #[inline]
    pub fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = Edge> + ExactSizeIterator + Clone + use<'a> {
        self.edges.iter()
    }

    /// All corners in order, `[x, z]`, grid units.
    #[inline]
    pub(crate) fn corners(&self) -> impl Iterator<Item = [i32; 2]> + Clone + use<'a> {
        self.edges.iter().map(|edge| edge.at)
    }

    /// The corner at a point.
    #[inline]
    pub fn corner_at(&self, p: [i32; 2]) -> Option<usize> {
        self.edges.iter().position(|edge| edge.at == p)
    }
}

/// The polygons of a navigation mesh, read only. Cheap to copy.
///
/// Numbers that are out of range give empty borders, never a panic.
#[derive(Clone, Copy, Debug, Default)]
pub struct PolyMesh<'a> {
    /// One more than there are.
    pub polygons: Records<'a, Polygon>,
    /// Edges of all polygons.
    pub edges: Records<'a, Edge>,
    /// The polygon at which each block is connected to the rest of its island.
    pub tops: Records<'a, u32>,
    /// Which polygons are where.
    pub cells: Cells<'a>,
    /// Links, by where they begin.
    pub links: LinkStarts<'a>,
    /// Height triangles.
    pub details: Details<'a>,
    /// What replaces polygons that changed; nothing on a mesh as baked.
    pub pieces: Pieces<'a>,
    /// Of a mesh of several parts that are joined: for each [`Polygon::island`] the island of now.
    pub islands: Records<'a, u32>,
    /// Number of pivots.
    pub pivots: u32,
    /// The first of them, this many, are corners that paths can turn at.
    pub corners: u32,
    /// From this one on no wall touches them, and paths turn there only when ground is left out.
    pub inner: u32,
    /// The most corners of one pivot.
    pub widest: u32,
}

impl<'a> PolyMesh<'a> {
    /// Number of polygons.
    #[inline]
    pub fn len(&self) -> u32 {
        self.polygons.len().saturating_sub(1) as u32
    }

    /// Are there no polygons?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The edges of a polygon; none when it does not exist or is gone.
    #[inline]
    pub fn border(&self, polygon: u32) -> Border<'a> {
        let at = polygon as usize;
        let pair = (self.polygons.get(at), self.polygons.get(at.wrapping_add(1)));
        let (Some(one), Some(next)) = pair else {
            return Border::default();
        };
        if one.area & GONE != 0 {
            return Border::default();
        }
        let edges = self.edges.slice(one.first as usize..next.first as usize);
        Border { edges: edges.unwrap_or_default(), first: one.first }
    }

    /// A polygon; `None` when it does not exist.
    #[inline]
    pub fn polygon(&self, polygon: u32) -> Option<Polygon> {
        let found = self.polygons.get(polygon as usize)?;
        ((polygon as usize) + 1 < self.polygons.len()).then_some(found)
    }

    /// The island of a polygon, [`NONE`] when it does not exist.
    #[inline]
    pub fn island(&self, polygon: u32) -> u32 {
        let own = self.polygon(polygon).map_or(NONE, |own| own.island);
        match self.islands.is_empty() {
            true => own,
            false => self.islands.get(own as usize).unwrap_or(NONE),
        }
    }

    /// An edge of a polygon.
    #[inline]
    pub fn edge(&self, (polygon, edge): (u32, u32)) -> Option<HalfEdge> {
        self.border(polygon).get(edge as usize)
    }

    /// Left and right end of a polygon's edge, seen from within.
    #[inline]
    pub fn ends(&self, polygon: u32, edge: u32) -> Option<[[i32; 2]; 2]> {
        let border = self.border(polygon);
        let right = border.get(edge as usize)?;
        Some([border.after(edge as usize).at, right.at])
    }

    /// The polygons on both sides of an edge, by its number among all; its own first.
    pub fn sides(&self, edge: u32) -> Option<[u32; 2]> {
        let beyond = self.edges.get(edge as usize)?.neighbour;
        let after = self.polygons.partition_point(|p| p.first <= edge);
        Some([(after as u32).checked_sub(1)?, beyond])
    }

    /// Which edge of its polygon an edge is, by its number among all.
    pub fn place(&self, edge: u32) -> Option<u32> {
        let [polygon, _] = self.sides(edge)?;
        edge.checked_sub(self.polygons.get(polygon as usize)?.first)
    }

    /// Height of a polygon at a place `[x, z]` that it contains, grid units.
    #[inline]
    pub fn height(&self, polygon: u32, place: [f64; 2]) -> f64 {
        let Some(own) = self.polygon(polygon) else {
            return 0.0;
        };
        if own.detail != NONE {
            return self.details.height(own.detail, place);
        }
        let border = self.border(polygon);
        let corner = |k: usize| border.get(k).map_or([0; 3], |edge| edge.point());
        crate::fan::height(border.len(), corner, place)
    }
}

impl PolyMesh<'_> {
    /// Are the links those that `link` gives by number, each in the lists of the polygons that
    /// contain the place it begins at? Borders are known to be sound. O(links log links).
    pub fn has_sound_links(&self, count: u32, link: impl Fn(u32) -> Option<LinkStart>) -> bool {
        let (starts, items) = (self.links.starts, self.links.items);
        if count == 0 {
            return starts.is_empty() && items.is_empty();
        }
        let ends = [starts.first(), starts.last()];
        if starts.len() != self.polygons.len()
            || ends != [Some(0), u32::try_from(items.len()).ok()]
            || (1..starts.len()).any(|i| starts.at(i - 1) > starts.at(i))
        {
            return false;
        }
        for polygon in 0..self.len() {
            let list = self.links.of(polygon);
            if (1..list.len()).any(|i| list.at(i - 1).number >= list.at(i).number) {
                return false;
            }
        }
        let is_listed = |polygon: u32, link: &LinkStart| {
            let list = self.links.of(polygon);
            let found = list.find(link.number, |l: LinkStart| l.number);
            found.and_then(|i| list.get(i)) == Some(*link)
        };
        // As many entries as links need, so there are no others.
        let mut listed = 0;
        for number in 0..count {
            let Some(link) = link(number) else {
                return false;
            };
            let mut right = is_listed(link.polygon, &link);
            listed += 1;
            self.each_holder(
                link.polygon,
                link.from,
                |_| true,
                |_, _, edge| {
                    right &= is_listed(edge.neighbour, &link);
                    listed += 1;
                },
            );
            if !right || listed > items.len() {
                return false;
            }
        }
        listed == items.len()
    }
}
