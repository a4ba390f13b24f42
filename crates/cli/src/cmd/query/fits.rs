//! `navbake query fits`: the agents that fit at a point, and the clearance there.

use clap::Args;
use navbake_search::{NavQuery, QueryFilter, Scratch};
use serde::Serialize;

use super::ground::{ABOVE_OR_BELOW, Common, Ground};
use crate::args::distance;
use crate::blob_file::{AgentMesh, BlobFile};
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::place::PointOrMarker;

/// Options of `query fits`.
#[derive(Debug, Args)]
pub(crate) struct FitsQuestion {
    #[command(flatten)]
    common: Common,
    /// The point, or a marker
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    at: PointOrMarker,
    /// Test this radius instead of the agent's own
    #[arg(long, value_name = "M", value_parser = distance)]
    radius: Option<f64>,
    /// Largest distance to look for walls
    #[arg(long, value_name = "M", default_value_t = 10.0, value_parser = distance)]
    within: f64,
}

#[derive(Debug, Serialize)]
struct Answer {
    /// `fits` if an agent fits, else `none`.
    status: &'static str,
    agents: Vec<Fit>,
}

#[derive(Debug, Serialize)]
struct Fit {
    agent: String,
    /// Whether it fits, with the radius of `--radius` if given.
    fits: bool,
    /// The largest radius that fits, up to the distance looked for; null where there is no ground.
    clearance: Option<f64>,
    /// Whether a wall limits the clearance.
    wall: bool,
}

/// Runs it.
pub(crate) fn run(question: &FitsQuestion, output: Output) -> Result<Exit, Failure> {
    let file = BlobFile::whole(&question.common.blob)?;
    let ground = Ground::open(&file, &question.common, ABOVE_OR_BELOW)?;
    let at = ground.place(&question.at)?;
    let blob = &ground.blob;
    let wanted = question.radius.map(|radius| ground.metres(radius));
    // As far as a radius to test needs.
    let most = ground.metres(question.within).max(wanted.unwrap_or(0.0));
    let mut agents = vec![];
    let task = question.common.task.as_deref().unwrap_or("");
    let at = ground.inward(at);
    let mut scratch = Scratch::new();
    for (number, agent) in (0u16..).zip(blob.agents()) {
        let only = question.common.agent.as_ref();
        if only.is_some_and(|only| only != agent.name) {
            continue;
        }
        let own = AgentMesh::of(blob, Some(agent.name), &file.name)?;
        let mesh = own.mesh();
        // Impassable terrain and closed polygons are not ground.
        let mut filter = QueryFilter::new();
        if let Some(row) = blob.weights_for(task, number) {
            filter.set_weights(&row);
        }
        let impassable = filter.forbidden();
        question.common.closed.block(&mut filter, blob, &mesh, impassable, &file.name)?;
        let query = NavQuery::new(mesh).with_filter(&filter);
        let place = query.end(at, ground.extents);
        let place = place.filter(|place| !filter.is_blocked(place.polygon()));
        let room = place.map(|place| query.wall_distance(&place, most, &mut scratch));
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
                    format!("{}: {fits}; clearance {room:.3}\n", fit.agent)
                }
                Some(room) => format!("{}: {fits}; clearance at least {room:.3}\n", fit.agent),
            }
        };
        answer.agents.iter().map(line).collect()
    })?;
    Ok(Exit::Done)
}
