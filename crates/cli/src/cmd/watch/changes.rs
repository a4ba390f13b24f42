//! Changes of files, by their sizes and the times of their last modification.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

/// Time between two looks at the files.
const POLL: Duration = Duration::from_millis(10);
/// A save is over when this many looks in a row find what the one before found.
const RESTS: u32 = 3;

/// The size of a file and when it was modified; `None` where it is not there.
type Stamp = Option<(u64, SystemTime)>;

fn stamp(path: &Path) -> Stamp {
    let about = fs::metadata(path).ok()?;
    Some((about.len(), about.modified().ok()?))
}

/// Files and what was seen of them.
type Seen = BTreeMap<PathBuf, Stamp>;

fn look<'a>(files: impl Iterator<Item = &'a Path>) -> Seen {
    files.map(|path| (path.to_path_buf(), stamp(path))).collect()
}

/// The watched files and what was last seen of them.
pub(super) struct Changes {
    seen: Seen,
    /// When `have_come` looks at the files again.
    due: Cell<Instant>,
}

impl Changes {
    /// Watches files from now on.
    pub(super) fn new(files: &[&Path]) -> Changes {
        Changes { seen: look(files.iter().copied()), due: Cell::new(Instant::now()) }
    }

    /// Watches these files instead. Of those that were watched before, what was seen is kept, so
    /// that a change meanwhile is still one.
    pub(super) fn watch(&mut self, files: &[&Path]) {
        let mut now = look(files.iter().copied());
        for (path, seen) in &mut now {
            if let Some(before) = self.seen.get(path) {
                *seen = *before;
            }
        }
        self.seen = now;
    }

    /// Has a file changed? It looks at the files as often as [`Changes::wait`] does, and says no
    /// in between.
    pub(super) fn have_come(&self) -> bool {
        let now = Instant::now();
        if now < self.due.get() {
            return false;
        }
        let has_changed = look(self.seen.keys().map(PathBuf::as_path)) != self.seen;
        // Once a file has changed the answer stays.
        if !has_changed {
            self.due.set(now + POLL);
        }
        has_changed
    }

    /// Waits until a file has changed and rests.
    ///
    /// After a failure the folders of the files count as well: what was missing may be there now.
    pub(super) fn wait(&mut self, has_failed: bool) {
        let files: Vec<PathBuf> = self.seen.keys().cloned().collect();
        let look_at_files = || look(files.iter().map(PathBuf::as_path));
        let look_at_folders = || {
            let folders = files.iter().filter(|_| has_failed).filter_map(|path| path.parent());
            look(folders.map(|f| if f.as_os_str().is_empty() { Path::new(".") } else { f }))
        };
        let seen_folders = look_at_folders();
        let (mut last, mut last_folders) = (self.seen.clone(), seen_folders.clone());
        let mut same = 0u32;
        loop {
            let (now, now_folders) = (look_at_files(), look_at_folders());
            let is_same = now == last && now_folders == last_folders;
            same = if is_same { same.saturating_add(1) } else { 0 };
            if same >= RESTS && (now != self.seen || now_folders != seen_folders) {
                self.seen = now;
                return;
            }
            (last, last_folders) = (now, now_folders);
            sleep(POLL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_while_baking_is_not_missed_and_one_save_is_one_change() {
        let folder = tempfile::tempdir().unwrap();
        let (level, texture) = (folder.path().join("a.obj"), folder.path().join("a.bin"));
        fs::write(&level, "1").unwrap();
        let mut changes = Changes::new(&[&level]);
        fs::write(&level, "12").unwrap();
        fs::write(&texture, "x").unwrap();
        changes.watch(&[&level, &texture]);
        changes.wait(false);
        assert_eq!(changes.seen[&level], stamp(&level));
        // The next change is that of the other file.
        fs::write(&texture, "xy").unwrap();
        changes.wait(false);
        assert_eq!(changes.seen[&texture].unwrap().0, 2);
        assert!(!changes.have_come());
        fs::write(&texture, "xyz").unwrap();
        sleep(2 * POLL);
        assert!(changes.have_come() && changes.have_come());
        changes.wait(false);
        assert!(!changes.have_come());
    }

    #[test]
    fn after_a_failure_a_new_file_beside_the_level_is_a_change() {
        let folder = tempfile::tempdir().unwrap();
        let level = folder.path().join("a.gltf");
        fs::write(&level, "1").unwrap();
        let mut changes = Changes::new(&[&level]);
        let late = folder.path().join("a.bin");
        let writes = std::thread::spawn(move || {
            sleep(4 * POLL);
            fs::write(&late, "x").unwrap();
            late
        });
        changes.wait(true);
        assert!(writes.join().unwrap().exists());
    }
}
