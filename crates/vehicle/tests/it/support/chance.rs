//! Numbers and maps that look drawn at random, the same for each seed.

use super::course::Map;

/// Splitmix64: G. L. Steele, D. Lea and C. H. Flood, Fast splittable pseudorandom number generators, 2014.
pub(crate) fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// From 0 up to 1.
pub(crate) fn unit(seed: &mut u64) -> f64 {
    random(seed) as f64 / 2f64.powi(64)
}

/// A map with so many cells of a hundred blocked.
pub(crate) fn scattered(width: usize, height: usize, percent: u64, seed: &mut u64) -> Map {
    Map {
        width,
        height,
        free: (0..width * height)
            .map(|_| random(seed) % 100 >= percent)
            .collect(),
    }
}
