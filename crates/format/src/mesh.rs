//! The navmesh of one agent class, read in place.

use core::ops::Range;

use navbake_ids::{EdgeId, IslandId, NONE, PolyId, VertexId};
use zerocopy::little_endian::{U16, U32};

use crate::index::SpatialIndex;
use crate::points::HeightPoints;
use crate::records::{
    BLOCK, BoxRecord, LocalVertex, MeshRecord, NarrowEdge, VertexBlock, WideEdge, WideVertex,
};
use crate::{Blob, BlobError, Found, Grid, Section, relief};

/// Convex polygons over a flat or many-storeyed level, with portals where they meet. Cheap to copy, `Send` and `Sync`.
///
/// Polygons are counter-clockwise seen from above, with a positive area. Their first corner is the one with the least (x, z); collinear
/// corners are allowed, two corners at one (x, z) are not. A portal has the same (x, z) segment on both sides; its heights may differ: a
/// step.
///
/// Ids that are out of range give zeros and empty polygons, never a panic.
#[derive(Clone, Copy)]
pub struct NavMeshView<'a> {
    grid: Grid,
    class: u16,
    least: [i32; 3],
    greatest: [i32; 3],
    islands: u32,
    vertices: Vertices<'a>,
    first_edge: Numbers<'a>,
    edges: Edges<'a>,
    island: Numbers<'a>,
    index: SpatialIndex<'a>,
    height_first: Numbers<'a>,
    height_points: &'a [U32],
}

#[derive(Clone, Copy)]
pub(crate) enum Vertices<'a> {
    Wide(&'a [WideVertex]),
    Local(&'a [LocalVertex], &'a [VertexBlock]),
}

