//! `navbake query reachable`: whether goals are reachable.
//!
//! The blob answers by islands and reachability; a search does where these are not enough, as with
//! closed switches.

use clap::Args;
use navbake_search::{Location, PathRequest, SearchBuffer, Status};
use serde::Serialize;

use super::ground::{ABOVE_OR_BELOW, Common, Ends, Ground};
use crate::blob_file::BlobFile;
use crate::failure::{Exit, Failure};
use crate::output::Output;

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
    let file = BlobFile::load(&question.common.blob)?;
    let ground = Ground::open(&file, &question.common, ABOVE_OR_BELOW)?;
    let start = ground.locate(ends.from.place);
    let mut buffer = None;
    let goals: Vec<Goal> = ends
        .to
        .iter()
        .map(|aim| {
            let to = aim.place;
            let goal = ground.locate(to);
            Goal {
                to: to.0,
                status: match (&start, &goal) {
                    (Some(start), Some(goal))
                        if is_reachable(&ground, start, goal, &mut buffer) =>
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
    output.result(&answer, |answer| format!("{}\n", answer.status))?;
    Ok(ends.exit(answer.status))
}

/// Whether `to` is reachable from `from`. The buffer is made for the first search.
fn is_reachable(
    ground: &Ground<'_>,
    from: &Location,
    to: &Location,
    buffer: &mut Option<SearchBuffer>,
) -> bool {
    let query = ground.query();
    if let Some(known) = query.connected(from, to) {
        return known;
    }
    // Any complete search decides it.
    let buffer = buffer.get_or_insert_with(|| SearchBuffer::new(&ground.mesh()));
    let request = PathRequest::new(from.position(), to.position());
    query.path_between(from, to, &request, buffer).status == Status::Reached
}
