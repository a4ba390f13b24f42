//! `navbake query gradient`: a descent in cost and distance, without a search.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use navbake_draw::field::{self, FieldPicture};
use navbake_draw::{Surface, cells};
use navbake_format::{CellId, CellShape, GridMapView};
use navbake_gridpath::{CellFilter, GridPlanner, GridQuery, GridRequest};
use navbake_level::number::count;
use navbake_search::around::DescentEnd;
use navbake_search::{DescentRequest, PolyId};
use serde::Serialize;

use super::ground::{ABOVE_OR_BELOW, Common, Ground};
use crate::args::distance;
use crate::blob_file::BlobFile;
use crate::failure::{Exit, Failure};
use crate::files::{given, refuse_overwrites};
use crate::left_out;
use crate::output::{Output, write_whole};
use crate::place::{Place, PointOrMarker, show};

/// Options of `query gradient`.
#[derive(Debug, Args)]
pub(crate) struct GradientQuestion {
    #[command(flatten)]
    common: Common,
    /// Start, or a marker
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    from: PointOrMarker,
    /// Goal that attracts, or a marker [default: none, cost alone is descended]
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    to: Option<PointOrMarker>,
    /// What a metre to the goal adds to the cost of a metre
    #[arg(long, value_name = "COST", default_value_t = 1.0, value_parser = distance)]
    pull: f64,
    /// What is descended [default: cells where the level is a grid map, else navmesh]
    #[arg(long, value_enum)]
    over: Option<Over>,
    /// Usual step over the navmesh, m; up to eight times as far is tried [default: 0.5]
    #[arg(long, value_name = "M", value_parser = distance)]
    step: Option<f64>,
    /// Draw the cost of a metre and the descent
    #[arg(long, value_name = "FILE.svg")]
    trace: Option<PathBuf>,
}

/// What is descended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Over {
    /// The cells of a grid map, each with its own cost
    Cells,
    /// The navmesh, by sampling
    Navmesh,
}

#[derive(Debug, Serialize)]
struct Answer {
    /// `reached`, `minimum` (local: nothing near is lower), `out_of_room` or `off_mesh`.
    status: &'static str,
    /// `cells` or `navmesh`.
    over: &'static str,
    /// The places, from the start on.
    points: Vec<[f64; 3]>,
    /// Over cells: column and row of each place.
    cells: Vec<[u32; 2]>,
    /// The potential at the start and at the end.
    potential: Option<[f64; 2]>,
    /// What bears on costs in the blob and is not descended.
    left_out: Vec<&'static str>,
}

/// The most places over a navmesh.
const ROOM: usize = 100_000;

/// Runs it.
pub(crate) fn run(question: &GradientQuestion, output: Output) -> Result<Exit, Failure> {
    let common = &question.common;
    refuse_overwrites(&[&common.blob.path], &given(&[question.trace.as_ref()]))?;
    let file = BlobFile::whole(&common.blob)?;
    let ground = Ground::open(&file, common, ABOVE_OR_BELOW)?;
    let from = ground.place(&question.from)?;
    let to = question.to.as_ref().map(|to| ground.place(to)).transpose()?;
    let map = ground.blob.grid_map();
    let usual = if map.is_some() { Over::Cells } else { Over::Navmesh };
    let over = question.over.unwrap_or(usual);
    let map = match over {
        Over::Navmesh => None,
        Over::Cells if map.is_none() => {
            return Err(Failure::usage(format_args!(
                "--over cells: {} has no grid map; bake a .map or .txt, or leave it out",
                ground.name
            )));
        }
        Over::Cells => map,
    };
    let options = [("--step", question.step.is_some()), ("--extents", common.extents.is_some())];
    if let Some((option, _)) = options.iter().find(|(_, is_given)| *is_given && map.is_some()) {
        return Err(Failure::usage(format_args!(
            "{option} does not apply to --over cells: steps lead from cell to cell; leave it out"
        )));
    }
    let (answer, picture) = match map {
        Some(map) => over_cells(question, &ground, map, (from, to))?,
        None => over_navmesh(question, &ground, from, to),
    };
    if let (Some(path), Some(picture)) = (&question.trace, picture) {
        write_whole(path, field::write(&picture, "descent").as_bytes())?;
    }
    output.result(&answer, |answer| text(answer, &ground, from))?;
    Ok(Exit::Done)
}

fn answer(
    ground: &Ground<'_>,
    over: &'static str,
    (end, points): (DescentEnd, Vec<[f64; 3]>),
    potential: Option<[f64; 2]>,
) -> Answer {
    let mesh = ground.mesh();
    Answer {
        status: end.name(),
        over,
        points: points.into_iter().map(|p| ground.outward(p)).collect(),
        cells: vec![],
        potential,
        left_out: left_out::left_out(&mesh, &ground.filter, mesh.link_count() > 0),
    }
}

