//! `navbake query nearest`: the place on the navmesh nearest to a point.

use serde::Serialize;

use super::{AROUND, Ground, RoomAnswer};
use crate::blob_file;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::place::show;
use crate::query_args::PointQuestion;

#[derive(Debug, Serialize)]
struct Answer {
    /// `found` or `off_mesh`.
    status: &'static str,
    /// The place on the surface.
    point: Option<[f64; 3]>,
    /// From the point that was given, in space.
    distance: Option<f64>,
    polygon: Option<u32>,
    island: Option<u32>,
    /// Null where the file has no rooms.
    room: Option<RoomAnswer>,
}

/// Runs it.
pub(crate) fn run(question: &PointQuestion, output: Output) -> Result<Exit, Failure> {
    let bytes = blob_file::load(&question.asked.blob)?;
    let ground = Ground::open(&bytes, &question.asked, AROUND)?;
    let found = ground.locate(question.at);
    let answer = Answer {
        status: if found.is_some() { "found" } else { "off_mesh" },
        point: found.map(|l| ground.outward(l.position())),
        distance: found.map(|l| {
            let from = ground.outward(ground.inward(question.at));
            let to = ground.outward(l.position());
            (0..3)
                .map(|k| (to[k] - from[k]).powi(2))
                .sum::<f64>()
                .sqrt()
        }),
        polygon: found.map(|l| l.polygon().0),
        island: found.map(|l| ground.mesh().island(l.polygon()).0),
        room: found.and_then(|l| ground.room(l.polygon())),
    };
    output.result(&answer, |answer| match (answer.point, answer.distance) {
        (Some(point), Some(distance)) => format!(
            "{}: {distance:.3} away, polygon {}, island {}{}\n",
            show(point),
            answer.polygon.unwrap_or_default(),
            answer.island.unwrap_or_default(),
            (answer.room.as_ref()).map_or(String::new(), |room| format!(", {}", room.text()))
        ),
        _ => "off_mesh: no ground near the point\n".into(),
    })?;
    Ok(Exit::Done)
}
