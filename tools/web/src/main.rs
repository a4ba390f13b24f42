//! The baker behind `npm/bake.js`, for WASI: one level in, its navmesh out.
//!
//! `navbake-web LEVEL <CONFIG.toml >LEVEL.nav` bakes as `navbake bake` does, on one thread and
//! without a cache. Every line on stderr is a JSON object: how far a stage is, and last the result
//! or why there is none. The exit code is that of the command.
#![forbid(unsafe_code)]

use std::io::{self, Read, Write};
use std::panic;
use std::path::Path;
use std::process::ExitCode;

use navbake_bake::{BakeError, BakeInput, Baked, Config, Note, Options, Progress, Summary};
use serde::Serialize;

/// A line on stderr.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Line<'a> {
    /// How far a stage is.
    Progress { stage: &'a str, done: usize, total: usize },
    /// The figures of the bake.
    Report(&'a Summary),
    /// Why there is no navmesh, with the exit code, and what was noticed while the level was read.
    Error { code: u8, message: String, warnings: Vec<Note> },
}

fn say(line: &Line<'_>) {
    if let Ok(line) = serde_json::to_string(line) {
        // Without a reader of the lines the bake still ends.
        let _ = writeln!(io::stderr().lock(), "{line}");
    }
}

fn main() -> ExitCode {
    panic::set_hook(Box::new(|info| {
        let message = format!(
            "internal error: {}; this is a bug in navbake, please report it with its input",
            info.to_string().replace('\n', " ")
        );
        say(&Line::Error { code: 6, message, warnings: vec![] });
    }));
    let mut words = std::env::args_os().skip(1);
    let (Some(level), None) = (words.next(), words.next()) else {
        return refuse(2, "usage: navbake-web LEVEL <CONFIG.toml >LEVEL.nav", &[]);
    };
    let mut warnings = vec![];
    match bake(level.as_ref(), &mut warnings) {
        Ok(baked) => {
            let mut stdout = io::stdout().lock();
            match stdout.write_all(&baked.bytes).and_then(|()| stdout.flush()) {
                Ok(()) => {
                    say(&Line::Report(&baked.summary));
                    ExitCode::SUCCESS
                }
                Err(error) => refuse(4, error, &[]),
            }
        }
        Err(error) => refuse(error.exit_code(), error, &warnings),
    }
}

/// Bakes the level of a file by the config on stdin. Gives what was noticed while it was read.
fn bake(level: &Path, warnings: &mut Vec<Note>) -> Result<Baked, BakeError> {
    let mut text = String::new();
    io::stdin().lock().read_to_string(&mut text).map_err(|error| BakeError::Io {
        action: "read the config",
        path: "stdin".into(),
        error,
    })?;
    let input = BakeInput::open_to_bake(level, &Config::parse(&text)?)?;
    warnings.extend(input.warnings().iter().map(Note::from));
    let progress = |Progress { stage, done, total }| say(&Line::Progress { stage, done, total });
    input.bake(&Options { threads: 1, progress: Some(&progress), ..Options::default() })
}

fn refuse(code: u8, message: impl ToString, warnings: &[Note]) -> ExitCode {
    say(&Line::Error { code, message: message.to_string(), warnings: warnings.to_vec() });
    ExitCode::from(code)
}
