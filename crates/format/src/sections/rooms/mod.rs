//! Rooms of a mesh and the doors between them.
//!
//! The sections are `rooms`, `room-of`, `room-doors`, `room-portals`, `doors-of-rooms`,
//! `room-ways`, `wider-rooms`, `like-rooms` and `link-ways`.

pub(crate) mod check;
#[cfg(feature = "write")]
pub(crate) mod encode;

use navbake_grid::{NONE, PolyId, RoomId};
use navbake_navmesh::Pieces;
use navbake_navmesh::record::Records;

use super::chunks::is_index;
use super::clusters::Clusters;
use crate::strings::{StringRef, text};
use crate::{Blob, CheckedBlob, Section};

/// Flag of a room: it has one door.
const DEAD_END: u16 = 1;
/// Flag of a room: some of its neighbours are connected over it alone.
const CHOKE: u16 = 2;
/// Flag of a door: its rooms are connected over it alone.
const BRIDGE: u16 = 1;
/// Flag of a door: it divides open land.
const DIVIDE: u16 = 2;

navbake_navmesh::record! {
    /// Section `rooms`: where its doors begin in `doors-of-rooms`, and its distances in
    /// `room-ways`.
    struct RoomRecord: 36 {
        name: StringRef, flags: u16, at: [i32; 3], area: f32, first_door: u32, first_way: u32,
        reserved: u32,
    }
}
navbake_navmesh::record! {
    /// Section `room-doors`: where its portals begin in `room-portals`.
    struct RoomDoorRecord: 40 {
        rooms: [u32; 2], first_end: [i32; 2], second_end: [i32; 2], width: f32, first_portal: u32,
        flags: u16, name: StringRef,
    }
}
navbake_navmesh::record! {
    /// Section `room-portals`.
    struct RoomPortalRecord: 8 { polygon: u32, edge: u16, reserved: u16 }
}

/// A room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room<'a> {
    /// Its name, perhaps empty.
    pub name: &'a str,
    /// A place near its middle: x, y, z, grid units.
    pub at: [i32; 3],
    /// The area of its ground seen from above, m2.
    pub area: f32,
    /// Whether it has one door only.
    pub is_dead_end: bool,
    /// Whether some of its neighbours are connected over it alone, links apart.
    pub is_choke: bool,
}

/// A door between two rooms: a straight line between two walls.
///
/// One portal or a chain of them is on it. A divide between two parts of open land is a door too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoomDoor<'a> {
    /// Its rooms, the lesser number first.
    pub rooms: [RoomId; 2],
    /// Its ends: x and z, grid units.
    pub ends: [[i32; 2]; 2],
    /// The width from wall to wall, m: that of the portal and the agent's distance from the walls.
    /// Of a divide, the distance of its ends.
    pub width: f32,
    /// Whether its rooms are connected over it alone, links apart.
    pub is_bridge: bool,
    /// Whether it divides open land. It may have bends, and its ends are its places farthest apart.
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

navbake_navmesh::record! {
    /// A portal of a door of a world, by the numbers of the chunks that are loaded.
    #[doc(hidden)]
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct LoadedPortal: 12 { pub door: u32, pub polygon: u32, pub edge: u32 }
}

/// The portals of all doors, door by door.
#[derive(Clone, Copy)]
enum Portals<'a> {
    /// As the file has them: doors say where theirs begin.
    Baked(Records<'a, RoomPortalRecord>),
    /// Of the chunks of a world that are loaded.
    Loaded(Records<'a, LoadedPortal>),
}

impl Portals<'_> {
    fn get(&self, i: usize) -> Option<(PolyId, u32)> {
        match self {
            Portals::Baked(all) => all.get(i).map(|r| (PolyId(r.polygon), r.edge.into())),
            Portals::Loaded(all) => all.get(i).map(|r| (PolyId(r.polygon), r.edge)),
        }
    }

    fn len(&self) -> usize {
        match self {
            Portals::Baked(all) => all.len(),
            Portals::Loaded(all) => all.len(),
        }
    }
}

