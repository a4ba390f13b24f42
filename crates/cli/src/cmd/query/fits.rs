//! `navbake query fits`: which agents can stand at a point, and how much room there is.

use navbake_search::{AreaCosts, FloodBuffer, standing};
use serde::Serialize;

use super::{ABOVE_OR_BELOW, Ground};
use crate::blob_file;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::query_args::FitsQuestion;

#[derive(Debug, Serialize)]
struct Answer {
    /// `fits` when one of the agents does, else `none`.
    status: &'static str,
    agents: Vec<Fit>,
}

#[derive(Debug, Serialize)]
struct Fit {
    agent: String,
    /// Can it stand there; with `--radius`, could it if its radius were that?
    fits: bool,
    /// The greatest radius that it could have there, as far as was looked; null where it does not stand.
    clearance: Option<f64>,
    /// Was a wall met so far away?
    wall: bool,
}

/// Runs it.
pub(crate) fn run(question: &FitsQuestion, output: Output) -> Result<Exit, Failure> {
    let bytes = blob_file::load(&question.asked.blob)?;
    let name = blob_file::name(&question.asked.blob);
    let blob = blob_file::checked(&bytes, &name)?;
    let ground = Ground::open(&bytes, &question.asked, ABOVE_OR_BELOW)?;
    let most = ground.metres(question.within);
    let wanted = question.radius.map(|radius| ground.metres(radius));
    let mut agents = vec![];
    let task = question.asked.task.as_deref().unwrap_or("");
    let stand = standing(&blob, ground.inward(question.at), ground.extents);
    for (number, (agent, place)) in (0u16..).zip(stand) {
        let only = question.asked.agent.as_ref();
        if only.is_some_and(|only| only != agent.name) {
            continue;
        }
        let mesh = blob_file::mesh_of(&blob, Some(agent.name), &name)?;
        // Nobody stands where it must not walk, or on what is closed.
        let row = blob.weights_for(task, number);
        let blocked = row.map_or(0, |row| AreaCosts::from(&row).blocked());
        let closed = question.asked.closed.on(&blob, &mesh, blocked, &name)?;
        let query = closed.query(mesh);
        let place = place.filter(|place| !query.closings().is_closed(place.polygon()));
        let room =
            place.map(|place| query.wall_distance(&place, most, &mut FloodBuffer::new(&mesh)));
        let clearance = room.map(|room| agent.radius + room.distance);
        let enough = |clearance: f64| wanted.is_none_or(|wanted| clearance >= wanted);
        agents.push(Fit {
            agent: agent.name.into(),
            fits: clearance.is_some_and(enough),
            clearance: clearance.map(|clearance| ground.length(clearance)),
            wall: room.is_some_and(|room| room.nearest.is_some()),
        });
    }
    let status = match agents.iter().any(|agent| agent.fits) {
        true => "fits",
        false => "none",
    };
    let answer = Answer { status, agents };
    output.result(&answer, |answer| {
        let line = |fit: &Fit| {
            let fits = if fit.fits { "fits" } else { "does not fit" };
            match fit.clearance {
                None => format!("{}: does not fit\n", fit.agent),
                Some(room) if fit.wall => {
                    format!("{}: {fits}; room for a radius of {room:.3}\n", fit.agent)
                }
                Some(room) => format!(
                    "{}: {fits}; room for a radius of {room:.3} at least\n",
                    fit.agent
                ),
            }
        };
        answer.agents.iter().map(line).collect()
    })?;
    Ok(Exit::Done)
}
