//! The progress bar of a long bake.

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use navbake_bake::Progress;

use crate::output::Output;

/// Bakes shorter than this get no bar.
const PATIENCE: Duration = Duration::from_millis(700);

/// A bar on stderr, for long bakes at a terminal. Any thread can update it.
pub(crate) struct Bar {
    bar: Option<ProgressBar>,
    start: Instant,
    stage: Mutex<&'static str>,
}

impl Bar {
    /// A bar for a level.
    pub(crate) fn new(output: Output, level: &Path) -> Bar {
        let style =
            ProgressStyle::with_template("{prefix} {msg:<9} [{bar:32}] {pos}/{len} {elapsed}");
        let bar = style.ok().filter(|_| output.animated()).map(|style| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
            bar.set_style(style.progress_chars("=> "));
            bar.set_prefix(
                level
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
            );
            bar
        });
        Bar {
            bar,
            start: Instant::now(),
            stage: Mutex::new(""),
        }
    }

    /// Shows progress.
    pub(crate) fn update(&self, progress: Progress) {
        let Some(bar) = &self.bar else { return };
        let Ok(mut stage) = self.stage.lock() else {
            return;
        };
        if *stage != progress.stage {
            *stage = progress.stage;
            bar.set_message(progress.stage);
            bar.set_length(progress.total as u64);
            bar.set_position(progress.done as u64);
        } else if progress.done as u64 > bar.position() {
            // Reports of several threads can arrive out of order.
            bar.set_position(progress.done as u64);
        }
        if bar.is_hidden() && self.start.elapsed() > PATIENCE {
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        }
    }

    /// Removes the bar at the end of the bake.
    pub(crate) fn done(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
