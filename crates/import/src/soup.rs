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
    /// Vertices and triangles that are there, of those that there is room for.
    filled: [usize; 2],
}

/// Triangles with their own vertices, to be placed.
pub(crate) struct Piece<'a, T> {
    pub(crate) part: u32,
    pub(crate) vertices: &'a [[f64; 3]],
    /// By number of its vertices.
    pub(crate) triangles: &'a [[u32; 3]],
    /// Reverses the winding.
    pub(crate) flip: bool,
    /// Where it comes from and where it goes.
    pub(crate) source: T,
}

impl<T> Piece<'_, T> {
    /// A triangle by the numbers of vertices from `base` on.
    fn triangle(&self, t: [u32; 3], base: usize) -> [u32; 3] {
        let [a, b, c] = t.map(|i| base as u32 + i);
        if self.flip { [a, c, b] } else { [a, b, c] }
    }
}

/// Vertices or triangles that a thread places at a time.
const PART: usize = 1 << 13;

/// The first items, cut into those of each piece.
fn split<'a, I, T>(
    mut items: &'a mut [I],
    pieces: &[Piece<'_, T>],
    count: impl Fn(&Piece<'_, T>) -> usize,
) -> Vec<&'a mut [I]> {
    let mut all = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let (own, rest) = items.split_at_mut(count(piece));
        all.push(own);
        items = rest;
    }
    all
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
            filled: [0; 2],
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

    /// Asks for room, once it is known how much there will be.
    ///
    /// # Errors
    /// When it is more than the budget or 32-bit numbers allow.
    pub(crate) fn ask_for_room(
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
        Ok(())
    }

    /// Reserves memory for triangles that [`Soup::add_triangles`] will add.
    pub(crate) fn reserve(&mut self, triangles: usize) {
        self.scene.triangles.reserve_exact(triangles);
        self.scene.triangle_parts.reserve_exact(triangles);
    }

    /// Makes room for vertices and triangles that [`Soup::add_pieces`] will fill.
    ///
    /// # Errors
    /// As [`Soup::ask_for_room`].
    pub(crate) fn make_room(
        &mut self,
        budget: &Budget,
        vertices: u64,
        triangles: u64,
    ) -> Result<(), ImportError> {
        self.ask_for_room(budget, vertices, triangles)?;
        // Zeros cost nothing until they are written to, so all threads map the memory.
        self.scene.vertices = vec![[0.0; 3]; vertices as usize];
        self.scene.triangles = vec![[0; 3]; triangles as usize];
        self.scene.triangle_parts = vec![0; triangles as usize];
        Ok(())
    }

    /// Fills the next vertices and triangles, on all threads.
    ///
    /// `world` brings a vertex to the file's axes and units. `place` names a vertex's place in the
    /// file, for the error if it is not finite.
    pub(crate) fn add_pieces<T: Sync>(
        &mut self,
        pieces: &[Piece<'_, T>],
        world: impl Fn(&T, [f64; 3]) -> [f64; 3] + Sync,
        place: impl Fn(&T, u32) -> String,
    ) -> Result<(), ImportError> {
        let options = self.options;
        let mut base = self.filled[0];
        let mut bases = Vec::with_capacity(pieces.len());
        for piece in pieces {
            bases.push(base);
            base += piece.vertices.len();
        }
        let own = split(&mut self.scene.vertices[self.filled[0]..], pieces, |p| p.vertices.len());
        let are_finite = pieces.par_iter().zip(own).map(|(piece, own)| {
            let vertices = own.par_iter_mut().zip(piece.vertices).with_min_len(PART);
            let is_finite = vertices.map(|(to, from)| {
                *to = options.place(world(&piece.source, *from));
                to.iter().all(|c| c.is_finite())
            });
            is_finite.reduce(|| true, |a, b| a & b)
        });
        let are_finite = are_finite.reduce(|| true, |a, b| a & b);
        self.filled[0] = base;
        if are_finite {
            let first = self.filled[1];
            let count = |piece: &Piece<'_, T>| piece.triangles.len();
            let own = split(&mut self.scene.triangles[first..], pieces, count);
            let parts = split(&mut self.scene.triangle_parts[first..], pieces, count);
            let own = own.into_par_iter().zip(parts);
            pieces.par_iter().zip(&bases).zip(own).for_each(|((piece, &base), (own, parts))| {
                let all = own.par_iter_mut().zip(parts).zip(piece.triangles).with_min_len(PART);
                all.for_each(|((to, part), &t)| {
                    (*to, *part) = (piece.triangle(t, base), piece.part);
                });
            });
            self.filled[1] += pieces.iter().map(count).sum::<usize>();
            return Ok(());
        }
        self.are_finite = false;
        for (piece, base) in pieces.iter().zip(bases) {
            for &t in piece.triangles {
                if let Some(&i) = t.iter().find(|&&i| self.is_odd(base + i as usize)) {
                    self.nonfinite(|| place(&piece.source, i))?;
                    continue;
                }
                self.scene.triangles[self.filled[1]] = piece.triangle(t, base);
                self.scene.triangle_parts[self.filled[1]] = piece.part;
                self.filled[1] += 1;
            }
        }
        Ok(())
    }

    /// Takes the vertices of all triangles, in the file's axes and units.
    pub(crate) fn take_vertices(&mut self, mut vertices: Vec<[f64; 3]>, are_finite: bool) {
        vertices.par_iter_mut().for_each(|p| *p = self.options.place(*p));
        self.scene.vertices = vertices;
        self.are_finite &= are_finite;
    }

    /// Adds triangles of vertices that are there already.
    ///
    /// `place_of` names a vertex's place in the file, for the error if it is not finite.
    pub(crate) fn add_triangles(
        &mut self,
        part: u32,
        triangles: &[[u32; 3]],
        place_of: &dyn Fn(u32) -> String,
    ) -> Result<(), ImportError> {
        if self.are_finite {
            self.scene.triangles.extend_from_slice(triangles);
        } else {
            for &t in triangles {
                match t.iter().find(|&&i| self.is_odd(i as usize)) {
                    Some(&i) => self.nonfinite(|| place_of(i))?,
                    None => self.scene.triangles.push(t),
                }
            }
        }
        let count = self.scene.triangles.len();
        self.scene.triangle_parts.resize(count, part);
        self.filled = [self.scene.vertices.len(), count];
        Ok(())
    }

    /// Is a vertex not a finite number?
    fn is_odd(&self, vertex: usize) -> bool {
        self.scene.vertices[vertex].iter().any(|c| !c.is_finite())
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
        // Triangles that were left out leave room.
        self.scene.triangles.truncate(self.filled[1]);
        self.scene.triangle_parts.truncate(self.filled[1]);
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
