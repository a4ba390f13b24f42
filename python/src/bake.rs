//! Levels in, blobs out; and the check of blobs.

use std::path::{Path, PathBuf};

use navbake_bake::names::is_blob;
use navbake_bake::world_files::is_index;
use navbake_bake::{BakeError, BakeInput, Config, Options};
use navbake_level::{Part, Scene, Source};
use navbake_report::why;
use navbake_search::blob::Blob;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::level::{self, Given, Level};
use crate::{arrays, failed};

/// A baked level.
#[pyclass(frozen, module = "navbake")]
pub(crate) struct Baked {
    bytes: Py<PyBytes>,
    /// What `navbake bake --format json` prints.
    #[pyo3(get)]
    summary: Py<PyAny>,
}

#[pymethods]
impl Baked {
    /// The bytes of the blob.
    #[getter]
    fn blob(&self, py: Python<'_>) -> Py<PyBytes> {
        self.bytes.clone_ref(py)
    }

    /// What the bake noticed about the level.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let notes = self.summary.bind(py).get_item("warnings")?;
        notes.try_iter()?.map(|note| note?.get_item("message")?.extract()).collect()
    }

    /// Writes the blob to a file, whole or not at all.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let bytes = self.bytes.as_bytes(py);
        py.detach(|| navbake_bake::output::write_whole(&path, bytes)).map_err(failed)
    }

    /// Opens the blob.
    fn open(&self, py: Python<'_>) -> PyResult<Level> {
        let bytes = self.bytes.as_bytes(py);
        py.detach(|| Level::open(bytes, "blob"))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<navbake.Baked of {} bytes>", self.bytes.as_bytes(py).len())
    }
}

/// Reads a level from a file and bakes it.
#[pyfunction]
#[pyo3(signature = (level, config=None, *, threads=0))]
pub(crate) fn bake(
    py: Python<'_>,
    level: PathBuf,
    config: Option<&Bound<'_, PyAny>>,
    threads: usize,
) -> PyResult<Baked> {
    let config = read_config(config)?;
    finish(py, threads, move || BakeInput::open(&level, &config))
}

/// Reads a level, bakes it as a world in chunks, and writes its files: chunks first, the index
/// last. The blob of the result is the index.
#[pyfunction]
#[pyo3(signature = (level, index, config=None, *, chunk=None, threads=0))]
pub(crate) fn bake_world(
    py: Python<'_>,
    level: PathBuf,
    index: PathBuf,
    config: Option<&Bound<'_, PyAny>>,
    chunk: Option<f64>,
    threads: usize,
) -> PyResult<Baked> {
    let config = read_config(config)?;
    if !is_index(&index) {
        return Err(PyValueError::new_err(format!(
            "index: {} does not end in .navw; name it so, such as world.navw",
            index.display()
        )));
    }
    if let Some(side) = chunk.filter(|side| !(side.is_finite() && *side > 0.0)) {
        return Err(PyValueError::new_err(format!("chunk: {side} m; give a length above 0")));
    }
    let options = Options { threads, chunk, ..Options::default() };
    let bake = || {
        let input = BakeInput::open_to_bake(&level, &config)?;
        input.check_chunks()?;
        input.bake_world(&index, &options)
    };
    result(py, py.detach(bake))
}

/// Bakes triangles: vertices of shape (n, 3), y-up, and indices of shape (m, 3).
#[pyfunction]
#[pyo3(signature = (vertices, triangles, config=None, *, threads=0))]
pub(crate) fn bake_triangles(
    py: Python<'_>,
    vertices: &Bound<'_, PyAny>,
    triangles: &Bound<'_, PyAny>,
    config: Option<&Bound<'_, PyAny>>,
    threads: usize,
) -> PyResult<Baked> {
    let config = read_config(config)?;
    let vertices = arrays::points(vertices, "vertices")?;
    let triangles = arrays::triangles(triangles, "triangles")?;
    let faulty = |point: &[f64; 3]| point.iter().any(|x| !x.is_finite());
    if let Some(k) = vertices.iter().position(faulty) {
        return Err(PyValueError::new_err(format!(
            "vertices[{k}]: {:?} is not finite",
            vertices[k]
        )));
    }
    let beyond = |row: &[u32; 3]| row.iter().any(|&n| n as usize >= vertices.len());
    if let Some(k) = triangles.iter().position(beyond) {
        return Err(PyValueError::new_err(format!(
            "triangles[{k}]: {:?} names a vertex beyond the {} that there are",
            triangles[k],
            vertices.len()
        )));
    }
    let scene = Scene {
        triangle_parts: vec![0; triangles.len()],
        parts: vec![Part::default()],
        vertices,
        triangles,
        ..Scene::default()
    };
    finish(py, threads, move || BakeInput::new(Source::Scene(scene), &config))
}

