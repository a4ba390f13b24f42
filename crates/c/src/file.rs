//! What else is in a file: areas, markers, links, rooms, and the polygons themselves.

use std::ffi::c_char;

use navbake_search::PolyId;
use navbake_search::blob::{EdgeId, RoomId};

use crate::blob::{NavbakeBlob, NavbakeMesh};
use crate::pointers::{Output, Room, apart, given};
use crate::status::NavbakeStatus::{self, NavbakeBadArgument, NavbakeOk};
use crate::status::guard;

/// A kind of ground.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeArea {
    /// Its name in UTF-8, in the blob's own bytes; no zero ends it.
    pub name: *const c_char,
    /// Bytes in the name.
    pub name_length: usize,
    /// Its tags, one bit each.
    pub tags: u32,
    /// The switch that closes it; UINT32_MAX for none.
    pub switch_number: u32,
}

/// A named place of the level.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeMarker {
    /// Its name in UTF-8, in the blob's own bytes; no zero ends it.
    pub name: *const c_char,
    /// Bytes in the name.
    pub name_length: usize,
    /// y-up metres.
    pub position: [f64; 3],
}

/// A link between two places of the ground, in one direction: a jump, a ladder, a teleporter.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeLink {
    /// Its name in UTF-8, in the mesh's memory; no zero ends it.
    pub name: *const c_char,
    /// Bytes in the name.
    pub name_length: usize,
    /// Where it begins, y-up metres.
    pub from: [f64; 3],
    /// Where it ends.
    pub to: [f64; 3],
    /// What it costs, m.
    pub cost: f64,
    /// Its width, m.
    pub width: f64,
    /// The polygon where it begins.
    pub polygon: u32,
    /// The polygon where it ends.
    pub beyond: u32,
    /// The agents that may take it, one bit each.
    pub agents: u32,
    /// The switch that closes it; UINT32_MAX for none.
    pub switch_number: u32,
}

/// A room of the level.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeRoom {
    /// Its name in UTF-8, in the mesh's memory; no zero ends it, and it may be empty.
    pub name: *const c_char,
    /// Bytes in the name.
    pub name_length: usize,
    /// A place near its middle, y-up metres.
    pub middle: [f64; 3],
    /// The area of its ground seen from above, square metres.
    pub area: f64,
    /// 1 when it has one door only, else 0.
    pub dead_end: u32,
    /// 1 when some of its neighbours are connected over it alone, else 0.
    pub choke: u32,
}

/// A door between two rooms.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeRoomDoor {
    /// Its name in UTF-8, in the mesh's memory; no zero ends it, and it may be empty.
    pub name: *const c_char,
    /// Bytes in the name.
    pub name_length: usize,
    /// x and z of both ends, m.
    pub ends: [[f64; 2]; 2],
    /// The width from wall to wall, m.
    pub width: f64,
    /// Its rooms, the lesser number first.
    pub rooms: [u32; 2],
    /// 1 when its rooms are connected over it alone, else 0.
    pub bridge: u32,
}

/// How many of each a mesh has.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeCounts {
    /// Polygons; some are gone while obstacles stand on them.
    pub polygons: u32,
    /// Links of polygons.
    pub links: u32,
    /// Islands: pieces of ground that are connected without links.
    pub islands: u32,
    /// Rooms, 0 where none were found; of a world in chunks all, whichever are loaded.
    pub rooms: u32,
    /// Doors between them.
    pub room_doors: u32,
}

/// A polygon of the mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakePolygon {
    /// How many corners; 0 while obstacles have replaced it by pieces.
    pub corners: usize,
    /// The number of its first edge; its other edges follow.
    pub first_edge: u32,
    /// The number of its area.
    pub area: u32,
    /// Its island.
    pub island: u32,
    /// Its room; UINT32_MAX where the mesh has none.
    pub room: u32,
}

/// How many areas the blob has; 0 for NULL.
///
/// # Safety
///
/// The blob is NULL or comes from navbake_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_area_count(blob: *const NavbakeBlob) -> usize {
    // SAFETY: promised by the caller.
    unsafe { given(blob) }.map_or(0, |blob| blob.blob.areas().len())
}

/// Describes the area with this number, counted from 0.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the area does not exist) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The blob is NULL or comes from navbake_open; `area` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_area(
    blob: *const NavbakeBlob,
    index: usize,
    area: *mut NavbakeArea,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (blob, out) = unsafe { (given(blob)?, Output::new(area)?) };
        let area = blob.blob.areas().nth(index).ok_or(NavbakeBadArgument)?;
        out.put(NavbakeArea {
            name: area.name.as_ptr().cast(),
            name_length: area.name.len(),
            tags: area.tags,
            switch_number: area.switch.map_or(u32::MAX, u32::from),
        });
        Ok(NavbakeOk)
    })
}

/// How many markers the blob has; 0 for NULL.
///
/// # Safety
///
/// The blob is NULL or comes from navbake_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_marker_count(blob: *const NavbakeBlob) -> usize {
    // SAFETY: promised by the caller.
    unsafe { given(blob) }.map_or(0, |blob| blob.blob.markers().count())
}

/// Describes the marker with this number, counted from 0.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the marker does not exist) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The blob is NULL or comes from navbake_open; `marker` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_marker(
    blob: *const NavbakeBlob,
    index: usize,
    marker: *mut NavbakeMarker,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (blob, out) = unsafe { (given(blob)?, Output::new(marker)?) };
        let marker = blob.blob.markers().nth(index).ok_or(NavbakeBadArgument)?;
        out.put(NavbakeMarker {
            name: marker.name.as_ptr().cast(),
            name_length: marker.name.len(),
            position: marker.position,
        });
        Ok(NavbakeOk)
    })
}

