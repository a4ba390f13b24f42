//! The text of a world, and the files that it names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use navbake_level::{LinkNote, Marker, Part, Scene, Source, Warning};
use rayon::prelude::*;
use serde::Deserialize;
use toml::Spanned;

use super::{FORMAT, Placement, World, WorldImport};
use crate::files::check_beside;
use crate::transform::Affine;
use crate::{Format, ImportError, ImportErrorKind, ImportOptions, Up, condense};

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

/// Reads the text of a world, and each file that it places once.
pub(super) fn read(
    bytes: Vec<u8>,
    file: &Path,
    options: &ImportOptions,
) -> Result<WorldImport, ImportError> {
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
