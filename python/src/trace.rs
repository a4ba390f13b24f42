//! What a search looked at, for drawings.

use navbake_rooms::{RoomMemory, RoomSearch};
use navbake_search::{Algorithm, Error};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::mesh::Mesh;
use crate::paths::{Answer, Asked, Path};
use crate::places::EXTENTS;
use crate::{arrays, failed};

/// The places that a search reached, in order.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Trace {
    /// The path that it found.
    path: Py<Path>,
    /// The polygon of each place.
    polygons: Py<PyArray1<u32>>,
    /// x and z of each place, m.
    entries: Py<PyArray2<f64>>,
    /// Length of the path up to the place, m.
    behind: Py<PyArray1<f64>>,
    /// The estimate from the place on, m.
    ahead: Py<PyArray1<f64>>,
    /// Was it expanded? Else it was on the open list at the end.
    closed: Py<PyArray1<bool>>,
}

#[pymethods]
impl Trace {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.polygons.bind(py).len()
    }
}

#[pymethods]
impl Mesh {
    /// Searches without labels, and keeps what the search looked at.
    #[pyo3(signature = (
        start, goal, planner="corridor", *, partial=false, gap=Algorithm::GAP, extents=EXTENTS
    ))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn trace(
        &self,
        py: Python<'_>,
        start: [f64; 3],
        goal: [f64; 3],
        planner: &str,
        partial: bool,
        gap: f64,
        extents: [f64; 3],
    ) -> PyResult<Trace> {
        let asked = Asked::new(planner, partial, gap, extents)?;
        let (answer, visits) = py
            .detach(|| {
                let query = self.query_without_labels();
                let request = asked.between(start, goal);
                self.with_scratch(|scratch| {
                    let mut search = match asked.by_rooms {
                        true => RoomSearch::new(&query, &request, scratch)?,
                        false => query.start_path(&request, scratch.ground())?.into(),
                    };
                    search.step(&query, scratch, u32::MAX);
                    let visits: Vec<_> = search.visits(&query, scratch).collect();
                    let by_rooms = search.by_rooms();
                    let path = search.path(&query, scratch);
                    let by_rooms = asked.by_rooms && by_rooms;
                    Ok((Answer::new(&path, &query, by_rooms), visits))
                })
            })
            .map_err(|error: Error| failed(error))?;
        Ok(Trace {
            path: Py::new(py, answer.arrays(py)?)?,
            polygons: arrays::row(py, visits.iter().map(|v| v.polygon.0).collect()),
            entries: arrays::table(py, visits.iter().map(|v| v.entry).collect())?,
            behind: arrays::row(py, visits.iter().map(|v| v.behind).collect()),
            ahead: arrays::row(py, visits.iter().map(|v| v.ahead).collect()),
            closed: arrays::row(py, visits.iter().map(|v| v.closed).collect()),
        })
    }
}
