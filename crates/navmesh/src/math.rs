//! Square roots, lengths and rounding that give the same bits on every machine.

/// Square root of `v`, correctly rounded.
#[cfg(feature = "std")]
#[inline]
pub fn sqrt(v: f64) -> f64 {
    v.sqrt()
}

/// Square root of `v`, correctly rounded.
#[cfg(not(feature = "std"))]
#[inline]
pub fn sqrt(v: f64) -> f64 {
    libm::sqrt(v)
}

/// Square root of an `f32`, correctly rounded.
#[cfg(feature = "std")]
#[inline]
pub fn sqrt_f32(v: f32) -> f32 {
    v.sqrt()
}

/// Square root of an `f32`, correctly rounded.
#[cfg(not(feature = "std"))]
#[inline]
pub fn sqrt_f32(v: f32) -> f32 {
    libm::sqrtf(v)
}

/// Length of a vector of the plane.
#[inline]
pub fn length(dx: f64, dz: f64) -> f64 {
    sqrt(dx * dx + dz * dz)
}

/// Distance of two points of the plane.
#[inline]
pub fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    length(b[0] - a[0], b[1] - a[1])
}

/// Unit vector from a point of the plane to another; `None` without a finite distance above 0.
#[inline]
pub fn towards(a: [f64; 2], b: [f64; 2]) -> Option<[f64; 2]> {
    let [dx, dz] = [b[0] - a[0], b[1] - a[1]];
    let away = length(dx, dz);
    (away > 0.0 && away.is_finite()).then(|| [dx / away, dz / away])
}

/// A grid point as floats.
#[inline]
pub fn float(p: [i32; 2]) -> [f64; 2] {
    [f64::from(p[0]), f64::from(p[1])]
}

/// Distance of two grid points. The squared length is exact, so there is one rounding.
#[inline]
pub fn grid_distance(a: [i32; 2], b: [i32; 2]) -> f64 {
    distance(float(a), float(b))
}

/// The nearest whole number, halves upwards; of numbers out of range the nearest in it.
#[inline]
pub fn round(v: f64) -> i32 {
    let down = (v + 0.5) as i32;
    if f64::from(down) > v + 0.5 { down.saturating_sub(1) } else { down }
}

#[cfg(test)]
mod tests {
    use super::round;
    #[cfg(not(miri))]
    use super::{sqrt, sqrt_f32};

    #[test]
    fn numbers_out_of_range_are_rounded_to_the_nearest_in_range() {
        for (v, expected) in [(-0.5, 0), (0.5, 1), (-1.5, -1), (-1.6, -2), (2.4, 2)] {
            assert_eq!(round(v), expected, "{v}");
        }
        for v in [-1e300, -1e10, f64::NEG_INFINITY] {
            assert_eq!([round(v), round(-v)], [i32::MIN, i32::MAX], "{v}");
        }
        assert_eq!(round(f64::NAN), 0);
    }

    // Miri cannot run the assembly of libm.
    #[cfg(not(miri))]
    #[test]
    fn square_roots_with_and_without_a_standard_library_are_equal_to_the_bit() {
        let mut state = 1u64;
        for _ in 0..1_000_000 {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            let bits = state ^ state >> 29;
            // Any number; one of the size of squared lengths; a whole one.
            for v in [f64::from_bits(bits), (bits >> 12) as f64 / 1024.0, (bits >> 40) as f64] {
                let [own, other] = [sqrt(v), libm::sqrt(v)].map(f64::to_bits);
                assert!(own == other || v.is_nan() || v < 0.0, "{v}: {own:x}, {other:x}");
            }
            let v = f32::from_bits(bits as u32);
            let [own, other] = [sqrt_f32(v), libm::sqrtf(v)].map(f32::to_bits);
            assert!(own == other || v.is_nan() || v < 0.0, "{v}: {own:x}, {other:x}");
        }
    }
}
