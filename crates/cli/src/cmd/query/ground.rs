//! Common parts of the queries: their options, and the navmesh that they use.

use clap::{Args, ValueEnum};
use navbake_draw::Axes;
use navbake_search::blob::{CheckedBlob, Rooms};
use navbake_search::{NavMesh, NavPoint, NavQuery, PolyId, QueryFilter};
use serde::Serialize;

use crate::args::BlobPath;
use crate::blob_file::{self, AgentMesh, BlobFile};
use crate::closed::Closed;
use crate::failure::{Exit, Failure};
use crate::output::message;
use crate::place::{Aim, Coords, Place, PointOrMarker, show};

/// Blob, agent and coordinates of a question.
#[derive(Debug, Args)]
pub(crate) struct Common {
    #[command(flatten)]
    pub(crate) blob: BlobPath,
    /// Agent of the blob [default: the first]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Coordinates of options and results
    #[arg(long, value_enum, default_value_t)]
    pub(crate) coords: Coords,
    /// Search extents around a point along each axis [default: 2 m up and down; nearest: 2 m all
    /// around]
    #[arg(long, value_name = "x,y,z", value_parser = extents, allow_hyphen_values = true)]
    pub(crate) extents: Option<Place>,
    #[command(flatten)]
    pub(crate) closed: Closed,
    /// Terrain costs of this name in `weights.tasks` of the config [default: `weights.units`]
    #[arg(long, value_name = "NAME")]
    pub(crate) task: Option<String>,
}

/// Start and goals of a path.
#[derive(Debug, Args)]
pub(crate) struct Ends {
    /// Start, a point or a marker, with a heading for the planner turning
    #[arg(long, value_name = "x,y,z[@deg]", allow_hyphen_values = true)]
    pub(crate) from: Aim,
    /// Goal, a point or a marker, with an optional heading for the planner turning; can be repeated
    #[arg(long, value_name = "x,y,z[@deg]", required = true, allow_hyphen_values = true)]
    pub(crate) to: Vec<Aim>,
    /// Exit with 1 for any other answer
    #[arg(long, value_enum)]
    pub(crate) expect: Option<Expect>,
}

/// The answer that a script expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Expect {
    /// There is a path
    Reached,
    /// There is no path
    Unreachable,
}

impl Ends {
    /// Start and goals as points.
    ///
    /// # Errors
    /// If one is a marker that the blob, named `file`, does not have.
    pub(super) fn places(
        &self,
        blob: &CheckedBlob<'_>,
        axes: Axes,
        file: &str,
    ) -> Result<(Aim<Place>, Vec<Aim<Place>>), Failure> {
        let place = |aim: &Aim| {
            let place = blob_file::place(&aim.place, blob, axes, file)?;
            Ok(Aim { place, heading: aim.heading })
        };
        Ok((place(&self.from)?, self.to.iter().map(place).collect::<Result<_, Failure>>()?))
    }

    /// Is there a heading, which only the planner turning has?
    pub(super) fn have_heading(&self) -> bool {
        self.to.iter().chain([&self.from]).any(|aim| aim.heading.is_some())
    }

    /// Refuses headings.
    ///
    /// # Errors
    /// If one is given.
    pub(super) fn refuse_headings(&self) -> Result<(), Failure> {
        if self.have_heading() {
            return Err(Failure::usage(
                "headings (@degrees) only apply to `query path --planner turning`",
            ));
        }
        Ok(())
    }

    /// The exit code for a status, which may differ from the expected one.
    pub(super) fn exit(&self, status: &str) -> Exit {
        let (wanted, met) = match self.expect {
            None => return Exit::Done,
            Some(Expect::Reached) => ("reached", status == "reached"),
            // A partial path means that the goal itself is unreachable.
            Some(Expect::Unreachable) => {
                ("unreachable", matches!(status, "unreachable" | "partial"))
            }
        };
        if met {
            return Exit::Done;
        }
        message(format_args!("navbake: expected {wanted}, found {status}"));
        Exit::Findings
    }
}

/// A room in answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct RoomAnswer {
    pub(super) number: u32,
    /// The number of the same room for the smallest agent; null for that agent or without one.
    pub(super) like: Option<u32>,
    /// Empty where it has none.
    pub(super) name: String,
}

impl RoomAnswer {
    pub(super) fn text(&self) -> String {
        let number = self.like.unwrap_or(self.number);
        match self.name.as_str() {
            "" => format!("room {number}"),
            name => format!("room {number} ({name})"),
        }
    }
}

/// Default extents of the ends of paths and rays, m: above and below, not beside.
pub(super) const ABOVE_OR_BELOW: [f64; 3] = [0.0, 2.0, 0.0];
/// Default extents of `nearest`, m.
pub(super) const AROUND: [f64; 3] = [2.0; 3];

/// A navmesh with everything that a question says about it.
pub(super) struct Ground<'a> {
    pub(super) blob: CheckedBlob<'a>,
    pub(super) agent: AgentMesh,
    /// The blob's name in messages.
    pub(super) name: &'a str,
    pub(super) rooms: Option<Rooms<'a>>,
    /// What the agent may use, and its terrain costs.
    pub(super) filter: QueryFilter,
    pub(super) axes: Axes,
    /// Metres along each axis.
    pub(super) extents: [f64; 3],
}

