//! `navbake query distance`: the distance to the nearest wall.

use clap::Args;
use navbake_search::Scratch;
use serde::Serialize;

use super::ground::{ABOVE_OR_BELOW, Common, Ground};
use crate::args::distance;
use crate::blob_file::BlobFile;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::place::{PointOrMarker, show};

/// Options of `query distance`.
#[derive(Debug, Args)]
pub(crate) struct DistanceQuestion {
    #[command(flatten)]
    common: Common,
    /// The point, or a marker
    #[arg(long, value_name = "x,y,z", visible_alias = "from", allow_hyphen_values = true)]
    at: PointOrMarker,
    /// Largest distance to look for
    #[arg(long, value_name = "M", default_value_t = 1000.0, value_parser = distance)]
    within: f64,
}

#[derive(Debug, Serialize)]
struct Answer {
    /// `wall`, `clear` (no wall within the distance) or `off_mesh`.
    status: &'static str,
    /// To the wall, or the largest distance looked for, in the ground plane.
    distance: Option<f64>,
    /// The nearest point of the wall, on the surface.
    point: Option<[f64; 3]>,
    /// From the wall into the ground, a unit vector.
    normal: Option<[f64; 3]>,
    /// The polygon of the wall.
    polygon: Option<u32>,
    /// The edge of the wall, counted over all polygons.
    edge: Option<u32>,
}

/// Runs it.
pub(crate) fn run(question: &DistanceQuestion, output: Output) -> Result<Exit, Failure> {
    let file = BlobFile::whole(&question.common.blob)?;
    let ground = Ground::open(&file, &question.common, ABOVE_OR_BELOW)?;
    let at = ground.place(&question.at)?;
    let mut scratch = Scratch::new();
    let most = ground.metres(question.within);
    let found =
        (ground.locate(at)).map(|place| ground.query().wall_distance(&place, most, &mut scratch));
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
        _ => format!("off_mesh: {}\n", ground.missing("point", at)),
    })?;
    Ok(Exit::Done)
}
