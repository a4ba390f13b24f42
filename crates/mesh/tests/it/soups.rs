//! Random triangles, whose ground always has borders.

use navbake_level::{Agent, Level, LevelSettings, Part, Role, Scene, Winding};
use navbake_mesh::{PatchSettings, patch};
use navbake_testkit::Random;
use navbake_walkable::{Plan, WalkableSettings};

/// Triangles anyhow, or with corners on a lattice, on few heights, or nearly parallel to the axes.
fn soup(random: &mut Random) -> Level {
    let mut scene = Scene { parts: vec![Part::default()], ..Scene::default() };
    let size = 2.0 + 10.0 * random.unit();
    let pitch = [0.0, 0.25, 1.0][random.below(3)];
    let storeys = random.below(4);
    let place = |random: &mut Random, within: f64| {
        let v = (random.unit() - 0.5) * within;
        if pitch > 0.0 { (v / pitch).round() * pitch } else { v }
    };
    for _ in 0..3 + random.below(60) {
        let middle = [size, 2.0, size].map(|within| place(random, within));
        let reach = [0.3, 2.0, 2.0 * size][random.below(3)];
        let base = scene.vertices.len() as u32;
        for _ in 0..3 {
            let mut v = middle;
            v[0] += place(random, reach);
            v[2] += place(random, reach);
            match storeys {
                0 => v[1] += place(random, 3.0),
                1 => v[1] = 0.0,
                n => v[1] = random.below(n) as f64 * 0.4 + 0.01 * place(random, 1.0),
            }
            scene.vertices.push(v);
        }
        scene.triangles.push([base, base + 1, base + 2]);
        scene.triangle_parts.push(0);
    }
    // Something to stand on, so that a level of walls alone is none.
    let base = scene.vertices.len() as u32;
    scene.vertices.extend([[-1.0, -1.0, -1.0], [-1.0, -1.0, 1.0], [1.0, -1.0, 1.0]]);
    scene.triangles.push([base, base + 1, base + 2]);
    scene.triangle_parts.push(0);
    let settings =
        LevelSettings { bits: 10, origin: Some([0.0; 3]), winding: Winding::Both, bounds: None };
    Level::new(&scene, &[Role::Ground], &settings).unwrap().0
}

/// `NAVBAKE_SOUPS` says how many; each is of its own number.
#[test]
fn borders_of_any_triangles_bound_ground_for_any_agent() {
    let count = std::env::var("NAVBAKE_SOUPS").map_or(400, |n| n.parse().unwrap());
    let first = std::env::var("NAVBAKE_FIRST_SOUP").map_or(0, |n| n.parse().unwrap());
    for seed in first..first + count {
        let mut random = Random(seed);
        let level = soup(&mut random);
        let agent = Agent {
            radius: [0.0, 0.05, 0.3, 0.6, 1.5][random.below(5)] * (0.9 + 0.2 * random.unit()),
            climb: [0.05, 0.4, 0.9][random.below(3)],
            ..Agent::default()
        };
        let plan = Plan::new(&level, &agent, &WalkableSettings::default()).unwrap();
        let shape = PatchSettings {
            tolerance: [0, 100][random.below(2)],
            height_error: 87,
            seam_error: level.grid.length(agent.climb / 2.0),
            slope_error: 0,
            max_corners: 32,
        };
        for tile in 0..plan.tile_count() {
            for layer in plan.tile(tile, 0).layers {
                let made = patch(&layer, &shape);
                let made = made.unwrap_or_else(|e| panic!("soup {seed}: {e}\n{:?}", layer.rings));
                made.mesh.check().unwrap_or_else(|e| panic!("soup {seed}: {e}"));
            }
        }
    }
}
