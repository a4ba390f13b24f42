//! Which rooms reach each other while doors are closed.

use navbake_format::{RoomId, Rooms};
use navbake_search::NavQuery;

/// Connected rooms over ground with what is blocked now, links left out.
///
/// Made each time a door closes or opens.
#[derive(Clone, Copy, Debug)]
pub struct RoomReach<'s> {
    /// The least room that each room reaches.
    least: &'s [u32],
}

impl<'s> RoomReach<'s> {
    /// Does one room reach the other?
    #[inline]
    pub fn connected(&self, a: RoomId, b: RoomId) -> bool {
        match (self.least.get(a.index()), self.least.get(b.index())) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }

    /// Which rooms reach each other with what is blocked now.
    ///
    /// O(rooms and doors) up to a logarithm, plus one bit per edge of the mesh; no search over
    /// polygons. `memory` holds one number per room, [`Rooms::count`].
    ///
    /// `None` when rooms are too coarse to decide: obstacles take ground, something is blocked
    /// within a room, or in one direction only, as the border of a blocked polygon is: it can be
    /// left, but not entered. Also `None` when `memory` is too short.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// // Rooms are in files that were baked with them.
    /// if let Some(rooms) = nav.mesh().rooms() {
    ///     let mut memory = vec![0; rooms.count() as usize];
    ///     let reach = navbake_rooms::RoomReach::new(&query, rooms, &mut memory);
    ///     # let _ = reach;
    /// }
    /// ```
    pub fn new(
        query: &NavQuery<'_>,
        rooms: &Rooms<'_>,
        memory: &'s mut [u32],
    ) -> Option<RoomReach<'s>> {
        if !query.mesh().polys().pieces.cut.is_empty() {
            return None;
        }
        let sets = memory.get_mut(..rooms.count() as usize)?;
        for (own, set) in (0u32..).zip(sets.iter_mut()) {
            *set = own;
        }
        // Each portal has two edges.
        let mut shut = 0;
        for number in 0..rooms.door_count() {
            let mut open = false;
            for (p, k) in rooms.portals(number) {
                let polygon = query.mesh().polygon(p);
                let (beyond, twin) = polygon.across(k)?;
                let sides = [polygon.edge(k).0, query.mesh().polygon(beyond).edge(twin).0];
                let closed = sides.map(|edge| query.closings().is_shut(edge));
                open |= closed != [true; 2];
                shut += closed.into_iter().filter(|&c| c).count();
                if closed[0] != closed[1] {
                    return None;
                }
            }
            if open {
                let [a, b] = rooms.door(number)?.rooms;
                join(sets, a.0, b.0);
            }
        }
        if shut != query.closings().shut_edges() {
            return None;
        }
        // The least room represents its set, and comes before all others.
        for room in 0..sets.len() {
            let up = *sets.get(room)? as usize;
            let least = *sets.get(up)?;
            *sets.get_mut(room)? = least;
        }
        Some(RoomReach { least: sets })
    }
}

/// The least room of a set; numbers only fall along the chain.
fn find(sets: &mut [u32], mut room: u32) -> u32 {
    loop {
        let up = sets.get(room as usize).copied().unwrap_or(room);
        let above = sets.get(up as usize).copied().unwrap_or(up);
        if above >= up {
            return up.min(room);
        }
        if let Some(own) = sets.get_mut(room as usize) {
            *own = above;
        }
        room = above;
    }
}

fn join(sets: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(sets, a), find(sets, b));
    if let Some(own) = sets.get_mut(a.max(b) as usize) {
        *own = a.min(b);
    }
}
