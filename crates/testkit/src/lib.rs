//! Shared parts of navbake's integration tests.
//!
//! Only integration tests use this crate. The unit tests of a crate must not: they would see two
//! copies of that crate, their own and the one that this crate depends on.

pub mod allocations;
