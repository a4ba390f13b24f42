//! A navmesh as input of the encoder.

use alloc::vec::Vec;

use navbake_grid::{LinkKind, NONE};

use super::height_mesh::HeightMeshParts;
use crate::sections::clusters::PlanParts;

/// A navmesh as plain slices. Grid units; see [`crate::NavMesh`] for the rules that polygons must
/// follow.
#[derive(Clone, Copy, Debug, Default)]
pub struct MeshParts<'a> {
    /// x, y, z of each vertex.
    pub vertices: &'a [[i32; 3]],
    /// Where each polygon's edges begin in `corners` and `neighbours`; one more entry than
    /// polygons.
    pub first_edge: &'a [u32],
    /// Vertices of the corners, counter-clockwise seen from above.
    pub corners: &'a [u32],
    /// For each edge (corner to the next) the polygon beyond, or `u32::MAX`.
    pub neighbours: &'a [u32],
    /// The island of each polygon. Any numbers: they are numbered anew.
    pub islands: &'a [u32],
    /// The height mesh of each polygon, an index into `height_meshes`, or `u32::MAX` where the corners define
    /// the height; empty when they always do.
    pub height_mesh_of: &'a [u32],
    /// Height meshes. Those that no polygon names are left out.
    pub height_meshes: &'a [HeightMeshParts<'a>],
    /// The area of each polygon, an index into [`areas`](super::BlobParts::areas); empty when all
    /// are the first.
    pub areas: &'a [u8],
    /// Portals with a name, a width or a switch.
    pub doors: &'a [DoorParts<'a>],
    /// Polygons that switches close.
    pub closures: &'a [ClosureParts],
    /// Off-mesh links.
    pub links: &'a [LinkParts<'a>],
    /// Of a chunk: the ends of links between it and others. Their polygons are those of these
    /// slices.
    pub far_links: &'a [FarLinkParts<'a>],
    /// Rooms and the doors between them, where they were looked for.
    pub rooms: Option<RoomsParts<'a>>,
}

/// A portal with a name, a width or a switch.
#[derive(Clone, Copy, Debug)]
pub struct DoorParts<'a> {
    /// One of its two edges, an index into [`MeshParts::corners`].
    pub edge: u32,
    /// The switch that closes it.
    pub switch: Option<u16>,
    /// Clear width, m; 0 when it is not known.
    pub width: f32,
    /// Its name, perhaps empty.
    pub name: &'a str,
}

/// A polygon that a switch closes.
#[derive(Clone, Copy, Debug)]
pub struct ClosureParts {
    /// The polygon.
    pub polygon: u32,
    /// The switch.
    pub switch: u16,
}

/// An off-mesh link, in one direction.
#[derive(Clone, Copy, Debug)]
pub struct LinkParts<'a> {
    /// The polygon that it begins on, and where: x and z, grid units.
    pub from: (u32, [i32; 2]),
    /// The polygon that it ends on, and where.
    pub to: (u32, [i32; 2]),
    /// The cost, in metres of walking.
    pub cost: f64,
    /// Clear width, m; 0 when it is not known.
    pub width: f32,
    /// The agents that may take it: one bit each.
    pub agents: u32,
    /// The switch that closes it.
    pub switch: Option<u16>,
    /// The action of an agent on it.
    pub kind: LinkKind,
    /// Its name, perhaps empty.
    pub name: &'a str,
}

/// One end of a link between two chunks.
#[derive(Clone, Copy, Debug)]
pub struct FarLinkParts<'a> {
    /// The number of the link among those between chunks; both chunks have it.
    pub number: u32,
    /// Does the link end here, rather than begin?
    pub ends_here: bool,
    /// The chunk of the other end: column and row.
    pub chunk: [i32; 2],
    /// The link, with the end that is here in place of both.
    pub link: LinkParts<'a>,
}

/// A room.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoomParts<'a> {
    /// Its name, perhaps empty.
    pub name: &'a str,
    /// A place near its middle, grid units.
    pub at: [i32; 3],
    /// The area of its ground seen from above, m2.
    pub area: f32,
    /// Some of its neighbours are connected over it alone.
    pub is_choke: bool,
}

/// A door between two rooms.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoomDoorParts<'a> {
    /// Its rooms.
    pub rooms: [u32; 2],
    /// Its ends: x and z, grid units.
    pub ends: [[i32; 2]; 2],
    /// From wall to wall, m.
    pub width: f32,
    /// Its portals, one of the two edges of each, indices into [`MeshParts::corners`].
    pub portals: &'a [u32],
    /// Its rooms are connected over it alone.
    pub is_bridge: bool,
    /// It divides open land.
    pub is_divide: bool,
    /// Its name, perhaps empty.
    pub name: &'a str,
}

/// Rooms of a mesh.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoomsParts<'a> {
    /// The room of each polygon.
    pub of: &'a [u32],
    /// Rooms, each with a polygon. They are numbered anew, except in an index, which has no
    /// polygons.
    pub rooms: &'a [RoomParts<'a>],
    /// Doors: every portal between two rooms belongs to one of these.
    pub doors: &'a [RoomDoorParts<'a>],
    /// Distances from door to door and clusters, where they were measured.
    pub plan: Option<&'a PlanParts>,
    /// For each level the wider room of each room, any numbers.
    pub wider: &'a [Vec<u32>],
    /// Of a larger class: for each of its rooms and each of its doors the place of its counterpart
    /// among those of the smallest class, `u32::MAX` for none. The smallest class is the first with
    /// rooms that has none of this.
    pub like: Option<[&'a [u32]; 2]>,
}

/// Where polygons and edges of a caller's mesh are stored.
pub(crate) struct Places {
    /// For each of the caller's polygons its number.
    pub(crate) polygons: Vec<u32>,
    /// For each of the caller's edges: its polygon's number, and its own in there.
    pub(crate) edges: Vec<(u32, u32)>,
}

impl Places {
    /// Where a portal is stored, on the side of the polygon with the lesser number.
    pub(crate) fn portal(&self, parts: &MeshParts<'_>, edge: u32) -> Option<(u32, u32)> {
        let place = *self.edges.get(edge as usize)?;
        let other = other_side(parts, edge).and_then(|e| self.edges.get(e as usize));
        Some(other.map_or(place, |&other| other.min(place)))
    }
}

/// The edge of the neighbour that leads back through a portal.
fn other_side(parts: &MeshParts<'_>, edge: u32) -> Option<u32> {
    let at = |e: u32| {
        let [x, _, z] = parts.vertices[parts.corners[e as usize] as usize];
        [x, z]
    };
    let polygon = parts.first_edge.partition_point(|&first| first <= edge) - 1;
    let edges = |p: usize| parts.first_edge[p]..parts.first_edge[p + 1];
    let end = |e: u32, p: usize| match e + 1 < parts.first_edge[p + 1] {
        true => e + 1,
        false => parts.first_edge[p],
    };
    let beyond = parts.neighbours[edge as usize];
    if beyond == NONE {
        return None;
    }
    let (from, to) = (at(edge), at(end(edge, polygon)));
    let beyond = beyond as usize;
    edges(beyond).find(|&e| at(e) == to && at(end(e, beyond)) == from)
}
