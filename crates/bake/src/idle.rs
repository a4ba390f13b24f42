//! Warns of settings that have no effect beside the others.

use navbake_level::Warning;

use crate::config::{ClearanceConfig, Config, RoomsConfig};

/// A warning for each table with settings and without the one that turns it on.
pub(crate) fn warnings(config: &Config) -> Vec<Warning> {
    let found = [rooms(&config.rooms), clearance(&config.clearance)];
    let drops = config.agents.iter().filter(|a| a.drop > 0.0 && a.drop <= a.climb);
    let drops = drops.map(|a| {
        let message = format!(
            "agent `{}`: `drop` {} m is not above `climb` {} m: no drops are found; give a deeper one",
            a.name, a.drop, a.climb
        );
        ("[[agent]]", message)
    });
    let all = found.into_iter().flatten().chain(drops);
    all.map(|(place, message)| Warning { code: "no-effect", message, place: place.into() })
        .collect()
}

type Idle = Option<(&'static str, String)>;

fn rooms(rooms: &RoomsConfig) -> Idle {
    let plain = RoomsConfig { min_area: rooms.min_area, ..RoomsConfig::default() };
    let is_idle = !rooms.enabled && *rooms != plain;
    let message = "`[rooms]` has settings and no effect: `enabled` is false; set it to true";
    is_idle.then(|| ("[rooms]", message.into()))
}

fn clearance(clearance: &ClearanceConfig) -> Idle {
    let is_idle = clearance.range == 0.0 && *clearance != ClearanceConfig::default();
    let message =
        "`[clearance]` has settings and no effect: `range` is 0; give the distance from walls, m";
    is_idle.then(|| ("[clearance]", message.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_without_the_one_that_turns_them_on_are_warned_of() {
        let places = |text: &str| {
            let config = Config::parse(text).unwrap().resolved(false).unwrap();
            let warnings = warnings(&config).into_iter();
            warnings.map(|w| w.message).collect::<Vec<String>>().join("; ")
        };
        assert_eq!(places(""), "");
        assert_eq!(places("[rooms]\nenabled = true\n[rooms.names]\nhall = [0, 0, 0]\n"), "");
        assert!(places("[rooms.names]\nhall = [0, 0, 0]\n").contains("`enabled` is false"));
        assert!(places("[clearance]\npeak = 5.0\n").contains("`range` is 0"));
        assert_eq!(places("[clearance]\nrange = 1.0\npeak = 5.0\n"), "");
        assert!(places("[[agent]]\ndrop = 0.3\n").contains("`drop` 0.3 m"));
        assert_eq!(places("[[agent]]\ndrop = 3.0\n"), "");
    }
}
