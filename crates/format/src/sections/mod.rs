//! The sections of a blob, one file per concept: records, view, check and encoder.
//!
//! A module has, in this order: the records as stored in the file; the view, which reads them in
//! place; `check`, which validation calls; and behind the feature `write` the encoder with its
//! input type (those of a mesh are in `write/mesh_parts.rs`). No section imports this file.
//!
//! To add a section, write a module with these parts and add it to the table of kinds, the list of
//! modules and the list of checks in this file. Export its public items below, and describe its
//! layout in `docs/format.md`.

use core::fmt;

use crate::blob::Blob;
use crate::packed_mesh::NavMeshView;
use crate::place::{Checked, Place};
use crate::section::{Kind, Section, sections};
use areas::ROW_SIZES;

sections! {
    /// Agents: names, sizes, and which mesh each uses.
    AGENTS = 0x0001 "agents" blob [40];
    /// Named points.
    MARKERS = 0x0002 "markers" blob [32];
    /// UTF-8 bytes of all names.
    STRINGS = 0x0003 "strings" blob [1];
    /// The effective config without its defaults, TOML.
    CONFIG = 0x0004 "config" blob [1];
    /// A summary of the bake, UTF-8.
    SUMMARY = 0x0005 "summary" blob [1];
    /// Switches, which queries may close.
    SWITCHES = 0x0006 "switches" blob [8];
    /// Area types.
    AREAS = 0x0007 "areas" blob [20];
    /// Costs of areas, by name and agent.
    WEIGHTS = 0x0008 "weights" blob (ROW_SIZES, "24 bytes, and 8 for each of 1 to 64 areas");
    /// Vehicles: units with a turning radius.
    VEHICLES = 0x0009 "vehicles" blob [172];
    /// Objects of the level file that triangles belong to.
    SOURCE_PARTS = 0x000A "source-parts" blob [18];
    /// Chunks of a world, or the chunk that the file is.
    CHUNKS = 0x000B "chunks" blob [84];
    /// Bounds and counts of a mesh.
    MESH = 0x0100 "mesh" every_class [32];
    /// Vertices, whole or relative to their block.
    VERTICES = 0x0101 "vertices" class [1, 12];
    /// Base and bit widths of each block of 64 vertices.
    VERTEX_BLOCKS = 0x0102 "vertex-blocks" class [14];
    /// Corner counts of polygons, and where their edges begin.
    POLYGONS = 0x0103 "polygons" class [16, 20, 24];
    /// Vertices and neighbours of edges.
    EDGES = 0x0104 "edges" class [1, 4];
    /// The first polygon of each island.
    ISLANDS = 0x0105 "islands" class [2, 4];
    /// Boxes over polygons, for location.
    INDEX = 0x0106 "index" class [6];
    /// Which height mesh each polygon has.
    HEIGHT_MESH_OF = 0x0107 "height-mesh-of" class [1, 2, 4, 8];
    /// Height meshes: where each ends, then their words.
    HEIGHT_MESHES = 0x0108 "height-meshes" class [4];
    /// Values that do not fit one-byte codes: vertices, polygons, corner counts.
    FAR = 0x0109 "far" class [2, 4];
    /// Portals with a name, a width or a switch.
    DOORS = 0x010A "doors" class [20];
    /// Polygons that switches close.
    CLOSURES = 0x010B "closures" class [8];
    /// Off-mesh links.
    LINKS = 0x010C "links" class [50];
    /// The area of each polygon.
    POLYGON_AREAS = 0x010D "polygon-areas" class [1];
    /// The zone of each polygon: polygons that reach the same ones for every profile.
    ZONES = 0x010E "zones" class [1, 2, 4, 8];
    /// Profiles: agents and areas that reachability was computed for.
    REACH = 0x010F "reach" class [20];
    /// Reachability of zones, by profile.
    REACH_LISTS = 0x0110 "reach-lists" class [2];
    /// Where the source triangles of each polygon end.
    SOURCE_ENDS = 0x0111 "source-ends" class [4];
    /// Triangles of the level file that polygons come from.
    SOURCES = 0x0112 "sources" class [8];
    /// Edges behind which the ground goes on in another chunk.
    SEAMS = 0x0113 "seams" class [48];
    /// The island of the world that each island of a chunk is part of.
    WORLD_ISLANDS = 0x0114 "world-islands" class [4];
    /// Stretches of the sides between chunks over which ground goes on.
    GATEWAYS = 0x0115 "gateways" class [28];
    /// Distances between gateways within a chunk.
    GATEWAY_DISTANCES = 0x0116 "gateway-distances" class [16];
    /// The ends of links between a chunk and others.
    FAR_LINKS = 0x0117 "far-links" class [50];
    /// The room of the world for each room of a chunk, and the same for doors and seams.
    WORLD_ROOMS = 0x0118 "world-rooms" class [4];
    /// Rooms: names, places, and where their lists begin.
    ROOMS = 0x0120 "rooms" class [36];
    /// The room of each polygon.
    ROOM_OF = 0x0121 "room-of" class [1, 2, 4];
    /// Doors between rooms.
    ROOM_DOORS = 0x0122 "room-doors" class [40];
    /// Portals that doors consist of.
    ROOM_PORTALS = 0x0123 "room-portals" class [8];
    /// The doors of each room.
    DOORS_OF_ROOMS = 0x0124 "doors-of-rooms" class [4];
    /// Distances from door to door within rooms.
    ROOM_WAYS = 0x0125 "room-ways" class [4];
    /// Rooms merged into wider ones, level by level.
    WIDER_ROOMS = 0x0126 "wider-rooms" class [4];
    /// A place on each door, from which distances are measured.
    DOOR_STOPS = 0x0127 "door-stops" class [12];
    /// The cluster of each room.
    CLUSTER_OF = 0x0128 "cluster-of" class [4];
    /// Clusters: rooms grouped for hierarchical searches, level by level.
    CLUSTERS = 0x0129 "clusters" class [16];
    /// The doors that lead out of each cluster.
    DOORS_OF_CLUSTERS = 0x012A "doors-of-clusters" class [4];
    /// Distances from door to door within clusters.
    CLUSTER_WAYS = 0x012B "cluster-ways" class [4];
    /// The room and door of the smallest class for each of a larger class.
    LIKE_ROOMS = 0x012C "like-rooms" class [4];
    /// Distances between links and doors within rooms.
    LINK_WAYS = 0x012D "link-ways" class [4];
    /// Of an unpacked file: the numbers of a mesh that are not lists.
    LAYOUT = 0x0140 "layout" class [72];
    /// Vertices.
    LAYOUT_VERTICES = 0x0141 "layout-vertices" class [12];
    /// The first polygon of each island.
    LAYOUT_ISLANDS = 0x0142 "layout-islands" class [4];
    /// Polygons: first edge, block, order, detail mesh, island, area.
    LAYOUT_POLYGONS = 0x0143 "layout-polygons" class [24];
    /// Edges: corner, neighbour, twin, pivot, block.
    LAYOUT_EDGES = 0x0144 "layout-edges" class [32];
    /// The polygon at which each block is connected to the rest of its island.
    LAYOUT_BLOCKS = 0x0145 "layout-blocks" class [4];
    /// Where the list of each location square begins.
    LAYOUT_CELL_STARTS = 0x0146 "layout-cell-starts" class [4];
    /// The polygons in location squares.
    LAYOUT_CELLS = 0x0147 "layout-cells" class [8];
    /// Where the list of links of each polygon begins.
    LAYOUT_LINK_STARTS = 0x0148 "layout-link-starts" class [4];
    /// Links by the polygons that they can be taken from.
    LAYOUT_LINKS = 0x0149 "layout-links" class [36];
    /// Height points.
    LAYOUT_DETAIL_POINTS = 0x014B "layout-detail-points" class [8];
    /// Where the list of each square of a detail mesh begins.
    LAYOUT_DETAIL_STARTS = 0x014C "layout-detail-starts" class [4];
    /// The corners that paths by labels turn at.
    LAYOUT_CORNERS = 0x014E "layout-corners" class [32];
    /// The block of each door between rooms.
    LAYOUT_DOOR_BLOCKS = 0x014F "layout-door-blocks" class [4];
    /// Where the list of links of each room begins.
    LAYOUT_ROOM_LINK_STARTS = 0x0150 "layout-room-link-starts" class [4];
    /// The links of rooms.
    LAYOUT_ROOM_LINKS = 0x0151 "layout-room-links" class [4];
    /// The place of each link in the list of its room, and where its distances begin.
    LAYOUT_ROOM_LINK_PLACES = 0x0152 "layout-room-link-places" class [8];
    /// Boxes and steps of detail meshes.
    LAYOUT_DETAILS = 0x0153 "layout-details" class [52];
    /// The triangles of detail meshes.
    LAYOUT_TRIANGLES = 0x0154 "layout-triangles" class [6];
    /// The numbers of the triangles in each square of a detail mesh.
    LAYOUT_DETAIL_LISTS = 0x0155 "layout-detail-lists" class [3];
    /// Size and place of a grid map.
    GRID_MAP = 0x0200 "grid-map" blob [48];
    /// Which of its cells are free.
    GRID_BITS = 0x0201 "grid-bits" blob [8];
    /// The terrain of each of its cells.
    GRID_TERRAIN = 0x0202 "grid-terrain" blob [1];
    /// What its cells cost over what their areas do.
    GRID_FACTORS = 0x0203 "grid-factors" blob [4];
    /// Route networks: names, kinds, and where their points begin.
    NETWORKS = 0x0210 "networks" class [16];
    /// Points of networks, and where their edges begin.
    NETWORK_POINTS = 0x0211 "network-points" class [16];
    /// Edges of networks.
    NETWORK_EDGES = 0x0212 "network-edges" class [8];
    /// The mesh that hub labels belong to, and their scale.
    LABELS = 0x0300 "labels" class [16];
    /// Where the labels of corners end.
    LABEL_ENDS = 0x0301 "label-ends" class [4];
    /// The hubs of labels.
    LABEL_HUBS = 0x0302 "label-hubs" class [2, 4];
    /// The distances to hubs.
    LABEL_DISTANCES = 0x0303 "label-distances" class [4];
    /// The next corner on the path to each hub.
    LABEL_HOPS = 0x0304 "label-hops" class [2, 4];
    /// The hub number of each corner.
    LABEL_RANKS = 0x0305 "label-ranks" class [2, 4];
    /// Where the visibility lists of polygons end.
    VIEW_ENDS = 0x0306 "view-ends" class [4];
    /// Corners visible from polygons.
    VIEWS = 0x0307 "views" class [2, 4];
    /// Grid cells of polygons that have visibility lists of their own.
    VIEW_CELLS = 0x0308 "view-cells" class [16];
    /// Where the label of each grid cell begins.
    SQUARE_STARTS = 0x030E "square-starts" class [4];
    /// Labels of grid cells.
    SQUARE_LABELS = 0x030F "square-labels" class [2, 4];
    /// The mesh that landmarks belong to, and the scale of their distances.
    LANDMARKS = 0x0310 "landmarks" class [16];
    /// Distances of vertices from landmarks.
    LANDMARK_ROWS = 0x0311 "landmark-rows" class [16];
    /// Corners of vehicle outlines.
    VEHICLE_CORNERS = 0x0400 "vehicle-corners" blob [16];
    /// Curves between poses of the lattice.
    TURN_EDGES = 0x0401 "turn-edges" blob [12];
    /// The tiles that each curve touches.
    TURN_MASKS = 0x0402 "turn-masks" blob [8];
    /// Distances over open ground.
    TURN_DISTANCES = 0x0403 "turn-distances" blob [4];
    /// Navmeshes as tiles, for vehicles.
    TILE_GROUNDS = 0x0404 "tile-grounds" blob [20];
    /// The tile ground of each vehicle.
    GROUND_OF_VEHICLE = 0x0405 "ground-of-vehicle" blob [2];
    /// Layers of tile grounds.
    SHEETS = 0x0406 "sheets" blob [32];
    /// Which of their tiles are free.
    SHEET_BITS = 0x0407 "sheet-bits" blob [12];
    /// Heights of free tiles.
    TILE_HEIGHTS = 0x0408 "tile-heights" blob [2];
    /// Tiles that several layers share.
    TILE_TWINS = 0x0409 "tile-twins" blob [8];
    /// Speed classes of vehicles.
    VEHICLE_SPEEDS = 0x040A "vehicle-speeds" blob [88];
    /// Roads that vehicles keep to, and the directions that they are drawn in.
    VEHICLE_RULES = 0x040B "vehicle-rules" blob [24];
    /// Kinds of diagnostics that the baker looked for.
    FINDINGS = 0x0500 "findings" blob [8];
    /// Names in diagnostics, UTF-8.
    FOUND_NAMES = 0x0502 "found-names" blob [1];
    /// Diagnostics of the baker.
    FOUND = 0x0504 "found" blob [1];
}

