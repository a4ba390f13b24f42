//! Errors of a config's text.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys;
use super::lines::Lines;
use crate::error::ConfigError;
use crate::nearest;

/// Refuses old names of keys, and keys that are gone; `within` is the table that the text is of,
/// `check.` or nothing.
pub(super) fn refuse_renamed(lines: &Lines, within: &str) -> Result<(), ConfigError> {
    for (old, new) in keys::RENAMED {
        let line = old.strip_prefix(within).and_then(|old| lines.of(old));
        if let Some(line) = line {
            let found = format!("`{old}` is now called `{new}`; rename it");
            return Err(ConfigError::new(found).at_line(line));
        }
    }
    for (old, why) in keys::REMOVED {
        let line = old.strip_prefix(within).and_then(|old| lines.of(old));
        if let Some(line) = line {
            let found = format!("`{old}` is no key any more: {why}; remove the line");
            return Err(ConfigError::new(found).at_line(line));
        }
    }
    Ok(())
}

/// The 1-based line of a byte offset.
fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset.min(text.len())].iter().filter(|&&b| b == b'\n').count()
}

/// A value of the wrong kind in the words of TOML: `is the text "0.5"; it must be a number`.
fn plain(message: &str) -> Option<String> {
    let (found, expected) = message.rsplit_once(", expected ")?;
    let found = if let Some(length) = found.strip_prefix("invalid length ") {
        format!("has the length {length}")
    } else {
        let found =
            found.strip_prefix("invalid type: ").or(found.strip_prefix("invalid value: "))?;
        let (kind, value) = found.split_once([' ']).unwrap_or((found, ""));
        let value = value.trim_start_matches("point ").trim_matches('`');
        match kind {
            "string" => format!("is the text {value}"),
            "map" => "is a table".into(),
            "sequence" => "is a list".into(),
            "integer" | "floating" | "boolean" => format!("is {value}"),
            _ => format!("is {found}"),
        }
    };
    let expected = match expected.split_whitespace().collect::<Vec<_>>()[..] {
        ["f32" | "f64"] => "a number".into(),
        ["u8"] => format!("a whole number, 0 to {}", u8::MAX),
        ["u16"] => format!("a whole number, 0 to {}", u16::MAX),
        ["u32"] => format!("a whole number, 0 to {}", u32::MAX),
        ["u64" | "usize"] => "a whole number, 0 or more".into(),
        ["i8" | "i16" | "i32" | "i64" | "isize"] => "a whole number".into(),
        ["a", "boolean"] => "true or false".into(),
        ["a", "string"] | ["string"] => "text in quotes".into(),
        ["a", "sequence"] => "a list in brackets".into(),
        ["an", "array", "of", "length", n] => format!("a list of {n} numbers"),
        ["a", "map"] | ["struct", _] => "a table".into(),
        _ => expected.into(),
    };
    Some(format!("{found}; it must be {expected}"))
}

/// The path of the value at a byte offset.
fn key_at(path: &str, table: &DeTable<'_>, offset: usize) -> Option<String> {
    table.iter().find_map(|(key, value)| {
        let name = key.get_ref();
        let path = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
        value_at(path, value, offset)
    })
}

fn value_at(path: String, value: &Spanned<DeValue<'_>>, offset: usize) -> Option<String> {
    let inner = match value.get_ref() {
        // Tables under a head end before their keys do.
        DeValue::Table(table) => key_at(&path, table, offset),
        DeValue::Array(list) => (list.iter().enumerate())
            .find_map(|(i, element)| value_at(format!("{path}[{i}]"), element, offset)),
        _ => None,
    };
    inner.or_else(|| value.span().contains(&offset).then_some(path))
}

/// Tables of the config that are lists.
const LISTS: [&str; 9] =
    ["agent", "area", "rule", "volume", "link", "marker", "network", "switch", "vehicle"];

/// Keys of an agent, which are often put at the top.
const OF_AGENT: [&str; 8] =
    ["radius", "height", "climb", "slope", "drop", "jump", "uphill", "downhill"];

/// Turns an error of the TOML reader into ours: one line of text, the line it is in, and the
/// nearest known name where one is wrong.
pub(super) fn fault_of(error: &toml::de::Error, text: &str) -> ConfigError {
    let message = error.message().lines().collect::<Vec<_>>().join("; ");
    let span = error.span().unwrap_or(0..0);
    let key = DeTable::parse(text).ok().and_then(|all| key_at("", all.get_ref(), span.start));
    let subject = key.as_ref().map_or("the value".into(), |key| format!("`{key}`"));
    let written = text.get(span).unwrap_or("").lines().next().unwrap_or("").trim();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let message = match quoted.split_first() {
        Some((found, known)) if message.starts_with("unknown field") => {
            let hint = if OF_AGENT.contains(found) && known.contains(&"agent") {
                "; it is a key of [[agent]]".into()
            } else {
                near(found, known)
            };
            format!("unknown key `{found}`{hint}; known: {}", known.join(", "))
        }
        Some((found, known)) if message.starts_with("unknown variant") => {
            let hint = near(found, known);
            format!("{subject} is `{found}`{hint}; it must be one of {}", known.join(", "))
        }
        Some((missing, _)) if message.starts_with("missing field") => {
            format!("{subject} has no `{missing}`; add it")
        }
        _ if message == "wanted string or table" => {
            format!("{subject} is {written}; it must be text in quotes")
        }
        _ if message == "duplicate key" && !written.is_empty() => {
            format!("`{written}` is given twice; remove one")
        }
        _ => match (plain(&message), key) {
            (Some(_), Some(key)) if LISTS.contains(&key.as_str()) && written.starts_with('[') => {
                format!("`{key}` is one table; write [[{key}]], as there can be several")
            }
            (Some(plain), _) => format!("{subject} {plain}"),
            (None, _) => message,
        },
    };
    let fault = ConfigError::new(message);
    match error.span() {
        Some(span) => fault.at_line(line_of(text, span.start)),
        None => fault,
    }
}

fn near(found: &str, known: &[&str]) -> String {
    let near = nearest::name(found, known.iter().copied());
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
