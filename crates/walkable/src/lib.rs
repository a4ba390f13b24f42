//! From a level to the ground that an agent can walk on, by slope, head room, step and radius.
//!
//! A [`Plan`] cuts a level into tiles and gives the [`Layer`]s of each: their borders, the agent's
//! radius away from walls and ledges, and their heights. Borders are computed from the triangles.
//! [`grid_map_layers`] does the same for maps of cells.
#![forbid(unsafe_code)]

mod error;
mod exact;
mod grid_map;
mod groups;
mod layers;
mod params;
mod plan;
mod tile_assignment;

pub use error::WalkableError;
pub use exact::{
    BreaklineKind, BreaklineSample, BreaklineScratch, BreaklineSettings, Ground, LayerGround,
    NarrowPassage,
};
pub use grid_map::{cell_corners, grid_map_labels, grid_map_layers, grid_map_lines};
pub use layers::{Heights, Layer, Ring, Tile, WalkableLayers};
pub use params::WalkableSettings;
pub use plan::{Plan, TileTriangle};
