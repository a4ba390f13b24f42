//! The number of random cases per test.

use proptest::prelude::ProptestConfig;

/// The usual number, or the one in the environment variable PROPTEST_CASES.
pub fn cases(usual: u32) -> ProptestConfig {
    ProptestConfig {
        cases: count("PROPTEST_CASES", usual as usize) as u32,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// How many random cases a variable of the environment asks for, or the usual number.
pub fn count(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().and_then(|asked| asked.parse().ok()).unwrap_or(usual)
}
