//! Chunks of a world: the list in its index, opening on any thread, loading and removing. Saved
//! meshes name the chunks that they need.

use navbake_rooms::RoomMemory;
use navbake_search::NavPoint;
use navbake_search::blob::Blob;
use navbake_world::{Chunk, ChunkMesh, World};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::mesh::Mesh;
use crate::{arrays, failed};

/// Column and row of a chunk.
type Key = (i32, i32);

/// A chunk of a world and its file, as the index lists it.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct ChunkFile {
    /// The name of its file, in the folder of the chunks.
    name: String,
    key: Key,
    /// Least x, y, z of its ground.
    least: Py<PyArray1<f64>>,
    /// Greatest x, y, z of its ground.
    greatest: Py<PyArray1<f64>>,
    /// Length of its file, bytes.
    size: u64,
    /// Polygons of all agents.
    polygons: u32,
    /// BLAKE3 of its file.
    hash: Py<PyBytes>,
}

/// A chunk of a world, checked and decoded for an agent.
#[pyclass(frozen, name = "Chunk", module = "navbake")]
pub(crate) struct OpenChunk(pub(crate) ChunkMesh);

/// A route over chunks of a world, loaded or not.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Route {
    /// In the ground plane, m. It is not proved to be the shortest.
    length: f64,
    /// Where it passes from one chunk to the next, in order.
    passages: Vec<Py<Passage>>,
}

/// A place where a route passes from one chunk to the next.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Passage {
    position: Py<PyArray1<f64>>,
    /// The chunk that the route enters there.
    into: Key,
}

impl ChunkFile {
    pub(crate) fn new(py: Python<'_>, chunk: &Chunk, bounds: [[f64; 3]; 2]) -> ChunkFile {
        let [least, greatest] = bounds.map(|corner| arrays::triple(py, corner));
        ChunkFile {
            name: chunk.file_name(),
            key: chunk.key.into(),
            least,
            greatest,
            size: chunk.bytes,
            polygons: chunk.polygons,
            hash: PyBytes::new(py, &chunk.hash).unbind(),
        }
    }
}

impl OpenChunk {
    /// Checks all bytes of a chunk's file and decodes it for a class of agents.
    pub(crate) fn open(bytes: &[u8], class: u16, name: &str) -> PyResult<OpenChunk> {
        let decode = || {
            let blob = Blob::open_checked(bytes)?;
            blob.blob().verify_checksum()?;
            blob.decode(class)
        };
        let nav = decode().map_err(|error| failed(format!("{name}: {error}")))?;
        let chunk = ChunkMesh::new(nav).map_err(|error| failed(format!("{name}: {error}")))?;
        Ok(OpenChunk(chunk))
    }
}

#[pymethods]
impl ChunkFile {
    fn __repr__(&self) -> String {
        format!("<navbake.ChunkFile {:?}>", self.name)
    }
}

#[pymethods]
impl OpenChunk {
    /// Column and row.
    #[getter]
    fn key(&self) -> Key {
        self.0.key().into()
    }

    fn __repr__(&self) -> String {
        format!("<navbake.Chunk {:?}>", self.key())
    }
}

#[pymethods]
impl Route {
    fn __repr__(&self) -> String {
        format!("<navbake.Route of {:.2} m, {} passages>", self.length, self.passages.len())
    }
}

#[pymethods]
impl Passage {
    fn __repr__(&self) -> String {
        format!("<navbake.Passage into {:?}>", self.into)
    }
}

#[pymethods]
impl Mesh {
    /// Puts a copy of a chunk on the mesh of an index at the next commit.
    fn insert(&mut self, chunk: &OpenChunk) -> PyResult<()> {
        self.ground.world_mut().insert_chunk(chunk.0.clone()).map_err(failed)
    }

    /// Takes a chunk off at the next commit.
    fn remove(&mut self, key: [i32; 2]) -> PyResult<()> {
        self.ground.world_mut().remove_chunk(key).map_err(failed)
    }

    /// Is a chunk on the mesh?
    fn is_loaded(&self, key: [i32; 2]) -> bool {
        self.ground.world().is_some_and(|world| world.is_loaded(key))
    }

    /// The chunks that are not loaded and in which the ground of a position goes on.
    #[pyo3(signature = (position, vertical=2.0))]
    fn not_loaded(&self, position: [f64; 3], vertical: f64) -> PyResult<Vec<Key>> {
        let place = self.place(position, vertical)?;
        let world = self.ground.world();
        let keys = world.map_or_else(Vec::new, |world| world.not_loaded(place.polygon()));
        Ok(keys.into_iter().map(Key::from).collect())
    }

    /// Finds a route to a goal over chunks that are loaded or not; None if there is none.
    #[pyo3(signature = (start, goal, vertical=2.0))]
    fn find_route(
        &self,
        py: Python<'_>,
        start: [f64; 3],
        goal: [f64; 3],
        vertical: f64,
    ) -> PyResult<Option<Route>> {
        let found = py.detach(|| {
            let (start, query) = (self.place(start, vertical)?, self.query());
            let route =
                self.with_scratch(|scratch| query.route(&start, goal, vertical, scratch.ground()));
            Ok::<_, PyErr>(route)
        })?;
        let Some(found) = found else {
            return Ok(None);
        };
        let passage = |own: &navbake_search::path::Passage| {
            let position = arrays::triple(py, own.position);
            Py::new(py, Passage { position, into: own.into.into() })
        };
        let passages = found.passages.iter().map(passage).collect::<PyResult<Vec<_>>>()?;
        Ok(Some(Route { length: found.length, passages }))
    }

    /// Obstacles, chunks and staged changes as bytes. Puts back what was set aside.
    fn save<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = py.detach(|| {
            self.put_back()?;
            Ok::<_, PyErr>(self.ground.save())
        })?;
        Ok(PyBytes::new(py, &saved))
    }
}

impl Mesh {
    fn place(&self, position: [f64; 3], vertical: f64) -> PyResult<NavPoint> {
        self.query().locate(position, vertical).ok_or_else(|| {
            failed(format!(
                "no ground within {vertical} m above or below {position:?}: give a place on \
                 ground that is loaded"
            ))
        })
    }
}

/// Column and row of the chunks that `Level.restore` needs.
#[pyfunction]
pub(crate) fn saved_chunks(saved: &[u8]) -> PyResult<Vec<Key>> {
    let keys = World::saved_chunks(saved).map_err(failed)?;
    Ok(keys.into_iter().map(Key::from).collect())
}
