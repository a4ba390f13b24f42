//! Rooms of a mesh and the doors between them.

use navbake_grid::{NONE, PolyId, RoomId};

use crate::districts::Plan;
use crate::records::{RoomDoorRecord, RoomPortalRecord, RoomRecord, StringRef, text};
use crate::{Blob, CheckedBlob, Section};
use zerocopy::little_endian::{F32, U16, U32};

/// Of a room: it has one door.
pub(crate) const DEAD_END: u16 = 1;
/// Of a room: without it some of its neighbours do not come to each other.
pub(crate) const CHOKE: u16 = 2;
/// Of a door: without it its rooms do not come to each other.
pub(crate) const BRIDGE: u16 = 1;
/// Of a door: it is a divide between fields.
pub(crate) const DIVIDE: u16 = 2;

/// A room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room<'a> {
    /// Its name, perhaps empty.
    pub name: &'a str,
    /// A place in its midst: x, y, z, grid units.
    pub at: [i32; 3],
    /// Its ground seen from above, m2.
    pub area: f32,
    /// Does it have one door only?
    pub is_dead_end: bool,
    /// Do some of its neighbours not come to each other without it? Links are not looked at.
    pub is_choke: bool,
}

/// A door between two rooms: a straight way between two walls, which one portal or a chain of them lies on, or all of a divide between two fields of open land.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoomDoor<'a> {
    /// Its rooms, the lesser number first.
    pub rooms: [RoomId; 2],
    /// Its ends: x and z, grid units.
    pub ends: [[i32; 2]; 2],
    /// How wide the way is from wall to wall, m: the portal and what the agent's ground stands off the walls. Of a divide, how far apart its ends are.
    pub width: f32,
    /// Do its rooms not come to each other without it? Links are not looked at.
    pub is_bridge: bool,
    /// Is it a divide between fields? It may have bends, and its ends are its places farthest apart.
    pub is_divide: bool,
    /// Its name, perhaps empty.
    pub name: &'a str,
}

impl RoomDoor<'_> {
    /// The room on the other side; `None` for a room that it is no door of.
    pub fn beyond(&self, room: RoomId) -> Option<RoomId> {
        match self.rooms {
            [a, b] if a == room => Some(b),
            [a, b] if b == room => Some(a),
            _ => None,
        }
    }
}

