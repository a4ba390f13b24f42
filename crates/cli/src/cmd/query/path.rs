//! `navbake query path`: a path to a goal, or to the cheapest of several.

use std::fmt::Write;
use std::time::Instant;

use navbake_level::number::count;
use navbake_rooms::{RoomPath, RoomScratch};
use navbake_search::{Algorithm, Error, PathRequest, Status};
use serde::Serialize;

use super::finish::{Finished, finish};
use super::found::{Found, Leg};
use super::ground::{ABOVE_OR_BELOW, Ground, RoomAnswer, lost_ends};
use super::path_question::PathQuestion;
use super::{grid_path, network_path, trace, turning_path};
use crate::blob_file::BlobFile;
use crate::failure::{Exit, Failure};
use crate::files::{given, refuse_overwrites};
use crate::output::{Output, write_whole};
use crate::place::{Place, show};
use crate::search_args::{Planner, missing, refusal};

/// The JSON object of a planner over polygons.
#[derive(Clone, Debug, Serialize)]
struct Answer {
    #[serde(flatten)]
    found: Found,
    /// Entries dropped because the open list was full.
    dropped: u32,
    /// Whether the path comes from the tables.
    by_tables: bool,
    /// Index of the goal.
    goal: usize,
    /// One entry a goal.
    goals: Vec<Goal>,
    /// The rooms it crosses; empty without rooms.
    rooms: Vec<RoomAnswer>,
    /// The finished path, with --finish.
    finished: Option<Finished>,
}

#[derive(Clone, Debug, Serialize)]
struct Goal {
    to: [f64; 3],
    status: &'static str,
    cost: Option<f64>,
}

/// Runs it.
pub(crate) fn run(question: &PathQuestion, output: Output) -> Result<Exit, Failure> {
    question.refuse_unused()?;
    refuse_overwrites(&[&question.common.blob.path], &given(&[question.trace.as_ref()]))?;
    let planner = question.planner.planner;
    let algorithm = match planner {
        Planner::Polygons(algorithm) => algorithm,
        Planner::Rooms => Algorithm::Optimal,
        Planner::Cells(planner) => return grid_path::run(question, planner, output),
        Planner::Network => return network_path::run(question, output),
        Planner::Vehicle => return turning_path::run(question, output),
    };
    let (common, ends) = (&question.common, &question.ends);
    let file = BlobFile::whole(&common.blob)?;
    let ground = Ground::open(&file, common, ABOVE_OR_BELOW)?;
    let (from, to) = ends.places(&ground.blob, ground.axes, ground.name)?;
    let request = |to: Place| {
        PathRequest::new(ground.inward(from.place), ground.inward(to))
            .extents(ground.extents)
            .algorithm(question.search.algorithm(algorithm))
            .partial(question.partial)
    };
    let mut scratch = RoomScratch::new();
    let mut best: Option<Answer> = None;
    let mut goals = vec![];
    for (k, to) in to.iter().map(|aim| aim.place).enumerate() {
        let answer = ask(&ground, question, &request(to), k, &mut scratch);
        goals.push(Goal { to: to.0, status: answer.found.status, cost: answer.found.cost });
        // The first of equals wins.
        if best.as_ref().is_none_or(|best| rank(&answer) < rank(best)) {
            best = Some(answer);
        }
    }
    let Some(mut answer) = best else {
        return Err(Failure::usage("--to: a path needs a goal"));
    };
    answer.goals = goals;
    let to = to[answer.goal].place;
    if let Some(file) = &question.trace {
        let how = (&question.search, planner == Planner::Rooms);
        let picture = trace::draw(&ground, how, &request(to), &mut scratch);
        if let Ok(picture) = picture {
            write_whole(file, picture.as_bytes())?;
        }
    }
    let lost = lost_ends(&ground, from.place, to);
    let used = answer.found.planner;
    let instead = Some(used).filter(|used| !["auto", used].contains(&planner.name()));
    // Heights of the mesh are within the bake's `slope_error` of the ground.
    let of = match ground.filter.slopes() == [0.0; 2] {
        true => "",
        false => " over the navmesh's surface",
    };
    output.result(&answer, |answer| text(answer, &lost, instead, of))?;
    Ok(ends.exit(answer.found.status))
}

