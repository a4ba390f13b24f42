//! Collects triangles into a scene.

use std::collections::BTreeMap;
use std::path::Path;

use navbake_level::{LinkNote, Marker, Part, Scene, Warning};
use rayon::prelude::*;

use crate::budget::{Budget, TRIANGLE, VERTEX};
use crate::{ImportError, ImportOptions, Nonfinite};

/// Triangles of a file, converted to y-up metres as they are added.
pub(crate) struct Soup<'a> {
    file: &'a Path,
    options: &'a ImportOptions,
    scene: Scene,
    parts: BTreeMap<Part, u32>,
    dropped: u64,
    first_dropped: String,
    are_finite: bool,
}

impl<'a> Soup<'a> {
    pub(crate) fn new(file: &'a Path, options: &'a ImportOptions) -> Self {
        Soup {
            file,
            options,
            scene: Scene::default(),
            parts: BTreeMap::new(),
            dropped: 0,
            first_dropped: String::new(),
            are_finite: true,
        }
    }

    /// The number of a part; equal names are one part.
    pub(crate) fn part(&mut self, part: Part) -> u32 {
        let next = self.scene.parts.len() as u32;
        *self.parts.entry(part).or_insert_with_key(|part| {
            self.scene.parts.push(part.clone());
            next
        })
    }

    /// Makes room, once it is known how much there will be.
    ///
    /// # Errors
    /// When it is more than the budget or 32-bit numbers allow.
    pub(crate) fn reserve(
        &mut self,
        budget: &Budget,
        vertices: u64,
        triangles: u64,
    ) -> Result<(), ImportError> {
        let bytes =
            vertices.saturating_mul(VERTEX).saturating_add(triangles.saturating_mul(TRIANGLE));
        let place = format!("{triangles} triangles with all instances counted");
        budget.spend(&place, bytes)?;
        if vertices.max(triangles) > u64::from(u32::MAX) {
            return Err(ImportError::bad(
                self.file,
                place,
                "the level has more triangles or vertices than can be numbered",
                "split the level",
            ));
        }
        self.scene.vertices.reserve_exact(vertices as usize);
        self.scene.triangles.reserve_exact(triangles as usize);
        self.scene.triangle_parts.reserve_exact(triangles as usize);
        Ok(())
    }

    /// Takes the vertices of all triangles, in the file's axes and units.
    pub(crate) fn take_vertices(&mut self, mut vertices: Vec<[f64; 3]>, are_finite: bool) {
        vertices.par_iter_mut().for_each(|p| *p = self.options.place(*p));
        self.scene.vertices = vertices;
        self.are_finite &= are_finite;
    }

    /// Adds triangles with their own vertices.
    ///
    /// `vertices` are in the file's axes and units. `place_of` names a vertex's place in the file,
    /// for the error if it is not finite. `flip` reverses the winding.
    pub(crate) fn add(
        &mut self,
        part: u32,
        vertices: impl Iterator<Item = [f64; 3]>,
        triangles: &[[u32; 3]],
        flip: bool,
        place_of: &dyn Fn(u32) -> String,
    ) -> Result<(), ImportError> {
        let base = self.scene.vertices.len();
        let mut are_finite = true;
        for p in vertices {
            let p = self.options.place(p);
            are_finite &= p.iter().all(|c| c.is_finite());
            self.scene.vertices.push(p);
        }
        self.add_triangles(part, base, triangles, flip, are_finite, place_of)
    }

    /// Adds triangles of vertices that are there already, from `base` on.
    pub(crate) fn add_triangles(
        &mut self,
        part: u32,
        base: usize,
        triangles: &[[u32; 3]],
        flip: bool,
        are_finite: bool,
        place_of: &dyn Fn(u32) -> String,
    ) -> Result<(), ImportError> {
        self.are_finite &= are_finite;
        if are_finite && base == 0 && !flip {
            self.scene.triangles.extend_from_slice(triangles);
            let count = self.scene.triangles.len();
            self.scene.triangle_parts.resize(count, part);
            return Ok(());
        }
        let bad = |scene: &Scene, i: u32| {
            scene.vertices[base + i as usize].iter().any(|c| !c.is_finite())
        };
        for &t in triangles {
            if !are_finite && let Some(&i) = t.iter().find(|&&i| bad(&self.scene, i)) {
                self.nonfinite(|| place_of(i))?;
                continue;
            }
            let [a, b, c] = t.map(|i| base as u32 + i);
            self.scene.triangles.push(if flip { [a, c, b] } else { [a, b, c] });
            self.scene.triangle_parts.push(part);
        }
        Ok(())
    }

    fn nonfinite(&mut self, place: impl Fn() -> String) -> Result<(), ImportError> {
        if self.options.nonfinite == Nonfinite::Refuse {
            return Err(ImportError::bad(
                self.file,
                place(),
                "a triangle uses this vertex, which is not a finite number (NaN or infinite, or too large once placed)",
                "repair the mesh in its editor, or let such triangles be left out (nonfinite = \"drop\")",
            ));
        }
        if self.dropped == 0 {
            self.first_dropped = place();
        }
        self.dropped += 1;
        Ok(())
    }

    /// Adds off-mesh links, already in y-up metres.
    pub(crate) fn links(&mut self, links: Vec<LinkNote>) {
        self.scene.links.extend(links);
    }

    /// Adds a named point, given in the file's axes and units.
    pub(crate) fn marker(&mut self, name: &str, position: [f64; 3], warnings: &mut Vec<Warning>) {
        let position = self.options.place(position);
        if position.iter().all(|c| c.is_finite()) {
            self.scene.markers.push(Marker { name: name.to_owned(), position });
        } else {
            warnings.push(Warning {
                code: "nonfinite-marker",
                message: format!("the marker `{name}` has no finite position and was left out"),
                place: self.file.display().to_string().into(),
            });
        }
    }

    /// The scene, when it has a triangle or may be empty.
    pub(crate) fn finish(mut self, warnings: &mut Vec<Warning>) -> Result<Scene, ImportError> {
        if !self.are_finite {
            // Nothing uses the others, but a scene holds finite positions only.
            for p in &mut self.scene.vertices {
                if p.iter().any(|c| !c.is_finite()) {
                    *p = [0.0; 3];
                }
            }
        }
        if self.dropped > 0 {
            warnings.push(Warning {
                code: "nonfinite-vertices",
                message: format!(
                    "{} triangles use vertices that are not finite numbers and were left out",
                    self.dropped
                ),
                place: format!("{}, {}", self.file.display(), self.first_dropped).into(),
            });
        }
        if self.scene.triangles.is_empty() {
            let finding = if self.dropped > 0 {
                "no triangle is left: every one uses a vertex that is not a finite number"
            } else {
                "the file has no triangles"
            };
            let finding = match warnings.first() {
                Some(w) if self.dropped == 0 => format!("{finding}: {}", w.message),
                _ => finding.to_owned(),
            };
            empty(self.file, &finding, self.options, warnings)?;
        }
        Ok(self.scene)
    }
}

/// Refuses an empty level, or warns where it is allowed.
pub(crate) fn empty(
    file: &Path,
    finding: &str,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Result<(), ImportError> {
    if !options.allow_empty {
        return Err(ImportError::bad(
            file,
            "the whole file",
            finding,
            "export the level's surfaces as well, or allow empty levels",
        ));
    }
    warnings.push(Warning {
        code: "empty-level",
        message: finding.to_owned(),
        place: file.display().to_string().into(),
    });
    Ok(())
}
