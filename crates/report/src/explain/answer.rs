//! The answers of explain: what a place is to one agent, and why.

use std::fmt::Write;

use serde::Serialize;

use crate::{Figure, Object};

/// Why a place cannot be walked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// There is no surface near the place.
    NoGround,
    /// The surface is steeper than the agent's slope.
    TooSteep,
    /// The surface faces down.
    FacesDown,
    /// The surface has the role `obstacle`.
    Obstacle,
    /// Something above leaves too little head room.
    LowCeiling,
    /// A wall is nearer than the agent's radius.
    NearWall,
    /// Ground with too little head room is nearer than the agent's radius.
    NearLowCeiling,
    /// A step higher than the agent's climb is nearer than its radius.
    NearStep,
    /// Ground steeper than the agent's slope is nearer than its radius.
    NearSlope,
    /// A ledge is nearer than the agent's radius.
    NearLedge,
    /// A passage is about as wide as the agent, and closed.
    NarrowPassage,
    /// No triangle of the designer's floor is here; only with `surface = "floor"`.
    OffFloor,
    /// The cell of a grid map is blocked.
    BlockedCell,
    /// The island's area is below `min_region`.
    SmallIsland,
    /// None of the `seeds` is on the island.
    NotReached,
    /// The agent does not walk on the area.
    AreaBlocked,
}

impl Cause {
    /// The name of the cause in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Cause::NoGround => "no-ground",
            Cause::TooSteep => "too-steep",
            Cause::FacesDown => "faces-down",
            Cause::Obstacle => "obstacle",
            Cause::LowCeiling => "low-ceiling",
            Cause::NearWall => "near-wall",
            Cause::NearLowCeiling => "near-low-ceiling",
            Cause::NearStep => "near-step",
            Cause::NearSlope => "near-slope",
            Cause::NearLedge => "near-ledge",
            Cause::NarrowPassage => "narrow-passage",
            Cause::OffFloor => "off-floor",
            Cause::BlockedCell => "blocked-cell",
            Cause::SmallIsland => "small-island",
            Cause::NotReached => "not-reached",
            Cause::AreaBlocked => "area-blocked",
        }
    }
}

/// One reason, with its figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// The cause.
    pub cause: Cause,
    /// The same in words, with the figures.
    pub message: String,
    /// Where the cause is, y-up metres; `None` if it is at the place itself.
    pub place: Option<[f64; 3]>,
    /// The object of the level that is guilty; `None` if it is unknown or there is none.
    pub object: Option<Object>,
    /// The measured values and limits; JSON has them as an object.
    #[serde(serialize_with = "crate::finding::as_object")]
    pub figures: Vec<Figure>,
}

impl Reason {
    pub(crate) fn new(cause: Cause, message: String) -> Reason {
        Reason { cause, message, place: None, object: None, figures: vec![] }
    }

    pub(crate) fn at(mut self, place: [f64; 3]) -> Reason {
        self.place = Some(place);
        self
    }

    pub(crate) fn of(mut self, object: Object) -> Reason {
        self.object = (!object.name().is_empty()).then_some(object);
        self
    }

    pub(crate) fn figure(mut self, name: &'static str, value: f64) -> Reason {
        self.figures.push(Figure { name, value });
        self
    }
}

/// What a place is to an agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Answer {
    /// The agent's name.
    pub agent: String,
    /// Can the agent be there?
    pub walkable: bool,
    /// Where the agent would stand, y-up metres.
    ///
    /// It is the ground nearest in height to the place.
    pub ground: Option<[f64; 3]>,
    /// Slope of that ground, degrees.
    pub slope_degrees: Option<f64>,
    /// Distance to the nearest end of the ground, m; `None` beyond the measured limit.
    pub room_m: Option<f64>,
    /// The area of that ground.
    pub area: Option<String>,
    /// Node, mesh and material of that ground, as far as the level names them.
    pub part: Option<String>,
    /// Why the agent cannot be there; empty if it can.
    pub reasons: Vec<Reason>,
    /// Remarks that decide nothing.
    pub notes: Vec<String>,
}

impl Answer {
    pub(crate) fn new(agent: &str) -> Answer {
        Answer { agent: agent.into(), walkable: true, ..Answer::default() }
    }

    pub(crate) fn not(mut self, reason: Reason) -> Answer {
        self.walkable = false;
        self.reasons.push(reason);
        self
    }

    /// The answer for people, one line for each statement.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let verdict = if self.walkable { "walkable" } else { "not walkable" };
        let _ = write!(out, "{}: {verdict}", self.agent);
        for (k, reason) in self.reasons.iter().enumerate() {
            let _ = write!(out, "{}{}", if k == 0 { ": " } else { "; " }, reason.message);
        }
        out.push('\n');
        if let Some([_, y, _]) = self.ground {
            let _ = write!(out, "  ground at {}", metres(y));
            if let Some(slope) = self.slope_degrees {
                let _ = write!(out, ", slope {slope:.1} degrees");
            }
            if let Some(room) = self.room_m {
                let _ = write!(out, ", {} m of it in every direction", metres(room));
            }
            if let Some(area) = &self.area {
                let _ = write!(out, ", area `{area}`");
            }
            if let Some(part) = &self.part {
                let _ = write!(out, ", on `{part}`");
            }
            out.push('\n');
        }
        for note in &self.notes {
            let _ = writeln!(out, "  note: {note}");
        }
        out
    }
}

/// A length for people, rounded to centimetres, never negative zero.
pub(crate) fn metres(v: f64) -> String {
    let rounded = (v * 100.0).round_ties_even() / 100.0 + 0.0;
    format!("{rounded:.2}")
}

/// A place for people.
pub(crate) fn place([x, y, z]: [f64; 3]) -> String {
    format!("({}, {}, {})", metres(x), metres(y), metres(z))
}
