//! Files a bake writes: whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::BakeError;

/// Writes a file whole or not at all: into a temporary file in the same folder, which is flushed to
/// the disk and then renamed. Until the rename an earlier file of that name stays as it was,
/// whatever happens; the temporary file goes when the write fails. What is not a plain file (a
/// pipe, `/dev/null`) is written to directly.
///
/// # Errors
/// When the folder or the file cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), BakeError> {
    write(path, bytes).map_err(|error| BakeError::io("write", path, error))
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link is followed, so that the file it names is replaced and not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if let Ok(known) = fs::metadata(&target) {
        if known.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; name a file"));
        }
        if !known.is_file() {
            return fs::OpenOptions::new().write(true).open(&target)?.write_all(bytes);
        }
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut temporary = Temporary::new(folder)?;
    temporary.file.write_all(bytes)?;
    temporary.file.sync_all()?;
    temporary.rename(&target)?;
    // The rename is on the disk once the folder is. Systems that cannot sync a folder have done
    // what they can.
    #[cfg(unix)]
    if let Ok(folder) = fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// A new file of its own name; goes when it is dropped, unless it replaced another file.
pub(crate) struct Temporary {
    pub(crate) file: fs::File,
    path: PathBuf,
    kept: bool,
}

impl Temporary {
    /// A file in a folder, with the permissions that the umask leaves, as for any new file.
    pub(crate) fn new(folder: &Path) -> io::Result<Temporary> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".navbake-{}-{number}.tmp", std::process::id()));
            match fs::File::create_new(&path) {
                Ok(file) => {
                    return Ok(Temporary { file, path, kept: false });
                }
                // Left by an earlier process of this number, or another machine's.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists && number < u32::MAX => {}
                Err(e) => return Err(e),
            }
        }
    }

    /// Gives the file a name; a file of that name is replaced.
    pub(crate) fn rename(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A rule for make and ninja: `output: file file ..`, with what both read otherwise escaped.
pub fn depfile(output: &Path, files: &[PathBuf]) -> String {
    let mut text = escape(output);
    text.push(':');
    for file in files {
        text.push_str(" \\\n  ");
        text.push_str(&escape(file));
    }
    text.push('\n');
    text
}

fn escape(path: &Path) -> String {
    let mut text = String::new();
    for c in path.display().to_string().chars() {
        match c {
            ' ' | '#' => text.extend(['\\', c]),
            '$' => text.push_str("$$"),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.nav");
        write_whole(&path, b"first").unwrap();
        write_whole(&path, b"second, longer").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second, longer");
        assert_eq!(names(folder.path()), ["a.nav"]);
    }

    #[test]
    fn a_failed_write_keeps_the_earlier_file_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.nav");
        write_whole(&path, b"first").unwrap();
        let error = write_whole(&folder.path().join("missing/a.nav"), b"x").unwrap_err();
        assert_eq!(error.exit_code(), 4);
        assert!(error.to_string().contains("missing"));
        let error = write_whole(folder.path(), b"x").unwrap_err();
        assert!(error.to_string().contains("folder"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(names(folder.path()), ["a.nav"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_keeps_pointing_at_the_replaced_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.nav"), folder.path().join("link"));
        write_whole(&path, b"first").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_whole(&link, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_ne!(mode & 0o044, 0, "a build's output is for others to read");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        write_whole(Path::new("/dev/null"), b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn a_depfile_escapes_what_make_reads_otherwise() {
        let text = depfile(
            Path::new("out dir/a.nav"),
            &[PathBuf::from("my level.gltf"), PathBuf::from("a$b#.bin")],
        );
        assert_eq!(text, "out\\ dir/a.nav: \\\n  my\\ level.gltf \\\n  a$$b\\#.bin\n");
    }
}
