//! What is wrong with a baked level, where, and what to do about it.
//!
//! - [`Finding`]: one thing that was found, by the [`Rule`] of a stable code, at a [`Severity`], at a place;
//! - [`RULES`]: every rule there is, in one table; `docs/rules.md` tells them one by one.
//!
//! Findings come sorted (see [`sort`]), so that the same level gives the same bytes.
#![forbid(unsafe_code)]

pub mod audit;
mod catalogue;
pub mod diff;
pub mod explain;
mod finding;

pub use catalogue::{RULES, Rule, rule};
pub use finding::{Figure, Finding, Severity, sort};
