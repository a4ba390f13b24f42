//! Reports on baked levels: contents, problems, changes and explanations.
//!
//! - [`check`] checks a blob against all [rules] and returns a [`Report`] of [`Finding`]s;
//! - [`Settings`]: the `[check]` section of a config or of a rules file;
//! - [`html`], [`text`], [`json`], [`sarif`], [`junit`]: the report for people and programs;
//! - [`Live`]: the same as a page that a server keeps up to date;
//! - [`diff`]: the changes between two blobs;
//! - [`explain`]: why a point is or is not walkable;
//! - [`audit`]: the navmesh measured against the level's triangles;
//! - [`Contents`]: the contents of a blob.
//!
//! Findings are sorted (see [`sort`]), so the same level gives the same bytes.
#![forbid(unsafe_code)]

pub mod audit;
mod catalogue;
mod cell_map;
mod contents;
pub mod diff;
pub mod explain;
mod finding;
mod html;
mod print;
mod report;
mod ring;
mod rule;
mod rules;
mod settings;
mod severities;
mod subject;
pub mod why;

pub use catalogue::{rule, rules};
pub use contents::{Contents, Sizes};
pub use finding::{Figure, Finding, Object, Severity, sort};
pub use html::{Before, EarlierDrawing, LevelDrawing, Live, html};
pub use print::{Baseline, json, junit, sarif, text};
pub use report::{Counts, Report};
pub use rule::Rule;
pub use rules::found::{NotRun, Walked};
pub use rules::{check, check_decoded};
pub use settings::Settings;
pub use severities::Unknown;
pub use subject::{Meshes, Subject, Walker};
