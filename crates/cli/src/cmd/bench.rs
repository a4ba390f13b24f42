//! `navbake bench`: times of path queries, and their lengths compared with known ones.

use std::fmt::Write;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use navbake_format::{CheckedBlob, NavMesh, Section};
use navbake_gridpath::{
    GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize, Network, NetworkBuffer,
    NetworkRequest,
};
use navbake_rooms::{RoomPath, RoomScratch};
use navbake_search::blob::Blob;
use navbake_search::{Error, NavQuery, PathRequest, QueryFilter};

use super::query::{guided, no_landmarks};
use super::tally::{Outcome, Tally};
use crate::args::{BlobPath, between};
use crate::blob_file::{AgentMesh, BlobFile};
use crate::closed::Closed;
use crate::failure::{Exit, Failure};
use crate::files::{given, refuse_overwrites};
use crate::grid_args::{GridOptions, grid_map, no_open_ground, on_one_island};
use crate::networks::network;
use crate::output::{Output, write_whole};
use crate::place::show;
use crate::random_pairs::random_pairs;
use crate::scenario::{Lengths, read_optimal, read_scenario};
use crate::search_args::{Planner, PlannerChoice, SearchOptions, missing, refusal, refuse_unused};

/// Options of `bench`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("queries").required(true).args(["scen", "random"]))]
pub(crate) struct Bench {
    #[command(flatten)]
    pub(crate) blob: BlobPath,
    /// Queries of a MovingAI scenario, for a baked grid map
    #[arg(long, value_name = "FILE.scen")]
    pub(crate) scen: Option<PathBuf>,
    /// Optimal lengths in cells: one line `sx sz tx tz length` per query, -1 for no path
    #[arg(long, value_name = "FILE.txt", requires = "scen", conflicts_with = "random")]
    pub(crate) optimal: Option<PathBuf>,
    /// Number of queries between random points of one island, 1 to 10000000
    #[arg(long, value_name = "N", value_parser = between::<1, 10_000_000>)]
    pub(crate) random: Option<u32>,
    /// Seed of the random queries
    #[arg(long, value_name = "S", default_value_t = 1, conflicts_with = "scen")]
    pub(crate) seed: u64,
    /// Number of runs; the time of a query is the mean of its runs
    #[arg(long, value_name = "R", default_value = "1", value_parser = between::<1, {u32::MAX}>)]
    pub(crate) repeat: u32,
    /// Write one line per query: status, length, points
    #[arg(long, value_name = "FILE")]
    pub(crate) dump: Option<PathBuf>,
    /// Agent of the blob [default: the first]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Terrain costs of this name in `weights.tasks` of the config [default: `weights.units`]
    #[arg(long, value_name = "NAME")]
    pub(crate) task: Option<String>,
    #[command(flatten)]
    pub(crate) closed: Closed,
    #[command(flatten)]
    pub(crate) planner: PlannerChoice,
    /// Planner network: the network's name [default: the first]
    #[arg(long, value_name = "NAME")]
    pub(crate) network: Option<String>,
    #[command(flatten)]
    pub(crate) search: SearchOptions,
    #[command(flatten)]
    pub(crate) grid: GridOptions,
}

/// How far above or below a random point its ground is, m.
pub(super) const ABOVE_OR_BELOW: f64 = 1.0;

/// The ends of a query, y-up metres.
type Ends = [[f64; 3]; 2];

/// The answer to one query.
struct Answer<'a> {
    /// The name of its status.
    status: &'static str,
    /// With the length in the unit of the comparison.
    outcome: Outcome,
    /// m.
    cost: f64,
    expanded: u32,
    /// The points of the path, y-up metres.
    points: Box<dyn Iterator<Item = [f64; 3]> + 'a>,
}

impl Answer<'_> {
    /// The answer where the planner does not serve the blob.
    fn refused(status: &'static str) -> Self {
        let points = Box::new(std::iter::empty());
        Answer { status, outcome: Outcome::Failed, cost: 0.0, expanded: 0, points }
    }
}

