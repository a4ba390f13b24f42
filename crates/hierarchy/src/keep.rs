//! Leaving out a part of a triangulation.

use navbake_mesh::{NONE, Triangulation};

/// The triangles marked in `keep` (one entry a triangle), in their order, without the vertices that no triangle uses any more. Edges to
/// triangles that are left out become border.
///
/// # Panics
/// When `keep` is not as long as the triangles.
pub fn keep(mesh: &Triangulation, keep: &[bool]) -> Triangulation {
    assert_eq!(keep.len(), mesh.triangles.len(), "one mark a triangle");
    let mut place = vec![NONE; keep.len()];
    let mut used = vec![NONE; mesh.vertices.len()];
    let kept = || (0..keep.len()).filter(|&t| keep[t]);
    for (number, t) in kept().enumerate() {
        place[t] = number as u32;
        for v in mesh.triangles[t] {
            used[v as usize] = 0;
        }
    }
    let mut out = Triangulation::default();
    for (slot, &p) in used.iter_mut().zip(&mesh.vertices) {
        if *slot != NONE {
            *slot = out.vertices.len() as u32;
            out.vertices.push(p);
        }
    }
    for t in kept() {
        out.triangles
            .push(mesh.triangles[t].map(|v| used[v as usize]));
        out.neighbours.push(mesh.neighbours[t].map(|n| match n {
            NONE => NONE,
            n => place[n as usize],
        }));
    }
    out
}
