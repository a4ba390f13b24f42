//! Places that the config names.

use navbake_level::Marker;
use serde::{Deserialize, Serialize};

use super::settings::Config;

/// A place that has to be walkable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "each entry of `seeds` must be three numbers, [x, y, z] in metres, or a marker's name in quotes"
)]
pub enum Seed {
    /// A point, y-up metres.
    Point([f64; 3]),
    /// A marker of the level, by name.
    Marker(String),
}

impl Config {
    /// The places of `seeds`, y-up metres; the name of several markers gives each of them.
    pub fn seed_places(&self, markers: &[Marker]) -> Vec<[f64; 3]> {
        let places = self.seeds.iter().flat_map(|seed| match seed {
            Seed::Point(p) => vec![*p],
            Seed::Marker(name) => {
                markers.iter().filter(|m| m.name == *name).map(|m| m.position).collect()
            }
        });
        places.collect()
    }
}