fn finish(
    py: Python<'_>,
    threads: usize,
    input: impl FnOnce() -> Result<BakeInput, BakeError> + Send,
) -> PyResult<Baked> {
    let options = Options { threads, ..Options::default() };
    result(py, py.detach(|| input()?.bake(&options)))
}

fn result(py: Python<'_>, baked: Result<navbake_bake::Baked, BakeError>) -> PyResult<Baked> {
    let baked = baked.map_err(failed)?;
    let summary = serde_json::to_string(&baked.summary).map_err(failed)?;
    Ok(Baked { bytes: PyBytes::new(py, &baked.bytes).unbind(), summary: parsed(py, &summary)? })
}

/// Checks a blob (bytes, or a file) or a level, which is baked first, against the rules of
/// `[check]`: the object that `navbake check --format json` prints.
#[pyfunction]
#[pyo3(signature = (level, config=None, *, threads=0))]
pub(crate) fn check(
    py: Python<'_>,
    level: &Bound<'_, PyAny>,
    config: Option<&Bound<'_, PyAny>>,
    threads: usize,
) -> PyResult<Py<PyAny>> {
    let config = config.map(|given| read_config(Some(given))).transpose()?;
    let text = match level::given(level)? {
        Given::Bytes(bytes) => py.detach(|| report(&bytes, config, None, "blob"))?,
        Given::File(path) => py.detach(|| check_file(&path, config, threads))?,
    };
    parsed(py, &text)
}

fn check_file(path: &Path, config: Option<Config>, threads: usize) -> PyResult<String> {
    let name = path.display().to_string();
    if is_blob(path).map_err(|error| level::unread(path, error))? {
        return report(&level::read(path)?, config, None, &name);
    }
    let config = config.unwrap_or_default();
    let input = BakeInput::open(path, &config).map_err(failed)?;
    let baked = input.bake(&Options { threads, ..Options::default() }).map_err(failed)?;
    report(&baked.bytes, Some(config), Some(&input), &name)
}

fn report(
    bytes: &[u8],
    config: Option<Config>,
    input: Option<&BakeInput>,
    name: &str,
) -> PyResult<String> {
    let blob = Blob::open_checked(bytes).map_err(|error| failed(format!("{name}: {error}")))?;
    let config = match config {
        Some(config) => config,
        None => Config::from_brief(blob.config()).map_err(|error| {
            failed(format!("{name}: cannot read its config: {error}; bake it again"))
        })?,
    };
    let agents: Vec<&str> = blob.agents().map(|agent| agent.name).collect();
    let settings =
        navbake_report::Settings::new(config.check.clone(), &agents).map_err(|unknown| {
            failed(config.fault_at(&format!("check.{}", unknown.key), unknown.message))
        })?;
    let mut report = navbake_report::check(blob, &settings);
    match input {
        Some(input) => why::why(&mut report, blob, input, &settings, &|| true),
        None => why::without_level(&mut report, &settings),
    }
    Ok(navbake_report::json(&report, name))
}

/// A config: the path of a TOML file, or a dict of its keys.
fn read_config(given: Option<&Bound<'_, PyAny>>) -> PyResult<Config> {
    let Some(given) = given else {
        return Ok(Config::default());
    };
    let Ok(keys) = given.cast::<PyDict>() else {
        return Config::load(&given.extract::<PathBuf>()?).map_err(failed);
    };
    let json: String = keys.py().import("json")?.call_method1("dumps", (keys,))?.extract()?;
    let value: toml::Table = serde_json::from_str(&json)
        .map_err(|error| PyValueError::new_err(format!("config: {error}; None is no value")))?;
    let text = toml::to_string(&value).map_err(failed)?;
    Config::parse(&text).map_err(|fault| failed(format!("config: {}", fault.message)))
}

fn parsed(py: Python<'_>, json: &str) -> PyResult<Py<PyAny>> {
    Ok(py.import("json")?.call_method1("loads", (json,))?.unbind())
}
