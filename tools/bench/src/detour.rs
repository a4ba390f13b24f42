//! The size of Detour's data for a mesh: the bytes that `dtCreateNavMeshData` allocates for one
//! tile without off-mesh links, version 7.

use rerecast::{DetailNavmesh, PolygonNavmesh};

const HEADER: usize = 100;
const VERTEX: usize = 12;
const POLYGON: usize = 32;
const LINK: usize = 12;
const DETAIL_MESH: usize = 12;
const DETAIL_VERTEX: usize = 12;
const DETAIL_TRIANGLE: usize = 4;
const BV_NODE: usize = 16;

/// Bytes of the navmesh with the detail mesh and the bounding-volume tree, as Recast's demo makes
/// it. References have 32 bits; in a single mesh no edge is a portal to another tile, so there is
/// one link an edge.
pub fn bytes(mesh: &PolygonNavmesh, detail: &DetailNavmesh) -> usize {
    let polygons = mesh.polygon_count();
    let corners: usize = mesh.polygons().map(Iterator::count).sum();
    // Corners of a polygon are not stored a second time with its detail mesh.
    let own: usize = detail.meshes.iter().map(|m| m.vertex_count as usize).sum();
    let extra = own.saturating_sub(corners);
    HEADER
        + VERTEX * mesh.vertices.len()
        + POLYGON * polygons
        + LINK * corners
        + DETAIL_MESH * polygons
        + DETAIL_VERTEX * extra
        + DETAIL_TRIANGLE * detail.triangles.len()
        + BV_NODE * 2 * polygons
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{U16Vec3, Vec3};
    use rerecast::SubMesh;

    #[test]
    fn one_square_with_one_point_in_its_middle() {
        let mesh = PolygonNavmesh {
            vertices: vec![U16Vec3::ZERO; 4],
            polygons: vec![0, 1, 2, 3, u16::MAX, u16::MAX],
            max_vertices_per_polygon: 6,
            ..PolygonNavmesh::default()
        };
        let detail = DetailNavmesh {
            meshes: vec![SubMesh { vertex_count: 5, triangle_count: 4, ..SubMesh::default() }],
            vertices: vec![Vec3::ZERO; 5],
            triangles: vec![[0, 1, 2]; 4],
            triangle_flags: vec![0; 4],
        };
        assert_eq!(bytes(&mesh, &detail), 100 + 4 * 12 + 32 + 4 * 12 + 12 + 12 + 16 + 32);
    }
}
