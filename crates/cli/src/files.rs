//! The files of a call: inputs are regular files of a bounded size, and no output overwrites an
//! input or another output.

use std::fs;
use std::path::{Path, PathBuf};

use navbake_bake::world_files::{chunk_folder, is_index};
use navbake_import::read_file;

use crate::failure::Failure;
use crate::output::is_dash;

/// Longer text files are refused: no config, rules, baseline or scenario is as long.
const LONGEST_TEXT: u64 = 64 << 20;

/// Reads a text file that the user named; bytes that are not UTF-8 are replaced.
///
/// # Errors
/// If it cannot be read, is not a regular file, or is longer than 64 MiB.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    read_file(path, LONGEST_TEXT)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .map_err(|error| Failure::io(path, "read", &error))
}

/// What a file is, by whatever name: links, hard links and spellings of a path lead to the same.
#[derive(PartialEq)]
enum Identity {
    /// A file that is there, by the numbers of its system.
    #[cfg(unix)]
    Numbers(u64, u64),
    /// A file that is not there yet, or any on other systems, in the true folder.
    Path(PathBuf),
}

impl Identity {
    /// `None` for stdin and stdout, and for what is not a file: writing to it replaces nothing.
    fn of(path: &Path) -> Option<Identity> {
        if is_dash(path) {
            return None;
        }
        match fs::metadata(path) {
            Ok(about) if !about.is_file() => None,
            #[cfg(unix)]
            Ok(about) => {
                use std::os::unix::fs::MetadataExt;
                Some(Identity::Numbers(about.dev(), about.ino()))
            }
            _ => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.unwrap_or(Path::new("."));
                // Folders that are not there are made later.
                let folder =
                    fs::canonicalize(folder).or_else(|_| std::path::absolute(folder)).ok()?;
                let whole = fs::canonicalize(path).ok();
                Some(Identity::Path(whole.unwrap_or(folder.join(path.file_name()?))))
            }
        }
    }
}

/// Refuses a call one of whose outputs is one of its inputs or another output.
pub(crate) fn refuse_overwrites(inputs: &[&Path], outputs: &[&Path]) -> Result<(), Failure> {
    let known = |paths: &[&Path]| -> Vec<Option<Identity>> {
        paths.iter().map(|path| Identity::of(path)).collect()
    };
    let inputs: Vec<PathBuf> = inputs.iter().flat_map(|path| with_chunks(path)).collect();
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    let (of_inputs, of_outputs) = (known(&inputs), known(outputs));
    for (k, output) in outputs.iter().enumerate() {
        if of_outputs[k].is_none() {
            continue;
        }
        if let Some(i) = of_inputs.iter().position(|own| *own == of_outputs[k]) {
            return Err(Failure::usage(format_args!(
                "{}: the output would overwrite {}, an input; name another file",
                output.display(),
                inputs[i].display()
            )));
        }
        if let Some(i) = of_outputs[..k].iter().position(|own| *own == of_outputs[k]) {
            return Err(Failure::usage(format_args!(
                "{}: the output would overwrite {}, another output; name another file",
                output.display(),
                outputs[i].display()
            )));
        }
    }
    Ok(())
}

/// An input, and behind the index of a world the files of its chunks.
fn with_chunks(input: &Path) -> Vec<PathBuf> {
    let folder = is_index(input).then(|| chunk_folder(input));
    let chunks = folder.and_then(|folder| fs::read_dir(folder).ok());
    let chunks = chunks.into_iter().flatten().flatten().map(|entry| entry.path());
    [input.to_owned()].into_iter().chain(chunks).collect()
}

/// Some paths as a list, without those that are not given.
pub(crate) fn given<'a>(paths: &[Option<&'a PathBuf>]) -> Vec<&'a Path> {
    paths.iter().flatten().map(|path| path.as_path()).collect()
}
