//! The progress bar of a long bake.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use navbake_bake::Progress;

use crate::output::{Output, visible};

/// Bakes shorter than this get no bar.
const PATIENCE: Duration = Duration::from_millis(700);

/// The time between two drawings.
const PAUSE: Duration = Duration::from_millis(100);

/// Characters of the bar, without its brackets.
const WIDTH: usize = 32;

/// A bar on stderr, for long bakes at a terminal. Any thread can update it.
pub(crate) struct Bar {
    line: Option<Mutex<Line>>,
}

/// The progress line of the terminal.
struct Line {
    level: String,
    start: Instant,
    progress: Progress,
    drawn: Option<Instant>,
    /// Characters on the terminal, to be overwritten.
    shown: usize,
}

impl Bar {
    /// A bar for a level.
    pub(crate) fn new(output: Output, level: &Path) -> Bar {
        let name = level.file_name().unwrap_or_default().to_string_lossy();
        let line = Line {
            level: visible(&name).into_owned(),
            start: Instant::now(),
            progress: Progress { stage: "", done: 0, total: 0 },
            drawn: None,
            shown: 0,
        };
        Bar { line: output.animated().then(|| Mutex::new(line)) }
    }

    /// Shows progress.
    pub(crate) fn update(&self, progress: Progress) {
        if let Some(line) = &self.line
            && let Ok(mut line) = line.lock()
        {
            line.update(progress);
        }
    }

    /// Removes the bar at the end of the bake.
    pub(crate) fn done(&self) {
        if let Some(line) = &self.line
            && let Ok(mut line) = line.lock()
            && line.shown > 0
        {
            line.show("");
            // The cursor goes back to the line's start.
            let _ = io::stderr().write_all(b"\r");
        }
    }
}

impl Line {
    fn update(&mut self, progress: Progress) {
        // Reports of several threads can arrive out of order.
        if progress.stage == self.progress.stage && progress.done <= self.progress.done {
            return;
        }
        self.progress = progress;
        let last = self.drawn.map_or(PAUSE, |drawn| drawn.elapsed());
        if self.start.elapsed() > PATIENCE && last >= PAUSE {
            self.drawn = Some(Instant::now());
            self.show(&self.text());
        }
    }

    fn text(&self) -> String {
        let Progress { stage, done, total } = self.progress;
        let full = (WIDTH * done.min(total)).checked_div(total).unwrap_or(0);
        let mut bar = "=".repeat(full);
        if full < WIDTH {
            bar.push('>');
        }
        let seconds = self.start.elapsed().as_secs();
        let level = &self.level;
        format!("{level} {stage:<9} [{bar:WIDTH$}] {done}/{total} {seconds}s")
    }

    /// Replaces what is shown; errors of the terminal must not stop the bake.
    fn show(&mut self, text: &str) {
        let length = text.chars().count();
        let rest = self.shown.saturating_sub(length);
        let _ = write!(io::stderr().lock(), "\r{text}{:rest$}", "");
        self.shown = length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(done: usize, total: usize) -> String {
        let line = Line {
            level: "a.obj".into(),
            start: Instant::now(),
            progress: Progress { stage: "mesh", done, total },
            drawn: None,
            shown: 0,
        };
        line.text()
    }

    #[test]
    fn the_bar_grows_from_empty_to_full() {
        let bar = |full: &str| format!("a.obj mesh      [{full:32}]");
        assert_eq!(line(0, 0), bar(">") + " 0/0 0s");
        assert_eq!(line(1, 4), bar("========>") + " 1/4 0s");
        assert_eq!(line(4, 4), bar(&"=".repeat(32)) + " 4/4 0s");
    }
}
