//! `navbake query move`: where a point comes to that is pushed, sliding along walls.

use navbake_search::{EdgeId, MoveLog, MoveRequest, PolyId};
use serde::Serialize;

use super::{ABOVE_OR_BELOW, Ground};
use crate::blob_file;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::place::show;
use crate::query_args::MoveQuestion;

#[derive(Debug, Serialize)]
struct Answer {
    /// `free` (it came where it was to), `slid` (a wall was met) or `off_mesh` (of the start).
    status: &'static str,
    /// Where it is now, on the surface.
    point: Option<[f64; 3]>,
    /// How far it went, in the ground plane.
    walked: Option<f64>,
    /// How often friction was taken off.
    contacts: Option<u32>,
    /// The polygon in which it is now.
    polygon: Option<u32>,
    /// Polygons entered, in order.
    entered: Vec<u32>,
    /// Walls met or slid along, in order: edges counted over all polygons.
    hit: Vec<u32>,
}

/// Runs it.
pub(crate) fn run(question: &MoveQuestion, output: Output) -> Result<Exit, Failure> {
    let bytes = blob_file::load(&question.asked.blob)?;
    let ground = Ground::open(&bytes, &question.asked, ABOVE_OR_BELOW)?;
    let mut answer = Answer {
        status: "off_mesh",
        point: None,
        walked: None,
        contacts: None,
        polygon: None,
        entered: vec![],
        hit: vec![],
    };
    if let Some(start) = ground.locate(question.from) {
        let request = MoveRequest::new(ground.inward(question.to)).kept(question.kept);
        let (mut entered, mut hit) = (vec![], vec![]);
        let motion = loop {
            let log = MoveLog {
                entered: &mut entered,
                hit: &mut hit,
            };
            let motion = ground.query().move_along(&start, &request, log);
            if motion.entered <= entered.len() && motion.hit <= hit.len() {
                break motion;
            }
            entered.resize(motion.entered, PolyId(0));
            hit.resize(motion.hit, EdgeId(0));
        };
        answer = Answer {
            status: if motion.hit == 0 { "free" } else { "slid" },
            point: (ground.query().place(motion.end)).map(|end| ground.outward(end.position())),
            walked: Some(ground.length(motion.walked)),
            contacts: Some(motion.contacts),
            polygon: Some(motion.end.polygon().0),
            entered: entered.iter().take(motion.entered).map(|p| p.0).collect(),
            hit: hit.iter().take(motion.hit).map(|e| e.0).collect(),
        };
    }
    output.result(&answer, |answer| match (answer.point, answer.walked) {
        (Some(point), Some(walked)) => format!(
            "{}: {walked:.3} far, to {}, {} walls met\n",
            answer.status,
            show(point),
            answer.hit.len()
        ),
        _ => "off_mesh: no ground near the start\n".into(),
    })?;
    Ok(Exit::Done)
}
