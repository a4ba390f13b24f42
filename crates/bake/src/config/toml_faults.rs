//! Errors of a config's text.

use super::keys;
use super::lines::Lines;
use crate::error::ConfigError;
use crate::nearest;

/// Refuses old names of keys; `within` is the table that the text is of, `check.` or nothing.
pub(super) fn refuse_renamed(lines: &Lines, within: &str) -> Result<(), ConfigError> {
    for (old, new) in keys::RENAMED {
        let line = old.strip_prefix(within).and_then(|old| lines.of(old));
        if let Some(line) = line {
            let found = format!("`{old}` is now called `{new}`; rename it");
            return Err(ConfigError::new(found).at_line(line));
        }
    }
    Ok(())
}

/// The 1-based line of a byte offset.
fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset.min(text.len())].iter().filter(|&&b| b == b'\n').count()
}

/// Turns an error of the TOML reader into ours: one line of text, the line it is in, and the
/// nearest known name where one is wrong.
pub(super) fn fault_of(error: &toml::de::Error, text: &str) -> ConfigError {
    let mut message = error.message().lines().collect::<Vec<_>>().join("; ");
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let unknown = message.starts_with("unknown field") || message.starts_with("unknown variant");
    if unknown && let Some((found, known)) = quoted.split_first() {
        let what =
            if message.starts_with("unknown field") { "unknown key" } else { "unknown value" };
        let of_agent = ["radius", "height", "climb", "slope", "drop", "jump", "uphill", "downhill"]
            .contains(found);
        let hint = if of_agent && known.contains(&"agent") {
            "it is a key of [[agent]]. ".into()
        } else {
            match nearest::name(found, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`? "),
                None => String::new(),
            }
        };
        message = format!("{what} `{found}`; {hint}Known are: {}", known.join(", "));
    }
    let fault = ConfigError::new(message);
    match error.span() {
        Some(span) => fault.at_line(line_of(text, span.start)),
        None => fault,
    }
}
