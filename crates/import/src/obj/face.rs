//! Cuts faces of more than three corners into triangles.

use navbake_geom::{cut_polygon, fan, is_strictly_convex};

use super::chunk::Finding;

/// Faces with more corners than this are not cut unless they are convex: the time grows with the
/// square of the corners.
const MOST_CORNERS: usize = 20_000;

/// The triangles of a face, by its corners' numbers, and whether the face is sound: two fewer than
/// corners, whatever the face. One that has no area or crosses itself is not sound and becomes the
/// fan of its first corner.
///
/// # Errors
/// For a face of more than [`MOST_CORNERS`] corners that is not convex.
pub(super) fn cut(corners: &[[f64; 3]]) -> Result<(Vec<[usize; 3]>, bool), Finding> {
    if corners.len() > MOST_CORNERS && !is_strictly_convex(corners) {
        return Err((
            format!("the face has more than {MOST_CORNERS} corners and is not convex"),
            "cut it into triangles in the mesh editor",
        ));
    }
    if let Some(triangles) = cut_polygon(corners) {
        return Ok((triangles, true));
    }
    // Corners that are not finite are reported as such.
    let is_sound = !corners.iter().flatten().all(|c| c.is_finite());
    Ok((fan(corners.len()), is_sound))
}
