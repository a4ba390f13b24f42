//! A scene on the integer grid: the input of the walkable stage.

use navbake_geom::{Grid, LIMIT, Point3};

use crate::{Area, Link, Marker, Part, Scene, Switch, UP_ONE};

/// Distance of a level from the end of the grid, in grid units.
///
/// It leaves room for the lattice cells around the level.
pub const RIM: i32 = 1 << 16;

/// The role of a part for the walkable surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Walkable ground where its slope allows it; it also blocks.
    #[default]
    Ground,
    /// Blocks, and is never ground.
    Obstacle,
    /// Has no effect.
    Ignored,
    /// A designer's floor: the navmesh with `surface = "floor"`, otherwise ground.
    Floor,
}

/// The side of a triangle that is its front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Winding {
    /// Counter-clockwise corners face the viewer, as in OBJ and glTF.
    #[default]
    Ccw,
    /// Clockwise corners face the viewer.
    Cw,
    /// Both sides are front: a triangle that faces down is also ground.
    Both,
}

/// A triangle of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle {
    /// Vertex indices, smallest position first; the direction is that of the input.
    pub v: [u32; 3],
    /// Signed squared cosine of the angle between its front normal and up.
    ///
    /// In units of `1 / UP_ONE`, with the sign of the cosine. It is computed from the positions
    /// before rounding to the grid.
    pub up: i32,
    /// Index into [`Level::parts`].
    pub part: u32,
    /// Index into [`Level::areas`].
    ///
    /// Where two triangles of ground are at the same place, the greater index wins.
    pub area: u8,
}

/// A level on the grid, in an order independent of the order of the input.
#[derive(Clone, Debug)]
pub struct Level {
    /// The grid of all coordinates.
    pub grid: Grid,
    /// Distinct positions, sorted.
    pub vertices: Vec<Point3>,
    /// Sorted by the positions of their corners, then by part.
    ///
    /// There are no exact duplicates. No triangle is degenerate in space, but a vertical triangle
    /// is a segment seen from above.
    pub triangles: Vec<Triangle>,
    /// Names, sorted and distinct.
    pub parts: Vec<Part>,
    /// One role for each part.
    pub roles: Vec<Role>,
    /// Named points in y-up metres, sorted by name, then by position.
    pub markers: Vec<Marker>,
    /// Kinds of ground, from 1 to [`crate::MAX_AREAS`].
    ///
    /// The first is the default ([`Area::GROUND`], without switch and tags).
    pub areas: Vec<Area>,
    /// Switches that can block ground and links.
    pub switches: Vec<Switch>,
    /// Off-mesh links.
    pub links: Vec<Link>,
    /// How far the triangles may be above or below the surface of the source, in grid units.
    pub height_error: i32,
}

/// How to convert a scene to the grid.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelSettings {
    /// A metre is `2^bits` units.
    pub bits: u8,
    /// The grid's origin, m.
    ///
    /// By default the centre of the bounds, rounded to a multiple of 1024 m.
    pub origin: Option<[f64; 3]>,
    /// The front side of triangles.
    pub winding: Winding,
    /// Triangles wholly outside this box are dropped: least and greatest corner, m.
    pub bounds: Option<[[f64; 3]; 2]>,
}

/// Why a scene cannot be converted to the grid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LevelError {
    /// No triangles are left.
    #[error("the level has no triangles{0}")]
    Empty(&'static str),
    /// Too far from the origin for the grid.
    #[error(
        "the point ({}, {}, {}) m is more than {range} m from the origin ({}, {}, {}): the grid's step of 1/{units} m, which follows the smallest agent radius, \
         cannot reach it; leave the stray geometry out (role `ignored`, or `bounds`), check `scale`, or use a larger agent radius",
        .point[0], .point[1], .point[2], .origin[0], .origin[1], .origin[2]
    )]
    OutOfRange {
        /// The point, m.
        point: [f64; 3],
        /// Range of the grid, m.
        range: f64,
        /// The origin, m.
        origin: [f64; 3],
        /// Units in a metre.
        units: u32,
    },
}

impl Level {
    /// A level without triangles, markers, areas or links.
    pub fn empty(grid: Grid) -> Level {
        Level {
            grid,
            vertices: vec![],
            triangles: vec![],
            parts: vec![],
            roles: vec![],
            markers: vec![],
            areas: vec![],
            switches: vec![],
            links: vec![],
            height_error: 0,
        }
    }

    /// The grid of the level that [`Level::new`] makes of a scene with triangles.
    pub fn grid_of(scene: &Scene, roles: &[Role], settings: &LevelSettings) -> Grid {
        let centre = || centre(scene, kept(scene, roles, settings));
        Grid { bits: settings.bits, origin: settings.origin.unwrap_or_else(centre) }
    }

    /// The corners of a triangle.
    #[inline]
    pub fn corners(&self, t: &Triangle) -> [Point3; 3] {
        let [a, b, c] = t.v;
        [self.vertices[a as usize], self.vertices[b as usize], self.vertices[c as usize]]
    }
}

