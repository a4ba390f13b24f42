//! The tiles of a level of triangles, or of a world chunk by chunk.

use std::collections::BTreeSet;

use navbake_level::{Agent, Level, Warning};
use navbake_mesh::{AreaMap, Patch, PatchSettings};
use navbake_walkable::{Plan, WalkableSettings};
use rayon::prelude::*;

use crate::error::BakeError;
use crate::hash::{self, ContentKey};
use crate::input::BakeInput;
use crate::recorder::Recorder;
use crate::tile_list::{ChunkTiles, LevelTile, tile_name};
use crate::tile_result::Place;
use crate::tiles::{Areas, BandLayers, Take, TileJobs, TileReport, bake_tiles};
use crate::tolerances::shape;
use crate::world::{CHUNK, ChunkedWorld, TileRange, is_within};

/// What is done with tiles.
pub(crate) enum Task<'a> {
    /// All of them are made.
    Bake,
    /// They are listed, and none is made.
    List(&'a mut Vec<LevelTile>),
    /// Those with these columns and rows are made, for the cache alone.
    Cache(&'a BTreeSet<[i32; 2]>),
}

impl Task<'_> {
    /// Is this tile wanted?
    fn wants(&self, key: [i32; 2]) -> bool {
        match self {
            Task::Cache(keys) => keys.contains(&key),
            Task::Bake | Task::List(_) => true,
        }
    }

    /// Are all tiles wanted?
    fn is_of_all(&self) -> bool {
        !matches!(self, Task::Cache(_))
    }

    /// Is any of these tiles wanted?
    fn is_within(&self, range: TileRange) -> bool {
        match self {
            Task::Cache(keys) => keys.iter().any(|key| is_within(range, *key)),
            Task::Bake | Task::List(_) => true,
        }
    }
}

/// Polygons by tile and layer, of the first class and of all others that share tiles with it.
///
/// Each comes with its place in `agents`.
pub(crate) fn level_patches(
    input: &BakeInput,
    agents: &[&Agent],
    task: &mut Task<'_>,
    rec: &mut Recorder<'_>,
    report: &mut TileReport,
) -> Result<Vec<(usize, Vec<Patch>)>, BakeError> {
    let level = &input.level;
    // A world's level has no triangles, and gives what does not depend on them.
    let mut all = patches_of(input, &Ground { level, range: None }, agents, task, rec, report)?;
    if let Some(world) = &input.chunked {
        let (side, reach) = (all.side, all.reach);
        let chunk = rec.options.chunk.unwrap_or(CHUNK);
        for range in rec.parallel("plan", || world.chunks(level, side, chunk))? {
            if !task.is_within(range) {
                continue;
            }
            let content = chunk_key(input, world, range, side, reach, agents);
            let cache = rec.options.cache.filter(|_| content.is_some());
            let known = cache.zip(content).and_then(|(cache, key)| cache.chunk(&key));
            let mut patches = None;
            if let Some(known) = known {
                let names: Vec<&str> =
                    all.places.iter().map(|&p| agents[p].name.as_str()).collect();
                patches = known.patches(task, &names, rec, report)?;
                if patches.is_some() {
                    notice(known.notes, rec);
                }
            }
            if patches.is_none() {
                let read = || world.level(level, range, side, reach, &input.config);
                let (mut tiles, mut notes) = (vec![], vec![]);
                if let Some((level, own)) = rec.parallel("chunk", read)?? {
                    let ground = Ground { level: &level, range: Some(range) };
                    let made = patches_of(input, &ground, agents, task, rec, report)?;
                    (patches, tiles, notes) = (Some(made.patches), made.tiles, own);
                }
                if let Some((cache, key)) = cache.zip(content).filter(|_| task.is_of_all()) {
                    cache.put_chunk(&key, &ChunkTiles { tiles, notes: notes.clone() })?;
                }
                notice(notes, rec);
            }
            for (all, more) in all.patches.iter_mut().zip(patches.into_iter().flatten()) {
                all.extend(more);
            }
        }
    }
    Ok(all.places.into_iter().zip(all.patches).collect())
}

/// The name of the list of a chunk's tiles in a cache; none where volumes or fields decide what
/// its ground is.
fn chunk_key(
    input: &BakeInput,
    world: &ChunkedWorld,
    range: TileRange,
    side: i32,
    reach: i32,
    agents: &[&Agent],
) -> Option<ContentKey> {
    if !input.config.volumes.is_empty() || !input.config.fields.is_empty() {
        return None;
    }
    let near = world.placements_near(&input.level, range, side, reach);
    Some(hash::chunk(input.hashes.config, &input.level, agents, range, near))
}

/// Keeps the first warning of each kind of chunks.
fn notice(notes: Vec<Warning>, rec: &mut Recorder<'_>) {
    for mut note in notes {
        if rec.warnings.iter().all(|known| known.code != note.code) {
            note.message.push_str(" (in one chunk of the world; others may have more)");
            rec.warnings.push(note);
        }
    }
}

/// The triangles that tiles are made from, and the tiles to make of them: all, or some.
struct Ground<'a> {
    level: &'a Level,
    range: Option<TileRange>,
}

