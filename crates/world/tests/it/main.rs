//! Worlds with obstacles, against plain oracles.

mod baked;
mod changes;
mod kit;
