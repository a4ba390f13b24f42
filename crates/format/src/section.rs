//! The kinds of sections and the table that lists them. To add a kind: its number here, a line in [`crate::kinds`], its record in `records.rs`, its checks in
//! `validate`, its row in `docs/format.md`.

use core::fmt;

use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::kinds::{KINDS, Kind};

/// A row of the section table as it lies in the file.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy)]
#[repr(C)]
pub(crate) struct RawSection {
    pub(crate) kind: U16,
    pub(crate) class: U16,
    pub(crate) flags: U16,
    pub(crate) element_size: U16,
    pub(crate) count: U32,
}

pub(crate) const ROW_LEN: usize = size_of::<RawSection>();
/// A reader that does not know the section must refuse the blob.
pub(crate) const REQUIRED: u16 = 1;

/// The kind of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Section(pub u16);

impl Section {
    /// Who walks: names and sizes, and which mesh is theirs.
    pub const AGENTS: Section = Section(0x0001);
    /// Named points.
    pub const MARKERS: Section = Section(0x0002);
    /// UTF-8 bytes of all names.
    pub const STRINGS: Section = Section(0x0003);
    /// The effective config without its defaults, TOML.
    pub const CONFIG: Section = Section(0x0004);
    /// What the baker says about the bake, UTF-8.
    pub const SUMMARY: Section = Section(0x0005);
    /// What queries may say is closed.
    pub const SWITCHES: Section = Section(0x0006);
    /// Kinds of ground.
    pub const AREAS: Section = Section(0x0007);
    /// What walking on them costs whom.
    pub const WEIGHTS: Section = Section(0x0008);
    /// Units that turn.
    pub const VEHICLES: Section = Section(0x0009);
    /// Objects of the level's file that triangles came from.
    pub const SOURCE_PARTS: Section = Section(0x000A);
    /// Bounds and counts of a mesh.
    pub const MESH: Section = Section(0x0100);
    /// Vertices, whole or relative to their block.
    pub const VERTICES: Section = Section(0x0101);
    /// Where each 64 vertices lie.
    pub const VERTEX_BLOCKS: Section = Section(0x0102);
    /// How many corners polygons have, and where their edges begin.
    pub const POLYGONS: Section = Section(0x0103);
    /// Which vertices and neighbours edges have.
    pub const EDGES: Section = Section(0x0104);
    /// The first polygon of each island.
    pub const ISLANDS: Section = Section(0x0105);
    /// Boxes over polygons, for location.
    pub const INDEX: Section = Section(0x0106);

    /// Which relief tells a polygon's height.
    pub const RELIEF_OF: Section = Section(0x0107);
    /// Reliefs: where each ends, then they.
    pub const RELIEFS: Section = Section(0x0108);

    /// What codes of one byte cannot tell: vertices, polygons, numbers of corners.
    pub const FAR: Section = Section(0x0109);
    /// Portals with a name, a width or a switch.
    pub const DOORS: Section = Section(0x010A);
    /// Polygons that switches close.
    pub const CLOSURES: Section = Section(0x010B);
    /// Ways that do not lead over ground.
    pub const LINKS: Section = Section(0x010C);
    /// Which area each polygon is.
    pub const POLYGON_AREAS: Section = Section(0x010D);
    /// Which zone each polygon is in: polygons that lead to the same, whoever asks.
    pub const ZONES: Section = Section(0x010E);
    /// Who asks which zones lead to which.
    pub const REACH: Section = Section(0x010F);
    /// What they are told.
    pub const REACH_LISTS: Section = Section(0x0110);

    /// Where the sources of each polygon end.
    pub const SOURCE_ENDS: Section = Section(0x0111);
    /// Triangles of the level's file behind polygons.
    pub const SOURCES: Section = Section(0x0112);

    /// Rooms: names, places, what hangs on them.
    pub const ROOMS: Section = Section(0x0120);
    /// Which room each polygon is in.
    pub const ROOM_OF: Section = Section(0x0121);
    /// Doors between rooms.
    pub const ROOM_DOORS: Section = Section(0x0122);
    /// Which portals are doors.
    pub const ROOM_PORTALS: Section = Section(0x0123);
    /// Which doors each room has.
    pub const DOORS_OF_ROOMS: Section = Section(0x0124);
    /// How far it is from door to door.
    pub const ROOM_WAYS: Section = Section(0x0125);
    /// Rooms put together to wider ones.
    pub const WIDER_ROOMS: Section = Section(0x0126);
    /// A place on each door.
    pub const DOOR_STOPS: Section = Section(0x0127);
    /// Which district each room is in.
    pub const DISTRICT_OF: Section = Section(0x0128);
    /// Districts: rooms put together for searches, level by level.
    pub const DISTRICTS: Section = Section(0x0129);
    /// Which doors lead out of each district.
    pub const DOORS_OF_DISTRICTS: Section = Section(0x012A);
    /// How far it is from door to door within each district.
    pub const DISTRICT_WAYS: Section = Section(0x012B);
    /// Which rooms and doors of the smallest class those of a larger one are.
    pub const LIKE_ROOMS: Section = Section(0x012C);
    /// How far links are from doors and from each other within rooms.
    pub const LINK_WAYS: Section = Section(0x012D);

