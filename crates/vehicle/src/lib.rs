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
mod art;
mod behind;
#[cfg(feature = "build")]
pub mod build;
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