impl Ground<'_> {
    fn keep_tiles(&self, plan: &mut Plan<'_>, task: &Task<'_>) {
        plan.keep_tiles(|key| {
            self.range.is_none_or(|range| is_within(range, key)) && task.wants(key)
        });
    }
}

/// Polygons of tiles, and how the tiles are cut.
struct TilePatches {
    /// Of the agents that share tiles with the first.
    places: Vec<usize>,
    /// One entry for each of them.
    patches: Vec<Vec<Patch>>,
    /// The tiles, where there is a cache or they are listed.
    tiles: Vec<LevelTile>,
    /// The side of a tile, and how far around it triangles matter, in grid units.
    side: i32,
    reach: i32,
}

/// The polygons of some tiles for each of the agents that share tiles with the first.
fn patches_of(
    input: &BakeInput,
    ground: &Ground<'_>,
    agents: &[&Agent],
    task: &mut Task<'_>,
    rec: &mut Recorder<'_>,
    report: &mut TileReport,
) -> Result<TilePatches, BakeError> {
    let level = ground.level;
    let settings = WalkableSettings { cell: input.config.cell };
    let (mut plan, places) = rec
        .serial("plan", || Plan::shared(level, agents, &settings))?
        .map_err(|e| BakeError::input(&input.place, e.to_string()))?;
    ground.keep_tiles(&mut plan, task);
    let plan = plan;
    let agent = |class: usize| agents[places[class]];
    let class_shapes: Vec<PatchSettings> = (0..plan.class_count())
        .map(|class| shape(&input.config, level, &plan, class, agent(class)))
        .collect();
    let name = |at: Place| tile_name(plan.key(at.tile), &agent(at.class).name);
    let layers = |tile: usize, classes: &[usize], take: &mut Take| {
        plan.tiles(tile, classes, take);
    };
    // The tiles for agents that are wider by what bands along walls are; no classes without bands.
    let distances = input.config.clearance.profile().distances();
    let by: Vec<i32> = distances.iter().map(|&d| level.grid.length(d)).collect();
    let wider = rec.serial("plan", || {
        let of = |class: usize| plan.wider(class, &by);
        (0..plan.class_count()).map(of).collect::<Result<Vec<Plan>, _>>()
    })?;
    let mut wider = wider.map_err(|e| BakeError::input(&input.place, e.to_string()))?;
    wider.iter_mut().for_each(|plan| ground.keep_tiles(plan, task));
    let reach = wider.iter().map(Plan::reach).fold(plan.reach(), i32::max);
    let areas = |at: Place| {
        let map = AreaMap::new(plan.ground(at.tile), plan.climb());
        let wider = &wider[at.class];
        let bands: Vec<usize> = (0..wider.class_count()).collect();
        if bands.is_empty() {
            return Areas::Ground(map);
        }
        let mut layers = vec![];
        wider.tiles(at.tile, &bands, |_, found| {
            layers.push(found.layers);
        });
        let bands = BandLayers {
            areas: (level.areas.len() / (layers.len() + 1)) as u8, // at most 64
            layers,
            climb: plan.climb(),
            tolerance: class_shapes[at.class].tolerance,
        };
        Areas::Banded(map, bands)
    };
    let key = |at: Place| {
        let (agent, shape) = (agent(at.class), &class_shapes[at.class]);
        let of = |plan, at| hash::tile(plan, at, agent, shape, level.grid.bits);
        let wider = &wider[at.class];
        let bands = (0..wider.class_count()).map(|class| of(wider, Place { class, ..at }));
        match wider.class_count() {
            0 => of(&plan, at),
            _ => hash::tiles([of(&plan, at)].into_iter().chain(bands)),
        }
    };
    let listed = |tile: usize| LevelTile {
        key: plan.key(tile),
        triangles: plan.triangles(tile).len() as u64,
        content: (0..plan.class_count()).map(|class| key(Place { tile, class })).collect(),
    };
    let empty = vec![vec![]; places.len()];
    let mut tiles: Vec<LevelTile> = vec![];
    if rec.options.cache.is_some() || matches!(task, Task::List(_)) {
        let numbers = 0..plan.tile_count();
        tiles = rec.parallel("keys", || numbers.into_par_iter().map(listed).collect())?;
    }
    let side = plan.tile_side();
    if let Task::List(list) = task {
        list.extend(tiles.iter().cloned());
        return Ok(TilePatches { places, patches: empty, tiles, side, reach });
    }
    let keys: Vec<ContentKey> = tiles.iter().flat_map(|tile| tile.content.clone()).collect();
    let patches = bake_tiles(
        &TileJobs {
            tiles: plan.tile_count(),
            shapes: &class_shapes,
            name: &name,
            layers: &layers,
            areas: (level.areas.len() > 1).then_some(&areas),
            keys: &keys,
        },
        rec,
        report,
    )?;
    // What is made for the cache is not held.
    let patches = if task.is_of_all() { patches } else { empty };
    Ok(TilePatches { places, patches, tiles, side, reach })
}
