//! An opened blob: what its navmeshes share.

use std::collections::BTreeMap;
use std::io::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use navbake_search::NavMeshBuf;
use navbake_search::blob::Blob;
use navbake_world::{Chunk, ChunkMesh, World};
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

use crate::chunks::{ChunkFile, OpenChunk};
use crate::mesh::{Ground, Mesh};
use crate::{arrays, failed};

/// A kind of unit that the level was baked for.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Agent {
    name: String,
    radius: f64,
    height: f64,
    climb: f64,
    slope: f64,
}

/// A kind of ground.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Area {
    name: String,
    tags: u32,
    switch: Option<u16>,
}

/// A switch: it closes doors, polygons and links.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Switch {
    name: String,
    closed: bool,
}

/// A named place.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Marker {
    name: String,
    position: Py<PyArray1<f64>>,
}

#[pymethods]
impl Agent {
    fn __repr__(&self) -> String {
        format!("<navbake.Agent {:?}, radius {} m>", self.name, self.radius)
    }
}

#[pymethods]
impl Area {
    fn __repr__(&self) -> String {
        format!("<navbake.Area {:?}>", self.name)
    }
}

#[pymethods]
impl Switch {
    fn __repr__(&self) -> String {
        let state = if self.closed { "closed" } else { "open" };
        format!("<navbake.Switch {:?}, {state}>", self.name)
    }
}

#[pymethods]
impl Marker {
    fn __repr__(&self) -> String {
        format!("<navbake.Marker {:?}>", self.name)
    }
}

/// A baked level.
#[pyclass(frozen, module = "navbake")]
pub(crate) struct Level {
    agents: Vec<(AgentOf, Arc<NavMeshBuf>)>,
    areas: Vec<(String, u32, Option<u16>)>,
    switches: Vec<(String, bool)>,
    markers: Vec<(String, [f64; 3])>,
    /// Chunks with the bounds of their ground; empty unless the file is an index.
    chunks: Vec<(Chunk, [[f64; 3]; 2])>,
}

/// An agent of a level.
#[derive(Clone)]
struct AgentOf {
    name: String,
    sizes: [f64; 4],
}

impl Level {
    /// Checks all of a blob's bytes and decodes its navmeshes.
    pub(crate) fn open(bytes: &[u8], name: &str) -> PyResult<Level> {
        let fault = |error| failed(format!("{name}: {error}"));
        let blob = Blob::open_checked(bytes).map_err(fault)?;
        let mut meshes = BTreeMap::new();
        let mut agents = vec![];
        for agent in blob.agents() {
            let mesh = match meshes.get(&agent.class) {
                Some(mesh) => Arc::clone(mesh),
                None => Arc::new(blob.decode(agent.class).map_err(fault)?),
            };
            meshes.insert(agent.class, Arc::clone(&mesh));
            let sizes = [agent.radius, agent.height, agent.climb, agent.slope];
            agents.push((AgentOf { name: agent.name.into(), sizes }, mesh));
        }
        let grid = &blob.header().grid;
        let chunk = |chunk: Chunk| {
            let bounds = [chunk.least, chunk.greatest];
            (chunk, bounds.map(|corner| grid.metres(corner.map(f64::from))))
        };
        let chunks = blob.chunks().iter().filter(|_| blob.is_index()).map(chunk).collect();
        Ok(Level {
            chunks,
            agents,
            areas: blob.areas().map(|a| (a.name.into(), a.tags, a.switch)).collect(),
            switches: blob.switches().map(|s| (s.name.into(), s.closed)).collect(),
            markers: blob.markers().map(|m| (m.name.into(), m.position)).collect(),
        })
    }
}

#[pymethods]
impl Level {
    /// The agents that it was baked for.
    #[getter]
    fn agents(&self) -> Vec<Agent> {
        let agent = |(agent, _): &(AgentOf, Arc<NavMeshBuf>)| {
            let AgentOf { name, sizes: [radius, height, climb, slope] } = agent.clone();
            Agent { name, radius, height, climb, slope }
        };
        self.agents.iter().map(agent).collect()
    }

    /// Its kinds of ground.
    #[getter]
    fn areas(&self) -> Vec<Area> {
        let all = self.areas.iter().cloned();
        all.map(|(name, tags, switch)| Area { name, tags, switch }).collect()
    }

    /// Its switches.
    #[getter]
    fn switches(&self) -> Vec<Switch> {
        self.switches.iter().cloned().map(|(name, closed)| Switch { name, closed }).collect()
    }

    /// Its named places.
    #[getter]
    fn markers(&self, py: Python<'_>) -> Vec<Marker> {
        let all = self.markers.iter().cloned();
        all.map(|(name, at)| Marker { name, position: arrays::triple(py, at) }).collect()
    }

    /// The chunks of a world, if this is its index.
    #[getter]
    fn chunks(&self, py: Python<'_>) -> Vec<ChunkFile> {
        self.chunks.iter().map(|(chunk, bounds)| ChunkFile::new(py, chunk, *bounds)).collect()
    }

