//! `navbake query raycast`: a straight walk up to the first wall.

use clap::Args;
use navbake_search::PolyId;
use serde::Serialize;

use super::ground::{ABOVE_OR_BELOW, Common, Ground};
use crate::blob_file::BlobFile;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::place::{PointOrMarker, show};

/// Options of `query raycast`.
#[derive(Debug, Args)]
pub(crate) struct RaycastQuestion {
    #[command(flatten)]
    common: Common,
    /// Start, or a marker
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    from: PointOrMarker,
    /// End, or a marker
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    to: PointOrMarker,
}

#[derive(Debug, Serialize)]
struct Answer {
    /// `clear`, `hit` or `off_mesh` (of the start).
    status: &'static str,
    /// The end of the ray, on the surface.
    point: Option<[f64; 3]>,
    /// The share of the ray before the wall, 0 to 1.
    fraction: Option<f64>,
    /// Its length in the ground plane.
    distance: Option<f64>,
    /// From the wall into the ground, a unit vector.
    normal: Option<[f64; 3]>,
    /// The polygon of its end.
    polygon: Option<u32>,
    /// Number of portals crossed.
    crossed: Option<u32>,
    /// The polygons entered, in order.
    entered: Vec<u32>,
}

/// Runs it.
pub(crate) fn run(question: &RaycastQuestion, output: Output) -> Result<Exit, Failure> {
    let file = BlobFile::whole(&question.common.blob)?;
    let ground = Ground::open(&file, &question.common, ABOVE_OR_BELOW)?;
    let from = ground.place(&question.from)?;
    let to = ground.place(&question.to)?;
    let start = ground.locate(from);
    let mut entered = vec![];
    let hit = start.map(|start| {
        let to = ground.inward(to);
        let crossed = ground.query().raycast(&start, to).crossed;
        entered.resize(crossed as usize, PolyId(0));
        let hit = ground.query().raycast_through(&start, to, &mut entered);
        let distance =
            (hit.point[0] - start.position()[0]).hypot(hit.point[2] - start.position()[2]);
        (hit, ground.length(distance))
    });
    let answer = Answer {
        status: match &hit {
            None => "off_mesh",
            Some((hit, _)) if hit.wall.is_some() => "hit",
            Some(_) => "clear",
        },
        point: hit.map(|(hit, _)| ground.outward(hit.point)),
        fraction: hit.map(|(hit, _)| hit.fraction),
        distance: hit.map(|(_, distance)| distance),
        normal: hit
            .and_then(|(hit, _)| hit.wall)
            .map(|wall| ground.direction([wall.normal[0], 0.0, wall.normal[1]])),
        polygon: hit.map(|(hit, _)| hit.polygon.0),
        crossed: hit.map(|(hit, _)| hit.crossed),
        entered: entered.iter().map(|p| p.0).collect(),
    };
    output.result(&answer, |answer| match (answer.point, answer.distance) {
        (Some(point), Some(distance)) => {
            format!("{}: {distance:.3} to {}\n", answer.status, show(point))
        }
        _ => format!("off_mesh: {}\n", ground.missing("start", from)),
    })?;
    Ok(Exit::Done)
}
