//! The sections of the layout: what an unpacked file stores instead of a packed mesh.

use navbake_navmesh::cells::Cells;
use navbake_navmesh::detail::Details;
use navbake_navmesh::record::Records;
use navbake_navmesh::{LinkStarts, PolyMesh};

use crate::{Blob, Section};

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
            },
            links: LinkStarts {
                starts: blob.records(Section::LAYOUT_LINK_STARTS, class),
                items: blob.records(Section::LAYOUT_LINKS, class),
            },
            details: Details {
                heads: blob.records(Section::LAYOUT_DETAILS, class),
                points: blob.records(Section::LAYOUT_DETAIL_POINTS, class),
                starts: blob.records(Section::LAYOUT_DETAIL_STARTS, class),
                triangles: blob.records(Section::LAYOUT_TRIANGLES, class),
            },
            pivots: self.pivots,
            corners: self.corners,
            inner: self.inner,
            widest: self.widest,
        }
    }
}

/// The links of rooms, and the blocks of doors between rooms: what hierarchical searches read
/// besides the rooms themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoomLinks<'a> {
    /// The block of each door; all bits set where it has several.
    pub door_blocks: Records<'a, u32>,
    /// Where the links of each room begin, and where the last one's end.
    starts: Records<'a, u32>,
    /// Links by the rooms that they begin in, as numbers among doors.
    links: Records<'a, u32>,
    /// For each link its place in the list of its room, and where its distances begin; none where
    /// these were not measured.
    distances: Records<'a, [u32; 2]>,
}

impl<'a> RoomLinks<'a> {
    pub(crate) fn of(blob: &Blob<'a>, class: u16) -> RoomLinks<'a> {
        RoomLinks {
            door_blocks: blob.records(Section::LAYOUT_DOOR_BLOCKS, class),
            starts: blob.records(Section::LAYOUT_ROOM_LINK_STARTS, class),
            links: blob.records(Section::LAYOUT_ROOM_LINKS, class),
            distances: blob.records(Section::LAYOUT_ROOM_LINK_PLACES, class),
        }
    }

    /// The links that begin in a room, as numbers among doors.
    #[inline]
    pub fn of_room(&self, room: u32) -> Records<'a, u32> {
        let at = |r: u32| self.starts.get(r as usize).map_or(0, |i| i as usize);
        let list = self.links.slice(at(room)..at(room.saturating_add(1)));
        list.unwrap_or_default()
    }

    /// A link's place in the list of its room, and where its distances begin.
    #[inline]
    pub fn distances(&self, link: u32) -> Option<[u32; 2]> {
        self.distances.get(link as usize)
    }

    /// Number of links in all lists.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }
}
