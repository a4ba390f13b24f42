//! One file a verb: its options and what it does.

pub(crate) mod bake;
mod bake_summary;
mod bake_text;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod config;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod export;
mod export_detour;
mod export_geojson;
mod export_godot;
pub(crate) mod farm;
pub(crate) mod import_detour;
pub(crate) mod info;
mod progress;
pub(crate) mod query;
pub(crate) mod shell;
mod tally;
pub(crate) mod tune;
pub(crate) mod view;
pub(crate) mod watch;
