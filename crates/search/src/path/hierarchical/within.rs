//! Searches over the ground that stay within some rooms.

use navbake_format::{PolyId, RoomId, Rooms};

use super::super::optimal::{self, Outcome};
use super::super::scratch::{Lender, Scratch};
use crate::{Location, Query, Spot};

/// Rooms that a search stays within.
#[derive(Clone, Copy)]
pub(in super::super) struct Within<'a> {
    rooms: Option<&'a Rooms<'a>>,
    pub(super) slots: &'a [u32],
    pub(super) items: &'a [u32],
    pub(super) count: u32,
}

impl<'a> Within<'a> {
    pub(super) fn new(
        rooms: Option<&'a Rooms<'a>>,
        slots: &'a [u32],
        items: &'a [u32],
        count: u32,
    ) -> Within<'a> {
        Within {
            rooms,
            slots,
            items,
            count,
        }
    }

    /// Is a polygon in one of the rooms?
    #[inline]
    pub(in super::super) fn hold(&self, polygon: u32) -> bool {
        self.rooms.is_some_and(|rooms| self.has(rooms.of(PolyId(polygon))))
    }
}

/// What a search within rooms came to.
pub(super) enum Found {
    /// The search and its last cone, for the way there, and how long that is, grid units.
    Way { cone: usize, length: f64 },
    Nowhere,
    /// The memory was too small to tell.
    Full,
}

/// The shortest way between two places within the first so many rooms of the scratch; and how many cones were opened for it.
pub(super) fn search(
    query: &Query<'_>,
    from: &Location,
    to: &Location,
    rooms: u32,
    scratch: &mut Scratch<'_>,
) -> (Found, u32) {
    let mut state = optimal::State::begin_within(query, from, to, Some(rooms), scratch);
    loop {
        let found = match state.step(query, scratch, u32::MAX) {
            Some(Outcome::Reached(cone)) => Found::Way {
                cone,
                length: state.length,
            },
            Some(Outcome::Nowhere) => Found::Nowhere,
            Some(Outcome::OutOfNodes) => Found::Full,
            None => continue,
        };
        return (found, state.expanded);
    }
}

impl Query<'_> {
    /// A place on a door, as near to its middle as the ground has one. What ways between doors are measured from.
    pub fn middle_of_door<'s>(
        &self,
        rooms: &Rooms<'_>,
        door: u32,
        mut scratch: impl Lender<'s>,
    ) -> Option<Spot> {
        let [a, b] = rooms.door(door)?.ends;
        let mean = |k: usize| (f64::from(a[k]) + f64::from(b[k])) / 2.0;
        let place = self.on_door(rooms, door, [mean(0), mean(1)], &scratch.lend())?;
        Some(Spot::from(&place))
    }

    /// How far it is from one place to another within a room of the mesh, seen from above, m; links are not taken. `None` where there is no way, and where the
    /// scratch is too small to tell.
    pub fn way_in_room<'s>(
        &self,
        room: RoomId,
        from: Spot,
        to: Spot,
        mut scratch: impl Lender<'s>,
    ) -> Option<f64> {
        let mut scratch = scratch.lend();
        let [from, to] = [from, to].map(|spot| self.location(spot.polygon(), spot.point(), 0.0));
        let rooms = scratch.doors.rooms.insert(0, room.0);
        match search(self, &from, &to, rooms, &mut scratch).0 {
            Found::Way { length, .. } => Some(length / self.mesh().grid().units()),
            _ => None,
        }
    }
}
