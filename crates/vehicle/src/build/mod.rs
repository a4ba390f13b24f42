//! The tables of a vehicle, built once, before the game runs: [`build`] makes [`Tables`] of a
//! [`VehicleSpec`].
//!
//! - `spec`: the description of a vehicle, and the values that are refused;
//! - `edges`: the curves of the lattice and the tiles that they sweep;
//! - `reduce`: the edges that searches can do without;
//! - `distances`, `bound`: distances over open ground, and lower bounds over free tiles;
//! - `tables`: the order of the steps; `pack`: the tables as stored in the file;
//! - `tile_sheets`: the tiles of a navmesh that vehicles drive on.
//!
//! The curves and sweeps are those that the search follows. The bytes do not depend on the
//! platform's maths library or on the number of threads.

mod bound;
mod distances;
pub mod edges;
mod mask;
mod pack;
mod reduce;
mod spec;
mod tables;
mod tile_sheets;

pub use crate::flood_steps::{FLOOD_SETS, FLOOD_STEPS, flood_bit};
pub use bound::Bound;
pub use distances::{Distances, NO_WAY};
pub use mask::Mask;
pub use pack::Packed;
pub use spec::{MOST_RINGS, Reverse, SpecError, UNITS, VehicleSpec};
pub use tables::{Tables, build};
pub use tile_sheets::{Sheet, SheetError, tile_sheets};
