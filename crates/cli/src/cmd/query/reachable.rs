//! `navbake query reachable`: whether goals are reachable.
//!
//! The blob answers by islands and reachability; a search does where these are not enough, as with
//! closed switches.

use clap::Args;
use navbake_search::{AStar, Algorithm, NavPoint, PathRequest, Scratch, Status};
use serde::Serialize;

use super::ground::{ABOVE_OR_BELOW, Common, Ends, Ground};
use crate::blob_file::BlobFile;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::place::{Place, show};

/// Options of `query reachable`.
#[derive(Debug, Args)]
pub(crate) struct ReachableQuestion {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    ends: Ends,
}

#[derive(Debug, Serialize)]
struct Answer {
    /// `reached` if one goal is reachable, else `unreachable` or `off_mesh`.
    status: &'static str,
    /// The island of the start.
    island: Option<u32>,
    goals: Vec<Goal>,
}

#[derive(Debug, Serialize)]
struct Goal {
    to: [f64; 3],
    status: &'static str,
    island: Option<u32>,
}

/// Runs it.
pub(crate) fn run(question: &ReachableQuestion, output: Output) -> Result<Exit, Failure> {
    let ends = &question.ends;
    ends.refuse_headings()?;
    let file = BlobFile::whole(&question.common.blob)?;
    let ground = Ground::open(&file, &question.common, ABOVE_OR_BELOW)?;
    let (from, to) = ends.places(&ground.blob, ground.axes, ground.name)?;
    let start = ground.locate(from.place);
    let mut scratch = Scratch::new();
    let goals: Vec<Goal> = to
        .iter()
        .map(|aim| {
            let to = aim.place;
            let goal = ground.locate(to);
            Goal {
                to: to.0,
                status: match (&start, &goal) {
                    (Some(start), Some(goal))
                        if is_reachable(&ground, start, goal, &mut scratch) =>
                    {
                        "reached"
                    }
                    (Some(_), Some(_)) => "unreachable",
                    _ => "off_mesh",
                },
                island: goal.map(|l| ground.island(l.polygon())),
            }
        })
        .collect();
    let status = ["reached", "unreachable"]
        .into_iter()
        .find(|wanted| goals.iter().any(|goal| goal.status == *wanted))
        .unwrap_or("off_mesh");
    let answer = Answer { status, island: start.map(|l| ground.island(l.polygon())), goals };
    output.result(&answer, |answer| {
        let missing = |end: &str, place: Place| match ground.locate(place) {
            Some(_) => String::new(),
            None => format!(": {}", ground.missing(end, place)),
        };
        let start = missing("start", from.place);
        if let [aim] = &to[..] {
            return format!("{}{start}{}\n", answer.status, missing("goal", aim.place));
        }
        let each = to.iter().zip(&answer.goals);
        let each = each.map(|(aim, goal)| {
            let why = missing("goal", aim.place);
            format!("  {}: {}{why}\n", show(aim.place.0), goal.status)
        });
        let goals: String = each.collect();
        format!("{}{start}\n{goals}", answer.status)
    })?;
    Ok(ends.exit(answer.status))
}

/// Whether `to` is reachable from `from`.
fn is_reachable(
    ground: &Ground<'_>,
    from: &NavPoint,
    to: &NavPoint,
    scratch: &mut Scratch,
) -> bool {
    let query = ground.query();
    if let Some(known) = query.connected(from, to) {
        return known;
    }
    // Any complete search decides it.
    let corridor = Algorithm::Corridor(AStar::default());
    let request = PathRequest::new(from.position(), to.position()).algorithm(corridor);
    let found = query.find_path_between(from, to, &request, scratch);
    found.is_ok_and(|path| path.status == Status::Reached)
}
