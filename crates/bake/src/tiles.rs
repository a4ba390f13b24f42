//! Tiles, each a job of its own: taken from the cache where it has them, baked otherwise.

use navbake_level::number::count;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use navbake_mesh::{
    AreaMap, Bands, CellAreas, Patch, PatchError, PatchSettings, patch, patch_by_area,
    patch_by_cells,
};
use navbake_walkable::{Layer, NarrowPassage, Tile};
use rayon::prelude::*;

use crate::cache::Found;
use crate::error::BakeError;
use crate::hash::ContentKey;
use crate::progress::Options;
use crate::recorder::{Recorder, guarded};
use crate::summary::{Note, Tiles};
use crate::tile_result::{Place, TileNote, TileResult};

/// Work that falls into tiles which do not know of each other, and in each tile into a job for each
/// class of agents. Jobs are numbered tile by tile.
pub(crate) struct TileJobs<'a> {
    pub(crate) tiles: usize,
    /// By class.
    pub(crate) shapes: &'a [PatchSettings],
    /// A job in messages.
    pub(crate) name: &'a (dyn Fn(Place) -> String + Sync),
    /// First half of the work: the ground of some classes on a tile, which share what does not
    /// depend on the class. The other half makes polygons of it, class by class.
    pub(crate) layers: &'a LayersOfTile<'a>,
    /// Which area the ground of a job is where; nothing when all of it is of the first.
    pub(crate) areas: Option<&'a (dyn Fn(Place) -> Areas<'a> + Sync)>,
    /// Everything that decides a job's result, hashed, by job; empty for jobs that no cache shall
    /// keep.
    pub(crate) keys: &'a [ContentKey],
}

/// Gives the ground of some classes on a tile.
pub(crate) type LayersOfTile<'a> = dyn Fn(usize, &[usize], &mut Take) + Sync + 'a;
/// Takes the ground of a class.
pub(crate) type Take<'a> = dyn FnMut(usize, Tile) + 'a;

/// The source of the areas of ground.
pub(crate) enum Areas<'a> {
    /// Triangles.
    Ground(AreaMap),
    /// Triangles, and bands along walls.
    Banded(AreaMap, BandLayers),
    /// Cells of a grid map.
    Cells(&'a CellAreas),
}

/// What bands along the walls of a tile are made of; see [`Bands::new`].
pub(crate) struct BandLayers {
    /// The tile's ground for each of some greater radii.
    pub(crate) layers: Vec<Vec<Layer>>,
    /// The number of areas in each band.
    pub(crate) areas: u8,
    /// Grid units.
    pub(crate) climb: i32,
    pub(crate) tolerance: i32,
}

impl BandLayers {
    fn bands(&self) -> Bands<'_> {
        Bands::new(&self.layers, self.areas, self.climb, self.tolerance)
    }
}

/// Entries of the cache that were there and could not be used.
#[derive(Debug, Default)]
pub(crate) struct Unusable {
    count: usize,
    first: Option<(PathBuf, &'static str)>,
}

impl Unusable {
    /// The one warning for all of them.
    pub(crate) fn note(self) -> Option<Note> {
        let (path, reason) = self.first?;
        Some(Note {
            code: "cache-entry".into(),
            message: format!(
                "could not use {} of the cache: their tiles were baked again and the entries replaced. This first one {reason}",
                count(self.count as u64, "entry")
            ),
            place: None,
            source: path.display().to_string(),
        })
    }
}

impl TileJobs<'_> {
    fn count(&self) -> usize {
        self.tiles * self.shapes.len()
    }

    fn place(&self, job: usize) -> Place {
        let classes = self.shapes.len();
        Place { tile: job / classes, class: job % classes }
    }
}

/// The reports of tiles beside their polygons, over all classes.
#[derive(Default)]
pub(crate) struct TileReport {
    pub(crate) tiles: Tiles,
    /// Warnings, whether of now or of the time when the cache got the tile.
    pub(crate) notes: Vec<Note>,
    /// Passages about as wide as the agent, with the number of their class.
    pub(crate) narrow: Vec<(usize, NarrowPassage)>,
    pub(crate) unusable: Unusable,
    /// Thread seconds in the walkable and in the mesh part of the tiles.
    pub(crate) seconds: [f64; 2],
}

