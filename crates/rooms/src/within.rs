//! Searches over the ground that stay within some rooms.

use navbake_format::{RoomId, Rooms};

use super::super::optimal::{self, Outcome};
use super::super::slices::Slices;
use crate::locate::PolyPoint;
use crate::scratch::{Memory, Need};
use crate::{NavPoint, NavQuery};

/// The result of a search within rooms.
pub(super) enum Found {
    /// The last cone of the path, and the path's length, grid units.
    Way {
        cone: usize,
        length: f64,
    },
    Nowhere,
    /// The memory was too small for an answer.
    Full,
}

/// The shortest path within the first `rooms` rooms of the scratch, without links.
/// Also returns the number of cones opened.
pub(super) fn search(
    query: &NavQuery<'_>,
    from: &NavPoint,
    to: &NavPoint,
    rooms: u32,
    scratch: &mut Slices<'_>,
) -> (Found, u32) {
    let mut state = optimal::State::begin_within(query, from, to, Some(rooms), false, scratch);
    loop {
        let found = match state.step(query, scratch, u32::MAX, false) {
            Some(Outcome::Reached(cone)) => Found::Way { cone, length: state.length },
            Some(Outcome::Nowhere) => Found::Nowhere,
            Some(Outcome::Full | Outcome::OutOfNodes) => Found::Full,
            None => continue,
        };
        return (found, state.expanded);
    }
}

/// The last cone of the shortest overall path between two places, without links.
/// `None` if that takes more than `most` cones. Also returns the number of cones opened.
pub(super) fn search_all(
    query: &NavQuery<'_>,
    [from, to]: [&NavPoint; 2],
    most: u32,
    scratch: &mut Slices<'_>,
) -> (Option<usize>, u32) {
    let mut state = optimal::State::begin_within(query, from, to, None, false, scratch);
    let cone = match state.step(query, scratch, most, false) {
        Some(Outcome::Reached(cone)) => Some(cone),
        _ => None,
    };
    (cone, state.expanded)
}

impl NavQuery<'_> {
    /// The place on a door that is nearest to its middle.
    /// Distances between doors are measured from it.
    ///
    /// ```
    /// # let bytes = navbake_testkit::level();
    /// # let nav = navbake_search::NavMeshBuf::open(&bytes)?;
    /// # let query = navbake_search::NavQuery::new(nav.mesh());
    /// if let Some(rooms) = nav.mesh().rooms() {
    ///     let middle = query.middle_of_door(rooms, 0);
    ///     # let _ = middle;
    /// }
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn middle_of_door(&self, rooms: &Rooms<'_>, door: u32) -> Option<PolyPoint> {
        let [a, b] = rooms.door(door)?.ends;
        let mean = |k: usize| (f64::from(a[k]) + f64::from(b[k])) / 2.0;
        let place = self.on_door(rooms, door, [mean(0), mean(1)], None)?;
        Some(PolyPoint::from(&place))
    }

    /// The distance between two places within a room of the mesh.
    /// Seen from above, m; links are not taken. `None` where there is no path, and where the
    /// scratch is too small.
    pub fn distance_in_room(
        &self,
        room: RoomId,
        from: PolyPoint,
        to: PolyPoint,
        scratch: &mut dyn Memory,
    ) -> Option<f64> {
        scratch.prepare(self.mesh(), Need::Rooms);
        let mut scratch = scratch.lend();
        let [from, to] = [from, to].map(|at| self.location(at.polygon(), at.point(), 0.0));
        let rooms = scratch.doors.rooms.insert(0, room.0);
        match search(self, &from, &to, rooms, &mut scratch).0 {
            Found::Way { length, .. } => Some(length / self.mesh().grid().units()),
            _ => None,
        }
    }
}
