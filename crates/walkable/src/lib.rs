//! From a level to the ground an agent can stand and walk on: slope, head room, step, radius.
#![forbid(unsafe_code)]

mod erosion;
mod error;
mod exact;
mod grid_map;
mod layers;
mod outline;
mod params;
mod plan;
mod raster;
mod sheets;
mod sorted;
mod spans;

pub use error::WalkableError;
pub use exact::{Bend, BendKind, BendRoom, BendSettings, Contradiction, Ground, Reuse, Storey};
pub use grid_map::{grid_map_layers, grid_map_lines};
pub use layers::{Heights, Layer, Ring, Tile, WalkableLayers};
pub use params::{Borders, WalkableSettings};
pub use plan::{Plan, TileTriangle};