fn ask(
    ground: &Ground<'_>,
    question: &PathQuestion,
    request: &PathRequest,
    goal: usize,
    scratch: &mut RoomScratch,
) -> Answer {
    let query = ground.query();
    let planner = question.planner.planner;
    let start = Instant::now();
    let found = question.search.find(&query, planner == Planner::Rooms, request, scratch);
    let micros = start.elapsed().as_secs_f64() * 1e6;
    let (found, planner) = match found {
        Ok(RoomPath { path, by_rooms: true }) => (path, planner.name()),
        Ok(RoomPath { path, .. }) => (path, path.algorithm.name()),
        Err(error) => {
            // The name with the options: auto with options is corridor.
            let name = match planner {
                Planner::Polygons(_) => request.algorithm.name(),
                planner => planner.name(),
            };
            return refused(refusal(&error), name, micros, goal);
        }
    };
    let walked = !found.points.is_empty();
    let length = |metres| walked.then(|| ground.length(metres));
    let path = Found {
        status: found.status.name(),
        length_xz: length(found.length_xz),
        length_3d: length(found.length_3d(&query)),
        cost: length(found.cost),
        bound: length(found.bound),
        gap: Some(found.gap()).filter(|gap| walked && gap.is_finite()),
        points: found.points.iter().map(|&p| ground.outward(p)).collect(),
        legs: Leg::all(&ground.mesh(), &found),
        polygons: found.polygons.iter().map(|p| p.0).collect(),
        expanded: found.expanded,
        closed: found.closed,
        max_open: found.max_open,
        micros,
        planner,
        certified_optimal: found.status == Status::Reached && found.certified_optimal,
        left_out: vec![],
    };
    Answer {
        found: path,
        dropped: found.dropped,
        by_tables: found.by_tables,
        goal,
        goals: vec![],
        rooms: {
            let mut rooms: Vec<RoomAnswer> =
                (found.polygons.iter()).filter_map(|&p| ground.room(p)).collect();
            rooms.dedup();
            rooms
        },
        finished: question.finish.and_then(|form| finish(ground, form, &found)),
    }
}

/// The answer where the planner does not serve the blob.
fn refused(status: &'static str, planner: &'static str, micros: f64, goal: usize) -> Answer {
    let found = Found { status, planner, micros, ..Found::default() };
    Answer {
        found,
        dropped: 0,
        by_tables: false,
        goal,
        goals: vec![],
        rooms: vec![],
        finished: None,
    }
}

/// The rank of an answer; lower is better.
fn rank(answer: &Answer) -> (usize, f64) {
    let order =
        ["reached", "partial", "out_of_nodes", "unreachable", "no_tables", "no_rooms", "off_mesh"];
    let place = order.iter().position(|s| *s == answer.found.status);
    (place.unwrap_or(order.len()), answer.found.cost.unwrap_or(0.0))
}

/// The answer for people; `instead` is the planner that was used instead of the one asked for, `of`
/// says which costs a bound holds for.
fn text(answer: &Answer, lost: &str, instead: Option<&str>, of: &str) -> String {
    let mut out = String::from(answer.found.status);
    for (status, error) in [("no_tables", Error::NoLandmarks), ("no_rooms", Error::NoRooms)] {
        if answer.found.status == status {
            let _ = write!(out, ": {}", missing(&error));
        }
    }
    if !lost.is_empty() {
        let _ = write!(out, ": {lost}");
    }
    if let (Some(xz), Some(space)) = (answer.found.length_xz, answer.found.length_3d) {
        let _ = write!(
            out,
            ": length {xz:.3} in the plane, {space:.3} along the ground, {}, {}{}",
            count(answer.found.points.len(), "point"),
            count(answer.found.polygons.len(), "polygon"),
            match answer.found.certified_optimal {
                true if answer.by_tables => ", optimal, from tables",
                true => ", optimal",
                false => "",
            }
        );
    }
    if let (Some(cost), Some(length)) = (answer.found.cost, answer.found.length_xz)
        && (answer.found.planner == "weighted" || (cost - length).abs() > 1e-9 * length)
    {
        let _ = write!(out, "; cost {cost:.3}");
        if let Some(gap) = answer.found.gap.filter(|_| !answer.found.certified_optimal) {
            // Rounded up, as it is an upper bound.
            let percent = (gap * 1e4).ceil() / 100.0;
            let _ = write!(out, ", at most {percent} % above the cheapest{of}");
        }
    }
    if let Some(planner) = instead.filter(|_| answer.found.length_xz.is_some()) {
        let _ = write!(out, "; by {planner}");
    }
    if !answer.rooms.is_empty() {
        let rooms: Vec<String> = answer.rooms.iter().map(RoomAnswer::text).collect();
        let _ = write!(out, "; rooms: {}", rooms.join(", "));
    }
    if answer.goals.len() > 1 {
        let _ = write!(out, "; goal {}", show(answer.goals[answer.goal].to));
    }
    if let Some(finished) = &answer.finished {
        let _ = write!(
            out,
            "; finished: length {:.3}, {}, {} left sharp",
            finished.length_xz,
            count(finished.points.len(), "point"),
            count(finished.kept, "place")
        );
    }
    out.push('\n');
    let finished = answer.finished.as_ref().map(|f| &f.points);
    for &point in finished.unwrap_or(&answer.found.points) {
        let _ = writeln!(out, "  {}", show(point));
    }
    out
}
