//! Patches and the navmesh.

use navbake_geom::Point3;

/// Convex polygons with portals: the navmesh.
///
/// # Heights
/// The height of a polygon with a [`Relief`] is that of the height mesh. That of another polygon is
/// linear on its edges, and inside that of the fan of triangles from its first corner: of the
/// triangles (first, k, k + 1) with an area above zero, k rising, the first one that contains the
/// place, taken as a plane. So such a polygon must go on beginning where it begins unless it is
/// flat. [`navbake_format::fan`] and [`navbake_format::detail`] are what readers use.
///
/// # Steps
/// A portal whose two edges use different vertices is a step: same segment of the ground plane,
/// other heights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NavMesh {
    /// Vertices, each used.
    pub vertices: Vec<Point3>,
    /// Where each polygon's edges begin in `corners` and `neighbours`; one more entry than
    /// polygons.
    pub first_edge: Vec<u32>,
    /// Polygons' corners, counter-clockwise seen from above, convex; collinear corners are allowed,
    /// repeated ones are not.
    pub corners: Vec<u32>,
    /// For each edge (corner k to the next) the polygon beyond, or [`crate::NONE`].
    ///
    /// Mirrored, with the same XZ segment on both sides.
    pub neighbours: Vec<u32>,
    /// The height mesh of each polygon, an index into `reliefs`, or [`crate::NONE`]; empty when no
    /// polygon has any.
    pub relief_of: Vec<u32>,
    /// Reliefs, numbered in the order in which polygons first name them.
    pub reliefs: Vec<Relief>,
    /// The area of each polygon; empty when all are area 0.
    pub areas: Vec<u8>,
}

/// The height of ground over a box of the ground plane: linear in the Delaunay triangles of the
/// box's corners and the *height points*. All in whole steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Relief {
    /// Least corner of the box `[x, z]`, grid units.
    pub least: [i32; 2],
    /// The box's sides in steps.
    pub size: [u16; 2],
    /// A step along x and z is `2^shift` grid units.
    pub shift: u32,
    /// What heights are counted from, grid units.
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

impl NavMesh {
    /// The height mesh of a polygon.
    pub fn relief(&self, polygon: usize) -> Option<&Relief> {
        let number = self.relief_of.get(polygon)?;
        self.reliefs.get(*number as usize)
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
    /// [`crate::NONE`].
    ///
    /// They are numbered anew, and those that none names left out.
    pub fn set_reliefs(&mut self, of: &[u32], all: &[Relief]) {
        self.reliefs.clear();
        self.relief_of.clear();
        let mut number = vec![crate::NONE; all.len()];
        for &old in of {
            let Some(slot) = number.get_mut(old as usize) else {
                self.relief_of.push(crate::NONE);
                continue;
            };
            if *slot == crate::NONE {
                *slot = self.reliefs.len() as u32;
                self.reliefs.push(all[old as usize].clone());
            }
            self.relief_of.push(*slot);
        }
        if self.reliefs.is_empty() {
            self.relief_of.clear();
        }
    }
}

/// The ground of one layer of one tile as convex polygons, not yet joined to others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// Polygons with their neighbours in the patch.
    pub mesh: NavMesh,
    /// For each edge of `mesh`: may it be joined to an edge of another patch?
    pub open: Vec<bool>,
}