#[derive(Clone, Copy)]
pub(crate) enum Edges<'a> {
    Narrow(&'a [NarrowEdge]),
    Wide(&'a [WideEdge]),
}

/// Whole numbers in 1, 2 or 4 bytes each.
#[derive(Clone, Copy)]
pub(crate) enum Numbers<'a> {
    One(&'a [u8]),
    Two(&'a [U16]),
    Four(&'a [U32]),
}

impl Numbers<'_> {
    #[inline]
    fn get(&self, i: usize) -> u32 {
        match self {
            Numbers::One(n) => n.get(i).map_or(0, |&v| v.into()),
            Numbers::Two(n) => n.get(i).map_or(0, |v| v.get().into()),
            Numbers::Four(n) => n.get(i).map_or(0, |v| v.get()),
        }
    }

    fn len(&self) -> usize {
        match self {
            Numbers::One(n) => n.len(),
            Numbers::Two(n) => n.len(),
            Numbers::Four(n) => n.len(),
        }
    }
}

impl<'a> NavMeshView<'a> {
    /// Finds the sections of a class and checks that their lengths agree: O(sections). What stands in them is checked by
    /// [`Blob::validate`].
    pub(crate) fn read(blob: &Blob<'a>, class: u16) -> Result<NavMeshView<'a>, BlobError> {
        let meshes = blob.records::<MeshRecord>(Section::MESH, class);
        let [mesh] = meshes else {
            return Err(wrong(Section::MESH, class, meshes.len(), "one record"));
        };
        let size = |section| {
            blob.section(section, class)
                .map_or(0, |(info, _)| info.element_size)
        };
        let numbers = |section| match size(section) {
            1 => Numbers::One(blob.records(section, class)),
            2 => Numbers::Two(blob.records(section, class)),
            _ => Numbers::Four(blob.records(section, class)),
        };
        let vertices = if size(Section::VERTICES) == 6 {
            let local = blob.records::<LocalVertex>(Section::VERTICES, class);
            let blocks = blob.records::<VertexBlock>(Section::VERTEX_BLOCKS, class);
            if blocks.len() != local.len().div_ceil(BLOCK) {
                return Err(wrong(
                    Section::VERTEX_BLOCKS,
                    class,
                    blocks.len(),
                    "one block for each 64 vertices",
                ));
            }
            Vertices::Local(local, blocks)
        } else {
            if blob.section(Section::VERTEX_BLOCKS, class).is_some() {
                return Err(wrong(
                    Section::VERTEX_BLOCKS,
                    class,
                    1,
                    "no blocks: the vertices have 12 bytes each",
                ));
            }
            Vertices::Wide(blob.records(Section::VERTICES, class))
        };
        let edges = if size(Section::EDGES) == 4 {
            Edges::Narrow(blob.records(Section::EDGES, class))
        } else {
            Edges::Wide(blob.records(Section::EDGES, class))
        };
        let first_edge = numbers(Section::POLYGONS);
        let island = numbers(Section::ISLANDS);
        if first_edge.len() != island.len() + 1 {
            return Err(wrong(
                Section::POLYGONS,
                class,
                first_edge.len(),
                "one record more than the section islands has",
            ));
        }
        let height_first = numbers(Section::HEIGHT_FIRST);
        let heights = [Section::HEIGHT_FIRST, Section::HEIGHT_POINTS]
            .map(|s| blob.section(s, class).is_some());
        if heights[0] != heights[1] {
            return Err(wrong(
                Section::HEIGHT_FIRST,
                class,
                height_first.len(),
                "the sections height-first and height-points, or none of them",
            ));
        }
        if heights[0] && height_first.len() != island.len() + 1 {
            return Err(wrong(
                Section::HEIGHT_FIRST,
                class,
                height_first.len(),
                "one record more than the section islands has",
            ));
        }
        let (least, greatest) = (mesh.least.map(|c| c.get()), mesh.greatest.map(|c| c.get()));
        let view = NavMeshView {
            grid: blob.header().grid,
            class,
            least,
            greatest,
            islands: mesh.islands.get(),
            vertices,
            first_edge,
            edges,
            island,
            index: SpatialIndex::new(
                blob.records::<BoxRecord>(Section::INDEX, class),
                island.len(),
                least,
                greatest,
            ),
            height_first,
            height_points: blob.records(Section::HEIGHT_POINTS, class),
        };
        // Ids have 32 bits, and all bits set means none.
        for (section, n) in [
            (Section::VERTICES, view.vertices_len()),
            (Section::EDGES, view.edges_len()),
            (Section::ISLANDS, island.len()),
            (Section::HEIGHT_POINTS, view.height_points.len()),
        ] {
            if n >= NONE as usize {
                return Err(wrong(section, class, n, "fewer than 2^32 - 1 records"));
            }
        }
        let nodes = blob.records::<BoxRecord>(Section::INDEX, class).len();
        if nodes != view.index.node_count() {
            return Err(wrong(
                Section::INDEX,
                class,
                nodes,
                "one box for each 8 polygons, and so on up to one box",
            ));
        }
        Ok(view)
    }

    fn vertices_len(&self) -> usize {
        match self.vertices {
            Vertices::Wide(v) => v.len(),
            Vertices::Local(v, _) => v.len(),
        }
    }

    fn edges_len(&self) -> usize {
        match self.edges {
            Edges::Narrow(e) => e.len(),
            Edges::Wide(e) => e.len(),
        }
    }

    pub(crate) fn vertices(&self) -> Vertices<'a> {
        self.vertices
    }

    /// The grid of all coordinates.
    #[inline]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The agent class that it was baked for.
    pub fn class(&self) -> u16 {
        self.class
    }

    /// Least and greatest coordinates of vertices and height points, in grid units; zeros when there are none.
    #[inline]
    pub fn bounds(&self) -> [[i32; 3]; 2] {
        [self.least, self.greatest]
    }

    /// Number of polygons.
    #[inline]
    pub fn polygon_count(&self) -> u32 {
        self.island.len() as u32
    }

    /// Number of vertices.
    #[inline]
    pub fn vertex_count(&self) -> u32 {
        self.vertices_len() as u32
    }

    /// Number of polygon edges: a portal counts twice.
    #[inline]
    pub fn edge_count(&self) -> u32 {
        self.edges_len() as u32
    }

    /// Number of islands.
    #[inline]
    pub fn island_count(&self) -> u32 {
        self.islands
    }

    /// The polygons' boxes, for location.
    #[inline]
    pub fn index(&self) -> &SpatialIndex<'a> {
        &self.index
    }

    /// A vertex in grid units.
    #[inline]
    pub fn vertex(&self, v: VertexId) -> [i32; 3] {
        match self.vertices {
            Vertices::Wide(all) => all
                .get(v.index())
                .map_or([0; 3], |r| [r.at[0].get(), r.at[1].get(), r.at[2].get()]),
            Vertices::Local(all, blocks) => {
                match (all.get(v.index()), blocks.get(v.index() / BLOCK)) {
                    (Some(r), Some(b)) => core::array::from_fn(|k| {
                        let offset = i32::from(r.at[k].get()).wrapping_shl(b.shift[k].into());
                        b.base[k].get().wrapping_add(offset)
                    }),
                    _ => [0; 3],
                }
            }
        }
    }

    /// The vertex where an edge begins.
    #[inline]
    pub fn edge_vertex(&self, e: EdgeId) -> VertexId {
        VertexId(match self.edges {
            Edges::Narrow(all) => all.get(e.index()).map_or(0, |r| r.vertex.get().into()),
            Edges::Wide(all) => all.get(e.index()).map_or(0, |r| r.vertex.get()),
        })
    }

    /// The polygon beyond an edge, `None` at a wall.
    #[inline]
    pub fn edge_neighbour(&self, e: EdgeId) -> Option<PolyId> {
        let n = match self.edges {
            Edges::Narrow(all) => {
                match all.get(e.index()).map_or(u16::MAX, |r| r.neighbour.get()) {
                    u16::MAX => NONE,
                    n => n.into(),
                }
            }
            Edges::Wide(all) => all.get(e.index()).map_or(NONE, |r| r.neighbour.get()),
        };
        (n != NONE).then_some(PolyId(n))
    }

    /// The numbers of a polygon's edges. Edge k runs from corner k to the next.
    #[inline]
    pub fn edges_of(&self, p: PolyId) -> Range<u32> {
        if p.0 >= self.polygon_count() {
            return 0..0;
        }
        self.first_edge.get(p.index())..self.first_edge.get(p.index() + 1)
    }

    /// Does any polygon have height points?
    #[inline]
    pub fn has_height_points(&self) -> bool {
        !self.height_points.is_empty()
    }

    /// Where a polygon's elements of the section height-points are; `None` without the section.
    #[inline]
    pub(crate) fn height_range(&self, p: PolyId) -> Option<Range<u32>> {
        (p.0 < self.polygon_count() && self.height_first.len() > 0)
            .then(|| self.height_first.get(p.index())..self.height_first.get(p.index() + 1))
    }

    /// Number of elements of the section height-points.
    pub(crate) fn height_elements(&self) -> usize {
        self.height_points.len()
    }

    /// A polygon, with its corners and neighbours at hand.
    #[inline]
    pub fn polygon(&self, p: PolyId) -> Polygon<'_, 'a> {
        let edges = self.edges_of(p);
        Polygon {
            mesh: self,
            id: p,
            first: edges.start,
            len: edges.end.saturating_sub(edges.start),
        }
    }

    /// All polygons, by id.
    pub fn polygons(&self) -> impl Iterator<Item = Polygon<'_, 'a>> {
        (0..self.polygon_count()).map(|p| self.polygon(PolyId(p)))
    }

    /// The island of a polygon: two points can reach each other when their polygons have the same.
    #[inline]
    pub fn island(&self, p: PolyId) -> IslandId {
        IslandId(self.island.get(p.index()))
    }
}

fn wrong(section: Section, class: u16, found: usize, expected: &'static str) -> BlobError {
    BlobError::Record {
        section,
        class,
        index: 0,
        found: Found::Int(found as i64),
        expected,
    }
}

/// One polygon of a [`NavMeshView`]. Corners and edges are counted from 0; edge k runs from corner k to corner k + 1, the last edge back
/// to corner 0.
#[derive(Clone, Copy)]
pub struct Polygon<'m, 'a> {
    mesh: &'m NavMeshView<'a>,
    id: PolyId,
    first: u32,
    len: u32,
}

impl<'a> Polygon<'_, 'a> {
    /// Further points of its ground, that make its heights.
    pub fn height_points(&self) -> HeightPoints<'a> {
        let mesh = self.mesh;
        let elements = mesh
            .height_range(self.id)
            .and_then(|r| mesh.height_points.get(r.start as usize..r.end as usize))
            .unwrap_or(&[]);
        let corners = (0..self.len).map(|k| self.corner(k));
        HeightPoints::read(elements, mesh.least[1], corners)
    }

    /// Height of the ground at a place `[x, z]` that the polygon holds, grid units: see [`relief::height`].
    pub fn height(&self, place: [f64; 2]) -> f64 {
        let points = self.height_points();
        let corners = self.len as usize;
        let at = |i: usize| {
            if i < corners {
                self.point(i as u32)
            } else {
                points.get(i - corners)
            }
        };
        relief::height(corners, points.len(), at, place)
    }

    /// Height of edge k at a place `[x, z]` on it, grid units: linear between the ends and the height points on it. Portals without
    /// points on them have one height from both sides, unless they are steps.
    pub fn edge_height(&self, k: u32, place: [f64; 2]) -> f64 {
        let (a, b) = (self.point(k), self.point(self.next(k)));
        relief::height_on_edge(a, b, self.height_points().iter(), place)
    }

    /// Its id.
    #[inline]
    pub fn id(&self) -> PolyId {
        self.id
    }

    /// Number of corners, which is the number of edges.
    #[inline]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Only of a polygon that is not there.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The corner behind corner k.
    #[inline]
    pub fn next(&self, k: u32) -> u32 {
        if k + 1 >= self.len { 0 } else { k + 1 }
    }

    /// The corner before corner k.
    #[inline]
    pub fn previous(&self, k: u32) -> u32 {
        if k == 0 {
            self.len.saturating_sub(1)
        } else {
            k - 1
        }
    }

    /// Edge k as a number over all polygons; all bits set when there is no edge k.
    #[inline]
    pub fn edge(&self, k: u32) -> EdgeId {
        EdgeId(if k < self.len {
            self.first.saturating_add(k)
        } else {
            NONE
        })
    }

    /// The vertex at corner k.
    #[inline]
    pub fn vertex(&self, k: u32) -> VertexId {
        self.mesh.edge_vertex(self.edge(k))
    }

    /// Corner k in space, grid units.
    #[inline]
    pub fn point(&self, k: u32) -> [i32; 3] {
        self.mesh.vertex(self.vertex(k))
    }

    /// Corner k in the ground plane, `[x, z]`, grid units.
    #[inline]
    pub fn corner(&self, k: u32) -> [i32; 2] {
        let p = self.point(k);
        [p[0], p[2]]
    }

    /// The polygon beyond edge k, `None` at a wall.
    #[inline]
    pub fn neighbour(&self, k: u32) -> Option<PolyId> {
        self.mesh.edge_neighbour(self.edge(k))
    }

    /// The corner that lies at a point of the ground plane. Corners increase in (x, z) from the first to the greatest and decrease from
    /// there, which is what makes this a binary search.
    pub fn corner_at(&self, p: [i32; 2]) -> Option<u32> {
        const FEW: u32 = 8;
        if self.len <= FEW {
            return (0..self.len).find(|&k| self.corner(k) == p);
        }
        let (mut low, mut high) = (0, self.len - 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.corner(middle) < self.corner(middle + 1) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let peak = low;
        let search = |mut low: u32, mut high: u32, rising: bool| {
            while low < high {
                let middle = low + (high - low) / 2;
                let c = self.corner(middle);
                if c == p {
                    return Some(middle);
                }
                if (c < p) == rising {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            None
        };
        search(0, peak + 1, true).or_else(|| search(peak + 1, self.len, false))
    }

    /// The other side of the portal at edge k: the polygon beyond, and the number of its edge that runs the other way.
    pub fn across(&self, k: u32) -> Option<(PolyId, u32)> {
        let beyond = self.mesh.polygon(self.neighbour(k)?);
        let twin = beyond.corner_at(self.corner(self.next(k)))?;
        Some((beyond.id, twin))
    }
}
