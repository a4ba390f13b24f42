//! Formats numbers for messages.

/// Numbers from here on are shown in exponent notation.
pub const LARGE: f64 = 1e9;

/// A number with all its digits, in exponent notation if it is large.
pub fn exact(value: f64) -> String {
    if value.is_finite() && value.abs() >= LARGE { format!("{value:e}") } else { value.to_string() }
}

/// A number rounded to some decimals, in exponent notation if it is large.
pub fn readable(value: f64, decimals: usize) -> String {
    if value.is_finite() && value.abs() >= LARGE {
        format!("{value:.decimals$e}")
    } else {
        format!("{value:.decimals$}")
    }
}

/// The coordinates of a point.
pub fn point([x, y, z]: [f64; 3]) -> String {
    format!("({}, {}, {})", exact(x), exact(y), exact(z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_shown_as_powers_of_ten() {
        assert_eq!(exact(1e300), "1e300");
        assert_eq!(exact(-2.5e9), "-2.5e9");
        assert_eq!(exact(999_999_999.5), "999999999.5");
        assert_eq!(exact(f64::INFINITY), "inf");
        assert_eq!(readable(12_345_678_901.0, 3), "1.235e10");
        assert_eq!(readable(0.25, 3), "0.250");
        assert_eq!(point([0.5, -1e12, 3.0]), "(0.5, -1e12, 3)");
    }
}
