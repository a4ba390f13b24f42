//! An estimate of the memory of a bake, before it begins, and how a limit bounds it.
//!
//! Memory at the peak is the greater of two: the peak of the process up to now (reading a level
//! takes its share) and
//!
//! ```text
//! what it holds now
//!   + Plan::BYTES a triangle of the level                  (which tile has which triangles)
//!   + Plan::tile_bytes of the greatest tiles, one a thread (tiles under way)
//!   + 170 bytes a triangle of ground, or for 16 squares of the sampling grid if that is less
//!                                                          (the result, merged and encoded)
//!   + candidates, at most 3 times `auto_links.max_links`   (links, by sides of triangles)
//! ```
//!
//! What is freed once a plan is made or a stage is over stays with the process, and the first tile
//! takes it again. Sizes are those of the structures; none is fitted to a level. Under a limit,
//! fewer tiles are under way at a time where that suffices ([`Room`]).
//!
//! Measured levels: `docs/record/2026-11/props.md`, by `tools/measure/memory.py`.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use navbake_autolink::Reach;
use navbake_geom::orient;
use navbake_level::{Agent, Level};
use navbake_walkable::{Plan, WalkableSettings, grid_map_layers};

use crate::clock::{held_memory, peak_memory};
use crate::config::Surface;
use crate::error::BakeError;
use crate::input::BakeInput;
use crate::progress::Options;
use crate::recorder::Recorder;

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
    /// The same with one tile at a time.
    pub least_bytes: u64,
    /// The part of both that tiles under way do not take.
    rest_bytes: u64,
}

impl Forecast {
    /// What tiles under way may take at a time so that a bake keeps a limit; `None` where all
    /// threads can work.
    pub(crate) fn room(&self, most: u64) -> Option<u64> {
        (self.peak_bytes > most).then(|| most.saturating_sub(self.rest_bytes))
    }
}

impl BakeInput {
    /// Predicts tiles and memory of a bake, without baking.
    ///
    /// Takes linear time: the level is planned, and no tile is baked.
    ///
    /// # Errors
    /// As [`BakeInput::bake`], as far as it can be known before.
    pub fn forecast(&self, options: &Options) -> Result<Forecast, BakeError> {
        forecast(self, options, self.config.cell)
    }

    /// Refuses a bake that takes more memory than the config's limit even with one tile at a time.
    ///
    /// # Errors
    /// [`BakeError::Budget`].
    pub fn within_memory(&self, forecast: &Forecast) -> Result<(), BakeError> {
        let Some(most) = self.config.memory.filter(|most| forecast.least_bytes > *most) else {
            return Ok(());
        };
        let mib = |bytes: u64| bytes.div_ceil(1 << 20);
        let smaller = self.smaller_tiles(forecast).map(|(cell, bytes)| {
            format!(" use smaller tiles (--cell {cell}: about {} MiB),", mib(bytes))
        });
        Err(BakeError::Budget(format!(
            "{}: baking takes about {} MiB of memory with one tile at a time, and the limit is {} MiB;{} split the level, or raise the limit (--memory)",
            self.place,
            mib(forecast.least_bytes),
            mib(most),
            smaller.unwrap_or_default()
        )))
    }

    /// Warns where a limit lets fewer tiles be under way than there are threads.
    pub(crate) fn warn_of_room(&self, forecast: &Forecast, most: u64, rec: &mut Recorder<'_>) {
        if rec.room.is_some() {
            let [needed, most] = [forecast.peak_bytes, most].map(|b| b.div_ceil(1 << 20));
            rec.warn(
                "fewer-tiles-at-once",
                &self.place,
                format!(
                    "with a tile on each thread, baking takes about {needed} MiB of memory, and the limit is {most} MiB: fewer tiles are baked at a time, which takes longer (--memory)"
                ),
            );
        }
    }

    /// A cell size with smaller tiles, m, and the forecast for it, where that is a tenth less.
    fn smaller_tiles(&self, forecast: &Forecast) -> Option<(f64, u64)> {
        let radii = self.config.agent_list().into_iter().map(|agent| agent.radius);
        let least = radii.fold(f64::INFINITY, f64::min);
        if self.config.cell.is_some() || least <= 0.0 || !least.is_finite() {
            return None;
        }
        // A little below the default of a quarter of the radius, to two digits.
        let cell = 0.9 * least / 4.0;
        let digits = 10f64.powf(1.0 - cell.log10().floor());
        let cell = (cell * digits).floor() / digits;
        let options = Options { threads: 1, ..Options::default() };
        let bytes = self::forecast(self, &options, Some(cell)).ok()?.least_bytes;
        (bytes < forecast.least_bytes / 10 * 9).then_some((cell, bytes))
    }
}

/// Lets tiles begin only while all that are under way fit into some bytes. One always may.
///
/// A thread that waits holds none of the room, so the others never wait for it: work on a tile
/// starts no other.
pub(crate) struct Room {
    bytes: u64,
    taken: Mutex<u64>,
    freed: Condvar,
}