/// The answers to all queries.
#[derive(Default)]
struct Answers {
    micros: Vec<f64>,
    outcomes: Vec<Outcome>,
    expanded: u64,
    dump: String,
}

/// Runs it.
pub(crate) fn run(options: &Bench, output: Output) -> Result<Exit, Failure> {
    refuse(options)?;
    let inputs = [Some(&options.blob.path), options.scen.as_ref(), options.optimal.as_ref()];
    refuse_overwrites(&given(&inputs), &given(&[options.dump.as_ref()]))?;
    let file = BlobFile::whole(&options.blob)?;
    let (blob, name) = (file.checked()?, &file.name);
    let tally = match options.planner.planner {
        Planner::Cells(planner) => over_cells(options, &blob, planner, name, output)?,
        Planner::Polygons(planner) => {
            let algorithm = options.search.algorithm(planner);
            let base = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(algorithm);
            over_polygons(options, &blob, base, name, output)?
        }
        Planner::Rooms => {
            over_polygons(options, &blob, PathRequest::new([0.0; 3], [0.0; 3]), name, output)?
        }
        Planner::Network => over_network(options, &blob, name, output)?,
        Planner::Vehicle => return Err(no_headings()),
    };
    output.result(&tally, Tally::text)?;
    Ok(Exit::Done)
}

/// Refuses options that the planner does not have.
fn refuse(options: &Bench) -> Result<(), Failure> {
    let planner = options.planner.planner;
    if planner == Planner::Vehicle {
        return Err(no_headings());
    }
    if matches!(planner, Planner::Cells(_)) && options.optimal.is_some() {
        return Err(Failure::usage(
            "--optimal gives any-angle lengths, which do not apply to paths over cells; without it grid8 is compared with the lengths of the scenario",
        ));
    }
    if planner == Planner::Network && options.scen.is_some() {
        return Err(Failure::usage(
            "--scen is for planners over polygons and cells; give --random for a network",
        ));
    }
    let own = [("--closed", options.closed.is_given()), ("--network", options.network.is_some())];
    refuse_unused(
        planner,
        options.search.given().into_iter().chain(options.grid.given()).chain(own),
    )
}

fn no_headings() -> Failure {
    Failure::usage(
        "bench does not support the planner turning, which needs headings; use `query path`",
    )
}

fn over_polygons(
    options: &Bench,
    blob: &CheckedBlob<'_>,
    base: PathRequest,
    name: &str,
    output: Output,
) -> Result<Tally, Failure> {
    let agent = AgentMesh::of(blob, options.agent.as_deref(), name)?;
    let mesh = agent.mesh();
    let filter = options.closed.filter(blob, &agent, options.task.as_deref(), name)?;
    let cell = blob.header().scale;
    let (ends, optimal) = match &options.scen {
        Some(scen) => {
            let queries = read_scenario(scen, Lengths::Ignored)?;
            let optimal = match &options.optimal {
                Some(path) => Some(read_optimal(path, &queries)?),
                None => None,
            };
            if blob.grid_map().is_none() {
                return Err(Failure::usage(format!(
                    "--scen has places in the cells of a grid map, and {name} was baked from another level; give --random"
                )));
            }
            // The points of a scenario are corners of cells, on the ground plane.
            let corner = |x: i32, z: i32| [f64::from(x) * cell, 0.0, f64::from(z) * cell];
            let ends = (queries.iter().map(|q| q.ends))
                .map(|[sx, sz, tx, tz]| [corner(sx, sz), corner(tx, tz)]);
            (ends.collect(), optimal)
        }
        None => (random_ends(options, &mesh, &filter, name)?, None),
    };
    output.detail(format_args!("{name}: {} queries", ends.len()));
    let query = NavQuery::new(mesh).with_filter(&filter);
    // Optimal lengths and the slack of a mismatch are in cells.
    let unit = if options.scen.is_some() { cell } else { 1.0 };
    let rooms = options.planner.planner == Planner::Rooms;
    let mut scratch = RoomScratch::new();
    let mut answers = Answers::default();
    for _ in 0..options.repeat {
        for (k, &[from, to]) in ends.iter().enumerate() {
            let request = PathRequest { from, to, ..base };
            let start = Instant::now();
            let found = options.search.find(&query, rooms, black_box(&request), &mut scratch);
            let found = match black_box(found) {
                // The blob lacks what the planner needs: no query could be answered.
                Err(error @ (Error::NoRooms | Error::NoLandmarks)) => {
                    return Err(Failure::usage(format_args!("{name}: {}", missing(&error))));
                }
                found => found,
            };
            answers.add(options, k, start.elapsed(), || match &found {
                Err(error) => Answer::refused(refusal(error)),
                Ok(RoomPath { path: found, .. }) => Answer {
                    status: found.status.name(),
                    outcome: Outcome::new(found.status, found.cost / unit),
                    cost: found.cost,
                    expanded: found.expanded,
                    points: Box::new(found.points.iter().copied()),
                },
            });
        }
    }
    let optimal = optimal.as_deref();
    let slack = |_, best: f64| 1e-6 * best.max(1.0);
    let mut tally = answers.tally(options, blob.blob(), optimal, slack)?;
    tally.table_bytes = table_bytes(&blob.blob());
    Ok(tally)
}

