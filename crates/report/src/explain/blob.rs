//! Explains a place from a baked file alone.

use navbake_format::{Agent, CheckedBlob, NavMesh};
use navbake_search::{NavPoint, NavQuery, Scratch};
use serde::Serialize;

use super::answer::{metres, place as show};
use crate::Meshes;
use crate::subject::{called, square_metres};

/// The nearest place of a mesh is searched up to this distance along each axis, m.
const FAR: f64 = 100.0;
/// The distance to walls is measured up to this, m.
const ROOM: f64 = 10.0;

/// What a place is to an agent, as far as the blob says.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BlobAnswer {
    /// The agent's name.
    pub agent: String,
    /// Is the place on the agent's mesh, at most a height below and a climb above it?
    pub on_mesh: bool,
    /// The nearest place of the mesh within 100 m, y-up metres; `None` without one.
    pub nearest: Option<[f64; 3]>,
    /// The distance in space to the nearest place, m.
    pub distance_m: Option<f64>,
    /// The polygon at the nearest place.
    pub polygon: Option<u32>,
    /// The island of that polygon.
    pub island: Option<u32>,
    /// Area of that island seen from above, m2.
    pub island_m2: Option<f64>,
    /// The number of its room, if rooms were baked.
    pub room: Option<u32>,
    /// The name of that room, if it has one.
    pub room_name: Option<String>,
    /// Its area type, if the blob distinguishes areas.
    pub area: Option<String>,
    /// Is that area blocked for the agent?
    pub blocked: bool,
    /// Distance to the nearest wall, m, up to 10. An agent wider by this fits as well.
    pub wall_m: Option<f64>,
}

/// What a place (y-up metres) is to each agent of a blob.
pub fn of_blob(blob: &CheckedBlob<'_>, meshes: &Meshes, at: [f64; 3]) -> Vec<BlobAnswer> {
    let agents = blob.agents().zip(0u16..);
    agents
        .filter_map(|(agent, number)| Some(one(blob, meshes.get(agent.class)?, &agent, number, at)))
        .collect()
}

fn one(
    blob: &CheckedBlob<'_>,
    mesh: NavMesh<'_>,
    agent: &Agent<'_>,
    number: u16,
    at: [f64; 3],
) -> BlobAnswer {
    let query = NavQuery::new(mesh);
    let (height, climb) = (agent.height, agent.climb);
    let here = query.locate(at, height).filter(|l| {
        let rise = l.position()[1] - at[1];
        rise <= climb && -rise <= height
    });
    let mut answer =
        BlobAnswer { agent: agent.name.into(), on_mesh: here.is_some(), ..BlobAnswer::default() };
    let Some(found) = here.or_else(|| query.nearest(at, [FAR; 3])) else {
        return answer;
    };
    let polygon = found.polygon();
    let position = found.position();
    let square: f64 = (0..3).map(|k| (position[k] - at[k]).powi(2)).sum();
    answer.nearest = Some(position);
    answer.distance_m = Some(square.sqrt());
    answer.polygon = Some(polygon.0);
    let island = mesh.island(polygon);
    answer.island = Some(island.0);
    let on_island = mesh.polygons().filter(|p| mesh.on_one_island(polygon, p.id()));
    answer.island_m2 = Some(square_metres(&mesh, on_island));
    if let Some(rooms) = blob.rooms(mesh.class()) {
        let room = rooms.of(polygon);
        answer.room = Some(room.0);
        let name = rooms.get(room).map(|r| r.name.to_string());
        answer.room_name = name.filter(|n| !n.is_empty());
    }
    answer.area = blob.area_of(&mesh, polygon).map(|a| a.name.to_string());
    let row = blob.weights_for("", number);
    answer.blocked = row.is_some_and(|r| !r.weights().get(mesh.area(polygon)).is_finite());
    answer.wall_m = wall(&query, &found);
    answer
}

fn wall(query: &NavQuery<'_>, at: &NavPoint) -> Option<f64> {
    let mut scratch = Scratch::new();
    let found = query.wall_distance(at, ROOM, &mut scratch);
    found.nearest.map(|_| found.distance)
}

impl BlobAnswer {
    /// The answer for people.
    pub fn text(&self) -> String {
        let (Some(nearest), Some(far)) = (self.nearest, self.distance_m) else {
            return format!("{}: not on the navmesh, and none of it within {FAR} m\n", self.agent);
        };
        let mut out = match self.on_mesh {
            true if self.blocked => format!("{}: on the navmesh, blocked", self.agent),
            true => format!("{}: on the navmesh", self.agent),
            false => format!(
                "{}: not on the navmesh; the nearest place of it is {} m away at {}",
                self.agent,
                metres(far),
                show(nearest)
            ),
        };
        if let (Some(polygon), Some(island), Some(area)) =
            (self.polygon, self.island, self.island_m2)
        {
            out += &format!("\n  polygon {polygon}, island {island} of {area:.1} m2");
        }
        if let Some(room) = self.room {
            let name = called(self.room_name.as_deref().unwrap_or_default());
            out += &format!(", room {room}{name}");
        }
        if let Some(area) = &self.area {
            out += &format!(", area `{area}`");
        }
        if let Some(wall) = self.wall_m {
            out += &format!(", {} m to the nearest wall", metres(wall));
        }
        out.push('\n');
        out
    }
}
