//! The navmesh of one agent class, read in place.

use core::ops::Range;

use navbake_ids::{IslandId, NONE, PolyId, VertexId};

use crate::index::SpatialIndex;
use crate::packed::{Numbers, Packed, sum_before};
use crate::polygon::Polygon;
use crate::records::{
    BEFORE, BLOCK, BoxRecord, GROUP, MeshRecord, NarrowEdge, PolygonGroup, ShortEdge, VertexBlock,
    WideEdge, WideVertex,
};
use crate::relief_of::{ReliefOf, Reliefs};
use crate::things::Things;
use crate::{Blob, BlobError, Found, Grid, Relief, Section};

/// Convex polygons over a flat or many-storeyed level, with portals where they meet. Cheap to copy, `Send` and `Sync`.
///
/// Polygons are counter-clockwise seen from above, with a positive area. Their first corner is the one with the least (x, z); collinear
/// corners are allowed, two corners at one (x, z) are not. A portal has the same (x, z) segment on both sides; its heights may differ: a
/// step.
///
/// Ids that are out of range give empty polygons and places that mean nothing, never a panic.
#[derive(Clone, Copy)]
pub struct NavMeshView<'a> {
    grid: Grid,
    class: u16,
    least: [i32; 3],
    greatest: [i32; 3],
    polygons: u32,
    vertices: Vertices<'a>,
    edges: Edges<'a>,
    /// The first polygon of each.
    islands: Numbers<'a>,
    index: SpatialIndex<'a>,
    relief_of: ReliefOf<'a>,
    reliefs: Reliefs<'a>,
    things: Things<'a>,
}

