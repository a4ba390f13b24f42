//! A bake by `rerecast` at the settings of Recast's demo: one mesh, watershed, cells of 0.3 by 0.2
//! m unless asked otherwise.
//!
//! The crate gives up where C++ Recast goes on: it panics on a triangle that rounding cuts into
//! eight corners, and ends with an error at a contour that crosses itself, of which Recast keeps
//! the part that it could triangulate. To compare on such levels as well, [`Input::new`] looks for
//! both beforehand, outside of the timed part, and leaves them out; the benchmark says how many.
//!
//! It also differs from C++ Recast where triangles end exactly on a line between cells: the piece
//! clipped for the row or column beyond is empty, and then it takes the piece before once more
//! (`divide_poly` leaves its counts as they are when nothing comes in). On levels built on a grid
//! that closes passages. Moving the cells by a millimetre against the level
//! ([`Entry::nudge`](crate::levels::Entry::nudge)) avoids it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use glam::{UVec3, Vec3A};
use navbake_level::Scene;
use rerecast::{
    AreaType, BuildContoursFlags, CompactHeightfield, ContourSet, DetailNavmesh, Heightfield,
    HeightfieldBuilder, PolygonNavmesh, TriMesh,
};

use crate::levels::Agent;
use crate::mesh::Mesh;

/// Height of a cell for a side of 1.
const CELL_HEIGHT: f64 = 2.0 / 3.0;
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

/// The cells that a level is cut into.
#[derive(Clone, Copy, Debug)]
pub struct Cells {
    /// Side of a cell, m; it is two thirds as high.
    pub side: f64,
    /// How far the cells are moved against the level along x and z, m.
    pub nudge: f64,
}

impl Default for Cells {
    /// Those of the demo.
    fn default() -> Self {
        let (side, nudge) = (0.3, 0.0);
        Cells { side, nudge }
    }
}

/// The result of a bake by `rerecast`.
#[derive(Debug)]
pub struct Baked {
    /// Polygons.
    pub polygons: PolygonNavmesh,
    /// Triangles at the right height.
    pub detail: DetailNavmesh,
}

/// A level as `rerecast` accepts it, and the parts that it cannot accept.
#[derive(Debug)]
pub struct Input {
    trimesh: TriMesh,
    agent: Agent,
    /// Side and height of a cell, m.
    cell: [f32; 2],
    /// How far the cells are moved against the level along x and z, m.
    nudge: f32,
    /// Contours that are left out, by number, descending.
    bad_contours: Vec<usize>,
    /// Triangles that were left out.
    pub triangles_left_out: usize,
}

impl Input {
    /// The level without the parts that `rerecast` cannot accept.
    ///
    /// # Errors
    /// As [`Input::bake`], for reasons of other kinds.
    pub fn new(scene: &Scene, agent: &Agent, cells: Cells) -> Result<Input, String> {
        let mut input = Input::raw(scene, agent, cells);
        // Panics of the trials are expected and not for the screen.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let trial = input.leave_out_bad_triangles();
        let trial = trial.and_then(|()| input.find_bad_contours());
        std::panic::set_hook(hook);
        trial.map(|()| input)
    }

    fn raw(scene: &Scene, agent: &Agent, cells: Cells) -> Input {
        let sides = [cells.side, cells.side * CELL_HEIGHT];
        let f32s = |p: &[f64; 3]| Vec3A::from_array(p.map(|v| v as f32));
        let corners = scene.triangles.iter().map(|t| UVec3::from_array(*t));
        Input {
            trimesh: TriMesh {
                vertices: scene.vertices.iter().map(f32s).collect(),
                indices: corners.collect(),
                area_types: vec![AreaType::NOT_WALKABLE; scene.triangles.len()],
            },
            agent: *agent,
            cell: sides.map(|v| v as f32),
            nudge: cells.nudge as f32,
            bad_contours: vec![],
            triangles_left_out: 0,
        }
    }

    /// Contours that are left out.
    pub fn contours_left_out(&self) -> usize {
        self.bad_contours.len()
    }

    /// Bakes: from triangles in memory to polygons and detail mesh, in the order of the demo.
    ///
    /// # Errors
    /// The error of `rerecast`, for instance that a mesh has more vertices than 16 bits can number.
    pub fn bake(&mut self) -> Result<Baked, String> {
        let (compact, mut contours) = self.contours()?;
        for &k in &self.bad_contours {
            contours.contours.remove(k);
        }
        let polygons = contours.into_polygon_mesh(CORNERS).map_err(|e| format!("polygons: {e}"))?;
        let detail = DetailNavmesh::new(
            &polygons,
            &compact,
            self.cell[0] * DETAIL_DISTANCE,
            self.cell[1] * DETAIL_ERROR,
        )
        .map_err(|e| format!("detail mesh: {e}"))?;
        Ok(Baked { polygons, detail })
    }

