//! `navbake config`: a config to start from.

use crate::args::Config;
use crate::failure::{Exit, Failure};
use crate::output::print;

/// Runs it.
pub(crate) fn run(_: &Config) -> Result<Exit, Failure> {
    print(navbake_bake::Config::template().as_bytes())?;
    Ok(Exit::Done)
}
