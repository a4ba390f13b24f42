//! `navbake bench`: how long queries take, and how their lengths compare with known ones.

use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use navbake_format::Section;
use navbake_search::{Blob, NavMesh, PathRequest, SearchBuffer, Status};

use super::bench_grid;
use crate::args::Bench;
use crate::blob_file;
use crate::failure::{Exit, Failure};
use crate::output::{Output, write_whole};
use crate::place::show;
use crate::random::{Places, Random};
use crate::scenario::{read_optimal, read_scenario};
use crate::search_args::Over;
use crate::surface::Surface;
use crate::tally::{Ending, Tally};

/// Queries in y-up metres, and their optimal lengths in cells where they are known (`None` within for no path).
struct Workload {
    pairs: Vec<[[f64; 3]; 2]>,
    optimal: Option<Vec<Option<f64>>>,
}

/// Runs it.
pub(crate) fn run(options: &Bench, output: Output) -> Result<Exit, Failure> {
    let planner = match options.planner.over() {
        Over::Polygons(planner) => planner,
        Over::Cells(planner) => return bench_grid::run(options, planner, output),
        Over::Lattice => {
            return Err(Failure::usage(
                "bench has no headings for the planner turning; ask with `query path`",
            ));
        }
    };
    options.grid.refuse(options.planner.name())?;
    let name = blob_file::name(&options.blob);
    let bytes = blob_file::load(&options.blob)?;
    let blob = blob_file::checked(&bytes, &name)?;
    let (mesh, agents) = blob_file::mesh_and_bit(&blob, options.agent.as_deref(), &name)?;
    let scale = blob.header().scale;
    let work = match (&options.scen, options.random) {
        (Some(scen), _) => scenario(scen, options.optimal.as_deref(), scale)?,
        (None, Some(count)) => Workload {
            pairs: random_pairs(&mesh, count, options.seed, &name)?,
            optimal: None,
        },
        (None, None) => return Err(Failure::usage("bench needs --scen or --random")),
    };
    output.detail(format_args!("{}: {} queries", name, work.pairs.len()));

    let closed = options.closed.on(&blob, &mesh, 0, &name)?;
    let query = closed.query(mesh).with_agents(agents);
    let mut buffer = SearchBuffer::new(query.mesh());
    let mut micros = vec![0.0; work.pairs.len()];
    let (mut endings, mut expanded, mut dump) = (vec![], 0u64, String::new());
    let repeat = options.repeat;
    for round in 0..repeat {
        for (k, &[from, to]) in work.pairs.iter().enumerate() {
            let request = options
                .search
                .apply(PathRequest::new(from, to).planner(planner));
            let mut scratch = buffer.scratch();
            let start = Instant::now();
            let answer = black_box(query.path(black_box(&request), &mut scratch));
            micros[k] += start.elapsed().as_secs_f64() * 1e6 / f64::from(repeat);
            if round > 0 {
                continue;
            }
            expanded += u64::from(answer.expanded);
            endings.push(match answer.status {
                Status::Reached => Ending::Length(answer.cost),
                Status::Unreachable | Status::Partial => Ending::NoPath,
                Status::OffMesh => Ending::OffMesh,
                Status::OutOfNodes | Status::NoTables | Status::NoRooms | Status::Looking => {
                    Ending::Failed
                }
            });
            if options.dump.is_some() {
                let length = if answer.status == Status::Reached {
                    answer.cost
                } else {
                    -1.0
                };
                let _ = write!(dump, "{} {length}", answer.status.name());
                for &point in answer.points {
                    let _ = write!(dump, " {}", show(point));
                }
                dump.push('\n');
            }
        }
    }
    let mut tally = Tally {
        mean_expanded: expanded as f64 / endings.len().max(1) as f64,
        table_bytes: table_bytes(&bytes),
        blob_bytes: bytes.len() as u64,
        ..Tally::default()
    };
    tally.times(micros);
    // Lengths are compared in cells, which is how the optimal ones are given and how large the slack of a mismatch is.
    let in_cells: Vec<Ending> = endings
        .into_iter()
        .map(|ending| match ending {
            Ending::Length(metres) if options.scen.is_some() => Ending::Length(metres / scale),
            other => other,
        })
        .collect();
    tally.endings(&in_cells, work.optimal.as_deref());
    if let Some(file) = &options.dump {
        write_whole(file, dump.as_bytes())?;
    }
    output.result(&tally, Tally::text)?;
    Ok(Exit::Done)
}

/// The queries of a scenario: its points are corners of cells, on the ground plane.
fn scenario(scen: &Path, optimal: Option<&Path>, cell: f64) -> Result<Workload, Failure> {
    let read = |path: &Path| {
        fs::read(path)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .map_err(|error| Failure::io(path, "read", &error))
    };
    let queries = read_scenario(&read(scen)?, &scen.display().to_string())?;
    let optimal = match optimal {
        Some(path) => Some(read_optimal(
            &read(path)?,
            &path.display().to_string(),
            &queries,
        )?),
        None => None,
    };
    let place = |x: i32, z: i32| [f64::from(x) * cell, 0.0, f64::from(z) * cell];
    Ok(Workload {
        pairs: queries
            .iter()
            .map(|&[sx, sz, tx, tz]| [place(sx, sz), place(tx, tz)])
            .collect(),
        optimal,
    })
}

/// Ends of random queries, both on one island.
pub(super) fn random_pairs(
    mesh: &NavMesh<'_>,
    count: u32,
    seed: u64,
    name: &str,
) -> Result<Vec<[[f64; 3]; 2]>, Failure> {
    let surface = Surface::of(mesh);
    let places = Places::new(&surface).ok_or_else(|| {
        Failure::input(format_args!(
            "{name}: its navmesh is empty, so there are no places to walk between; bake a level with walkable ground"
        ))
    })?;
    let mut random = Random::new(seed);
    Ok((0..count).map(|_| places.pair(&mut random)).collect())
}

/// What tables take in a blob that has been checked.
fn table_bytes(bytes: &[u8]) -> u64 {
    let known = Section::LABELS..=Section::LANDMARK_ROWS;
    Blob::open(bytes).map_or(0, |blob| {
        let tables = blob.sections().filter(|s| known.contains(&s.section));
        tables.map(|s| s.len()).sum()
    })
}
