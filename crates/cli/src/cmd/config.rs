//! `navbake config`: a config to start from.

use clap::Args;
use serde::Serialize;

use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Options of `config`.
#[derive(Debug, Args)]
pub(crate) struct Config {
    /// Print every key with its default, unit and meaning; this is the default
    #[arg(long)]
    pub(crate) template: bool,
}

#[derive(Debug, Serialize)]
struct Template {
    /// TOML.
    template: String,
}

/// Runs it.
pub(crate) fn run(_: &Config, output: Output) -> Result<Exit, Failure> {
    let template = Template { template: navbake_bake::Config::template() };
    output.result(&template, |template| template.template.clone())?;
    Ok(Exit::Done)
}
