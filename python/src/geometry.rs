//! The navmesh itself: polygons, walls, links, rooms and doors.

use navbake_search::blob::RoomId;
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;

use crate::arrays;
use crate::mesh::Mesh;
use crate::places::NO_POLYGON;

/// The polygons of a mesh.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Polygons {
    /// The corners of all polygons, one polygon after the other.
    corners: Py<PyArray2<f64>>,
    /// The polygon behind the edge from each corner to the next; `NO_POLYGON` for a wall.
    beyond: Py<PyArray1<u32>>,
    /// Polygon k has the corners `offsets[k]` to `offsets[k + 1]`.
    offsets: Py<PyArray1<i64>>,
    /// The number of the area of each polygon.
    areas: Py<PyArray1<u8>>,
    /// The island of each polygon.
    islands: Py<PyArray1<u32>>,
    /// The room of each polygon; None without rooms.
    rooms: Option<Py<PyArray1<u32>>>,
}

/// A link in one direction: a jump, a ladder, a teleporter.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Link {
    name: String,
    kind: &'static str,
    start: Py<PyArray1<f64>>,
    end: Py<PyArray1<f64>>,
    cost: f64,
    width: f64,
    polygon: u32,
    beyond: u32,
    switch: Option<u16>,
}

/// A room.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Room {
    name: String,
    middle: Py<PyArray1<f64>>,
    area: f64,
    dead_end: bool,
    choke: bool,
}

/// A door between two rooms.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Door {
    name: String,
    ends: Py<PyArray2<f64>>,
    width: f64,
    rooms: (u32, u32),
    bridge: bool,
}

#[pymethods]
impl Polygons {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.areas.bind(py).len()
    }
}

#[pymethods]
impl Link {
    fn __repr__(&self) -> String {
        format!("<navbake.Link {:?}, {}>", self.name, self.kind)
    }
}

#[pymethods]
impl Room {
    fn __repr__(&self) -> String {
        format!("<navbake.Room {:?}, {:.1} square metres>", self.name, self.area)
    }
}

#[pymethods]
impl Door {
    fn __repr__(&self) -> String {
        format!("<navbake.Door between rooms {} and {}>", self.rooms.0, self.rooms.1)
    }
}

#[pymethods]
impl Mesh {
    /// All polygons, counter-clockwise seen from above.
    fn polygons(&self, py: Python<'_>) -> PyResult<Polygons> {
        let view = self.view();
        let (mut corners, mut beyond, mut offsets) = (vec![], vec![], vec![0]);
        let (mut areas, mut islands, mut rooms) = (vec![], vec![], vec![]);
        for polygon in view.polygons() {
            for k in 0..polygon.len() {
                corners.push(view.grid().metres(polygon.point(k).map(f64::from)));
                beyond.push(polygon.neighbour(k).map_or(NO_POLYGON, |id| id.0));
            }
            offsets.push(corners.len() as i64);
            areas.push(view.area(polygon.id()).0);
            islands.push(view.island(polygon.id()).0);
            rooms.extend(view.rooms().map(|rooms| rooms.of(polygon.id()).0));
        }
        Ok(Polygons {
            corners: arrays::table(py, corners)?,
            beyond: arrays::row(py, beyond),
            offsets: arrays::row(py, offsets),
            areas: arrays::row(py, areas),
            islands: arrays::row(py, islands),
            rooms: view.rooms().map(|_| arrays::row(py, rooms)),
        })
    }

    /// The edges without ground behind them, as segments.
    fn walls(&self, py: Python<'_>) -> PyResult<Py<PyArray3<f64>>> {
        let view = self.view();
        let mut walls = vec![];
        for polygon in view.polygons() {
            for k in (0..polygon.len()).filter(|&k| polygon.neighbour(k).is_none()) {
                let end = |k| view.grid().metres(polygon.point(k).map(f64::from));
                walls.push([end(k), end(polygon.next(k))]);
            }
        }
        arrays::segments(py, walls)
    }

    /// All links, by number.
    fn links(&self, py: Python<'_>) -> Vec<Link> {
        let (view, query) = (self.view(), self.query());
        let link = |number| {
            let link = view.link(number)?;
            let end = |polygon, at| arrays::triple(py, query.link_end(polygon, at).position());
            Some(Link {
                name: link.name.into(),
                kind: link.kind.name(),
                start: end(link.polygon, link.from),
                end: end(link.beyond, link.to),
                cost: link.cost,
                width: link.width.into(),
                polygon: link.polygon.0,
                beyond: link.beyond.0,
                switch: link.switch,
            })
        };
        (0..view.link_count()).filter_map(link).collect()
    }

    /// All rooms, by number; none where the level was baked without.
    fn rooms(&self, py: Python<'_>) -> Vec<Room> {
        let view = self.view();
        let Some(rooms) = view.rooms() else {
            return vec![];
        };
        let room = |number| {
            let room = rooms.get(RoomId(number))?;
            Some(Room {
                name: room.name.into(),
                middle: arrays::triple(py, view.grid().metres(room.at.map(f64::from))),
                area: room.area.into(),
                dead_end: room.is_dead_end,
                choke: room.is_choke,
            })
        };
        (0..rooms.count()).filter_map(room).collect()
    }

    /// All doors between rooms, by number.
    fn doors(&self, py: Python<'_>) -> PyResult<Vec<Door>> {
        let view = self.view();
        let Some(rooms) = view.rooms() else {
            return Ok(vec![]);
        };
        let end = |[x, z]: [i32; 2]| {
            let [x, _, z] = view.grid().metres([x, 0, z].map(f64::from));
            [x, z]
        };
        let door = |door: navbake_search::blob::RoomDoor<'_>| {
            Ok(Door {
                name: door.name.into(),
                ends: arrays::table(py, door.ends.map(end).to_vec())?,
                width: door.width.into(),
                rooms: door.rooms.map(|room| room.0).into(),
                bridge: door.is_bridge,
            })
        };
        (0..rooms.door_count()).filter_map(|number| rooms.door(number)).map(door).collect()
    }
}
