//! Rounding of `f64` to `i32`, without the standard library.
//!
//! A build that must run on every processor of a kind calls functions for `floor` and `round`, or
//! branches on what the processor can do. Both are visible in the inner loops of a bake.

/// Rounds to whole numbers.
///
/// Out of the range of `i32` it gives the nearest `i32`, and 0 for NaN.
pub trait Whole {
    /// To nearest, ties to even.
    fn to_nearest(self) -> i32;
    /// Down.
    fn to_floor(self) -> i32;
    /// Up.
    fn to_ceil(self) -> i32;
}

impl Whole for f64 {
    #[inline]
    fn to_nearest(self) -> i32 {
        // The sum has no bits for fractions. Numbers too large for this trick are out of range.
        const ROOM: f64 = (1u64 << 52) as f64 * 1.5;
        ((self + ROOM) - ROOM) as i32
    }

    #[inline]
    fn to_floor(self) -> i32 {
        let towards_zero = self as i32;
        towards_zero.saturating_sub(i32::from(f64::from(towards_zero) > self))
    }

    #[inline]
    fn to_ceil(self) -> i32 {
        let towards_zero = self as i32;
        towards_zero.saturating_add(i32::from(f64::from(towards_zero) < self))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Whole;

    fn check(v: f64) {
        let found = [v.to_nearest(), v.to_floor(), v.to_ceil()];
        let wanted = [v.round_ties_even(), v.floor(), v.ceil()].map(|w| w as i32);
        assert_eq!(found, wanted, "{v:?}");
    }

    proptest! {
        #[test]
        fn they_are_those_of_the_standard_library(bits in any::<u64>(), near in any::<i32>(), halves in -9i32..10) {
            check(f64::from_bits(bits));
            check(f64::from(near) + f64::from(halves) / 4.0);
            check((f64::from(near) / 4.0).next_up());
            check((f64::from(near) / 4.0).next_down());
        }
    }

    #[test]
    fn at_the_ends_of_the_range_they_are_as_well() {
        let ends = [i32::MIN, i32::MAX, 0].map(f64::from);
        for end in ends {
            for off in [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5] {
                check(end + off);
            }
        }
        for v in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e300, -1e300] {
            check(v);
        }
    }
}