pub(crate) fn in_bounds(scene: &Scene, t: usize, bounds: Option<[[f64; 3]; 2]>) -> bool {
    let corners = || scene.triangles[t].map(|i| scene.vertices[i as usize]);
    bounds.is_none_or(|bounds| touches_box(corners(), bounds))
}

/// Is any corner of a triangle above the least, and any below the greatest coordinate of a box, on
/// each axis? It is how [`LevelSettings::bounds`] are meant.
pub fn touches_box(corners: [[f64; 3]; 3], [least, greatest]: [[f64; 3]; 2]) -> bool {
    (0..3).all(|k| {
        corners.iter().any(|c| c[k] >= least[k]) && corners.iter().any(|c| c[k] <= greatest[k])
    })
}

/// The triangles that matter.
fn kept(scene: &Scene, roles: &[Role], settings: &LevelSettings) -> impl Iterator<Item = usize> {
    (0..scene.triangles.len()).filter(|&t| matters(scene, t, roles, settings))
}

/// Is a triangle part of the level, unless it has no area?
pub(crate) fn matters(scene: &Scene, t: usize, roles: &[Role], settings: &LevelSettings) -> bool {
    roles[scene.triangle_parts[t] as usize] != Role::Ignored && in_bounds(scene, t, settings.bounds)
}

fn centre(scene: &Scene, kept: impl Iterator<Item = usize>) -> [f64; 3] {
    let (mut least, mut greatest) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for t in kept {
        for i in scene.triangles[t] {
            let p = scene.vertices[i as usize];
            for k in 0..3 {
                least[k] = least[k].min(p[k]);
                greatest[k] = greatest[k].max(p[k]);
            }
        }
    }
    default_origin([least, greatest])
}

/// The origin of the grid of a level that has none given, from the least and the greatest corner of
/// its triangles' bounds: their centre, rounded to a multiple of 1024 m.
pub fn default_origin([least, greatest]: [[f64; 3]; 2]) -> [f64; 3] {
    std::array::from_fn(|k| {
        let c = ((least[k] / 2.0 + greatest[k] / 2.0) / 1024.0).round_ties_even() * 1024.0;
        c + 0.0 // no negative zero
    })
}

/// Sorts markers by name, then by position.
pub fn sort_markers(markers: &mut [Marker]) {
    markers.sort_by(|a, b| {
        a.name
            .cmp(&b.name)
            .then_with(|| a.position.partial_cmp(&b.position).unwrap_or(std::cmp::Ordering::Equal))
    });
}

/// A point on the grid, if it is within the range of levels.
pub(crate) fn snap(grid: &Grid, point: [f64; 3]) -> Option<Point3> {
    let is_in_range = |p: &Point3| [p.x, p.y, p.z].iter().all(|c| c.abs() < LIMIT - RIM);
    grid.snap_point(point).filter(is_in_range)
}

/// Is a point within the range of levels on a grid?
///
/// # Errors
/// [`LevelError::OutOfRange`] if it is not.
pub fn in_range(grid: &Grid, point: [f64; 3]) -> Result<(), LevelError> {
    snap(grid, point).map(|_| ()).ok_or_else(|| out_of_range(point, grid))
}

pub(crate) fn out_of_range(point: [f64; 3], grid: &Grid) -> LevelError {
    let range = f64::from(LIMIT - RIM) / grid.units();
    LevelError::OutOfRange { point, range, origin: grid.origin, units: 1 << grid.bits }
}

/// Are three points on the grid collinear?
pub fn is_degenerate(q: [Point3; 3]) -> bool {
    // Products of differences on the grid are below 2^53.
    let d = |a: Point3, b: Point3| [b.x - a.x, b.y - a.y, b.z - a.z].map(i64::from);
    let (e, f) = (d(q[0], q[1]), d(q[0], q[2]));
    e[1] * f[2] == e[2] * f[1] && e[2] * f[0] == e[0] * f[2] && e[0] * f[1] == e[1] * f[0]
}

/// Signed squared cosine of a part's front against up.
///
/// If both sides are front, that of the side that faces up.
pub(crate) fn facing(corners: [[f64; 3]; 3], part: &Part, winding: Winding) -> i32 {
    let up = up_of(corners);
    match winding {
        _ if part.double_sided => up.abs(),
        Winding::Both => up.abs(),
        Winding::Cw => -up,
        Winding::Ccw => up,
    }
}

/// Signed squared cosine against up.
///
/// Differences are taken from the least corner in order, so that a rotation of the corners does not
/// change the result.
fn up_of(corners: [[f64; 3]; 3]) -> i32 {
    let least = (0..3)
        .min_by(|&a, &b| corners[a].partial_cmp(&corners[b]).unwrap_or(std::cmp::Ordering::Equal))
        .unwrap_or(0);
    let [a, b, c] = [corners[least], corners[(least + 1) % 3], corners[(least + 2) % 3]];
    let e: [f64; 3] = std::array::from_fn(|k| b[k] - a[k]);
    let f: [f64; 3] = std::array::from_fn(|k| c[k] - a[k]);
    let n = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
    let square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if square <= 0.0 || !square.is_finite() {
        return 0;
    }
    let up = (n[1] * n[1] / square * f64::from(UP_ONE)) as i32;
    if n[1] < 0.0 { -up } else { up }
}
