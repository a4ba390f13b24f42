//! The Python package `navbake`: bakes, checks and queries navmeshes with numpy arrays.
//!
//! `navbake.pyi` describes the interface; `docs/engines/python.md` is the guide. Queries take many
//! points at once and run without the lock of the interpreter.

mod arrays;
mod bake;
mod chunks;
mod distances;
mod geometry;
mod level;
mod mesh;
mod obstacles;
mod paths;
mod places;
mod trace;

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

pyo3::create_exception!(
    navbake,
    NavbakeError,
    PyException,
    "A level, a config or a file is refused, or the planner does not serve a request."
);

/// An error of navbake itself: a level, a config or a file that is refused, or a request that the
/// planner does not serve.
fn failed(error: impl std::fmt::Display) -> PyErr {
    NavbakeError::new_err(error.to_string())
}

/// Bakes, checks and queries navmeshes.
#[pymodule]
fn navbake(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("NavbakeError", py.get_type::<NavbakeError>())?;
    module.add("PLANNERS", PyTuple::new(py, paths::PLANNERS)?)?;
    module.add("STATUSES", PyTuple::new(py, paths::STATUSES)?)?;
    module.add("NO_POLYGON", places::NO_POLYGON)?;
    module.add_function(wrap_pyfunction!(bake::bake, module)?)?;
    module.add_function(wrap_pyfunction!(bake::bake_triangles, module)?)?;
    module.add_function(wrap_pyfunction!(bake::bake_world, module)?)?;
    module.add_function(wrap_pyfunction!(bake::check, module)?)?;
    module.add_function(wrap_pyfunction!(level::open, module)?)?;
    module.add_function(wrap_pyfunction!(chunks::saved_chunks, module)?)?;
    module.add_class::<bake::Baked>()?;
    module.add_class::<level::Level>()?;
    module.add_class::<level::Agent>()?;
    module.add_class::<level::Area>()?;
    module.add_class::<level::Switch>()?;
    module.add_class::<level::Marker>()?;
    module.add_class::<chunks::ChunkFile>()?;
    module.add_class::<chunks::OpenChunk>()?;
    module.add_class::<mesh::Mesh>()?;
    module.add_class::<obstacles::Handle>()?;
    module.add_class::<obstacles::Commit>()?;
    module.add_class::<chunks::Route>()?;
    module.add_class::<chunks::Passage>()?;
    module.add_class::<geometry::Polygons>()?;
    module.add_class::<geometry::Link>()?;
    module.add_class::<geometry::Room>()?;
    module.add_class::<geometry::Door>()?;
    module.add_class::<places::Places>()?;
    module.add_class::<places::Rays>()?;
    module.add_class::<paths::Path>()?;
    module.add_class::<paths::Paths>()?;
    module.add_class::<trace::Trace>()
}
