//! How far off things may be, from the config, in grid units: what the stages of the mesh are told.

use navbake_geom::Grid;
use navbake_level::{Agent, Level};
use navbake_mesh::{MergeSettings, PatchSettings};
use navbake_walkable::Plan;

use crate::config::Surface;
use crate::job::Ground;
use crate::run::Run;
use crate::tiles::Shapes;

impl Run<'_> {
    /// How polygons of a class are made of its ground.
    pub(crate) fn shapes(&self, level: &Level, plan: &Plan, agent: &Agent, class: usize) -> Shapes {
        let slope_error = self.slope_error(agent, &level.grid);
        let coarse = PatchSettings {
            tolerance: plan.cell(class),
            // What lies between the places that are looked at, and the steps that points are told in, take the rest.
            height_error: self.height_error() * 17 / 20,
            // Both sides may be off by it; edges are joined up to more than their sum.
            seam_error: match slope_error {
                0 => level.grid.length(agent.climb) / 2,
                error => error.min(level.grid.length(agent.climb) / 2),
            },
            slope_error,
            max_corners: MergeSettings::default().max_corners,
        };
        let exact = PatchSettings {
            tolerance: level.grid.length(self.job.config.border_error.min(1000.0)),
            ..coarse
        };
        Shapes {
            first: if plan.is_exact() { exact } else { coarse },
            fallback: coarse,
        }
    }

    /// How polygons are merged once their patches are joined: seams of ground that is as good as flat, so that errors do not add up; a designer's own
    /// triangles up to the allowed height error.
    pub(crate) fn merge_settings(&self) -> MergeSettings {
        let own =
            self.job.config.surface == Surface::Floor || matches!(self.job.ground, Ground::Map(..));
        let error = self.height_error();
        MergeSettings {
            height_error: if own { error } else { error / 4 }.max(1),
            ..MergeSettings::default()
        }
    }

    /// How far corners may be off the ground within polygons, in grid units; 0 where heights cost none of the class's agents anything.
    fn slope_error(&self, agent: &Agent, grid: &Grid) -> i32 {
        let (classes, class_of) = self.job.classes();
        let agents = self.job.config.agents.iter().zip(class_of);
        let mut own = agents.filter(|(_, class)| classes[*class].agent == *agent);
        match own.any(|(a, _)| a.uphill > 0.0 || a.downhill > 0.0) {
            true => grid.length(self.job.config.slope_error.min(1000.0)).max(1),
            false => 0,
        }
    }

    /// The allowed height error in grid units.
    fn height_error(&self) -> i32 {
        let grid = self.job.ground.grid();
        grid.length(self.job.config.height_error.min(1000.0))
    }
}
