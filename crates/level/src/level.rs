//! A scene on the integer grid: the input of the walkable stage.

use navbake_geom::{Grid, LIMIT, Point3, sort_by_parts};

use crate::number::count;
use crate::{Area, Link, Marker, Part, Scene, Switch, UP_ONE, Warning, WarningPlace};

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
#[derive(Clone, Debug)]
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

    /// Converts a scene to the grid.
    ///
    /// `roles` has one entry for each of the scene's parts.
    ///
    /// # Errors
    /// If no triangle is left, or if one is outside the grid's range or within [`RIM`] of its end.
    pub fn new(
        scene: &Scene,
        roles: &[Role],
        settings: &LevelSettings,
    ) -> Result<(Level, Vec<Warning>), LevelError> {
        assert_eq!(roles.len(), scene.parts.len(), "one role a part");
        let kept: Vec<usize> = kept(scene, roles, settings).collect();
        if kept.is_empty() {
            return Err(LevelError::Empty(if scene.triangles.is_empty() {
                ""
            } else {
                " left: all are ignored by rules or outside `bounds`"
            }));
        }
        let grid = Level::grid_of(scene, roles, settings);

        // Parts in a canonical order.
        let mut order: Vec<usize> = (0..scene.parts.len()).collect();
        order.sort_by(|&a, &b| (&scene.parts[a], roles[a]).cmp(&(&scene.parts[b], roles[b])));
        let mut part_of = vec![0u32; scene.parts.len()];
        let (mut parts, mut part_roles): (Vec<Part>, Vec<Role>) = (vec![], vec![]);
        for &p in &order {
            if parts.last() != Some(&scene.parts[p]) || part_roles.last() != Some(&roles[p]) {
                parts.push(scene.parts[p].clone());
                part_roles.push(roles[p]);
            }
            part_of[p] = (parts.len() - 1) as u32;
        }

        let (mut soup, mut dropped) = (Vec::with_capacity(kept.len()), Dropped::default());
        let places: Vec<Option<Point3>> = scene.vertices.iter().map(|&p| snap(&grid, p)).collect();
        for t in kept {
            let v = scene.triangles[t];
            let corners = v.map(|i| scene.vertices[i as usize]);
            let mut q = [Point3::default(); 3];
            for k in 0..3 {
                let place = places[v[k] as usize];
                q[k] = place.ok_or_else(|| out_of_range(corners[k], &grid))?;
            }
            if is_degenerate(q) {
                dropped.count += 1;
                dropped.of_file += usize::from(has_no_area(corners));
                dropped.first.get_or_insert(corners[0]);
                continue;
            }
            let part = scene.triangle_parts[t] as usize;
            let up = facing(corners, &scene.parts[part], settings.winding);
            let least = (0..3).min_by_key(|&k| q[k]).unwrap_or(0);
            let triangle = Triangle {
                v: [v[least], v[(least + 1) % 3], v[(least + 2) % 3]],
                up,
                part: part_of[part],
                area: 0,
            };
            soup.push(triangle);
        }
        if soup.is_empty() {
            return Err(LevelError::Empty(
                " left: every one has no area on the grid; check `scale`",
            ));
        }
        let vertices = number(&mut soup, places);
        let triangles = in_order(&soup, vertices.len());
        let duplicates = soup.len() - triangles.len();
        let mut markers = scene.markers.clone();
        sort_markers(&mut markers);

        let mut warnings = dropped.warnings();
        if duplicates > 0 {
            warnings.push(Warning {
                code: "duplicate-triangles",
                message: format!(
                    "{} found twice; one of each was kept",
                    count(duplicates as u64, "triangle")
                ),
                place: WarningPlace::None,
            });
        }
        Ok((
            Level {
                vertices,
                triangles,
                parts,
                roles: part_roles,
                markers,
                areas: vec![Area::default()],
                height_error: grid.length(scene.height_error),
                ..Level::empty(grid)
            },
            warnings,
        ))
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

/// The corners of a triangle on the grid.
pub(crate) type Corners = [Point3; 3];

/// Triangles as indices into their distinct, sorted corners. All areas are 0.
pub(crate) fn index(
    soup: impl Iterator<Item = (Corners, i32, u32)> + Clone,
) -> (Vec<Point3>, Vec<Triangle>) {
    let all = soup.clone().flat_map(|t| t.0);
    let count = 3 * soup.clone().count();
    let (vertices, number) = distinct(all.zip(0..), count);
    let of = |((_, up, part), k): ((Corners, i32, u32), usize)| Triangle {
        v: [0, 1, 2].map(|j| number[3 * k + j]),
        up,
        part,
        area: 0,
    };
    let triangles = soup.zip(0..).map(of).collect();
    (vertices, triangles)
}

/// The sorted distinct positions of `things`, and the position of each thing.
fn distinct(things: impl Iterator<Item = (Point3, u32)>, count: usize) -> (Vec<Point3>, Vec<u32>) {
    let key = |(p, thing): (Point3, u32)| p.rank() << 32 | u128::from(thing);
    let keys: Vec<u128> = things.map(key).collect();
    // By the first coordinate: as many parts of its range as there are positions.
    let first = |key: u128| (key >> 96) as u32;
    let least = keys.iter().map(|&key| first(key)).min().unwrap_or(0);
    let most = keys.iter().map(|&key| first(key)).max().unwrap_or(0);
    let parts = keys.len() as u64;
    let range = u64::from(most - least) + 1;
    let part = |key: u128| (u64::from(first(key) - least) * parts / range) as usize;
    let keys = sort_by_parts(keys, parts as usize, part);
    let (mut vertices, mut number) = (vec![], vec![0; count]);
    for same in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
        for &key in same {
            number[key as u32 as usize] = vertices.len() as u32;
        }
        vertices.push(Point3::of_rank(same[0] >> 32));
    }
    (vertices, number)
}

