//! The progress bar of a long bake.

use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use navbake_bake::Progress;

use crate::output::{Output, visible};

/// Bakes shorter than this get no bar.
const PATIENCE: Duration = Duration::from_millis(700);

/// The time between two drawings.
const PAUSE: Duration = Duration::from_millis(100);

/// Characters of the bar, without its brackets.
const WIDTH: usize = 32;

/// A bar on stderr, for long bakes at a terminal. Any thread can update it; a thread of its own
/// draws it, so that it also ticks while a large piece of work is under way.
pub(crate) struct Bar {
    drawn: Option<Drawn>,
}

struct Drawn {
    line: Arc<Mutex<Line>>,
    /// Dropped, it ends the thread.
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

/// The progress line of the terminal.
struct Line {
    level: String,
    start: Instant,
    progress: Progress,
    /// When the stage began, and when its last piece was done.
    stage: Instant,
    piece: Instant,
}

impl Bar {
    /// A bar for a level.
    pub(crate) fn new(output: Output, level: &Path) -> Bar {
        if !output.animated() {
            return Bar { drawn: None };
        }
        let name = level.file_name().unwrap_or_default().to_string_lossy();
        let line = Arc::new(Mutex::new(Line::new(visible(&name).into_owned(), Instant::now())));
        let (stop, stopped) = mpsc::channel::<()>();
        let shared = Arc::clone(&line);
        let thread = std::thread::spawn(move || {
            let mut shown = 0;
            let mut wait = PATIENCE;
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let line = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let text = line.text(Instant::now());
                drop(line);
                shown = show(&text, shown);
                wait = PAUSE;
            }
            if shown > 0 {
                show("", shown);
                // The cursor goes back to the line's start.
                let _ = io::stderr().write_all(b"\r");
            }
        });
        Bar { drawn: Some(Drawn { line, stop, thread }) }
    }

    /// Takes progress.
    pub(crate) fn update(&self, progress: Progress) {
        if let Some(drawn) = &self.drawn {
            let line = drawn.line.lock();
            line.unwrap_or_else(PoisonError::into_inner).update(progress, Instant::now());
        }
    }

    /// Removes the bar at the end of the bake.
    pub(crate) fn done(self) {
        if let Some(Drawn { stop, thread, .. }) = self.drawn {
            drop(stop);
            let _ = thread.join();
        }
    }
}

impl Line {
    fn new(level: String, now: Instant) -> Line {
        let progress = Progress { stage: "", done: 0, total: 0 };
        Line { level, start: now, progress, stage: now, piece: now }
    }

    fn update(&mut self, progress: Progress, now: Instant) {
        let same = progress.stage == self.progress.stage;
        // Reports of several threads can arrive out of order.
        if same && progress.done <= self.progress.done {
            return;
        }
        if !same {
            self.stage = now;
        }
        self.piece = now;
        self.progress = progress;
    }

    /// The share of the stage that is done, and the time that the rest will take. Between two
    /// pieces of work both go on at the pace so far; `None` before the first piece.
    fn share(&self, now: Instant) -> Option<(f64, Duration)> {
        let Progress { done, total, .. } = self.progress;
        if done == 0 || total <= 1 {
            return None;
        }
        let spent = (self.piece - self.stage).as_secs_f64();
        let each = spent / done as f64;
        // The piece under way is never done before it says so.
        let under_way = ((now - self.piece).as_secs_f64() / each.max(1e-9)).min(0.99);
        let done = (done as f64 + under_way).min(total as f64);
        Some((done / total as f64, Duration::from_secs_f64(each * (total as f64 - done))))
    }

    fn text(&self, now: Instant) -> String {
        let seconds = (now - self.start).as_secs();
        let (level, stage) = (&self.level, self.progress.stage);
        let Some((share, left)) = self.share(now) else {
            let tick = ["|", "/", "-", "\\"]
                [((now - self.start).as_millis() / PAUSE.as_millis()) as usize % 4];
            return format!("{level} {stage:<9} [{tick:^WIDTH$}] {seconds} s");
        };
        let full = (WIDTH as f64 * share) as usize;
        let mut bar = "=".repeat(full);
        if full < WIDTH {
            bar.push('>');
        }
        let (percent, left) = ((share * 100.0) as u32, left.as_secs_f64().ceil());
        format!(
            "{level} {stage:<9} [{bar:WIDTH$}] {percent} % of the stage, {seconds} s, about {left} s left of it"
        )
    }
}

/// Replaces what is shown, of `before` characters; errors of the terminal must not stop the bake.
fn show(text: &str, before: usize) -> usize {
    let length = text.chars().count();
    let rest = before.saturating_sub(length);
    let _ = write!(io::stderr().lock(), "\r{text}{:rest$}", "");
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_goes_on_inside_a_piece_of_work_and_estimates_the_rest() {
        let start = Instant::now();
        let at = |tenths: u64| start + Duration::from_millis(100 * tenths);
        let mut line = Line::new("a.obj".into(), start);
        let say = |done| Progress { stage: "mesh", done, total: 4 };
        line.update(say(0), at(0));
        // Before the first piece only a sign of life.
        assert_ne!(line.text(at(1)), line.text(at(2)));
        assert!(!line.text(at(2)).contains('%'));
        line.update(say(1), at(20));
        let bar = |full: usize| format!("[{:32}]", "=".repeat(full) + ">");
        let text = line.text(at(20));
        assert_eq!(
            text,
            format!("a.obj mesh      {} 25 % of the stage, 2 s, about 6 s left of it", bar(8))
        );
        let text = line.text(at(30));
        assert!(text.contains("37 % of the stage, 3 s, about 5 s left"), "{text}");
        // The second piece takes longer than the first: it is not done before it says so.
        assert!(line.text(at(90)).contains("49 % of the stage"), "{}", line.text(at(90)));
        // Late reports change nothing.
        line.update(say(1), at(95));
        line.update(say(4), at(100));
        assert!(line.text(at(100)).contains("100 % of the stage, 10 s, about 0 s left"));
    }
}
