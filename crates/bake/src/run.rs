//! A bake under way: its threads, the clock, the warnings, and what is said at the end.

use std::panic::{AssertUnwindSafe, catch_unwind};

use navbake_hierarchy::Islands;
use navbake_level::Warning;
use navbake_mesh::NavMesh;

use crate::Baked;
use crate::clock::{Clock, peak_memory};
use crate::error::BakeError;
use crate::findings::Remark;
use crate::job::{Ground, Job};
use crate::progress::Options;
use crate::rooms::ClassRooms;
use crate::summary::{Links, Note, Reuse, Seconds, Summary, Tabled, Tiles, Timings};
use crate::tiles::Unusable;

/// Stack of a thread, bytes: what a program's first thread usually has.
const STACK: usize = 8 << 20;

/// A bake under way.
pub(crate) struct Run<'a> {
    pub(crate) job: &'a Job,
    pub(crate) options: &'a Options<'a>,
    pub(crate) clock: Clock,
    pub(crate) warnings: Vec<Warning>,
    /// The same with places, for reports.
    pub(crate) remarks: Vec<Remark>,
    /// For each class so far, why none of its islands was kept, where that is so.
    pub(crate) emptied: Vec<Option<String>>,
    /// What the jobs of tiles noticed, whether now or when the cache got them.
    pub(crate) tile_notes: Vec<Note>,
    /// Entries of the cache that could not be used.
    pub(crate) unusable: Unusable,
    /// Over all classes.
    pub(crate) tiles: Tiles,
    /// The same, of pieces that stand in the level more than once.
    pub(crate) known: navbake_walkable::Reuse,
    /// Thread seconds in the walkable and in the mesh part of the tiles.
    pub(crate) tile_seconds: [f64; 2],
    /// Over all classes.
    pub(crate) links: Links,
    /// The same.
    pub(crate) tables: Tabled,
}

/// A navmesh and its islands.
#[derive(Clone, Default)]
pub(crate) struct ClassMesh {
    pub(crate) mesh: NavMesh,
    pub(crate) islands: Islands,
    /// Where they were asked for.
    pub(crate) rooms: Option<ClassRooms>,
}

impl<'a> Run<'a> {
    pub(crate) fn start(job: &'a Job, options: &'a Options<'a>) -> Run<'a> {
        Run {
            job,
            options,
            clock: job.clock.resumed(),
            warnings: vec![],
            remarks: vec![],
            emptied: vec![],
            tile_notes: vec![],
            unusable: Unusable::default(),
            tiles: Tiles::default(),
            known: navbake_walkable::Reuse::default(),
            tile_seconds: [0.0; 2],
            links: Links::default(),
            tables: Tabled::default(),
        }
    }

    /// One serial stage: announced, guarded and measured.
    pub(crate) fn serial<T>(
        &mut self,
        stage: &'static str,
        work: impl FnOnce() -> T,
    ) -> Result<T, BakeError> {
        self.options.report(stage, 0, 1);
        let done = guarded(|| stage.into(), work)?;
        self.clock.stage(stage, false);
        self.options.report(stage, 1, 1);
        Ok(done)
    }

    /// What was known of pieces that stand in the level more than once.
    fn reuse(&self) -> Reuse {
        let Ground::Level(level) = &self.job.ground else {
            return Reuse::default();
        };
        let [pieces, places] = level.copies.placed.map(u64::from);
        let navbake_walkable::Reuse {
            asked,
            known,
            looked_at,
        } = self.known;
        Reuse {
            pieces,
            places,
            reused: level.copies.all.len() as u64,
            lines: asked,
            known,
            looked_at,
            saved: known.saturating_sub(looked_at) as f64 / asked.max(1) as f64,
        }
    }

    /// What came out, in numbers.
    pub(crate) fn finish(
        self,
        bytes: Vec<u8>,
        navmeshes: &[ClassMesh],
    ) -> Result<Baked, BakeError> {
        let counts = Counts::of(self.job, navmeshes);
        let stages = self.clock.stages().to_vec();
        let wall = |name: &str| -> f64 {
            let named = stages.iter().filter(|s| s.stage == name);
            // Not `sum`, which gives minus zero for nothing.
            named.fold(0.0, |sum, s| sum + s.wall)
        };
        let [walkable, mesh] = self.tile_seconds;
        let share = if walkable + mesh > 0.0 {
            walkable / (walkable + mesh)
        } else {
            0.0
        };
        let total: f64 = stages.iter().map(|s| s.wall).sum();
        let seconds = Seconds {
            import: wall("import"),
            walkable: wall("plan") + wall("keys") + wall("cache") + wall("tiles") * share,
            mesh: wall("floor") + wall("tiles") * (1.0 - share) + wall("join") + wall("merge"),
            hierarchy: wall("islands") + wall("rooms") + wall("ways") + wall("links"),
            tables: wall("tables"),
            encode: wall("encode") + wall("findings"),
            total,
        };
        let serial: f64 = stages.iter().filter(|s| !s.parallel).map(|s| s.wall).sum();
        let all = self.job.warnings.iter().chain(&self.warnings);
        let summary = Summary {
            output: String::new(),
            bytes: bytes.len() as u64,
            hash: blake3::hash(&bytes).to_hex().to_string(),
            polygons: counts.polygons,
            vertices: counts.vertices,
            portals: counts.portals,
            islands: counts.islands,
            rooms: counts.rooms,
            doors: counts.doors,
            links: self.links,
            tables: self.tables,
            area_m2: counts.area_m2,
            agents: self
                .job
                .config
                .agents
                .iter()
                .map(|a| a.name.clone())
                .collect(),
            seconds,
            peak_rss_bytes: peak_memory(),
            tiles: self.tiles,
            reuse: self.reuse(),
            warnings: all
                .map(Note::from)
                .chain(self.tile_notes)
                .chain(self.unusable.note())
                .collect(),
        };
        let timings = Timings {
            serial_share: if total > 0.0 { serial / total } else { 1.0 },
            threads: rayon::current_num_threads(),
            stages,
        };
        Ok(Baked {
            bytes,
            summary,
            timings,
        })
    }
}

/// Sizes of the navmeshes of all classes together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Counts {
    pub(crate) polygons: u64,
    pub(crate) vertices: u64,
    pub(crate) portals: u64,
    pub(crate) islands: u64,
    pub(crate) rooms: u64,
    pub(crate) doors: u64,
    pub(crate) area_m2: f64,
}

