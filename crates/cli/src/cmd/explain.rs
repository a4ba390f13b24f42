//! `navbake explain`: why a place is or is not walkable.

use navbake_bake::{BakeInput, Config, Options};
use navbake_format::Blob;
use navbake_report::explain::{Answer, BlobAnswer, Explainer, explain_map, of_blob};
use serde::Serialize;

use crate::args::BlobPath;
use crate::blob_file;
use crate::cmd::bake;
use crate::cmd::check::is_blob;
use crate::failure::{Exit, Failure};
use crate::look_args::Explain;
use crate::output::Output;
use crate::place::{Axes, Coords, UpAxis, show};

/// The JSON object of a place.
#[derive(Debug, Serialize)]
struct Told<A: Serialize> {
    /// y-up metres.
    at: [f64; 3],
    agents: Vec<A>,
}

/// Runs it. A place that is not walkable is an answer, not a fault: the exit code is 0.
pub(crate) fn run(options: &Explain, output: Output) -> Result<Exit, Failure> {
    if is_blob(&options.input)? {
        of_a_blob(options, output)
    } else {
        of_a_level(options, output)
    }
}

fn of_a_blob(options: &Explain, output: Output) -> Result<Exit, Failure> {
    if options.config.is_some() || options.settings.is_told() {
        return Err(Failure::usage(format_args!(
            "{}: it is baked already, and settings of the bake say nothing about it; leave them out, or name the level itself",
            options.input.display()
        )));
    }
    let path = BlobPath {
        path: options.input.clone(),
        mmap: false,
    };
    let name = blob_file::name(&path);
    let bytes = blob_file::load(&path)?;
    let blob = blob_file::checked(&bytes, &name)?;
    if let Some(agent) = &options.agent {
        blob_file::mesh_of(&blob, Some(agent), &name)?;
    }
    let axes = blob_file::axes(&blob, options.coords);
    for place in &options.at {
        let at = axes.inward(place.0);
        let mut agents = of_blob(&blob, at);
        agents.retain(|a| is_asked(options, &a.agent));
        output.result(&Told { at, agents }, |told| text(told, BlobAnswer::text))?;
    }
    Ok(Exit::Done)
}

fn of_a_level(options: &Explain, output: Output) -> Result<Exit, Failure> {
    let mut config = match &options.config {
        Some(path) => Config::load(path).map_err(bake::failed)?,
        None => Config::default(),
    };
    bake::lay_over(&mut config, &options.settings)?;
    let name = options.input.display();
    output.detail(format_args!("{name}: reading"));
    let job = BakeInput::open(&options.input, &config).map_err(bake::failed)?;
    let names: Vec<String> = (job.config().agent_list().into_iter())
        .map(|a| a.name)
        .collect();
    if let Some(agent) = &options.agent
        && !names.contains(agent)
    {
        return Err(Failure::usage(format_args!(
            "{name}: there is no agent `{agent}` in the config; its agents are: {}",
            names.join(", ")
        )));
    }
    let axes = match options.coords {
        Coords::Metres => Axes::METRES,
        Coords::Input => Axes {
            up: match job.config().up {
                navbake_bake::config::Up::Y => UpAxis::Y,
                navbake_bake::config::Up::Z => UpAxis::Z,
            },
            scale: job.config().scale,
        },
    };
    let explainer = Explainer::new(&job);
    // Only a bake knows which islands seeds reach.
    let baked = match explainer.as_ref().filter(|e| e.needs_mesh()) {
        Some(_) => {
            output.detail(format_args!("{name}: baking, to see what the seeds reach"));
            Some(job.bake(&Options::default()).map_err(bake::failed)?)
        }
        None => None,
    };
    let blob = match &baked {
        Some(baked) => Some(Blob::open_checked(&baked.bytes).map_err(Failure::internal)?),
        None => None,
    };
    for place in &options.at {
        let at = axes.inward(place.0);
        let answers: Option<Vec<Answer>> = match &explainer {
            None => explain_map(&job, at),
            Some(explainer) => (names.iter().enumerate())
                .map(|(k, name)| {
                    let mesh = blob.as_ref().and_then(|b| b.mesh_for(name));
                    explainer.explain(at, k, mesh)
                })
                .collect(),
        };
        let mut agents = answers.unwrap_or_default();
        agents.retain(|a| is_asked(options, &a.agent));
        output.result(&Told { at, agents }, |told| text(told, Answer::text))?;
    }
    Ok(Exit::Done)
}

fn is_asked(options: &Explain, agent: &str) -> bool {
    options.agent.as_ref().is_none_or(|a| a == agent)
}

fn text<A: Serialize>(told: &Told<A>, of: impl Fn(&A) -> String) -> String {
    let agents: String = told.agents.iter().map(of).collect();
    format!("{}\n{agents}", show(told.at))
}
