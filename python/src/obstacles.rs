//! Obstacles and volumes on a mesh, and the commit of all changes.

use navbake_world::{Error, Obstacle, ObstacleId};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::mesh::Mesh;
use crate::{arrays, failed};

/// An obstacle or a volume of a mesh. To use it after its removal is an error.
#[pyclass(frozen, eq, hash, name = "Obstacle", module = "navbake")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Handle {
    /// The identity of its mesh.
    mesh: u64,
    id: ObstacleId,
}

/// What a commit has done.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Commit {
    /// Obstacles and volumes that were added, moved or removed.
    changed: usize,
    /// Baked polygons that were cut anew or came back, and those of chunks.
    polygons: usize,
    /// Polygons whose ground is taken as a whole, because they are too narrow to be cut.
    lost: usize,
    /// Chunks that came or went.
    chunks: usize,
    /// Changes that wait for the next commit.
    left: usize,
}

#[pymethods]
impl Handle {
    /// Its number, for saves: `Mesh.obstacle` gives the obstacle back.
    #[getter]
    fn id(&self) -> u64 {
        self.id.bits()
    }

    fn __repr__(&self) -> String {
        format!("<navbake.Obstacle {}>", self.id())
    }
}

#[pymethods]
impl Commit {
    fn __repr__(&self) -> String {
        let Commit { changed, chunks, left, .. } = self;
        format!("<navbake.Commit of {changed} obstacles, {chunks} chunks; {left} changes left>")
    }
}

#[pymethods]
impl Mesh {
    /// Adds an obstacle at the next commit.
    #[pyo3(signature = (points, low, high, *, radius=0.0))]
    fn add_obstacle(
        &mut self,
        points: &Bound<'_, PyAny>,
        low: f64,
        high: f64,
        radius: f64,
    ) -> PyResult<Handle> {
        let shape = shape(points, [low, high], radius)?;
        let id = self.ground.world_mut().add(shape).map_err(failed)?;
        Ok(Handle { mesh: self.identity, id })
    }

    /// Adds a volume at the next commit: ground within has the area of this name.
    #[pyo3(signature = (area, points, low, high, *, radius=0.0))]
    fn add_volume(
        &mut self,
        area: &str,
        points: &Bound<'_, PyAny>,
        low: f64,
        high: f64,
        radius: f64,
    ) -> PyResult<Handle> {
        let (area, shape) = (self.area(area)?, shape(points, [low, high], radius)?);
        let id = self.ground.world_mut().add_volume(shape, area).map_err(failed)?;
        Ok(Handle { mesh: self.identity, id })
    }

    /// Puts another shape in the place of an obstacle or a volume at the next commit.
    #[pyo3(signature = (obstacle, points, low, high, *, radius=0.0))]
    fn move_obstacle(
        &mut self,
        obstacle: &Handle,
        points: &Bound<'_, PyAny>,
        low: f64,
        high: f64,
        radius: f64,
    ) -> PyResult<()> {
        let (id, shape) = (self.id(obstacle)?, shape(points, [low, high], radius)?);
        self.ground.world_mut().move_to(id, shape).map_err(failed)
    }

    /// Takes an obstacle or a volume away at the next commit.
    fn remove_obstacle(&mut self, obstacle: &Handle) -> PyResult<()> {
        let id = self.id(obstacle)?;
        self.ground.world_mut().remove(id).map_err(failed)
    }

    /// The obstacle or volume with this number.
    fn obstacle(&self, id: u64) -> PyResult<Handle> {
        let handle = Handle { mesh: self.identity, id: ObstacleId::from_bits(id) };
        let world = self.ground.world().ok_or(Error::NoObstacle);
        world.and_then(|world| world.obstacle(handle.id)).map_err(failed)?;
        Ok(handle)
    }

    /// Takes obstacles off the mesh until `put_back` or the next commit.
    fn set_aside(&mut self, obstacles: Vec<PyRef<'_, Handle>>) -> PyResult<()> {
        let ids = obstacles.iter().map(|obstacle| self.id(obstacle));
        let ids = ids.collect::<PyResult<Vec<ObstacleId>>>()?;
        let done = self.ground.world_mut().set_aside(&ids).map_err(failed);
        self.refresh()?;
        done
    }

    /// Puts the obstacles back that were set aside.
    pub(crate) fn put_back(&mut self) -> PyResult<()> {
        let has_world = self.ground.world().is_some();
        if has_world && self.ground.world_mut().put_back() { self.refresh() } else { Ok(()) }
    }

    /// Makes the staged changes of obstacles and chunks, until `most` polygons were cut; by default
    /// all of them.
    #[pyo3(signature = (most=None))]
    fn commit(&mut self, py: Python<'_>, most: Option<usize>) -> PyResult<Commit> {
        py.detach(|| {
            let world = self.ground.world_mut();
            let done = world.commit_some(most.unwrap_or(usize::MAX));
            self.refresh()?;
            let navbake_world::Commit { changed, polygons, lost, chunks, left } = done;
            Ok(Commit { changed, polygons, lost, chunks, left })
        })
    }
}

impl Mesh {
    /// The id of an obstacle of this mesh.
    fn id(&self, obstacle: &Handle) -> PyResult<ObstacleId> {
        let own = obstacle.mesh == self.identity;
        own.then_some(obstacle.id).ok_or_else(|| failed(Error::NoObstacle))
    }
}

/// A cylinder around one point, or a prism over the convex hull of several.
fn shape(points: &Bound<'_, PyAny>, heights: [f64; 2], radius: f64) -> PyResult<Obstacle> {
    let points = arrays::flat_points(points, "points")?;
    let shape = match points[..] {
        [centre] => Obstacle::cylinder(centre, radius, heights),
        _ if radius != 0.0 => {
            return Err(PyValueError::new_err(format!(
                "radius {radius} with {} points: give one point for a cylinder, or no radius",
                points.len()
            )));
        }
        _ => Obstacle::prism(&points, heights),
    };
    shape.map_err(|error| PyValueError::new_err(error.to_string()))
}
