//! `navbake query`: one file a question.

mod answer;
mod distance;
mod finish;
mod fits;
mod grid_path;
mod motion;
mod nearest;
mod path;
mod random;
mod raycast;
mod reachable;
mod trace;
mod turning_path;

use std::collections::BTreeSet;

use navbake_search::{AreaCosts, CheckedBlob, Location, NavMesh, PolyId, Query, Rooms};
use serde::Serialize;

pub(crate) use finish::Finish;

use crate::blob_file;
use crate::closed::ClosedThings;
use crate::failure::{Exit, Failure};
use crate::output::{Output, talk};
use crate::place::{Axes, Place};
use crate::query_args::{Asked, Expect, Question};

/// Runs it.
pub(crate) fn run(question: &Question, output: Output) -> Result<Exit, Failure> {
    match question {
        Question::Path(question) => path::run(question, output),
        Question::Nearest(question) => nearest::run(question, output),
        Question::Raycast(question) => raycast::run(question, output),
        Question::Reachable(question) => reachable::run(question, output),
        Question::Move(question) => motion::run(question, output),
        Question::Distance(question) => distance::run(question, output),
        Question::Fits(question) => fits::run(question, output),
        Question::Random(question) => random::run(question, output),
    }
}

/// A room in answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct RoomAnswer {
    number: u32,
    /// The number that it has for the smallest agent; null for that one's own, and where it has none there.
    like: Option<u32>,
    /// Perhaps empty.
    name: String,
}

impl RoomAnswer {
    fn text(&self) -> String {
        let number = self.like.unwrap_or(self.number);
        match self.name.as_str() {
            "" => format!("room {number}"),
            name => format!("room {number} ({name})"),
        }
    }
}

/// Where the ends of paths and rays may lie off the surface, m along each axis: above and below it, not beside it.
const ABOVE_OR_BELOW: [f64; 3] = [0.0, 2.0, 0.0];
/// Where `nearest` looks when it is not told, m.
const AROUND: [f64; 3] = [2.0; 3];

/// The navmesh that is asked, and the user's way of speaking about it.
struct Ground<'a> {
    blob: CheckedBlob<'a>,
    mesh: NavMesh<'a>,
    rooms: Option<Rooms<'a>>,
    /// The bit of the agent that asks.
    agents: u32,
    closed: ClosedThings,
    /// What ground costs the agent, where the blob tells.
    costs: Option<AreaCosts>,
    axes: Axes,
    /// Metres along each axis.
    extents: [f64; 3],
}

/// What ground costs the agent: the row of weights that was asked for, else the one without a name, if there is one.
fn costs(blob: &CheckedBlob<'_>, asked: &Asked, file: &str) -> Result<Option<AreaCosts>, Failure> {
    let agent = match &asked.agent {
        None => 0,
        Some(name) => (blob.agents().position(|a| a.name == *name)).unwrap_or(0),
    };
    let agent = u16::try_from(agent).unwrap_or(u16::MAX);
    let Some(wanted) = &asked.task else {
        let row = blob.weights_for("", agent);
        return Ok(row.as_ref().map(AreaCosts::from));
    };
    if let Some(row) = blob.weights_for(wanted, agent) {
        return Ok(Some(AreaCosts::from(&row)));
    }
    let names: BTreeSet<&str> = blob.weights().map(|row| row.name).collect();
    let known = names.iter().filter(|name| !name.is_empty());
    let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
    let hint = match known.as_slice() {
        [] => "it has none".into(),
        known => format!("its tasks are {}", known.join(", ")),
    };
    Err(Failure::usage(format_args!(
        "{file}: there is no task `{wanted}` with weights for this agent in it; {hint}"
    )))
}

impl<'a> Ground<'a> {
    fn open(bytes: &'a [u8], asked: &Asked, usual: [f64; 3]) -> Result<Ground<'a>, Failure> {
        let name = blob_file::name(&asked.blob);
        let blob = blob_file::checked(bytes, &name)?;
        let (mesh, agents) = blob_file::mesh_and_bit(&blob, asked.agent.as_deref(), &name)?;
        let axes = blob_file::axes(&blob, asked.coords);
        let costs = costs(&blob, asked, &name)?;
        let blocked = costs.as_ref().map_or(0, AreaCosts::blocked);
        Ok(Ground {
            blob,
            mesh,
            rooms: blob.rooms(mesh.class()),
            agents,
            closed: asked.closed.on(&blob, &mesh, blocked, &name)?,
            costs,
            axes,
            extents: match asked.extents {
                Some(extents) => axes.inward(extents.0).map(f64::abs),
                None => usual,
            },
        })
    }

    fn query(&self) -> Query<'_> {
        let query = self.closed.query(self.mesh).with_agents(self.agents);
        match &self.costs {
            Some(costs) => query.with_costs(costs),
            None => query,
        }
    }

    /// The room of a polygon, where the blob has rooms.
    fn room(&self, polygon: PolyId) -> Option<RoomAnswer> {
        let rooms = self.rooms.as_ref()?;
        let number = rooms.of(polygon);
        Some(RoomAnswer {
            number: number.0,
            like: rooms.like(number).map(|like| like.0),
            name: rooms.get(number)?.name.into(),
        })
    }

    fn blob(&self) -> &CheckedBlob<'a> {
        &self.blob
    }

    fn mesh(&self) -> &NavMesh<'a> {
        &self.mesh
    }

    /// The user's coordinates to y-up metres.
    fn inward(&self, place: Place) -> [f64; 3] {
        self.axes.inward(place.0)
    }

    /// y-up metres to the user's coordinates.
    fn outward(&self, point: [f64; 3]) -> [f64; 3] {
        self.axes.outward(point)
    }

    /// A direction of unit length to the user's axes.
    fn direction(&self, direction: [f64; 3]) -> [f64; 3] {
        let axes = Axes {
            scale: 1.0,
            ..self.axes
        };
        axes.outward(direction)
    }

    /// The user's units to metres.
    fn metres(&self, length: f64) -> f64 {
        length * self.axes.scale
    }

    /// Metres to the user's units.
    fn length(&self, metres: f64) -> f64 {
        metres / self.axes.scale
    }

    fn locate(&self, place: Place) -> Option<Location> {
        self.query().end(self.inward(place), self.extents)
    }
}

/// The exit code for a status that something was expected of.
fn judge(expect: Option<Expect>, status: &str) -> Exit {
    let (wanted, met) = match expect {
        None => return Exit::Done,
        Some(Expect::Reached) => ("reached", status == "reached"),
        // A partial path says that there is no way to the goal itself.
        Some(Expect::Unreachable) => ("unreachable", matches!(status, "unreachable" | "partial")),
    };
    if met {
        return Exit::Done;
    }
    talk(format_args!("navbake: expected {wanted}, found {status}"));
    Exit::Findings
}
