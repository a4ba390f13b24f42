//! The command `navbake`: bakes levels into navmesh blobs, queries, checks, measures and draws
//! them.
//!
//! `args.rs` has the verbs and the options they share; `cmd/` has one file a verb with its own
//! options. Results go to stdout, everything else to stderr, and the exit codes of
//! [`failure::Exit`] mean the same for every verb.
#![deny(unsafe_code)]

mod args;
mod blob_file;
mod cache;
mod closed;
mod cmd;
mod examples;
mod failure;
mod files;
mod grid_args;
mod joined;
mod joined_rooms;
mod left_out;
mod mapped;
mod networks;
mod output;
mod place;
mod random_pairs;
mod run;
mod scenario;
mod search_args;
mod vehicle_args;

fn main() -> std::process::ExitCode {
    run::run()
}
