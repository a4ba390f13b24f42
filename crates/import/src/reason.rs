//! Why the system refuses a file, in plain words.

use std::io::{Error, ErrorKind};

/// The reason of an error of the file system, without the system's numbers.
///
/// ```
/// let error = std::fs::read("no/such/file").unwrap_err();
/// assert_eq!(navbake_import::reason(&error), "no such file or folder");
/// ```
pub fn reason(error: &Error) -> String {
    match error.kind() {
        // Errors of our own have their words.
        _ if error.get_ref().is_some() => error.to_string(),
        ErrorKind::NotFound => "no such file or folder".into(),
        ErrorKind::PermissionDenied => "permission denied".into(),
        ErrorKind::IsADirectory => "it is a folder".into(),
        ErrorKind::NotADirectory => "a part of its path is a file, not a folder".into(),
        _ => {
            let text = error.to_string();
            let words = text.split(" (os error").next().unwrap_or(&text);
            // Systems begin with a capital letter.
            let mut rest = words.chars();
            let first = rest.next().map(char::to_lowercase);
            first.into_iter().flatten().chain(rest).collect()
        }
    }
}