    fn contours(&mut self) -> Result<(CompactHeightfield, ContourSet), String> {
        let agent = &self.agent;
        self.trimesh.area_types.fill(AreaType::NOT_WALKABLE);
        self.trimesh.mark_walkable_triangles((agent.slope as f32).to_radians());
        let height = (agent.height as f32 / self.cell[1]).ceil() as u16;
        let radius = (agent.radius as f32 / self.cell[0]).ceil() as u16;
        let climb = self.climb();

        let mut field = self.heightfield()?;
        field.rasterize_triangles(&self.trimesh, climb).map_err(|e| format!("rasterise: {e}"))?;
        field.filter_low_hanging_walkable_obstacles(climb);
        field.filter_ledge_spans(height, climb);
        field.filter_walkable_low_height_spans(height);
        let mut compact = field.into_compact(height, climb).map_err(|e| format!("compact: {e}"))?;
        compact.erode_walkable_area(radius);
        compact.build_distance_field();
        compact.build_regions(0, MIN_REGION, MERGE_REGION).map_err(|e| format!("regions: {e}"))?;
        let edge = (MAX_EDGE / self.cell[0]) as u16;
        let contours = compact.build_contours(MAX_ERROR, edge, BuildContoursFlags::DEFAULT);
        Ok((compact, contours))
    }

    /// The highest step, cells.
    fn climb(&self) -> u16 {
        (self.agent.climb as f32 / self.cell[1]).floor() as u16
    }

    fn heightfield(&self) -> Result<Heightfield, String> {
        let mut aabb = self.trimesh.compute_aabb().ok_or("the level is empty")?;
        aabb.min.x -= self.nudge;
        aabb.min.z -= self.nudge;
        let builder =
            HeightfieldBuilder { aabb, cell_size: self.cell[0], cell_height: self.cell[1] };
        builder.build().map_err(|e| format!("heightfield: {e}"))
    }

    fn leave_out_bad_triangles(&mut self) -> Result<(), String> {
        let mut field = self.heightfield()?;
        let (climb, vertices) = (self.climb(), &self.trimesh.vertices);
        let before = self.trimesh.indices.len();
        self.trimesh.indices.retain(|t| {
            let corners = t.to_array().map(|v| vertices[v as usize]);
            // After a panic the heightfield is only used for further trials.
            let work = || field.rasterize_triangle(corners, AreaType::NOT_WALKABLE, climb);
            matches!(catch_unwind(AssertUnwindSafe(work)), Ok(Ok(())))
        });
        let kept = self.trimesh.indices.len();
        self.trimesh.area_types.truncate(kept);
        self.triangles_left_out = before - kept;
        Ok(())
    }

    fn find_bad_contours(&mut self) -> Result<(), String> {
        let (_, contours) = self.contours()?;
        if meshes(contours.clone()) {
            return Ok(());
        }
        let frame = ContourSet { contours: vec![], ..contours.clone() };
        let bad = |k: &usize| {
            let one = ContourSet { contours: vec![contours.contours[*k].clone()], ..frame.clone() };
            !meshes(one)
        };
        self.bad_contours = (0..contours.contours.len()).rev().filter(bad).collect();
        Ok(())
    }
}

/// Can `rerecast` make polygons of these contours?
fn meshes(contours: ContourSet) -> bool {
    let work = || contours.into_polygon_mesh(CORNERS);
    matches!(catch_unwind(AssertUnwindSafe(work)), Ok(Ok(_)))
}

/// The polygons in metres. Their heights are those of the cells at the corners; the detail mesh is
/// left out.
pub fn mesh(baked: &Baked) -> Mesh {
    let m = &baked.polygons;
    let metres = |v: &glam::U16Vec3| {
        let [x, y, z] = v.to_array().map(f64::from);
        let least = m.aabb.min.to_array().map(f64::from);
        let (side, high) = (f64::from(m.cell_size), f64::from(m.cell_height));
        [least[0] + x * side, least[1] + y * high, least[2] + z * side]
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
            vertices: vec![[0.0; 3], [0.0, 0.0, 20.0], [20.0, 0.0, 20.0], [20.0, 0.0, 0.0]],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            ..Scene::default()
        };
        let mut input = Input::new(&scene, &Agent::default(), Cells::default()).expect("a level");
        assert_eq!((input.triangles_left_out, input.contours_left_out()), (0, 0));
        let baked = input.bake().expect("bakes");
        let area = mesh(&baked).area();
        assert!((300.0..=18.8 * 18.8).contains(&area), "{area}");
    }
}
