//! `navbake query path`: a path from one place to another, or to the cheapest of several.

use std::fmt::Write;
use std::time::Instant;

use navbake_search::{NavMeshView, PathRequest, Planner, SearchBuffer, Status};
use serde::Serialize;

use super::answer::Found;
use super::finish::{Finished, finish};
use super::{ABOVE_OR_BELOW, Ground, RoomAnswer, grid_path, judge, trace, turning_path};
use crate::blob_file;
use crate::failure::{Exit, Failure};
use crate::output::{Output, write_whole};
use crate::place::{Place, show};
use crate::query_args::PathOptions;
use crate::search_args::Over;

/// The JSON object of `query path` with a planner over polygons.
#[derive(Clone, Debug, Serialize)]
struct Answer {
    #[serde(flatten)]
    found: Found,
    /// Entries for which there was no room.
    dropped: u32,
    /// It was looked up in tables.
    by_tables: bool,
    /// Which of the goals this is, from 0.
    goal: usize,
    /// One entry a goal.
    goals: Vec<Goal>,
    /// The rooms it goes through; empty where the file has none.
    rooms: Vec<RoomAnswer>,
    /// The path smoothed or rounded, when that was asked for.
    finished: Option<Finished>,
}

/// A stretch of a path of one kind.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Leg {
    kind: &'static str,
    /// The name of the link that is taken, or its number where it has none.
    link: Option<String>,
    /// What one does on it.
    does: Option<&'static str>,
    /// Index of its first point.
    from: usize,
    /// Index of its last point.
    to: usize,
}

impl Leg {
    /// The legs of a path over ground alone, of so many points.
    pub(super) fn walk(points: usize) -> Vec<Leg> {
        let walk = |last| Leg {
            kind: "walk",
            link: None,
            does: None,
            from: 0,
            to: last,
        };
        points.checked_sub(1).map(walk).into_iter().collect()
    }

    fn all(mesh: &NavMeshView<'_>, path: &navbake_search::Answer<'_>) -> Vec<Leg> {
        let leg = |leg: navbake_search::Leg| {
            let link = leg
                .link
                .and_then(|number| Some((number, mesh.link(number)?)));
            Leg {
                kind: if leg.link.is_some() { "link" } else { "walk" },
                link: link.map(|(number, link)| match link.name {
                    "" => number.to_string(),
                    name => name.into(),
                }),
                does: link.map(|(_, link)| link.kind.name()),
                from: leg.points.start,
                to: leg.points.end - 1,
            }
        };
        path.legs().map(leg).collect()
    }
}

#[derive(Clone, Debug, Serialize)]
struct Goal {
    to: [f64; 3],
    status: &'static str,
    cost: Option<f64>,
}

/// Runs it.
pub(crate) fn run(options: &PathOptions, output: Output) -> Result<Exit, Failure> {
    let planner = match options.planner.over() {
        Over::Polygons(planner) => planner,
        Over::Cells(planner) => return grid_path::run(options, planner, output),
        Over::Lattice => return turning_path::run(options, output),
    };
    options.question.refuse_headings()?;
    options.grid.refuse(options.planner.name())?;
    let question = &options.question;
    let bytes = blob_file::load(&question.asked.blob)?;
    let ground = Ground::open(&bytes, &question.asked, ABOVE_OR_BELOW)?;
    let mut buffer = SearchBuffer::new(ground.mesh());
    let mut best: Option<Answer> = None;
    let mut goals = vec![];
    for (k, to) in question.to.iter().map(|aim| aim.place).enumerate() {
        let answer = ask(&ground, options, planner, to, k, &mut buffer);
        goals.push(Goal {
            to: to.0,
            status: answer.found.status,
            cost: answer.found.cost,
        });
        // Of equals the first stays.
        if best.as_ref().is_none_or(|best| rank(&answer) < rank(best)) {
            best = Some(answer);
        }
    }
    let Some(mut answer) = best else {
        return Err(Failure::usage("--to: a path needs a goal"));
    };
    answer.goals = goals;
    if let Some(file) = &options.trace {
        let picture = trace::draw(
            &ground,
            &request(&ground, options, planner, question.to[answer.goal].place),
            &mut buffer,
        );
        write_whole(file, picture.as_bytes())?;
    }
    let lost = lost_ends(&ground, question.from.place, question.to[answer.goal].place);
    output.result(&answer, |answer| text(answer, &lost))?;
    Ok(judge(question.expect, answer.found.status))
}

