//! Cuts faces of more than three corners into triangles.

use std::path::Path;

use navbake_geom::{cut_polygon, fan, is_strictly_convex};
use navbake_level::Warning;

use crate::ImportError;

/// Faces with more corners than this are not cut unless they are convex: the time grows with the
/// square of the corners.
const MOST_CORNERS: usize = 20_000;

/// Takes the faces in the file's order, and notes those that have no good cut.
pub(super) struct Cutter<'a> {
    file: &'a Path,
    /// The lines of the faces that remain.
    lines: std::slice::Iter<'a, usize>,
    /// Faces that are only fans now, and the line of the first.
    unsound: usize,
    first_unsound: usize,
}

impl<'a> Cutter<'a> {
    /// `lines` gives the line of each face.
    pub(super) fn new(file: &'a Path, lines: &'a [usize]) -> Self {
        Cutter { file, lines: lines.iter(), unsound: 0, first_unsound: 0 }
    }

    /// The triangles of the next face, by its corners' numbers: two fewer than corners, whatever
    /// the face. One that has no area or crosses itself becomes the fan of its first corner.
    ///
    /// # Errors
    /// For a face of more than [`MOST_CORNERS`] corners that is not convex.
    pub(super) fn cut(&mut self, corners: &[[f64; 3]]) -> Result<Vec<[usize; 3]>, ImportError> {
        let line = self.lines.next().copied().unwrap_or_default();
        if corners.len() > MOST_CORNERS && !is_strictly_convex(corners) {
            return Err(ImportError::bad(
                self.file,
                format!("line {line}"),
                format!("the face has more than {MOST_CORNERS} corners and is not convex"),
                "cut it into triangles in the mesh editor",
            ));
        }
        if let Some(triangles) = cut_polygon(corners) {
            return Ok(triangles);
        }
        // Corners that are not finite are reported as such.
        if corners.iter().flatten().all(|c| c.is_finite()) {
            if self.unsound == 0 {
                self.first_unsound = line;
            }
            self.unsound += 1;
        }
        Ok(fan(corners.len()))
    }

    pub(super) fn warning(&self) -> Option<Warning> {
        (self.unsound > 0).then(|| Warning {
            code: "unsound-faces",
            message: format!(
                "{} faces have no area or cross themselves; each was cut as the fan of its first corner",
                self.unsound
            ),
            place: format!("{}, line {}", self.file.display(), self.first_unsound).into(),
        })
    }
}
