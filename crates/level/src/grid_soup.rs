//! The triangles of a scene on the grid, and the level that they are.

use std::ops::Range;

use navbake_geom::{Grid, Point3};

use crate::level::{facing, is_degenerate, matters, out_of_range, snap};
use crate::number::count;
use crate::order::{in_order, number, sorted_keys};
use crate::{
    Area, Level, LevelError, LevelSettings, Part, Role, Scene, Triangle, Warning, WarningPlace,
    sort_markers,
};

impl Level {
    /// Converts a scene to the grid.
    ///
    /// `roles` has one entry for each of the scene's parts.
    ///
    /// # Errors
    /// If no triangle is left, or if one is outside the grid's range or within
    /// [`RIM`](crate::RIM) of its end.
    pub fn new(
        scene: &Scene,
        roles: &[Role],
        settings: &LevelSettings,
    ) -> Result<(Level, Vec<Warning>), LevelError> {
        let frame = Frame::new(scene, roles, settings);
        let soup = GridSoup::new(&frame)?;
        let (level, warnings) = soup.level(&frame);
        Ok((Level { vertices: soup.vertices, ..level }, warnings))
    }
}

/// A scene, and how it is converted.
pub(crate) struct Frame<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) roles: &'a [Role],
    pub(crate) settings: &'a LevelSettings,
    pub(crate) grid: Grid,
    /// The parts of the level with their roles, sorted and distinct.
    parts: Vec<(Part, Role)>,
    /// Which of them each part of the scene is.
    part_of: Vec<u32>,
}

impl<'a> Frame<'a> {
    pub(crate) fn new(
        scene: &'a Scene,
        roles: &'a [Role],
        settings: &'a LevelSettings,
    ) -> Frame<'a> {
        assert_eq!(roles.len(), scene.parts.len(), "one role a part");
        let grid = Level::grid_of(scene, roles, settings);
        let mut order: Vec<usize> = (0..scene.parts.len()).collect();
        order.sort_by(|&a, &b| (&scene.parts[a], roles[a]).cmp(&(&scene.parts[b], roles[b])));
        let mut part_of = vec![0u32; scene.parts.len()];
        let mut parts: Vec<(Part, Role)> = vec![];
        for &p in &order {
            if parts.last().is_none_or(|last| (&last.0, last.1) != (&scene.parts[p], roles[p])) {
                parts.push((scene.parts[p].clone(), roles[p]));
            }
            part_of[p] = (parts.len() - 1) as u32;
        }
        Frame { scene, roles, settings, grid, parts, part_of }
    }

    fn matters(&self, t: usize) -> bool {
        matters(self.scene, t, self.roles, self.settings)
    }
}

/// The triangles of a scene on the grid.
#[derive(Debug, Default)]
pub(crate) struct GridSoup {
    /// Distinct positions, sorted.
    pub(crate) vertices: Vec<Point3>,
    /// In the order of the scene, which may have some twice.
    pub(crate) triangles: Vec<Triangle>,
    /// Triangles of the scene that are not among them, ascending: they do not matter, or have no
    /// area.
    pub(crate) left_out: Vec<u32>,
    /// The triangles by their corners: see [`sorted_keys`].
    pub(crate) keys: Vec<u128>,
}

impl GridSoup {
    pub(crate) fn new(frame: &Frame<'_>) -> Result<GridSoup, LevelError> {
        let scene = frame.scene;
        let places: Vec<Option<Point3>> =
            scene.vertices.iter().map(|&p| snap(&frame.grid, p)).collect();
        let all = 0..scene.triangles.len();
        let mut soup = GridSoup::default();
        soup.triangles.reserve(all.len());
        soup.add(frame, all, |i| places[i as usize])?;
        soup.check(frame)?;
        soup.vertices = number(&mut soup.triangles, places);
        soup.keys = sorted_keys(&soup.triangles, soup.vertices.len());
        Ok(soup)
    }