fn ask(
    ground: &Ground<'_>,
    options: &PathOptions,
    planner: Planner,
    to: Place,
    goal: usize,
    buffer: &mut SearchBuffer,
) -> Answer {
    let request = request(ground, options, planner, to);
    let mut scratch = buffer.scratch();
    let start = Instant::now();
    let found = ground.query().path(&request, &mut scratch);
    let micros = start.elapsed().as_secs_f64() * 1e6;
    let walked = !found.points.is_empty();
    let length = |metres| walked.then(|| ground.length(metres));
    let told = Found {
        status: found.status.name(),
        length_xz: length(found.length_xz),
        length_3d: length(found.length_3d(&ground.query())),
        cost: length(found.cost),
        bound: length(found.bound),
        gap: Some(found.gap()).filter(|gap| walked && gap.is_finite()),
        points: found.points.iter().map(|&p| ground.outward(p)).collect(),
        legs: Leg::all(ground.mesh(), &found),
        polygons: found.polygons.iter().map(|p| p.0).collect(),
        expanded: found.expanded,
        closed: found.closed,
        max_open: found.max_open,
        micros,
        planner: found.planner.name(),
        certified_optimal: found.status == Status::Reached && found.certified_optimal,
    };
    Answer {
        found: told,
        dropped: found.dropped,
        by_tables: found.by_tables,
        goal,
        goals: vec![],
        rooms: {
            let mut rooms: Vec<RoomAnswer> = (found.polygons.iter())
                .filter_map(|&p| ground.room(p))
                .collect();
            rooms.dedup();
            rooms
        },
        finished: options.finish.and_then(|form| finish(ground, form, &found)),
    }
}

fn request(ground: &Ground<'_>, options: &PathOptions, planner: Planner, to: Place) -> PathRequest {
    let request = PathRequest::new(
        ground.inward(options.question.from.place),
        ground.inward(to),
    )
    .extents(ground.extents)
    .planner(planner)
    .partial(options.partial);
    options.search.apply(request)
}

/// Which answer is the better one of two: less is better.
fn rank(answer: &Answer) -> (usize, f64) {
    let order = [
        "reached",
        "partial",
        "out_of_nodes",
        "unreachable",
        "no_tables",
        "no_rooms",
        "off_mesh",
    ];
    let place = order.iter().position(|s| *s == answer.found.status);
    (
        place.unwrap_or(order.len()),
        answer.found.cost.unwrap_or(0.0),
    )
}

/// Which ends have no ground, in words for people.
fn lost_ends(ground: &Ground<'_>, from: Place, to: Place) -> String {
    let lost: Vec<String> = [("start", from), ("goal", to)]
        .into_iter()
        .filter(|(_, place)| ground.locate(*place).is_none())
        .map(|(end, place)| format!("no ground near the {end} ({})", show(place.0)))
        .collect();
    lost.join(", ")
}

fn text(answer: &Answer, lost: &str) -> String {
    let mut out = String::from(answer.found.status);
    if answer.found.status == Status::NoTables.name() {
        out.push_str(
            ": this mesh has no landmarks; bake with landmarks = \"always\" under [tables], on a level without links, or take another --heuristic",
        );
    }
    if answer.found.status == Status::NoRooms.name() {
        out.push_str(": this planner goes from room to room; bake with enabled = true under [rooms], or take another --planner");
    }
    if !lost.is_empty() {
        let _ = write!(out, ": {lost}; --extents looks farther");
    }
    if let (Some(xz), Some(space)) = (answer.found.length_xz, answer.found.length_3d) {
        let _ = write!(
            out,
            ": {xz:.3} long seen from above, {space:.3} along the ground, {} points, {} polygons{}",
            answer.found.points.len(),
            answer.found.polygons.len(),
            match answer.found.certified_optimal {
                true if answer.by_tables => ", the shortest there is, looked up in tables",
                true => ", the shortest there is",
                false => "",
            }
        );
    }
    if let (Some(cost), Some(length)) = (answer.found.cost, answer.found.length_xz)
        && (cost - length).abs() > 1e-9 * length
    {
        let _ = write!(out, "; cost {cost:.3}");
        if let Some(gap) = answer.found.gap.filter(|_| !answer.found.certified_optimal) {
            // Rounded up, as it is a promise.
            let percent = (gap * 1e4).ceil() / 100.0;
            let _ = write!(out, ", at most {percent} % above the cheapest");
        }
    }
    if !answer.rooms.is_empty() {
        let rooms: Vec<String> = answer.rooms.iter().map(RoomAnswer::text).collect();
        let _ = write!(out, "; through {}", rooms.join(", "));
    }
    if answer.goals.len() > 1 {
        let _ = write!(out, "; goal {}", show(answer.goals[answer.goal].to));
    }
    if let Some(finished) = &answer.finished {
        let _ = write!(
            out,
            "; finished: {:.3} long, {} points, {} places left sharp",
            finished.length_xz,
            finished.points.len(),
            finished.kept
        );
    }
    out.push('\n');
    let finished = answer.finished.as_ref().map(|f| &f.points);
    for &point in finished.unwrap_or(&answer.found.points) {
        let _ = writeln!(out, "  {}", show(point));
    }
    out
}
