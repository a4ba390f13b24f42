//! Options of running a bake, which do not affect its result.

use std::sync::atomic::AtomicBool;

use crate::cache::Cache;

/// How a bake is run. Nothing here changes a byte of the result.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Threads; 0 for one a core.
    pub threads: usize,
    /// Results of tiles from earlier bakes; those of this one are added.
    pub cache: Option<&'a Cache>,
    /// Side of the chunks that a world is read in, m; 300 without. It is rounded up to whole tiles.
    /// Smaller ones take less memory and more time.
    pub chunk: Option<f64>,
    /// When it becomes true, no further tile is begun and the bake ends with
    /// [`BakeError::Stopped`](crate::BakeError::Stopped).
    pub stop: Option<&'a AtomicBool>,
    /// Called for every piece of work done, from any thread.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("threads", &self.threads)
            .field("cache", &self.cache)
            .field("stop", &self.stop)
            .field("chunk", &self.chunk)
            .field("progress", &self.progress.is_some())
            .finish()
    }
}

/// How far a stage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The stage: `walkable` (with triangulation), `mesh`, `hierarchy`, `encode`.
    pub stage: &'static str,
    /// Pieces of work done.
    pub done: usize,
    /// Pieces of work in all; 1 for a stage that is one piece.
    pub total: usize,
}

impl Options<'_> {
    pub(crate) fn report(&self, stage: &'static str, done: usize, total: usize) {
        if let Some(progress) = self.progress {
            progress(Progress { stage, done, total });
        }
    }
}
