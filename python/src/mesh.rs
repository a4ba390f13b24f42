//! The navmesh of an agent, with costs and switches of its own.

use std::sync::{Arc, Mutex, PoisonError};

use navbake_rooms::RoomScratch;
use navbake_search::{NavMesh, NavMeshBuf, NavQuery, QueryFilter};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failed;
use crate::level::unknown;

/// The navmesh of an agent: everything open at first, and all ground of cost 1.
///
/// Threads may ask one mesh at a time; while a query runs, it cannot be changed.
#[pyclass(module = "navbake")]
pub(crate) struct Mesh {
    nav: Arc<NavMeshBuf>,
    filter: QueryFilter,
    /// Its agent.
    #[pyo3(get)]
    agent: String,
    switches: Vec<String>,
    areas: Vec<String>,
    /// Memory that queries leave for the next ones.
    idle: Mutex<Vec<RoomScratch>>,
}

impl Mesh {
    pub(crate) fn new(
        nav: Arc<NavMeshBuf>,
        agent: String,
        number: usize,
        switches: Vec<String>,
        areas: Vec<String>,
    ) -> Mesh {
        let mut filter = QueryFilter::new();
        // Agents beyond the bits take no links.
        let bit = u32::try_from(number).ok().and_then(|n| 1u32.checked_shl(n));
        filter.set_agents(bit.unwrap_or(0));
        Mesh { nav, filter, agent, switches, areas, idle: Mutex::default() }
    }

    pub(crate) fn view(&self) -> NavMesh<'_> {
        self.nav.mesh()
    }

    pub(crate) fn query(&self) -> NavQuery<'_> {
        NavQuery::new(self.view()).with_filter(&self.filter)
    }

    /// The query without labels: a search that labels would save.
    pub(crate) fn query_without_labels(&self) -> NavQuery<'_> {
        NavQuery::new(self.view().without_labels()).with_filter(&self.filter)
    }

    /// Calls a function with memory for searches.
    pub(crate) fn with_scratch<R>(&self, call: impl FnOnce(&mut RoomScratch) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let held = idle().pop();
        let mut scratch = held.unwrap_or_default();
        let result = call(&mut scratch);
        idle().push(scratch);
        result
    }
}

#[pymethods]
impl Mesh {
    /// Polygons, walls included those that are closed.
    #[getter]
    fn polygon_count(&self) -> u32 {
        self.view().polygon_count()
    }

    /// Islands: pieces of ground that are connected without links.
    #[getter]
    fn island_count(&self) -> u32 {
        self.view().island_count()
    }

    /// Closes exactly these switches.
    fn set_closed(&mut self, switches: Vec<String>) -> PyResult<()> {
        let mut bits = vec![0u64; self.switches.len().div_ceil(64)];
        for wanted in &switches {
            let numbers = self.switches.iter().enumerate().filter(|(_, name)| *name == wanted);
            let mut found = false;
            for (number, _) in numbers {
                bits[number / 64] |= 1 << (number % 64);
                found = true;
            }
            if !found {
                let known = self.switches.iter().map(String::as_str);
                return Err(unknown("switch", wanted, known));
            }
        }
        let forbidden = self.filter.forbidden();
        self.filter.set_blocked(&self.nav.mesh(), &bits, forbidden).map_err(failed)
    }

    /// Sets the cost of a metre on the areas of a name; infinity forbids them.
    fn set_cost(&mut self, area: &str, cost: f64) -> PyResult<()> {
        if !self.areas.iter().any(|name| name == area) {
            return Err(unknown("area", area, self.areas.iter().map(String::as_str)));
        }
        let filter = self.filter.clone().cost(&self.view(), area, cost);
        self.filter = filter.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(())
    }

    /// Sets the costs of all areas from a row of weights of the blob.
    fn set_weights(&mut self, name: &str) -> PyResult<()> {
        let filter = self.filter.clone().weights(&self.view(), name);
        self.filter = filter.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(())
    }

    /// Sets the cost of height, a metre up and a metre down.
    fn set_slopes(&mut self, uphill: f64, downhill: f64) -> PyResult<()> {
        let set = self.filter.set_slopes(uphill, downhill);
        set.map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __repr__(&self) -> String {
        format!("<navbake.Mesh of {:?}, {} polygons>", self.agent, self.polygon_count())
    }
}
