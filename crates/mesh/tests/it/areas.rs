//! Ground of several areas: each polygon is on one of them, and nothing else changes.

use std::collections::BTreeSet;

use navbake_geom::{Grid, Point, Point3, orient};
use navbake_level::{
    Agent, Area, CellShape, GridMap, Level, LevelSettings, Part, Role, Scene, UP_ONE, Winding,
};
use navbake_mesh::{
    AreaMap, CellAreas, JoinSettings, MergeSettings, NONE, Patch, PatchSettings, PolygonMesh, join,
    merge_polygons, patch, patch_by_area, patch_by_cells,
};
use navbake_walkable::{Plan, WalkableSettings, grid_map_layers};
use proptest::prelude::*;

/// Triangles by area.
#[derive(Default)]
struct Build {
    scene: Scene,
}

impl Build {
    fn triangle(&mut self, corners: [[f64; 3]; 3], area: u8) {
        let base = self.scene.vertices.len() as u32;
        self.scene.vertices.extend(corners);
        self.scene.triangles.push([base, base + 1, base + 2]);
        let material = area.to_string();
        let known = self.scene.parts.iter().position(|p| p.material == material);
        let part = known.unwrap_or_else(|| {
            self.scene.parts.push(Part { material, ..Part::default() });
            self.scene.parts.len() - 1
        });
        self.scene.triangle_parts.push(part as u32);
    }

    /// Corners `[x, z]` counter-clockwise seen from above.
    fn polygon(&mut self, ring: &[[f64; 2]], y: f64, area: u8) {
        let at = |p: [f64; 2]| [p[0], y, p[1]];
        for w in ring[1..].windows(2) {
            self.triangle([at(ring[0]), at(w[0]), at(w[1])], area);
        }
    }

    fn rectangle(&mut self, x: [f64; 2], z: [f64; 2], y: f64, area: u8) {
        let ring = [[x[0], z[0]], [x[0], z[1]], [x[1], z[1]], [x[1], z[0]]];
        self.polygon(&ring, y, area);
    }

    /// Squares of a height field, two triangles each; an area for each triangle.
    fn field(
        &mut self,
        count: i32,
        place: impl Fn(i32, i32) -> [f64; 3],
        area: impl Fn([f64; 3]) -> u8,
    ) {
        for i in 0..count {
            for j in 0..count {
                let [a, b, c, d] =
                    [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)].map(|(i, j)| place(i, j));
                for t in [[a, b, c], [a, c, d]] {
                    let middle = [0, 1, 2].map(|k| (t[0][k] + t[1][k] + t[2][k]) / 3.0);
                    self.triangle(t, area(middle));
                }
            }
        }
    }

    fn level(&self) -> Level {
        let roles = vec![Role::Ground; self.scene.parts.len()];
        let settings =
            LevelSettings { bits: 10, origin: Some([0.0; 3]), winding: Winding::Ccw, bounds: None };
        let (mut level, _) = Level::new(&self.scene, &roles, &settings).unwrap();
        for t in &mut level.triangles {
            t.area = level.parts[t.part as usize].material.parse().unwrap();
        }
        let count = level.triangles.iter().map(|t| t.area).max().unwrap_or(0);
        level.areas = (0..=count).map(|_| Area::default()).collect();
        level
    }
}

fn agent() -> Agent {
    Agent { radius: 0.3, climb: 0.5, ..Agent::default() }
}

/// The navmesh, and how many layers could not be cut.
fn bake(level: &Level, by_area: bool) -> (PolygonMesh, usize) {
    let settings = WalkableSettings::default();
    let plan = Plan::new(level, &agent(), &settings).unwrap();
    let shape = PatchSettings {
        tolerance: 100,
        height_error: 87,
        seam_error: level.grid.length(0.25),
        slope_error: 0,
        max_corners: 32,
    };
    let mut patches: Vec<Patch> = vec![];
    let mut uncut = 0;
    for tile in 0..plan.tile_count() {
        let map = AreaMap::new(plan.ground(tile), plan.climb());
        for layer in plan.tile(tile, 0).layers {
            patches.push(match by_area {
                true => {
                    let (patch, is_cut) = patch_by_area(&layer, &shape, &map, None).unwrap();
                    uncut += usize::from(!is_cut);
                    patch
                }
                false => patch(&layer, &shape).unwrap(),
            });
        }
    }
    let joined = join(&patches, &JoinSettings { climb: level.grid.length(0.75) });
    let merged =
        merge_polygons(&joined, &MergeSettings { height_error: 25, ..MergeSettings::default() });
    assert_eq!(merged.check(), Ok(()));
    (merged, uncut)
}

