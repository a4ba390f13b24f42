//! Levels for tests.

use navbake_level::{Agent, Level, LevelSettings, Part, Role, Scene, Winding};

use super::input::{Triangles, edge_kinds};
use super::measures::Measures;
use crate::WalkableSettings;
use crate::params::Params;

/// Pseudo-random whole numbers below a limit, the same for each seed.
pub(crate) fn random(mut seed: u32) -> impl FnMut(u32) -> f64 {
    move |most: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from((seed >> 8) % most)
    }
}

/// [`random`] as integers.
pub(crate) fn random_whole(seed: u32) -> impl FnMut(usize) -> usize {
    let mut next = random(seed);
    move |most| next(most as u32) as usize
}

/// The lengths of an agent, with the cells that its radius implies.
pub(crate) fn params(level: &Level, agent: &Agent) -> Params {
    let settings = WalkableSettings { cell: None };
    Params::new(&level.grid, agent, &settings).unwrap()
}

/// The first tile for a small agent with low steps, and all triangles that matter to it.
pub(crate) fn tile(level: &Level) -> (Measures, Triangles) {
    let agent = Agent { radius: 0.5, height: 1.0, climb: 0.3, ..Agent::default() };
    let params = params(level, &agent);
    let kinds = edge_kinds(level, &params);
    let measures = Measures::new(level, &params, [0, 0]);
    let triangles: Vec<u32> = (0..level.triangles.len() as u32).collect();
    let triangles = Triangles::new(level, &kinds, &triangles, &params, measures.common_area());
    (measures, triangles)
}

/// Triangles as they are, on a grid of 1024 units a metre.
pub(crate) fn level(triangles: impl IntoIterator<Item = [[f64; 3]; 3]>) -> Level {
    let mut scene = Scene { parts: vec![Part::default()], ..Scene::default() };
    for corners in triangles {
        let at = scene.vertices.len() as u32;
        scene.vertices.extend(corners);
        scene.triangles.push([at, at + 1, at + 2]);
        scene.triangle_parts.push(0);
    }
    let settings =
        LevelSettings { bits: 10, origin: Some([0.0; 3]), winding: Winding::Both, bounds: None };
    Level::new(&scene, &[Role::Ground], &settings).unwrap().0
}

/// A triangle with random corners within `side` of a place along x and z, and up to `up` above it.
pub(crate) fn triangle(
    next: &mut impl FnMut(u32) -> f64,
    corner: [f64; 3],
    side: f64,
    up: f64,
) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|_| {
        let [x, z] = [0, 1].map(|_| next(1000) * side / 1000.0);
        let y = if up > 0.0 { next(1000) * up / 1000.0 } else { 0.0 };
        [corner[0] + x, corner[1] + y, corner[2] + z]
    })
}
