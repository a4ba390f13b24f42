//! Searches over the ground that stay within some rooms.

use navbake_format::{PolyId, RoomId, Rooms};
use navbake_navmesh::blocks::each_crossed;
use navbake_search::around::PolyPoint;
use navbake_search::parts::{Outcome, Region, State};
use navbake_search::{NavPoint, NavQuery};

use crate::aim::on_door;
use crate::memory::{Doors, Lists, Set};
use crate::scratch::RoomMemory;

/// The ground of a search: the first rooms of the scratch, and the biconnected components between
/// the ends. The values are counts of items in the scratch's sets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Within {
    pub(crate) rooms: u32,
    blocks: u32,
}

/// The same with its memory.
struct Ground<'a> {
    rooms: Option<&'a Rooms<'a>>,
    own: &'a Set<'a>,
    between: &'a Set<'a>,
    within: Within,
}

impl Region for Ground<'_> {
    #[inline]
    fn is_between(&self, block: u32) -> bool {
        self.between.place(self.within.blocks, block).is_some()
    }

    #[inline]
    fn holds(&self, polygon: u32) -> bool {
        self.rooms.is_some_and(|rooms| {
            self.own.place(self.within.rooms, rooms.of(PolyId(polygon)).0).is_some()
        })
    }
}

impl Within {
    fn ground<'s>(self, query: &'s NavQuery<'_>, doors: &'s Doors<'_>) -> Ground<'s> {
        Ground {
            rooms: query.mesh().rooms(),
            own: &doors.rooms,
            between: &doors.blocks,
            within: self,
        }
    }

    /// Begins a search within the first `rooms` rooms of the scratch.
    /// `linked` says whether it may take links.
    pub(crate) fn begin(
        query: &NavQuery<'_>,
        from: &NavPoint,
        to: &NavPoint,
        rooms: u32,
        linked: bool,
        scratch: &mut Lists<'_>,
    ) -> (Within, State) {
        let mut within = Within { rooms, blocks: 0 };
        // Over links a path may lead through any ground.
        if !linked || query.links().next().is_none() {
            let [a, b] = [from, to].map(|place| place.polygon().0);
            each_crossed(query.mesh().polys(), a, b, |block| {
                scratch.doors.blocks.add(&mut within.blocks, block)
            });
        }
        let ground = within.ground(query, &scratch.doors);
        let ends = (from, to, Some(&ground as &dyn Region));
        let state = State::begin_within(query, ends.0, ends.1, ends.2, linked, &mut scratch.ground);
        (within, state)
    }

    /// Continues such a search: see [`State::step`].
    pub(crate) fn step(
        self,
        state: &mut State,
        query: &NavQuery<'_>,
        scratch: &mut Lists<'_>,
        budget: u32,
    ) -> Option<Outcome> {
        let ground = self.ground(query, &scratch.doors);
        state.step(query, Some(&ground), &mut scratch.ground, budget, false)
    }
}

/// The result of a search within rooms.
pub(crate) enum Found {
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
pub(crate) fn search(
    query: &NavQuery<'_>,
    from: &NavPoint,
    to: &NavPoint,
    rooms: u32,
    scratch: &mut Lists<'_>,
) -> (Found, u32) {
    let (within, mut state) = Within::begin(query, from, to, rooms, false, scratch);
    loop {
        let found = match within.step(&mut state, query, scratch, u32::MAX) {
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
pub(crate) fn search_all(
    query: &NavQuery<'_>,
    [from, to]: [&NavPoint; 2],
    most: u32,
    scratch: &mut Lists<'_>,
) -> (Option<usize>, u32) {
    let mut state = State::begin_within(query, from, to, None, false, &mut scratch.ground);
    let cone = match state.step(query, None, &mut scratch.ground, most, false) {
        Some(Outcome::Reached(cone)) => Some(cone),
        _ => None,
    };
    (cone, state.expanded)
}

/// The place on a door that is nearest to its middle.
///
/// Distances between doors are measured from it.
///
/// ```
/// # navbake_testkit::example!(nav, query, request, scratch);
/// if let Some(rooms) = nav.mesh().rooms() {
///     let middle = navbake_rooms::middle_of_door(&query, rooms, 0);
///     # let _ = middle;
/// }
/// ```
pub fn middle_of_door(query: &NavQuery<'_>, rooms: &Rooms<'_>, door: u32) -> Option<PolyPoint> {
    let [a, b] = rooms.door(door)?.ends;
    let mean = |k: usize| (f64::from(a[k]) + f64::from(b[k])) / 2.0;
    let place = on_door(query, rooms, door, [mean(0), mean(1)], None)?;
    Some(PolyPoint::from(&place))
}

/// The distance between two places within a room of the mesh.
///
/// Seen from above, m; links are not taken. `None` where there is no path, and where the scratch is
/// too small.
pub fn distance_in_room(
    query: &NavQuery<'_>,
    room: RoomId,
    from: PolyPoint,
    to: PolyPoint,
    scratch: &mut dyn RoomMemory,
) -> Option<f64> {
    scratch.prepare(query.mesh());
    let mut scratch = scratch.lend();
    let [from, to] = [from, to].map(|at| query.location(at.polygon(), at.point(), 0.0));
    let rooms = scratch.doors.rooms.insert(0, room.0);
    match search(query, &from, &to, rooms, &mut scratch).0 {
        Found::Way { length, .. } => Some(length / query.mesh().grid().units()),
        _ => None,
    }
}
