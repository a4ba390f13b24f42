//! Numbers and maps that look drawn at random, the same for each seed.

use navbake_testkit::Random;

use super::course::Map;

/// The next number of a seed.
pub(crate) fn random(seed: &mut u64) -> u64 {
    let mut random = Random(*seed);
    let next = random.next();
    *seed = random.0;
    next
}

/// From 0 up to 1.
pub(crate) fn unit(seed: &mut u64) -> f64 {
    random(seed) as f64 / 2f64.powi(64)
}

/// A map with this many cells of a hundred blocked.
pub(crate) fn scattered(width: usize, height: usize, percent: u64, seed: &mut u64) -> Map {
    Map {
        width,
        height,
        free: (0..width * height).map(|_| random(seed) % 100 >= percent).collect(),
    }
}
