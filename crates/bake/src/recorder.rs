//! Threads, progress, time and warnings of a bake.

use std::panic::{AssertUnwindSafe, catch_unwind};

use navbake_level::Warning;
use navbake_lint::Diagnostic;

use crate::clock::Clock;
use crate::error::BakeError;
use crate::progress::Options;

/// Stack of a thread, bytes: what a program's first thread usually has.
const STACK: usize = 8 << 20;

/// Collects what stages report: progress, time, warnings and diagnostics.
pub(crate) struct Recorder<'a> {
    pub(crate) options: &'a Options<'a>,
    pub(crate) clock: Clock,
    pub(crate) warnings: Vec<Warning>,
    /// Oddities with places, for reports.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(clock: Clock, options: &'a Options<'a>) -> Recorder<'a> {
        Recorder { options, clock, warnings: vec![], diagnostics: vec![] }
    }

    /// Runs a stage on one thread: announced, guarded and measured.
    pub(crate) fn serial<T>(
        &mut self,
        stage: &'static str,
        work: impl FnOnce() -> T,
    ) -> Result<T, BakeError> {
        self.stage(stage, false, work)
    }

    /// Runs a stage that uses several threads.
    pub(crate) fn parallel<T>(
        &mut self,
        stage: &'static str,
        work: impl FnOnce() -> T,
    ) -> Result<T, BakeError> {
        self.stage(stage, true, work)
    }

    fn stage<T>(
        &mut self,
        stage: &'static str,
        parallel: bool,
        work: impl FnOnce() -> T,
    ) -> Result<T, BakeError> {
        self.options.report(stage, 0, 1);
        let done = guarded(|| stage.into(), work)?;
        self.clock.stage(stage, parallel);
        self.options.report(stage, 1, 1);
        Ok(done)
    }

    pub(crate) fn warn(&mut self, code: &'static str, place: &str, message: String) {
        self.warnings.push(Warning { code, message, place: place.into() });
    }
}

/// Runs `work` on a thread pool of a bake; 0 threads means one a core.
///
/// All stages are called from one of its threads: an outside thread would wake the pool for each
/// stage, and be woken by it. Where programs have one thread alone, as in WebAssembly, all runs on
/// it.
pub(crate) fn on_threads<T: Send>(
    count: usize,
    work: impl FnOnce() -> Result<T, BakeError> + Send,
) -> Result<T, BakeError> {
    if cfg!(all(target_family = "wasm", not(target_feature = "atomics"))) {
        return work();
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(count)
        .thread_name(|i| format!("bake {i}"))
        .stack_size(STACK)
        .build()
        .map_err(|e| BakeError::internal("the threads of the bake", e.to_string()))?
        .install(work)
}

/// Runs `work`; a panic in it becomes an internal error with its name.
pub(crate) fn guarded<T>(
    name: impl FnOnce() -> String,
    work: impl FnOnce() -> T,
) -> Result<T, BakeError> {
    // What the work held is dropped with it: nothing half-done is used afterwards.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let message = payload
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "it panicked without a message".into());
        BakeError::internal(name(), message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_internal_error_that_names_the_work() {
        let error = guarded(|| "tile (3, -4)".into(), || -> u8 { panic!("index {}", 7) });
        let error = error.unwrap_err();
        assert_eq!(error.exit_code(), 6);
        let text = error.to_string();
        assert!(text.contains("tile (3, -4)") && text.contains("index 7"), "{text}");
        assert_eq!(guarded(|| "x".into(), || 5).unwrap(), 5);
    }
}
