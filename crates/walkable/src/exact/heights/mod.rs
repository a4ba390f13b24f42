//! Heights of the ground: at a place, along breaklines of a polygon, and for each layer of a tile.

mod breaklines;
mod ground;
mod layer_ground;
mod vertical_rays;

pub use breaklines::{BreaklineKind, BreaklineSample, BreaklineScratch, BreaklineSettings};
pub use ground::Ground;
pub use layer_ground::LayerGround;
pub(crate) use layer_ground::LayerSquares;
pub(crate) use vertical_rays::VerticalRays;
