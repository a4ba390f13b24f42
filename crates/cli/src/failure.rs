//! Exit codes and errors of the command.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use navbake_bake::BakeError;

/// The exit codes of the program. Scripts rely on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success.
    Done = 0,
    /// Success, with findings that make the command fail.
    Findings = 1,
    /// An option or the config is wrong.
    Usage = 2,
    /// A level or a blob is invalid.
    BadInput = 3,
    /// A file could not be read or written.
    Io = 4,
    /// More memory than there is.
    Budget = 5,
    /// A bug.
    Internal = 6,
    /// Jobs of a plan are to be run again.
    Again = 75,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command failed: a message for people and an exit code. The first `; ` in the message
/// divides the finding from its cure.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The exit code.
    pub(crate) code: u8,
    /// File, place in it, what was found, and the cure.
    pub(crate) message: String,
    /// The place in the level, y-up metres, where there is one.
    pub(crate) place: Option<[f64; 3]>,
}

impl Failure {
    /// An option or the config is wrong.
    pub(crate) fn usage(message: impl Display) -> Failure {
        Failure::new(Exit::Usage as u8, message)
    }

    /// A level, a blob or a scenario is invalid.
    pub(crate) fn input(message: impl Display) -> Failure {
        Failure::new(Exit::BadInput as u8, message)
    }

    /// A file could not be read or written. `doing` is a verb such as `read`.
    pub(crate) fn io(path: &Path, doing: &str, error: &io::Error) -> Failure {
        let cure = match doing {
            "read" if path.is_dir() => "; name a file",
            "read" => "; check the path and the permissions",
            _ => "",
        };
        let reason = navbake_import::reason(error);
        let found = format!("{}: cannot {doing}: {reason}{cure}", path.display());
        Failure::new(Exit::Io as u8, found)
    }

    /// A bug in navbake.
    pub(crate) fn internal(message: impl Display) -> Failure {
        Failure::new(
            Exit::Internal as u8,
            format_args!(
                "internal error: {message}; this is a bug in navbake, please report it with its input"
            ),
        )
    }

    /// Any exit code.
    pub(crate) fn new(code: u8, message: impl Display) -> Failure {
        Failure { code, message: message.to_string(), place: None }
    }

    /// As one line of JSON, which all verbs print in the same form.
    pub(crate) fn json(&self) -> String {
        let (message, cure) = match self.message.split_once("; ") {
            Some((message, cure)) => (message, Some(cure)),
            None => (self.message.as_str(), None),
        };
        let code = match self.code {
            1 => "findings",
            2 => "usage",
            3 => "bad-input",
            4 => "io",
            5 => "budget",
            75 => "again",
            _ => "internal",
        };
        let error = serde_json::json!({
            "code": code, "exit": self.code, "message": message, "place": self.place, "cure": cure
        });
        serde_json::json!({ "error": error }).to_string()
    }
}

/// A failed bake.
pub(crate) fn failed(error: BakeError) -> Failure {
    Failure::new(error.exit_code(), error.to_string().replace('\n', " "))
}
