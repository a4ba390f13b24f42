//! Tests of navbake-walkable through its public interface.

mod covers;
mod exact;
mod ground;
mod pieces;
mod scene;
