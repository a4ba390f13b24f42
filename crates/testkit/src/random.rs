//! Random numbers from a seed: the same in every run.

/// The SplitMix64 generator.
///
/// Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    #[expect(clippy::should_implement_trait)] // an endless iterator would invite `for`
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to `n - 1`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// From `low` to `high`, both included.
    pub fn within(&mut self, low: i32, high: i32) -> i32 {
        (i64::from(low) + (self.next() % (i64::from(high) - i64::from(low) + 1) as u64) as i64)
            as i32
    }

    /// From 0 up to 1.
    pub fn unit(&mut self) -> f64 {
        self.next() as f64 / 2f64.powi(64)
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}