pub(crate) mod agents;
pub(crate) mod areas;
pub(crate) mod chunks;
pub(crate) mod clusters;
pub(crate) mod doors_links;
pub(crate) mod far_links;
pub(crate) mod findings;
pub(crate) mod gateways;
pub(crate) mod grid_map;
pub(crate) mod labels;
pub(crate) mod landmarks;
pub(crate) mod networks;
pub(crate) mod reach;
pub(crate) mod rooms;
pub(crate) mod sources;
pub(crate) mod speeds;
pub(crate) mod switches;
pub(crate) mod tile_grounds;
pub(crate) mod vehicle_rules;
pub(crate) mod vehicles;
pub(crate) mod world_rooms;

pub use agents::{Agent, Marker};
pub use areas::{Area, WeightRow, Weights};
pub use chunks::{Chunk, Seam};
#[doc(hidden)]
pub use doors_links::DoorsLinks;
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use doors_links::LoadedDoorsLinks;
pub use doors_links::{Closure, Door, Link};
pub use far_links::FarLink;
pub use findings::{Diagnostic, DiagnosticKind, Findings};
pub use gateways::{Gateway, GatewayDistance};
pub use grid_map::{CellId, GridMapView};
pub use labels::squares::{SquareLabel, SquareView};
pub use labels::{Labels, VIEW_KINDS};
pub use landmarks::{LANDMARKS, LandmarkRow, Landmarks};
pub use networks::{NetworkEdge, NetworkKind, NetworkPoint, NetworkView};
pub use reach::ReachProfile;
#[doc(hidden)]
pub use rooms::LoadedPortal;
pub use rooms::{Room, RoomDoor, Rooms};
pub use sources::Source;
pub use speeds::VehicleSpeeds;
pub use switches::Switch;
pub use tile_grounds::{SHEET_GAP, Sheet, TileGroundView};
pub use vehicle_rules::VehicleRules;
pub use vehicles::{TurnEdge, VehicleView};
pub use world_rooms::WorldRooms;

/// Checks of sections of the whole blob, in the order in which validation calls them.
///
/// Each relies on those before it.
pub(crate) const BLOB_CHECKS: &[fn(&Blob<'_>) -> Checked] = &[
    agents::check,
    switches::check,
    areas::check,
    sources::check_parts,
    chunks::check,
    grid_map::check,
    speeds::check,
    vehicles::check,
    vehicle_rules::check,
    tile_grounds::check,
    findings::check,
];

/// Checks of sections of an agent class, in the order in which validation calls them after those of
/// its mesh.
pub(crate) const CLASS_CHECKS: &[fn(&Blob<'_>, &NavMeshView<'_>, &Place) -> Checked] = &[
    doors_links::check,
    areas::check_polygons,
    reach::check::check,
    rooms::check::check,
    labels::check::check,
    landmarks::check,
    networks::check,
    sources::check,
    chunks::check_class,
    gateways::check_class,
    far_links::check,
    world_rooms::check,
];

impl Section {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_listed_by_number_and_named_once() {
        assert!(KINDS.windows(2).all(|w| w[0].section < w[1].section));
        for (i, k) in KINDS.iter().enumerate() {
            assert!(KINDS[..i].iter().all(|o| o.name != k.name));
        }
    }
}
