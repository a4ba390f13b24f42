//! Detour's navmesh files: a baked navmesh out, and the polygons of such a file in.
//!
//! [`write()`] makes an `MSET` file of one agent's navmesh, which Detour and recast-navigation-js
//! load; [`read()`] checks and reads one. The layout is that of Detour's own sources, version 7 of
//! the tile data.
#![forbid(unsafe_code)]

mod error;
mod layout;
mod level;
mod read;
mod settings;
mod write;

pub use error::{ExportError, Refused};
pub use level::level;
pub use read::{Connection, Ground, GroundPolygon, Poly, Tile, TileSet, WALL, read};
pub use settings::{Kind, RefWidth, Settings};
pub use write::{LeftOut, Written, write};
