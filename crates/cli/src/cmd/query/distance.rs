//! `navbake query distance`: how far the nearest wall is.

use navbake_search::FloodBuffer;
use serde::Serialize;

use super::{ABOVE_OR_BELOW, Ground};
use crate::blob_file;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::place::show;
use crate::query_args::DistanceQuestion;

#[derive(Debug, Serialize)]
struct Answer {
    /// `wall`, `clear` (there is none so near) or `off_mesh`.
    status: &'static str,
    /// To the wall, or as far as was looked, in the ground plane.
    distance: Option<f64>,
    /// The wall's nearest point, on the surface.
    point: Option<[f64; 3]>,
    /// From the wall into the ground, a unit vector.
    normal: Option<[f64; 3]>,
    /// The polygon that the wall belongs to.
    polygon: Option<u32>,
    /// The wall: an edge counted over all polygons.
    edge: Option<u32>,
}

/// Runs it.
pub(crate) fn run(question: &DistanceQuestion, output: Output) -> Result<Exit, Failure> {
    let bytes = blob_file::load(&question.asked.blob)?;
    let ground = Ground::open(&bytes, &question.asked, ABOVE_OR_BELOW)?;
    let mut buffer = FloodBuffer::new(ground.mesh());
    let most = ground.metres(question.within);
    let found = (ground.locate(question.at))
        .map(|place| ground.query().wall_distance(&place, most, &mut buffer));
    let nearest = found.and_then(|found| found.nearest);
    let answer = Answer {
        status: match (found, nearest) {
            (None, _) => "off_mesh",
            (Some(_), None) => "clear",
            (Some(_), Some(_)) => "wall",
        },
        distance: found.map(|found| ground.length(found.distance)),
        point: nearest.map(|n| ground.outward(n.point)),
        normal: nearest.map(|n| ground.direction([n.wall.normal[0], 0.0, n.wall.normal[1]])),
        polygon: nearest.map(|n| n.polygon.0),
        edge: nearest.map(|n| n.wall.edge.0),
    };
    output.result(&answer, |answer| match (answer.distance, answer.point) {
        (Some(distance), Some(point)) => format!("wall: {distance:.3} away, at {}\n", show(point)),
        (Some(distance), None) => format!("clear: no wall within {distance:.3}\n"),
        _ => "off_mesh: no ground near the point\n".into(),
    })?;
    Ok(Exit::Done)
}
