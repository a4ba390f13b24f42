//! An agent and the grids in grid units: the lengths that every step of a tile needs.

use navbake_geom::Grid;
use navbake_level::{Agent, Level};

use crate::WalkableError;

/// Settings of the walkable stage.
#[derive(Clone, Debug, Default)]
pub struct WalkableSettings {
    /// Greatest side of a cell, m. By default, and at most, a quarter of the agent's radius; 0.15
    /// for an agent without radius. Cells are never smaller than 1/64 of the radius: they would
    /// cost time and gain nothing.
    pub cell: Option<f64>,
}

/// Cells along the side of a tile for a cell that is set, and for an agent without radius.
const TILE_CELLS: i32 = 256;

/// Greatest side of a square of the sampling grid, as a share of the agent's radius: then all
/// corners of the squares around a place free of borders are on ground.
const SQUARE: f64 = 2.0 / 3.0;

/// Side of a tile, in parts of a power of two.
///
/// It is 75 m for radii between [`TILE_RADII`], and 150, 300, ... or 37.5, ... m for larger and
/// smaller ones. So agents of about the same size share tiles, and an agent's tiles depend on no
/// other agent. In grid units, the side is this times a power of two, so that it has many divisors.
const TILE_PARTS: i32 = 75;
/// From the first up to, but not, the second.
const TILE_RADII: [f64; 2] = [0.3, 1.0];
/// The greatest and the least such power.
const TILE_SHIFTS: [i32; 2] = [4, 18];

/// Cells in an agent's radius, at least.
const CELLS_IN_RADIUS: f64 = 4.0;

/// The most cells in an agent's radius, whatever cell is set: this limits the cost.
const MOST_CELLS_IN_RADIUS: f64 = 64.0;

/// The greatest side of a cell in grid units. A cell around ground stays on the grid, because a
/// level keeps this far from the grid's end.
const MOST_CELL: i32 = navbake_level::RIM;

/// The greatest cell for an agent without radius, m: what fits into a square of it bounds no
/// ground.
const POINT_CELL: f64 = 0.15;

/// Lengths in grid units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Params {
    /// Side of a tile, whole cells and squares.
    pub(crate) tile: i32,
    /// Side of a square of the sampling grid; even, so that it has a middle.
    pub(crate) square: i32,
    /// Side of a cell; even, so that it has a middle.
    pub(crate) cell: i32,
    /// The agent's radius.
    pub(crate) radius: i32,
    /// The greatest radius of agents with such tiles: all look equally far around them.
    pub(crate) widest: i32,
    /// The agent's height.
    pub(crate) height: i32,
    /// The highest step.
    pub(crate) climb: i32,
    /// Least [`navbake_level::Triangle::up`] of ground.
    pub(crate) least_up: i32,
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
        let fitting = if agent.radius > 0.0 { agent.radius / CELLS_IN_RADIUS } else { POINT_CELL };
        let side = settings.cell.unwrap_or(fitting);
        if !side.is_finite() || side <= 0.0 {
            return Err(WalkableError::Cell(side));
        }
        let side = side.clamp(agent.radius / MOST_CELLS_IN_RADIUS, fitting);
        let radius = grid.length(agent.radius);
        let cell = grid.length(side).min(MOST_CELL);
        let (tile, widest, square, cell) = if radius > 0 && side == fitting {
            let (tile, widest) = shared_tile(agent.radius, grid);
            let square = grid.length(agent.radius * SQUARE);
            let square = part_of(tile, square.min(MOST_CELL * 8 / 3));
            (tile, widest, square, part_of(tile, cell))
        } else {
            // A multiple of six, so that squares are whole as well.
            let cell = (cell / 6 * 6).max(6);
            let square = if radius > 0 { cell * 8 / 3 } else { cell };
            (cell * TILE_CELLS, radius, square, cell)
        };
        let least_up = agent.least_up();
        Ok(Params {
            tile,
            square,
            cell,
            radius,
            widest,
            height: grid.length(agent.height),
            climb: grid.length(agent.climb),
            least_up,
        })
    }

    /// The same tiles and grids for an agent that is wider by `by`.
    pub(crate) fn wider(&self, by: i32) -> Params {
        let radius = self.radius + by;
        Params { radius, widest: self.widest.max(radius), ..*self }
    }

    /// How far around a tile triangles matter to it.
    pub(crate) fn margin(&self) -> i32 {
        // The first is less but for agents without radius.
        (3 * self.cell).max(2 * self.widest + 16)
    }

    /// Do two classes of agents differ in the radius alone, and have the same tiles?
    pub(crate) fn shares_tiles(&self, other: &Params) -> bool {
        let of = |p: &Params| (p.tile, p.widest, p.height, p.climb, p.least_up);
        self.radius > 0 && other.radius > 0 && of(self) == of(other)
    }

    /// The tile of a coordinate.
    pub(crate) fn tile_of(&self, coordinate: i32) -> i32 {
        coordinate.div_euclid(self.tile)
    }

    /// May an agent be on this triangle, by its slope and role?
    pub(crate) fn is_ground(&self, level: &Level, triangle: usize) -> bool {
        let t = &level.triangles[triangle];
        t.up >= self.least_up && level.roles[t.part as usize] != navbake_level::Role::Obstacle
    }
}

/// The side of a tile, and the greatest radius of agents with such tiles, in
/// grid units.
fn shared_tile(radius: f64, grid: &Grid) -> (i32, i32) {
    let [least, most] = TILE_SHIFTS;
    // 75 m.
    let mut shift = i32::from(grid.bits);
    let (mut scaled, mut widest) = (radius, TILE_RADII[1]);
    while scaled >= TILE_RADII[1] && shift < most {
        (scaled, widest, shift) = (scaled / 2.0, widest * 2.0, shift + 1);
    }
    if scaled < TILE_RADII[0] {
        widest = 2.0 * TILE_RADII[0];
    }
    while scaled < TILE_RADII[0] && shift > least {
        (scaled, widest, shift) = (scaled * 2.0, widest / 2.0, shift - 1);
    }
    let tile = TILE_PARTS << shift.clamp(least, most);
    (tile, grid.length(widest.max(radius)))
}

/// The greatest even length up to `most`, or two, that a tile is a multiple of.
fn part_of(tile: i32, most: i32) -> i32 {
    let is_part = |part: &i32| *part % 2 == 0 && tile % part == 0;
    // They are no further apart than a fifth.
    let least = (most - most / 4).max(2);
    (least..=most).rev().find(is_part).unwrap_or(2)
}
