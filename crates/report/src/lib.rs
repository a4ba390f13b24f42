//! What is wrong with a baked level, where, and what to do about it.
//!
//! - [`check`] looks at a navmesh file by every rule and gives a [`Report`];
//! - [`Finding`]: one thing that was found, by the [`Rule`] of a stable code, at a [`Severity`], at a place;
//! - [`RULES`]: every rule there is, in one table; `docs/rules.md` tells them one by one;
//! - [`html`]: the report as a page with a plan;
//! - [`text`], [`json`], [`sarif`], [`junit`]: the report for people and for programs;
//! - [`Settings`]: what is asked of the level, from `[check]` of its config or a file of rules.
//!
//! Findings come sorted (see [`sort`]), so that the same level gives the same bytes.
#![forbid(unsafe_code)]

pub mod audit;
mod catalogue;
mod contents;
pub mod diff;
pub mod explain;
mod finding;
mod html;
mod report;
mod rules;
mod settings;
mod subject;
mod tell;

pub use catalogue::{Rule, rule, rules};
pub use contents::{Contents, Sizes};
pub use finding::{Figure, Finding, Severity, sort};
pub use html::html;
pub use report::{Counts, NotRun, Report, Walked};
pub use rules::check;
pub use settings::{Settings, Unknown};
pub use subject::{Subject, Walker};
pub use tell::{Baseline, json, junit, sarif, text};
