//! Time that a thread works.

use std::sync::OnceLock;
use std::time::Instant;

/// Seconds that this thread was on a processor, where the system counts them; else those that
/// passed.
pub(crate) fn on_cpu() -> f64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    let table_distance = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = table_distance.and_then(|t| t.split(' ').next()?.parse::<f64>().ok());
    nanos.map_or_else(|| BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64(), |n| n / 1e9)
}
