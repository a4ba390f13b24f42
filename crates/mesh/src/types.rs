//! What the mesh stage takes in hand: patches, the navmesh; of a designer's floor pieces and the stitched triangulation.

use navbake_geom::Point3;

/// Triangles of a designer's floor that do not know their neighbours yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Vertices; two may share their place in the ground plane and differ in height.
    pub vertices: Vec<Point3>,
    /// Vertex indices, counter-clockwise seen from above, positive area.
    pub triangles: Vec<[u32; 3]>,
    /// One entry a triangle: bit k is set when the edge from corner k to the next may be joined to another piece. Edges that two
    /// triangles of the piece share need no bit.
    pub open: Vec<u8>,
}

/// Triangles of a designer's floor that know their neighbours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Triangulation {
    /// Vertices. A vertex is shared by triangles that meet in it at one height.
    pub vertices: Vec<Point3>,
    /// Vertex indices, counter-clockwise seen from above, positive area.
    pub triangles: Vec<[u32; 3]>,
    /// For each edge (corner k to the next) the triangle beyond, or [`crate::NONE`]. Mirrored. The edge beyond runs between the same two points
    /// of the ground plane; where its heights differ the portal is a step.
    pub neighbours: Vec<[u32; 3]>,
}

/// Convex polygons with portals: the navmesh.
///
/// # Heights
/// On an edge of a polygon, heights are linear between its ends and the height points that lie on it. Inside, the height of a polygon without
/// height points is that of the fan of triangles from its first corner: of the triangles (first, k, k + 1) with an area above zero, k rising,
/// the first one that contains the place, taken as a plane. So such a polygon must go on beginning where it begins unless it is flat. With height
/// points it is linear in the Delaunay triangles of its corners and them. [`navbake_format::relief`] is what readers use.
///
/// # Steps
/// A portal whose two edges use different vertices is a step: same segment of the ground plane, other heights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NavMesh {
    /// Vertices, each used.
    pub vertices: Vec<Point3>,
    /// Where each polygon's edges begin in `corners` and `neighbours`; one more entry than polygons.
    pub first_edge: Vec<u32>,
    /// Polygons' corners, counter-clockwise seen from above, convex; collinear corners are allowed, repeated ones are not.
    pub corners: Vec<u32>,
    /// For each edge (corner k to the next) the polygon beyond, or [`crate::NONE`]. Mirrored, with the same XZ segment on both sides.
    pub neighbours: Vec<u32>,
    /// Where each polygon's height points begin in `height_points`; one more entry than polygons, or empty when no polygon has any.
    pub first_point: Vec<u32>,
    /// Further points of the ground inside polygons or on their borders: the height of a polygon that has any is linear in the Delaunay
    /// triangles of its corners and them.
    pub height_points: Vec<Point3>,
}

/// The ground of one layer of one tile as convex polygons, not yet joined to others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// Polygons with their neighbours in the patch.
    pub mesh: NavMesh,
    /// For each edge of `mesh`: may it be joined to an edge of another patch?
    pub open: Vec<bool>,
}
