//! Rooms.

use super::Validity;
use crate::config::{Config, Seed};
use navbake_level::number::exact;

/// More levels than this change nothing.
const LEVELS: usize = 8;

impl Config {
    pub(super) fn validate_rooms(&self) -> Validity {
        let rooms = &self.rooms;
        let levels = rooms.alpha.len();
        if levels == 0 || levels > LEVELS {
            let found = format!(
                "`rooms.alpha` has {levels} numbers; it must have 1 to {LEVELS}, one a level"
            );
            return Err(self.fault("rooms.alpha", found));
        }
        for (i, &alpha) in rooms.alpha.iter().enumerate() {
            let path = format!("rooms.alpha[{i}]");
            if !(alpha > 0.0 && alpha < 1.0) {
                let found = format!("`{path}` is {}; it must be above 0 and below 1", exact(alpha));
                return Err(self.fault(&path, found));
            }
            if i > 0 && alpha >= rooms.alpha[i - 1] {
                let found = format!(
                    "`{path}` is {}; each level must have a lesser number than the one before",
                    exact(alpha)
                );
                return Err(self.fault(&path, found));
            }
        }
        for (key, table) in [("names", &rooms.names), ("doors", &rooms.doors)] {
            for (name, place) in table {
                let path = format!("rooms.{key}.{name}");
                if name.is_empty() {
                    return Err(self.fault(&path, format!("`rooms.{key}` has an empty name")));
                }
                if let Seed::Point(p) = place {
                    self.finite(&path, *p)?;
                }
            }
        }
        for name in rooms.doors.keys() {
            self.switch_is_known(&format!("rooms.doors.{name}"), &Some(name.clone()))?;
        }
        Ok(())
    }
}
