//! Which triangles are walkable for any agent.

use navbake_level::{Agent, Level, Role, Triangle};

/// Marks the triangles that are walkable for any agent.
pub(crate) fn ground(level: &Level, agents: &[&Agent]) -> Vec<bool> {
    let least = agents.iter().map(|a| a.least_up()).min().unwrap_or(0);
    let is_ground = |t: &Triangle| can_be_ground(level, t) && t.up >= least;
    level.triangles.iter().map(is_ground).collect()
}

/// Does the triangle belong to a part that is walkable where its slope allows?
pub(crate) fn can_be_ground(level: &Level, triangle: &Triangle) -> bool {
    matches!(level.roles[triangle.part as usize], Role::Ground | Role::Floor)
}
