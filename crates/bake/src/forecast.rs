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
//! takes it again. Sizes are those of the structures; none is fitted to a level. Under a limit, a
//! bake has fewer threads where that suffices: what a thread has freed stays with it, so threads
//! that wait for each other would take as much.
//!
//! Measured levels: `docs/record/2026-11/props.md`, by `tools/measure/memory.py`.

use navbake_autolink::Reach;
use navbake_geom::orient;
use navbake_level::{Agent, Level, Warning};
use navbake_walkable::{Plan, WalkableSettings, grid_map_layers};

use crate::clock::{held_memory, peak_memory};
use crate::config::Surface;
use crate::error::BakeError;
use crate::input::BakeInput;
use crate::progress::Options;
use crate::recorder;
use crate::world::{CHUNK, TileRange, is_within};

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
}

impl BakeInput {
    /// Predicts tiles and memory of a bake, without baking.
    ///
    /// Takes linear time: the level is planned, and no tile is baked.
    ///
    /// # Errors
    /// As [`BakeInput::bake`], as far as it can be known before.
    pub fn forecast(&self, options: &Options) -> Result<Forecast, BakeError> {
        Ok(forecast(self, options, self.config.cell)?.0)
    }

    /// The threads that a bake may have under the config's limit of memory, and a warning if these
    /// are fewer than wanted.
    ///
    /// # Errors
    /// As [`BakeInput::forecast`] and [`BakeInput::within_memory`].
    pub(crate) fn threads_within_memory(
        &self,
        options: &Options,
    ) -> Result<(usize, Option<Warning>), BakeError> {
        let Some(most) = self.config.memory else {
            return Ok((options.threads, None));
        };
        // On a thread of its own: the first thread of the bake takes over what it frees.
        let (forecast, peaks) =
            recorder::on_threads(1, || forecast(self, options, self.config.cell))?;
        self.within_memory(&forecast)?;
        if forecast.peak_bytes <= most {
            return Ok((options.threads, None));
        }
        let threads = peaks.iter().take_while(|peak| **peak <= most).count().max(1);
        let [needed, most] = [forecast.peak_bytes, most].map(|bytes| bytes.div_ceil(1 << 20));
        let message = format!(
            "with {} threads baking takes about {needed} MiB of memory, and the limit is {most} MiB: the bake has {threads}, and takes longer (--memory)",
            peaks.len()
        );
        let place = self.place.as_str().into();
        Ok((threads, Some(Warning { code: "fewer-threads", message, place })))
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
        let bytes = self::forecast(self, &options, Some(cell)).ok()?.0.least_bytes;
        (bytes < forecast.least_bytes / 10 * 9).then_some((cell, bytes))
    }
}

/// Bytes of the result for a triangle of ground, merged and encoded.
const RESULT: f64 = 170.0;
/// Squares of the sampling grid that a triangle of the result is about as large as, at least.
const SQUARES: f64 = 16.0;

/// The forecast, and the peaks for one thread and more.
fn forecast(
    input: &BakeInput,
    options: &Options,
    cell: Option<f64>,
) -> Result<(Forecast, Vec<u64>), BakeError> {
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    };
    let (mut tiles, mut triangles) = (0, 0);
    // What is held to the end, and tiles under way on one thread and more.
    let (mut rest, mut under_way) = (0.0, vec![0; threads]);
    if let Some(map) = input.grid_map() {
        let layers = grid_map_layers(map, &input.level.grid);
        let corners: usize =
            layers.iter().flat_map(|l| l.rings.iter().map(|r| r.points.len())).sum();
        tiles = layers.len();
        // About one triangle a corner; the cells themselves and their labels once more.
        rest = 300.0 * corners as f64 + 8.0 * map.free.len() as f64;
    } else {
        let mut planned: f64 = 0.0;
        triangles = each_ground(input, |level, range| {
            let found = of_level(input, level, range, cell, threads)?;
            tiles += found.tiles;
            rest += found.result;
            planned = planned.max(found.planned);
            for (most, own) in under_way.iter_mut().zip(found.under_way) {
                *most = own.max(*most);
            }
            Ok(())
        })?;
        rest += planned;
    }
    let held = match held_memory() {
        0 => 4 * 1024 * 1024 + 80 * triangles as u64,
        held => held,
    };
    let peak = |bytes: &u64| peak_memory().max(held + rest as u64 + bytes);
    let peaks: Vec<u64> = under_way.iter().map(peak).collect();
    let [least_bytes, peak_bytes] = [peaks.first(), peaks.last()].map(|p| p.copied().unwrap_or(0));
    Ok((Forecast { tiles, triangles, peak_bytes, least_bytes }, peaks))
}

