//! Files a bake writes: whole or not at all.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::BakeError;

/// Makes the folder of an output where there is none.
///
/// # Errors
/// When it cannot be made, or the output is no file: a folder, a disk, or a pipe or socket by name.
/// Opening a named pipe would wait for its reader, for ever if there is none.
pub fn make_folder(path: &Path) -> Result<(), BakeError> {
    let refused = |error| BakeError::io("write", path, error);
    if path.is_dir() {
        let found = "it is a folder; name a file";
        return Err(refused(io::Error::new(io::ErrorKind::IsADirectory, found)));
    }
    if is_no_output(path) {
        let found = "it is a pipe, a socket or a disk; name a file, or /dev/stdout";
        return Err(refused(io::Error::new(io::ErrorKind::InvalidInput, found)));
    }
    let folder = folder_of(path);
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(file) = folder.ancestors().find(|part| part.is_file()) {
        let found = format!("{} is a file, not a folder; name another", file.display());
        return Err(refused(io::Error::other(found)));
    }
    fs::create_dir_all(folder).map_err(refused)
}

/// Is a path a disk, or a pipe or socket by name? Those of `/dev` and `/proc` are open already.
#[cfg(unix)]
fn is_no_output(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let Ok(kind) = fs::metadata(path).map(|known| known.file_type()) else {
        return false;
    };
    let is_open = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    kind.is_block_device() || ((kind.is_fifo() || kind.is_socket()) && !is_open)
}

