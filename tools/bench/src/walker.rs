//! Detour itself (C++, through the crate `recastnavigation-rs`), on meshes that `rerecast` bakes.

use recastnavigation_rs::detour::{
    DtNavMesh, DtNavMeshCreateParams, DtNavMeshQuery, DtPolyRef, DtQueryFilter,
    DtStraightPathOptions, dt_create_nav_mesh_data,
};

use crate::levels::Agent;
use crate::peer::Baked;

/// How far from a point Detour looks for ground, m: what its demo takes.
const EXTENTS: [f32; 3] = [2.0, 4.0, 2.0];
/// Room for polygons and points of a path.
const ROOM: usize = 4096;

/// A mesh that Detour answers on.
pub struct Walker {
    /// Before the mesh that it points to.
    query: DtNavMeshQuery,
    _mesh: DtNavMesh,
    filter: DtQueryFilter,
    polygons: Vec<DtPolyRef>,
    points: Vec<[f32; 3]>,
}

impl Walker {
    /// Detour on one mesh, with room for `nodes` nodes in a search.
    ///
    /// # Errors
    /// When Detour does not accept the mesh.
    pub fn new(baked: &Baked, agent: &Agent, nodes: usize) -> Result<Walker, String> {
        let mesh = &baked.polygons;
        let nvp = usize::from(mesh.max_vertices_per_polygon);
        let vertices: Vec<[u16; 3]> = mesh.vertices.iter().map(|v| v.to_array()).collect();
        let rows = mesh.polygons.chunks(nvp).zip(mesh.polygon_neighbors.chunks(nvp));
        let polygons: Vec<u16> = rows.flat_map(|(p, n)| p.iter().chain(n).copied()).collect();
        let count = mesh.polygons.len() / nvp;
        let (flags, areas) = (vec![1u16; count], vec![0u8; count]);
        let detail = &baked.detail;
        let meshes: Vec<[u32; 4]> = (detail.meshes.iter())
            .map(|m| [m.base_vertex_index, m.vertex_count, m.base_triangle_index, m.triangle_count])
            .collect();
        let detail_vertices: Vec<[f32; 3]> = detail.vertices.iter().map(|v| v.to_array()).collect();
        let triangles: Vec<[u8; 4]> = (detail.triangles.iter().zip(&detail.triangle_flags))
            .map(|(t, flags)| [t[0], t[1], t[2], *flags])
            .collect();
        let mut params = DtNavMeshCreateParams {
            verts: Some(&vertices),
            polys: Some(&polygons),
            poly_flags: Some(&flags),
            poly_areas: Some(&areas),
            nvp,
            detail_meshes: Some(&meshes),
            detail_verts: Some(&detail_vertices),
            detail_tris: Some(&triangles),
            bmin: mesh.aabb.min.to_array(),
            bmax: mesh.aabb.max.to_array(),
            walkable_height: agent.height as f32,
            walkable_radius: agent.radius as f32,
            walkable_climb: agent.climb as f32,
            cs: mesh.cell_size,
            ch: mesh.cell_height,
            build_bv_tree: true,
            ..DtNavMeshCreateParams::default()
        };
        let data =
            dt_create_nav_mesh_data(&mut params).map_err(|e| format!("Detour data: {e:?}"))?;
        let mesh = DtNavMesh::with_data(data).map_err(|e| format!("Detour mesh: {e:?}"))?;
        let query =
            DtNavMeshQuery::with_mesh(&mesh, nodes).map_err(|e| format!("Detour query: {e:?}"))?;
        Ok(Walker {
            query,
            _mesh: mesh,
            filter: DtQueryFilter::default(),
            polygons: vec![DtPolyRef::default(); ROOM],
            points: vec![[0.0; 3]; ROOM],
        })
    }

    /// A whole query: both ends looked up, a path, its corners. `None` when there is no whole path;
    /// else its length in the ground plane, m.
    pub fn path(&mut self, from: [f32; 3], to: [f32; 3]) -> Option<f64> {
        let filter = &self.filter;
        let nearest = |p: &[f32; 3]| self.query.find_nearest_poly_1(p, &EXTENTS, filter).ok();
        let (start, a) = nearest(&from)?;
        let (end, b) = nearest(&to)?;
        if start.is_null() || end.is_null() {
            return None;
        }
        let polygons = &mut self.polygons;
        let count = self.query.find_path(start, end, &a, &b, filter, polygons).ok()?;
        if count == 0 || self.polygons[count - 1] != end {
            return None;
        }
        let options = DtStraightPathOptions::default();
        let corners = self
            .query
            .find_straight_path(
                &a,
                &b,
                &self.polygons[..count],
                &mut self.points,
                None,
                None,
                options,
            )
            .ok()?;
        let flat = |p: &[f32; 3]| [f64::from(p[0]), f64::from(p[2])];
        let legs = self.points[..corners].windows(2).map(|w| {
            let (p, q) = (flat(&w[0]), flat(&w[1]));
            (p[0] - q[0]).hypot(p[1] - q[1])
        });
        Some(legs.sum())
    }
}
