//! `navbake tune`: the length and the work of paths by heuristic and weight.

use std::fmt::Write;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use navbake_draw::plot::{self, Point};
use navbake_gridpath::{
    CellFilter, GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize, Network,
    NetworkBuffer, NetworkRequest,
};
use navbake_search::path::Order;
use navbake_search::{AStar, Algorithm, Error, Heuristic, NavQuery, PathRequest, Scratch, Status};
use serde::Serialize;

use super::bench::ABOVE_OR_BELOW;
use crate::args::{BlobPath, between, weight};
use crate::blob_file::{AgentMesh, BlobFile};
use crate::closed::Closed;
use crate::failure::{Exit, Failure};
use crate::files::{given, refuse_overwrites};
use crate::grid_args::{grid_map, on_one_island, refuse_other_cells};
use crate::networks::network;
use crate::output::{Output, write_whole};
use crate::random_pairs::random_pairs;
use crate::search_args::{Planner, PlannerChoice, refuse_unused};

/// Options of `tune`.
#[derive(Debug, Args)]
pub(crate) struct Tune {
    #[command(flatten)]
    pub(crate) blob: BlobPath,
    /// Number of queries between random points of one island, 1 to 1000000
    #[arg(long, value_name = "N", default_value = "1000", value_parser = between::<1, 1_000_000>)]
    pub(crate) random: u32,
    /// Seed of the random queries
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
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
    /// Weights to try
    #[arg(long, value_name = "W,..", value_delimiter = ',', value_parser = weight, default_value = "0.5,0.8,1,1.1,1.25,1.5,2,3,5")]
    pub(crate) weights: Vec<f64>,
    /// Search from the goal to the start
    #[arg(long)]
    pub(crate) reverse: bool,
    /// Draw length against work
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

/// The JSON object of `tune`.
#[derive(Debug, Serialize)]
struct Tuning {
    planner: &'static str,
    /// Queries that need a search.
    queries: usize,
    /// Queries whose path is a straight line with any setting.
    straight: usize,
    /// Queries without a path, or whose shortest path is not known because of closed switches.
    left_out: usize,
    settings: Vec<Setting>,
    /// The setting with the least work among those with a mean length within 1 % of the best.
    recommended: usize,
}

/// A row of the table. Means are over the queries that need a search.
#[derive(Clone, Debug, Serialize)]
struct Setting {
    order: &'static str,
    heuristic: &'static str,
    weight: f64,
    /// Whether its estimates can exceed the remaining length.
    overestimates: bool,
    /// Cost divided by the least: the shortest length, or with terrain costs that of `weighted`.
    mean_ratio: f64,
    max_ratio: f64,
    mean_expanded: f64,
    /// Closed entries at the end.
    mean_closed: f64,
    mean_max_open: f64,
    mean_us: f64,
}

/// A query that needs a search, and its least cost.
struct Sample {
    ends: [[f64; 3]; 2],
    least: f64,
}

/// Cost and work of a path.
struct Work {
    cost: f64,
    expanded: u32,
    closed: u32,
    max_open: u32,
}

impl Work {
    fn new(cost: f64, [expanded, closed, max_open]: [u32; 3]) -> Work {
        Work { cost, expanded, closed, max_open }
    }
}

/// Finds the path of a query with a setting, if there is one.
type Ask<'a> = dyn FnMut([[f64; 3]; 2], Choice) -> Option<Work> + 'a;

/// Order, heuristic and weight.
type Choice = (Order, Heuristic, f64);

/// Runs it.
pub(crate) fn run(options: &Tune, output: Output) -> Result<Exit, Failure> {
    let planner = match options.planner.planner {
        // What has options to tune.
        Planner::Polygons(Algorithm::Auto) => {
            Planner::Polygons(Algorithm::Corridor(AStar::default()))
        }
        planner @ (Planner::Cells(_)
        | Planner::Network
        | Planner::Polygons(Algorithm::Corridor(_) | Algorithm::Midpoints(_))) => planner,
        other => {
            return Err(Failure::usage(format_args!(
                "--planner {}: nothing to tune; choose corridor, midpoints, grid4, grid8, hex or network",
                other.name()
            )));
        }
    };
    refuse_unused(planner, [("--network", options.network.is_some())])?;
    refuse_overwrites(&[&options.blob.path], &given(&[options.plot.as_ref()]))?;
    let file = BlobFile::whole(&options.blob)?;
    let (blob, name) = (file.checked()?, &file.name);
    let agent = AgentMesh::of(&blob, options.agent.as_deref(), name)?;
    let mesh = agent.mesh();
    let filter = options.closed.filter(&blob, &agent, options.task.as_deref(), name)?;
    let pairs = random_pairs(&mesh, &filter, options.random, options.seed, name)?;
    let query = NavQuery::new(mesh).with_filter(&filter);
    let mut has_landmarks = false;
    let (mut scratch, mut cells);
    let (samples, straight, mut ask): (Vec<Sample>, usize, Box<Ask<'_>>) = match planner {
        Planner::Cells(planner) => {
            let map = grid_map(&blob, name)?;
            refuse_other_cells(planner, &map)?;
            let can_reach = on_one_island(query, map);
            cells = GridBuffer::new(GridScratchSize::of(&map));
            let own = CellFilter::new(&map, &mesh, &filter).fields(&map, agent.number);
            let own = own.landmarks(&map, planner, CellFilter::LANDMARKS);
            let reverse = options.reverse;
            let find = move |[from, to]: [[f64; 3]; 2], (order, heuristic, weight): Choice| {
                let goals = [to];
                let a_star = AStar { order, heuristic, weight, reverse, ..AStar::default() };
                let request = GridRequest { a_star, ..GridRequest::new(from, &goals, planner) };
                let query = GridQuery::new(map).with_filter(&own).with_reachability(&can_reach);
                let path = query.find_path(&request, &mut cells).ok()?;
                let work = [path.expanded, path.closed, path.max_open];
                (path.status == Status::Reached).then_some(Work::new(path.cost, work))
            };
            of_found(&pairs, find, planner.usual_heuristic())
        }
        Planner::Network => {
            let view = network(&blob, &mesh, options.network.as_deref(), name)?;
            let network = Network::new(&view, &query).landmarks(Network::LANDMARKS);
            has_landmarks = network.has_landmarks();
            let (mut buffer, reverse) = (NetworkBuffer::default(), options.reverse);
            let find = move |ends: [[f64; 3]; 2], (order, heuristic, weight): Choice| {
                let [from, to] = ends.map(|end| query.locate(end, ABOVE_OR_BELOW));
                let goals = [to?];
                let a_star = AStar { order, heuristic, weight, reverse, ..AStar::default() };
                let request = NetworkRequest { a_star, ..NetworkRequest::new(from?, &goals) };
                let path = network.find_path(&query, &request, &mut buffer).ok()?;
                let work = [path.expanded, path.closed, path.max_open];
                (path.status == Status::Reached).then_some(Work::new(path.cost, work))
            };
            of_found(&pairs, find, Heuristic::Euclidean)
        }
        _ => {
            scratch = Scratch::new();
            let (samples, straight) = searches(&query, &pairs, &mut scratch);
            let reverse = options.reverse;
            let ask = move |[from, to]: [[f64; 3]; 2], (order, heuristic, weight): Choice| {
                let a_star = AStar { order, heuristic, weight, reverse, ..AStar::default() };
                let algorithm = match planner {
                    Planner::Polygons(Algorithm::Midpoints(_)) => Algorithm::Midpoints(a_star),
                    _ => Algorithm::Corridor(a_star),
                };
                let request = PathRequest::new(from, to).algorithm(algorithm);
                let path = query.find_path(black_box(&request), &mut scratch).ok()?;
                let work = [path.expanded, path.closed, path.max_open];
                (path.status == Status::Reached).then_some(Work::new(path.cost, work))
            };
            (samples, straight, Box::new(ask))
        }
    };
    output.detail(format_args!("{name}: {} queries, {} need a search", pairs.len(), samples.len()));
    let mut settings = vec![];
    for (order, heuristic, weight) in candidates(planner, &options.weights, has_landmarks) {
        settings.push(measure(&samples, planner, (order, heuristic, weight), &mut ask));
    }
    let tuning = Tuning {
        planner: planner.name(),
        queries: samples.len(),
        straight,
        left_out: pairs.len() - samples.len() - straight,
        recommended: recommended(&settings),
        settings,
    };
    if let Some(file) = &options.plot {
        let points: Vec<Point> = (tuning.settings.iter().enumerate())
            .map(|(k, s)| Point {
                series: series(s),
                label: match s.order {
                    "a-star" => s.weight.to_string(),
                    "greedy" => s.heuristic.into(),
                    _ => String::new(),
                },
                x: s.mean_expanded,
                y: s.mean_ratio,
                marked: k == tuning.recommended,
            })
            .collect();
        let title = format!("{name}: {} over {} searches", tuning.planner, tuning.queries);
        let picture = plot::write(
            &points,
            &title,
            "expanded entries, mean",
            "length / shortest length, mean",
        );
        write_whole(file, picture.as_bytes())?;
    }
    output.result(&tuning, text)?;
    Ok(Exit::Done)
}

/// The queries that have a path, with what the usual estimate finds, which is the least; none of
/// them is a straight line without a search.
fn of_found<'a>(
    pairs: &[[[f64; 3]; 2]],
    mut find: impl FnMut([[f64; 3]; 2], Choice) -> Option<Work> + 'a,
    usual: Heuristic,
) -> (Vec<Sample>, usize, Box<Ask<'a>>) {
    let samples = pairs.iter().filter_map(|&ends| {
        let best = find(ends, (Order::AStar, usual, 1.0))?;
        Some(Sample { ends, least: best.cost })
    });
    (samples.collect(), 0, Box::new(find))
}