/// Bakes all jobs, or takes them from the cache; polygons by class, in the order of the tiles.
pub(crate) fn bake_tiles(
    jobs: &TileJobs,
    rec: &mut Recorder<'_>,
    report: &mut TileReport,
) -> Result<Vec<Vec<Patch>>, BakeError> {
    let mut results = look_up(jobs, rec, &mut report.unusable)?;
    let missing: Vec<usize> = (0..jobs.count()).filter(|&i| results[i].is_none()).collect();
    report.tiles.total += jobs.count() as u64;
    report.tiles.baked += missing.len() as u64;
    report.tiles.cached += (jobs.count() - missing.len()) as u64;
    let baked = bake_missing(jobs, &missing, rec.options, &mut report.seconds);
    // The error of the first job, whichever failed first in time.
    for (i, result) in baked.into_iter().flatten() {
        results[i] = Some(result?);
    }
    let results = results.into_iter().flatten().collect();
    let patches = taken(results, jobs.shapes.len(), jobs.name, report);
    rec.clock.stage("tiles", true);
    Ok(patches)
}

/// The patches of results by class, tile by tile; the report gets what else they have.
pub(crate) fn taken(
    results: Vec<TileResult>,
    classes: usize,
    name: &dyn Fn(Place) -> String,
    report: &mut TileReport,
) -> Vec<Vec<Patch>> {
    let mut patches = vec![vec![]; classes];
    let mut notes = vec![vec![]; classes];
    for (i, result) in results.into_iter().enumerate() {
        let place = Place { tile: i / classes, class: i % classes };
        patches[place.class].extend(result.patches);
        report.narrow.extend(result.narrow.into_iter().map(|passage| (place.class, passage)));
        for TileNote { code, message } in result.notes {
            let source = name(place);
            notes[place.class].push(Note { code, message, place: None, source });
        }
    }
    report.notes.extend(notes.into_iter().flatten());
    patches
}

/// The results of all these jobs, if the cache has every one.
pub(crate) fn known_results(
    keys: &[ContentKey],
    rec: &mut Recorder<'_>,
) -> Result<Option<Vec<TileResult>>, BakeError> {
    let Some(cache) = rec.options.cache else { return Ok(None) };
    let found = guarded(|| "reading the cache".into(), || cache.get_all(keys))?;
    let entry = |found| match found {
        Found::Entry(result) => Some(result),
        Found::Nothing | Found::Unusable(_) => None,
    };
    let results = found.into_iter().map(entry).collect();
    rec.clock.stage("cache", true);
    Ok(results)
}

/// The results found in the cache, by job.
fn look_up(
    jobs: &TileJobs,
    rec: &mut Recorder<'_>,
    unusable: &mut Unusable,
) -> Result<Vec<Option<TileResult>>, BakeError> {
    let Some(cache) = rec.options.cache.filter(|_| !jobs.keys.is_empty()) else {
        return Ok(vec![None; jobs.count()]);
    };
    let found = guarded(|| "reading the cache".into(), || cache.get_all(jobs.keys))?;
    let mut results = Vec::with_capacity(jobs.count());
    for (key, found) in jobs.keys.iter().zip(found) {
        results.push(match found {
            Found::Entry(result) => Some(result),
            Found::Nothing => None,
            Found::Unusable(reason) => {
                unusable.count += 1;
                unusable.first.get_or_insert_with(|| (cache.path(key), reason));
                None
            }
        });
    }
    rec.clock.stage("cache", true);
    Ok(results)
}

