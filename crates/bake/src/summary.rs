//! The summary and the timings of a bake.

use navbake_hierarchy::ClassMesh;
use navbake_level::Warning;
use serde::Serialize;

use crate::Baked;
use crate::clock::peak_memory;
use crate::input::BakeInput;
use crate::recorder::Recorder;
use crate::tiles::TileReport;

/// What came out of a bake. Serialises to the JSON object of the command line's contract.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// The output file, empty when nothing was written to a file.
    pub output: String,
    /// Size of the navmesh file.
    pub bytes: u64,
    /// BLAKE3 of the navmesh file, hexadecimal.
    pub hash: String,
    /// Convex polygons.
    pub polygons: u64,
    /// Vertices.
    pub vertices: u64,
    /// Portals; the two sides of one count once.
    pub portals: u64,
    /// Connectivity islands.
    pub islands: u64,
    /// Rooms; 0 where they were not looked for.
    pub rooms: u64,
    /// Doors between rooms.
    pub doors: u64,
    /// Links, one way each, over all agents.
    pub links: Links,
    /// Tables beside the navmeshes.
    pub tables: Tabled,
    /// Area seen from above, m2, over all agents.
    pub area_m2: f64,
    /// The agents' names.
    pub agents: Vec<String>,
    /// Wall time a stage, s.
    pub seconds: Seconds,
    /// The most memory the process has held so far, 0 where the system does not say.
    pub peak_rss_bytes: u64,
    /// Units of work.
    pub tiles: Tiles,
    /// What was noticed.
    pub warnings: Vec<Note>,
}

/// Links by where they come from; a way there and back is two. All 0 of a blob that was up to date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Links {
    /// Drawn in the config or the level.
    pub drawn: u64,
    /// Found: down from a ledge.
    pub drops: u64,
    /// Found: over a gap.
    pub jumps: u64,
}

/// Tables, over all agents. All 0 of a blob that was up to date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Tabled {
    /// What they take in the file.
    pub bytes: u64,
    /// Corners that paths turn at.
    pub corners: u64,
    /// Hubs in their labels, all together.
    pub hubs: u64,
    /// What the views of polygons, or labels of squares, take of the bytes.
    pub view_bytes: u64,
    /// What landmarks take of the bytes.
    pub landmark_bytes: u64,
    /// How many squares have labels of their own.
    pub squares: u64,
    /// The share of the ground that they serve, 0 to 1.
    pub view_share: f64,
    /// Mean time of a query for a shortest path, predicted from the tables' sizes, µs; 0 without
    /// tables.
    pub predicted_us: f64,
    /// The same, measured on this machine after the bake.
    pub measured_us: f64,
}

/// Seconds a stage. `walkable` and `mesh` share one parallel stage: its wall time is split in the
/// ratio of the time spent inside each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// Reading the level and bringing it onto the grid.
    pub import: f64,
    /// Layers of ground, and what the cache takes to find them.
    pub walkable: f64,
    /// Triangles, stitching, convex polygons.
    pub mesh: f64,
    /// Islands; links put on the ground, and drops and jumps found.
    pub hierarchy: f64,
    /// Tables beside the navmeshes.
    pub tables: f64,
    /// Looking for what reports tell; writing the bytes and checking them.
    pub encode: f64,
    /// All of it.
    pub total: f64,
}

/// Units of work of a bake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tiles {
    /// All of them.
    pub total: u64,
    /// Baked now.
    pub baked: u64,
    /// Taken from the cache.
    pub cached: u64,
}

/// A [`Warning`] as the summary writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// A stable code.
    pub code: String,
    /// What was found and what was done about it.
    pub message: String,
    /// Where.
    pub place: String,
}

impl From<&Warning> for Note {
    fn from(w: &Warning) -> Self {
        Note { code: w.code.into(), message: w.message.clone(), place: w.place.clone() }
    }
}

/// Where the time went, for `--timings`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Timings {
    /// One entry a stage, in order.
    pub stages: Vec<StageTime>,
    /// Share of the wall time in which one thread at most had work, 0 to 1.
    pub serial_share: f64,
    /// Threads of the pool.
    pub threads: usize,
}

/// The time of one stage.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StageTime {
    /// Its name.
    pub stage: &'static str,
    /// Wall time, s.
    pub wall: f64,
    /// CPU time of all threads of the process meanwhile, s; 0 where the system does not say.
    pub cpu: f64,
    /// Were there several threads at work?
    pub parallel: bool,
    /// How often it ran.
    pub runs: u32,
}

/// What the stages of a bake leave to be summed up.
pub(crate) struct Outcome<'a> {
    pub(crate) meshes: &'a [ClassMesh],
    pub(crate) tiles: TileReport,
    pub(crate) links: Links,
    pub(crate) tables: Tabled,
}

/// Sums up a bake.
pub(crate) fn baked(
    input: &BakeInput,
    bytes: Vec<u8>,
    outcome: Outcome<'_>,
    rec: &Recorder<'_>,
) -> Baked {
    let Outcome { meshes, tiles, .. } = outcome;
    let stages = rec.clock.stages().to_vec();
    let wall = |name: &str| -> f64 {
        let named = stages.iter().filter(|s| s.stage == name);
        // Not `sum`, which gives minus zero for nothing.
        named.fold(0.0, |sum, s| sum + s.wall)
    };
    let [walkable, mesh] = tiles.seconds;
    let share = if walkable + mesh > 0.0 { walkable / (walkable + mesh) } else { 0.0 };
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
    let units = input.level.grid.units();
    let sum = |of: &dyn Fn(&ClassMesh) -> usize| meshes.iter().map(|m| of(m) as u64).sum();
    let portals = |m: &ClassMesh| {
        let open = m.mesh.neighbours.iter();
        open.filter(|&&n| n != navbake_mesh::NONE).count() / 2
    };
    let doubled: i128 = meshes.iter().map(|m| m.mesh.area_doubled()).sum();
    let agents = input.config.agents.iter();
    let warnings = input.warnings.iter().chain(&rec.warnings);
    let summary = Summary {
        output: String::new(),
        bytes: bytes.len() as u64,
        hash: blake3::hash(&bytes).to_hex().to_string(),
        polygons: sum(&|m| m.mesh.len()),
        vertices: sum(&|m| m.mesh.vertices.len()),
        portals: sum(&portals),
        islands: sum(&|m| m.islands.len()),
        rooms: sum(&|m| m.rooms.as_ref().map_or(0, |r| r.found.count)),
        doors: sum(&|m| m.rooms.as_ref().map_or(0, |r| r.found.doors.len())),
        links: outcome.links,
        tables: outcome.tables,
        area_m2: doubled as f64 / 2.0 / (units * units),
        agents: agents.map(|a| a.name.clone()).collect(),
        seconds,
        peak_rss_bytes: peak_memory(),
        tiles: tiles.tiles,
        warnings: warnings
            .map(Note::from)
            .chain(tiles.notes)
            .chain(tiles.unusable.note())
            .collect(),
    };
    let timings = Timings {
        serial_share: if total > 0.0 { serial / total } else { 1.0 },
        threads: rayon::current_num_threads(),
        stages,
    };
    Baked { bytes, summary, timings }
}