/// The queries that need a search, with their least costs, and the number of straight lines.
///
/// The least cost is that of `optimal`, and with terrain costs that of `weighted`.
fn searches(
    query: &NavQuery<'_>,
    pairs: &[[[f64; 3]; 2]],
    scratch: &mut Scratch,
) -> (Vec<Sample>, usize) {
    let (mut samples, mut straight) = (vec![], 0);
    for &[from, to] in pairs {
        let request = PathRequest::new(from, to);
        let best = match query.find_path(&request.algorithm(Algorithm::Optimal), scratch) {
            Err(Error::Costs) => {
                let weighted = Algorithm::weighted(Algorithm::GAP);
                query.find_path(&request.algorithm(weighted), scratch)
            }
            best => best,
        };
        // From closed ground no shortest path is known.
        let Some(best) = best.ok().filter(|best| best.status == Status::Reached) else {
            continue;
        };
        // Labels expand nothing.
        if best.by_tables || best.expanded > 0 {
            samples.push(Sample { ends: [from, to], least: best.cost });
        } else {
            straight += 1;
        }
    }
    (samples, straight)
}

/// The settings to try: Dijkstra, each heuristic with each weight, and greedy search; over a
/// network with landmarks their estimate too.
fn candidates(planner: Planner, weights: &[f64], has_landmarks: bool) -> Vec<Choice> {
    let guided = || {
        let all = match planner {
            Planner::Cells(planner) => planner.heuristics(),
            _ => &Heuristic::ALL,
        };
        let table = has_landmarks.then_some(Heuristic::Table);
        all.iter().copied().filter(|&h| h != Heuristic::Zero).chain(table)
    };
    let mut all = vec![(Order::Dijkstra, Heuristic::Zero, 1.0)];
    for heuristic in guided() {
        all.extend(weights.iter().map(|&w| (Order::AStar, heuristic, w)));
    }
    all.extend(guided().map(|h| (Order::Greedy, h, 1.0)));
    all
}