/// Results of the jobs named (ascending), tile by tile. The layers of a job are gone when the next
/// class on the tile begins, so that memory holds only those of the running jobs.
fn bake_missing(
    jobs: &TileJobs,
    which: &[usize],
    options: &Options<'_>,
    seconds: &mut [f64; 2],
) -> Vec<Vec<(usize, Result<TileResult, BakeError>)>> {
    let known = jobs.count() - which.len();
    let done = AtomicUsize::new(known);
    let nanoseconds = [AtomicU64::new(0), AtomicU64::new(0)];
    let keep = |i: usize, result: TileResult| -> Result<TileResult, BakeError> {
        if let (Some(cache), Some(key)) = (options.cache, jobs.keys.get(i)) {
            cache.put(key, &result)?;
        }
        let done = 1 + done.fetch_add(1, Ordering::Relaxed);
        options.report("walkable", done, jobs.count());
        Ok(result)
    };
    let tile = |all: &&[usize]| {
        let mut results = vec![];
        let Some(first) = all.first().map(|&i| jobs.place(i)) else {
            return results;
        };
        if options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return all.iter().map(|&i| (i, Err(BakeError::Stopped))).collect();
        }
        let classes: Vec<usize> = all.iter().map(|&i| jobs.place(i).class).collect();
        let begin = Instant::now();
        let mut shaping = Duration::ZERO;
        let mut take = |class: usize, ground: Tile| {
            let begin = Instant::now();
            let place = Place { class, ..first };
            let i = first.tile * jobs.shapes.len() + class;
            let result = jobs.shape(place, ground).and_then(|r| keep(i, r));
            shaping += begin.elapsed();
            results.push((i, result));
        };
        // Of several classes made at the same time the first names all.
        let name = || (jobs.name)(first);
        let all = guarded(name, || (jobs.layers)(first.tile, &classes, &mut take));
        let spent = [begin.elapsed().saturating_sub(shaping), shaping];
        for (sum, spent) in nanoseconds.iter().zip(spent) {
            sum.fetch_add(spent.as_nanos() as u64, Ordering::Relaxed);
        }
        if let Err(fault) = all {
            let i = first.tile * jobs.shapes.len() + first.class;
            results.insert(0, (i, Err(fault)));
        }
        results
    };
    options.report("walkable", known, jobs.count());
    let same_tile = |a: &usize, b: &usize| jobs.place(*a).tile == jobs.place(*b).tile;
    let tiles: Vec<&[usize]> = which.chunk_by(same_tile).collect();
    let results = tiles.par_iter().with_max_len(1).map(tile).collect();
    for (sum, nanoseconds) in seconds.iter_mut().zip(nanoseconds) {
        *sum += nanoseconds.into_inner() as f64 / 1e9;
    }
    results
}
impl TileJobs<'_> {
    /// The second half of a job.
    fn shape(&self, place: Place, ground: Tile) -> Result<TileResult, BakeError> {
        let name = || (self.name)(place);
        let areas = match self.areas {
            Some(areas) => Some(guarded(name, || areas(place))?),
            None => None,
        };
        let bands = match &areas {
            Some(Areas::Banded(_, layers)) => Some(guarded(name, || layers.bands())?),
            _ => None,
        };
        let mut uncut = false;
        let patches = || {
            let one = |layer| {
                let shape = &self.shapes[place.class];
                let (patch, is_cut) = match &areas {
                    None => (patch(layer, shape)?, true),
                    Some(Areas::Ground(map) | Areas::Banded(map, _)) => {
                        patch_by_area(layer, shape, map, bands.as_ref())?
                    }
                    Some(Areas::Cells(cells)) => (patch_by_cells(layer, shape, cells)?, true),
                };
                uncut |= !is_cut;
                Ok(patch)
            };
            ground.layers.iter().map(one).collect::<Result<Vec<Patch>, PatchError>>()
        };
        let patches = guarded(name, patches)?
            .map_err(|fault| BakeError::internal(name(), fault.to_string()))?;
        let mut notes = vec![];
        if uncut {
            notes.push(TileNote {
                code: "areas-not-cut".into(),
                message: "areas meet in places too close together to cut the ground there: each polygon has the area in its middle".into(),
            });
        }
        Ok(TileResult { patches, notes, narrow: ground.narrow })
    }
}
