//! `navbake query path --planner network`: a path over a route network.

use std::fmt::Write;
use std::time::Instant;

use navbake_draw::Surface;
use navbake_draw::cells::{self, Cell, CellTrace};
use navbake_gridpath::{Network, NetworkBuffer, NetworkRequest, NetworkSearch};
use navbake_level::number::count;
use navbake_search::{AStar, Heuristic, NavPoint, Status};
use serde::Serialize;

use super::found::{Found, Leg};
use super::ground::{ABOVE_OR_BELOW, Ground, lost_ends};
use super::path_question::PathQuestion;
use crate::blob_file::BlobFile;
use crate::failure::{Exit, Failure};
use crate::networks::network;
use crate::output::{Output, write_whole};
use crate::place::show;

/// The JSON object.
#[derive(Clone, Debug, Serialize)]
struct Answer {
    #[serde(flatten)]
    found: Found,
    /// The name of the network.
    network: String,
    /// Entries dropped because the open list was full.
    dropped: u32,
    /// Index of the goal that was reached.
    goal: Option<usize>,
}

/// Runs it.
pub(super) fn run(question: &PathQuestion, output: Output) -> Result<Exit, Failure> {
    let (common, ends) = (&question.common, &question.ends);
    let file = BlobFile::whole(&common.blob)?;
    let ground = Ground::open(&file, common, ABOVE_OR_BELOW)?;
    let mesh = ground.mesh();
    let view = network(&ground.blob, &mesh, question.network.as_deref(), ground.name)?;
    let (from, to) = ends.places(&ground.blob, ground.axes, ground.name)?;
    let query = ground.query();
    let network = guided(Network::new(&view, &query), &question.search.a_star());
    let located: Vec<Option<NavPoint>> = to.iter().map(|aim| ground.locate(aim.place)).collect();
    let goals: Vec<NavPoint> = located.iter().flatten().copied().collect();
    let nothing = Found { planner: "network", status: Status::OffMesh.name(), ..Found::default() };
    let mut answer = Answer { found: nothing, network: view.name.into(), dropped: 0, goal: None };
    if let Some(from) = ground.locate(from.place) {
        let request = NetworkRequest {
            a_star: question.search.a_star(),
            partial: question.partial,
            ..NetworkRequest::new(from, &goals)
        };
        let mut buffer = NetworkBuffer::default();
        let start = Instant::now();
        let search = network.start_path(&query, &request, &mut buffer);
        let mut search = search.map_err(|_| no_landmarks())?;
        search.step(&network, &mut buffer, u32::MAX);
        let micros = start.elapsed().as_secs_f64() * 1e6;
        if let Some(file) = &question.trace {
            let picture = picture(&ground, &network, &search, &mut buffer);
            write_whole(file, picture.as_bytes())?;
        }
        let found = search.path(&network, &mut buffer);
        let walked = !found.points.is_empty();
        let length = |metres| walked.then(|| ground.length(metres));
        let links: Vec<(usize, u32)> =
            found.links.iter().map(|leg| (leg.at as usize, leg.link)).collect();
        // Goals off the mesh were left out of the request.
        let numbers: Vec<usize> = (0..located.len()).filter(|&k| located[k].is_some()).collect();
        answer.goal = found.goal.and_then(|goal| numbers.get(goal).copied());
        answer.dropped = found.dropped;
        answer.found = Found {
            status: found.status.name(),
            length_xz: length(found.length_xz),
            length_3d: None,
            cost: length(found.cost),
            bound: length(found.bound),
            gap: (found.status == Status::Reached && found.bound > 0.0)
                .then(|| (found.cost / found.bound - 1.0).max(0.0)),
            points: found.points.iter().map(|&p| ground.outward(p)).collect(),
            legs: Leg::over_cells(&mesh, &links, found.points.len()),
            polygons: vec![],
            expanded: found.expanded,
            closed: found.closed,
            max_open: found.max_open,
            micros,
            planner: "network",
            certified_optimal: found.certified_optimal,
            left_out: vec![],
        };
    }
    let lost = match answer.found.status {
        "off_mesh" => {
            let lost = lost_ends(&ground, from.place, to[0].place);
            match lost.is_empty() {
                true => "no point of the network is in sight of the start or of the goal".into(),
                false => lost,
            }
        }
        _ => String::new(),
    };
    output.result(&answer, |answer| text(answer, &lost))?;
    Ok(ends.exit(answer.found.status))
}

/// The network, with landmarks where estimates are by them.
pub(crate) fn guided(network: Network, a_star: &AStar) -> Network {
    match a_star.heuristic {
        Heuristic::Table => network.landmarks(Network::LANDMARKS),
        _ => network,
    }
}

/// A network without points has no landmarks.
pub(crate) fn no_landmarks() -> Failure {
    Failure::usage(
        "--heuristic table: the network has no points for this agent, so there are no landmarks; choose another heuristic",
    )
}

/// The picture of a search that is done.
fn picture(
    ground: &Ground<'_>,
    network: &Network,
    search: &NetworkSearch,
    buffer: &mut NetworkBuffer,
) -> String {
    /// Half the width of the mark of a point, as a share of the longer side of the mesh.
    const MARK: f64 = 0.004;
    let flat = |[x, _, z]: [f64; 3]| [x, z];
    let surface = Surface::new(&ground.mesh());
    let [low, high] = ground.mesh().bounds().map(|p| p.map(f64::from));
    let side = (high[0] - low[0]).max(high[2] - low[2]) / ground.mesh().grid().units();
    let half = MARK * side;
    let mark = |[x, z]: [f64; 2]| vec![[x - half, z], [x, z - half], [x + half, z], [x, z + half]];
    let mut visits: Vec<_> = search.visits(network, buffer).collect();
    visits.sort_by_key(|visit| visit.closed);
    let cell = |visit: &navbake_gridpath::NetworkVisit| Cell {
        outline: mark(flat(visit.position)),
        middle: flat(visit.position),
        parent: visit.parent.map(flat),
    };
    let of = |closed: bool| visits.iter().filter(move |v| v.closed.is_some() == closed).map(cell);
    let (expanded, open) = (of(true).collect(), of(false).collect());
    let found = search.path(network, buffer);
    let trace = CellTrace {
        ground: (0..surface.polygons.len())
            .map(|p| surface.ring(p).into_iter().map(flat).collect())
            .collect(),
        expanded,
        open,
        path: found.points.iter().copied().map(flat).collect(),
        links: found.links.iter().map(|leg| leg.at as usize).collect(),
        caption: format!(
            "{} by network: cost {:.2}, {} expanded, {} closed at the end",
            found.status.name(),
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
            ": length {length:.3} in the plane, cost {cost:.3}, {}{}{}",
            count(answer.found.points.len(), "point"),
            match answer.found.links() {
                0 => String::new(),
                some => format!(", {}", count(some, "link")),
            },
            if answer.found.certified_optimal { ", the cheapest over the network" } else { "" }
        );
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
