//! Tests of navbake-hierarchy through its public interface.

mod canonical;
mod grid_maps;
mod islands;
mod maps;
mod rooms;
