//! Where results and talk go.
//!
//! Results go to stdout in one piece. Talk goes to stderr, is never needed by a script, and a closed stderr stops nothing.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use serde::Serialize;

use crate::args::{Common, Format};
use crate::failure::{Exit, Failure};

/// The voice of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    format: Format,
    quiet: bool,
    verbose: bool,
}

impl Output {
    pub(crate) fn new(common: &Common) -> Output {
        Output {
            format: common.format,
            quiet: common.quiet,
            verbose: common.verbose > 0,
        }
    }

    /// Were results asked for as JSON?
    pub(crate) fn json(&self) -> bool {
        self.format == Format::Json
    }

    /// Prints a result: `value` as one line of JSON, or the text that `text` makes.
    pub(crate) fn result<T: Serialize>(
        &self,
        value: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<(), Failure> {
        if self.json() {
            let line = serde_json::to_string(value).map_err(Failure::internal)?;
            print(format!("{line}\n").as_bytes())
        } else {
            print(text(value).as_bytes())
        }
    }

    /// Something that went well, for people; silent with `-q`.
    pub(crate) fn say(&self, message: impl Display) {
        if !self.quiet {
            talk(message);
        }
    }

    /// Something people rarely want to know; only with `-v`.
    pub(crate) fn detail(&self, message: impl Display) {
        if self.verbose && !self.quiet {
            talk(message);
        }
    }

    /// Was more asked for, with `-v`?
    pub(crate) fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Something that is not as it should be; silent with `-q`.
    pub(crate) fn warn(&self, message: impl Display) {
        self.say(format_args!("warning: {message}"));
    }

    /// May a progress bar be drawn?
    pub(crate) fn animated(&self) -> bool {
        !self.quiet
            && io::stderr().is_terminal()
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
    }
}

/// One line on stderr.
pub(crate) fn talk(message: impl Display) {
    // A closed stderr must not stop the work.
    let _ = writeln!(io::stderr().lock(), "{message}");
}

/// Reports why a command failed.
pub(crate) fn complain(failure: &Failure) {
    talk(format_args!("navbake: {}", failure.message));
}

/// Writes to stdout. A reader that has gone away (`navbake .. | head`) ends the program quietly.
pub(crate) fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            std::process::exit(Exit::Done as i32)
        }
        Err(error) => Err(Failure::io(Path::new("stdout"), "write", &error)),
    }
}

/// Is it `-`, the name of stdin and stdout?
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Writes a file whole or not at all: a temporary file beside it, then a rename. `-` is stdout.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if is_dash(path) {
        return print(bytes);
    }
    navbake_bake::output::write_whole(path, bytes)
        .map_err(|error| Failure::new(error.exit_code(), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_folder_is_an_io_failure_that_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let failure = write_whole(&folder.path().join("no/such.obj"), b"").unwrap_err();
        assert_eq!(failure.code, Exit::Io as u8);
        assert!(failure.message.contains("such.obj"), "{}", failure.message);
    }
}
