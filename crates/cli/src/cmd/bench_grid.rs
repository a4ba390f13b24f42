//! `navbake bench --planner grid4|grid8`: how long searches over cells take, and how their lengths compare with those of a scenario.

use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::time::Instant;

use navbake_gridpath::{
    GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize, GridStatus,
};
use navbake_search::Query;

use super::bench::random_pairs;
use crate::args::Bench;
use crate::blob_file;
use crate::failure::{Exit, Failure};
use crate::grid_options::{cells_of, on_one_island};
use crate::octile::{Octile, read_octile};
use crate::output::{Output, write_whole};
use crate::place::show;
use crate::tally::{Ending, Tally};

/// Runs it.
pub(super) fn run(options: &Bench, planner: GridPlanner, output: Output) -> Result<Exit, Failure> {
    if options.optimal.is_some() {
        return Err(Failure::usage(
            "--optimal gives any-angle lengths, which paths over cells do not have; leave it out: grid8 is compared with the scenario's own lengths",
        ));
    }
    options.closed.refuse(options.planner.name())?;
    let name = blob_file::name(&options.blob);
    let bytes = blob_file::load(&options.blob)?;
    let blob = blob_file::checked(&bytes, &name)?;
    let mesh = blob_file::mesh_of(&blob, options.agent.as_deref(), &name)?;
    let map = cells_of(&blob, &name)?;
    // Cells of a scenario are named by column and row.
    let (pairs, known) = match (&options.scen, options.random) {
        (Some(scen), _) => {
            let text = fs::read(scen).map_err(|error| Failure::io(scen, "read", &error))?;
            let text = String::from_utf8_lossy(&text);
            let queries = read_octile(&text, &scen.display().to_string())?;
            let [x, y, z] = map.corner();
            let middle = |column: i32, row: i32| {
                let [c, r] = [column, row].map(|v| (f64::from(v) + 0.5) * map.cell());
                [x + c, y, z + r]
            };
            let ends = |q: &Octile| {
                let [sx, sz, tx, tz] = q.ends;
                [middle(sx, sz), middle(tx, tz)]
            };
            (queries.iter().map(ends).collect::<Vec<_>>(), queries)
        }
        (None, Some(count)) => (random_pairs(&mesh, count, options.seed, &name)?, vec![]),
        (None, None) => return Err(Failure::usage("bench needs --scen or --random")),
    };
    output.detail(format_args!("{}: {} queries", name, pairs.len()));

    let base = options.grid.request(&options.search, planner, &map)?;
    let can_reach = on_one_island(Query::new(mesh), map);
    let query = GridQuery::new(map).with_reachability(&can_reach);
    let mut buffer = GridBuffer::new(if base.turn_penalty > 0.0 {
        GridScratchSize::with_turns(&map)
    } else {
        GridScratchSize::of(&map)
    });
    let mut micros = vec![0.0; pairs.len()];
    let (mut endings, mut expanded, mut dump) = (vec![], 0u64, String::new());
    for round in 0..options.repeat {
        for (k, [from, to]) in pairs.iter().enumerate() {
            let request = GridRequest {
                from: *from,
                to: std::slice::from_ref(to),
                ..base
            };
            let mut scratch = buffer.scratch();
            let start = Instant::now();
            let answer = black_box(query.path(black_box(&request), &mut scratch));
            micros[k] += start.elapsed().as_secs_f64() * 1e6 / f64::from(options.repeat);
            if round > 0 {
                continue;
            }
            expanded += u64::from(answer.expanded);
            endings.push(match answer.status {
                GridStatus::Reached => Ending::Length(answer.cost / map.cell()),
                GridStatus::Unreachable | GridStatus::Partial => Ending::NoPath,
                GridStatus::OffMesh => Ending::OffMesh,
                GridStatus::OutOfNodes => Ending::Failed,
            });
            if options.dump.is_some() {
                let reached = answer.status == GridStatus::Reached;
                let length = if reached { answer.cost } else { -1.0 };
                let _ = write!(dump, "{} {length}", answer.status.name());
                for &cell in answer.cells {
                    let _ = write!(dump, " {}", show(map.centre(cell)));
                }
                dump.push('\n');
            }
        }
    }
    let mut tally = Tally {
        mean_expanded: expanded as f64 / endings.len().max(1) as f64,
        blob_bytes: bytes.len() as u64,
        ..Tally::default()
    };
    tally.times(micros);
    // A scenario's lengths are those of grid8 without corners cut.
    let comparable = options.scen.is_some()
        && planner == GridPlanner::Grid8
        && !options.grid.corner_cutting
        && options.grid.cost_is_length();
    let lengths: Vec<Option<f64>> = known.iter().map(|q| q.length).collect();
    tally.endings_within(
        &endings,
        comparable.then_some(lengths.as_slice()),
        |k, _| known[k].slack,
    );
    if let Some(file) = &options.dump {
        write_whole(file, dump.as_bytes())?;
    }
    output.result(&tally, Tally::text)?;
    Ok(Exit::Done)
}
