//! Changes of files, by their sizes and the times of their last modification.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

/// Time between two looks at the files. A save is over when two looks find the same.
const POLL: Duration = Duration::from_millis(40);

/// The size of a file and when it was modified; `None` where it is not there.
type Stamp = Option<(u64, SystemTime)>;

fn stamp(path: &Path) -> Stamp {
    let about = fs::metadata(path).ok()?;
    Some((about.len(), about.modified().ok()?))
}

/// The watched files and what was last seen of them.
pub(super) struct Changes(BTreeMap<PathBuf, Stamp>);

impl Changes {
    /// Watches files from now on.
    pub(super) fn new(files: &[&Path]) -> Changes {
        Changes(files.iter().map(|path| (path.to_path_buf(), stamp(path))).collect())
    }

    /// Watches these files instead. Of those that were watched before, what was seen is kept, so
    /// that a change meanwhile is still one.
    pub(super) fn watch(&mut self, files: &[&Path]) {
        let mut now = Changes::new(files);
        for (path, seen) in &mut now.0 {
            if let Some(before) = self.0.get(path) {
                *seen = *before;
            }
        }
        *self = now;
    }

    /// Waits until a file has changed and rests.
    ///
    /// After a failure the folders of the files count as well: what was missing may be there now.
    pub(super) fn wait(&mut self, has_failed: bool) {
        let folders = |files: &BTreeMap<PathBuf, Stamp>| -> BTreeMap<PathBuf, Stamp> {
            let folders = files.keys().filter(|_| has_failed).filter_map(|path| path.parent());
            let named = folders.map(|f| if f.as_os_str().is_empty() { Path::new(".") } else { f });
            named.map(|folder| (folder.to_path_buf(), stamp(folder))).collect()
        };
        let seen_folders = folders(&self.0);
        let look = |files: &BTreeMap<PathBuf, Stamp>| -> BTreeMap<PathBuf, Stamp> {
            files.keys().map(|path| (path.clone(), stamp(path))).collect()
        };
        let (mut last, mut last_folders) = (self.0.clone(), seen_folders.clone());
        loop {
            let (now, now_folders) = (look(&self.0), folders(&self.0));
            let rests = now == last && now_folders == last_folders;
            if rests && (now != self.0 || now_folders != seen_folders) {
                self.0 = now;
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
        assert_eq!(changes.0[&level], stamp(&level));
        // The next change is that of the other file.
        fs::write(&texture, "xy").unwrap();
        changes.wait(false);
        assert_eq!(changes.0[&texture].unwrap().0, 2);
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
