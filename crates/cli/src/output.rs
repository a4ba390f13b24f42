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
            message(visible(&text.to_string()));
        }
    }

    /// Prints a message if `-v` is given.
    pub(crate) fn detail(&self, text: impl Display) {
        if self.verbose && !self.quiet {
            message(visible(&text.to_string()));
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

/// The style of what begins a message: bold red on a terminal, nothing elsewhere, with `NO_COLOR`
/// or on a dumb terminal.
struct Style(bool);

fn style(stream: &impl IsTerminal) -> Style {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    Style(stream.is_terminal() && !is_set("NO_COLOR") && !dumb)
}

impl Display for Style {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.0, f.alternate()) {
            (false, _) => Ok(()),
            (true, false) => f.write_str("\x1b[1;31m"),
            (true, true) => f.write_str("\x1b[0m"),
        }
    }
}

/// Prints a line to stderr.
pub(crate) fn message(message: impl Display) {
    // A closed stderr must not stop the work.
    let _ = writeln!(io::stderr().lock(), "{message}");
}

/// Prints why a command failed; with `json` also to stdout, as one object.
pub(crate) fn complain(failure: &Failure, json: bool) {
    if json {
        // What stdout does not take is said on stderr anyway.
        let _ = print(format!("{}\n", failure.json()).as_bytes());
    }
    let style = style(&io::stderr());
    // Help after a mistake on the command line has several lines.
    let text = match failure.code == Exit::Usage as u8 {
        true => visible(&failure.message),
        false => Cow::Owned(one_line(&failure.message)),
    };
    message(format_args!("{style}navbake:{style:#} {text}"));
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
    fn colour_is_for_terminals() {
        let style = |on| format!("{}navbake:{:#}", Style(on), Style(on));
        assert_eq!(style(false), "navbake:");
        assert_eq!(style(true), "\x1b[1;31mnavbake:\x1b[0m");
    }
}
