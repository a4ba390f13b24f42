//! Paths: one with all its details, or many in arrays.

use navbake_rooms::{RoomMemory, RoomScratch};
use navbake_search::{AStar, Algorithm, Error, NavPath, NavQuery, PathRequest, Status};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PySlice;

use crate::arrays::{self, Interrupts};
use crate::failed;
use crate::level::unknown;
use crate::mesh::Mesh;
use crate::places::EXTENTS;

/// The planners over polygons.
pub(crate) const PLANNERS: [&str; 6] =
    ["auto", "corridor", "optimal", "midpoints", "weighted", "hierarchical"];

/// The names of the numbers in `Paths.status`.
pub(crate) const STATUSES: [&str; 7] = [
    "reached",
    "partial",
    "unreachable",
    "off_mesh",
    "out_of_nodes",
    "start_blocked",
    "not_loaded",
];

/// The planner over rooms.
const HIERARCHICAL: usize = 5;
/// A start on ground that the planner cannot leave.
const START_BLOCKED: u8 = 5;

/// How a path is searched.
pub(crate) struct Asked {
    request: PathRequest,
    pub(crate) by_rooms: bool,
}

impl Asked {
    pub(crate) fn new(
        planner: &str,
        partial: bool,
        gap: f64,
        extents: [f64; 3],
    ) -> PyResult<Asked> {
        let number = PLANNERS.iter().position(|name| *name == planner);
        let number = number.ok_or_else(|| unknown("planner", planner, PLANNERS.into_iter()))?;
        if !(gap >= 0.0 && gap.is_finite()) {
            return Err(PyValueError::new_err(format!(
                "gap: {gap} is no share; give 0 or more, such as 0.02 for 2 %"
            )));
        }
        let algorithm = match number {
            1 => Algorithm::Corridor(AStar::default()),
            2 => Algorithm::Optimal,
            3 => Algorithm::Midpoints(AStar::default()),
            4 => Algorithm::weighted(gap),
            _ => Algorithm::Auto,
        };
        let request = PathRequest::new([0.0; 3], [0.0; 3]);
        let request = request.extents(extents).algorithm(algorithm).partial(partial);
        Ok(Asked { request, by_rooms: number == HIERARCHICAL })
    }

    /// The request between two points.
    pub(crate) fn between(&self, from: [f64; 3], to: [f64; 3]) -> PathRequest {
        PathRequest { from, to, ..self.request }
    }

    fn find<'s>(
        &self,
        query: &NavQuery<'_>,
        (from, to): ([f64; 3], [f64; 3]),
        scratch: &'s mut RoomScratch,
    ) -> Result<NavPath<'s>, Error> {
        let request = self.between(from, to);
        match self.by_rooms {
            true => Ok(navbake_rooms::find_path(query, &request, scratch)?.path),
            false => query.find_path(&request, scratch.ground()),
        }
    }
}

/// The number of a status in `STATUSES`.
fn number(status: Status) -> u8 {
    match status {
        Status::Reached => 0,
        Status::Partial => 1,
        Status::Unreachable => 2,
        Status::OffMesh => 3,
        Status::OutOfNodes | Status::Looking => 4,
        Status::NotLoaded => 6,
    }
}

/// A path.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Path {
    /// One of `STATUSES`.
    status: &'static str,
    /// Start, corners, end.
    points: Py<PyArray2<f64>>,
    /// The polygons that it leads through.
    polygons: Py<PyArray1<u32>>,
    /// In the ground plane, m.
    length: f64,
    /// Along the ground, m.
    length_3d: f64,
    /// What the planner minimises.
    cost: f64,
    /// No path costs less.
    bound: f64,
    /// Polygons taken off the open list.
    expanded: u32,
    /// No shorter path exists, and the search proved it.
    certified: bool,
    /// The planner that found it.
    planner: &'static str,
    /// The links that it takes, in order: number of the link, number of the first point.
    links: Vec<(u32, usize)>,
}

/// A path before it is in arrays.
pub(crate) struct Answer {
    status: &'static str,
    points: Vec<[f64; 3]>,
    polygons: Vec<u32>,
    figures: [f64; 4],
    expanded: u32,
    certified: bool,
    planner: &'static str,
    links: Vec<(u32, usize)>,
}

impl Answer {
    pub(crate) fn new(path: &NavPath<'_>, query: &NavQuery<'_>, by_rooms: bool) -> Answer {
        let link = |leg: navbake_search::path::Leg| Some((leg.link?, leg.points.start));
        Answer {
            status: STATUSES[usize::from(number(path.status))],
            points: path.points.to_vec(),
            polygons: path.polygons.iter().map(|polygon| polygon.0).collect(),
            figures: [path.length_xz, path.length_3d(query), path.cost, path.bound],
            expanded: path.expanded,
            certified: path.certified_optimal,
            planner: if by_rooms { PLANNERS[HIERARCHICAL] } else { path.algorithm.name() },
            links: path.legs().filter_map(link).collect(),
        }
    }

