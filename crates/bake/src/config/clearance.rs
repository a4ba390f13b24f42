//! Ground near walls and ledges that costs more, so that units keep away where there is room.

use navbake_level::Area;
use serde::{Deserialize, Serialize};

/// How much more ground costs near its border. It is cut into bands that cost the same everywhere.
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

/// How cost falls with the distance from a wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Falloff {
    /// Evenly, to 1 at the end of the range.
    #[default]
    Linear,
    /// As the normal distribution does, with three standard deviations in the range.
    Gaussian,
    /// Not at all up to the end of the range.
    None,
}

/// The range over the least radius of an agent: up to there one lattice serves all bands.
pub(super) const MOST_RANGE: f64 = 12.0;

impl ClearanceConfig {
    /// Is there any of it?
    pub(crate) fn is_on(&self) -> bool {
        self.range > 0.0
    }

    /// How far off the wall bands end, m, ascending. Bands of the same cost are one.
    pub(crate) fn distances(&self) -> Vec<f64> {
        let bands = self.count();
        let count = if self.is_on() { bands } else { 0 };
        let end = |k: u32| self.range * f64::from(k) / f64::from(bands);
        (1..=count).map(end).collect()
    }

    /// The number of bands in the range whose costs differ.
    fn count(&self) -> u32 {
        let is_even = self.falloff == Falloff::None || self.peak == 1.0;
        if is_even { 1 } else { self.bands }
    }

    /// The factor on the weight of ground in a band, as numbered by [`Area::band`]. A band has the
    /// value of its middle.
    pub(crate) fn factor(&self, band: u8) -> f64 {
        if band == 0 {
            return 1.0;
        }
        // Of the range, from the wall on.
        let bands = f64::from(self.count());
        let middle = (bands - f64::from(band) + 0.5) / bands;
        let share = match self.falloff {
            Falloff::Linear => 1.0 - middle,
            // Software: the same on every machine.
            Falloff::Gaussian => libm::exp(-4.5 * middle * middle),
            Falloff::None => 1.0,
        };
        // As the blob keeps it.
        f64::from((1.0 + (self.peak - 1.0) * share) as f32)
    }

    /// All areas, once for each band.
    pub(crate) fn areas(&self, areas: &[Area]) -> Vec<Area> {
        let bands = self.distances().len() as u8;
        let of = |band: u8| areas.iter().map(move |a| Area { band, ..a.clone() });
        (0..=bands).flat_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_cost_less_the_farther_they_are_off_the_wall() {
        for falloff in [Falloff::Linear, Falloff::Gaussian] {
            let clearance = ClearanceConfig { range: 2.0, peak: 5.0, falloff, bands: 4 };
            assert_eq!(clearance.distances(), [0.5, 1.0, 1.5, 2.0]);
            let factors: Vec<f64> = (0..=4).map(|band| clearance.factor(band)).collect();
            assert_eq!(factors[0], 1.0);
            assert!(factors.windows(2).all(|w| w[0] < w[1]), "{factors:?}");
            assert!(factors[4] < 5.0 && factors[4] > 4.0, "{factors:?}");
        }
        assert_eq!(ClearanceConfig::default().distances(), [0.0; 0]);
    }

    #[test]
    fn bands_of_the_same_cost_are_one() {
        let of = |peak: f64, falloff| ClearanceConfig { range: 2.0, peak, falloff, bands: 4 };
        for (clearance, factor) in [(of(5.0, Falloff::None), 5.0), (of(1.0, Falloff::Linear), 1.0)]
        {
            assert_eq!(clearance.distances(), [2.0]);
            assert_eq!(clearance.factor(1), factor);
            let ground = [Area::default(), Area { name: "mud".into(), ..Area::default() }];
            let bands: Vec<u8> = clearance.areas(&ground).iter().map(|a| a.band).collect();
            assert_eq!(bands, [0, 0, 1, 1]);
        }
    }
}