/// Counts what a mesh has now.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `counts` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_counts(
    mesh: *const NavbakeMesh,
    counts: *mut NavbakeCounts,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, out) = unsafe { (given(mesh)?, Output::new(counts)?) };
        let view = mesh.view();
        out.put(NavbakeCounts {
            polygons: view.polygon_count(),
            links: view.link_count(),
            islands: view.island_count(),
            rooms: view.rooms().map_or(0, |rooms| rooms.count()),
            room_doors: view.rooms().map_or(0, |rooms| rooms.door_count()),
        });
        Ok(NavbakeOk)
    })
}

/// Describes the polygon with this number. `corners` gets its corners, y-up metres, and `beyond` the
/// polygon behind the edge from each corner to the next, UINT32_MAX for a wall, as many as fit: both
/// have room for `capacity` of them, and may be NULL with a capacity of 0. Corners are
/// counter-clockwise seen from above with x to the right and z down. Unused room is cleared.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no such polygon, results that
/// overlap) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `corners` and `beyond` are NULL or have room for as
/// many as the capacity says; `polygon` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_polygon(
    mesh: *const NavbakeMesh,
    number: u32,
    corners: *mut [f64; 3],
    beyond: *mut u32,
    capacity: usize,
    polygon: *mut NavbakePolygon,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, out) = unsafe { (given(mesh)?, Output::new(polygon)?) };
        let (corners, beyond) = (Room::new(corners, capacity)?, Room::new(beyond, capacity)?);
        apart([corners.addresses(), beyond.addresses(), out.addresses()])?;
        let view = mesh.view();
        if number >= view.polygon_count() {
            return Err(NavbakeBadArgument);
        }
        // SAFETY: promised by the caller, and apart; zeros are numbers.
        let (corners, beyond) = unsafe { (corners.cleared(), beyond.cleared()) };
        let own = view.polygon(PolyId(number));
        for (k, (to, side)) in (0..own.len()).zip(corners.iter_mut().zip(beyond)) {
            *to = view.grid().metres(own.point(k).map(f64::from));
            *side = own.neighbour(k).map_or(u32::MAX, |id| id.0);
        }
        let EdgeId(first_edge) = if own.is_empty() { EdgeId(u32::MAX) } else { own.edge(0) };
        out.put(NavbakePolygon {
            corners: own.len() as usize,
            first_edge,
            area: view.area(own.id()).0.into(),
            island: view.island(own.id()).0,
            room: view.rooms().map_or(u32::MAX, |rooms| rooms.of(own.id()).0),
        });
        Ok(NavbakeOk)
    })
}

/// Describes the link with this number, counted from 0.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the link does not exist) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `link` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_link(
    mesh: *const NavbakeMesh,
    index: u32,
    link: *mut NavbakeLink,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, out) = unsafe { (given(mesh)?, Output::new(link)?) };
        let (view, query) = (mesh.view(), mesh.query());
        let link = view.link(index).ok_or(NavbakeBadArgument)?;
        out.put(NavbakeLink {
            name: link.name.as_ptr().cast(),
            name_length: link.name.len(),
            from: query.link_end(link.polygon, link.from).position(),
            to: query.link_end(link.beyond, link.to).position(),
            cost: link.cost,
            width: link.width.into(),
            polygon: link.polygon.0,
            beyond: link.beyond.0,
            agents: link.agents,
            switch_number: link.switch.map_or(u32::MAX, u32::from),
        });
        Ok(NavbakeOk)
    })
}

/// Describes the room with this number, counted from 0.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the room does not exist) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `room` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_room(
    mesh: *const NavbakeMesh,
    index: u32,
    room: *mut NavbakeRoom,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, out) = unsafe { (given(mesh)?, Output::new(room)?) };
        let view = mesh.view();
        let room = view.rooms().and_then(|rooms| rooms.get(RoomId(index)));
        let room = room.ok_or(NavbakeBadArgument)?;
        out.put(NavbakeRoom {
            name: room.name.as_ptr().cast(),
            name_length: room.name.len(),
            middle: view.grid().metres(room.at.map(f64::from)),
            area: room.area.into(),
            dead_end: room.is_dead_end.into(),
            choke: room.is_choke.into(),
        });
        Ok(NavbakeOk)
    })
}

/// Describes the door between rooms with this number, counted from 0.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the door does not exist) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `door` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_room_door(
    mesh: *const NavbakeMesh,
    index: u32,
    door: *mut NavbakeRoomDoor,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, out) = unsafe { (given(mesh)?, Output::new(door)?) };
        let view = mesh.view();
        let door = view.rooms().and_then(|rooms| rooms.door(index)).ok_or(NavbakeBadArgument)?;
        let end = |[x, z]: [i32; 2]| {
            let [x, _, z] = view.grid().metres([x, 0, z].map(f64::from));
            [x, z]
        };
        out.put(NavbakeRoomDoor {
            name: door.name.as_ptr().cast(),
            name_length: door.name.len(),
            ends: door.ends.map(end),
            width: door.width.into(),
            rooms: door.rooms.map(|room| room.0),
            bridge: door.is_bridge.into(),
        });
        Ok(NavbakeOk)
    })
}
