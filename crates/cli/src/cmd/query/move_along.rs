//! `navbake query move`: a point moved along the surface, sliding along walls.

use clap::Args;
use navbake_level::number::count;
use navbake_search::around::MoveLog;
use navbake_search::blob::EdgeId;
use navbake_search::{MoveRequest, PolyId};
use serde::Serialize;

use super::ground::{ABOVE_OR_BELOW, Common, Ground};
use crate::args::share;
use crate::blob_file::BlobFile;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::place::{PointOrMarker, show};

/// Options of `query move`.
#[derive(Debug, Args)]
pub(crate) struct MoveQuestion {
    #[command(flatten)]
    common: Common,
    /// Start, or a marker
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    from: PointOrMarker,
    /// End of the motion without walls, or a marker
    #[arg(long, value_name = "x,y,z", allow_hyphen_values = true)]
    to: PointOrMarker,
    /// Share of the remaining motion that is kept at a contact with a wall
    #[arg(long, value_name = "SHARE", default_value_t = 0.9, value_parser = share)]
    kept: f64,
}

#[derive(Debug, Default, Serialize)]
struct Answer {
    /// `free` (no wall was hit), `slid` (a wall was hit) or `off_mesh` (of the start).
    status: &'static str,
    /// The end on the surface.
    point: Option<[f64; 3]>,
    /// The length of the motion in the ground plane.
    walked: Option<f64>,
    /// Contacts with walls that cost motion.
    contacts: Option<u32>,
    /// The polygon of the end.
    polygon: Option<u32>,
    /// Polygons entered, in order.
    entered: Vec<u32>,
    /// Walls hit or slid along, in order: edges counted over all polygons.
    hit: Vec<u32>,
}

/// Runs it.
pub(crate) fn run(question: &MoveQuestion, output: Output) -> Result<Exit, Failure> {
    let file = BlobFile::whole(&question.common.blob)?;
    let ground = Ground::open(&file, &question.common, ABOVE_OR_BELOW)?;
    let from = ground.place(&question.from)?;
    let to = ground.place(&question.to)?;
    let mut answer = Answer { status: "off_mesh", ..Answer::default() };
    if let Some(start) = ground.locate(from) {
        let request = MoveRequest::new(ground.inward(to)).kept(question.kept);
        let (mut entered, mut hit) = (vec![], vec![]);
        let motion = loop {
            let log = MoveLog { entered: &mut entered, hit: &mut hit };
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
            "{}: moved {walked:.3} to {}, {} hit\n",
            answer.status,
            show(point),
            count(answer.hit.len(), "wall")
        ),
        _ => format!("off_mesh: {}\n", ground.missing("start", from)),
    })?;
    Ok(Exit::Done)
}
