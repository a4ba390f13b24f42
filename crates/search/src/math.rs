//! Lengths.

/// Correctly rounded, so the same on every machine.
#[cfg(feature = "std")]
#[inline]
pub(crate) fn sqrt(v: f64) -> f64 {
    v.sqrt()
}

/// Correctly rounded, so the same on every machine.
#[cfg(not(feature = "std"))]
#[inline]
pub(crate) fn sqrt(v: f64) -> f64 {
    #[cfg(feature = "libm")]
    return libm::sqrt(v);
    #[cfg(not(feature = "libm"))]
    return v; // lib.rs refuses to compile without a square root
}

/// The same for floats of 32 bits.
#[cfg(feature = "std")]
#[inline]
pub(crate) fn sqrt_of_32(v: f32) -> f32 {
    v.sqrt()
}

/// The same for floats of 32 bits.
#[cfg(not(feature = "std"))]
#[inline]
pub(crate) fn sqrt_of_32(v: f32) -> f32 {
    #[cfg(feature = "libm")]
    return libm::sqrtf(v);
    #[cfg(not(feature = "libm"))]
    return v; // lib.rs refuses to compile without a square root
}

/// Length of a vector of the plane.
#[inline]
pub(crate) fn length(dx: f64, dz: f64) -> f64 {
    sqrt(dx * dx + dz * dz)
}

/// Distance of two points of the plane.
#[inline]
pub(crate) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    length(b[0] - a[0], b[1] - a[1])
}

/// A grid point as floats.
#[inline]
pub(crate) fn float(p: [i32; 2]) -> [f64; 2] {
    [f64::from(p[0]), f64::from(p[1])]
}

/// Distance of two grid points. The squared length is exact, so there is one rounding.
#[inline]
pub(crate) fn grid_distance(a: [i32; 2], b: [i32; 2]) -> f64 {
    distance(float(a), float(b))
}

/// The nearest whole number, halves upwards.
#[inline]
pub(crate) fn round(v: f64) -> i32 {
    let down = (v + 0.5) as i32;
    if f64::from(down) > v + 0.5 {
        down - 1
    } else {
        down
    }
}
