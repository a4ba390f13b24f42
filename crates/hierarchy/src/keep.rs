//! A part of a navmesh: some of its polygons.

use navbake_mesh::{HeightMesh, NONE, PolygonMesh};

/// The polygons marked in `keep` (one entry a polygon), in their order, without the vertices that
/// no polygon uses any more. Edges to polygons that are left out become border.
///
/// # Panics
/// When `keep` is not as long as the polygons.
pub fn keep(mesh: &PolygonMesh, keep: &[bool]) -> PolygonMesh {
    assert_eq!(keep.len(), mesh.len(), "one mark a polygon");
    let kept: Vec<u32> = (0..keep.len() as u32).filter(|&p| keep[p as usize]).collect();
    part(mesh, &kept)
}

/// Some polygons, by ascending numbers; as [`keep`]. O(n log n) in these polygons.
///
/// # Panics
/// When there is no such polygon.
pub fn part(mesh: &PolygonMesh, polygons: &[u32]) -> PolygonMesh {
    let place = |list: &[u32], number: u32| list.binary_search(&number).map_or(NONE, |i| i as u32);
    let kept = || polygons.iter().map(|&p| p as usize);
    let used = distinct(kept().flat_map(|p| mesh.polygon(p)).copied());
    let mut out = PolygonMesh { first_edge: vec![0], ..PolygonMesh::default() };
    out.vertices = used.iter().map(|&v| mesh.vertices[v as usize]).collect();
    for p in kept() {
        for e in mesh.edges(p) {
            out.corners.push(place(&used, mesh.corners[e]));
            out.neighbours.push(match mesh.neighbours[e] {
                NONE => NONE,
                n => place(polygons, n),
            });
        }
        out.first_edge.push(out.corners.len() as u32);
    }
    if !mesh.height_meshes.is_empty() {
        let of: Vec<u32> = kept().map(|p| mesh.height_mesh_of[p]).collect();
        let named = distinct(of.iter().copied().filter(|&number| number != NONE));
        let all: Vec<HeightMesh> =
            named.iter().map(|&number| mesh.height_meshes[number as usize].clone()).collect();
        let of: Vec<u32> = of.iter().map(|&number| place(&named, number)).collect();
        out.set_height_meshes(&of, &all);
    }
    out.set_areas(kept().map(|p| mesh.area(p)).collect());
    out
}

/// Numbers, ascending, each once.
pub(crate) fn distinct(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut all: Vec<u32> = numbers.collect();
    all.sort_unstable();
    all.dedup();
    all
}
