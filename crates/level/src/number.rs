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

/// A count with its noun: `1 island`, `2 islands`, `0 entries`.
pub fn count(number: impl TryInto<u64>, one: &str) -> String {
    let number: u64 = number.try_into().unwrap_or(u64::MAX);
    match (number, one.strip_suffix('y'), one.strip_suffix("ex")) {
        (1, ..) => format!("1 {one}"),
        (_, Some(stem), _) => format!("{number} {stem}ies"),
        (_, _, Some(stem)) => format!("{number} {stem}ices"),
        _ => format!("{number} {one}s"),
    }
}

/// A number to the thousandth, for metres; in exponent notation if it is large.
pub fn rounded(value: f64) -> String {
    // Adding 0 takes the sign from zero.
    if value.abs() < LARGE { exact((value * 1e3).round() / 1e3 + 0.0) } else { exact(value) }
}

/// The coordinates of a point, to the millimetre.
pub fn point(p: [f64; 3]) -> String {
    let [x, y, z] = p.map(rounded);
    format!("({x}, {y}, {z})")
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
        assert_eq!([count(1u32, "island"), count(2u32, "vertex")], ["1 island", "2 vertices"]);
        assert_eq!([count(0u32, "entry"), count(1u32, "entry")], ["0 entries", "1 entry"]);
        assert_eq!(point([22.119140625, -0.0002, 1.0]), "(22.119, 0, 1)");
    }
}
