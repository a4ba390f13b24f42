//! Seeds and markers: the places that keep an island.

use navbake_level::Marker;

use crate::config::{Config, Seed};
use crate::error::ConfigError;
use crate::nearest;

/// More names than this are not listed in a message.
const LISTED: usize = 8;

/// Does every seed that is a name have a marker?
///
/// # Errors
/// When one has none; the message says which names there are.
pub(crate) fn judge(config: &Config, markers: &[Marker]) -> Result<(), ConfigError> {
    for (i, seed) in config.seeds.iter().enumerate() {
        let Seed::Marker(name) = seed else { continue };
        if markers.iter().any(|m| m.name == *name) {
            continue;
        }
        let hint = hint(name, markers);
        let path = format!("seeds[{i}]");
        let found = format!("`{path}`: the level has no marker called `{name}`; {hint}");
        return Err(config.in_its_file(config.fault(&path, found)));
    }
    Ok(())
}

/// What to write instead of a name that no marker has.
pub(crate) fn hint(name: &str, markers: &[Marker]) -> String {
    if markers.is_empty() {
        return "it has no markers at all; give points instead".into();
    }
    let names = || markers.iter().map(|m| m.name.as_str());
    if let Some(near) = nearest::name(name, names()) {
        return format!("did you mean `{near}`?");
    }
    let listed: Vec<String> = names().take(LISTED).map(|n| format!("`{n}`")).collect();
    let more = match markers.len().saturating_sub(LISTED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("its markers are {}{more}", listed.join(", "))
}
