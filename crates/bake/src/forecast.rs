//! An estimate of the memory of a bake, before it begins.
//!
//! Memory at the peak is the greater of two: the peak of the process up to now (reading a level
//! takes its share) and
//!
//! ```text
//! what it holds now + 3 MiB                                    (threads, code)
//!   + 10 bytes a triangle of the level                          (the plan: which tile has which)
//!   + threads x (6 MiB + 12 MiB x mean storeys of a tile)       (tiles under way)
//!   + 170 bytes a triangle of ground                            (the result, merged and encoded)
//!   + candidates, at most 3 times `auto_links.max_links`       (links, by sides of triangles)
//! ```
//!
//! Mean storeys: the area of all triangles that are flat enough, over the area of the tiles.
//!
//! Measured on 1 and 2 threads against eight levels of 1,600 to 780,000 triangles (Linux, release
//! build), it gave 0.45 to 2.4 times the memory used: small levels take less than the estimate, and
//! tiles full of props more, since their triangles are not counted.

use navbake_autolink::Reach;
use navbake_geom::orient;
use navbake_level::{Agent, Level};
use navbake_walkable::{Plan, WalkableSettings, grid_map_layers};

use crate::clock::{held_memory, peak_memory};
use crate::config::Surface;
use crate::error::BakeError;
use crate::input::BakeInput;
use crate::progress::Options;

const MIB: f64 = 1024.0 * 1024.0;

/// The work of a bake, predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// Tiles, over all agent classes.
    pub tiles: usize,
    /// Triangles of the level, 0 for a grid map.
    pub triangles: usize,
    /// Memory of the process at the peak, bytes, predicted; by the formula at the head of
    /// `forecast.rs`.
    pub peak_bytes: u64,
}

impl BakeInput {
    /// Predicts tiles and memory of a bake, without baking.
    ///
    /// # Errors
    /// As [`BakeInput::bake`], as far as it can be known before.
    pub fn forecast(&self, options: &Options) -> Result<Forecast, BakeError> {
        forecast(self, options)
    }

    /// Refuses a bake whose predicted memory is above the config's limit.
    ///
    /// # Errors
    /// [`BakeError::Budget`].
    pub fn within_memory(&self, forecast: &Forecast) -> Result<(), BakeError> {
        match self.config.memory.filter(|most| forecast.peak_bytes > *most) {
            None => Ok(()),
            Some(most) => Err(BakeError::Budget(format!(
                "{}: baking takes about {} MiB of memory, and the limit is {} MiB; split the level, or raise the limit (--memory)",
                self.place,
                forecast.peak_bytes >> 20,
                most >> 20
            ))),
        }
    }
}

fn forecast(input: &BakeInput, options: &Options) -> Result<Forecast, BakeError> {
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    };
    let mut tiles = 0;
    let mut more: f64 = 0.0;
    let triangles = match input.grid_map() {
        Some(map) => {
            let layers = grid_map_layers(map, &input.level.grid);
            let corners: usize =
                layers.iter().flat_map(|l| l.rings.iter().map(|r| r.points.len())).sum();
            tiles = layers.len();
            // About one triangle a corner; the cells themselves and their labels once more.
            more = 300.0 * corners as f64 + 8.0 * map.free.len() as f64;
            0
        }
        None => {
            let level = &input.level;
            let count = level.triangles.len();
            let agents = input.config.agent_list();
            for class in navbake_level::classes(&agents).0 {
                let (area, ground, sides) = ground_of(level, &class.agent);
                let members: Vec<(u32, &Agent)> =
                    class.members.iter().filter_map(|&a| Some((1, agents.get(a)?))).collect();
                let reach = Reach::of(&members, &level.grid, false);
                let found = input.config.auto_links.settings();
                let links = reach.map_or(0, |r| found.most_bytes(&r, &level.grid, sides));
                let out = 170.0 * ground as f64 + links as f64;
                if input.config.surface == Surface::Floor {
                    tiles += 1;
                    more += out;
                    continue;
                }
                let settings = WalkableSettings { cell: input.config.cell };
                let plan = Plan::new(level, &class.agent, &settings)
                    .map_err(|e| BakeError::input(&input.place, e.to_string()))?;
                tiles += plan.tile_count();
                let side = f64::from(plan.tile_side());
                let storeys = area / (side * side * plan.tile_count().max(1) as f64);
                let under_way = threads.min(plan.tile_count()) as f64;
                more += 10.0 * count as f64 + under_way * MIB * (6.0 + 12.0 * storeys) + out;
            }
            count
        }
    };
    let held = match held_memory() {
        0 => 4 * 1024 * 1024 + 80 * triangles as u64,
        held => held,
    };
    Ok(Forecast {
        tiles,
        triangles,
        peak_bytes: peak_memory().max(held + 3 * MIB as u64 + more as u64),
    })
}

/// Of the triangles that are flat enough: their area seen from above in grid units squared, their
/// number, and the length of all their sides, m.
fn ground_of(level: &Level, agent: &Agent) -> (f64, usize, f64) {
    let least = agent.least_up();
    let (mut area, mut count, mut sides) = (0.0, 0, 0.0);
    for t in level.triangles.iter().filter(|t| t.up >= least) {
        let [a, b, c] = level.corners(t).map(|p| p.flat());
        area += orient(a, b, c).abs() as f64 / 2.0;
        count += 1;
        for [p, q] in [[a, b], [b, c], [c, a]] {
            sides += f64::from(p.x - q.x).hypot(f64::from(p.z - q.z));
        }
    }
    (area, count, sides / level.grid.units())
}