/// Whether the estimates of a heuristic can exceed the remaining length.
fn overestimates(planner: Planner, heuristic: Heuristic, weight: f64) -> bool {
    match (planner, heuristic) {
        (Planner::Cells(GridPlanner::Grid8), Heuristic::Manhattan) => weight > 0.0,
        (Planner::Cells(_), _) => weight > 1.0,
        (_, heuristic) => heuristic.overestimates(weight),
    }
}

fn measure(
    samples: &[Sample],
    planner: Planner,
    (order, heuristic, weight): Choice,
    ask: &mut Ask<'_>,
) -> Setting {
    let (mut ratio, mut worst) = (0.0, 1.0f64);
    let (mut expanded, mut closed, mut open) = (0u64, 0u64, 0u64);
    let mut micros = 0.0;
    let mut count = 0usize;
    for sample in samples {
        let start = Instant::now();
        let found = black_box(ask(black_box(sample.ends), (order, heuristic, weight)));
        micros += start.elapsed().as_secs_f64() * 1e6;
        let Some(path) = found else {
            continue;
        };
        count += 1;
        let r = if sample.least > 0.0 { path.cost / sample.least } else { 1.0 };
        ratio += r;
        worst = worst.max(r);
        expanded += u64::from(path.expanded);
        closed += u64::from(path.closed);
        open += u64::from(path.max_open);
    }
    let mean = |sum: f64| sum / count.max(1) as f64;
    Setting {
        order: order.name(),
        heuristic: heuristic.name(),
        weight,
        overestimates: order == Order::Greedy || overestimates(planner, heuristic, weight),
        mean_ratio: if count == 0 { 1.0 } else { mean(ratio) },
        max_ratio: worst,
        mean_expanded: mean(expanded as f64),
        mean_closed: mean(closed as f64),
        mean_max_open: mean(open as f64),
        mean_us: micros / samples.len().max(1) as f64,
    }
}

