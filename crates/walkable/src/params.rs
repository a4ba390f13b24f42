//! An agent and the lattice in grid units: what every step of a tile needs.

use navbake_geom::Grid;
use navbake_level::{Agent, Level, UP_ONE};

use crate::WalkableError;

/// How the walkable stage is to work.
#[derive(Clone, Debug, Default)]
pub struct WalkableSettings {
    /// Largest side of a lattice cell, m. A quarter of the agent's radius is taken where that is less, or where nothing is said; 0.15
    /// for an agent without radius. Cells are never smaller than 1/64 of the radius: they would cost and gain nothing.
    pub cell: Option<f64>,
    /// How borders of the ground are found.
    pub borders: Borders,
}

/// How borders of the ground are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Borders {
    /// Along the cells of the lattice.
    #[default]
    Lattice,
    /// From the triangles, to millimetres.
    Exact,
}

/// Cells along the side of a tile.
pub(crate) const TILE_CELLS: i32 = 256;

/// Squares of the exact way along the side of a tile. A square is two thirds of the agent's radius wide when cells are a quarter of it: then all
/// corners of the squares around a place that is free of borders lie on ground.
pub(crate) const TILE_SQUARES: i32 = 96;

/// Lattice cells in an agent's radius: what limits the accuracy of borders.
const CELLS_IN_RADIUS: f64 = 4.0;

/// The most lattice cells in an agent's radius: what limits the cost of erosion, whatever cell is asked for.
const MOST_CELLS_IN_RADIUS: f64 = 64.0;

/// The largest side of a lattice cell in grid units. A cell around ground stays on the grid, because a level keeps this far from the
/// grid's end.
const MOST_CELL: i32 = navbake_level::RIM;

/// The largest cell for an agent without radius, m: its borders lie up to one and a half cells inside of the true ones.
const POINT_CELL: f64 = 0.15;

/// Lengths in grid units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Params {
    /// Side of a lattice cell; a multiple of six, so that it has a middle and squares are whole.
    pub(crate) cell: i32,
    /// The agent's radius.
    pub(crate) radius: i32,
    /// The agent's height.
    pub(crate) height: i32,
    /// The highest step.
    pub(crate) climb: i32,
    /// What stands up to this far above a sample is stepped over: the climb, or what a slope rises within a cell.
    pub(crate) knee: i32,
    /// Least [`navbake_level::Triangle::up`] of ground.
    pub(crate) least_up: i32,
    /// Cells around a tile that its own cells depend on.
    pub(crate) pad: i32,
}

impl Params {
    pub(crate) fn new(
        grid: &Grid,
        agent: &Agent,
        settings: &WalkableSettings,
    ) -> Result<Params, WalkableError> {
        if let Some(fault) = agent.fault() {
            return Err(WalkableError::Agent(fault));
        }
        let fitting = if agent.radius > 0.0 {
            agent.radius / CELLS_IN_RADIUS
        } else {
            POINT_CELL
        };
        let side = settings.cell.unwrap_or(fitting);
        if !side.is_finite() || side <= 0.0 {
            return Err(WalkableError::Cell(side));
        }
        let side = side.clamp(agent.radius / MOST_CELLS_IN_RADIUS, fitting);
        let cell = (grid.length(side).min(MOST_CELL) / 6 * 6).max(6);
        let radius = grid.length(agent.radius);
        let least_up = agent.least_up();
        let tangent = tangent(least_up);
        let climb = grid.length(agent.climb);
        // Within a cell a slope rises by at most its tangent times half the diagonal.
        let rise = (tangent * f64::from(cell) * 0.71) as i32 + 2;
        Ok(Params {
            cell,
            radius,
            height: grid.length(agent.height),
            climb,
            knee: climb.max(rise),
            least_up,
            pad: (radius + cell - 1) / cell + 3,
        })
    }

    /// Side of a square of the exact way.
    pub(crate) fn square(&self) -> i32 {
        self.cell * TILE_CELLS / TILE_SQUARES
    }

    /// How far around a tile triangles matter to it, whichever way its borders are found.
    pub(crate) fn margin(&self) -> i32 {
        (self.pad * self.cell).max(self.radius + self.radius * 2 / 5 + 16)
    }

    /// Cells along a side of a tile with what it depends on around it.
    pub(crate) fn window(&self) -> i32 {
        TILE_CELLS + 2 * self.pad
    }

    /// How much ground that is no steeper than the agent's slope rises over half a cell.
    pub(crate) fn most_rise(&self) -> i32 {
        (tangent(self.least_up) * f64::from(self.cell) / 2.0) as i32 + 1
    }

    /// The tile that a coordinate lies in.
    pub(crate) fn tile_of(&self, coordinate: i32) -> i32 {
        coordinate.div_euclid(self.cell * TILE_CELLS)
    }

    /// May an agent stand on this triangle, as far as its slope and role go?
    pub(crate) fn is_ground(&self, level: &Level, triangle: usize) -> bool {
        let t = &level.triangles[triangle];
        t.up >= self.least_up && level.roles[t.part as usize] != navbake_level::Role::Obstacle
    }
}

/// The tangent of a slope from its squared cosine in units of `1 / UP_ONE`.
fn tangent(up: i32) -> f64 {
    let square = f64::from(up) / f64::from(UP_ONE);
    ((1.0 - square) / square.max(1e-9)).sqrt()
}
