//! Tests of the command line, run as a user runs it.

mod areas;
mod attacks;
mod bad_files;
mod bake;
mod bake_files;
mod bake_tables;
mod cache;
mod check;
mod closed;
mod common;
mod crossing;
mod docs;
mod explain;
mod fits;
mod fixtures;
mod grid;
mod query;
mod query_motion;
mod recipe;
mod rooms;
mod search;
mod storeys;
mod turning;
mod unpacked;
