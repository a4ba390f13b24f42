//! Options of `query`, a struct a question.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::args::{BlobPath, finite};
use crate::closed::Closed;
use crate::cmd::query::Finish;
use crate::failure::Failure;
use crate::grid_options::GridOptions;
use crate::place::{Aim, Coords, Place};
use crate::search_args::{Planner, SearchOptions};

/// Options of `query`.
#[derive(Debug, Args)]
pub(crate) struct Query {
    #[command(subcommand)]
    pub(crate) question: Question,
}

/// What can be asked.
#[derive(Debug, Subcommand)]
pub(crate) enum Question {
    /// A path from one place to another, or to the cheapest of several
    Path(PathOptions),
    /// The place on the navmesh nearest to a point
    Nearest(PointQuestion),
    /// How far one can walk straight ahead
    Raycast(RayQuestion),
    /// Is there a way at all? Looked up in the blob; by a search only where it cannot say, as with something closed
    Reachable(PathQuestion),
    /// Where a point comes to that is pushed, sliding along walls
    Move(MoveQuestion),
    /// How far the nearest wall is
    Distance(DistanceQuestion),
    /// Which agents, all or the one that is named, can stand at a point, and how much room there is
    Fits(FitsQuestion),
    /// Random places, even by area
    Random(RandomQuestion),
}

/// Blob, agent and coordinates of a question.
#[derive(Debug, Args)]
pub(crate) struct Asked {
    #[command(flatten)]
    pub(crate) blob: BlobPath,
    /// Which of the blob's agents asks [default: the first]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The coordinates that are given and printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) coords: Coords,
    /// How far along each axis the ground may be from a given point [default: 2 m up and down; nearest: 2 m all around]
    #[arg(long, value_name = "x,y,z", value_parser = extents, allow_hyphen_values = true)]
    pub(crate) extents: Option<Place>,
    #[command(flatten)]
    pub(crate) closed: Closed,
    /// Whose weights count: the rows of the config's `weights.tasks` of this name [default: those of `weights.units`]
    #[arg(long, value_name = "NAME")]
    pub(crate) task: Option<String>,
}

/// Options of `query path`.
#[derive(Debug, Args)]
pub(crate) struct PathOptions {
    #[command(flatten)]
    pub(crate) question: PathQuestion,
    /// How to search
    #[arg(long, value_enum, default_value_t)]
    pub(crate) planner: Planner,
    #[command(flatten)]
    pub(crate) search: SearchOptions,
    /// Where there is no way to the goal, go as near as possible
    #[arg(long)]
    pub(crate) partial: bool,
    /// Draw the search: what it looked at in which order, and its path, a storey a sheet
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) grid: GridOptions,
    /// With the planner turning: leave the path as the lattice has it
    #[arg(long)]
    pub(crate) unsmoothed: bool,
    /// Smooth the path, or round its corners by arcs, where the mesh has room for it
    #[arg(long, value_name = "spline|round=RADIUS")]
    pub(crate) finish: Option<Finish>,
}

/// What `query path` and `query reachable` are asked.
#[derive(Debug, Args)]
pub(crate) struct PathQuestion {
    #[command(flatten)]
    pub(crate) asked: Asked,
    /// Start, for turning units with the heading there
    #[arg(long, value_name = "x,y,z[@deg]", allow_hyphen_values = true)]
    pub(crate) from: Aim,
    /// Goal, for turning units perhaps with a heading; several may be given
    #[arg(
        long,
        value_name = "x,y,z[@deg]",
        required = true,
        allow_hyphen_values = true
    )]
    pub(crate) to: Vec<Aim>,
    /// Exit with 1 when the answer is another
    #[arg(long, value_enum)]
    pub(crate) expect: Option<Expect>,
}

impl PathQuestion {
    /// Refuses headings, which are for the planner turning alone.
    ///
    /// # Errors
    /// When one is given.
    pub(crate) fn refuse_headings(&self) -> Result<(), Failure> {
        let mut aims = self.to.iter().chain([&self.from]);
        if aims.any(|aim| aim.heading.is_some()) {
            return Err(Failure::usage(
                "headings (@degrees) are for `query path --planner turning`; leave them out",
            ));
        }
        Ok(())
    }
}

