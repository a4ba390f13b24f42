//! What a level is to navbake: plain data, no files, no parsing.
//!
//! A reader makes a [`Source`]: a [`Scene`] of triangles in y-up metres, or a [`GridMap`]. [`Level::new`] brings a scene onto the
//! integer grid, in an order that does not depend on the order of the input. [`Agent`] says who walks on it.
#![forbid(unsafe_code)]

mod agent;
mod area;
mod level;
mod link;
mod scene;

pub use agent::{Agent, SLOPE_TOLERANCE, UP_ONE, cos_squared};
pub use area::{Area, MAX_AREAS, Switch};
pub use level::{Level, LevelError, LevelSettings, RIM, Role, Triangle, Winding};
pub use link::{Link, LinkKind};
pub use scene::{GridMap, Marker, Part, Scene, Source, Warning};
