//! Markers that the config names.

use navbake_level::Marker;

use crate::config::{Config, Seed};
use crate::error::ConfigError;
use crate::nearest;

/// More names than this are not listed in a message.
const LISTED: usize = 8;

/// Checks that every seed, field, room and door that names a marker has one.
///
/// # Errors
/// When one has none; the message says which markers there are.
pub(crate) fn validate(config: &Config, markers: &[Marker]) -> Result<(), ConfigError> {
    let seeds = config.seeds.iter().enumerate();
    let mut all: Vec<(String, &Seed)> = seeds.map(|(i, s)| (format!("seeds[{i}]"), s)).collect();
    for (i, field) in config.fields.iter().enumerate() {
        let points = field.points.iter().enumerate();
        all.extend(points.map(|(k, point)| (format!("field[{i}].points[{k}]"), point)));
    }
    let rooms = &config.rooms;
    for (key, table) in [("names", &rooms.names), ("doors", &rooms.doors)] {
        let places = table.iter();
        all.extend(places.map(|(name, place)| (format!("rooms.{key}.{name}"), place)));
    }
    for (path, seed) in all {
        let Seed::Marker(name) = seed else { continue };
        if !markers.iter().any(|m| m.name == *name) {
            let hint = hint(name, markers);
            let found = format!("`{path}`: the level has no marker called `{name}`; {hint}");
            return Err(config.fault_at(&path, found));
        }
    }
    Ok(())
}

/// A hint at valid places, for a name that no marker has.
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