    /// Of an unpacked file: the numbers of a mesh that are not lists.
    pub const LAYOUT: Section = Section(0x0140);
    /// Vertices.
    pub const LAYOUT_VERTICES: Section = Section(0x0141);
    /// The first polygon of each island.
    pub const LAYOUT_ISLANDS: Section = Section(0x0142);
    /// Polygons: first edge, block, order, detail mesh, island, area.
    pub const LAYOUT_POLYGONS: Section = Section(0x0143);
    /// Edges: corner, neighbour, twin, pivot, block.
    pub const LAYOUT_EDGES: Section = Section(0x0144);
    /// The polygon at which each block is connected to the rest of its island.
    pub const LAYOUT_BLOCKS: Section = Section(0x0145);
    /// Where the list of each location square begins.
    pub const LAYOUT_CELL_STARTS: Section = Section(0x0146);
    /// The polygons in location squares.
    pub const LAYOUT_CELLS: Section = Section(0x0147);
    /// Where the list of links of each polygon begins.
    pub const LAYOUT_LINK_STARTS: Section = Section(0x0148);
    /// Links by the polygons that they can be taken from.
    pub const LAYOUT_LINKS: Section = Section(0x0149);
    /// Boxes and steps of detail meshes.
    pub const LAYOUT_DETAILS: Section = Section(0x014A);
    /// Height points.
    pub const LAYOUT_DETAIL_POINTS: Section = Section(0x014B);
    /// Where the list of each square of a detail mesh begins.
    pub const LAYOUT_DETAIL_STARTS: Section = Section(0x014C);
    /// The height triangles of squares.
    pub const LAYOUT_TRIANGLES: Section = Section(0x014D);
    /// The corners that paths by labels turn at.
    pub const LAYOUT_CORNERS: Section = Section(0x014E);
    /// The block of each door between rooms.
    pub const LAYOUT_DOOR_BLOCKS: Section = Section(0x014F);
    /// Where the list of links of each room begins.
    pub const LAYOUT_ROOM_LINK_STARTS: Section = Section(0x0150);
    /// The links of rooms.
    pub const LAYOUT_ROOM_LINKS: Section = Section(0x0151);
    /// The place of each link in the list of its room, and where its distances begin.
    pub const LAYOUT_ROOM_LINK_PLACES: Section = Section(0x0152);

    /// Size and place of a grid map.
    pub const GRID_MAP: Section = Section(0x0200);
    /// Which of its cells are free.
    pub const GRID_BITS: Section = Section(0x0201);
    /// The terrain of each of its cells.
    pub const GRID_TERRAIN: Section = Section(0x0202);

    /// Which mesh the labels belong to, and how they are told.
    pub const LABELS: Section = Section(0x0300);
    /// Where the labels of corners end.
    pub const LABEL_ENDS: Section = Section(0x0301);
    /// Which hubs they name.
    pub const LABEL_HUBS: Section = Section(0x0302);
    /// How far those are.
    pub const LABEL_DISTANCES: Section = Section(0x0303);
    /// Over which corner one sets out for them.
    pub const LABEL_HOPS: Section = Section(0x0304);
    /// Which hub each corner is.
    pub const LABEL_RANKS: Section = Section(0x0305);
    /// Where the views of polygons end.
    pub const VIEW_ENDS: Section = Section(0x0306);
    /// Which corners are seen from where on a polygon.
    pub const VIEWS: Section = Section(0x0307);
    /// Squares of polygons with views of their own.
    pub const VIEW_CELLS: Section = Section(0x0308);
    /// Where the label of each square begins.
    pub const SQUARE_STARTS: Section = Section(0x030E);
    /// The labels of squares.
    pub const SQUARE_LABELS: Section = Section(0x030F);
    /// Which mesh landmarks belong to, and the step that their distances are told in.
    pub const LANDMARKS: Section = Section(0x0310);
    /// How far vertices are from them.
    pub const LANDMARK_ROWS: Section = Section(0x0311);
    /// What vehicles cover.
    pub const VEHICLE_CORNERS: Section = Section(0x0400);
    /// The curves between poses of their lattices.
    pub const TURN_EDGES: Section = Section(0x0401);
    /// The tiles that these touch.
    pub const TURN_MASKS: Section = Section(0x0402);
    /// How far it is over open ground.
    pub const TURN_DISTANCES: Section = Section(0x0403);
    /// Tiles of navmeshes for vehicles.
    pub const TILE_GROUNDS: Section = Section(0x0404);
    /// Which of them each vehicle drives on.
    pub const GROUND_OF_VEHICLE: Section = Section(0x0405);
    /// Storeys of these grounds.
    pub const SHEETS: Section = Section(0x0406);
    /// Which of their tiles are free.
    pub const SHEET_BITS: Section = Section(0x0407);
    /// How high free tiles are.
    pub const TILE_HEIGHTS: Section = Section(0x0408);
    /// Tiles that lie on several sheets.
    pub const TILE_TWINS: Section = Section(0x0409);
    /// What the baker looked for in the level.
    pub const FINDINGS: Section = Section(0x0500);
    /// What it noticed.
    pub const FOUND: Section = Section(0x0501);
    /// The names in that.
    pub const FOUND_NAMES: Section = Section(0x0502);

    pub(crate) fn known(self) -> Option<&'static Kind> {
        KINDS.iter().find(|k| k.section == self)
    }

    /// The name that `docs/format.md` uses, `"unknown"` for a kind from elsewhere.
    pub fn name(self) -> &'static str {
        self.known().map_or("unknown", |k| k.name)
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.known() {
            Some(kind) => f.write_str(kind.name),
            None => write!(f, "{:#06x}", self.0),
        }
    }
}
