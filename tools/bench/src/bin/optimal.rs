//! Optimal paths on the MovingAI maps: `navbake-search` beside the crate `polyanya`, the same
//! queries in one process.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use navbake_bake::config::Budget;
use navbake_bake::{Config, Options as Bake, bake_file};
use navbake_peer_bench::clock::cpu_seconds;
use navbake_peer_bench::levels::Folders;
use navbake_search::{Algorithm, NavMeshBuf, NavQuery, PathRequest, Scratch, Status};
use polyanya::{Coords, PolyanyaFile};

/// Asks both for the optimal paths of each map's scenario, in turn, and prints the mean times of
/// whole queries (both ends located, path with its points), the least of the rounds, and the
/// geometric mean of ours / theirs. Every length is compared with the known one.
///
/// Maps are below NAVBAKE_DATA/maps, their lengths below NAVBAKE_DATA/optimal (by default
/// ../shared/data beside the project). navbake bakes the .map; the crate reads the merged mesh
/// beside it, of the method's authors, with its own loader.
#[derive(Debug, Parser)]
struct Options {
    /// Only maps whose name holds this; may be given several times.
    #[arg(long)]
    only: Vec<String>,
    /// Rounds over all queries of a map; their least time counts.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Ask navbake alone.
    #[arg(long)]
    alone: bool,
    /// Ask navbake for the polygons of the path as well, which the crate does not give.
    #[arg(long)]
    polygons: bool,
    /// Size of tables beside the navmesh: none, labels, or a size.
    #[arg(long, default_value = "none")]
    table_budget: Budget,
    /// Nodes that navbake's scratch has room for; enough for every search by default.
    #[arg(long)]
    nodes: Option<usize>,
}

/// A query in cells, and its optimal length there; `None` where there is no path.
struct Known {
    from: [f64; 2],
    to: [f64; 2],
    length: Option<f64>,
}

/// The results of one side on a map.
#[derive(Default)]
struct Side {
    /// Mean time of a query, µs.
    micros: f64,
    wrong: usize,
    /// Mean number of entries taken off the open list.
    expanded: f64,
}

fn main() -> ExitCode {
    match work(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::from(2)
        }
    }
}

