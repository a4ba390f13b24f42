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

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use navbake_level::{LinkNote, Marker, Part, Scene, Source, Warning};
use rayon::prelude::*;
use serde::Deserialize;
use toml::Spanned;

use crate::budget::{Budget, TRIANGLE, VERTEX};
use crate::files::{check_beside, read_named};
use crate::transform::Affine;
use crate::{Format, Import, ImportError, ImportErrorKind, ImportOptions, Up, condense};

/// Worlds in TOML.
pub(crate) const FORMAT: Format =
    Format { name: "world", extensions: &["toml"], is_grid: false, read: read_whole };

/// The text of a world.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(default)]
    place: Vec<Place>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    file: Spanned<String>,
    name: Option<String>,
    #[serde(default)]
    translate: [f64; 3],
    #[serde(default)]
    rotate: f64,
    quaternion: Option<[f64; 4]>,
    #[serde(default = "one")]
    scale: f64,
    up: Option<Axis>,
}

fn one() -> f64 {
    1.0
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Axis {
    Y,
    Z,
}

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
/// [`ImportErrorKind::Io`] if the world itself cannot be read, [`ImportErrorKind::Budget`] if a
/// file needs more memory than the options allow, [`ImportErrorKind::BadInput`] for everything
/// else.
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

fn read(bytes: Vec<u8>, file: &Path, options: &ImportOptions) -> Result<WorldImport, ImportError> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = format!("byte {}", error.utf8_error().valid_up_to());
        ImportError::bad(file, at, "the text is not UTF-8", "save the file as UTF-8")
    })?;
    let line = |offset: usize| {
        let lines = text.as_bytes()[..offset].iter().filter(|&&b| b == b'\n').count();
        format!("line {}", lines + 1)
    };
    let parsed: Text = toml::from_str(&text).map_err(|error| {
        let place = error.span().map_or_else(String::new, |span| line(span.start));
        let finding = error.message().lines().collect::<Vec<_>>().join("; ");
        let cure = "a world is a list of [[place]] with file, name, translate, rotate or quaternion, scale, up (docs/guide.md); a config is named by --config";
        ImportError::bad(file, place, finding, cure)
    })?;
    if parsed.place.is_empty() {
        return Err(ImportError::bad(
            file,
            "the whole file",
            "it places no file",
            "add a [[place]] with the file of a level",
        ));
    }
    let mut all = Reading::new(file, options);
    for (k, place) in parsed.place.into_iter().enumerate() {
        let start = place.file.span().start;
        all.place(place, &|| format!("{}, place[{k}]", line(start)))?;
    }
    let Reading { files, named, warnings, mut world, scenes, .. } = all;
    world.scenes = scenes;
    Ok(WorldImport { world, warnings: condense(warnings), files, named })
}

/// What was read so far.
struct Reading<'a> {
    file: &'a Path,
    options: &'a ImportOptions,
    files: Vec<PathBuf>,
    named: Vec<PathBuf>,
    warnings: Vec<Warning>,
    scenes: Vec<Scene>,
    /// The number of each file's scene, by its path and whether z is up.
    known: BTreeMap<(PathBuf, bool), usize>,
    /// All but the scenes.
    world: World,
    part_numbers: BTreeMap<Part, u32>,
    /// The place in `numbers` of each scene under each name.
    numbered: BTreeMap<(usize, Option<String>), usize>,
}

