//! What a level is to navbake: plain data, no files, no parsing.
//!
//! A reader makes a [`Source`]: a [`Scene`] of triangles in y-up metres, or a [`GridMap`].
//! [`Level::new`] brings a scene onto the integer grid, in an order that does not depend on the
//! order of the input; [`Level::cut`] cuts its ground along a [`Volume`]. [`Agent`] says who walks
//! on it, [`Area`] on what, [`Weights`] at what cost, and [`Link`] where there is a way without
//! ground.
#![forbid(unsafe_code)]

mod agent;
mod area;
mod class;
mod copies;
mod cut;
mod level;
mod link;
pub mod number;
mod scene;
mod sources;
mod volume;
mod weights;

pub use agent::{Agent, SLOPE_TOLERANCE, UP_ONE, cos_squared};
pub use area::{Area, MAX_AREAS, Switch};
pub use class::{Class, classes};
pub use copies::{Copies, Copy, Placed, Pose};
pub use cut::Piece;
pub use level::{Level, LevelError, LevelSettings, RIM, Role, Triangle, Winding, is_degenerate};
pub use link::{Link, LinkKind};
pub use scene::{Given, GridMap, LinkNote, Marker, Part, Scene, Source, Tag, Warning};
pub use sources::{SourceTriangle, source_triangles};
pub use volume::{Volume, VolumeError};
pub use weights::{WEIGHT_RANGE, WeightRow, Weights};