impl<'a> Ground<'a> {
    pub(super) fn open(
        file: &'a BlobFile,
        common: &Common,
        extents: [f64; 3],
    ) -> Result<Ground<'a>, Failure> {
        let (blob, name) = (file.checked()?, &file.name);
        let agent = AgentMesh::of(&blob, common.agent.as_deref(), name)?;
        let axes = blob_file::axes(&blob, common.coords);
        let filter = common.closed.filter(&blob, &agent, common.task.as_deref(), name)?;
        Ok(Ground {
            blob,
            name,
            rooms: blob.rooms(agent.mesh().class()),
            agent,
            filter,
            axes,
            extents: match common.extents {
                Some(extents) => axes.inward(extents.0).map(f64::abs),
                None => extents,
            },
        })
    }

    pub(super) fn mesh(&self) -> NavMesh<'_> {
        self.agent.mesh()
    }

    pub(super) fn query(&self) -> NavQuery<'_> {
        NavQuery::new(self.mesh()).with_filter(&self.filter)
    }

    /// The room of a polygon, if the blob has rooms.
    pub(super) fn room(&self, polygon: PolyId) -> Option<RoomAnswer> {
        let rooms = self.rooms.as_ref()?;
        let number = rooms.of(polygon);
        Some(RoomAnswer {
            number: number.0,
            like: rooms.canonical_room(number).map(|like| like.0),
            name: rooms.get(number)?.name.into(),
        })
    }

    pub(super) fn island(&self, polygon: PolyId) -> u32 {
        self.mesh().island(polygon).0
    }

    /// The user's coordinates to y-up metres.
    pub(super) fn inward(&self, place: Place) -> [f64; 3] {
        self.axes.inward(place.0)
    }

    /// y-up metres to the user's coordinates.
    pub(super) fn outward(&self, point: [f64; 3]) -> [f64; 3] {
        self.axes.outward(point)
    }

    /// A unit vector to the user's axes.
    pub(super) fn direction(&self, direction: [f64; 3]) -> [f64; 3] {
        let axes = Axes { scale: 1.0, ..self.axes };
        axes.outward(direction)
    }

    /// A length in the user's units to metres.
    pub(super) fn metres(&self, length: f64) -> f64 {
        length * self.axes.scale
    }

    /// Metres to the user's units.
    pub(super) fn length(&self, metres: f64) -> f64 {
        metres / self.axes.scale
    }

    /// The point that was named.
    ///
    /// # Errors
    /// If it is a marker that the blob does not have.
    pub(super) fn place(&self, spot: &PointOrMarker) -> Result<Place, Failure> {
        blob_file::place(spot, &self.blob, self.axes, self.name)
    }

    /// Why there is no ground near a point, the `what` of the question, and where there is some.
    pub(super) fn missing(&self, what: &str, place: Place) -> String {
        let at = self.inward(place);
        let mut text = format!("no ground near the {what} ({})", show(place.0));
        let any = NavQuery::new(self.mesh());
        if any.end(at, self.extents).is_some() {
            return text + ": the ground there is closed or forbidden for this agent";
        }
        match self.query().nearest(at, [1e5; 3]) {
            Some(near) => {
                let (from, to) = (place.0, self.outward(near.position()));
                let away = (0..3).map(|k| (to[k] - from[k]).powi(2)).sum::<f64>().sqrt();
                text += &format!("; the nearest is {}, {away:.3} away", show(to));
            }
            None => text += ", nor anywhere that the level reaches",
        }
        let swapped = Place([place.0[0], place.0[2], place.0[1]]);
        if swapped != place && self.locate(swapped).is_some() {
            text += &format!(
                "; {} is on ground: are y and z swapped? y is up, or give --coords input",
                show(swapped.0)
            );
        }
        text
    }

    pub(super) fn locate(&self, place: Place) -> Option<NavPoint> {
        self.query().end(self.inward(place), self.extents)
    }
}

fn extents(text: &str) -> Result<Place, String> {
    let place: Place = text.parse()?;
    if place.0.iter().any(|c| *c < 0.0) {
        return Err("extents cannot be negative".into());
    }
    Ok(place)
}

/// The ends without ground, or a goal that may not be entered, for people.
pub(super) fn lost_ends(ground: &Ground<'_>, from: Place, to: Place) -> String {
    let query = ground.query();
    if let [Some(from), Some(to)] = [from, to].map(|place| ground.locate(place))
        && query.is_forbidden(to.polygon())
        && !query.is_forbidden(from.polygon())
    {
        return "the goal is on ground that is closed or forbidden for this agent; --partial leads \
                as near as it may go"
            .into();
    }
    let lost: Vec<String> = [("start", from), ("goal", to)]
        .into_iter()
        .filter(|(_, place)| ground.locate(*place).is_none())
        .map(|(end, place)| ground.missing(end, place))
        .collect();
    lost.join("; and ")
}
