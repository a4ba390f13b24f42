//! From a level to the ground an agent can stand and walk on: slope, head room, step, radius.
#![forbid(unsafe_code)]

mod layers;

pub use layers::{Heights, Layer, Ring, Tile, WalkableLayers};