#[cfg(not(unix))]
fn is_no_output(_: &Path) -> bool {
    false
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Writes a file whole or not at all: into a temporary file in the same folder, which is flushed to
/// the disk and then renamed. Until the rename an earlier file of that name stays as it was,
/// whatever happens; the temporary file goes when the write fails, or with the next write to the
/// folder where the process was killed. What is not a plain file (`/dev/stdout`, `/dev/null`) is
/// written to directly. The folder is made where there is none.
///
/// # Errors
/// When the folder or the file cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), BakeError> {
    make_folder(path)?;
    write(path, bytes).map_err(|error| {
        // Its folder is there: `/proc` and its like take no files.
        let error = match error.kind() {
            io::ErrorKind::NotFound => io::Error::other("its folder takes no new files"),
            _ => error,
        };
        BakeError::io("write", path, error)
    })
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link is followed, so that the file it names is replaced and not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if fs::metadata(&target).is_ok_and(|known| !known.is_file()) {
        return fs::OpenOptions::new().write(true).open(&target)?.write_all(bytes);
    }
    let folder = folder_of(&target);
    sweep(folder);
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

/// How names of temporary files begin and end; the process and a number are between.
const TEMPORARY: [&str; 2] = [".navbake-", ".tmp"];

/// The temporary files that this process has, so that it can end at any time and leave none.
static OPEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn open_files() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process from any thread, whatever the others do, without a file that is half written:
/// temporary files are removed, and every output is whole or as it was.
pub fn exit(code: u8) -> ! {
    // No new one is made while this is held.
    let open = open_files();
    for path in open.iter() {
        // One that was just renamed is gone, which is as good.
        let _ = fs::remove_file(path);
    }
    std::process::exit(code.into())
}

/// A new file of its own name; goes when it is dropped, unless it replaced another file.
///
/// It is locked while it is open. The system unlocks what a killed process leaves behind, so that
/// [`sweep`] knows it.
pub(crate) struct Temporary {
    pub(crate) file: fs::File,
    path: PathBuf,
    kept: bool,
}

impl Temporary {
    /// A file in a folder, with the permissions that the umask leaves, as for any new file.
    pub(crate) fn new(folder: &Path) -> io::Result<Temporary> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let [head, tail] = TEMPORARY;
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{head}{}-{number}{tail}", std::process::id()));
            let mut open = open_files();
            match fs::File::create_new(&path) {
                // Another process may sweep it away before it is locked.
                Ok(file) if lock(&file) && path.exists() => {
                    open.insert(path.clone());
                    return Ok(Temporary { file, path, kept: false });
                }
                Ok(_) if number < u32::MAX => {}
                Ok(_) => return Err(io::ErrorKind::AlreadyExists.into()),
                // Of a process of this number on another machine.
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
        open_files().remove(&self.path);
    }
}

/// Removes temporary files that killed processes left in a folder. What cannot be removed is for
/// the next bake: it does no harm.
pub(crate) fn sweep(folder: &Path) {
    let [head, tail] = TEMPORARY;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_temporary = (entry.file_name().to_str())
            .is_some_and(|name| name.starts_with(head) && name.ends_with(tail));
        if is_temporary
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = fs::File::open(entry.path())
            && is_left_behind(&file)
        {
            // While the lock is held: no other run takes the name.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Locks a new file. Where there are no locks nothing is swept away either.
#[cfg(unix)]
fn lock(file: &fs::File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    let locked = flock(file, FlockOperation::NonBlockingLockExclusive);
    locked != Err(rustix::io::Errno::WOULDBLOCK)
}

/// Is no process at work on the file? If so, it is locked until it is closed.
#[cfg(unix)]
fn is_left_behind(file: &fs::File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
}

#[cfg(not(unix))]
fn lock(_: &fs::File) -> bool {
    true
}

#[cfg(not(unix))]
fn is_left_behind(_: &fs::File) -> bool {
    false
}

/// A rule for make and ninja: `output: file file ..`, with what both read otherwise escaped.
///
/// # Errors
/// For a name that no rule can have: with a line break or another control character, which would
/// begin a rule of its own, or not UTF-8.
pub fn depfile(output: &Path, files: &[PathBuf]) -> Result<String, String> {
    let mut text = escape(output)?;
    text.push(':');
    for file in files {
        text.push_str(" \\\n  ");
        text.push_str(&escape(file)?);
    }
    text.push('\n');
    Ok(text)
}

fn escape(path: &Path) -> Result<String, String> {
    let name = path.to_str().filter(|name| !name.contains(char::is_control));
    let name = name.ok_or_else(|| {
        format!(
            "{}: a depfile cannot name this file, as its name has a control character or is not UTF-8; rename it, or bake without --depfile",
            path.display()
        )
    })?;
    let mut text = String::new();
    for (at, c) in name.char_indices() {
        match c {
            ' ' | '#' => {
                // Backslashes before an escape count double.
                let before = text.bytes().rev().take_while(|b| *b == b'\\').count();
                text.push_str(&"\\".repeat(before + 1));
                text.push(c);
            }
            // Not that of a Windows drive.
            ':' if at != 1 => text.push_str("\\:"),
            '%' => text.push_str("\\%"),
            '$' => text.push_str("$$"),
            _ => text.push(c),
        }
    }
    Ok(text)
}

/// The names of the files in a folder, sorted.
#[cfg(test)]
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let error = write_whole(&path.join("below/b.nav"), b"x").unwrap_err();
        assert_eq!(error.exit_code(), 4);
        assert!(error.to_string().contains("a.nav is a file, not a folder"), "{error}");
        let error = write_whole(folder.path(), b"x").unwrap_err();
        assert!(error.to_string().contains("folder"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(names(folder.path()), ["a.nav"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_named_pipe_or_socket_as_output_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
        let error = write_whole(&path, b"x").unwrap_err().to_string();
        assert!(error.contains("a pipe, a socket or a disk"), "{error}");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let error = write_whole(&pipe, b"x").unwrap_err().to_string();
        assert!(error.contains("a pipe, a socket or a disk"), "{error}");
    }

    #[test]
    fn a_missing_folder_of_an_output_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("made/here/a.nav");
        write_whole(&path, b"first").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_killed_bake_left_is_swept_away_and_what_others_write_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let at_work = Temporary::new(folder.path()).unwrap();
        fs::write(folder.path().join(".navbake-1-0.tmp"), b"half").unwrap();
        fs::write(folder.path().join("mine.tmp"), b"whole").unwrap();
        write_whole(&folder.path().join("a.nav"), b"first").unwrap();
        let own = at_work.path.file_name().unwrap().to_str().unwrap();
        assert_eq!(names(folder.path()), [own, "a.nav", "mine.tmp"]);
        at_work.rename(&folder.path().join("b.nav")).unwrap();
        assert_eq!(names(folder.path()), ["a.nav", "b.nav", "mine.tmp"]);
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
        )
        .unwrap();
        assert_eq!(text, "out\\ dir/a.nav: \\\n  my\\ level.gltf \\\n  a$$b\\#.bin\n");
    }

    #[test]
    fn no_name_begins_a_rule_of_its_own_in_a_depfile() {
        for name in ["a\n\tall: x", "a\rb", "a\u{85}b"] {
            let error = depfile(Path::new("a.nav"), &[PathBuf::from(name)]).unwrap_err();
            assert!(error.contains("--depfile"), "{error}");
        }
        let colon = depfile(Path::new("a.nav"), &[PathBuf::from("bb: c\\ d.obj")]).unwrap();
        assert_eq!(colon, "a.nav: \\\n  bb\\:\\ c\\\\\\ d.obj\n");
    }
}
