//! The sections of the layout, which an unpacked file stores instead of a packed mesh.

use navbake_navmesh::cells::Cells;
use navbake_navmesh::detail::Details;
use navbake_navmesh::record::Records;
use navbake_navmesh::{LinkStarts, Pieces, PolyMesh};

use crate::blob::Blob;
use crate::section::Section;

navbake_navmesh::record! {
    /// Section `layout`: the numbers of a mesh that are not lists.
    #[derive(Debug, Default, PartialEq, Eq)]
    pub(crate) struct LayoutRecord: 72 {
        /// Identity of the packed mesh that labels and landmarks belong to.
        pub(crate) ground: u64,
        pub(crate) least: [i32; 3],
        pub(crate) greatest: [i32; 3],
        pub(crate) cells_least: [i32; 2],
        pub(crate) cells_shift: u32,
        pub(crate) cells_across: [u32; 2],
        pub(crate) pivots: u32,
        pub(crate) corners: u32,
        pub(crate) inner: u32,
        pub(crate) widest: u32,
        pub(crate) reserved: u32,
    }
}

impl LayoutRecord {
    /// The polygons that this is the head of.
    pub(crate) fn poly_mesh<'a>(&self, blob: &Blob<'a>, class: u16) -> PolyMesh<'a> {
        PolyMesh {
            polygons: blob.records(Section::LAYOUT_POLYGONS, class),
            edges: blob.records(Section::LAYOUT_EDGES, class),
            tops: blob.records(Section::LAYOUT_BLOCKS, class),
            cells: Cells {
                least: self.cells_least,
                shift: self.cells_shift,
                across: self.cells_across,
                starts: blob.records(Section::LAYOUT_CELL_STARTS, class),
                items: blob.records(Section::LAYOUT_CELLS, class),
                parts: Records::default(),
            },
            links: LinkStarts {
                starts: blob.records(Section::LAYOUT_LINK_STARTS, class),
                items: blob.records(Section::LAYOUT_LINKS, class),
            },
            details: Details {
                heads: blob.records(Section::LAYOUT_DETAILS, class),
                points: blob.records(Section::LAYOUT_DETAIL_POINTS, class),
                triangles: blob.records(Section::LAYOUT_TRIANGLES, class),
                starts: blob.records(Section::LAYOUT_DETAIL_STARTS, class),
                lists: blob.records(Section::LAYOUT_DETAIL_LISTS, class),
            },
            pieces: Pieces::default(),
            islands: Records::default(),
            pivots: self.pivots,
            corners: self.corners,
            inner: self.inner,
            widest: self.widest,
        }
    }
}

/// Sections of a layout.
pub(crate) fn is_layout(section: Section) -> bool {
    (Section::LAYOUT..=Section::LAYOUT_DETAIL_LISTS).contains(&section)
}

/// Sections of a packed mesh that a layout replaces.
pub(crate) fn is_packed_only(section: Section) -> bool {
    [
        Section::VERTICES,
        Section::VERTEX_BLOCKS,
        Section::POLYGONS,
        Section::EDGES,
        Section::FAR,
        Section::ISLANDS,
        Section::HEIGHT_MESH_OF,
        Section::HEIGHT_MESHES,
        Section::POLYGON_AREAS,
    ]
    .contains(&section)
}

impl Blob<'_> {
    /// Are the meshes laid out for searches, rather than packed?
    pub(crate) fn is_unpacked(&self) -> bool {
        self.table.iter().any(|row| is_layout(Section(row.kind)))
    }
}
