//! All costs from some places to others.

use navbake_rooms::RoomMemory;
use navbake_search::{Goals, NavPoint};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::arrays::{self, Interrupts};
use crate::mesh::Mesh;
use crate::places::EXTENTS;

#[pymethods]
impl Mesh {
    /// The costs of the shortest paths from each start to each goal, shape (starts, goals), and the
    /// share that no cost is more above that of the cheapest path.
    #[pyo3(signature = (starts, goals, *, extents=EXTENTS))]
    fn distances(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        extents: [f64; 3],
    ) -> PyResult<(Py<PyArray2<f64>>, f64)> {
        let starts = arrays::points(starts, "starts")?;
        let goals = arrays::points(goals, "goals")?;
        let shape = [starts.len(), goals.len()];
        let (costs, gap) = py.detach(|| self.all_costs(&starts, &goals, extents))?;
        Ok((PyArray1::from_vec(py, costs).reshape(shape)?.unbind(), gap))
    }
}

impl Mesh {
    /// Row after row. Not a number where there is no ground, infinity where there is no path.
    fn all_costs(
        &self,
        starts: &[[f64; 3]],
        goals: &[[f64; 3]],
        extents: [f64; 3],
    ) -> PyResult<(Vec<f64>, f64)> {
        let (rows, columns) = (starts.len(), goals.len());
        let mut costs = Vec::new();
        let room = rows.checked_mul(columns).map(|count| costs.try_reserve_exact(count));
        if !matches!(room, Some(Ok(()))) {
            return Err(PyMemoryError::new_err(format!(
                "{rows} starts and {columns} goals: memory has no room for all costs; give fewer \
                 starts at a time"
            )));
        }
        let (query, mut interrupts) = (self.query(), Interrupts::new());
        let ends: Vec<Option<NavPoint>> =
            goals.iter().map(|&goal| query.end(goal, extents)).collect();
        let places: Vec<NavPoint> = ends.iter().flatten().copied().collect();
        self.with_scratch(|scratch| {
            let scratch = scratch.ground();
            let goals = Goals::new(&query, &places, scratch);
            let (mut row, mut gap) = (vec![None; places.len()], 0.0f64);
            for &start in starts {
                interrupts.look_after(columns)?;
                let start = query.end(start, extents);
                if let Some(start) = start {
                    gap = gap.max(query.distances_to(&start, &goals, &mut row, scratch));
                }
                let mut found = row.iter().map(|cost| cost.unwrap_or(f64::INFINITY));
                costs.extend(ends.iter().map(|end| match start.and(end.as_ref()) {
                    Some(_) => found.next().unwrap_or(f64::NAN),
                    None => f64::NAN,
                }));
            }
            Ok((costs, gap))
        })
    }
}
