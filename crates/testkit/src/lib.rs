//! Shared parts of navbake's integration tests.
//!
//! Only integration tests use this crate. Unit tests of a crate must not: they would link two
//! copies of that crate, their own and the one that this crate depends on.
//!
//! Without features: an allocator that counts, random numbers, data and fixtures. The feature
//! `level` adds a small file for examples, `search` worlds that are encoded as navmeshes, and plain
//! oracles for queries on them.
#![allow(missing_docs)] // the fields and helpers of test worlds say by name what they are

pub mod allocations;
#[cfg(feature = "search")]
pub mod asking;
pub mod data;
mod random;
pub mod solids;

#[cfg(feature = "search")]
pub mod cases;
#[cfg(feature = "search")]
pub mod heights;
#[cfg(feature = "search")]
pub mod plain_walk;
#[cfg(feature = "search")]
pub mod scene;
#[cfg(feature = "search")]
pub mod squares;

#[cfg(feature = "level")]
mod level;

#[cfg(feature = "level")]
pub use level::{level, level_mesh};
pub use random::Random;

/// Begins an example of navbake-search: its names, the small level opened, queries on it, a request
/// for a path along a straight line, and scratch.
#[cfg(feature = "search")]
#[macro_export]
macro_rules! example {
    ($nav:ident, $query:ident, $request:ident, $scratch:ident) => {
        use navbake_search::*;
        let $nav = NavMeshBuf::open(&$crate::level()).unwrap();
        let $query = NavQuery::new($nav.mesh());
        let $request = PathRequest::new([1.0, 0.0, 1.0], [8.0, 0.0, 5.0]);
        let mut $scratch = Scratch::new();
    };
}
