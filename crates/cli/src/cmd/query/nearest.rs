//! `navbake query nearest`: the place on the navmesh nearest to a point.

use navbake_search::PolyId;
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
    /// Triangles of the level's file behind the polygon; left out where the file does not tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sources: Vec<PartAnswer>,
}

/// Triangles of one object.
#[derive(Debug, Serialize)]
struct PartAnswer {
    node: String,
    mesh: String,
    material: String,
    /// Their numbers among those of the object, in the order of the file.
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

/// The sources of a polygon, object by object.
fn parts_of(ground: &Ground<'_>, polygon: PolyId) -> Vec<PartAnswer> {
    let mut parts: Vec<PartAnswer> = vec![];
    for source in ground.blob().sources(ground.mesh(), polygon) {
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
        sources: found.map_or(vec![], |l| parts_of(&ground, l.polygon())),
    };
    output.result(&answer, |answer| match (answer.point, answer.distance) {
        (Some(point), Some(distance)) => format!(
            "{}: {distance:.3} away, polygon {}, island {}{}\n{}",
            show(point),
            answer.polygon.unwrap_or_default(),
            answer.island.unwrap_or_default(),
            (answer.room.as_ref()).map_or(String::new(), |room| format!(", {}", room.text())),
            answer
                .sources
                .iter()
                .map(PartAnswer::text)
                .collect::<String>()
        ),
        _ => "off_mesh: no ground near the point\n".into(),
    })?;
    Ok(Exit::Done)
}