/// The part of a room that a tile takes until it is done.
pub(crate) struct Place<'a> {
    room: &'a Room,
    bytes: u64,
}

impl Room {
    pub(crate) fn new(bytes: u64) -> Room {
        Room { bytes, taken: Mutex::new(0), freed: Condvar::new() }
    }

    /// Waits until there is room.
    pub(crate) fn take(&self, bytes: u64) -> Place<'_> {
        let is_full = |taken: &mut u64| *taken > 0 && *taken + bytes > self.bytes;
        let taken = self.freed.wait_while(self.taken(), is_full);
        *taken.unwrap_or_else(PoisonError::into_inner) += bytes;
        Place { room: self, bytes }
    }

    fn taken(&self) -> MutexGuard<'_, u64> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *self.room.taken() -= self.bytes;
        self.room.freed.notify_all();
    }
}

/// Bytes of the result for a triangle of ground, merged and encoded.
const RESULT: f64 = 170.0;
/// Squares of the sampling grid that a triangle of the result is about as large as, at least.
const SQUARES: f64 = 16.0;

fn forecast(
    input: &BakeInput,
    options: &Options,
    cell: Option<f64>,
) -> Result<Forecast, BakeError> {
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    };
    let (mut tiles, mut triangles) = (0, 0);
    // What is held to the end, and tiles under way: one, and as many as there are threads.
    let (mut rest, mut under_way) = (0.0, [0; 2]);
    if let Some(map) = input.grid_map() {
        let layers = grid_map_layers(map, &input.level.grid);
        let corners: usize =
            layers.iter().flat_map(|l| l.rings.iter().map(|r| r.points.len())).sum();
        tiles = layers.len();
        // About one triangle a corner; the cells themselves and their labels once more.
        rest = 300.0 * corners as f64 + 8.0 * map.free.len() as f64;
    } else {
        let level = &input.level;
        triangles = level.triangles.len();
        let agents = input.config.agent_list();
        let classes = navbake_level::classes(&agents).0;
        for class in &classes {
            let (area, ground, sides) = ground_of(level, &class.agent);
            let members: Vec<(u32, &Agent)> =
                class.members.iter().filter_map(|&a| Some((1, agents.get(a)?))).collect();
            let reach = Reach::of(&members, &level.grid, false);
            let found = input.config.auto_links.settings();
            let links = reach.map_or(0, |r| found.most_bytes(&r, &level.grid, sides));
            let side = level.grid.units() * class.agent.radius.max(0.15) * 2.0 / 3.0;
            let result = match input.config.surface {
                Surface::Floor => ground as f64,
                Surface::Generate => (ground as f64).min(area / (side * side) / SQUARES),
            };
            rest += RESULT * result + links as f64;
        }
        let mut left: Vec<&Agent> = classes.iter().map(|class| &class.agent).collect();
        if input.config.surface == Surface::Floor {
            tiles = left.len();
            left.clear();
        }
        let mut planned: f64 = 0.0;
        while !left.is_empty() {
            let (plan, places) = Plan::shared(level, &left, &WalkableSettings { cell })
                .map_err(|e| BakeError::input(&input.place, e.to_string()))?;
            tiles += plan.tile_count() * places.len();
            let mut all: Vec<u64> = (0..plan.tile_count()).map(|t| plan.tile_bytes(t)).collect();
            all.sort_unstable_by(|a, b| b.cmp(a));
            let [making, made] = Plan::BYTES.map(|bytes| (bytes * triangles) as u64);
            planned = planned.max(made as f64);
            // The first tile takes what the plan has freed.
            let first = all.first().copied().unwrap_or(0).max(making);
            let others: u64 = all.iter().skip(1).take(threads - 1).sum();
            under_way = [under_way[0].max(first), under_way[1].max(first + others)];
            let mut place = 0..;
            left.retain(|_| !places.contains(&place.next().unwrap_or(usize::MAX)));
        }
        rest += planned;
    }
    let held = match held_memory() {
        0 => 4 * 1024 * 1024 + 80 * triangles as u64,
        held => held,
    };
    let rest_bytes = held + rest as u64;
    let [least_bytes, peak_bytes] = under_way.map(|bytes| peak_memory().max(rest_bytes + bytes));
    Ok(Forecast { tiles, triangles, peak_bytes, least_bytes, rest_bytes })
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn tiles_under_way_fit_into_their_room_and_a_greater_one_is_alone() {
        let room = Room::new(10);
        let (now, most, done) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (room, now, most, done) = (&room, &now, &most, &done);
                scope.spawn(move || {
                    for k in 0..60 {
                        let bytes = [2, 5, 3, 25][(k + thread) % 4];
                        let _place = room.take(bytes);
                        let all = now.fetch_add(bytes, Ordering::SeqCst) + bytes;
                        assert!(all <= 10 || all == bytes, "{all}");
                        most.fetch_max(all, Ordering::SeqCst);
                        std::thread::sleep(std::time::Duration::from_micros(50));
                        now.fetch_sub(bytes, Ordering::SeqCst);
                        done.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!((most.into_inner(), done.into_inner(), *room.taken()), (25, 240, 0));
    }
}
