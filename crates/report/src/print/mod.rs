//! Reports for people and programs.
//!
//! The same report gives the same bytes: reports contain no dates and no absolute paths.

mod baseline;
mod fingerprint;
mod json;
mod junit;
mod portable;
mod sarif;
mod text;

pub use baseline::Baseline;
pub use json::json;
pub use junit::junit;
pub use sarif::sarif;
pub use text::text;

pub(crate) use fingerprint::fingerprints;
pub(crate) use portable::portable;
