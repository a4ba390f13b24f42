//! A part of a navmesh: some of its polygons.

use navbake_mesh::{NONE, PolygonMesh};

/// The polygons marked in `keep` (one entry a polygon), in their order, without the vertices that
/// no polygon uses any more. Edges to polygons that are left out become border.
///
/// # Panics
/// When `keep` is not as long as the polygons.
pub fn keep(mesh: &PolygonMesh, keep: &[bool]) -> PolygonMesh {
    assert_eq!(keep.len(), mesh.len(), "one mark a polygon");
    let mut place = vec![NONE; keep.len()];
    let mut used = vec![NONE; mesh.vertices.len()];
    let kept = || (0..keep.len()).filter(|&p| keep[p]);
    for (number, p) in kept().enumerate() {
        place[p] = number as u32;
        for &v in mesh.polygon(p) {
            used[v as usize] = 0;
        }
    }
    let mut out = PolygonMesh { first_edge: vec![0], ..PolygonMesh::default() };
    for (slot, &p) in used.iter_mut().zip(&mesh.vertices) {
        if *slot != NONE {
            *slot = out.vertices.len() as u32;
            out.vertices.push(p);
        }
    }
    for p in kept() {
        for e in mesh.edges(p) {
            out.corners.push(used[mesh.corners[e] as usize]);
            out.neighbours.push(match mesh.neighbours[e] {
                NONE => NONE,
                n => place[n as usize],
            });
        }
        out.first_edge.push(out.corners.len() as u32);
    }
    if !mesh.height_meshes.is_empty() {
        let of: Vec<u32> = kept().map(|p| mesh.height_mesh_of[p]).collect();
        out.set_height_meshes(&of, &mesh.height_meshes);
    }
    out.set_areas(kept().map(|p| mesh.area(p)).collect());
    out
}
