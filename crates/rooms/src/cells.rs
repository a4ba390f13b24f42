//! The cells that a search crosses in one step, and blocked ground in them.

use navbake_format::{PolyId, Rooms};
use navbake_search::NavQuery;

use crate::memory::Lists;

/// The cells that a search does not cross in one step.
/// The values are counts of items in the scratch's sets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Opened {
    opened: u32,
    dirty: u32,
}

impl Opened {
    /// Collects all cells that a search must not cross in one step.
    /// These hold one of two rooms or an end of a link that may be taken, or have blocked ground.
    ///
    /// Complexity: linear in the links. With blocked ground also one bit for each edge of the mesh.
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
        if query.closings().is_ground_open() {
            return opened;
        }
        let polys = query.mesh().polys();
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
            let mut cell = a;
            while let Some(own) = cell {
                let dirty = scratch.doors.dirty.insert(opened.dirty, own);
                if dirty == opened.dirty {
                    break;
                }
                opened.dirty = dirty;
                opened.opened = scratch.doors.opened.insert(opened.opened, own);
                cell = rooms.parent(own);
            }
        });
        opened
    }

    /// Opens a cell and all cells above it.
    fn open(&mut self, rooms: &Rooms<'_>, mut cell: Option<u32>, scratch: &mut Lists<'_>) {
        while let Some(own) = cell {
            let opened = scratch.doors.opened.insert(self.opened, own);
            if opened == self.opened {
                // All cells above it are open, too.
                break;
            }
            self.opened = opened;
            cell = rooms.parent(own);
        }
    }

    /// Does a cell have blocked ground?
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

/// Can a path pass a door at all?
#[inline]
pub(super) fn is_passable(query: &NavQuery<'_>, rooms: &Rooms<'_>, door: u32) -> bool {
    query.closings().is_ground_open() || is_ajar(query, rooms, door)
}

/// Is at least one of a door's portals not blocked?
fn is_ajar(query: &NavQuery<'_>, rooms: &Rooms<'_>, door: u32) -> bool {
    rooms.portals(door).any(|(p, k)| {
        let polygon = query.mesh().polygon(p);
        let Some((beyond, twin)) = polygon.across(k) else {
            return false;
        };
        let edges = [polygon.edge(k).0, query.mesh().polygon(beyond).edge(twin).0];
        edges.iter().any(|&e| !query.closings().is_shut(e))
    })
}
