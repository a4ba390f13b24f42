//! Which rooms come to each other while doors are closed.

use navbake_format::{RoomId, Rooms};

use crate::Query;

/// Rooms that come to each other over ground with what is closed, links left out. Made by [`Query::room_reach`] whenever a door closes or opens.
#[derive(Clone, Copy, Debug)]
pub struct RoomReach<'s> {
    /// The least room that each comes to.
    least: &'s [u32],
}

impl RoomReach<'_> {
    /// Does one come from the one room to the other?
    #[inline]
    pub fn connected(&self, a: RoomId, b: RoomId) -> bool {
        match (self.least.get(a.index()), self.least.get(b.index())) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }
}

impl Query<'_> {
    /// Which rooms come to each other with what is closed: O(rooms and doors) up to a logarithm, and a look at a bit for each edge of the mesh; no search over polygons.
    /// `memory` holds a number a room, [`Rooms::count`].
    ///
    /// `None` when rooms cannot tell: when something is closed within a room or one way only, as polygons are that can be left, and when
    /// `memory` is too short.
    pub fn room_reach<'s>(
        &self,
        rooms: &Rooms<'_>,
        memory: &'s mut [u32],
    ) -> Option<RoomReach<'s>> {
        let sets = memory.get_mut(..rooms.count() as usize)?;
        for (own, set) in (0u32..).zip(sets.iter_mut()) {
            *set = own;
        }
        // Each portal has two edges.
        let mut shut = 0;
        for number in 0..rooms.door_count() {
            let mut open = false;
            for (p, k) in rooms.portals(number) {
                let polygon = self.mesh.polygon(p);
                let (beyond, twin) = polygon.across(k)?;
                let sides = [polygon.edge(k).0, self.mesh.polygon(beyond).edge(twin).0];
                let closed = sides.map(|edge| self.closings.is_shut(edge));
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
        if shut != self.closings.shut_edges() {
            return None;
        }
        // The least of a set stands for it, and comes before all others.
        for room in 0..sets.len() {
            let up = *sets.get(room)? as usize;
            let least = *sets.get(up)?;
            *sets.get_mut(room)? = least;
        }
        Some(RoomReach { least: sets })
    }
}

/// The least room of a set; numbers only ever fall on the way.
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