fn over_cells(
    options: &Bench,
    blob: &CheckedBlob<'_>,
    planner: GridPlanner,
    name: &str,
    output: Output,
) -> Result<Tally, Failure> {
    let agent = AgentMesh::of(blob, options.agent.as_deref(), name)?;
    let mesh = agent.mesh();
    let filter = options.closed.filter(blob, &agent, options.task.as_deref(), name)?;
    let map = grid_map(blob, name)?;
    let (ends, queries) = match &options.scen {
        Some(scen) => {
            let queries = read_scenario(scen, Lengths::Octile)?;
            let [x, y, z] = map.corner();
            let centre = |column: i32, row: i32| {
                let [c, r] = [column, row].map(|v| (f64::from(v) + 0.5) * map.cell());
                [x + c, y, z + r]
            };
            let ends = (queries.iter().map(|q| q.ends))
                .map(|[sx, sz, tx, tz]| [centre(sx, sz), centre(tx, tz)]);
            (ends.collect(), queries)
        }
        None => (random_ends(options, &mesh, &filter, name)?, vec![]),
    };
    output.detail(format_args!("{name}: {} queries", ends.len()));
    let base = options.grid.request(&options.search, planner, &map)?;
    let plain = NavQuery::new(mesh).with_filter(&filter);
    let can_reach = on_one_island(plain, map);
    let own = options.grid.filter(&map, &mesh, (&filter, agent.number), &base);
    let query = GridQuery::new(map).with_filter(&own).with_reachability(&can_reach);
    let mut buffer = GridBuffer::new(if base.turn_penalty > 0.0 {
        GridScratchSize::with_turns(&map)
    } else {
        GridScratchSize::of(&map)
    });
    let mut answers = Answers::default();
    for _ in 0..options.repeat {
        for (k, [from, to]) in ends.iter().enumerate() {
            let request = GridRequest { from: *from, to: std::slice::from_ref(to), ..base };
            let mut scratch = buffer.scratch();
            let start = Instant::now();
            let found = query.find_path(black_box(&request), &mut scratch);
            let found = black_box(found).map_err(no_open_ground)?;
            answers.add(options, k, start.elapsed(), || Answer {
                status: found.status.name(),
                outcome: Outcome::new(found.status, found.cost / map.cell()),
                cost: found.cost,
                expanded: found.expanded,
                points: Box::new(found.cells.iter().map(|&cell| map.centre(cell))),
            });
        }
    }
    // The lengths of a scenario are those of grid8 without corner cutting.
    let comparable = options.scen.is_some()
        && planner == GridPlanner::Grid8
        && !options.grid.corner_cutting
        && options.grid.is_a_cell()
        && plain.is_plain()
        && plain.links().next().is_none()
        && options.grid.cost_is_length();
    let lengths: Vec<Option<f64>> = queries.iter().map(|q| q.length).collect();
    let optimal = comparable.then_some(lengths.as_slice());
    let slack = |k: usize, _| queries[k].slack;
    answers.tally(options, blob.blob(), optimal, slack)
}

