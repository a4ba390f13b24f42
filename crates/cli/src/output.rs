//! Output: results to stdout, messages to stderr.
//!
//! Results are written in one piece. Scripts never need the messages, and a closed stderr stops
//! nothing.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use serde::Serialize;

use crate::args::{Common, Format};
use crate::failure::{Exit, Failure};

/// How and how much to print.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    format: Format,
    quiet: bool,
    verbose: bool,
}

impl Output {
    pub(crate) fn new(common: &Common) -> Output {
        Output { format: common.format, quiet: common.quiet, verbose: common.verbose > 0 }
    }

    /// Whether results are printed as JSON.
    pub(crate) fn json(&self) -> bool {
        self.format == Format::Json
    }

    /// Prints a result: `value` as one line of JSON, or its `text`.
    pub(crate) fn result<T: Serialize>(
        &self,
        value: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<(), Failure> {
        if self.json() {
            let line = serde_json::to_string(value).map_err(Failure::internal)?;
            print(format!("{line}\n").as_bytes())
        } else {
            print(visible(&text(value)).as_bytes())
        }
    }

    /// Prints a message, unless `-q` is given.
    pub(crate) fn say(&self, text: impl Display) {
        if !self.quiet {
            message(text);
        }
    }

    /// Prints a message if `-v` is given.
    pub(crate) fn detail(&self, text: impl Display) {
        if self.verbose && !self.quiet {
            message(text);
        }
    }

    /// Whether `-v` is given.
    pub(crate) fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Prints a warning, unless `-q` is given.
    pub(crate) fn warn(&self, message: impl Display) {
        self.say(format_args!("warning: {}", one_line(&message.to_string())));
    }

    /// Whether a progress bar may be drawn.
    pub(crate) fn animated(&self) -> bool {
        !self.quiet
            && io::stderr().is_terminal()
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
    }
}

/// Text for a terminal: characters that would command it, or turn the order of others around, are
/// written as Rust writes them (`\\u{1b}`), as names in files can have any. Line breaks and tabs
/// stay.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let is_hidden = |c: char| match c {
        '\n' | '\t' => false,
        // Marks, embeddings, overrides and isolates of bidirectional text, separators, tags.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => c.is_control(),
    };
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_hidden(c) {
            true => drop(write!(out, "{}", c.escape_default())),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The same in one line, so that no name begins a line of its own.
fn one_line(text: &str) -> String {
    visible(text).replace('\n', "\\n")
}

/// Prints a line to stderr.
pub(crate) fn message(message: impl Display) {
    // A closed stderr must not stop the work.
    let _ = writeln!(io::stderr().lock(), "{}", visible(&message.to_string()));
}

/// Prints why a command failed.
pub(crate) fn complain(failure: &Failure) {
    message(format_args!("navbake: {}", one_line(&failure.message)));
}

/// Writes to stdout. A closed pipe (`navbake .. | head`) ends the program quietly.
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

/// Whether a path is `-`, the name of stdin and stdout.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Writes a file through a temporary file and a rename; `-` is stdout.
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
    fn no_character_commands_the_terminal() {
        let text = "a\u{1b}[31m\u{7}\u{9b}\u{202e}b\tc\nd \u{e9}";
        let shown = "a\\u{1b}[31m\\u{7}\\u{9b}\\u{202e}b\tc\nd \u{e9}";
        assert_eq!(visible(text), shown);
        assert_eq!(one_line("a\nnavbake: b"), "a\\nnavbake: b");
    }

    #[test]
    fn a_missing_folder_is_an_io_failure_that_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let failure = write_whole(&folder.path().join("no/such.obj"), b"").unwrap_err();
        assert_eq!(failure.code, Exit::Io as u8);
        assert!(failure.message.contains("such.obj"), "{}", failure.message);
    }
}