/// Calls `f` for each level that is on the grid at a time: the whole, or each chunk of a world with
/// the range of its tiles. Gives the number of all triangles.
fn each_ground(
    input: &BakeInput,
    mut f: impl FnMut(&Level, Option<TileRange>) -> Result<(), BakeError>,
) -> Result<usize, BakeError> {
    let level = &input.level;
    let Some(world) = &input.chunked else {
        f(level, None)?;
        return Ok(level.triangles.len());
    };
    let side = level.grid.length(CHUNK);
    for range in world.chunks(level, side, CHUNK) {
        if let Some((own, _)) = world.level(level, range, side, 0, &input.config)? {
            f(&own, Some(range))?;
        }
    }
    Ok(world.world().triangle_count() as usize)
}

/// What the tiles of a level take.
struct OfLevel {
    tiles: usize,
    /// Bytes of the result, and of candidates for links.
    result: f64,
    /// Bytes of the plan.
    planned: f64,
    /// Bytes of tiles at a time, on one thread and more.
    under_way: Vec<u64>,
}

/// Plans a level, or a chunk whose tiles are those of chunks.
fn of_level(
    input: &BakeInput,
    level: &Level,
    chunk: Option<TileRange>,
    cell: Option<f64>,
    threads: usize,
) -> Result<OfLevel, BakeError> {
    let under_way = vec![0; threads];
    let mut found = OfLevel { tiles: 0, result: 0.0, planned: 0.0, under_way };
    let agents = input.config.agent_list();
    let classes = navbake_level::classes(&agents).0;
    for class in &classes {
        let (area, ground, sides) = ground_of(level, &class.agent);
        let members: Vec<(u32, &Agent)> =
            class.members.iter().filter_map(|&a| Some((1, agents.get(a)?))).collect();
        let reach = Reach::of(&members, &level.grid, false);
        let settings = input.config.auto_links.settings();
        let links = reach.map_or(0, |r| settings.most_bytes(&r, &level.grid, sides));
        let side = level.grid.units() * class.agent.radius.max(0.15) * 2.0 / 3.0;
        let result = match input.config.surface {
            Surface::Floor => ground as f64,
            Surface::Generate => (ground as f64).min(area / (side * side) / SQUARES),
        };
        found.result += RESULT * result + links as f64;
    }
    let mut left: Vec<&Agent> = classes.iter().map(|class| &class.agent).collect();
    if input.config.surface == Surface::Floor {
        found.tiles = left.len();
        left.clear();
    }
    while !left.is_empty() {
        let (mut plan, places) = Plan::shared(level, &left, &WalkableSettings { cell })
            .map_err(|e| BakeError::input(&input.place, e.to_string()))?;
        if let Some([low, high]) = chunk {
            // The chunk's middles of tiles: chunks of the forecast are not whole tiles.
            let side = f64::from(plan.tile_side()) / f64::from(level.grid.length(CHUNK));
            plan.keep_tiles(|key| {
                let at = key.map(|k| ((f64::from(k) + 0.5) * side).floor() as i32);
                is_within([low, high], at)
            });
        }
        found.tiles += plan.tile_count() * places.len();
        let mut all: Vec<u64> = (0..plan.tile_count()).map(|t| plan.tile_bytes(t)).collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        let [making, made] = Plan::BYTES.map(|bytes| (bytes * level.triangles.len()) as u64);
        found.planned = found.planned.max(made as f64);
        // The first tile takes what the plan has freed.
        if let Some(first) = all.first_mut() {
            *first = making.max(*first);
        }
        let mut sum = 0;
        for (k, most) in found.under_way.iter_mut().enumerate() {
            sum += all.get(k).copied().unwrap_or(0);
            *most = sum.max(*most);
        }
        let mut place = 0..;
        left.retain(|_| !places.contains(&place.next().unwrap_or(usize::MAX)));
    }
    Ok(found)
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
