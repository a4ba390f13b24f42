//! Patches, the navmesh, and how it is merged.

use navbake_geom::Point3;

/// Marks an edge with nothing beyond.
pub const NONE: u32 = u32::MAX;

/// Convex polygons with portals: the navmesh while it is baked.
///
/// # Heights
/// The height of a polygon with a [`HeightMesh`] is that of the height mesh. That of another
/// polygon is linear on its edges, and inside that of the fan of triangles from its first corner:
/// of the triangles (first, k, k + 1) with an area above zero, k rising, the first one that
/// contains the place, taken as a plane. So such a polygon must go on beginning where it begins
/// unless it is flat. [`navbake_format::fan`] and [`navbake_format::detail`] are what readers use.
///
/// # Steps
/// A portal whose two edges use different vertices is a step: same segment of the ground plane,
/// other heights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolygonMesh {
    /// Vertices, each used.
    pub vertices: Vec<Point3>,
    /// Where each polygon's edges begin in `corners` and `neighbours`; one more entry than
    /// polygons.
    pub first_edge: Vec<u32>,
    /// Polygons' corners, counter-clockwise seen from above, convex; collinear corners are allowed,
    /// repeated ones are not.
    pub corners: Vec<u32>,
    /// For each edge (corner k to the next) the polygon beyond, or [`NONE`].
    ///
    /// Mirrored, with the same XZ segment on both sides.
    pub neighbours: Vec<u32>,
    /// The height mesh of each polygon, an index into `height_meshes`, or [`NONE`]; empty
    /// when no polygon has any.
    pub height_mesh_of: Vec<u32>,
    /// Height meshes, numbered in the order in which polygons first name them.
    pub height_meshes: Vec<HeightMesh>,
    /// The area of each polygon; empty when all are area 0.
    pub areas: Vec<u8>,
}

/// The height of ground over a box of the ground plane: linear in the Delaunay triangles of the
/// box's corners and the *height points*. All in whole steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct HeightMesh {
    /// Least corner of the box `[x, z]`, grid units.
    pub least: [i32; 2],
    /// The box's sides in steps.
    pub size: [u16; 2],
    /// A step along x and z is `2^shift` grid units.
    pub shift: u32,
    /// The base that heights are counted from, grid units.
    pub base: i32,
    /// A step upwards is `2^up` grid units.
    pub up: u32,
    /// Heights of the box's corners, counter-clockwise seen from above from the least one on, in
    /// steps from the base.
    pub corners: [u16; 4],
    /// Height points `[x, y, z]` in steps from the least corner and the base; none at a corner of
    /// the box, no two at one place.
    pub points: Vec<[u16; 3]>,
}

impl PolygonMesh {
    /// The height mesh of a polygon.
    pub fn height_mesh(&self, polygon: usize) -> Option<&HeightMesh> {
        let number = self.height_mesh_of.get(polygon)?;
        self.height_meshes.get(*number as usize)
    }

    /// The area of a polygon.
    pub fn area(&self, polygon: usize) -> u8 {
        self.areas.get(polygon).copied().unwrap_or(0)
    }

    /// Gives polygons their areas.
    pub fn set_areas(&mut self, areas: Vec<u8>) {
        self.areas = areas;
        if self.areas.iter().all(|&a| a == 0) {
            self.areas.clear();
        }
    }

    /// Gives polygons their height meshes: for each polygon an index into `all`, or
    /// [`NONE`].
    ///
    /// They are numbered anew, and those that none names left out.
    pub fn set_height_meshes(&mut self, of: &[u32], all: &[HeightMesh]) {
        self.height_meshes.clear();
        self.height_mesh_of.clear();
        let mut number = vec![NONE; all.len()];
        for &old in of {
            let Some(slot) = number.get_mut(old as usize) else {
                self.height_mesh_of.push(NONE);
                continue;
            };
            if *slot == NONE {
                *slot = self.height_meshes.len() as u32;
                self.height_meshes.push(all[old as usize].clone());
            }
            self.height_mesh_of.push(*slot);
        }
        if self.height_meshes.is_empty() {
            self.height_mesh_of.clear();
        }
    }
}

/// The ground of one layer of one tile as convex polygons, not yet joined to others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// Polygons with their neighbours in the patch.
    pub mesh: PolygonMesh,
    /// For each edge of `mesh`: may it be joined to an edge of another patch?
    pub open: Vec<bool>,
}

/// How triangles are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergeSettings {
    /// The greatest distance of a polygon's heights (see [`PolygonMesh`]) from the ground it was
    /// merged from, in grid units. At least 1, the rounding of the grid.
    pub height_error: i32,
    /// The greatest number of corners of a polygon; at least 3.
    pub max_corners: u32,
}

impl Default for MergeSettings {
    fn default() -> Self {
        MergeSettings { height_error: 102, max_corners: 32 }
    }
}
