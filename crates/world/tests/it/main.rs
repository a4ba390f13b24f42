//! Worlds with obstacles, against plain oracles.

mod changes;
mod kit;
