//! The navmesh of an agent, with costs and switches of its own.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use navbake_rooms::RoomScratch;
use navbake_search::{NavMesh, NavMeshBuf, NavQuery, QueryFilter};
use navbake_world::{AreaId, World};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failed;
use crate::level::unknown;

/// The navmesh of an agent: everything open at first, and all ground of cost 1.
///
/// Threads may ask one mesh at a time; while a query runs, it cannot be changed.
#[pyclass(module = "navbake")]
pub(crate) struct Mesh {
    pub(crate) ground: Ground,
    filter: QueryFilter,
    /// Its agent.
    #[pyo3(get)]
    agent: String,
    switches: Vec<String>,
    areas: Vec<String>,
    /// Memory that queries leave for the next ones.
    idle: Mutex<Vec<RoomScratch>>,
    /// Unique among all meshes.
    pub(crate) identity: u64,
}

/// The baked navmesh, which the meshes of a level share, and the world of this mesh.
///
/// The first obstacle makes the world. An index has one from the start, for its chunks.
pub(crate) struct Ground {
    baked: Arc<NavMeshBuf>,
    world: Option<Box<World>>,
}

impl Ground {
    pub(crate) fn new(baked: Arc<NavMeshBuf>) -> Ground {
        let is_index = baked.mesh().file().is_index();
        let mut ground = Ground { baked, world: None };
        if is_index {
            ground.world_mut();
        }
        ground
    }

    pub(crate) fn restored(baked: Arc<NavMeshBuf>, world: World) -> Ground {
        Ground { baked, world: Some(Box::new(world)) }
    }

    fn mesh(&self) -> NavMesh<'_> {
        match &self.world {
            None => self.baked.mesh(),
            Some(world) => world.nav_mesh(),
        }
    }

    pub(crate) fn world(&self) -> Option<&World> {
        self.world.as_deref()
    }

    /// The world; the first call copies the navmesh.
    pub(crate) fn world_mut(&mut self) -> &mut World {
        let baked = &self.baked;
        self.world.get_or_insert_with(|| Box::new(World::new((**baked).clone())))
    }

    /// The bytes of [`World::save`].
    pub(crate) fn save(&self) -> Vec<u8> {
        match &self.world {
            None => World::new((*self.baked).clone()).save(),
            Some(world) => world.save(),
        }
    }
}

impl Mesh {
    pub(crate) fn new(
        ground: Ground,
        agent: String,
        number: usize,
        switches: Vec<String>,
        areas: Vec<String>,
    ) -> Mesh {
        let mut filter = QueryFilter::new();
        // Agents beyond the bits take no links.
        let bit = u32::try_from(number).ok().and_then(|n| 1u32.checked_shl(n));
        filter.set_agents(bit.unwrap_or(0));
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let identity = COUNT.fetch_add(1, Ordering::Relaxed);
        Mesh { ground, filter, agent, switches, areas, idle: Mutex::default(), identity }
    }

    pub(crate) fn view(&self) -> NavMesh<'_> {
        self.ground.mesh()
    }

    /// Applies closed switches and forbidden areas to the current ground.
    pub(crate) fn refresh(&mut self) -> PyResult<()> {
        self.filter.refresh(&self.ground.mesh()).map_err(failed)
    }

    pub(crate) fn query(&self) -> NavQuery<'_> {
        NavQuery::new(self.view()).with_filter(&self.filter)
    }

    /// The query without labels: a search that labels would save.
    pub(crate) fn query_without_labels(&self) -> NavQuery<'_> {
        NavQuery::new(self.view().without_labels()).with_filter(&self.filter)
    }

    /// The area of a name: the first, if several have it.
    pub(crate) fn area(&self, name: &str) -> PyResult<AreaId> {
        let number = self.areas.iter().position(|own| own == name);
        let number = number.and_then(|number| u8::try_from(number).ok());
        let known = || self.areas.iter().map(String::as_str);
        number.map(AreaId).ok_or_else(|| unknown("area", name, known()))
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
    /// The number of polygons, including those that obstacles have replaced by pieces.
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
        self.filter.set_blocked(&self.ground.mesh(), &bits, forbidden).map_err(failed)
    }

    /// Sets the cost of a metre on the areas of a name; infinity forbids them.
    fn set_cost(&mut self, area: &str, cost: f64) -> PyResult<()> {
        self.area(area)?;
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
