//! CPU time and memory of this process.

use std::fs;
use std::io::Write;
use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

/// CPU time used by all threads of this process, those that have ended included, s. To the
/// nanosecond, unlike `/proc/self/stat`.
pub fn cpu_seconds() -> f64 {
    let t = clock_gettime(ClockId::ProcessCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

/// The time that a piece of work took.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    /// CPU time of all threads, s.
    pub cpu: f64,
    /// Wall time, s.
    pub wall: f64,
}

impl Spent {
    /// More than anything takes; the start of a minimum.
    pub const MOST: Spent = Spent { cpu: f64::INFINITY, wall: f64::INFINITY };

    /// The lesser of each.
    pub fn least(self, other: Spent) -> Spent {
        Spent { cpu: self.cpu.min(other.cpu), wall: self.wall.min(other.wall) }
    }
}

/// Does the work and returns its time.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Spent) {
    let (cpu, wall) = (cpu_seconds(), Instant::now());
    let done = work();
    let spent = Spent { cpu: cpu_seconds() - cpu, wall: wall.elapsed().as_secs_f64() };
    (done, spent)
}

/// Resets the peak of memory. Has no effect where the system does not support it.
pub fn reset_peak_memory() {
    if let Ok(mut file) = fs::OpenOptions::new().write(true).open("/proc/self/clear_refs") {
        // A refusal leaves the old peak, which is then reported: never too little.
        let _ = file.write_all(b"5");
    }
}

/// The most memory this process has held at a time since [`reset_peak_memory`], bytes; 0 where the
/// system does not say.
pub fn peak_memory() -> u64 {
    let Ok(text) = fs::read_to_string("/proc/self/status") else {
        return 0;
    };
    text.lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|v| v.split_whitespace().next())
        .and_then(|v| v.parse::<u64>().ok())
        .map_or(0, |kib| kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_have_ended_count() {
        let busy = || {
            let begin = Instant::now();
            let mut sum = 0u64;
            while begin.elapsed().as_millis() < 20 {
                sum = std::hint::black_box(sum.wrapping_mul(3).wrapping_add(1));
            }
        };
        let (_, spent) = timed(|| std::thread::spawn(busy).join());
        assert!(spent.cpu > 0.001 && spent.wall >= 0.02, "{spent:?}");
    }
}
