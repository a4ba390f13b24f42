//! Worlds: a text file that places other files.
//!
//! ```toml
//! [[place]]
//! file = "dungeon.glb"          # beside this file or below
//! name = "east"                 # optional: names within become east/NAME
//! translate = [80.0, 0.0, 0.0]  # y-up metres
//! rotate = 90.0                 # degrees about y, counter-clockwise seen from above
//! scale = 1.0
//! ```
//!
//! Each file is read once, however often it is placed. The triangles of all placements are never
//! held at once but by [`World::scene`].

mod reading;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use navbake_level::{LinkNote, Marker, Part, Scene, Source, Warning};
use rayon::prelude::*;

use crate::budget::{Budget, TRIANGLE, VERTEX};
use crate::files::read_named;
use crate::transform::Affine;
use crate::{Format, Import, ImportError, ImportOptions};
use reading::read;

/// Worlds in TOML.
pub(crate) const FORMAT: Format =
    Format { name: "world", extensions: &["toml"], is_grid: false, read: read_whole };

/// Files of triangles, and where each is placed.
#[derive(Clone, Debug)]
pub struct World {
    scenes: Vec<Scene>,
    placements: Vec<Placement>,
    /// For each file under each name: the number of each of its parts.
    numbers: Vec<Vec<u32>>,
    parts: Vec<Part>,
    markers: Vec<Marker>,
    links: Vec<LinkNote>,
}

/// A file at its place.
#[derive(Clone, Debug)]
struct Placement {
    scene: usize,
    numbers: usize,
    map: Affine,
    /// Least and greatest `[x, z]` of its vertices, m.
    bounds: [[f64; 2]; 2],
}

/// A world as it was read.
#[derive(Clone, Debug)]
pub struct WorldImport {
    /// The world.
    pub world: World,
    /// Oddities that did not prevent the import.
    pub warnings: Vec<Warning>,
    /// Every file that was read, the world's own first.
    pub files: Vec<PathBuf>,
    /// Files that the levels name and that are not read.
    pub named: Vec<PathBuf>,
}

/// Is this the path of a world, by its extension?
pub fn is_world(path: &Path) -> bool {
    Format::of(path).is_some_and(|format| format.name == FORMAT.name)
}

/// Reads a world: each file that it places once.
///
/// # Errors
/// [`Io`](crate::ImportErrorKind::Io) if the world itself cannot be read,
/// [`Budget`](crate::ImportErrorKind::Budget) if a file needs more memory than the options allow,
/// [`BadInput`](crate::ImportErrorKind::BadInput) for everything else.
pub fn read_world(path: &Path, options: &ImportOptions) -> Result<WorldImport, ImportError> {
    read(read_named(path)?, path, options)
}

/// Reads a world as one level.
fn read_whole(bytes: Vec<u8>, file: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    let budget = Budget::new(file, options);
    budget.read(bytes.len() as u64)?;
    let WorldImport { world, warnings, files, named } = read(bytes, file, options)?;
    let (mut vertices, mut triangles) = (0u64, 0u64);
    for placement in &world.placements {
        let scene = &world.scenes[placement.scene];
        vertices += scene.vertices.len() as u64;
        triangles += scene.triangles.len() as u64;
    }
    let bytes = vertices.saturating_mul(VERTEX).saturating_add(triangles.saturating_mul(TRIANGLE));
    budget.spend(&format!("{triangles} triangles in all placements"), bytes)?;
    if vertices.max(triangles) > u64::from(u32::MAX) {
        return Err(ImportError::bad(
            file,
            "the whole file",
            "its placements have more triangles or vertices than one level can number",
            "bake the world (navbake bake), which needs no more than a part of it at a time",
        ));
    }
    Ok(Import { source: Source::Scene(world.scene()), warnings, files, named })
}

/// Does the triangle touch the rectangle from `low` to `high`, by its own bounds?
fn touches(corners: [[f64; 3]; 3], [low, high]: [[f64; 2]; 2]) -> bool {
    [0, 2].into_iter().zip(low.into_iter().zip(high)).all(|(axis, (low, high))| {
        let [a, b, c] = corners.map(|p| p[axis]);
        a.min(b).min(c) <= high && a.max(b).max(c) >= low
    })
}

impl World {
    /// Triangles of all placements.
    pub fn triangle_count(&self) -> u64 {
        self.placements.iter().map(|p| self.scenes[p.scene].triangles.len() as u64).sum()
    }