/// Did we answer everything right?
fn work(options: &Options) -> Result<bool, String> {
    let data = Folders::find().data;
    println!(
        "| map | queries | tables MB | s | expanded | µs | wrong | polyanya µs | wrong | ratio |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let (mut logs, mut wrong) = (vec![], 0);
    for map in maps(&data.join("maps"))? {
        let name = map.with_extension("");
        let name = name.strip_prefix(data.join("maps")).map_err(|e| e.to_string())?;
        let text = name.to_string_lossy();
        if !options.only.is_empty() && !options.only.iter().any(|o| text.contains(o.as_str())) {
            continue;
        }
        let known = read_known(&data.join("optimal").join(name).with_extension("txt"))?;
        let mut config = Config::default();
        config.tables.budget = options.table_budget.into();
        let baked = bake_file(&map, &config, &Bake::default()).map_err(|e| e.to_string())?;
        let (bytes, tables) = (baked.bytes, baked.summary.tables.bytes);
        let seconds = baked.summary.seconds.tables;
        let peer = match options.alone {
            true => None,
            false => Some(load_peer(&map)?),
        };
        let (mut ours, mut theirs) = (Side::default(), Side::default());
        for round in 0..options.rounds {
            ours = least(round, ours, ask_ours(&bytes, &known, options)?);
            if let Some(mesh) = &peer {
                theirs = least(round, theirs, ask_peer(mesh, &known));
            }
        }
        let ratio = ours.micros / theirs.micros;
        println!(
            "| {text} | {} | {:.3} | {seconds:.1} | {:.1} | {:.2} | {} | {:.2} | {} | {ratio:.4} |",
            known.len(),
            tables as f64 / 1e6,
            ours.expanded,
            ours.micros,
            ours.wrong,
            theirs.micros,
            theirs.wrong,
        );
        logs.push(if options.alone { ours.micros } else { ratio }.ln());
        wrong += ours.wrong;
    }
    let mean = (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp();
    println!("\nGeometric mean: {mean:.3}");
    Ok(wrong == 0)
}

fn least(round: usize, before: Side, now: Side) -> Side {
    if round == 0 || now.micros < before.micros { now } else { before }
}

/// All .map files two folders down, by name.
fn maps(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let list = |p: &Path| -> Result<Vec<PathBuf>, String> {
        let entries = std::fs::read_dir(p).map_err(|e| format!("{}: {e}", p.display()))?;
        let mut all: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        all.sort();
        Ok(all)
    };
    let mut all = vec![];
    for set in list(folder)? {
        if set.is_dir() {
            all.extend(list(&set)?);
        }
    }
    all.retain(|p| p.extension().is_some_and(|e| e == "map"));
    Ok(all)
}

/// Lines of `sx sz tx tz length`.
fn read_known(file: &Path) -> Result<Vec<Known>, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let line = |(i, line): (usize, &str)| {
        let numbers: Vec<f64> =
            (line.split_whitespace()).filter_map(|word| word.parse().ok()).collect();
        let &[a, b, c, d, length] = numbers.as_slice() else {
            return Err(format!("{}:{}: not five numbers", file.display(), i + 1));
        };
        Ok(Known { from: [a, b], to: [c, d], length: (length >= 0.0).then_some(length) })
    };
    text.lines().enumerate().map(line).collect()
}

/// Is the length not the known one?
fn differs(length: Option<f64>, known: Option<f64>, share: f64) -> bool {
    match (length, known) {
        (Some(a), Some(b)) => (a - b).abs() > share * b.max(1.0),
        (a, b) => a.is_some() != b.is_some(),
    }
}

fn ask_ours(bytes: &[u8], known: &[Known], options: &Options) -> Result<Side, String> {
    let nav = NavMeshBuf::open(bytes).map_err(|e| e.to_string())?;
    let query = NavQuery::new(nav.mesh());
    let mut scratch = match options.nodes {
        Some(n) => Scratch::bounded(n),
        None => Scratch::new(),
    };
    let mut lengths = vec![None; known.len()];
    let mut expanded = 0u64;
    let begin = cpu_seconds();
    for (k, length) in known.iter().zip(&mut lengths) {
        let place = |p: [f64; 2]| [p[0], 0.0, p[1]];
        let request = PathRequest::new(place(k.from), place(k.to)).algorithm(Algorithm::Optimal);
        let request = request.polygons(options.polygons);
        let path = query.find_path(&request, &mut scratch).map_err(|e| e.to_string())?;
        expanded += u64::from(path.expanded);
        *length = (path.status == Status::Reached).then_some(path.length_xz);
    }
    let count = known.len().max(1) as f64;
    Ok(Side {
        micros: (cpu_seconds() - begin) * 1e6 / count,
        wrong: wrong(&lengths, known, 1e-6),
        expanded: expanded as f64 / count,
    })
}

fn wrong(lengths: &[Option<f64>], known: &[Known], share: f64) -> usize {
    let pairs = lengths.iter().zip(known);
    pairs.filter(|(l, k)| differs(**l, k.length, share)).count()
}

fn load_peer(map: &Path) -> Result<polyanya::Mesh, String> {
    let stem = map.file_stem().ok_or("a map without a name")?;
    let file = map.with_file_name(format!("{}-merged.mesh", stem.to_string_lossy()));
    let file = PolyanyaFile::from_file(&file.to_string_lossy());
    let mut mesh: polyanya::Mesh = file.try_into().map_err(|e| format!("{e:?}"))?;
    mesh.bake();
    Ok(mesh)
}

/// The crate's numbers have 24 bits, hence the wider limit for its lengths.
fn ask_peer(mesh: &polyanya::Mesh, known: &[Known]) -> Side {
    let mut lengths = vec![None; known.len()];
    let begin = cpu_seconds();
    for (k, length) in known.iter().zip(&mut lengths) {
        let place = |p: [f64; 2]| Coords::on_mesh(glam::Vec2::new(p[0] as f32, p[1] as f32));
        let path = mesh.path(place(k.from), place(k.to));
        *length = path.map(|p| f64::from(p.length));
    }
    Side {
        micros: (cpu_seconds() - begin) * 1e6 / known.len().max(1) as f64,
        wrong: wrong(&lengths, known, 1e-3),
        expanded: 0.0,
    }
}
