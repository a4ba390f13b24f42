//! The summary and the timings of a bake.

use navbake_format::NavMeshBuf;
use navbake_level::{Warning, WarningPlace};
use serde::Serialize;

use crate::quality::MeshQuality;

/// The figures of a bake. Serialises to the JSON object that the command line prints.
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
    /// Links, each in one direction, over all agents.
    pub links: Links,
    /// Tables beside the navmeshes.
    pub tables: Tabled,
    /// Area seen from above, m2, over all agents.
    pub area_m2: f64,
    /// How compact the polygons of each agent class are.
    pub quality: Vec<MeshQuality>,
    /// The agents' names.
    pub agents: Vec<String>,
    /// Wall time a stage, s.
    pub seconds: Seconds,
    /// The peak memory of the process, 0 where the system does not say.
    pub peak_rss_bytes: u64,
    /// Units of work.
    pub tiles: Tiles,
    /// The warnings.
    pub warnings: Vec<Note>,
}

/// Links by their origin; a link in both directions counts as two. All 0 if the blob was up to
/// date.
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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tabled {
    /// Their size in the file.
    pub bytes: u64,
    /// Corners that paths turn at.
    pub corners: u64,
    /// Hubs in their labels, all together.
    pub hubs: u64,
    /// The bytes of the views of polygons, or of the labels of squares.
    pub view_bytes: u64,
    /// The bytes of landmarks.
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
    /// The same without labels, measured in turns with them. 0 where there are no labels.
    pub search_us: f64,
    /// Why each agent class whose paths can turn has labels, or none.
    pub choices: Vec<LabelChoice>,
}

/// Why the labels of an agent class are in the file, or not.
///
/// Counts are means over random pairs that do not see each other, and 0 where no labels were made.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LabelChoice {
    /// The agent class.
    pub class: u16,
    /// `kept` and `no-gain` by the work, `asked` by the config; `too-large` for the budget.
    pub choice: &'static str,
    /// The size of the labels, bytes; estimated where none were made.
    pub bytes: u64,
    /// The most that they may take, bytes; `None` where the config asks for any.
    pub most_bytes: Option<u64>,
    /// Polygons that a look-up looks through.
    pub polygons_looked: f64,
    /// Labels that a look-up reads.
    pub labels_read: f64,
    /// Entries of labels that it reads.
    pub entries_read: f64,
    /// Polygons that a path crosses. A look-up walks them in the end.
    pub polygons_crossed: f64,
    /// The work of a look-up, in cones that a search expands in the same time.
    pub look_up_work: f64,
    /// The work of a search: cones that it expands.
    pub search_work: f64,
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
    /// Looking for findings; writing the bytes and checking them.
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
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Note {
    /// A stable code.
    pub code: String,
    /// The problem, and what the bake did about it.
    pub message: String,
    /// Where, y-up metres; `None` for what is not at one point.
    pub place: Option<[f64; 3]>,
    /// A file and line, a key of the config, or a tile; empty for points.
    pub source: String,
}

impl From<&Warning> for Note {
    fn from(w: &Warning) -> Self {
        let (place, source) = match &w.place {
            WarningPlace::None => (None, String::new()),
            WarningPlace::Point(point) => (Some(*point), String::new()),
            WarningPlace::Source(source) => (None, source.clone()),
        };
        Note { code: w.code.into(), message: w.message.clone(), place, source }
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

/// The result of a bake.
#[derive(Clone, Debug)]
pub struct Baked {
    /// The navmesh file.
    pub bytes: Vec<u8>,
    /// The navmesh of each agent class as it is decoded from the file. Empty unless the bake has
    /// decoded it in this form.
    pub meshes: Vec<NavMeshBuf>,
    /// What is in it and what it took. `summary.output` is for the caller to fill in.
    pub summary: Summary,
    /// Where the time went.
    pub timings: Timings,
}
