//! Tests of the command line, run as a user runs it.

mod areas;
mod attacks;
mod bad_files;
mod bake;
mod bake_files;
mod bake_tables;
mod cache;
mod check;
mod chunks;
mod closed;
mod common;
mod crossing;
mod docs;
mod explain;
mod farm;
#[cfg(target_os = "linux")]
mod faults;
mod first_hour;
mod fits;
mod fixtures;
mod godot;
mod grid;
mod help;
mod left_out;
mod mistakes;
mod query;
mod query_motion;
mod recipe;
mod rooms;
mod schemas;
mod search;
mod storeys;
mod techniques;
mod turning;
mod unpacked;
mod watch;
