//! Cost that falls with the distance from a wall or a source.

use serde::{Deserialize, Serialize};

/// How cost falls with the distance.
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

/// Cost by distance, exact and in bands that cost the same everywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Profile {
    /// Its range, m; 0 for none.
    pub(crate) range: f64,
    /// The factor on weights at distance 0.
    pub(crate) peak: f64,
    pub(crate) falloff: Falloff,
    /// How many bands the range is cut into, where their costs differ.
    pub(crate) bands: u32,
}

impl Profile {
    /// Does it change any cost?
    pub(crate) fn is_on(&self) -> bool {
        self.range > 0.0
    }

    /// Distances at which bands end, m, ascending. Neighbouring bands of equal cost are merged.
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

    /// What is added to the factor at a distance, m.
    pub(crate) fn extra(&self, distance: f64) -> f64 {
        if distance < self.range { self.extra_at(distance / self.range) } else { 0.0 }
    }

    /// The same at a share of the range.
    fn extra_at(&self, share: f64) -> f64 {
        let left = match self.falloff {
            Falloff::Linear => 1.0 - share,
            // Software: the same on every machine.
            Falloff::Gaussian => libm::exp(-4.5 * share * share),
            Falloff::None => 1.0,
        };
        (self.peak - 1.0) * left
    }

    /// What is added to the factor in a band; 1 is the outermost, 0 is beyond the range.
    ///
    /// A band has the value of its middle.
    pub(crate) fn extra_of(&self, band: u8) -> f64 {
        if band == 0 {
            return 0.0;
        }
        let bands = f64::from(self.count());
        self.extra_at((bands - f64::from(band) + 0.5) / bands)
    }

    /// The band at a distance, m.
    pub(crate) fn band(&self, distance: f64) -> u8 {
        let ends = self.distances();
        ends.iter().filter(|&&end| distance < end).count() as u8 // fewer than 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_cost_less_the_farther_they_are_off() {
        for falloff in [Falloff::Linear, Falloff::Gaussian] {
            let profile = Profile { range: 2.0, peak: 5.0, falloff, bands: 4 };
            assert_eq!(profile.distances(), [0.5, 1.0, 1.5, 2.0]);
            let extra: Vec<f64> = (0..=4).map(|band| profile.extra_of(band)).collect();
            assert_eq!(extra[0], 0.0);
            assert!(extra.windows(2).all(|w| w[0] < w[1]), "{extra:?}");
            assert!(extra[4] < 4.0 && extra[4] > 3.0, "{extra:?}");
            // The middle of a band costs what the band does, and all of it what its ends do.
            for (distance, band) in [(0.25, 4), (0.75, 3), (1.25, 2), (1.75, 1), (2.0, 0)] {
                assert_eq!(profile.band(distance), band);
                assert_eq!(profile.extra(distance), extra[usize::from(band)]);
            }
            assert_eq!(profile.extra(0.0), 4.0);
        }
        let off = Profile { range: 0.0, peak: 5.0, falloff: Falloff::Linear, bands: 4 };
        assert_eq!((off.distances(), off.band(0.0), off.extra(0.0)), (vec![], 0, 0.0));
    }

    #[test]
    fn bands_of_the_same_cost_are_one() {
        let of = |peak: f64, falloff| Profile { range: 2.0, peak, falloff, bands: 4 };
        for (profile, extra) in [(of(5.0, Falloff::None), 4.0), (of(1.0, Falloff::Linear), 0.0)] {
            assert_eq!(profile.distances(), [2.0]);
            assert_eq!((profile.extra_of(1), profile.extra(1.9)), (extra, extra));
        }
    }
}
