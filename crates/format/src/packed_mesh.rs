//! The navmesh of one agent class as stored in the file, packed or laid out. Used for checks and
//! for decoding.

use navbake_grid::{Grid, IslandId, NONE, PolyId, VertexId};
use navbake_navmesh::record::Records;
use navbake_navmesh::{MOST_EDGES, PolyMesh};

use crate::blob::Blob;
use crate::edges::{Edges, Run};
use crate::error::BlobError;
use crate::height_mesh_of::{HeightMeshOf, HeightMeshes};
use crate::index::SpatialIndex;
use crate::layout::LayoutRecord;
use crate::numbers::Numbers;
use crate::packed::{Bases, Packed};
use crate::packed_polygon::PackedPolygon;
use crate::place::Place;
use crate::records::{BLOCK, BoxRecord, GROUP, MeshRecord, VertexBlock};
use crate::section::Section;

/// Convex polygons over a flat or many-storeyed level, with portals where they meet. Cheap to copy,
/// `Send` and `Sync`.
///
/// Polygons are counter-clockwise seen from above, with a positive area. Their first corner is the
/// one with the least (x, z); collinear corners are allowed, two corners at one (x, z) are not. A
/// portal has the same (x, z) segment on both sides; its heights may differ: a step.
///
/// Ids that are out of range give empty polygons and places that mean nothing, never a panic.
#[derive(Clone, Copy)]
pub(crate) struct NavMeshView<'a> {
    grid: Grid,
    least: [i32; 3],
    greatest: [i32; 3],
    polygons: u32,
    vertices: Vertices<'a>,
    edges: Edges<'a>,
    /// The first polygon of each.
    islands: Numbers<'a>,
    index: SpatialIndex<'a>,
    height_mesh_of: HeightMeshOf<'a>,
    height_meshes: HeightMeshes<'a>,
    /// One a polygon, or none when all are area 0.
    areas: &'a [u8],
    /// Polygons and edges of an unpacked file. Those of the packed mesh are empty then.
    plain: Option<PolyMesh<'a>>,
}

