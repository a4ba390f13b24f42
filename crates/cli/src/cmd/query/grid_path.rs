//! `navbake query path --planner grid4|grid8`: a path over the cells of a grid map.

use std::fmt::Write;
use std::time::Instant;

use navbake_gridpath::{
    GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize, GridStatus,
};
use serde::Serialize;

use super::found::{Found, Leg};
use super::ground::{ABOVE_OR_BELOW, Ground};
use super::path::PathQuestion;
use crate::blob_file::BlobFile;
use crate::failure::{Exit, Failure};
use crate::grid_args::{grid_map, on_one_island};
use crate::left_out::{self, left_out};
use crate::output::Output;
use crate::place::show;

/// The JSON object. The map is flat, so both lengths are equal.
#[derive(Clone, Debug, Serialize)]
struct Answer {
    #[serde(flatten)]
    found: Found,
    /// Column and row of every cell of the path.
    cells: Vec<[u32; 2]>,
    straight: u32,
    diagonal: u32,
    turns: u32,
    /// Index of the goal that was reached.
    goal: Option<usize>,
}

/// Runs it.
pub(super) fn run(
    question: &PathQuestion,
    planner: GridPlanner,
    output: Output,
) -> Result<Exit, Failure> {
    let (common, ends) = (&question.common, &question.ends);
    let file = BlobFile::load(&common.blob)?;
    let ground = Ground::open(&file, common, ABOVE_OR_BELOW)?;
    let map = grid_map(&ground.blob, &file.name)?;
    let (from, to) = ends.places(&ground.blob, ground.axes, ground.name)?;
    let goals: Vec<[f64; 3]> = to.iter().map(|p| ground.inward(p.place)).collect();
    let request = GridRequest {
        from: ground.inward(from.place),
        to: &goals,
        partial: question.partial,
        ..question.grid.request(&question.search, planner, &map)?
    };
    let size = if request.turn_penalty > 0.0 {
        GridScratchSize::with_turns(&map)
    } else {
        GridScratchSize::of(&map)
    };
    let mut buffer = GridBuffer::new(GridScratchSize { goals: goals.len(), ..size });
    let can_reach = on_one_island(ground.query(), map);
    let query = GridQuery::new(map).with_reachability(&can_reach);
    let mut scratch = buffer.scratch();
    let start = Instant::now();
    let found = query.path(&request, &mut scratch);
    let micros = start.elapsed().as_secs_f64() * 1e6;

    let walked = !found.cells.is_empty();
    let length = |metres| walked.then(|| ground.length(metres));
    let place = |&cell| ground.outward(map.centre(cell));
    let cells: Vec<[u32; 2]> = found.cells.iter().map(|&c| map.column_row(c)).collect();
    let step = |k: usize| {
        let [a, b] = [cells[k], cells[k + 1]].map(|c| c.map(i64::from));
        [b[0] - a[0], b[1] - a[1]]
    };
    let last = cells.len().saturating_sub(1);
    let turns = (0..cells.len()).filter(|&k| k == 0 || k == last || step(k - 1) != step(k));
    let points: Vec<[f64; 3]> = turns.map(|k| place(&found.cells[k])).collect();
    let path = Found {
        status: found.status.name(),
        length_xz: length(found.length_xz),
        length_3d: length(found.length_xz),
        cost: length(found.cost),
        bound: length(found.bound),
        gap: (found.status == GridStatus::Reached && found.bound > 0.0)
            .then(|| (found.cost / found.bound - 1.0).max(0.0)),
        legs: Leg::walk(points.len()),
        points,
        polygons: vec![],
        expanded: found.expanded,
        closed: found.closed,
        max_open: found.max_open,
        micros,
        planner: planner.name(),
        certified_optimal: found.certified_optimal,
        left_out: vec![],
    };
    let terrain = |point| map.free_cell_at(point).map_or(0, |cell| map.terrain(cell));
    let cost = |point| match request.costs {
        [] => 1.0,
        costs => costs.get(usize::from(terrain(point))).copied().unwrap_or(f64::INFINITY),
    };
    let (mesh, bit) = (ground.mesh(), ground.agent.bit());
    let missed = left_out(&ground.blob, &mesh, &ground.filter, bit, cost);
    let answer = Answer {
        found: path.leaving_out(missed),
        cells,
        straight: found.straight,
        diagonal: found.diagonal,
        turns: found.turns,
        goal: found.goal,
    };
    let lost = |point| map.free_cell_at(point).is_none();
    let mut missing = vec![];
    if found.status == GridStatus::OffMesh {
        missing.extend(lost(request.from).then_some("no free cell at the start"));
        missing.extend(goals.iter().all(|&g| lost(g)).then_some("no free cell at the goal"));
    }
    output.result(&answer, |answer| text(answer, &missing.join(", ")))?;
    Ok(ends.exit(answer.found.status))
}

fn text(answer: &Answer, lost: &str) -> String {
    let mut out = String::from(answer.found.status);
    if !lost.is_empty() {
        let _ = write!(out, ": {lost}");
    }
    if let (Some(length), Some(cost)) = (answer.found.length_xz, answer.found.cost) {
        let _ = write!(
            out,
            ": {length:.3} long, cost {cost:.3}, {} steps, {} of them diagonal, {} turns{}",
            answer.straight + answer.diagonal,
            answer.diagonal,
            answer.turns,
            if answer.found.certified_optimal { ", optimal" } else { "" }
        );
        out.push_str(&left_out::text(&answer.found.left_out));
    }
    if answer.found.status == "unreachable" && answer.found.left_out.contains(&"links") {
        out.push_str(" over cells: this planner ignores links");
    }
    if let Some(goal) = answer.goal.filter(|&g| g > 0) {
        let _ = write!(out, "; goal {goal}");
    }
    out.push('\n');
    for &point in &answer.found.points {
        let _ = writeln!(out, "  {}", show(point));
    }
    out
}
