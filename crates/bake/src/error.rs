//! Errors of a bake, and the exit code of each kind.

use std::path::{Path, PathBuf};

use navbake_import::{ImportError, ImportErrorKind};

/// A fault of the config.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file, where it is known.
    pub file: Option<String>,
    /// The 1-based line, where it is known.
    pub line: Option<usize>,
    /// The problem and its remedy.
    pub message: String,
}

impl ConfigError {
    /// A fault without a place.
    pub fn new(message: impl Into<String>) -> Self {
        ConfigError { file: None, line: None, message: message.into() }
    }

    /// The same with the file named.
    pub fn in_file(mut self, file: &str) -> Self {
        self.file = Some(file.into());
        self
    }

    /// The same with the line named.
    pub fn at_line(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }
}

impl std::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}: {}", self.message),
            (Some(file), None) => write!(f, "{file}: {}", self.message),
            (None, Some(line)) => write!(f, "config, line {line}: {}", self.message),
            (None, None) => write!(f, "config: {}", self.message),
        }
    }
}

impl std::error::Error for ConfigError {}

/// Why a bake ended without a navmesh.
#[derive(Debug, thiserror::Error)]
pub enum BakeError {
    /// The config is at fault.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The level is at fault.
    #[error("{place}: {message}")]
    Input {
        /// The file and the place in it.
        place: String,
        /// The finding and the cure.
        message: String,
    },
    /// The level, or a file it refers to, could not be read or is not sound.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A file could not be read or written.
    #[error("{}: cannot {action}: {}{}", path.display(), navbake_import::reason(error), cure(action))]
    Io {
        /// The operation, for instance `write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// Something grew beyond a limit.
    #[error("over budget: {0}")]
    Budget(String),
    /// It was asked to stop. Tiles that were finished are in the cache.
    #[error("stopped before the end; run it again, which goes on where it stopped")]
    Stopped,
    /// A fault of navbake itself.
    #[error(
        "internal error in {stage}: {message}; this is a fault of navbake, please report it with the level"
    )]
    Internal {
        /// The stage, and the tile where there is one.
        stage: String,
        /// What happened.
        message: String,
    },
}

/// What to do about a file that cannot be read; other errors say it themselves.
fn cure(action: &str) -> &'static str {
    if action.starts_with("read") { "; check the path and the permissions" } else { "" }
}

impl BakeError {
    /// The exit code of the command line's contract: 2 config, 3 bad input, 4 I/O, 5 over a budget,
    /// 6 internal error, 75 stopped.
    pub fn exit_code(&self) -> u8 {
        match self {
            BakeError::Config(_) => 2,
            BakeError::Input { .. } => 3,
            BakeError::Import(error) => match error.kind {
                ImportErrorKind::BadInput => 3,
                ImportErrorKind::Io => 4,
                ImportErrorKind::Budget => 5,
            },
            BakeError::Io { .. } => 4,
            BakeError::Budget(_) => 5,
            BakeError::Internal { .. } => 6,
            BakeError::Stopped => 75,
        }
    }

    pub(crate) fn io(action: &'static str, path: &Path, error: std::io::Error) -> Self {
        BakeError::Io { action, path: path.into(), error }
    }

    pub(crate) fn input(place: impl Into<String>, message: impl Into<String>) -> Self {
        BakeError::Input { place: place.into(), message: message.into() }
    }

    pub(crate) fn internal(stage: impl Into<String>, message: impl Into<String>) -> Self {
        BakeError::Internal { stage: stage.into(), message: message.into() }
    }
}
