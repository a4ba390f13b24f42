//! Units that turn: vehicles, animals and ships that follow arcs of a least radius instead of a polyline.
//!
//! `docs/turning.md` tells the whole; here are the curves, which the tables are built with as well, so that build and game cannot disagree:
//!
//! - [`Pose`], [`Segment`], [`Curve`]: where a vehicle is and how it goes on;
//! - [`Between`], [`Word`]: the curves between two poses;
//! - [`Footprint`], [`touches`], [`is_hit`]: what it covers, and which tiles it touches on its way;
//! - [`Symmetry`]: what is alike on a lattice.

mod curve;
mod dubins;
mod footprint;
mod sweep;
mod symmetry;
mod trig;

pub use curve::{Curve, MOST_SEGMENTS, Pose, Segment};
pub use dubins::{Between, Word};
pub use footprint::{Footprint, MOST_CORNERS};
pub use sweep::{CONTACT, is_hit, is_pose_hit, near_tiles, touches};
pub use symmetry::Symmetry;
pub use trig::{PI, TURN, acos, atan2, sin_cos, wrapped};
