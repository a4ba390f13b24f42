//! `navbake query reachable`: is there a way at all? Two locations and a look into what the baker found out; a search where that does not say,
//! as with something closed.

use navbake_search::{Location, PathRequest, SearchBuffer, Status};
use serde::Serialize;

use super::{ABOVE_OR_BELOW, Ground, judge};
use crate::blob_file;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::query_args::PathQuestion;

#[derive(Debug, Serialize)]
struct Answer {
    /// `reached` when one goal can be, else `unreachable` or `off_mesh`.
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
pub(crate) fn run(question: &PathQuestion, output: Output) -> Result<Exit, Failure> {
    question.refuse_headings()?;
    let bytes = blob_file::load(&question.asked.blob)?;
    let ground = Ground::open(&bytes, &question.asked, ABOVE_OR_BELOW)?;
    let start = ground.locate(question.from.place);
    let mut buffer = None;
    let goals: Vec<Goal> = question
        .to
        .iter()
        .map(|aim| {
            let to = aim.place;
            let goal = ground.locate(to);
            Goal {
                to: to.0,
                status: match (&start, &goal) {
                    (Some(start), Some(goal)) if leads(&ground, start, goal, &mut buffer) => {
                        "reached"
                    }
                    (Some(_), Some(_)) => "unreachable",
                    _ => "off_mesh",
                },
                island: goal.map(|l| ground.mesh().island(l.polygon()).0),
            }
        })
        .collect();
    let status = ["reached", "unreachable"]
        .into_iter()
        .find(|wanted| goals.iter().any(|goal| goal.status == *wanted))
        .unwrap_or("off_mesh");
    let answer = Answer {
        status,
        island: start.map(|l| ground.mesh().island(l.polygon()).0),
        goals,
    };
    output.result(&answer, |answer| format!("{}\n", answer.status))?;
    Ok(judge(question.expect, answer.status))
}

/// Is there a way? The buffer is made when a search is needed.
fn leads(
    ground: &Ground<'_>,
    from: &Location,
    to: &Location,
    buffer: &mut Option<SearchBuffer>,
) -> bool {
    let query = ground.query();
    if let Some(known) = query.connected(from, to) {
        return known;
    }
    // Any search that gives up nowhere knows.
    let buffer = buffer.get_or_insert_with(|| SearchBuffer::new(ground.mesh()));
    let request = PathRequest::new(from.position(), to.position());
    query.path_between(from, to, &request, buffer).status == Status::Reached
}
