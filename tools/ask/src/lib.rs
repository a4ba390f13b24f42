//! Asks a baked navmesh random questions of every kind and checks every answer with separate, plain
//! code.
//!
//! - [`Plain`]: the navmesh as lists, and exact, slow answers;
//! - [`Fuzzer`]: random places on a navmesh, and the faults found up to now;
//! - `cheap`, `motion`, `paths`: the questions, one function per kind; [`KINDS`] lists them;
//! - [`reach`]: whether any path exists, for every agent and row of weights; [`relink`] makes a
//!   blob in which that is hard to decide.
#![forbid(unsafe_code)]

mod cheap;
mod fuzzer;
mod motion;
mod paths;
mod plain;
mod reach;
mod relink;

pub use fuzzer::{Fault, Fuzzer};
pub use plain::{Plain, Point};
pub use reach::{ReachCounts, reach};
pub use relink::relink;

/// A kind of question: its name, whether it searches paths, and the function that asks it once.
pub type Kind = (&'static str, bool, fn(&mut Fuzzer<'_>));

/// Every kind of question.
pub const KINDS: &[Kind] = &[
    ("random", false, cheap::random),
    ("locate", false, cheap::locate),
    ("nearest", false, cheap::nearest),
    ("raycast", false, cheap::raycast),
    ("wall distance", false, cheap::wall_distance),
    ("around", false, cheap::around),
    ("move", false, motion::step),
    ("path", true, paths::path),
    ("walk within", true, paths::random_within),
];
