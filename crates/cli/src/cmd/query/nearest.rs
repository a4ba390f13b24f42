//! `navbake query nearest`: the nearest point on the navmesh.

use clap::Args;
use navbake_search::PolyId;
use serde::Serialize;

use super::ground::{AROUND, Common, Ground, RoomAnswer};
use crate::blob_file::BlobFile;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::place::{PointOrMarker, show};

/// Options of `query nearest`.
#[derive(Debug, Args)]
pub(crate) struct NearestQuestion {
    #[command(flatten)]
    common: Common,
    /// The point, or a marker
    #[arg(long, value_name = "x,y,z", visible_alias = "from", allow_hyphen_values = true)]
    at: PointOrMarker,
}

#[derive(Debug, Serialize)]
struct Answer {
    /// `found` or `off_mesh`.
    status: &'static str,
    /// The point on the surface.
    point: Option<[f64; 3]>,
    /// Distance in space.
    distance: Option<f64>,
    polygon: Option<u32>,
    island: Option<u32>,
    /// Null without rooms.
    room: Option<RoomAnswer>,
    /// The triangles of the level below the polygon; left out if the blob does not have them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sources: Vec<PartAnswer>,
}

/// Triangles of one object of the level.
#[derive(Debug, Serialize)]
struct PartAnswer {
    node: String,
    mesh: String,
    material: String,
    /// Their indices within the object, in the order of the file.
    triangles: Vec<u32>,
}

impl PartAnswer {
    fn text(&self) -> String {
        let named = [&self.node, &self.mesh, &self.material].map(|name| format!("`{name}`"));
        let triangles: Vec<String> = self.triangles.iter().map(u32::to_string).collect();
        format!(
            "  node {}, mesh {}, material {}: triangles {}\n",
            named[0],
            named[1],
            named[2],
            triangles.join(" ")
        )
    }
}

/// The source triangles of a polygon by object.
fn parts_of(ground: &Ground<'_>, polygon: PolyId) -> Vec<PartAnswer> {
    let mut parts: Vec<PartAnswer> = vec![];
    for source in ground.blob.sources(&ground.mesh(), polygon) {
        let is_same = |p: &PartAnswer| {
            (p.node.as_str(), p.mesh.as_str(), p.material.as_str())
                == (source.node, source.mesh, source.material)
        };
        match parts.last_mut().filter(|p| is_same(p)) {
            Some(part) => part.triangles.push(source.triangle),
            None => parts.push(PartAnswer {
                node: source.node.into(),
                mesh: source.mesh.into(),
                material: source.material.into(),
                triangles: vec![source.triangle],
            }),
        }
    }
    parts
}

/// Runs it.
pub(crate) fn run(question: &NearestQuestion, output: Output) -> Result<Exit, Failure> {
    let Common { closed, task, .. } = &question.common;
    for (given, option) in [(closed.is_given(), "--closed"), (task.is_some(), "--task")] {
        if given {
            return Err(Failure::usage(format!(
                "{option} does not apply to `query nearest`: closed and forbidden ground is ground; \
                 `query fits` and `query reachable` tell it apart"
            )));
        }
    }
    let file = BlobFile::whole(&question.common.blob)?;
    let ground = Ground::open(&file, &question.common, AROUND)?;
    let at = ground.place(&question.at)?;
    let found = ground.locate(at);
    let answer = Answer {
        status: if found.is_some() { "found" } else { "off_mesh" },
        point: found.map(|l| ground.outward(l.position())),
        distance: found.map(|l| {
            let from = ground.outward(ground.inward(at));
            let to = ground.outward(l.position());
            (0..3).map(|k| (to[k] - from[k]).powi(2)).sum::<f64>().sqrt()
        }),
        polygon: found.map(|l| l.polygon().0),
        island: found.map(|l| ground.island(l.polygon())),
        room: found.and_then(|l| ground.room(l.polygon())),
        sources: found.map_or(vec![], |l| parts_of(&ground, l.polygon())),
    };
    output.result(&answer, |answer| match (answer.point, answer.distance) {
        (Some(point), Some(distance)) => format!(
            "{}: {distance:.3} away, polygon {}, island {}{}\n{}",
            show(point),
            answer.polygon.unwrap_or_default(),
            answer.island.unwrap_or_default(),
            (answer.room.as_ref()).map_or(String::new(), |room| format!(", {}", room.text())),
            answer.sources.iter().map(PartAnswer::text).collect::<String>()
        ),
        _ => format!("off_mesh: {}\n", ground.missing("point", at)),
    })?;
    Ok(Exit::Done)
}
