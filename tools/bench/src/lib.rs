//! The same levels baked by navbake and by `rerecast` (Recast in Rust, one mesh), measured in one
//! process.
//!
//! `main.rs` is the benchmark; `bin/probe.rs` answers questions about one navmesh for the Python
//! scripts beside this crate.

pub mod clock;
pub mod detour;
pub mod fans;
pub mod levels;
pub mod mesh;
pub mod oracle;
pub mod ours;
pub mod peak;
pub mod peer;
pub mod report;
pub mod run;
pub mod walker;