#[derive(Clone, Copy)]
pub(crate) enum Vertices<'a> {
    Wide(&'a [WideVertex]),
    Packed(Packed<'a>),
}

#[derive(Clone, Copy)]
pub(crate) enum Edges<'a> {
    /// Groups, edges, and what they cannot name.
    Short(&'a [PolygonGroup], &'a [ShortEdge], Numbers<'a>),
    /// Where each polygon's edges begin, and they.
    Narrow(Numbers<'a>, &'a [NarrowEdge]),
    Wide(Numbers<'a>, &'a [WideEdge]),
}

/// Where to look up what short edges of a group name.
#[derive(Clone, Copy, Default)]
pub(crate) struct Near {
    pub(crate) vertex: u32,
    pub(crate) polygon: u32,
    pub(crate) far: u32,
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
            2 => Numbers::Two(blob.records(section, class)),
            _ => Numbers::Four(blob.records(section, class)),
        };
        let vertex_count = mesh.vertices.get();
        let vertices = if size(Section::VERTICES) == 1 {
            let section = blob.section(Section::VERTICES, class);
            let blocks = blob.records::<VertexBlock>(Section::VERTEX_BLOCKS, class);
            if blocks.len() != (vertex_count as usize).div_ceil(BLOCK) {
                return Err(wrong(
                    Section::VERTEX_BLOCKS,
                    class,
                    blocks.len(),
                    "one block for each 64 vertices that the section mesh states",
                ));
            }
            Vertices::Packed(Packed {
                bytes: section.map_or(&[], |(_, bytes)| bytes),
                blocks,
                count: vertex_count,
            })
        } else {
            if blob.section(Section::VERTEX_BLOCKS, class).is_some() {
                return Err(wrong(
                    Section::VERTEX_BLOCKS,
                    class,
                    1,
                    "no blocks: the vertices have 12 bytes each",
                ));
            }
            let wide = blob.records::<WideVertex>(Section::VERTICES, class);
            if wide.len() != vertex_count as usize {
                return Err(wrong(
                    Section::VERTICES,
                    class,
                    wide.len(),
                    "as many vertices as the section mesh states",
                ));
            }
            Vertices::Wide(wide)
        };
        let polygons = mesh.polygons.get();
        if polygons == NONE {
            return Err(wrong(
                Section::MESH,
                class,
                polygons as usize,
                "fewer than 2^32 - 1 polygons",
            ));
        }
        let groups = blob.records::<PolygonGroup>(Section::POLYGONS, class);
        let first_edge = numbers(Section::POLYGONS);
        let far = numbers(Section::FAR);
        let has_far = blob.section(Section::FAR, class).is_some();
        let (edges, records, expected, short) =
            match (size(Section::POLYGONS), size(Section::EDGES)) {
                (28, 2) => (
                    Edges::Short(groups, blob.records(Section::EDGES, class), far),
                    groups.len() == (polygons as usize).div_ceil(GROUP),
                    "one record for each 16 polygons that the section mesh states",
                    true,
                ),
                (28, _) | (_, 2) => {
                    return Err(wrong(
                        Section::EDGES,
                        class,
                        size(Section::EDGES).into(),
                        "2 bytes an edge when polygons have 28, and only then",
                    ));
                }
                (_, edge) => (
                    match edge {
                        4 => Edges::Narrow(first_edge, blob.records(Section::EDGES, class)),
                        _ => Edges::Wide(first_edge, blob.records(Section::EDGES, class)),
                    },
                    first_edge.len() as u64 == u64::from(polygons) + 1,
                    "one record more than the section mesh states polygons",
                    false,
                ),
            };
        if !records {
            let found = if short {
                groups.len()
            } else {
                first_edge.len()
            };
            return Err(wrong(Section::POLYGONS, class, found, expected));
        }
        if has_far && !short {
            return Err(wrong(
                Section::FAR,
                class,
                far.len(),
                "this section only when polygons have 28 bytes",
            ));
        }
        let islands = numbers(Section::ISLANDS);
        let relief_of = ReliefOf::read(blob, class, polygons)?;
        let reliefs = Reliefs::new(blob.records(Section::RELIEFS, class));
        let (least, greatest) = (mesh.least.map(|c| c.get()), mesh.greatest.map(|c| c.get()));
        let view = NavMeshView {
            grid: blob.header().grid,
            class,
            least,
            greatest,
            polygons,
            vertices,
            edges,
            islands,
            index: SpatialIndex::new(
                blob.records::<BoxRecord>(Section::INDEX, class),
                polygons as usize,
                least,
                greatest,
            ),
            relief_of,
            reliefs,
            things: Things::read(blob, class),
        };
        // Ids have 32 bits, and all bits set means none.
        for (section, n) in [
            (Section::VERTICES, view.vertices_len()),
            (Section::EDGES, view.edges_len()),
            (Section::ISLANDS, islands.len()),
            (Section::RELIEFS, reliefs.words()),
            (Section::LINKS, view.things.link_count() as usize),
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
            Vertices::Packed(v) => v.count as usize,
        }
    }

    fn edges_len(&self) -> usize {
        match self.edges {
            Edges::Short(_, e, _) => e.len(),
            Edges::Narrow(_, e) => e.len(),
            Edges::Wide(_, e) => e.len(),
        }
    }

    pub(crate) fn things(&self) -> Things<'a> {
        self.things
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

    /// Least and greatest coordinates of vertices and reliefs' points, in grid units; zeros when there are none.
    #[inline]
    pub fn bounds(&self) -> [[i32; 3]; 2] {
        [self.least, self.greatest]
    }

    /// Number of polygons.
    #[inline]
    pub fn polygon_count(&self) -> u32 {
        self.polygons
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
        self.islands.len() as u32
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
            Vertices::Packed(all) => match all.get(v.index()) {
                Some((block, word)) => block.vertex(word),
                _ => [0; 3],
            },
        }
    }

    /// A vertex in the ground plane, `[x, z]`, grid units.
    #[inline]
    pub fn flat(&self, v: VertexId) -> [i32; 2] {
        match self.vertices {
            Vertices::Packed(all) => match all.get(v.index()) {
                Some((block, word)) => block.flat(word),
                _ => [0; 2],
            },
            Vertices::Wide(all) => all
                .get(v.index())
                .map_or([0; 2], |r| [r.at[0].get(), r.at[2].get()]),
        }
    }

    /// The numbers of a polygon's edges. Edge k runs from corner k to the next.
    #[inline]
    pub fn edges_of(&self, p: PolyId) -> Range<u32> {
        let (first, len, _) = self.find(p);
        first..first.wrapping_add(len)
    }

    /// A polygon's first edge, the number of its edges, and where to look them up.
    #[inline]
    fn find(&self, p: PolyId) -> (u32, u32, Near) {
        if p.0 >= self.polygons {
            return (0, 0, Near::default());
        }
        let i = p.index();
        match &self.edges {
            Edges::Short(groups, _, _) => match groups.get(i / GROUP) {
                Some(group) => {
                    let before = sum_before(&group.corners, i % GROUP);
                    let near = Near {
                        vertex: group.first_vertex.get(),
                        polygon: ((i / GROUP * GROUP) as u32).wrapping_sub(BEFORE),
                        far: group.first_far.get(),
                    };
                    (
                        group.first_edge.get().wrapping_add(before),
                        group.corners[i % GROUP].into(),
                        near,
                    )
                }
                None => (0, 0, Near::default()),
            },
            Edges::Narrow(first, _) | Edges::Wide(first, _) => {
                let (start, end) = (first.get(i), first.get(i + 1));
                (start, end.saturating_sub(start), Near::default())
            }
        }
    }

    /// Number of reliefs.
    #[inline]
    pub fn relief_count(&self) -> u32 {
        self.reliefs.len()
    }

    /// A relief; one over nothing where there is none.
    #[inline]
    pub fn relief(&self, i: u32) -> Relief<'a> {
        self.reliefs.get(i)
    }

    /// The number of the relief that tells a polygon's height; `None` when its corners do.
    #[inline]
    pub fn relief_number(&self, p: PolyId) -> Option<u32> {
        self.relief_of.get(p)
    }

    #[inline]
    pub(crate) fn relief_of(&self, p: PolyId) -> Option<Relief<'a>> {
        self.relief_of.get(p).map(|i| self.reliefs.get(i))
    }

    pub(crate) fn reliefs(&self) -> (ReliefOf<'a>, Reliefs<'a>) {
        (self.relief_of, self.reliefs)
    }

    /// A polygon, with its corners and neighbours at hand.
    #[inline]
    pub fn polygon(&self, p: PolyId) -> Polygon<'_, 'a> {
        let (first, len, near) = self.find(p);
        Polygon::new(self, p, first, len, near)
    }

    /// All polygons, by id.
    pub fn polygons(&self) -> impl Iterator<Item = Polygon<'_, 'a>> {
        (0..self.polygon_count()).map(|p| self.polygon(PolyId(p)))
    }

    /// The island of a polygon: two points can reach each other when their polygons have the same. A binary search.
    pub fn island(&self, p: PolyId) -> IslandId {
        let (mut low, mut high) = (0, self.islands.len());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.islands.get(middle) <= p.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        IslandId(low as u32)
    }

    /// The first polygon of an island; the number of polygons for the one behind the last.
    pub(crate) fn island_first(&self, island: u32) -> u32 {
        if island < self.island_count() {
            self.islands.get(island as usize)
        } else {
            self.polygons
        }
    }

    pub(crate) fn edges(&self) -> &Edges<'a> {
        &self.edges
    }
}

pub(crate) fn wrong(
    section: Section,
    class: u16,
    found: usize,
    expected: &'static str,
) -> BlobError {
    BlobError::Record {
        section,
        class,
        index: 0,
        found: Found::Int(found as i64),
        expected,
    }
}
