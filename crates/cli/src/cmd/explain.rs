//! `navbake explain`: why a point is or is not walkable.

use std::path::PathBuf;

use clap::Args;
use navbake_bake::{BakeInput, Options};
use navbake_draw::Axes;
use navbake_format::Blob;
use navbake_report::Meshes;
use navbake_report::explain::{Answer, BlobAnswer, Explainer, explain_map, of_blob};
use serde::Serialize;

use super::bake;
use super::check::is_blob;
use crate::args::{BlobPath, Limits, Settings};
use crate::blob_file::{self, AgentMesh, BlobFile};
use crate::failure::{Exit, Failure, failed};
use crate::output::Output;
use crate::place::{Coords, PointOrMarker, show};

/// Options of `explain`.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// Level, to explain why; or baked blob (- reads stdin), to say only what is there
    #[arg(value_name = "LEVEL|BLOB")]
    pub(crate) input: PathBuf,
    /// The point, or a marker; can be repeated
    #[arg(long, value_name = "X,Y,Z", required = true, allow_hyphen_values = true)]
    pub(crate) at: Vec<PointOrMarker>,
    /// Only for this agent [default: for each]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Config of the bake; other options override it
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Coordinates of --at
    #[arg(long, value_enum, default_value_t)]
    pub(crate) coords: Coords,
}

/// The JSON object of a point.
#[derive(Debug, Serialize)]
struct Explanation<A: Serialize> {
    /// y-up metres.
    at: [f64; 3],
    agents: Vec<A>,
}

/// Runs it. The exit code is 0 for a point that is not walkable, too.
pub(crate) fn run(options: &Explain, output: Output) -> Result<Exit, Failure> {
    if is_blob(&options.input)? {
        explain_blob(options, output)
    } else {
        explain_level(options, output)
    }
}

fn explain_blob(options: &Explain, output: Output) -> Result<Exit, Failure> {
    if options.config.is_some() || options.settings.any() {
        return Err(Failure::usage(format_args!(
            "{}: settings of the bake do not apply to a blob, which is baked already; name the level instead",
            options.input.display()
        )));
    }
    let file = BlobFile::whole(&BlobPath::read(&options.input))?;
    let blob = file.checked()?;
    if let Some(agent) = &options.agent {
        AgentMesh::of(&blob, Some(agent), &file.name)?;
    }
    let meshes = Meshes::of(&blob);
    let axes = blob_file::axes(&blob, options.coords);
    for spot in &options.at {
        let place = blob_file::place(spot, &blob, axes, &file.name)?;
        let at = axes.inward(place.0);
        let mut agents = of_blob(&blob, &meshes, at);
        agents.retain(|a| wants(options, &a.agent));
        output.result(&Explanation { at, agents }, |e| text(e, BlobAnswer::text))?;
    }
    Ok(Exit::Done)
}

fn explain_level(options: &Explain, output: Output) -> Result<Exit, Failure> {
    let mut config = bake::config_file(options.config.as_deref())?;
    options.limits.apply(&mut config);
    options.settings.refuse_ignored(core::slice::from_ref(&options.input))?;
    bake::override_config(&mut config, &options.settings)?;
    let name = options.input.display();
    output.detail(format_args!("{name}: reading"));
    let job = BakeInput::open(&options.input, &config).map_err(failed)?;
    let names: Vec<String> = (job.config().agent_list().into_iter()).map(|a| a.name).collect();
    if let Some(agent) = &options.agent
        && !names.contains(agent)
    {
        return Err(Failure::usage(format_args!(
            "{name}: no agent `{agent}` in the config; its agents: {}",
            names.join(", ")
        )));
    }
    let axes = match options.coords {
        Coords::Metres => Axes::METRES,
        Coords::Input => Axes { up: job.config().up.into(), scale: job.config().scale },
    };
    let explainer = Explainer::new(&job);
    // Only a bake knows the islands that seeds reach.
    let baked = match explainer.as_ref().filter(|e| e.needs_mesh()) {
        Some(_) => {
            output.detail(format_args!("{name}: baking, to find what the seeds reach"));
            Some(job.bake(&Options::default()).map_err(failed)?)
        }
        None => None,
    };
    let blob = match &baked {
        Some(baked) => Some(Blob::open_checked(&baked.bytes).map_err(Failure::internal)?),
        None => None,
    };
    let meshes = blob.as_ref().map(Meshes::of);
    let markers = job.level().markers.iter();
    let markers = markers.map(|m| (m.name.as_str(), axes.outward(m.position)));
    for spot in &options.at {
        let at = axes.inward(spot.resolve(markers.clone(), &name.to_string())?.0);
        let answers: Option<Vec<Answer>> = match &explainer {
            None => explain_map(&job, at),
            Some(explainer) => (names.iter().enumerate())
                .map(|(k, name)| {
                    let baked = blob.as_ref().zip(meshes.as_ref());
                    let mesh = baked.and_then(|(b, all)| all.get(b.agent(name)?.class));
                    explainer.explain(at, k, mesh)
                })
                .collect(),
        };
        let mut agents = answers.unwrap_or_default();
        agents.retain(|a| wants(options, &a.agent));
        output.result(&Explanation { at, agents }, |e| text(e, Answer::text))?;
    }
    Ok(Exit::Done)
}

fn wants(options: &Explain, agent: &str) -> bool {
    options.agent.as_ref().is_none_or(|a| a == agent)
}

fn text<A: Serialize>(e: &Explanation<A>, of_agent: impl Fn(&A) -> String) -> String {
    let agents: String = e.agents.iter().map(of_agent).collect();
    format!("{}\n{agents}", show(e.at))
}