/// The room of each polygon, in as few bytes as their number needs.
#[derive(Clone, Copy)]
enum RoomOf<'a> {
    One(&'a [u8]),
    Two(&'a [U16]),
    Four(&'a [U32]),
}

/// Rooms of a mesh: see [`CheckedBlob::rooms`].
///
/// ```
/// # #[cfg(feature = "write")] {
/// # use navbake_format::write::{BlobParts, MeshParts, RoomParts, RoomsParts, encode};
/// # use navbake_format::{Blob, PolyId};
/// # let hall = [RoomParts { name: "hall", ..RoomParts::default() }];
/// # let bytes = encode(&BlobParts {
/// #     meshes: &[MeshParts {
/// #         vertices: &[[0, 0, 0], [0, 0, 10], [10, 0, 0]], first_edge: &[0, 3], corners: &[0, 1, 2],
/// #         neighbours: &[u32::MAX; 3], islands: &[0],
/// #         rooms: Some(RoomsParts { of: &[0], rooms: &hall, ..RoomsParts::default() }),
/// #         ..MeshParts::default()
/// #     }],
/// #     ..BlobParts::default()
/// # }).unwrap();
/// let blob = Blob::open_checked(&bytes)?;
/// let rooms = blob.rooms(0).expect("baked with rooms");
/// let room = rooms.of(PolyId(0)); // say that of a location
/// assert_eq!(rooms.get(room).unwrap().name, "hall");
/// for number in rooms.doors_of(room) {
///     let door = rooms.door(number).unwrap();
///     println!("{:.1} m wide, to {:?}", door.width, door.beyond(room));
/// }
/// # }
/// # Ok::<(), navbake_format::BlobError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Rooms<'a> {
    of: RoomOf<'a>,
    rooms: &'a [RoomRecord],
    doors: &'a [RoomDoorRecord],
    portals: &'a [RoomPortalRecord],
    doors_of: &'a [U32],
    ways: &'a [F32],
    wider: &'a [U32],
    like: &'a [U32],
    link_ways: &'a [F32],
    pub(crate) plan: Plan<'a>,
    strings: &'a [u8],
}

impl<'a> Rooms<'a> {
    pub(crate) fn read(blob: &Blob<'a>, class: u16) -> Option<Rooms<'a>> {
        let (info, bytes) = blob.section(Section::ROOM_OF, class)?;
        Some(Rooms {
            of: match info.element_size {
                1 => RoomOf::One(bytes),
                2 => RoomOf::Two(blob.records(Section::ROOM_OF, class)),
                _ => RoomOf::Four(blob.records(Section::ROOM_OF, class)),
            },
            rooms: blob.records(Section::ROOMS, class),
            doors: blob.records(Section::ROOM_DOORS, class),
            portals: blob.records(Section::ROOM_PORTALS, class),
            doors_of: blob.records(Section::DOORS_OF_ROOMS, class),
            ways: blob.records(Section::ROOM_WAYS, class),
            wider: blob.records(Section::WIDER_ROOMS, class),
            like: blob.records(Section::LIKE_ROOMS, class),
            link_ways: blob.records(Section::LINK_WAYS, class),
            plan: Plan::read(blob, class),
            strings: blob.records(Section::STRINGS, 0),
        })
    }

    #[inline]
    fn name(&self, at: StringRef) -> &'a str {
        // Most have none.
        match at.len.get() {
            0 => "",
            _ => text(self.strings, at).unwrap_or(""),
        }
    }

    /// Number of rooms.
    #[inline]
    pub fn count(&self) -> u32 {
        self.rooms.len() as u32 // a section has fewer than 2^32 records
    }

    /// Number of polygons that have a room: all of the mesh.
    pub(crate) fn polygons(&self) -> usize {
        match self.of {
            RoomOf::One(of) => of.len(),
            RoomOf::Two(of) => of.len(),
            RoomOf::Four(of) => of.len(),
        }
    }

    /// The room of a polygon; the first room for a polygon that the mesh does not have.
    #[inline]
    pub fn of(&self, p: PolyId) -> RoomId {
        let i = p.index();
        RoomId(match self.of {
            RoomOf::One(of) => of.get(i).map_or(0, |&r| r.into()),
            RoomOf::Two(of) => of.get(i).map_or(0, |r| r.get().into()),
            RoomOf::Four(of) => of.get(i).map_or(0, |r| r.get()),
        })
    }

    /// A room; `None` when there is none of that number.
    pub fn get(&self, room: RoomId) -> Option<Room<'a>> {
        let r = self.rooms.get(room.index())?;
        Some(Room {
            name: self.name(r.name),
            at: r.at.map(|c| c.get()),
            area: r.area.get(),
            is_dead_end: r.flags.get() & DEAD_END != 0,
            is_choke: r.flags.get() & CHOKE != 0,
        })
    }

    /// The room of that name.
    pub fn named(&self, name: &str) -> Option<RoomId> {
        let is_it = |r: &RoomRecord| self.name(r.name) == name;
        self.rooms.iter().position(is_it).map(|i| RoomId(i as u32))
    }

    /// Number of doors.
    #[inline]
    pub fn door_count(&self) -> u32 {
        self.doors.len() as u32 // as of rooms
    }

    /// A door; `None` when there is none of that number.
    #[inline]
    pub fn door(&self, number: u32) -> Option<RoomDoor<'a>> {
        let r = self.doors.get(number as usize)?;
        Some(RoomDoor {
            rooms: r.rooms.map(|r| RoomId(r.get())),
            ends: r.ends.map(|end| end.map(|c| c.get())),
            width: r.width.get(),
            is_bridge: r.flags.get() & BRIDGE != 0,
            is_divide: r.flags.get() & DIVIDE != 0,
            name: self.name(r.name),
        })
    }

    /// The portals of a door: a polygon of its first room and the number of the edge there, or of the second room where that polygon's number is
    /// less.
    pub fn portals(&self, door: u32) -> impl ExactSizeIterator<Item = (PolyId, u32)> + use<'a> {
        let first = |d: usize| {
            let found = self.doors.get(d).map(|r| r.first_portal.get() as usize);
            found.unwrap_or(self.portals.len())
        };
        let d = door as usize;
        let run = self.portals.get(first(d)..first(d.saturating_add(1)));
        let records = run.unwrap_or(&[]).iter();
        records.map(|r| (PolyId(r.polygon.get()), r.edge.get().into()))
    }

    /// The numbers of a room's doors, rising, in place.
    #[inline]
    pub(crate) fn doors_in(&self, room: usize) -> &'a [U32] {
        let (from, to) = (self.doors_from(room).0, self.doors_from(room + 1).0);
        self.doors_of.get(from..to).unwrap_or(&[])
    }

    /// The ways of a room, in place; none where they were not measured.
    #[inline]
    pub(crate) fn ways_in(&self, room: usize) -> &'a [F32] {
        let (from, to) = (self.doors_from(room).1, self.doors_from(room + 1).1);
        self.ways.get(from..to).unwrap_or(&[])
    }

    pub(crate) fn doors_from(&self, room: usize) -> (usize, usize) {
        match self.rooms.get(room) {
            Some(r) => (r.first_door.get() as usize, r.first_way.get() as usize),
            None => (self.doors_of.len(), self.ways.len()),
        }
    }

    /// The numbers of a room's doors, rising.
    pub fn doors_of(&self, room: RoomId) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        let (from, to) = (
            self.doors_from(room.index()).0,
            self.doors_from(room.index() + 1).0,
        );
        let run = self.doors_of.get(from..to).unwrap_or(&[]);
        run.iter().map(|d| d.get())
    }

    /// The way between the stops of two doors of a room, m: shortest within the room, everything open. The doors are told by their places in
    /// [`Rooms::doors_of`]. `None` when it was not measured. A door's stop is a place in its middle, up to the grid's step; see [`Rooms::stop`].
    pub fn way(&self, room: RoomId, a: u32, b: u32) -> Option<f32> {
        let (from, end) = (
            self.doors_from(room.index()).1,
            self.doors_from(room.index() + 1).1,
        );
        if a == b {
            return Some(0.0);
        }
        let (low, high) = (a.min(b) as usize, a.max(b) as usize);
        if high >= self.doors_of(room).len() {
            return None;
        }
        let place = from.checked_add(high.checked_mul(high.checked_sub(1)?)? / 2 + low)?;
        let run = self.ways.get(..end)?;
        run.get(place).map(|w| w.get())
    }

    /// How many times rooms are put together to wider ones.
    pub fn levels(&self) -> u32 {
        (self.wider.len().checked_div(self.rooms.len()).unwrap_or(0)) as u32
    }

    /// The wider room that a room is in, level 0 being the narrowest of these; rooms with the same number are together.
    pub fn wider(&self, level: u32, room: RoomId) -> Option<u32> {
        let own = self
            .wider
            .chunks_exact(self.rooms.len().max(1))
            .nth(level as usize)?;
        own.get(room.index()).map(|w| w.get())
    }

    /// Are these the rooms of a larger class, which those of the smallest were put on? See [`CheckedBlob::smallest_rooms`].
    pub fn is_like(&self) -> bool {
        !self.like.is_empty()
    }

    /// The room of the smallest class that most of a room's ground lies in; `None` where it has none there, and for rooms of that class itself.
    ///
    /// A room that a larger agent does not get through in one piece is several, all like one.
    pub fn like(&self, room: RoomId) -> Option<RoomId> {
        let own = self.like.get(..self.rooms.len())?.get(room.index())?.get();
        (own != NONE).then_some(RoomId(own))
    }

    /// The door of the smallest class that a door is; `None` where it has none there, and for doors of that class itself.
    pub fn door_like(&self, door: u32) -> Option<u32> {
        let own = self.like.get(self.rooms.len()..)?.get(door as usize)?.get();
        (own != NONE).then_some(own)
    }

    /// How many ways of links within rooms are told.
    pub fn link_way_count(&self) -> usize {
        self.link_ways.len()
    }

    /// One of the ways of links within rooms, m, everything open: for each link those to its begin from the doors of its room, then those from its end to the
    /// doors of the room there, then to the begins of the links there, all by number.
    #[inline]
    pub fn link_way(&self, place: usize) -> Option<f32> {
        self.link_ways.get(place).map(|w| w.get())
    }

    pub(crate) fn likes(&self) -> &'a [U32] {
        self.like
    }

    pub(crate) fn way_count(&self) -> usize {
        self.ways.len()
    }
}

/// The first class with rooms that are like no others.
pub(crate) fn smallest(blob: &Blob<'_>) -> Option<u16> {
    let has = |section, class| blob.section(section, class).is_some();
    (0..blob.class_count()).find(|&c| has(Section::ROOM_OF, c) && !has(Section::LIKE_ROOMS, c))
}

impl<'a> CheckedBlob<'a> {
    /// The rooms of an agent class, where they were baked.
    pub fn rooms(&self, class: u16) -> Option<Rooms<'a>> {
        Rooms::read(&self.blob(), class)
    }

    /// The class that rooms and doors were found for: that of the agent with the least radius. Those of other classes are told by its numbers, see
    /// [`Rooms::like`] and [`Rooms::door_like`].
    pub fn smallest_rooms(&self) -> Option<u16> {
        smallest(&self.blob())
    }
}