impl Counts {
    pub(crate) fn of(job: &Job, navmeshes: &[ClassMesh]) -> Counts {
        let units = job.ground.grid().units();
        let sum = |of: &dyn Fn(&ClassMesh) -> usize| navmeshes.iter().map(|m| of(m) as u64).sum();
        let open = |m: &ClassMesh| {
            let open = m.mesh.neighbours.iter();
            open.filter(|&&n| n != navbake_mesh::NONE).count() / 2
        };
        let doubled: i128 = navmeshes.iter().map(|m| m.mesh.area_doubled()).sum();
        Counts {
            polygons: sum(&|m| m.mesh.len()),
            vertices: sum(&|m| m.mesh.vertices.len()),
            portals: sum(&open),
            islands: sum(&|m| m.islands.len()),
            rooms: sum(&|m| m.rooms.as_ref().map_or(0, |r| r.found.count)),
            doors: sum(&|m| m.rooms.as_ref().map_or(0, |r| r.found.doors.len())),
            area_m2: doubled as f64 / 2.0 / (units * units),
        }
    }
}

/// The threads of a bake: so many, or one a core for 0.
///
/// All stages are called from one of them. A thread outside that handed over stage after stage would find them asleep each time, and
/// they it.
pub(crate) fn threads(count: usize) -> Result<rayon::ThreadPool, BakeError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(count)
        .thread_name(|i| format!("bake {i}"))
        .stack_size(STACK)
        .build()
        .map_err(|e| BakeError::internal("the threads of the bake", e.to_string()))
}

/// Does a piece of work; a panic in it becomes an internal error that names it.
pub(crate) fn guarded<T>(
    name: impl FnOnce() -> String,
    work: impl FnOnce() -> T,
) -> Result<T, BakeError> {
    // What the work held is dropped with it; nothing half-done is looked at afterwards.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let message = payload
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "it panicked without a message".into());
        BakeError::internal(name(), message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_internal_error_that_names_the_work() {
        let error = guarded(|| "tile (3, -4)".into(), || -> u8 { panic!("index {}", 7) });
        let error = error.unwrap_err();
        assert_eq!(error.exit_code(), 6);
        let text = error.to_string();
        assert!(
            text.contains("tile (3, -4)") && text.contains("index 7"),
            "{text}"
        );
        assert_eq!(guarded(|| "x".into(), || 5).unwrap(), 5);
    }
}
