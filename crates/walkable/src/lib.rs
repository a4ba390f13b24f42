//! From a level to the ground an agent can stand and walk on: slope, head room, step, radius.
#![forbid(unsafe_code)]

mod error;
mod exact;
mod grid_aligned;
mod grid_map;
mod layers;
mod params;
mod plan;
mod tile_assignment;

pub use error::WalkableError;
pub use exact::{
    BreaklineKind, BreaklineSample, BreaklineScratch, BreaklineSettings, Contradiction, Ground,
    LayerGround, Reuse,
};
pub use grid_map::{grid_map_layers, grid_map_lines};
pub use layers::{Heights, Layer, Ring, Tile, WalkableLayers};
pub use params::{Borders, WalkableSettings};
pub use plan::{Plan, TileTriangle};