    /// Opens a chunk of a world from bytes or a file, for an agent (the first by default).
    #[pyo3(signature = (chunk, agent=None))]
    fn open_chunk(
        &self,
        py: Python<'_>,
        chunk: &Bound<'_, PyAny>,
        agent: Option<&str>,
    ) -> PyResult<OpenChunk> {
        let class = self.agent(agent)?.2.mesh().class();
        let given = given(chunk)?;
        py.detach(|| {
            let (bytes, name) = given.read("chunk")?;
            OpenChunk::open(&bytes, class, &name)
        })
    }

    /// The navmesh of an agent, by default of the first, with costs, switches and obstacles of its
    /// own.
    #[pyo3(signature = (agent=None))]
    fn mesh(&self, agent: Option<&str>) -> PyResult<Mesh> {
        let agent = self.agent(agent)?;
        Ok(self.mesh_of(agent, Ground::new(Arc::clone(agent.2))))
    }

    /// Restores a mesh from the bytes of `Mesh.save`.
    #[pyo3(signature = (saved, agent=None, *, chunks=vec![]))]
    fn restore(
        &self,
        py: Python<'_>,
        saved: &[u8],
        agent: Option<&str>,
        chunks: Vec<PyRef<'_, OpenChunk>>,
    ) -> PyResult<Mesh> {
        let agent = self.agent(agent)?;
        let chunks = chunks.iter().map(|chunk| (chunk.0.key(), chunk.0.clone()));
        let mut chunks: BTreeMap<[i32; 2], ChunkMesh> = chunks.collect();
        let (nav, chunk) = (agent.2, |key| chunks.remove(&key));
        let world = py.detach(|| World::restore((**nav).clone(), saved, chunk)).map_err(failed)?;
        Ok(self.mesh_of(agent, Ground::restored(Arc::clone(nav), world)))
    }

    fn __repr__(&self) -> String {
        let names: Vec<&str> = self.agents.iter().map(|(agent, _)| agent.name.as_str()).collect();
        format!("<navbake.Level for {}>", names.join(", "))
    }
}

impl Level {
    /// An agent with its number and its navmesh; the first if none is named.
    fn agent(&self, agent: Option<&str>) -> PyResult<(usize, &AgentOf, &Arc<NavMeshBuf>)> {
        let mut all = self.agents.iter().enumerate();
        let found = match agent {
            None => all.next(),
            Some(wanted) => all.find(|(_, (agent, _))| agent.name == wanted),
        };
        let (number, (own, nav)) = found.ok_or_else(|| {
            let names = self.agents.iter().map(|(agent, _)| agent.name.as_str());
            unknown("agent", agent.unwrap_or_default(), names)
        })?;
        Ok((number, own, nav))
    }

    fn mesh_of(
        &self,
        (number, own, _): (usize, &AgentOf, &Arc<NavMeshBuf>),
        ground: Ground,
    ) -> Mesh {
        let switches = self.switches.iter().map(|(name, _)| name.clone()).collect();
        let areas = self.areas.iter().map(|(name, ..)| name.clone()).collect();
        Mesh::new(ground, own.name.clone(), number, switches, areas)
    }
}

/// Opens a blob: its bytes, or a file.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, blob: &Bound<'_, PyAny>) -> PyResult<Level> {
    let given = given(blob)?;
    py.detach(|| {
        let (bytes, name) = given.read("blob")?;
        Level::open(&bytes, &name)
    })
}

/// What was given as a blob or a level.
pub(crate) enum Given {
    Bytes(Vec<u8>),
    File(PathBuf),
}

impl Given {
    /// The bytes, and their name in errors.
    fn read(self, name: &str) -> PyResult<(Vec<u8>, String)> {
        match self {
            Given::Bytes(bytes) => Ok((bytes, name.into())),
            Given::File(path) => Ok((read(&path)?, path.display().to_string())),
        }
    }
}

/// Takes bytes, or the path of a file.
pub(crate) fn given(value: &Bound<'_, PyAny>) -> PyResult<Given> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Given::Bytes(bytes.as_bytes().to_vec()));
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        return Ok(Given::Bytes(bytes.to_vec()));
    }
    value
        .extract()
        .map(Given::File)
        .map_err(|_| PyTypeError::new_err("expected the bytes of a blob, or the path of a file"))
}

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> PyResult<Vec<u8>> {
    std::fs::read(path).map_err(|error| unread(path, error))
}

/// The error for a file that cannot be read.
pub(crate) fn unread(path: &Path, error: Error) -> PyErr {
    Error::new(error.kind(), format!("{}: {error}", path.display())).into()
}

/// The error for a name that a level does not have.
pub(crate) fn unknown<'a>(kind: &str, wanted: &str, known: impl Iterator<Item = &'a str>) -> PyErr {
    let known: Vec<&str> = known.filter(|name| !name.is_empty()).collect();
    let known = if known.is_empty() { "none".into() } else { known.join(", ") };
    PyValueError::new_err(format!("no {kind} `{wanted}`; known: {known}"))
}
