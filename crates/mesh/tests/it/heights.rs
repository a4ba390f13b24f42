//! Heights of polygons against the level's triangles.

use crate::support::surface::Surface;
use navbake_geom::Point;
use navbake_level::{Agent, Level, LevelSettings, Part, Role, Scene, Winding};
use navbake_mesh::{PatchSettings, patch};
use navbake_walkable::{Plan, WalkableSettings};

/// Grid units of a metre.
const METRE: f64 = 1024.0;
/// A step of a height mesh, grid units: nothing holds heights closer to the border than that.
const STEP: i32 = 32;
/// How far heights may be off, grid units.
const ERROR: i32 = 102;

/// Quads by their corners in metres, counter-clockwise seen from above.
fn level(quads: &[[[f64; 3]; 4]]) -> Level {
    let mut scene = Scene { parts: vec![Part::default()], ..Scene::default() };
    for quad in quads {
        let at = scene.vertices.len() as u32;
        scene.vertices.extend(quad);
        (scene.triangles).extend([[at, at + 1, at + 2], [at, at + 2, at + 3]]);
        scene.triangle_parts.extend([0, 0]);
    }
    let settings =
        LevelSettings { bits: 10, origin: Some([0.0; 3]), winding: Winding::Ccw, bounds: None };
    Level::new(&scene, &[Role::Ground], &settings).unwrap().0
}

/// Level ground over a part of the plane.
fn floor(x: [f64; 2], z: [f64; 2], y: f64) -> [[f64; 3]; 4] {
    [[x[0], y, z[0]], [x[0], y, z[1]], [x[1], y, z[1]], [x[1], y, z[0]]]
}