    pub(crate) fn arrays(self, py: Python<'_>) -> PyResult<Path> {
        let [length, length_3d, cost, bound] = self.figures;
        Ok(Path {
            status: self.status,
            points: arrays::table(py, self.points)?,
            polygons: arrays::row(py, self.polygons),
            length,
            length_3d,
            cost,
            bound,
            expanded: self.expanded,
            certified: self.certified,
            planner: self.planner,
            links: self.links,
        })
    }
}

#[pymethods]
impl Path {
    fn __repr__(&self) -> String {
        format!("<navbake.Path {} by {}, {:.2} m>", self.status, self.planner, self.length)
    }
}

/// Many paths.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Paths {
    /// Numbers in `STATUSES`.
    status: Py<PyArray1<u8>>,
    /// In the ground plane, m; 0 without a path.
    length: Py<PyArray1<f64>>,
    /// What the planner minimises.
    cost: Py<PyArray1<f64>>,
    /// Polygons taken off the open list.
    expanded: Py<PyArray1<u32>>,
    /// The points of all paths, one path after the other.
    points: Py<PyArray2<f64>>,
    /// Path k has the points `offsets[k]` to `offsets[k + 1]`.
    offsets: Py<PyArray1<i64>>,
}

/// Paths as they are found.
#[derive(Default)]
struct Found {
    status: Vec<u8>,
    length: Vec<f64>,
    cost: Vec<f64>,
    expanded: Vec<u32>,
    points: Vec<[f64; 3]>,
    offsets: Vec<i64>,
}

#[pymethods]
impl Paths {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.status.bind(py).len()
    }

    /// The points of a path: a view of `points`.
    fn __getitem__<'py>(&self, py: Python<'py>, path: isize) -> PyResult<Bound<'py, PyAny>> {
        let count = self.__len__(py)?.cast_signed();
        let number = if path < 0 { path + count } else { path };
        if !(0..count).contains(&number) {
            return Err(PyIndexError::new_err(format!("no path {path} of {count}")));
        }
        let offset = |k: isize| self.offsets.bind(py).get_item(k)?.extract::<isize>();
        let slice = PySlice::new(py, offset(number)?, offset(number + 1)?, 1);
        self.points.bind(py).get_item(slice)
    }
}

#[pymethods]
impl Mesh {
    /// Finds the path between two points.
    #[pyo3(signature = (
        start, goal, planner="auto", *, partial=false, gap=Algorithm::GAP, extents=EXTENTS
    ))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn find_path(
        &self,
        py: Python<'_>,
        start: [f64; 3],
        goal: [f64; 3],
        planner: &str,
        partial: bool,
        gap: f64,
        extents: [f64; 3],
    ) -> PyResult<Path> {
        let asked = Asked::new(planner, partial, gap, extents)?;
        let answer = py.detach(|| {
            let query = self.query();
            self.with_scratch(|scratch| {
                let request = asked.between(start, goal);
                if !asked.by_rooms {
                    let path = query.find_path(&request, scratch.ground())?;
                    return Ok(Answer::new(&path, &query, false));
                }
                let found = navbake_rooms::find_path(&query, &request, scratch)?;
                Ok(Answer::new(&found.path, &query, found.by_rooms))
            })
        });
        answer.map_err(|error: Error| failed(error))?.arrays(py)
    }

    /// Finds the path from each start to its goal, one after the other, without the lock of the
    /// interpreter.
    #[pyo3(signature = (
        starts, goals, planner="auto", *, partial=false, gap=Algorithm::GAP, extents=EXTENTS,
        points=true
    ))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn find_paths(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        planner: &str,
        partial: bool,
        gap: f64,
        extents: [f64; 3],
        points: bool,
    ) -> PyResult<Paths> {
        let mut asked = Asked::new(planner, partial, gap, extents)?;
        asked.request = asked.request.polygons(false);
        let pairs = arrays::pairs((starts, "starts"), (goals, "goals"))?;
        let found = py.detach(|| {
            let query = self.query();
            self.with_scratch(|scratch| {
                let mut found = Found { offsets: vec![0], ..Found::default() };
                let mut interrupts = Interrupts::new();
                for ends in pairs.iter() {
                    interrupts.look()?;
                    let path = match asked.find(&query, ends, scratch) {
                        Ok(path) => path,
                        Err(Error::StartBlocked) => {
                            found.push(START_BLOCKED, [0.0; 2], 0, &[]);
                            continue;
                        }
                        Err(error) => return Err(failed(error)),
                    };
                    let points = if points { path.points } else { &[] };
                    let figures = [path.length_xz, path.cost];
                    found.push(number(path.status), figures, path.expanded, points);
                }
                Ok(found)
            })
        })?;
        Ok(Paths {
            status: arrays::row(py, found.status),
            length: arrays::row(py, found.length),
            cost: arrays::row(py, found.cost),
            expanded: arrays::row(py, found.expanded),
            points: arrays::table(py, found.points)?,
            offsets: arrays::row(py, found.offsets),
        })
    }
}

impl Found {
    fn push(&mut self, status: u8, [length, cost]: [f64; 2], expanded: u32, points: &[[f64; 3]]) {
        self.status.push(status);
        self.length.push(length);
        self.cost.push(cost);
        self.expanded.push(expanded);
        self.points.extend_from_slice(points);
        self.offsets.push(self.points.len() as i64);
    }
}
