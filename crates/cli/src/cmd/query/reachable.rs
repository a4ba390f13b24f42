//! `navbake query reachable`: is there a way at all? Two locations and a compare of their islands.

use serde::Serialize;

use super::{ABOVE_OR_BELOW, Ground, judge};
use crate::args::PathQuestion;
use crate::blob_file;
use crate::failure::{Exit, Failure};
use crate::output::Output;

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
    let bytes = blob_file::load(&question.asked.blob)?;
    let ground = Ground::open(&bytes, &question.asked, ABOVE_OR_BELOW)?;
    let start = ground.locate(question.from);
    let goals: Vec<Goal> = question
        .to
        .iter()
        .map(|&to| {
            let goal = ground.locate(to);
            Goal {
                to: to.0,
                status: match (&start, &goal) {
                    (Some(start), Some(goal)) if ground.query().reachable(start, goal) => "reached",
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
