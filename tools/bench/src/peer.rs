//! A bake by `rerecast` at the settings of Recast's demo: one mesh, watershed, cells of 0.3 by 0.2 m.

use glam::{UVec3, Vec3A};
use navbake_level::Scene;
use rerecast::{
    AreaType, BuildContoursFlags, DetailNavmesh, HeightfieldBuilder, PolygonNavmesh, TriMesh,
};

use crate::levels::Agent;
use crate::mesh::Mesh;

/// Side of a cell, m.
const CELL: f32 = 0.3;
/// Height of a cell, m.
const CELL_HEIGHT: f32 = 0.2;
/// Cells of the smallest region that is kept.
const MIN_REGION: u16 = 8 * 8;
/// Regions of fewer cells are merged with others where that can be.
const MERGE_REGION: u16 = 20 * 20;
/// The longest edge of a border, m.
const MAX_EDGE: f32 = 12.0;
/// How far a border may be off the cells, cells.
const MAX_ERROR: f32 = 1.3;
const CORNERS: u16 = 6;
/// Distance of height samples, cells.
const DETAIL_DISTANCE: f32 = 6.0;
/// Greatest error of heights against the cells, cells.
const DETAIL_ERROR: f32 = 1.0;

/// What a bake by `rerecast` gives.
#[derive(Debug)]
pub struct Baked {
    /// Polygons.
    pub polygons: PolygonNavmesh,
    /// Triangles at the right height.
    pub detail: DetailNavmesh,
}

/// The level as `rerecast` takes it.
pub fn trimesh(scene: &Scene) -> TriMesh {
    let f32s = |p: &[f64; 3]| Vec3A::from_array(p.map(|v| v as f32));
    TriMesh {
        vertices: scene.vertices.iter().map(f32s).collect(),
        indices: scene
            .triangles
            .iter()
            .map(|t| UVec3::from_array(*t))
            .collect(),
        area_types: vec![AreaType::NOT_WALKABLE; scene.triangles.len()],
    }
}

/// Bakes: from triangles in memory to polygons and detail mesh, in the order of the demo.
///
/// # Errors
/// What `rerecast` says, for instance that a mesh has more vertices than 16 bits can name.
pub fn bake(trimesh: &mut TriMesh, agent: &Agent) -> Result<Baked, String> {
    trimesh.area_types.fill(AreaType::NOT_WALKABLE);
    trimesh.mark_walkable_triangles((agent.slope as f32).to_radians());
    let aabb = trimesh.compute_aabb().ok_or("the level is empty")?;
    let height = (agent.height as f32 / CELL_HEIGHT).ceil() as u16;
    let climb = (agent.climb as f32 / CELL_HEIGHT).floor() as u16;
    let radius = (agent.radius as f32 / CELL).ceil() as u16;

    let mut field = HeightfieldBuilder {
        aabb,
        cell_size: CELL,
        cell_height: CELL_HEIGHT,
    }
    .build()
    .map_err(|e| format!("heightfield: {e}"))?;
    field
        .rasterize_triangles(trimesh, climb)
        .map_err(|e| format!("rasterise: {e}"))?;
    field.filter_low_hanging_walkable_obstacles(climb);
    field.filter_ledge_spans(height, climb);
    field.filter_walkable_low_height_spans(height);
    let mut compact = field
        .into_compact(height, climb)
        .map_err(|e| format!("compact: {e}"))?;
    compact.erode_walkable_area(radius);
    compact.build_distance_field();
    compact
        .build_regions(0, MIN_REGION, MERGE_REGION)
        .map_err(|e| format!("regions: {e}"))?;
    let edge = (MAX_EDGE / CELL) as u16;
    let contours = compact.build_contours(MAX_ERROR, edge, BuildContoursFlags::DEFAULT);
    let polygons = contours
        .into_polygon_mesh(CORNERS)
        .map_err(|e| format!("polygons: {e}"))?;
    let detail = DetailNavmesh::new(
        &polygons,
        &compact,
        CELL * DETAIL_DISTANCE,
        CELL_HEIGHT * DETAIL_ERROR,
    )
    .map_err(|e| format!("detail mesh: {e}"))?;
    Ok(Baked { polygons, detail })
}

/// The polygons in metres. Their heights are those of the cells at the corners; the detail mesh is left out.
pub fn mesh(baked: &Baked) -> Mesh {
    let m = &baked.polygons;
    let metres = |v: &glam::U16Vec3| {
        let [x, y, z] = v.to_array().map(f64::from);
        let least = m.aabb.min.to_array().map(f64::from);
        let (side, high) = (f64::from(m.cell_size), f64::from(m.cell_height));
        [
            least[0] + x * side,
            least[1] + y * high,
            least[2] + z * side,
        ]
    };
    Mesh {
        vertices: m.vertices.iter().map(metres).collect(),
        polygons: m.polygons().map(|p| p.map(u32::from).collect()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_of_20_m_loses_the_radius_on_each_side() {
        let scene = Scene {
            vertices: vec![
                [0.0; 3],
                [0.0, 0.0, 20.0],
                [20.0, 0.0, 20.0],
                [20.0, 0.0, 0.0],
            ],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            ..Scene::default()
        };
        let baked = bake(&mut trimesh(&scene), &Agent::default()).expect("bakes");
        let area = mesh(&baked).area();
        assert!((300.0..=18.8 * 18.8).contains(&area), "{area}");
    }
}
