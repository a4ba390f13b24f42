//! Time and memory of this process, from the standard library and Linux's `/proc`.

use std::fs;
use std::time::Instant;

use crate::summary::StageTime;

/// Measures stages one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    stages: Vec<StageTime>,
    wall: Instant,
    cpu: f64,
}

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock {
            stages: vec![],
            wall: Instant::now(),
            cpu: cpu_seconds(),
        }
    }

    /// The same measurements so far, going on from now: what happened in between belongs to no stage.
    pub(crate) fn resumed(&self) -> Clock {
        Clock {
            stages: self.stages.clone(),
            ..Clock::start()
        }
    }

    /// Ends a stage that began when the one before ended. Stages of one name are added up.
    pub(crate) fn stage(&mut self, stage: &'static str, parallel: bool) {
        let (wall, cpu) = (Instant::now(), cpu_seconds());
        let time = StageTime {
            stage,
            wall: (wall - self.wall).as_secs_f64(),
            cpu: (cpu - self.cpu).max(0.0),
            parallel,
        };
        match self.stages.iter_mut().find(|s| s.stage == stage) {
            Some(earlier) => {
                earlier.wall += time.wall;
                earlier.cpu += time.cpu;
            }
            None => self.stages.push(time),
        }
        (self.wall, self.cpu) = (wall, cpu);
    }

    pub(crate) fn stages(&self) -> &[StageTime] {
        &self.stages
    }
}

/// CPU time of all threads of this process so far, s; 0 where the system does not say. Threads that have ended count only in the
/// coarse figure (1/100 s); the fine one sums the threads there are, and is used while it is the greater.
fn cpu_seconds() -> f64 {
    coarse_cpu().max(fine_cpu())
}

/// `/proc/self/stat`: user and system time of the whole process in ticks, which Linux fixes at 100 a second for programs.
fn coarse_cpu() -> f64 {
    let Ok(text) = fs::read_to_string("/proc/self/stat") else {
        return 0.0;
    };
    // The program's name comes second, in brackets, and may hold anything.
    let Some((_, rest)) = text.rsplit_once(')') else {
        return 0.0;
    };
    let field = |k: usize| -> f64 {
        rest.split_whitespace()
            .nth(k)
            .and_then(|v| v.parse().ok())
            .unwrap_or(0.0)
    };
    (field(11) + field(12)) / 100.0
}

/// `/proc/self/task/*/schedstat`: nanoseconds on a CPU, a thread.
fn fine_cpu() -> f64 {
    let Ok(threads) = fs::read_dir("/proc/self/task") else {
        return 0.0;
    };
    let mut nanoseconds = 0.0;
    for thread in threads.flatten() {
        if let Ok(text) = fs::read_to_string(thread.path().join("schedstat"))
            && let Some(Ok(on_cpu)) = text.split_whitespace().next().map(str::parse::<f64>)
        {
            nanoseconds += on_cpu;
        }
    }
    nanoseconds / 1e9
}

/// The most memory this process has held at a time, bytes (`VmHWM`); 0 where the system does not say.
pub(crate) fn peak_memory() -> u64 {
    status("VmHWM:")
}

/// The memory this process holds now, bytes (`VmRSS`); 0 where the system does not say.
pub(crate) fn held_memory() -> u64 {
    status("VmRSS:")
}

fn status(key: &str) -> u64 {
    let Ok(text) = fs::read_to_string("/proc/self/status") else {
        return 0;
    };
    text.lines()
        .find_map(|line| line.strip_prefix(key))
        .and_then(|v| v.split_whitespace().next())
        .and_then(|v| v.parse::<u64>().ok())
        .map_or(0, |kib| kib * 1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_busy_stage_takes_cpu_time_and_a_sleeping_one_does_not() {
        let mut clock = Clock::start();
        std::thread::sleep(std::time::Duration::from_millis(5));
        clock.stage("sleep", false);
        let begin = Instant::now();
        let mut sum = 0u64;
        while begin.elapsed().as_millis() < 60 {
            sum = std::hint::black_box(sum.wrapping_mul(3).wrapping_add(1));
        }
        clock.stage("busy", false);
        assert_eq!(clock.stages().len(), 2);
        assert!(clock.stages()[0].wall >= 0.005);
        assert!(clock.stages()[1].cpu > 0.0, "{:?}", clock.stages());
        assert!(peak_memory() > 0);
    }
}
