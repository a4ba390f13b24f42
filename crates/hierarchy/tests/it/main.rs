//! Tests of navbake-hierarchy through its public interface.

mod grid_maps;
mod islands;
mod like;
mod maps;
mod rooms;