/// Options of `query nearest`.
#[derive(Debug, Args)]
pub(crate) struct PointQuestion {
    #[command(flatten)]
    pub(crate) asked: Asked,
    /// The point
    #[arg(
        long,
        value_name = "x,y,z",
        visible_alias = "from",
        allow_hyphen_values = true
    )]
    pub(crate) at: Place,
}

/// Options of `query raycast`.
#[derive(Debug, Args)]
pub(crate) struct RayQuestion {
    #[command(flatten)]
    pub(crate) asked: Asked,
    /// Start
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    pub(crate) from: Place,
    /// End
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    pub(crate) to: Place,
}

/// Options of `query move`.
#[derive(Debug, Args)]
pub(crate) struct MoveQuestion {
    #[command(flatten)]
    pub(crate) asked: Asked,
    /// Start
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    pub(crate) from: Place,
    /// Where the motion would end on open ground
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    pub(crate) to: Place,
    /// How much of the rest of the motion a contact with a wall leaves over
    #[arg(long, value_name = "SHARE", default_value_t = 0.9, value_parser = share)]
    pub(crate) kept: f64,
}

/// Options of `query distance`.
#[derive(Debug, Args)]
pub(crate) struct DistanceQuestion {
    #[command(flatten)]
    pub(crate) asked: Asked,
    /// The place
    #[arg(
        long,
        value_name = "x,y,z",
        visible_alias = "from",
        allow_hyphen_values = true
    )]
    pub(crate) at: Place,
    /// How far to look
    #[arg(long, value_name = "M", default_value_t = 1000.0, value_parser = length)]
    pub(crate) within: f64,
}

/// Options of `query fits`.
#[derive(Debug, Args)]
pub(crate) struct FitsQuestion {
    #[command(flatten)]
    pub(crate) asked: Asked,
    /// The place
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    pub(crate) at: Place,
    /// Would it fit if its radius were that? [default: its own]
    #[arg(long, value_name = "M", value_parser = length)]
    pub(crate) radius: Option<f64>,
    /// How far to look for walls
    #[arg(long, value_name = "M", default_value_t = 10.0, value_parser = length)]
    pub(crate) within: f64,
}

/// Options of `query random`.
#[derive(Debug, Args)]
pub(crate) struct RandomQuestion {
    #[command(flatten)]
    pub(crate) asked: Asked,
    /// How many places
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) count: u32,
    /// Which places
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Only on this island
    #[arg(long, value_name = "ID", conflicts_with = "near")]
    pub(crate) island: Option<u32>,
    /// Only places that can be walked to from here
    #[arg(
        long,
        value_name = "x,y,z",
        requires = "within",
        allow_hyphen_values = true
    )]
    pub(crate) near: Option<Place>,
    /// The longest walk from there
    #[arg(long, value_name = "M", requires = "near", value_parser = length)]
    pub(crate) within: Option<f64>,
}

/// The answer that a script counts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Expect {
    /// There is a way
    Reached,
    /// There is none
    Unreachable,
}

fn extents(text: &str) -> Result<Place, String> {
    let place: Place = text.parse()?;
    if place.0.iter().any(|c| *c < 0.0) {
        return Err("a distance cannot be negative".into());
    }
    Ok(place)
}

fn length(text: &str) -> Result<f64, String> {
    match finite(text)? {
        value if value < 0.0 => Err("a distance cannot be negative".into()),
        value => Ok(value),
    }
}

fn share(text: &str) -> Result<f64, String> {
    match finite(text)? {
        value if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("a share lies between 0 and 1".into()),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Arguments, Verb};

    #[test]
    fn coordinates_may_be_negative() {
        let line = "navbake query path a.nav --from -1,-2,-3 --to -4,5,6 --to 7,8,9";
        let arguments = Arguments::try_parse_from(line.split(' ')).unwrap();
        let Verb::Query(Query {
            question: Question::Path(PathOptions { question: path, .. }),
        }) = arguments.verb
        else {
            panic!("not a path")
        };
        assert_eq!(path.from.place, Place([-1.0, -2.0, -3.0]));
        assert_eq!(path.to.len(), 2);
    }
}
