//! Points to places, lines of sight, reachability and walls: many at once.

use navbake_rooms::RoomMemory;
use navbake_search::around::{Areas, MoveLog, Random};
use navbake_search::{MoveRequest, NavPoint, NavQuery};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::arrays::{self, Interrupts};
use crate::mesh::Mesh;

/// The polygon of a point without ground.
pub(crate) const NO_POLYGON: u32 = u32::MAX;

/// The ground beside a point that queries allow, m along each axis.
pub(crate) const EXTENTS: [f64; 3] = [0.0, 2.0, 0.0];

/// Places on the ground, one for each point.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Places {
    /// Was there ground?
    found: Py<PyArray1<bool>>,
    /// On the ground; not a number where there is none.
    positions: Py<PyArray2<f64>>,
    /// The polygons; `NO_POLYGON` where there is none.
    polygons: Py<PyArray1<u32>>,
}

/// The ends of rays.
#[pyclass(frozen, get_all, module = "navbake")]
pub(crate) struct Rays {
    /// Was there ground at the start?
    found: Py<PyArray1<bool>>,
    /// Was a wall hit?
    hit: Py<PyArray1<bool>>,
    /// The share of the way that is free, 0 to 1.
    fractions: Py<PyArray1<f64>>,
    /// Where they end; not a number without ground at the start.
    points: Py<PyArray2<f64>>,
    /// x and z of unit vectors from the walls into the ground; zeros without a wall.
    normals: Py<PyArray2<f64>>,
}

/// Places as they are found.
#[derive(Default)]
struct Found {
    found: Vec<bool>,
    positions: Vec<[f64; 3]>,
    polygons: Vec<u32>,
}

impl Found {
    fn push(&mut self, place: Option<NavPoint>) {
        self.found.push(place.is_some());
        self.positions.push(place.map_or([f64::NAN; 3], |place| place.position()));
        self.polygons.push(place.map_or(NO_POLYGON, |place| place.polygon().0));
    }

    fn arrays(self, py: Python<'_>) -> PyResult<Places> {
        Ok(Places {
            found: arrays::row(py, self.found),
            positions: arrays::table(py, self.positions)?,
            polygons: arrays::row(py, self.polygons),
        })
    }
}

#[pymethods]
impl Places {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.found.bind(py).len()
    }
}

#[pymethods]
impl Rays {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.found.bind(py).len()
    }
}

#[pymethods]
impl Mesh {
    /// The place nearest to each point, at most `extents` metres away along each axis.
    #[pyo3(signature = (points, extents=[2.0, 2.0, 2.0]))]
    fn nearest(
        &self,
        py: Python<'_>,
        points: &Bound<'_, PyAny>,
        extents: [f64; 3],
    ) -> PyResult<Places> {
        let points = arrays::points(points, "points")?;
        self.places(py, &points, |query, point| query.nearest(point, extents))
    }

    /// The place above or below each point, at most `vertical` metres away.
    #[pyo3(signature = (points, vertical=2.0))]
    fn locate(&self, py: Python<'_>, points: &Bound<'_, PyAny>, vertical: f64) -> PyResult<Places> {
        let points = arrays::points(points, "points")?;
        self.places(py, &points, |query, point| query.locate(point, vertical))
    }

    /// Random places, uniform by area, the same for the same seed.
    #[pyo3(signature = (count, seed=0))]
    fn random(&self, py: Python<'_>, count: usize, seed: u64) -> PyResult<Places> {
        let found = py.detach(|| {
            let query = self.query();
            let mut sums = vec![0; query.mesh().polygon_count() as usize];
            query.areas(&mut sums);
            let areas = Areas::from_sums(&query, &sums);
            let (mut random, mut found) = (Random::new(seed), Found::default());
            let mut interrupts = Interrupts::new();
            for _ in 0..count {
                interrupts.look()?;
                found.push(query.random_place(&areas, &mut random));
            }
            Ok::<_, PyErr>(found)
        })?;
        found.arrays(py)
    }

    /// Can a path lead from each start to its goal? False is certain; False too without ground.
    #[pyo3(signature = (starts, goals, extents=EXTENTS))]
    fn reachable(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        extents: [f64; 3],
    ) -> PyResult<Py<PyArray1<bool>>> {
        let pairs = arrays::pairs((starts, "starts"), (goals, "goals"))?;
        let reached = py.detach(|| {
            let (query, mut interrupts) = (self.query(), Interrupts::new());
            let reachable = |(from, to)| {
                interrupts.look()?;
                let ends = query.end(from, extents).zip(query.end(to, extents));
                Ok(ends.is_some_and(|(from, to)| query.reachable(&from, &to)))
            };
            pairs.iter().map(reachable).collect::<PyResult<Vec<bool>>>()
        })?;
        Ok(arrays::row(py, reached))
    }