/// The room of each polygon, in as few bytes as their number needs.
#[derive(Clone, Copy)]
enum RoomOf<'a> {
    One(&'a [u8]),
    Two(Records<'a, u16>),
    Four(Records<'a, u32>),
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
/// #         vertices: &[[0, 0, 0], [0, 0, 10], [10, 0, 0]],
/// #         first_edge: &[0, 3], corners: &[0, 1, 2],
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
    pieces: Pieces<'a>,
    rooms: Records<'a, RoomRecord>,
    doors: Records<'a, RoomDoorRecord>,
    portals: Portals<'a>,
    doors_of: Records<'a, u32>,
    distances: Records<'a, f32>,
    wider: Records<'a, u32>,
    like: Records<'a, u32>,
    link_distances: Records<'a, f32>,
    pub(crate) clusters: Clusters<'a>,
    strings: &'a [u8],
}

impl<'a> Rooms<'a> {
    pub(crate) fn read(blob: &Blob<'a>, class: u16) -> Option<Rooms<'a>> {
        let of = match blob.section(Section::ROOM_OF, class) {
            Some((info, bytes)) => match info.element_size {
                1 => RoomOf::One(bytes),
                2 => RoomOf::Two(blob.records(Section::ROOM_OF, class)),
                _ => RoomOf::Four(blob.records(Section::ROOM_OF, class)),
            },
            // The polygons of a world are in its chunks.
            None if is_index(blob) && blob.has(Section::ROOMS, class) => RoomOf::One(&[]),
            None => return None,
        };
        Some(Rooms {
            of,
            pieces: Pieces::default(),
            rooms: blob.records(Section::ROOMS, class),
            doors: blob.records(Section::ROOM_DOORS, class),
            portals: Portals::Baked(blob.records(Section::ROOM_PORTALS, class)),
            doors_of: blob.records(Section::DOORS_OF_ROOMS, class),
            distances: blob.records(Section::ROOM_WAYS, class),
            wider: blob.records(Section::WIDER_ROOMS, class),
            like: blob.records(Section::LIKE_ROOMS, class),
            link_distances: blob.records(Section::LINK_WAYS, class),
            clusters: Clusters::read(blob, class),
            strings: blob.raw(Section::STRINGS, 0),
        })
    }

    /// The rooms of a world, on the chunks that are loaded: the room of each polygon, and the
    /// portals sorted by door.
    pub(crate) fn with_loaded(
        self,
        of: Records<'a, u32>,
        portals: Records<'a, LoadedPortal>,
    ) -> Rooms<'a> {
        Rooms { of: RoomOf::Four(of), portals: Portals::Loaded(portals), ..self }
    }

    /// The rooms of a mesh that obstacles change: a piece is in the room of its polygon.
    pub(crate) fn with_pieces(self, pieces: Pieces<'a>) -> Rooms<'a> {
        Rooms { pieces, ..self }
    }

    #[inline]
    fn name(&self, at: StringRef) -> &'a str {
        // Most have none.
        match at.len {
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
    fn polygons(&self) -> usize {
        match self.of {
            RoomOf::One(of) => of.len(),
            RoomOf::Two(of) => of.len(),
            RoomOf::Four(of) => of.len(),
        }
    }

    /// The room of a polygon; the first room for a polygon that the mesh does not have.
    #[inline]
    pub fn of(&self, p: PolyId) -> RoomId {
        let i = PolyId(self.pieces.origin(p.0)).index();
        RoomId(match self.of {
            RoomOf::One(of) => of.get(i).map_or(0, |&r| r.into()),
            RoomOf::Two(of) => of.get(i).map_or(0, u32::from),
            RoomOf::Four(of) => of.get(i).unwrap_or(0),
        })
    }

    /// A room; `None` when there is none of that number.
    pub fn get(&self, room: RoomId) -> Option<Room<'a>> {
        let r = self.rooms.get(room.index())?;
        Some(Room {
            name: self.name(r.name),
            at: r.at,
            area: r.area,
            is_dead_end: r.flags & DEAD_END != 0,
            is_choke: r.flags & CHOKE != 0,
        })
    }

    /// The room of that name.
    pub fn named(&self, name: &str) -> Option<RoomId> {
        let mut rooms = self.rooms.iter();
        let found = rooms.position(|r| self.name(r.name) == name);
        found.map(|i| RoomId(i as u32))
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
            rooms: r.rooms.map(RoomId),
            ends: [r.first_end, r.second_end],
            width: r.width,
            is_bridge: r.flags & BRIDGE != 0,
            is_divide: r.flags & DIVIDE != 0,
            name: self.name(r.name),
        })
    }

    /// The portals of a door: polygons and the numbers of their edges.
    ///
    /// The polygon is the one of the two with the lesser number. In a world in chunks these are the
    /// portals on ground that is loaded: O(log n) more. They are as baked, also where obstacles
    /// change or take these polygons.
    pub fn portals(&self, door: u32) -> impl ExactSizeIterator<Item = (PolyId, u32)> + use<'a> {
        let first = |d: usize| match self.portals {
            Portals::Baked(all) => self.doors.get(d).map_or(all.len(), |r| r.first_portal as usize),
            Portals::Loaded(all) => all.partition_point(|r| (r.door as usize) < d),
        };
        let (d, portals) = (door as usize, self.portals);
        let (from, end) = (first(d), first(d.saturating_add(1)).min(portals.len()));
        (from.min(end)..end).map(move |i| portals.get(i).unwrap_or((PolyId(NONE), 0)))
    }

    /// The numbers of a room's doors, rising, in place.
    #[inline]
    pub(crate) fn doors_in(&self, room: usize) -> Records<'a, u32> {
        let (from, to) = (self.lists(room).0, self.lists(room + 1).0);
        self.doors_of.slice(from..to).unwrap_or_default()
    }

    /// The distances of a room, in place; none where they were not measured.
    #[inline]
    pub(crate) fn distances_in(&self, room: usize) -> Records<'a, f32> {
        let (from, to) = (self.lists(room).1, self.lists(room + 1).1);
        self.distances.slice(from..to).unwrap_or_default()
    }

    /// Where the doors and the distances of a room begin.
    fn lists(&self, room: usize) -> (usize, usize) {
        match self.rooms.get(room) {
            Some(r) => (r.first_door as usize, r.first_way as usize),
            None => (self.doors_of.len(), self.distances.len()),
        }
    }

    /// The numbers of a room's doors, rising.
    pub fn doors_of(&self, room: RoomId) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        self.doors_in(room.index()).iter()
    }

    /// The distance between the stops of two doors of a room within it, everything open, m.
    ///
    /// Doors are given by their places in [`Rooms::doors_of`]. `None` when it was not measured. A
    /// door's stop is a place near its middle; see [`Rooms::stop`].
    pub fn way(&self, room: RoomId, a: u32, b: u32) -> Option<f32> {
        let (from, end) = (self.lists(room.index()).1, self.lists(room.index() + 1).1);
        if a == b {
            return Some(0.0);
        }
        let (low, high) = (a.min(b) as usize, a.max(b) as usize);
        if high >= self.doors_of(room).len() {
            return None;
        }
        let place = from.checked_add(high.checked_mul(high.checked_sub(1)?)? / 2 + low)?;
        self.distances.slice(0..end)?.get(place)
    }

    /// How many times rooms are merged into wider ones.
    pub fn levels(&self) -> u32 {
        (self.wider.len().checked_div(self.rooms.len()).unwrap_or(0)) as u32
    }

    /// The wider room of a room; those of level 0 are the narrowest.
    ///
    /// Rooms with the same number are merged.
    pub fn wider(&self, level: u32, room: RoomId) -> Option<u32> {
        let rooms = self.rooms.len();
        let from = rooms.checked_mul(level as usize)?;
        let own = self.wider.slice(from..from.checked_add(rooms)?)?;
        own.get(room.index())
    }

    /// Whether these are the rooms of a larger class, which derive from those of the smallest.
    ///
    /// See [`CheckedBlob::smallest_rooms`].
    pub fn is_canonical(&self) -> bool {
        !self.like.is_empty()
    }

    /// The room of the smallest class that has most of a room's ground.
    ///
    /// `None` where there is none, and for rooms of that class itself. A room that a larger agent
    /// cannot cross is several, all with the same room of the smallest class.
    pub fn canonical_room(&self, room: RoomId) -> Option<RoomId> {
        let own = self.like.slice(0..self.rooms.len())?.get(room.index())?;
        (own != NONE).then_some(RoomId(own))
    }

    /// The door of the smallest class that a door is.
    ///
    /// `None` where there is none, and for doors of that class itself.
    pub fn canonical_door(&self, door: u32) -> Option<u32> {
        let doors = self.like.slice(self.rooms.len()..self.like.len())?;
        doors.get(door as usize).filter(|&own| own != NONE)
    }

    /// The number of distances of links within rooms.
    pub fn link_way_count(&self) -> usize {
        self.link_distances.len()
    }

    /// A distance of links within rooms, everything open, m.
    ///
    /// For each link those to its start from the doors of its room, then those from its end to the
    /// doors of the room there, then to the starts of the links there, all by number.
    #[inline]
    pub fn link_way(&self, place: usize) -> Option<f32> {
        self.link_distances.get(place)
    }
}

/// The first class with rooms that do not derive from others.
fn smallest(blob: &Blob<'_>) -> Option<u16> {
    let is_smallest = |&class: &u16| !blob.has(Section::LIKE_ROOMS, class);
    (0..blob.class_count()).filter(is_smallest).find(|&class| Rooms::read(blob, class).is_some())
}

impl<'a> CheckedBlob<'a> {
    /// The rooms of an agent class, where they were baked.
    pub fn rooms(&self, class: u16) -> Option<Rooms<'a>> {
        Rooms::read(&self.blob(), class)
    }

    /// The class that rooms and doors were found for: that of the agent with the least radius.
    ///
    /// Those of other classes refer to its numbers: see [`Rooms::canonical_room`] and
    /// [`Rooms::canonical_door`].
    pub fn smallest_rooms(&self) -> Option<u16> {
        smallest(&self.blob())
    }
}
