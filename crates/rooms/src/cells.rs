//! The cells that a search crosses in one step, and blocked ground in them.

use navbake_format::{PolyId, Rooms};
use navbake_navmesh::NONE;
use navbake_search::NavQuery;

use crate::memory::{Lists, Set};

/// The cells that a search does not cross in one step.
/// The values are counts of items in the scratch's sets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Opened {
    opened: u32,
    dirty: u32,
}

impl Opened {
    /// Collects all cells that a search must not cross in one step.
    /// These hold one of two rooms or an end of a link that may be taken, or have ground that is
    /// blocked or that obstacles changed.
    ///
    /// Complexity: linear in the links and in the polygons that obstacles changed. With blocked
    /// ground also one bit for each edge of the mesh.
    pub(super) fn new(
        query: &NavQuery<'_>,
        rooms: &Rooms<'_>,
        ends: [u32; 2],
        scratch: &mut Lists<'_>,
    ) -> Opened {
        let mut opened = Opened::default();
        for room in ends {
            opened.open(rooms, Some(room), scratch);
        }
        for (_, link) in query.links() {
            for polygon in [link.polygon, link.beyond] {
                opened.open(rooms, Some(rooms.of(polygon).0), scratch);
            }
        }
        let polys = query.mesh().polys();
        for polygon in polys.pieces.cut.iter() {
            opened.spoil(rooms, Some(rooms.of(PolyId(polygon)).0), scratch);
        }
        if query.closings().is_ground_open() {
            return opened;
        }
        query.closings().each_shut(|edge| {
            let Some([polygon, beyond]) = polys.sides(edge) else {
                return;
            };
            let [mut a, mut b] = [polygon, beyond].map(|p| Some(rooms.of(PolyId(p)).0));
            // The smallest cell that holds both sides.
            while a != b {
                (a, b) = match (a, b) {
                    (Some(a), Some(b)) => (rooms.parent(a), rooms.parent(b)),
                    _ => (None, None),
                };
            }
            opened.spoil(rooms, a, scratch);
        });
        opened
    }

    /// Marks a cell and all cells above it as dirty, and opens them.
    fn spoil(&mut self, rooms: &Rooms<'_>, cell: Option<u32>, scratch: &mut Lists<'_>) {
        add_above(&mut scratch.doors.dirty, &mut self.dirty, rooms, cell);
        self.open(rooms, cell, scratch);
    }

    /// Opens a cell and all cells above it.
    fn open(&mut self, rooms: &Rooms<'_>, cell: Option<u32>, scratch: &mut Lists<'_>) {
        add_above(&mut scratch.doors.opened, &mut self.opened, rooms, cell);
    }

    /// Does a cell have ground that is blocked or that obstacles changed?
    #[inline]
    pub(super) fn is_dirty(&self, cell: u32, scratch: &Lists<'_>) -> bool {
        self.dirty > 0 && scratch.doors.dirty.place(self.dirty, cell).is_some()
    }

    /// The largest cell around a room that is crossed in one step; otherwise the room.
    #[inline]
    pub(super) fn largest(&self, rooms: &Rooms<'_>, room: u32, scratch: &Lists<'_>) -> u32 {
        let is_open = |cell| scratch.doors.opened.place(self.opened, cell).is_some();
        let mut cell = room;
        if is_open(cell) {
            return cell;
        }
        while let Some(parent) = rooms.parent(cell)
            && !is_open(parent)
        {
            cell = parent;
        }
        cell
    }
}

/// Adds a cell and all cells above it to a set of `len` items.
fn add_above(set: &mut Set<'_>, len: &mut u32, rooms: &Rooms<'_>, mut cell: Option<u32>) {
    // With a cell, all cells above it are in the set.
    while let Some(own) = cell
        && set.add(len, own)
    {
        cell = rooms.parent(own);
    }
}

/// Can a path pass a door at all?
#[inline]
pub(super) fn is_passable(query: &NavQuery<'_>, rooms: &Rooms<'_>, door: u32) -> bool {
    let as_baked = query.closings().is_ground_open() && query.mesh().polys().pieces.cut.is_empty();
    as_baked || is_ajar(query, rooms, door)
}

/// Is there a portal of a door that is not blocked?
fn is_ajar(query: &NavQuery<'_>, rooms: &Rooms<'_>, door: u32) -> bool {
    let polys = query.mesh().polys();
    let is_open = |(polygon, k): (u32, u32)| {
        !query.closings().is_shut(polys.border(polygon).number(k as usize))
    };
    let mut ajar = false;
    each_portal(query, rooms, door, |side, beyond| {
        ajar = ajar || is_open(side) || is_open(beyond);
    });
    ajar
}

/// Calls `f` for what obstacles leave of the portals of a door: the two sides of each, by polygon
/// and edge.
pub(super) fn each_portal(
    query: &NavQuery<'_>,
    rooms: &Rooms<'_>,
    door: u32,
    mut f: impl FnMut((u32, u32), (u32, u32)),
) {
    let polys = query.mesh().polys();
    for (polygon, k) in rooms.portals(door) {
        polys.each_part((polygon.0, k), |polygon, k| {
            let edge = polys.edge((polygon, k));
            if let Some(edge) = edge.filter(|edge| edge.neighbour != NONE) {
                f((polygon, k), (edge.neighbour, edge.twin));
            }
        });
    }
}