    /// Looks from each start straight towards its target, up to the first wall.
    #[pyo3(signature = (starts, targets, extents=EXTENTS))]
    fn raycast(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        targets: &Bound<'_, PyAny>,
        extents: [f64; 3],
    ) -> PyResult<Rays> {
        let pairs = arrays::pairs((starts, "starts"), (targets, "targets"))?;
        let (mut found, mut hit, mut fractions) = (vec![], vec![], vec![]);
        let (mut points, mut normals) = (vec![], vec![]);
        py.detach(|| {
            let (query, mut interrupts) = (self.query(), Interrupts::new());
            for (from, to) in pairs.iter() {
                interrupts.look()?;
                let ray = query.end(from, extents).map(|start| query.raycast(&start, to));
                let wall = ray.as_ref().and_then(|ray| ray.wall);
                found.push(ray.is_some());
                hit.push(wall.is_some());
                fractions.push(ray.as_ref().map_or(0.0, |ray| ray.fraction));
                points.push(ray.map_or([f64::NAN; 3], |ray| ray.point));
                normals.push(wall.map_or([0.0; 2], |wall| wall.normal));
            }
            Ok::<_, PyErr>(())
        })?;
        Ok(Rays {
            found: arrays::row(py, found),
            hit: arrays::row(py, hit),
            fractions: arrays::row(py, fractions),
            points: arrays::table(py, points)?,
            normals: arrays::table(py, normals)?,
        })
    }

    /// Moves each start towards its target, along the walls in between: where it ends, and how far
    /// it went.
    #[pyo3(signature = (starts, targets, *, kept=0.9, extents=EXTENTS))]
    fn move_along(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        targets: &Bound<'_, PyAny>,
        kept: f64,
        extents: [f64; 3],
    ) -> PyResult<(Places, Py<PyArray1<f64>>)> {
        let pairs = arrays::pairs((starts, "starts"), (targets, "targets"))?;
        let (ends, walked) = py.detach(|| {
            let (query, mut interrupts) = (self.query(), Interrupts::new());
            let (mut ends, mut walked) = (Found::default(), vec![]);
            for (from, to) in pairs.iter() {
                interrupts.look()?;
                let request = MoveRequest::new(to).kept(kept);
                let log = MoveLog { entered: &mut [], hit: &mut [] };
                let moved = query.end(from, extents);
                let moved = moved.map(|start| query.move_along(&start, &request, log));
                ends.push(moved.as_ref().and_then(|moved| query.place(moved.end)));
                walked.push(moved.map_or(0.0, |moved| moved.walked));
            }
            Ok::<_, PyErr>((ends, walked))
        })?;
        Ok((ends.arrays(py)?, arrays::row(py, walked)))
    }

    /// The distance from each point to the nearest wall, `most` where none is nearer; not a number
    /// without ground.
    #[pyo3(signature = (points, most, extents=EXTENTS))]
    fn wall_distance(
        &self,
        py: Python<'_>,
        points: &Bound<'_, PyAny>,
        most: f64,
        extents: [f64; 3],
    ) -> PyResult<Py<PyArray1<f64>>> {
        let points = arrays::points(points, "points")?;
        let distances = py.detach(|| {
            let (query, mut interrupts) = (self.query(), Interrupts::new());
            self.with_scratch(|scratch| {
                let distance = |&point: &[f64; 3]| {
                    interrupts.look()?;
                    let place = query.end(point, extents);
                    let found = place.map(|at| query.wall_distance(&at, most, scratch.ground()));
                    Ok(found.map_or(f64::NAN, |found| found.distance))
                };
                points.iter().map(distance).collect::<PyResult<Vec<f64>>>()
            })
        })?;
        Ok(arrays::row(py, distances))
    }
}

impl Mesh {
    fn places(
        &self,
        py: Python<'_>,
        points: &[[f64; 3]],
        place: impl Fn(&NavQuery<'_>, [f64; 3]) -> Option<NavPoint> + Sync,
    ) -> PyResult<Places> {
        let found = py.detach(|| {
            let (query, mut interrupts) = (self.query(), Interrupts::new());
            let mut found = Found::default();
            for &point in points {
                interrupts.look()?;
                found.push(place(&query, point));
            }
            Ok::<_, PyErr>(found)
        })?;
        found.arrays(py)
    }
}
