//! The command `navbake`: bakes levels into navmesh blobs, looks into them, asks them for paths, measures and draws them.
//!
//! `args.rs` holds the options, with those of questions and searches in files of their own; `cmd/` holds one file a verb. Results go to stdout, talk goes to stderr, and the exit codes of
//! [`failure::Exit`] mean the same for every verb.
#![deny(unsafe_code)]

mod args;
mod blob_file;
mod closed;
mod cmd;
mod counts;
mod draw;
mod failure;
mod grid_options;
mod ground;
mod look_args;
mod mapped;
mod octile;
mod output;
mod place;
mod planners;
mod query_args;
mod random;
mod relief;
mod run;
mod scenario;
mod search_args;
mod surface;
mod tally;

fn main() -> std::process::ExitCode {
    run::run()
}