impl<'a> Reading<'a> {
    fn new(file: &'a Path, options: &'a ImportOptions) -> Reading<'a> {
        Reading {
            file,
            options,
            files: vec![file.to_owned()],
            named: vec![],
            warnings: vec![],
            scenes: vec![],
            known: BTreeMap::new(),
            world: World {
                scenes: vec![],
                placements: vec![],
                numbers: vec![],
                parts: vec![],
                markers: vec![],
                links: vec![],
            },
            part_numbers: BTreeMap::new(),
            numbered: BTreeMap::new(),
        }
    }

    /// Adds a placement. `at` says where it is in the file.
    fn place(&mut self, place: Place, at: &dyn Fn() -> String) -> Result<(), ImportError> {
        let file = self.file;
        let map = map_of(&place)
            .map_err(|(finding, cure)| ImportError::bad(file, at(), finding, cure))?;
        let scene = self.scene(&place, at)?;
        let own = &self.scenes[scene];
        let bounds = bounds_of(own, &map);
        if own.vertices.iter().any(|p| map.apply(*p).iter().any(|v| !v.is_finite())) {
            let finding = "the file is placed so far away that coordinates are no numbers";
            return Err(ImportError::bad(file, at(), finding, "check translate and scale"));
        }
        let name = place.name.filter(|name| !name.is_empty());
        let named = |inner: &str| match &name {
            Some(name) if inner.is_empty() => name.clone(),
            Some(name) => format!("{name}/{inner}"),
            None => inner.to_owned(),
        };
        let World { numbers: all, parts, markers, links, placements, .. } = &mut self.world;
        let next = all.len();
        let numbers = *self.numbered.entry((scene, name.clone())).or_insert(next);
        if numbers == next {
            let number = |part: &Part| {
                let part = Part { node: named(&part.node), ..part.clone() };
                *self.part_numbers.entry(part).or_insert_with_key(|part| {
                    parts.push(part.clone());
                    parts.len() as u32 - 1
                })
            };
            all.push(own.parts.iter().map(number).collect());
        }
        markers.extend(own.markers.iter().map(|marker| Marker {
            name: named(&marker.name),
            position: map.apply(marker.position),
        }));
        links.extend(own.links.iter().map(|link| LinkNote {
            name: named(&link.name),
            from: map.apply(link.from),
            to: map.apply(link.to),
            cost: link.cost.map(|cost| cost * place.scale),
            width: link.width.map(|width| width * place.scale),
            place: format!("{}, {}: {}", file.display(), at(), link.place),
            ..link.clone()
        }));
        placements.push(Placement { scene, numbers, map, bounds });
        Ok(())
    }

    /// The number of the scene of a file, which is read if it is not known.
    fn scene(&mut self, place: &Place, at: &dyn Fn() -> String) -> Result<usize, ImportError> {
        let refuse = |finding: String, cure: &str| ImportError::bad(self.file, at(), finding, cure);
        let written = place.file.get_ref();
        let path = self.file.parent().unwrap_or(Path::new("")).join(written);
        let up = match place.up {
            None => self.options.up,
            Some(Axis::Y) => Up::Y,
            Some(Axis::Z) => Up::Z,
        };
        let key = (path.clone(), up == Up::Z);
        if let Some(&scene) = self.known.get(&key) {
            return Ok(scene);
        }
        if !self.options.outside {
            check_beside(self.file, &path)?;
        }
        match Format::of(&path) {
            Some(format) if !format.is_grid && format.name != FORMAT.name => {}
            Some(format) => {
                let finding = format!("`{written}` is a {}", format.name);
                return Err(refuse(finding, "place levels of triangles, such as .glb or .obj"));
            }
            None => {
                let finding =
                    format!("the extension of `{written}` is none of {}", Format::extensions());
                return Err(refuse(finding, "export the level to one of these formats"));
            }
        }
        let options = ImportOptions { up, ..self.options.clone() };
        let import = crate::read(&path, &options).map_err(|error| match error.kind {
            ImportErrorKind::Io => {
                let finding = format!("`{written}` {}", error.finding);
                refuse(finding, "check the path, which begins at the world's folder").about(&path)
            }
            _ => error,
        })?;
        let Source::Scene(scene) = import.source else {
            return Err(refuse(format!("`{written}` has no triangles"), "place another file"));
        };
        for (own, more) in [(&mut self.files, import.files), (&mut self.named, import.named)] {
            for file in more {
                if !own.contains(&file) {
                    own.push(file);
                }
            }
        }
        self.warnings.extend(import.warnings);
        self.scenes.push(scene);
        self.known.insert(key, self.scenes.len() - 1);
        Ok(self.scenes.len() - 1)
    }
}

/// The map of a placement; otherwise what is wrong with it, and its cure.
fn map_of(place: &Place) -> Result<Affine, (String, &'static str)> {
    if !(place.scale.is_finite() && place.scale > 0.0) {
        return Err((format!("scale is {}", place.scale), "give a number greater than 0"));
    }
    if !place.translate.iter().all(|v| v.is_finite()) {
        return Err(("translate is not three numbers".into(), "give x, y and z in metres"));
    }
    if place.quaternion.is_some() && place.rotate != 0.0 {
        return Err(("rotate and quaternion are both given".into(), "leave out one"));
    }
    if !place.rotate.is_finite() {
        return Err((format!("rotate is {}", place.rotate), "give degrees about the y axis"));
    }
    let turn = place.quaternion.unwrap_or_else(|| turn_about_y(place.rotate));
    let map = Affine::from_parts(place.translate, turn, [place.scale; 3]);
    map.ok_or_else(|| {
        ("quaternion is no rotation".into(), "give x, y, z and w, of which one is not 0")
    })
}

/// A rotation about the y axis as a quaternion. Quarter turns are exact.
fn turn_about_y(degrees: f64) -> [f64; 4] {
    let degrees = degrees.rem_euclid(360.0);
    // Not of unit length: (0, sin, 0, cos) of the half angle times any number is the same turn.
    let [sine, cosine] = match degrees {
        0.0 => [0.0, 1.0],
        90.0 => [1.0, 1.0],
        180.0 => [1.0, 0.0],
        270.0 => [1.0, -1.0],
        _ => {
            // The same on every machine, unlike the standard library's.
            let (sine, cosine) = libm::sincos(degrees.to_radians() / 2.0);
            [sine, cosine]
        }
    };
    [0.0, sine, 0.0, cosine]
}

/// Least and greatest `[x, z]` of a scene's vertices once they are placed.
fn bounds_of(scene: &Scene, map: &Affine) -> [[f64; 2]; 2] {
    let none = || [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    let join = |a: [[f64; 2]; 2], b: [[f64; 2]; 2]| {
        [[0, 1].map(|k| a[0][k].min(b[0][k])), [0, 1].map(|k| a[1][k].max(b[1][k]))]
    };
    let all = scene.vertices.par_iter().with_min_len(1 << 13).map(|p| {
        let [x, _, z] = map.apply(*p);
        [[x, z]; 2]
    });
    all.reduce(none, join)
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
