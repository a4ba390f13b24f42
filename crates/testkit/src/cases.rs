//! The number of random cases per test.

use proptest::prelude::ProptestConfig;

/// The usual number, or the one in the environment variable PROPTEST_CASES.
pub fn cases(usual: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES");
    ProptestConfig {
        cases: asked.ok().and_then(|c| c.parse().ok()).unwrap_or(usual),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