/// Connected polygons, by island.
fn islands(mesh: &PolygonMesh) -> Vec<u32> {
    let mut of = vec![NONE; mesh.len()];
    let mut count = 0;
    for first in 0..mesh.len() {
        if of[first] != NONE {
            continue;
        }
        let mut stack = vec![first];
        of[first] = count;
        while let Some(p) = stack.pop() {
            for e in mesh.edges(p) {
                let n = mesh.neighbours[e];
                if n != NONE && of[n as usize] == NONE {
                    of[n as usize] = count;
                    stack.push(n as usize);
                }
            }
        }
        count += 1;
    }
    of
}

fn flat(mesh: &PolygonMesh, p: usize) -> Vec<Point> {
    let corners = mesh.polygon(p).iter();
    corners.map(|&v| mesh.vertices[v as usize].flat()).collect()
}

fn holds(ring: &[Point], p: Point) -> bool {
    (0..ring.len()).all(|k| orient(ring[k], ring[(k + 1) % ring.len()], p) > 0)
}

/// The area of the highest ground at a place that is not above `most`, by a look at all triangles.
fn highest(level: &Level, p: Point, most: f64) -> Option<u8> {
    let mut here: Vec<(f64, u8)> = vec![];
    for t in level.triangles.iter().filter(|t| t.up > UP_ONE / 3) {
        let [a, b, c] = level.corners(t);
        let (u, v, w) = (
            orient(b.flat(), c.flat(), p) as f64,
            orient(c.flat(), a.flat(), p) as f64,
            orient(a.flat(), b.flat(), p) as f64,
        );
        let whole = u + v + w;
        if whole == 0.0 || [u, v, w].iter().any(|&s| s / whole < 0.0) {
            continue;
        }
        let y = |c: Point3| f64::from(c.y);
        let y = (u * y(a) + v * y(b) + w * y(c)) / whole;
        if y <= most {
            here.push((y, t.area));
        }
    }
    let top = here.iter().map(|h| h.0).fold(f64::NEG_INFINITY, f64::max);
    let same = here.iter().filter(|h| h.0 >= top - 1.5);
    same.map(|h| h.1).max()
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: i32) -> i32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as i32
    }
}

/// Points in polygons whose area is not that of the ground there, though that changes nowhere
/// within two units; and the number of points.
fn wrong(level: &Level, mesh: &PolygonMesh, tries: usize) -> (usize, usize) {
    let bounds = |of: fn(&Point3) -> i32| {
        let all = || mesh.vertices.iter().map(of);
        (all().min().unwrap(), all().max().unwrap())
    };
    let (x, z) = (bounds(|p| p.x), bounds(|p| p.z));
    let rings: Vec<Vec<Point>> = (0..mesh.len()).map(|p| flat(mesh, p)).collect();
    let mut random = Random(tries as u64);
    let (mut wrong, mut seen) = (0, 0);
    for _ in 0..tries {
        let p = Point::new(x.0 + random.below(x.1 - x.0), z.0 + random.below(z.1 - z.0));
        for (k, _) in rings.iter().enumerate().filter(|(_, r)| holds(r, p)) {
            let ups = mesh.polygon(k).iter().map(|&v| mesh.vertices[v as usize].y);
            let most = f64::from(ups.max().unwrap()) + 1500.0;
            let Some(area) = highest(level, p, most) else {
                continue;
            };
            let around = [[2, 0], [2, 2], [0, 2], [-2, 2], [-2, 0], [-2, -2], [0, -2], [2, -2]];
            let same = |[dx, dz]: [i32; 2]| {
                highest(level, Point::new(p.x + dx, p.z + dz), most) == Some(area)
            };
            if !around.into_iter().all(same) {
                continue;
            }
            seen += 1;
            wrong += usize::from(mesh.area(k) != area);
        }
    }
    (wrong, seen)
}

/// The length of all borders.
fn outline(mesh: &PolygonMesh) -> f64 {
    let length = |p: usize| {
        let ring = flat(mesh, p);
        let neighbours = mesh.edges(p).map(|e| mesh.neighbours[e]);
        let borders = neighbours.enumerate().filter(|&(_, n)| n == NONE);
        let edges = borders.map(|(k, _)| (ring[k], ring[(k + 1) % ring.len()]));
        let lengths = edges.map(|(a, b)| f64::from(b.x - a.x).hypot(f64::from(b.z - a.z)));
        lengths.sum::<f64>()
    };
    (0..mesh.len()).map(length).sum()
}