fn over_network(
    options: &Bench,
    blob: &CheckedBlob<'_>,
    name: &str,
    output: Output,
) -> Result<Tally, Failure> {
    let agent = AgentMesh::of(blob, options.agent.as_deref(), name)?;
    let mesh = agent.mesh();
    let filter = options.closed.filter(blob, &agent, options.task.as_deref(), name)?;
    let view = network(blob, &mesh, options.network.as_deref(), name)?;
    let ends = random_ends(options, &mesh, &filter, name)?;
    output.detail(format_args!("{name}: {} queries", ends.len()));
    let query = NavQuery::new(mesh).with_filter(&filter);
    let network = guided(Network::new(&view, &query), &options.search.a_star());
    let mut buffer = NetworkBuffer::default();
    let mut answers = Answers::default();
    for _ in 0..options.repeat {
        for (k, ends) in ends.iter().enumerate() {
            let [Some(from), Some(to)] = ends.map(|end| query.locate(end, ABOVE_OR_BELOW)) else {
                continue;
            };
            let goals = [to];
            let a_star = options.search.a_star();
            let request = NetworkRequest { a_star, ..NetworkRequest::new(from, &goals) };
            let start = Instant::now();
            let found = network.find_path(&query, black_box(&request), &mut buffer);
            let found = black_box(found).map_err(|_| no_landmarks())?;
            answers.add(options, k, start.elapsed(), || Answer {
                status: found.status.name(),
                outcome: Outcome::new(found.status, found.cost),
                cost: found.cost,
                expanded: found.expanded,
                points: Box::new(found.points.iter().copied()),
            });
        }
    }
    answers.tally(options, blob.blob(), None, |_, _| 0.0)
}

fn random_ends(
    options: &Bench,
    mesh: &NavMesh<'_>,
    filter: &QueryFilter,
    name: &str,
) -> Result<Vec<Ends>, Failure> {
    match options.random {
        Some(count) => random_pairs(mesh, filter, count, options.seed, name),
        None => Err(Failure::usage("bench needs --scen or --random")),
    }
}

impl Answers {
    /// Adds the time of a run of query `k`, and its answer if it is the first run.
    fn add<'a>(
        &mut self,
        options: &Bench,
        k: usize,
        time: Duration,
        answer: impl FnOnce() -> Answer<'a>,
    ) {
        let micros = time.as_secs_f64() * 1e6 / f64::from(options.repeat);
        if let Some(sum) = self.micros.get_mut(k) {
            *sum += micros;
            return;
        }
        let answer = answer();
        self.micros.push(micros);
        self.expanded += u64::from(answer.expanded);
        self.outcomes.push(answer.outcome);
        if options.dump.is_some() {
            let reached = matches!(answer.outcome, Outcome::Length(_));
            let length = if reached { answer.cost } else { -1.0 };
            let _ = write!(self.dump, "{} {length}", answer.status);
            for point in answer.points {
                let _ = write!(self.dump, " {}", show(point));
            }
            self.dump.push('\n');
        }
    }

    /// Sums up.
    fn tally(
        self,
        options: &Bench,
        blob: Blob<'_>,
        optimal: Option<&[Option<f64>]>,
        slack: impl Fn(usize, f64) -> f64,
    ) -> Result<Tally, Failure> {
        if let Some(file) = &options.dump {
            write_whole(file, self.dump.as_bytes())?;
        }
        let mut tally = Tally {
            mean_expanded: self.expanded as f64 / self.outcomes.len().max(1) as f64,
            blob_bytes: blob.bytes().len() as u64,
            ..Tally::default()
        };
        tally.times(self.micros);
        tally.outcomes(&self.outcomes, optimal, slack);
        Ok(tally)
    }
}

/// The bytes of a blob's tables.
fn table_bytes(blob: &Blob<'_>) -> u64 {
    let known = Section::LABELS..=Section::LANDMARK_ROWS;
    let tables = blob.sections().filter(|s| known.contains(&s.section));
    tables.map(|s| s.len()).sum()
}
