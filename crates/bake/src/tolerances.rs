//! Tolerances of the mesh stages in grid units, from the config.

use navbake_level::{Agent, Class, Level};
use navbake_mesh::{MergeSettings, PatchSettings};
use navbake_walkable::Plan;

use crate::config::{AgentConfig, Config, Surface};
use crate::input::BakeInput;

/// How polygons of a class are made of its ground.
pub(crate) fn shape(
    config: &Config,
    level: &Level,
    plan: &Plan,
    class: usize,
    agent: &Agent,
) -> PatchSettings {
    let slope_error = slope_error(config, level, agent);
    // Without a radius, borders follow squares of the sampling grid in places.
    let least = if agent.radius > 0.0 { 0 } else { plan.cell(class) };
    PatchSettings {
        tolerance: level.grid.length(config.border_error.min(1000.0)).max(least),
        // Ground between samples and the steps of height points take the rest.
        height_error: height_error(config, level) * 17 / 20,
        // Both sides may be off by it; edges are joined up to more than their sum.
        seam_error: match slope_error {
            0 => level.grid.length(agent.climb) / 2,
            error => error.min(level.grid.length(agent.climb) / 2),
        },
        slope_error,
        max_corners: MergeSettings::default().max_corners,
    }
}

/// How polygons are merged once their patches are joined.
///
/// Generated ground merges only where it is as good as flat, so that errors do not add up; a
/// designer's own triangles merge up to the allowed height error. Where heights cost an agent
/// something, neither takes more than its part of the slope error.
pub(crate) fn merge_settings(input: &BakeInput) -> MergeSettings {
    let own = input.config.surface == Surface::Floor || input.map.is_some();
    MergeSettings {
        height_error: merge_error(&input.config, &input.level, own),
        ..MergeSettings::default()
    }
}

fn merge_error(config: &Config, level: &Level, own: bool) -> i32 {
    let error = height_error(config, level);
    let error = if own { error } else { error / 4 };
    let slopes = level.grid.length(config.slope_error.min(1000.0));
    let part = if own { slopes * 9 / 10 } else { slopes / 10 };
    match config.agents.iter().any(has_slope_costs) {
        true => error.min(part),
        false => error,
    }
    .max(1)
}

/// How far the surface between corners may be off the ground when patches are made; 0 where heights
/// cost no agent anything.
fn slope_error(config: &Config, level: &Level, agent: &Agent) -> i32 {
    let (classes, class_of): (Vec<Class>, Vec<usize>) =
        navbake_level::classes(&config.agent_list());
    let agents = config.agents.iter().zip(class_of);
    let mut own = agents.filter(|(_, class)| classes[*class].agent == *agent);
    if !own.any(|(a, _)| has_slope_costs(a)) {
        return 0;
    }
    // Merging across patches and rounding heights take the rest.
    let merged = merge_error(config, level, false);
    let allowed = level.grid.length(config.slope_error.min(1000.0)) - level.height_error;
    (allowed - merged - merged / 12 - 1).max(1)
}

fn has_slope_costs(agent: &AgentConfig) -> bool {
    agent.uphill > 0.0 || agent.downhill > 0.0
}

/// How far polygons may be above or below the level's triangles.
fn height_error(config: &Config, level: &Level) -> i32 {
    level.grid.length(config.height_error.min(1000.0)) - level.height_error
}
