//! Places that the config names.

use navbake_level::Marker;
use serde::{Deserialize, Serialize};

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

/// The places that are meant, y-up metres; the name of several markers gives each of them.
pub(crate) fn places(seeds: &[Seed], markers: &[Marker]) -> Vec<[f64; 3]> {
    let places = seeds.iter().flat_map(|seed| match seed {
        Seed::Point(p) => vec![*p],
        Seed::Marker(name) => {
            markers.iter().filter(|m| m.name == *name).map(|m| m.position).collect()
        }
    });
    places.collect()
}

/// A marker beside those of the level's file; OBJ files and grid maps have none of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkerConfig {
    /// Its name; several markers can share one.
    pub name: String,
    /// Where it is, y-up metres.
    pub position: [f64; 3],
}

impl From<&MarkerConfig> for Marker {
    fn from(marker: &MarkerConfig) -> Marker {
        Marker { name: marker.name.clone(), position: marker.position }
    }
}
