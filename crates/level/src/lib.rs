//! The level model of navbake: plain data, without files or parsing.
//!
//! A reader makes a [`Source`]: a [`Scene`] of triangles in y-up metres, or a [`GridMap`].
//! [`Level::new`] converts a scene to the integer grid, in an order that does not depend on the
//! order of the input. [`Level::cut`] cuts its ground along a [`Volume`]. [`Agent`] describes the
//! units that walk on the level, [`Area`] its kinds of ground, [`Weights`] their costs, and
//! [`Link`] the connections off the ground.
#![forbid(unsafe_code)]

mod again;
mod agent;
mod area;
mod class;
mod cut;
mod grid_soup;
mod level;
mod link;
pub mod number;
mod order;
mod scene;
mod sources;
mod volume;
mod weights;

pub use again::EarlierLevel;
pub use agent::{Agent, PASSAGE_REPORTED, PASSAGE_ROUNDING, SLOPE_TOLERANCE, UP_ONE, cos_squared};
pub use area::{Area, MAX_AREAS, MAX_FIELDS, Switch};
pub use class::{Class, classes};
pub use cut::Piece;
pub use level::{
    Level, LevelError, LevelSettings, RIM, Role, Triangle, Winding, default_origin, in_range,
    is_degenerate, sort_markers, touches_box,
};
pub use link::{Link, LinkKind};
pub use navbake_grid::CellShape;
pub use scene::{
    Given, GridMap, LinkNote, Marker, Part, Scene, Source, Tag, Warning, WarningPlace,
};
pub use sources::{SourceTriangle, source_triangles};
pub use volume::{Volume, VolumeError};
pub use weights::{WEIGHT_RANGE, WeightRow, Weights};
