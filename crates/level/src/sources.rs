//! The triangles of a level's file in the file's own order.
//!
//! A level does not keep this order.

use std::collections::HashMap;

use navbake_geom::Point3;

use crate::level::{facing, in_bounds, is_degenerate};
use crate::{Level, LevelSettings, Part, Role, Scene};

/// A triangle as stored in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceTriangle {
    /// Corners on the level's grid.
    pub corners: [Point3; 3],
    /// As [`crate::Triangle::up`].
    pub up: i32,
    /// Index into [`Level::parts`].
    pub part: u32,
    /// Its number among the triangles of that part, in the order of the file.
    pub number: u32,
}

/// The triangles of a level's scene that may be ground whatever their slope.
///
/// They are in the order of the file. Triangles that have no area, are outside the bounds or are
/// ignored count in the numbers, but are dropped.
pub fn source_triangles(
    scene: &Scene,
    level: &Level,
    settings: &LevelSettings,
) -> Vec<SourceTriangle> {
    let parts: HashMap<&Part, u32> = level.parts.iter().zip(0u32..).collect();
    let mut count = vec![0u32; level.parts.len()];
    let mut all = vec![];
    for (t, corners) in scene.triangles.iter().enumerate() {
        let part = &scene.parts[scene.triangle_parts[t] as usize];
        let Some(&at) = parts.get(part) else {
            continue;
        };
        let number = count[at as usize];
        count[at as usize] += 1;
        let role = level.roles[at as usize];
        let corners = corners.map(|i| scene.vertices[i as usize]);
        let on_grid = corners.map(|p| level.grid.snap_point(p));
        let [Some(a), Some(b), Some(c)] = on_grid else {
            continue;
        };
        if !matches!(role, Role::Ground | Role::Floor)
            || !in_bounds(scene, t, settings.bounds)
            || is_degenerate([a, b, c])
        {
            continue;
        }
        all.push(SourceTriangle {
            corners: [a, b, c],
            up: facing(corners, part, settings.winding),
            part: at,
            number,
        });
    }
    all
}
