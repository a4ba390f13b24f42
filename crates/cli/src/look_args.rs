//! The options of the verbs that look at a level or compare bakes: `explain` and `diff`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{FailOn, Settings};
use crate::place::{Coords, Place};

/// Options of `explain`.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// A level, which says why; or a baked blob, which says only what is there (- reads it from stdin)
    #[arg(value_name = "LEVEL|BLOB")]
    pub(crate) input: PathBuf,
    /// The place; may be given several times
    #[arg(
        long,
        value_name = "X,Y,Z",
        required = true,
        allow_hyphen_values = true
    )]
    pub(crate) at: Vec<Place>,
    /// Only for this agent [default: for each]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Settings of the bake; options given here win over it
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// The coordinates of --at
    #[arg(long, value_enum, default_value_t)]
    pub(crate) coords: Coords,
}

/// Options of `diff`.
#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The blob from before; - reads it from stdin
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The blob from after
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    /// End with exit code 1 when something at least as bad changed
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t)]
    pub(crate) fail_on: FailOn,
    /// Write a picture: ground gained in green, lost in red
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) svg: Option<PathBuf>,
    /// Whose ground is drawn [default: the first agent that both have]
    #[arg(long, value_name = "NAME", requires = "svg")]
    pub(crate) agent: Option<String>,
    /// Patches of ground smaller than this are not told, m2
    #[arg(long, value_name = "M2", default_value_t = 0.25, value_parser = crate::args::finite)]
    pub(crate) least_area: f64,
}
