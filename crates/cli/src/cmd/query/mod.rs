//! `navbake query`: one file a question.

mod distance;
mod finish;
mod fits;
mod found;
mod gradient;
mod grid_path;
mod ground;
mod move_along;
mod nearest;
mod network_path;
mod path;
mod path_question;
mod random;
mod raycast;
mod reachable;
mod trace;
mod trail;
mod turning_path;

pub(crate) use network_path::{guided, no_landmarks};

use clap::{Args, Subcommand};

use crate::examples;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Options of `query`.
#[derive(Debug, Args)]
pub(crate) struct Query {
    #[command(subcommand)]
    pub(crate) question: Question,
}

/// The questions.
#[derive(Debug, Subcommand)]
pub(crate) enum Question {
    /// Find a path to a goal, or to the cheapest of several
    #[command(after_help = examples::of("path"))]
    Path(Box<path_question::PathQuestion>),
    /// Find the nearest point on the navmesh
    #[command(after_help = examples::of("nearest"))]
    Nearest(nearest::NearestQuestion),
    /// Walk in a straight line up to the first wall
    #[command(after_help = examples::of("raycast"))]
    Raycast(raycast::RaycastQuestion),
    /// Tell whether a goal is reachable: from the blob, by a search where that is not enough
    #[command(after_help = examples::of("reachable"))]
    Reachable(reachable::ReachableQuestion),
    /// Move a point along the surface, sliding along walls
    #[command(after_help = examples::of("move"))]
    Move(move_along::MoveQuestion),
    /// Go downhill in cost fields and towards a goal, without a search
    #[command(after_help = examples::of("gradient"))]
    Gradient(gradient::GradientQuestion),
    /// Find the distance to the nearest wall
    #[command(after_help = examples::of("distance"))]
    Distance(distance::DistanceQuestion),
    /// Find the agents that fit at a point, and the clearance there
    #[command(after_help = examples::of("fits"))]
    Fits(fits::FitsQuestion),
    /// Pick random points, uniform by area
    #[command(after_help = examples::of("random"))]
    Random(random::RandomQuestion),
}

/// Runs it.
pub(crate) fn run(query: &Query, output: Output) -> Result<Exit, Failure> {
    match &query.question {
        Question::Path(question) => path::run(question, output),
        Question::Nearest(question) => nearest::run(question, output),
        Question::Raycast(question) => raycast::run(question, output),
        Question::Reachable(question) => reachable::run(question, output),
        Question::Move(question) => move_along::run(question, output),
        Question::Gradient(question) => gradient::run(question, output),
        Question::Distance(question) => distance::run(question, output),
        Question::Fits(question) => fits::run(question, output),
        Question::Random(question) => random::run(question, output),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Arguments, Verb};
    use crate::place::{Place, PointOrMarker};

    #[test]
    fn coordinates_may_be_negative() {
        let line = "navbake query path a.nav --from -1,-2,-3 --to -4,5,6 --to 7,8,9";
        let arguments = Arguments::try_parse_from(line.split(' ')).unwrap();
        let Verb::Query(Query { question: Question::Path(path) }) = arguments.verb else {
            panic!("not a path")
        };
        assert_eq!(path.ends.from.place, PointOrMarker::At(Place([-1.0, -2.0, -3.0])));
        assert_eq!(path.ends.to.len(), 2);
    }
}
