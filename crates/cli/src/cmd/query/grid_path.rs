//! `navbake query path --planner grid4|grid8|hex`: a path over the cells of a grid map.

use std::fmt::Write;
use std::time::Instant;

use navbake_draw::cells::{self, Cell, CellTrace};
use navbake_format::{CellId, CellShape};
use navbake_gridpath::{
    GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize, GridSearch,
};
use navbake_level::number::count;
use navbake_search::Status;
use serde::Serialize;

use super::found::{Found, Leg};
use super::ground::{ABOVE_OR_BELOW, Ground};
use super::path_question::PathQuestion;
use crate::blob_file::BlobFile;
use crate::failure::{Exit, Failure};
use crate::grid_args::{grid_map, no_open_ground, on_one_island};
use crate::left_out;
use crate::output::{Output, write_whole};
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
    /// Entries dropped because the open list was full.
    dropped: u32,
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
    let file = BlobFile::whole(&common.blob)?;
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
    let mesh = ground.mesh();
    let filter = question.grid.filter(&map, &mesh, (&ground.filter, ground.agent.number), &request);
    let query = GridQuery::new(map).with_filter(&filter).with_reachability(&can_reach);
    let start = Instant::now();
    let mut search = query.start_path(&request, &mut buffer).map_err(no_open_ground)?;
    search.step(&query, &mut buffer, u32::MAX);
    let micros = start.elapsed().as_secs_f64() * 1e6;
    if let Some(file) = &question.trace {
        let picture = picture(&query, &search, &mut buffer);
        write_whole(file, picture.as_bytes())?;
    }
    let found = search.path(&query, &mut buffer);

    let walked = !found.cells.is_empty();
    let length = |metres| walked.then(|| ground.length(metres));
    let place = |&cell| ground.outward(map.centre(cell));
    let cells: Vec<[u32; 2]> = found.cells.iter().map(|&c| map.column_row(c)).collect();
    let step = |k: usize| {
        let [a, b] = [cells[k], cells[k + 1]].map(|c| c.map(i64::from));
        [b[0] - a[0], b[1] - a[1]]
    };
    let last = cells.len().saturating_sub(1);
    let is_link = |k: usize| found.links.iter().any(|leg| leg.at as usize == k);
    let bends = |k: usize| step(k - 1) != step(k) || is_link(k - 1) || is_link(k);
    let turns: Vec<usize> = (0..cells.len()).filter(|&k| k == 0 || k == last || bends(k)).collect();
    let points: Vec<[f64; 3]> = turns.iter().map(|&k| place(&found.cells[k])).collect();
    // The links by the points that they lead from.
    let links: Vec<(usize, u32)> = (found.links.iter())
        .filter_map(|leg| Some((turns.binary_search(&(leg.at as usize)).ok()?, leg.link)))
        .collect();
    let path = Found {
        status: found.status.name(),
        length_xz: length(found.length_xz),
        length_3d: length(found.length_xz),
        cost: length(found.cost),
        bound: length(found.bound),
        gap: (found.status == Status::Reached && found.bound > 0.0)
            .then(|| (found.cost / found.bound - 1.0).max(0.0)),
        legs: Leg::over_cells(&mesh, &links, points.len()),
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
    // A link that begins or ends on no cell is left out.
    let missed = if filter.has_lost_links() { vec!["links"] } else { vec![] };
    let answer = Answer {
        found: path.leaving_out(missed),
        cells,
        straight: found.straight,
        diagonal: found.diagonal,
        turns: found.turns,
        dropped: found.dropped,
        goal: found.goal,
    };
    let lost = |point| map.free_cell_at(point).is_none();
    let mut missing = vec![];
    if found.status == Status::OffMesh {
        missing.extend(lost(request.from).then_some("no free cell at the start"));
        missing.extend(goals.iter().all(|&g| lost(g)).then_some("no free cell at the goal"));
    }
    output.result(&answer, |answer| text(answer, &missing.join(", ")))?;
    Ok(ends.exit(answer.found.status))
}

/// The picture of a search that is done.
fn picture(query: &GridQuery<'_>, search: &GridSearch, buffer: &mut GridBuffer) -> String {
    let map = query.map();
    let flat = |[x, _, z]: [f64; 3]| [x, z];
    let shape = map.shape();
    let middle = |cell: CellId| flat(map.centre(cell));
    let outline = |at| map.id(at).map_or(vec![], |cell| cells::outline(map, cell));
    let is_free = |c: i64, r: i64| map.id([c, r]).is_some_and(|id| map.is_free(id));
    let mut ground = vec![];
    for row in 0..i64::from(map.height()) {
        let mut column = 0;
        while column < i64::from(map.width()) {
            let run = (column..).take_while(|&c| is_free(c, row)).count() as i64;
            let all = column..column + run;
            match shape {
                CellShape::Hexagon => ground.extend(all.map(|c| outline([c, row]))),
                // Neighbours in a row are one rectangle.
                CellShape::Square if run > 0 => {
                    let [first, last] = [column, column + run - 1].map(|c| outline([c, row]));
                    ground.push(vec![first[0], first[1], last[2], last[3]]);
                }
                CellShape::Square => {}
            }
            column += run + 1;
        }
    }
    let scratch = buffer.scratch();
    let visits: Vec<_> = search.visits(query, &scratch).collect();
    let cell = |visit: &navbake_gridpath::GridVisit| Cell {
        outline: cells::outline(map, visit.cell),
        middle: middle(visit.cell),
        parent: visit.parent.map(middle),
    };
    let mut closed: Vec<_> = visits.iter().filter(|v| v.closed.is_some()).collect();
    closed.sort_by_key(|visit| visit.closed);
    let expanded = closed.into_iter().map(cell).collect();
    let open = visits.iter().filter(|v| v.closed.is_none()).map(cell).collect();
    let found = search.path(query, scratch);
    let trace = CellTrace {
        ground,
        expanded,
        open,
        path: found.cells.iter().map(|&cell| middle(cell)).collect(),
        links: found.links.iter().map(|leg| leg.at as usize).collect(),
        caption: format!(
            "{} by {}: cost {:.2}, {} expanded, {} closed at the end",
            found.status.name(),
            found.planner.name(),
            found.cost,
            found.expanded,
            found.closed
        ),
    };
    cells::write(&trace, "search")
}

fn text(answer: &Answer, lost: &str) -> String {
    let mut out = String::from(answer.found.status);
    if !lost.is_empty() {
        let _ = write!(out, ": {lost}");
    }
    if let (Some(length), Some(cost)) = (answer.found.length_xz, answer.found.cost) {
        let _ = write!(
            out,
            ": {length:.3} long, cost {cost:.3}, {}{}, {}{}{}",
            count((answer.straight + answer.diagonal) as usize, "step"),
            match answer.found.planner {
                "hex" => String::new(),
                _ => format!(", {} of them diagonal", answer.diagonal),
            },
            count(answer.turns as usize, "turn"),
            match answer.found.links() {
                0 => String::new(),
                some => format!(", {}", count(some, "link")),
            },
            if answer.found.certified_optimal { ", optimal" } else { "" }
        );
        out.push_str(&left_out::text(&answer.found.left_out));
    }
    if answer.found.status == "unreachable" && !answer.found.left_out.is_empty() {
        out.push_str(" over cells: a link begins or ends beside them");
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