#[derive(Clone, Copy)]
pub(crate) enum Vertices<'a> {
    Wide(Records<'a, [i32; 3]>),
    Packed(Packed<'a>),
}

impl<'a> NavMeshView<'a> {
    /// Finds the sections of a class and checks that their lengths agree: O(sections).
    /// [`Blob::validate`] checks their contents.
    pub(crate) fn read(blob: &Blob<'a>, class: u16) -> Result<NavMeshView<'a>, BlobError> {
        let at = Place { class };
        let meshes = blob.records::<MeshRecord>(Section::MESH, class);
        let (Some(mesh), 1) = (meshes.first(), meshes.len()) else {
            return at.fail(Section::MESH, 0, meshes.len(), "one record");
        };
        match blob.is_unpacked() {
            true => NavMeshView::read_plain(blob, class, &mesh),
            false => NavMeshView::read_packed(blob, class, &mesh),
        }
    }

    /// That of an unpacked file.
    fn read_plain(
        blob: &Blob<'a>,
        class: u16,
        mesh: &MeshRecord,
    ) -> Result<NavMeshView<'a>, BlobError> {
        let at = Place { class };
        let heads = blob.records::<LayoutRecord>(Section::LAYOUT, class);
        let (Some(head), 1) = (heads.first(), heads.len()) else {
            return at.fail(Section::LAYOUT, 0, heads.len(), "one record");
        };
        let plain = head.poly_mesh(blob, class);
        let vertices = blob.records::<[i32; 3]>(Section::LAYOUT_VERTICES, class);
        let islands = blob.records::<u32>(Section::LAYOUT_ISLANDS, class);
        let polygons = plain.polygons.len();
        for (section, found, right, expected) in [
            (
                Section::LAYOUT_POLYGONS,
                polygons,
                mesh.polygons != NONE && polygons as u64 == u64::from(mesh.polygons) + 1,
                "one more than the section mesh states polygons",
            ),
            (
                Section::LAYOUT_VERTICES,
                vertices.len(),
                vertices.len() == mesh.vertices as usize,
                "as many vertices as the section mesh states",
            ),
            (
                Section::LAYOUT_EDGES,
                plain.edges.len(),
                plain.edges.len() <= MOST_EDGES,
                "at most 2^29 edges",
            ),
        ] {
            at.refuse(!right, section, 0, found, expected)?;
        }
        let view = NavMeshView {
            plain: Some(plain),
            ..NavMeshView::with(blob, class, mesh, Vertices::Wide(vertices), Edges::none())
        };
        let view = NavMeshView { islands: Numbers::Four(islands), ..view };
        view.check_index(blob, class)?;
        Ok(view)
    }

    /// One with the sections that packed and unpacked files share.
    fn with(
        blob: &Blob<'a>,
        class: u16,
        mesh: &MeshRecord,
        vertices: Vertices<'a>,
        edges: Edges<'a>,
    ) -> NavMeshView<'a> {
        NavMeshView {
            grid: blob.header().grid,
            least: mesh.least,
            greatest: mesh.greatest,
            polygons: mesh.polygons,
            vertices,
            edges,
            islands: Numbers::read(blob, Section::ISLANDS, class),
            index: SpatialIndex::new(
                blob.records::<BoxRecord>(Section::INDEX, class),
                mesh.polygons as usize,
                mesh.least,
                mesh.greatest,
            ),
            height_mesh_of: HeightMeshOf::None,
            height_meshes: HeightMeshes::new(Records::default()),
            areas: blob.raw(Section::POLYGON_AREAS, class),
            plain: None,
        }
    }

    /// There are as many boxes as the tree over the polygons has.
    fn check_index(&self, blob: &Blob<'a>, class: u16) -> Result<(), BlobError> {
        let nodes = blob.records::<BoxRecord>(Section::INDEX, class).len();
        let expected = "one box for each 8 polygons, and so on up to one box";
        let wrong = nodes != self.index.node_count();
        Place { class }.refuse(wrong, Section::INDEX, 0, nodes, expected)
    }

    /// That of a packed file.
    fn read_packed(
        blob: &Blob<'a>,
        class: u16,
        mesh: &MeshRecord,
    ) -> Result<NavMeshView<'a>, BlobError> {
        let at = Place { class };
        let size = |section| blob.section(section, class).map_or(0, |(info, _)| info.element_size);
        let numbers = |section| Numbers::read(blob, section, class);
        let vertex_count = mesh.vertices;
        let vertices = if size(Section::VERTICES) == 1 {
            let section = blob.section(Section::VERTICES, class);
            let blocks = blob.records::<VertexBlock>(Section::VERTEX_BLOCKS, class);
            let (found, wanted) = (blocks.len(), (vertex_count as usize).div_ceil(BLOCK));
            let expected = "one block for each 64 vertices that the section mesh states";
            at.refuse(found != wanted, Section::VERTEX_BLOCKS, 0, found, expected)?;
            Vertices::Packed(Packed {
                bytes: section.map_or(&[], |(_, bytes)| bytes),
                blocks,
                count: vertex_count,
                bases: Bases::new(mesh.least, mesh.greatest),
            })
        } else {
            let expected = "no blocks: the vertices have 12 bytes each";
            at.refuse(
                blob.has(Section::VERTEX_BLOCKS, class),
                Section::VERTEX_BLOCKS,
                0,
                1,
                expected,
            )?;
            let wide = blob.records::<[i32; 3]>(Section::VERTICES, class);
            let (found, expected) = (wide.len(), "as many vertices as the section mesh states");
            at.refuse(found != vertex_count as usize, Section::VERTICES, 0, found, expected)?;
            Vertices::Wide(wide)
        };
        let polygons = mesh.polygons;
        let expected = "fewer than 2^32 - 1 polygons";
        at.refuse(polygons == NONE, Section::MESH, 0, polygons as usize, expected)?;
        let group_size = usize::from(size(Section::POLYGONS));
        let groups = (blob.section(Section::POLYGONS, class)).map_or(&[][..], |(_, bytes)| bytes);
        let wanted = (polygons as usize).div_ceil(GROUP);
        let found = groups.len().checked_div(group_size).unwrap_or(0);
        let expected = "one record for each 16 polygons that the section mesh states";
        at.refuse(found != wanted, Section::POLYGONS, 0, found, expected)?;
        let bytes = (blob.section(Section::EDGES, class)).map_or(&[][..], |(_, bytes)| bytes);
        let Some(edges) = Edges::new(
            groups,
            group_size,
            bytes,
            size(Section::EDGES) == 4,
            numbers(Section::FAR),
            polygons,
        ) else {
            let expected = "bits and codes for the edges of all polygons";
            return at.fail(Section::EDGES, 0, bytes.len(), expected);
        };
        let view = NavMeshView {
            height_mesh_of: HeightMeshOf::read(blob, class, polygons)?,
            height_meshes: HeightMeshes::new(blob.records(Section::HEIGHT_MESHES, class)),
            ..NavMeshView::with(blob, class, mesh, vertices, edges)
        };
        let (n, expected) = (view.areas.len(), "as many as the section mesh states polygons");
        let wrong = n != 0 && n != polygons as usize;
        at.refuse(wrong, Section::POLYGON_AREAS, 0, n, expected)?;
        let links = blob.section(Section::LINKS, class).map_or(0, |(info, _)| info.count as usize);
        // Ids have 32 bits, and all bits set means none.
        for (section, n) in [
            (Section::VERTICES, view.vertices_len()),
            (Section::EDGES, view.edges.len() as usize),
            (Section::ISLANDS, view.islands.len()),
            (Section::HEIGHT_MESHES, view.height_meshes.words()),
            (Section::LINKS, links),
        ] {
            at.refuse(n >= NONE as usize, section, 0, n, "fewer than 2^32 - 1 records")?;
        }
        view.check_index(blob, class)?;
        Ok(view)
    }

    fn vertices_len(&self) -> usize {
        match self.vertices {
            Vertices::Wide(v) => v.len(),
            Vertices::Packed(v) => v.count as usize,
        }
    }

    /// The kind of ground that a polygon is.
    pub(crate) fn area(&self, p: PolyId) -> navbake_grid::AreaId {
        let area = match self.plain {
            Some(plain) => plain.polygon(p.0).map(|polygon| polygon.area as u8),
            None => self.areas.get(p.index()).copied(),
        };
        navbake_grid::AreaId(area.unwrap_or(0))
    }

    /// Is all ground of area 0?
    pub(crate) fn is_one_area(&self) -> bool {
        self.plain.is_none() && self.areas.is_empty()
    }

    /// Polygons and edges of an unpacked file.
    #[inline]
    pub(crate) fn plain(&self) -> Option<&PolyMesh<'a>> {
        self.plain.as_ref()
    }

    pub(crate) fn vertices(&self) -> Vertices<'a> {
        self.vertices
    }

    /// The grid of all coordinates.
    #[inline]
    pub(crate) fn grid(&self) -> Grid {
        self.grid
    }

    /// Least and greatest coordinates of vertices and height meshes' points, in grid units; zeros
    /// when there are none.
    #[inline]
    pub(crate) fn bounds(&self) -> [[i32; 3]; 2] {
        [self.least, self.greatest]
    }

    /// Number of polygons.
    #[inline]
    pub(crate) fn polygon_count(&self) -> u32 {
        self.polygons
    }

    /// Number of vertices.
    #[inline]
    pub(crate) fn vertex_count(&self) -> u32 {
        self.vertices_len() as u32
    }

    /// Number of edges: a portal counts twice. Of an unpacked mesh with the gaps of its layout.
    #[inline]
    pub(crate) fn edge_count(&self) -> u32 {
        match self.plain {
            Some(plain) => plain.edges.len() as u32, // at most 2^29
            None => self.edges.len(),
        }
    }

    /// Number of islands.
    #[inline]
    pub(crate) fn island_count(&self) -> u32 {
        self.islands.len() as u32
    }

    /// The polygons' boxes, for location.
    #[inline]
    pub(crate) fn index(&self) -> &SpatialIndex<'a> {
        &self.index
    }

    /// A vertex in grid units.
    #[inline]
    pub(crate) fn vertex(&self, v: VertexId) -> [i32; 3] {
        match self.vertices {
            Vertices::Wide(all) => all.get(v.index()).unwrap_or_default(),
            Vertices::Packed(all) => all.vertex(v.index()).unwrap_or_default(),
        }
    }

    /// A vertex in the ground plane, `[x, z]`, grid units.
    #[inline]
    pub(crate) fn flat(&self, v: VertexId) -> [i32; 2] {
        match self.vertices {
            Vertices::Packed(all) => all.flat(v.index()).unwrap_or_default(),
            Vertices::Wide(all) => all.get(v.index()).map_or([0; 2], |[x, _, z]| [x, z]),
        }
    }

    /// Least and greatest height of a polygon's height points; `None` when its corners define the
    /// height.
    #[inline]
    pub(crate) fn heights(&self, p: PolyId) -> Option<[i32; 2]> {
        match self.plain {
            Some(plain) => {
                let number = plain.polygon(p.0)?.detail;
                (number != NONE).then(|| plain.details.heights(number))
            }
            None => self.height_mesh_of.get(p).map(|i| self.height_meshes.get(i).heights()),
        }
    }

    pub(crate) fn height_meshes(&self) -> (HeightMeshOf<'a>, HeightMeshes<'a>) {
        (self.height_mesh_of, self.height_meshes)
    }

    /// A polygon, with its corners and neighbours.
    #[inline]
    pub(crate) fn polygon(&self, p: PolyId) -> PackedPolygon<'_, 'a> {
        let run = match self.plain {
            Some(plain) => {
                let border = plain.border(p.0);
                Run::plain(border.number(0), border.len() as u32)
            }
            None if p.0 < self.polygons => self.edges.find(p.index()),
            None => Run::default(),
        };
        PackedPolygon::new(self, p, run)
    }

    /// All polygons, by id.
    #[cfg(feature = "alloc")]
    pub(crate) fn polygons(&self) -> impl Iterator<Item = PackedPolygon<'_, 'a>> {
        (0..self.polygon_count()).map(|p| self.polygon(PolyId(p)))
    }

    /// The island of a polygon: two points can reach each other when their polygons have the same.
    /// A binary search.
    pub(crate) fn island(&self, p: PolyId) -> IslandId {
        IslandId(self.islands.up_to(p.0).saturating_sub(1) as u32)
    }

    /// The first polygon of an island; the number of polygons for the one behind the last.
    pub(crate) fn island_first(&self, island: u32) -> u32 {
        if island < self.island_count() { self.islands.get(island as usize) } else { self.polygons }
    }

    pub(crate) fn edges(&self) -> &Edges<'a> {
        &self.edges
    }
}