/// Replaces a scene's vertex indices by indices of sorted grid points.
///
/// Returns these points.
fn number(soup: &mut [Triangle], places: Vec<Option<Point3>>) -> Vec<Point3> {
    let mut is_used = vec![false; places.len()];
    for v in soup.iter().flat_map(|t| t.v) {
        is_used[v as usize] = true;
    }
    let used = places.iter().zip(0u32..).zip(is_used);
    let used = used.filter_map(|((p, k), is_used)| Some(((*p)?, k)).filter(|_| is_used));
    let (vertices, number) = distinct(used, places.len());
    drop(places);
    for v in soup.iter_mut().flat_map(|t| &mut t.v) {
        *v = number[*v as usize];
    }
    vertices
}

/// Triangles sorted by corners, then by slope and part.
///
/// Of successive triangles with the same corners and part only the first is kept. Corners are
/// numbers below `vertices`.
fn in_order(soup: &[Triangle], vertices: usize) -> Vec<Triangle> {
    let key = |(t, k): (&Triangle, u32)| {
        let [a, b, c] = t.v.map(u128::from);
        a << 96 | b << 64 | c << 32 | u128::from(k)
    };
    let keys: Vec<u128> = soup.iter().zip(0u32..).map(key).collect();
    let keys = sort_by_parts(keys, vertices, |key| (key >> 96) as usize);
    let mut sorted: Vec<Triangle> = Vec::with_capacity(soup.len());
    let mut same = vec![];
    for keys in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
        same.clear();
        same.extend(keys.iter().map(|&k| soup[k as u32 as usize]));
        same.sort_unstable_by_key(|t: &Triangle| (t.up, t.part));
        same.dedup_by(|a, b| a.part == b.part);
        sorted.append(&mut same);
    }
    sorted
}

#[derive(Default)]
struct Dropped {
    count: usize,
    /// Those without area before their corners were on the grid.
    of_file: usize,
    first: Option<[f64; 3]>,
}

impl Dropped {
    fn warnings(&self) -> Vec<Warning> {
        let Some(first) = self.first else {
            return vec![];
        };
        let triangles = |n: usize| count(n as u64, "triangle");
        vec![Warning {
            code: "degenerate-triangles",
            message: match (self.of_file, self.count - self.of_file) {
                (all, 0) => format!("left out {} without area", triangles(all)),
                (0, fine) => format!("left out {} without area on the grid", triangles(fine)),
                (own, fine) => format!(
                    "left out {} without area, and {fine} more that have none on the grid",
                    triangles(own)
                ),
            },
            place: first.into(),
        }]
    }
}

/// Does a triangle of the file have no area, as far as its numbers tell?
fn has_no_area([a, b, c]: [[f64; 3]; 3]) -> bool {
    let [p, q] = [b, c].map(|v| [0, 1, 2].map(|k| v[k] - a[k]));
    (0..3).all(|k| p[k] * q[(k + 1) % 3] == p[(k + 1) % 3] * q[k])
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
    let matters = |&t: &usize| {
        roles[scene.triangle_parts[t] as usize] != Role::Ignored
            && in_bounds(scene, t, settings.bounds)
    };
    (0..scene.triangles.len()).filter(matters)
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
fn snap(grid: &Grid, point: [f64; 3]) -> Option<Point3> {
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

fn out_of_range(point: [f64; 3], grid: &Grid) -> LevelError {
    let range = f64::from(LIMIT - RIM) / grid.units();
    LevelError::OutOfRange { point, range, origin: grid.origin, units: 1 << grid.bits }
}

/// Are three points on the grid collinear?
pub fn is_degenerate(q: [Point3; 3]) -> bool {
    let d = |a: Point3, b: Point3| {
        [i128::from(b.x - a.x), i128::from(b.y - a.y), i128::from(b.z - a.z)]
    };
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