/// The setting with the least work and a mean length within 1 % of the best; the first of equals.
fn recommended(settings: &[Setting]) -> usize {
    let least = (settings.iter().map(|s| s.mean_ratio)).fold(f64::INFINITY, f64::min);
    let good = (settings.iter().enumerate()).filter(|(_, s)| s.mean_ratio <= least * 1.01);
    good.min_by(|a, b| a.1.mean_expanded.total_cmp(&b.1.mean_expanded)).map_or(0, |(k, _)| k)
}

fn series(setting: &Setting) -> String {
    match setting.order {
        "a-star" => setting.heuristic.into(),
        "greedy" => "greedy".into(),
        other => other.into(),
    }
}

fn text(tuning: &Tuning) -> String {
    let left_out = match tuning.left_out {
        0 => String::new(),
        some => format!("; {some} without a known shortest path left out"),
    };
    let mut out = format!(
        "{} searches by {} and {} straight lines{left_out}\n\
         order     heuristic     weight  length  longest  expanded    closed  max open      µs\n",
        tuning.queries, tuning.planner, tuning.straight
    );
    for (k, s) in tuning.settings.iter().enumerate() {
        let _ = writeln!(
            out,
            "{:9} {:13} {:6}  {:.4}   {:.4} {:9.1} {:9.1} {:9.1} {:7.1}{}",
            s.order,
            s.heuristic,
            s.weight,
            s.mean_ratio,
            s.max_ratio,
            s.mean_expanded,
            s.mean_closed,
            s.mean_max_open,
            s.mean_us,
            if k == tuning.recommended {
                "  <- least work within 1 % of the best length"
            } else {
                ""
            }
        );
    }
    out.push_str("length, longest: mean and maximum of the cost, divided by the least known\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recommended_setting_is_the_cheapest_of_the_good_ones() {
        let setting = |mean_ratio, mean_expanded| Setting {
            order: "a-star",
            heuristic: "euclidean",
            weight: 1.0,
            overestimates: false,
            mean_ratio,
            max_ratio: mean_ratio,
            mean_expanded,
            mean_closed: mean_expanded,
            mean_max_open: 1.0,
            mean_us: 1.0,
        };
        let all =
            [setting(1.02, 50.0), setting(1.025, 30.0), setting(1.029, 20.0), setting(1.05, 1.0)];
        assert_eq!(recommended(&all), 2);
        assert_eq!(recommended(&[]), 0);
    }
}