/// The line below the title of the picture.
fn caption(answer: &Answer) -> String {
    format!(
        "cost of a metre; {} after {}",
        answer.status,
        count(answer.points.len().saturating_sub(1), "step")
    )
}

fn over_cells(
    question: &GradientQuestion,
    ground: &Ground<'_>,
    map: GridMapView<'_>,
    (from, to): (Place, Option<Place>),
) -> Result<(Answer, Option<FieldPicture>), Failure> {
    let mesh = ground.mesh();
    let filter = CellFilter::new(&map, &mesh, &ground.filter).fields(&map, ground.agent.number);
    let query = GridQuery::new(map).with_filter(&filter);
    let planner = match map.shape() {
        CellShape::Square => GridPlanner::Grid8,
        CellShape::Hexagon => GridPlanner::Hex,
    };
    let goals: Vec<[f64; 3]> = to.map(|to| ground.inward(to)).into_iter().collect();
    let request = GridRequest::new(ground.inward(from), &goals, planner);
    let potential = query.potential(&request, question.pull).map_err(Failure::internal)?;
    let mut cells = vec![CellId(0); map.free_count() as usize + 1];
    let descent = potential.descend(&mut cells);
    let at = |cell: Option<&CellId>| cell.and_then(|&cell| potential.at(cell));
    let ends = at(descent.cells.first()).zip(at(descent.cells.last())).map(<[f64; 2]>::from);
    let points = descent.cells.iter().map(|&cell| map.centre(cell)).collect();
    let mut answer = answer(ground, "cells", (descent.end, points), ends);
    answer.cells = descent.cells.iter().map(|&cell| map.column_row(cell)).collect();
    if question.trace.is_none() {
        return Ok((answer, None));
    }
    let cost = GridRequest::new(request.from, &[], planner);
    let cost = query.potential(&cost, 0.0).map_err(Failure::internal)?;
    let all = (0..map.id_count()).map(CellId);
    let pieces =
        all.filter_map(|cell| Some((cells::outline(&map, cell), cost.at(cell)?))).collect();
    let path = descent.cells.iter().map(|&cell| map.centre(cell)).map(|[x, _, z]| [x, z]).collect();
    let picture = FieldPicture { pieces, path, caption: caption(&answer) };
    Ok((answer, Some(picture)))
}

fn over_navmesh(
    question: &GradientQuestion,
    ground: &Ground<'_>,
    from: Place,
    to: Option<Place>,
) -> (Answer, Option<FieldPicture>) {
    let (query, mesh) = (ground.query(), ground.mesh());
    let request = DescentRequest {
        goal: to.map(|to| ground.inward(to)),
        pull: question.pull,
        step: question.step.map_or(0.5, |step| ground.metres(step)),
    };
    let mut places = vec![];
    let mut end = DescentEnd::OffMesh;
    if let Some(start) = ground.locate(from) {
        places = vec![start; ROOM];
        let descent = query.descend(&start, &request, &mut places);
        end = descent.end;
        let count = descent.places.len();
        places.truncate(count);
    }
    let ends = places.first().zip(places.last());
    let ends = ends.map(|(a, b)| [a, b].map(|at| query.potential(at, &request)));
    let points: Vec<[f64; 3]> = places.iter().map(|at| at.position()).collect();
    let path = points.iter().map(|[x, _, z]| [*x, *z]).collect();
    let answer = answer(ground, "navmesh", (end, points), ends);
    let picture = question.trace.is_some().then(|| {
        let surface = Surface::new(&mesh);
        let cost = |p: u32| ground.filter.area_cost(mesh.area(PolyId(p)));
        let all = (0..mesh.polygon_count()).filter(|&p| !query.is_forbidden(PolyId(p)));
        let outline = |p: u32| surface.ring(p as usize).iter().map(|[x, _, z]| [*x, *z]).collect();
        let pieces = all.map(|p| (outline(p), cost(p))).collect();
        FieldPicture { pieces, path, caption: caption(&answer) }
    });
    (answer, picture)
}

fn text(answer: &Answer, ground: &Ground<'_>, from: Place) -> String {
    let Some([first, last]) = answer.potential else {
        let nowhere = format!("no free cell at the start ({})", show(from.0));
        let why = if answer.over == "cells" { nowhere } else { ground.missing("start", from) };
        return format!("{}: {why}\n", answer.status);
    };
    let end = answer.points.last().map(|&p| show(p)).unwrap_or_default();
    let steps = count(answer.points.len().saturating_sub(1), "step");
    let ignores = match answer.left_out.as_slice() {
        [] => String::new(),
        some => format!(", ignores {}", some.join(" and ")),
    };
    let what = match answer.status {
        "minimum" => "minimum: a local one",
        status => status,
    };
    format!("{what}: {steps} to {end}, potential {first:.3} to {last:.3}{ignores}\n")
}