/// All that must hold of a level's navmesh with areas against the one without.
fn check(level: &Level, tries: usize) {
    let (plain, _) = bake(level, false);
    let (mesh, uncut) = bake(level, true);
    assert_eq!(uncut, 0, "layers that could not be cut");
    let lost = plain.area_doubled() as f64 - mesh.area_doubled() as f64;
    // Where paint changes at a border, the border is bent into the ground, to a grid point within a
    // unit of it.
    let strip = 2.0 * outline(&plain);
    assert!((0.0..=strip).contains(&lost), "area {lost} of {strip} lost");
    let (wrong, seen) = wrong(level, &mesh, tries);
    assert!(seen * 4 > tries, "{seen} of {tries} points on the navmesh");
    assert_eq!(wrong, 0, "of {seen}");
    // Each polygon without areas is in one island with them, and as many.
    let (a, b) = (islands(&plain), islands(&mesh));
    let count = |of: &[u32]| of.iter().collect::<BTreeSet<_>>().len();
    assert_eq!(count(&b), count(&a), "islands");
}

fn ground(seed: i32, bumps: f64, areas: i32) -> Build {
    let mut build = Build::default();
    let mut random = Random(seed as u64 + 77);
    let turn = f64::from(random.below(90)) / 60.0;
    let (sine, cosine) = (turn.sin(), turn.cos());
    let height = |i: i32, j: i32| {
        let k = (i * 7 + j * 13 + seed).rem_euclid(11);
        f64::from(k) / 10.0 * bumps
    };
    let shift = (seed % 7, seed % 5);
    build.field(
        14,
        |i, j| {
            let (x, z) = (f64::from(i) * 1.3 - 9.0, f64::from(j) * 1.3 - 9.0);
            [cosine * x - sine * z, height(i, j), sine * x + cosine * z]
        },
        |[x, _, z]| {
            let [i, j] = [x / 3.1, z / 2.7].map(|c| c.floor() as i32);
            ((i * shift.0 + j * (shift.1 + 1) + i * j).rem_euclid(areas)) as u8
        },
    );
    build
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn painted_ground_is_cut_where_the_paint_changes(seed in 0i32..10_000, bumps in 0.0f64..0.4) {
        check(&ground(seed, bumps, 4).level(), 600);
    }

    #[test]
    fn surfaces_that_lie_on_others_or_come_out_of_them_are_cut_out(seed in 0i32..10_000) {
        let mut build = ground(seed, 0.3, 2);
        let mut random = Random(seed as u64);
        // A lake, a carpet on the lake's height, platforms.
        build.rectangle([-6.0, 7.0], [-7.0, 5.5], 0.17, 6);
        for k in 0..5u8 {
            let [x, z] = [0, 1].map(|_| f64::from(random.below(1200)) / 100.0 - 6.0);
            let [w, d] = [0, 1].map(|_| 0.5 + f64::from(random.below(300)) / 100.0);
            build.rectangle([x, x + w], [z, z + d], 0.17 + 0.1 * f64::from(k % 4), 5 + k % 4);
        }
        check(&build.level(), 600);
    }

    #[test]
    fn polygons_on_a_plain_keep_their_outlines(seed in 0i32..10_000) {
        let mut build = Build::default();
        build.rectangle([-12.0, 12.0], [-12.0, 12.0], 0.0, 0);
        let mut random = Random(seed as u64);
        for k in 0..12u8 {
            let [x, z] = [0, 1].map(|_| f64::from(random.below(2000)) / 100.0 - 10.0);
            let n = 3 + random.below(6);
            let start = f64::from(random.below(628)) / 100.0;
            let r = 0.3 + f64::from(random.below(300)) / 100.0;
            let corner = |i: i32| {
                let angle = start - std::f64::consts::TAU * f64::from(i) / f64::from(n);
                [x + r * angle.cos(), z + r * angle.sin()]
            };
            let ring: Vec<[f64; 2]> = (0..n).map(corner).collect();
            build.polygon(&ring, 0.0, k % 5);
        }
        check(&build.level(), 600);
    }
}

#[test]
fn storeys_have_areas_of_their_own() {
    let mut build = Build::default();
    build.rectangle([-10.0, 10.0], [-10.0, 10.0], 0.0, 1);
    build.rectangle([-2.0, 6.0], [-3.0, 1.0], 0.0, 2);
    build.rectangle([-8.0, 9.0], [-7.0, 8.0], 4.0, 3);
    build.rectangle([0.0, 3.0], [-9.0, 9.0], 4.0, 4);
    check(&build.level(), 2000);
}

