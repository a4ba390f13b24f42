//! Time and memory of this process, from the standard library, the system's clock of CPU time, and
//! Linux's `/proc`.

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
        Clock { stages: vec![], wall: Instant::now(), cpu: cpu_seconds() }
    }

    /// The same measurements, continued from now: the time in between belongs to no stage.
    pub(crate) fn resumed(&self) -> Clock {
        Clock { stages: self.stages.clone(), ..Clock::start() }
    }

    /// Ends a stage that began when the one before ended. Stages of one name are added up.
    pub(crate) fn stage(&mut self, stage: &'static str, parallel: bool) {
        let (wall, cpu) = (Instant::now(), cpu_seconds());
        let time = StageTime {
            stage,
            wall: (wall - self.wall).as_secs_f64(),
            cpu: (cpu - self.cpu).max(0.0),
            parallel,
            runs: 1,
        };
        match self.stages.iter_mut().find(|s| s.stage == stage) {
            Some(earlier) => {
                earlier.wall += time.wall;
                earlier.cpu += time.cpu;
                earlier.runs += 1;
            }
            None => self.stages.push(time),
        }
        (self.wall, self.cpu) = (wall, cpu);
    }

    pub(crate) fn stages(&self) -> &[StageTime] {
        &self.stages
    }
}

/// CPU time used by all threads of this process, those that have ended included, s; 0 where there
/// is no such clock.
#[cfg(unix)]
fn cpu_seconds() -> f64 {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    spent.tv_sec as f64 + spent.tv_nsec as f64 / 1e9
}

#[cfg(not(unix))]
fn cpu_seconds() -> f64 {
    0.0
}

/// The most memory this process has held at a time, bytes (`VmHWM`); 0 where the system does not
/// say.
pub fn peak_memory() -> u64 {
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