    /// Adds triangles of a scene whose vertices are at these places. Their corners are still
    /// vertices of the scene.
    pub(crate) fn add(
        &mut self,
        frame: &Frame<'_>,
        triangles: Range<usize>,
        place: impl Fn(u32) -> Option<Point3>,
    ) -> Result<(), LevelError> {
        let scene = frame.scene;
        for t in triangles {
            if !frame.matters(t) {
                self.left_out.push(t as u32);
                continue;
            }
            let v = scene.triangles[t];
            let corners = v.map(|i| scene.vertices[i as usize]);
            let mut q = [Point3::default(); 3];
            for k in 0..3 {
                q[k] = place(v[k]).ok_or_else(|| out_of_range(corners[k], &frame.grid))?;
            }
            if is_degenerate(q) {
                self.left_out.push(t as u32);
                continue;
            }
            let part = scene.triangle_parts[t] as usize;
            let up = facing(corners, &scene.parts[part], frame.settings.winding);
            let least = (0..3).min_by_key(|&k| q[k]).unwrap_or(0);
            self.triangles.push(Triangle {
                v: [v[least], v[(least + 1) % 3], v[(least + 2) % 3]],
                up,
                part: frame.part_of[part],
                area: 0,
            });
        }
        Ok(())
    }

    /// An error if there are no triangles.
    pub(crate) fn check(&self, frame: &Frame<'_>) -> Result<(), LevelError> {
        if !self.triangles.is_empty() {
            return Ok(());
        }
        Err(LevelError::Empty(if frame.scene.triangles.is_empty() {
            ""
        } else if self.left_out.iter().any(|&t| frame.matters(t as usize)) {
            " left: every one has no area on the grid; check `scale`"
        } else {
            " left: all are ignored by rules or outside `bounds`"
        }))
    }

    /// The level but for its vertices, and what is to be said about it.
    pub(crate) fn level(&self, frame: &Frame<'_>) -> (Level, Vec<Warning>) {
        let scene = frame.scene;
        let triangles = in_order(&self.triangles, &self.keys);
        let duplicates = self.triangles.len() - triangles.len();
        let mut markers = scene.markers.clone();
        sort_markers(&mut markers);
        let mut dropped = Dropped::default();
        for &t in self.left_out.iter().filter(|&&t| frame.matters(t as usize)) {
            let corners = scene.triangles[t as usize].map(|i| scene.vertices[i as usize]);
            dropped.count += 1;
            dropped.of_file += usize::from(has_no_area(corners));
            dropped.first.get_or_insert(corners[0]);
        }
        let mut warnings = dropped.warnings();
        if duplicates > 0 {
            warnings.push(Warning {
                code: "duplicate-triangles",
                message: format!(
                    "{} found twice; one of each was kept",
                    count(duplicates as u64, "triangle")
                ),
                place: WarningPlace::None,
            });
        }
        let (parts, roles) = frame.parts.iter().cloned().unzip();
        let level = Level {
            triangles,
            parts,
            roles,
            markers,
            areas: vec![Area::default()],
            height_error: frame.grid.length(scene.height_error),
            ..Level::empty(frame.grid)
        };
        (level, warnings)
    }
}

/// Triangles without area.
#[derive(Default)]
struct Dropped {
    count: usize,
    /// Those without area before their corners were on the grid.
    of_file: usize,
    first: Option<[f64; 3]>,
}

impl Dropped {
    fn warnings(&self) -> Vec<Warning> {
        let Some(first) = self.first else {
            return vec![];
        };
        let triangles = |n: usize| count(n as u64, "triangle");
        vec![Warning {
            code: "degenerate-triangles",
            message: match (self.of_file, self.count - self.of_file) {
                (all, 0) => format!("left out {} without area", triangles(all)),
                (0, fine) => format!("left out {} without area on the grid", triangles(fine)),
                (own, fine) => format!(
                    "left out {} without area, and {fine} more that have none on the grid",
                    triangles(own)
                ),
            },
            place: first.into(),
        }]
    }
}

/// Does a triangle of the file have no area, as far as its numbers tell?
fn has_no_area([a, b, c]: [[f64; 3]; 3]) -> bool {
    let [p, q] = [b, c].map(|v| [0, 1, 2].map(|k| v[k] - a[k]));
    (0..3).all(|k| p[k] * q[(k + 1) % 3] == p[(k + 1) % 3] * q[k])
}
