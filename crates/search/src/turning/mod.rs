//! Units that turn: vehicles, animals and ships that follow arcs of a least radius instead of a polyline.
//!
//! `docs/turning.md` tells the whole. A [`Vehicle`] is made of a blob's tables once, a [`Ground`] of its grid map or of the tiles of a navmesh; a [`TurningQuery`] on both
//! answers a [`TurningRequest`] with arcs and lines. Tiles may be blocked and freed between queries: [`Ground::set_blocked`].
//!
//! - `search`, `expand`, `far` and `steps`, `behind`, `links`, `open`, `pieces`: the search over states of tile, heading and gear; what a state leads to; the bound over
//!   free tiles and its steps; goals that nothing leads to; curves that leave the start and come to the goal; the open list; the path as pieces;
//! - `smooth`: the path made shorter where there is room;
//! - `tables`, `ground`, `request`: a vehicle's moves, blocked tiles, what is asked and answered;
//! - `sheets`: tiles of navmeshes, whose storeys lie over one another;
//! - `roads`: tiles that units keep to; `along`: polylines turned into paths; `art`, `together`: paths in 8 or 16 directions.
//!
//! The curves are here as well, which the tables are built with, so that build and game cannot disagree:
//!
//! - [`Pose`], [`Segment`], [`Curve`]: where a vehicle is and how it goes on;
//! - [`Between`], [`Word`]: the curves between two poses;
//! - [`Footprint`], [`touches`], [`is_hit`]: what it covers, and which tiles it touches on its way;
//! - [`Symmetry`]: what is alike on a lattice.

mod along;
mod art;
mod behind;
mod curve;
mod dubins;
mod ends;
mod expand;
mod far;
mod footprint;
mod ground;
mod links;
mod open;
mod pieces;
mod point;
mod query;
mod request;
mod roads;
mod search;
mod sheets;
mod smooth;
mod steps;
mod sweep;
mod symmetry;
mod tables;
mod together;
mod trig;

pub use along::{AlongAnswer, AlongStatus};
pub use art::{ArtFault, ArtLine, MOST_HALVINGS};
pub use behind::BehindScratch;
pub use curve::{Curve, MOST_SEGMENTS, Pose, Segment};
pub use dubins::{Between, Word};
pub use far::FarScratch;
pub use footprint::{Footprint, MOST_CORNERS};
pub use ground::Ground;
pub use open::{OpenScratch, TurningOpen};
pub use query::TurningQuery;
#[cfg(feature = "alloc")]
pub use request::TurningBuffer;
pub use request::{Exit, TurningNode, TurningPiece, TurningScratch, TurningScratchSize};
pub use request::{TurningAnswer, TurningRequest, TurningStatus};
pub use roads::{RoadRules, Roads};
pub use search::TurningSearch;
pub use steps::{FLOOD_HALF, FLOOD_SETS, FLOOD_STEPS, flood_bit};
pub use sweep::{CONTACT, is_hit, is_pose_hit, near_tiles, touches};
pub use symmetry::Symmetry;
#[cfg(feature = "alloc")]
pub use tables::VehicleBuffer;
pub use tables::{Move, Vehicle, VehicleSize};
pub use trig::{PI, TURN, acos, atan2, sin_cos, wrapped};
