//! Seeds and markers: the places that keep an island.

use navbake_level::Marker;

use crate::config::{Config, Seed};
use crate::error::ConfigError;
use crate::nearest;

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
        let hint = match nearest::name(name, markers.iter().map(|m| m.name.as_str())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "the level has no markers; give points instead".into(),
        };
        return Err(ConfigError::new(format!(
            "`seeds[{i}]`: the level has no marker called `{name}`; {hint}"
        )));
    }
    Ok(())
}
