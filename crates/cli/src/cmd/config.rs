//! `navbake config`: a config to start from.

use serde::Serialize;

use crate::args::Config;
use crate::failure::{Exit, Failure};
use crate::output::Output;

#[derive(Debug, Serialize)]
struct Template {
    /// TOML.
    template: String,
}

/// Runs it.
pub(crate) fn run(_: &Config, output: Output) -> Result<Exit, Failure> {
    let template = Template {
        template: navbake_bake::Config::template(),
    };
    output.result(&template, |template| template.template.clone())?;
    Ok(Exit::Done)
}