/// Calls `f` with places of the navmesh, metres, on a grid of this spacing and at least this many
/// grid units inside their polygon along both axes, and the height there.
fn look(level: &Level, apart: f64, inside: i32, mut f: impl FnMut([f64; 2], f64)) {
    let agent = Agent { radius: 0.6, height: 2.0, climb: 0.9, ..Agent::default() };
    let exact = WalkableSettings::default();
    let plan = Plan::new(level, &agent, &exact).unwrap();
    let settings = PatchSettings {
        tolerance: 51,
        height_error: ERROR,
        seam_error: ERROR,
        slope_error: 0,
        max_corners: 32,
    };
    for t in 0..plan.tile_count() {
        for layer in &plan.tile(t, 0).layers {
            let mesh = patch(layer, &settings).unwrap().mesh;
            for polygon in 0..mesh.len() {
                let surface = Surface::new(&mesh, polygon);
                let of = |axis: fn(&Point) -> i32| {
                    let values = || mesh.polygon(polygon).iter();
                    let at = |&v: &u32| axis(&mesh.vertices[v as usize].flat());
                    let (least, most) = (values().map(at).min(), values().map(at).max());
                    let step = |v: Option<i32>| f64::from(v.unwrap()) / METRE / apart;
                    step(least).ceil() as i32..=step(most).floor() as i32
                };
                for i in of(|p| p.x) {
                    for k in of(|p| p.z) {
                        // On the grid, and on no round number of metres where triangles end.
                        let [x, z] = [i, k].map(|c| (f64::from(c) * apart * METRE) as i32 + 3);
                        let p = Point::new(x, z);
                        let around = [[-1, -1], [-1, 1], [1, -1], [1, 1]];
                        let around = around.map(|[x, z]| [x, z].map(|c| c * inside));
                        if around.iter().all(|a| surface.holds(Point::new(p.x + a[0], p.z + a[1])))
                        {
                            let place = [x, z].map(|c| f64::from(c) / METRE);
                            f(place, surface.height(p) / METRE);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn ground_with_a_crack_is_as_high_there_as_on_both_sides_however_far_below_the_next_storey_lies() {
    let level = level(&[
        floor([0.0, 5.0], [0.0, 10.0], 10.0),
        floor([5.05, 10.0], [0.0, 10.0], 10.0),
        floor([-5.0, 15.0], [-5.0, 15.0], 0.0),
    ]);
    let mut upper = 0;
    look(&level, 0.05, 0, |place, y| {
        if (0.0..10.0).contains(&place[0]) && (0.0..10.0).contains(&place[1]) && y > 0.1 {
            assert!((y - 10.0).abs() <= 0.1, "{y} at {place:?}");
            upper += 1;
        }
    });
    assert!(upper > 20_000, "{upper}");
}

#[test]
fn ground_between_two_boxes_is_reported_however_their_corners_face_each_other() {
    for turn in [[2.0, 2.0], [1.2, 2.0], [2.0, 0.9]] {
        let boxes = [[3.0, 3.0], [4.0 + turn[0], 4.0 + turn[1]]];
        let level = level(&[
            floor([0.0, 10.0], [0.0, 10.0], 0.0),
            floor([3.0, 4.0], [3.0, 4.0], 0.5),
            floor([boxes[1][0], boxes[1][0] + 1.0], [boxes[1][1], boxes[1][1] + 1.0], 0.5),
        ]);
        let mut seen = 0;
        look(&level, 0.02, 0, |[x, z], y| {
            // Farther from both boxes than what parts the two sides of a step.
            let outside = |low: &[f64; 2]| {
                let off = |c: f64, low: f64| (low - c).max(c - low - 1.0);
                off(x, low[0]).max(off(z, low[1])) > 0.1
            };
            if boxes.iter().all(outside) {
                assert!(y.abs() <= 0.1, "{y} at {x}, {z}");
                seen += 1;
            }
        });
        assert!(seen > 150_000, "{seen}");
    }
}

#[test]
fn ground_below_a_polygon_with_corners_on_a_slab_is_as_high_as_it_is_though_nothing_bends_there() {
    // Corners of a polygon are on the slab, on one plane with corners of the ground far away.
    let wall = |a: [f64; 2], b: [f64; 2]| {
        [[a[0], 0.0, a[1]], [b[0], 0.0, b[1]], [b[0], 3.0, b[1]], [a[0], 3.0, a[1]]]
    };
    let slab = [[13.498, 15.2355], [12.735, 13.8756]];
    let level = level(&[
        floor([0.0, 20.0], [0.0, 20.0], 0.0),
        floor(slab[0], slab[1], 0.4),
        wall([1.16, 14.08], [5.17, 6.38]),
        wall([11.93, 18.07], [15.81, 18.99]),
        wall([6.96, 16.38], [13.36, 13.36]),
    ]);
    let mut seen = 0;
    look(&level, 0.05, STEP, |place, y| {
        if !(0..2).all(|k| (slab[k][0] - 0.1..=slab[k][1] + 0.1).contains(&place[k])) {
            assert!(y.abs() <= 0.1, "{y} at {place:?}");
            seen += 1;
        }
    });
    assert!(seen > 100_000, "{seen}");
}

#[test]
fn stairs_do_not_raise_flat_ground_in_a_sharp_corner_elsewhere() {
    let mut seed = 7u32;
    let mut next = |least: f64, most: f64| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        least + (most - least) * f64::from(seed >> 8) / f64::from(1 << 24)
    };
    let mut seen = 0;
    for _ in 0..40 {
        // Steps up to a bridge, and a slab that makes the ground beside it need a height mesh.
        let mut quads = vec![floor([0.0, 20.0], [0.0, 20.0], 0.0)];
        let mut raised = vec![[[3.0, 14.0], [2.0, 4.0]]];
        for k in 0..5 {
            let x = 3.0 + 0.5 * f64::from(k);
            quads.push(floor([x, x + 0.5], [2.0, 4.0], 0.5 * f64::from(k + 1)));
        }
        quads.push(floor([5.5, 14.0], [2.0, 4.0], 2.5));
        let [x, z] = [next(6.0, 14.0), next(9.0, 16.0)];
        let slab = [[x, x + next(1.0, 3.0)], [z, z + next(1.0, 3.0)]];
        quads.push(floor(slab[0], slab[1], 0.4));
        raised.push(slab);
        for _ in 0..3 {
            let [a, b] = [0; 2].map(|_| [next(1.0, 19.0), next(6.0, 19.0)]);
            quads.push([
                [a[0], 0.0, a[1]],
                [b[0], 0.0, b[1]],
                [b[0], 3.0, b[1]],
                [a[0], 3.0, a[1]],
            ]);
        }
        look(&level(&quads), 0.05, STEP, |place, y| {
            // Farther from all that is raised than what parts the two sides of a step.
            let is_within = |area: &[[f64; 2]; 2]| {
                (0..2).all(|k| (area[k][0] - 0.1..=area[k][1] + 0.1).contains(&place[k]))
            };
            if !raised.iter().any(is_within) {
                assert!(y.abs() <= 0.1, "{y} at {place:?} among {quads:?}");
                seen += 1;
            }
        });
    }
    assert!(seen > 1_000_000, "{seen}");
}
