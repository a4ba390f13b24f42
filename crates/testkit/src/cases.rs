//! How many random cases a test tries.

use proptest::prelude::ProptestConfig;

/// So many, or as many as PROPTEST_CASES asks for.
pub fn cases(usual: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES");
    ProptestConfig {
        cases: asked.ok().and_then(|c| c.parse().ok()).unwrap_or(usual),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