#[test]
fn small_areas_do_not_vanish() {
    let mut build = Build::default();
    build.rectangle([-5.0, 5.0], [-5.0, 5.0], 0.0, 0);
    build.rectangle([1.0, 1.05], [1.0, 1.05], 0.0, 1);
    build.rectangle([-4.0, 4.0], [-2.01, -2.0], 0.0, 2);
    let (mesh, uncut) = bake(&build.level(), true);
    assert_eq!(uncut, 0);
    let square = |area: u8| -> f64 {
        let own = (0..mesh.len()).filter(|&p| mesh.area(p) == area);
        own.map(|p| mesh.polygon_area_doubled(p) as f64 / 2.0 / 1048576.0).sum()
    };
    assert!((square(1) - 0.0025).abs() < 0.0002, "{}", square(1));
    assert!((square(2) - 0.08).abs() < 0.016, "{}", square(2));
}

#[test]
fn a_level_of_one_area_is_not_cut() {
    let mut build = Build::default();
    build.rectangle([-5.0, 5.0], [-5.0, 5.0], 0.0, 0);
    build.rectangle([-3.0, 2.0], [-1.0, 2.0], 0.2, 0);
    let level = build.level();
    assert_eq!(bake(&level, true).0, bake(&level, false).0);
}

#[test]
fn the_order_of_triangles_changes_nothing() {
    let level = ground(5, 0.3, 4).level();
    let plan = Plan::new(&level, &agent(), &WalkableSettings::default()).unwrap();
    let shape = PatchSettings {
        tolerance: 100,
        height_error: 87,
        seam_error: 256,
        slope_error: 0,
        max_corners: 32,
    };
    for tile in 0..plan.tile_count() {
        let mut all: Vec<([Point3; 3], u8)> = plan.ground(tile).collect();
        let map = AreaMap::new(all.iter().copied(), plan.climb());
        all.reverse();
        for (k, t) in all.iter_mut().enumerate() {
            t.0.rotate_left(k % 3);
        }
        let turned = AreaMap::new(all, plan.climb());
        for layer in plan.tile(tile, 0).layers {
            assert_eq!(
                patch_by_area(&layer, &shape, &map, None),
                patch_by_area(&layer, &shape, &turned, None)
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn cells_of_a_map_are_distinguished(
        width in 1u32..14,
        height in 1u32..14,
        cells in prop::collection::vec((0u8..8, 0u8..3), 200),
    ) {
        let count = (width * height) as usize;
        let map = GridMap {
            shape: CellShape::Square,
            cell: 1.0,
corner: [0.0; 2],
            width,
            height,
            free: cells[..count].iter().map(|c| c.0 > 1).collect(),
            terrain: vec![],
        };
        let grid = Grid { bits: 4, origin: [0.0; 3] };
        let areas = CellAreas {
            columns: (0..=width as i32).map(|c| 16 * c).collect(),
            rows: (0..=height as i32).map(|r| 16 * r).collect(),
            areas: cells[..count].iter().map(|c| c.1).collect(),
        };
        let shape = PatchSettings { tolerance: 0, height_error: 0, seam_error: 0, slope_error: 0, max_corners: 32 };
        let layers = grid_map_layers(&map, &grid);
        let patches = |by_area: bool| -> Vec<Patch> {
            let one = |layer| match by_area {
                true => patch_by_cells(layer, &shape, &areas).unwrap(),
                false => patch(layer, &shape).unwrap(),
            };
            layers.iter().map(one).collect()
        };
        let [plain, mesh] = [false, true].map(|by_area| {
            let joined = join(&patches(by_area), &JoinSettings { climb: 0 });
            merge_polygons(&joined, &MergeSettings::default())
        });
        prop_assert_eq!(mesh.check(), Ok(()));
        prop_assert_eq!(mesh.area_doubled(), plain.area_doubled());
        let count = |mesh| islands(mesh).into_iter().max();
        prop_assert_eq!(count(&mesh), count(&plain));
        let rings: Vec<Vec<Point>> = (0..mesh.len()).map(|p| flat(&mesh, p)).collect();
        for r in 0..height as usize {
            for c in (0..width as usize).filter(|c| map.free[r * width as usize + c]) {
                // Off the lines that cuts of polygons run along.
                for [x, z] in [[3, 7], [13, 6], [8, 15], [9, 1]] {
                    let p = Point::new(16 * c as i32 + x, 16 * r as i32 + z);
                    for (k, _) in rings.iter().enumerate().filter(|(_, ring)| holds(ring, p)) {
                        prop_assert_eq!(mesh.area(k), areas.areas[r * width as usize + c]);
                    }
                }
            }
        }
    }
}
