//! Paths for vehicles, animals and ships: arcs of a least radius and straight lines.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!(
    "navbake-vehicle needs a square root: enable the feature `std`, or `libm` on bare targets"
);

mod along;
mod backward;
mod bucket_queue;
#[cfg(feature = "build")]
pub mod build;
mod connect;
mod curve;
mod dubins;
mod ends;
mod expand;
mod footprint;
mod ground;
mod headings;
mod layers;
#[cfg_attr(not(feature = "build"), allow(unreachable_pub))]
mod obstacle;
mod pieces;
mod point;
mod query;
mod request;
mod roads;
mod search;
mod smooth;
mod sweep;
mod symmetry;
mod tables;
mod trig;

pub use along::{AlongAnswer, AlongStatus};
pub use backward::BackwardScratch;
pub use bucket_queue::{QueueEntry, QueueScratch};
pub use curve::{Curve, MOST_SEGMENTS, Pose, Segment};
pub use dubins::{Between, Word};
pub use footprint::{Footprint, MOST_CORNERS};
pub use ground::Ground;
pub use headings::{HeadingError, HeadingSegment, MOST_HALVINGS};
pub use obstacle::ObstacleScratch;
pub use query::TurningQuery;
#[cfg(feature = "alloc")]
pub use request::TurningBuffer;
pub use request::{Exit, TurningNode, TurningPiece, TurningScratch, TurningScratchSize};
pub use request::{TurningAnswer, TurningRequest, TurningStatus};
pub use roads::{RoadRules, Roads};
pub use search::TurningSearch;
pub use sweep::{CONTACT, is_hit, is_pose_hit, near_tiles, touches};
pub use symmetry::Symmetry;
#[cfg(feature = "alloc")]
pub use tables::VehicleBuffer;
pub use tables::{Move, Vehicle, VehicleSize};
pub use trig::{PI, TURN, acos, atan2, sin_cos, wrapped};