    /// Placements, each with the number of its file and its map as 12 numbers: the rows of a
    /// matrix, then the shift.
    pub fn placements(&self) -> impl ExactSizeIterator<Item = (usize, [f64; 12])> + '_ {
        self.placements.iter().map(|p| (p.scene, p.map.numbers()))
    }

    /// The places in [`World::parts`] of the parts of a placement's file.
    pub fn parts_of(&self, placement: usize) -> &[u32] {
        &self.numbers[self.placements[placement].numbers]
    }

    /// The files, as they were read.
    pub fn files(&self) -> &[Scene] {
        &self.scenes
    }

    /// Calls `f` for each triangle with its part and its corners in y-up metres.
    ///
    /// O(n) in the triangles of all placements; holds no more than one file's vertices.
    pub fn each_triangle(&self, f: impl FnMut(u32, [[f64; 3]; 3])) {
        self.each_triangle_of(0..self.placements.len(), f);
    }

    /// [`World::each_triangle`] of some placements, by their numbers.
    pub fn each_triangle_of(
        &self,
        placements: impl IntoIterator<Item = usize>,
        mut f: impl FnMut(u32, [[f64; 3]; 3]),
    ) {
        let mut vertices = vec![];
        for placement in placements {
            let (scene, numbers) = self.place(&self.placements[placement], &mut vertices);
            for (t, part) in scene.triangles.iter().zip(&scene.triangle_parts) {
                f(numbers[*part as usize], t.map(|v| vertices[v as usize]));
            }
        }
    }

    /// The scene of a placement, with its vertices placed and the numbers of its parts.
    fn place(&self, placement: &Placement, vertices: &mut Vec<[f64; 3]>) -> (&Scene, &[u32]) {
        let scene = &self.scenes[placement.scene];
        let all = scene.vertices.par_iter().with_min_len(1 << 13);
        all.map(|p| placement.map.apply(*p)).collect_into_vec(vertices);
        (scene, &self.numbers[placement.numbers])
    }

    /// Least and greatest `[x, z]` of the vertices of each placement, m.
    pub fn placement_bounds(&self) -> impl ExactSizeIterator<Item = [[f64; 2]; 2]> + '_ {
        self.placements.iter().map(|placement| placement.bounds)
    }

    /// Least and greatest corner of the triangles of some parts, by their place in
    /// [`World::parts`]; `None` without any. Y-up metres.
    ///
    /// O(n) in the triangles of the files, once for each way that a file is turned and scaled.
    pub fn bounds(&self, mut keep: impl FnMut(u32) -> bool) -> Option<[[f64; 3]; 2]> {
        let none = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        let join = |[low, high]: [[f64; 3]; 2], p: [f64; 3]| {
            [[0, 1, 2].map(|k| low[k].min(p[k])), [0, 1, 2].map(|k| high[k].max(p[k]))]
        };
        let mut known = BTreeMap::new();
        let mut all = none;
        for placement in &self.placements {
            let linear = placement.map.linear();
            let key = (placement.scene, placement.numbers, linear.numbers().map(f64::to_bits));
            let own = *known.entry(key).or_insert_with(|| {
                let unmoved = Placement { map: linear, ..*placement };
                let mut vertices = vec![];
                let (scene, numbers) = self.place(&unmoved, &mut vertices);
                let parts: Vec<bool> = numbers.iter().map(|part| keep(*part)).collect();
                let kept = scene.triangles.iter().zip(&scene.triangle_parts);
                let kept = kept.filter(|(_, part)| parts[**part as usize]);
                kept.flat_map(|(t, _)| t).map(|v| vertices[*v as usize]).fold(none, join)
            });
            if own != none {
                // As each vertex is placed: rounding keeps their order.
                let shift = placement.map.origin();
                for corner in own {
                    all = join(all, [0, 1, 2].map(|k| corner[k] + shift[k]));
                }
            }
        }
        (all != none).then_some(all)
    }

    /// The parts of all placements; equal ones are one.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The markers of all placements.
    pub fn markers(&self) -> &[Marker] {
        &self.markers
    }

    /// Adds markers in y-up metres.
    pub fn add_markers(&mut self, markers: impl IntoIterator<Item = Marker>) {
        self.markers.extend(markers);
    }

    /// Takes the off-mesh links of all placements out of the world.
    pub fn take_links(&mut self) -> Vec<LinkNote> {
        std::mem::take(&mut self.links)
    }

    /// The whole world as one scene.
    pub fn scene(&self) -> Scene {
        let everywhere = [[f64::NEG_INFINITY; 2], [f64::INFINITY; 2]];
        Scene { markers: self.markers.clone(), links: self.links.clone(), ..self.near(everywhere) }
    }

    /// The placements that may have triangles in a rectangle: those whose bounds touch it. `bounds`
    /// has the least and the greatest `[x, z]`, y-up metres.
    pub fn placements_near(
        &self,
        [low, high]: [[f64; 2]; 2],
    ) -> impl Iterator<Item = usize> + use<'_> {
        let is_near = move |&k: &usize| {
            let [least, greatest] = self.placements[k].bounds;
            [0, 1].iter().all(|&k| least[k] <= high[k] && greatest[k] >= low[k])
        };
        (0..self.placements.len()).filter(is_near)
    }

    /// The triangles that touch a rectangle by their bounds, with all parts, and without markers
    /// and links. `bounds` has the least and the greatest `[x, z]`, y-up metres.
    ///
    /// O(n) in the triangles of the placements that touch the rectangle.
    pub fn near(&self, bounds: [[f64; 2]; 2]) -> Scene {
        let mut found = Scene { parts: self.parts.clone(), ..Scene::default() };
        let (mut vertices, mut number): (Vec<_>, Vec<u32>) = (vec![], vec![]);
        for placement in self.placements_near(bounds) {
            let (scene, numbers) = self.place(&self.placements[placement], &mut vertices);
            number.clear();
            number.resize(vertices.len(), u32::MAX);
            for (t, part) in scene.triangles.iter().zip(&scene.triangle_parts) {
                if !touches(t.map(|v| vertices[v as usize]), bounds) {
                    continue;
                }
                found.triangles.push(t.map(|v| {
                    let own = &mut number[v as usize];
                    if *own == u32::MAX {
                        *own = found.vertices.len() as u32;
                        found.vertices.push(vertices[v as usize]);
                    }
                    *own
                }));
                found.triangle_parts.push(numbers[*part as usize]);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests;
