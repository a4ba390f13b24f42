//! Why a file could not be read.

use std::fmt;
use std::path::{Path, PathBuf};

/// The kind of failure, which decides the command's exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportErrorKind {
    /// The named file itself cannot be opened or read, or one that it refers to is there and
    /// cannot be read.
    Io,
    /// The file was read and is not a sound level, or something it refers to is missing or
    /// forbidden.
    BadInput,
    /// The level takes more memory than [`memory`](crate::ImportOptions::memory) allows.
    Budget,
}

/// Why a file could not be read: one finding, with its place and its cure.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportError {
    /// The kind of failure.
    pub kind: ImportErrorKind,
    /// The file it was found in.
    pub file: PathBuf,
    /// The place in the file: a line, a byte offset or a JSON pointer; empty for the whole file.
    pub place: String,
    /// The value found, and the one expected.
    pub finding: String,
    /// How to fix it.
    pub cure: String,
}

impl ImportError {
    pub(crate) fn io(file: &Path, finding: impl Into<String>, cure: impl Into<String>) -> Self {
        ImportError {
            kind: ImportErrorKind::Io,
            file: file.to_owned(),
            place: String::new(),
            finding: finding.into(),
            cure: cure.into(),
        }
    }

    /// The same about a file that another one names: to name one that is not there is a fault of
    /// the other, and a file that is there and cannot be read is none.
    pub(crate) fn about(self, named: &Path) -> Self {
        match named.is_file() {
            true => ImportError { kind: ImportErrorKind::Io, ..self },
            false => self,
        }
    }

    pub(crate) fn bad(
        file: &Path,
        place: impl Into<String>,
        finding: impl Into<String>,
        cure: impl Into<String>,
    ) -> Self {
        ImportError {
            kind: ImportErrorKind::BadInput,
            file: file.to_owned(),
            place: place.into(),
            finding: finding.into(),
            cure: cure.into(),
        }
    }
}

impl fmt::Display for ImportError {
    /// One line, whatever names are in it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.file.display().to_string();
        if !self.place.is_empty() {
            text += &format!(", {}", self.place);
        }
        text += &format!(": {}", self.finding);
        if !self.cure.is_empty() {
            text += &format!("; {}", self.cure);
        }
        f.write_str(&text.replace('\n', "\\n"))
    }
}

impl std::error::Error for ImportError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_whatever_names_are_in_it() {
        let error = ImportError::bad(Path::new("a.glb"), "/k\nd", "no key `k\nd`", "rename it");
        assert_eq!(error.to_string(), "a.glb, /k\\nd: no key `k\\nd`; rename it");
    }
}
