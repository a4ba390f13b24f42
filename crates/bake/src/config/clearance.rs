//! Ground near walls and ledges that costs more, so that units keep away where there is room.

use navbake_level::Area;
use serde::{Deserialize, Serialize};

use super::falloff::{Falloff, Profile};

/// How much more ground costs near its border: in bands that cost the same everywhere, and on the
/// cells of grid maps by their own distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClearanceConfig {
    /// How far off walls and ledges it reaches, m, beyond the agent's radius; 0 for none.
    pub range: f64,
    /// What ground at the wall costs, times its weight.
    pub peak: f64,
    /// How the cost falls from there.
    pub falloff: Falloff,
    /// How many bands the range is cut into, where their costs differ.
    pub bands: u32,
}

impl Default for ClearanceConfig {
    fn default() -> Self {
        ClearanceConfig { range: 0.0, peak: 3.0, falloff: Falloff::Linear, bands: 3 }
    }
}

/// The range over the least radius of an agent: up to there one lattice serves all bands.
pub(super) const MOST_RANGE: f64 = 12.0;

impl ClearanceConfig {
    /// Cost by the distance from a wall. Bands are numbered as by [`Area::band`].
    pub(crate) fn profile(&self) -> Profile {
        let ClearanceConfig { range, peak, falloff, bands } = *self;
        Profile { range, peak, falloff, bands }
    }

    /// All areas, once for each band.
    pub(crate) fn areas(&self, areas: &[Area]) -> Vec<Area> {
        let bands = self.profile().distances().len() as u8;
        let of = |band: u8| areas.iter().map(move |a| Area { band, ..a.clone() });
        (0..=bands).flat_map(of).collect()
    }
}
