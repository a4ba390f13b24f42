//! The files of a world in chunks: the index, and beside it a folder with a file for each chunk.
//!
//! Names of chunks' files have the hash of what they hold. A bake writes those that are new, then
//! the index, and removes what no index names any more: until the index is replaced, the world is
//! the one before.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use navbake_format::{Blob, Chunk};
use navbake_import::read_file;

use crate::chunks::ChunkFile;
use crate::error::BakeError;
use crate::input::BakeInput;
use crate::output::write_whole;
use crate::progress::Options;
use crate::summary::Baked;

/// How the name of an index ends.
pub const INDEX: &str = "navw";

/// Is this the name of a world's index?
pub fn is_index(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == INDEX)
}

/// The folder with the chunks of an index: `world.chunks` for `world.navw`.
pub fn chunk_folder(index: &Path) -> PathBuf {
    index.with_extension("chunks")
}

/// The file of a chunk.
pub fn chunk_path(index: &Path, chunk: &Chunk) -> PathBuf {
    chunk_folder(index).join(chunk.file_name())
}

impl BakeInput {
    /// Bakes the level as a world in chunks and writes its files: chunks first, the index last.
    ///
    /// When it fails, the world that was there before is as it was.
    ///
    /// # Errors
    /// As [`BakeInput::bake_chunks`], and when a file cannot be written.
    pub fn bake_world(&self, index: &Path, options: &Options) -> Result<Baked, BakeError> {
        let folder = chunk_folder(index);
        let (mut all, mut written) = (BTreeSet::new(), vec![]);
        let mut take = |file: ChunkFile| {
            let path = folder.join(&file.name);
            if !read_file(&path, u32::MAX.into()).is_ok_and(|bytes| bytes == file.bytes) {
                write_whole(&path, &file.bytes)?;
                written.push(path);
            }
            all.insert(file.name);
            Ok(())
        };
        let done = self.bake_chunks(options, &mut take).and_then(|baked| {
            write_whole(index, &baked.bytes)?;
            Ok(baked)
        });
        match &done {
            Ok(_) => sweep(&folder, &all),
            Err(_) => written.iter().for_each(|path| {
                // It is named by no index: what cannot be removed does no harm.
                let _ = fs::remove_file(path);
            }),
        }
        done
    }

    /// Was this world made from the same level with the same config and chunks by the same version,
    /// and are all of its files there and sound?
    pub fn world_up_to_date(&self, index: &Path, options: &Options) -> bool {
        if !self.up_to_date(index) {
            return false;
        }
        let Ok(bytes) = read_file(index, u32::MAX.into()) else {
            return false;
        };
        let Ok(blob) = Blob::open_checked(&bytes) else {
            return false;
        };
        let side = self.side_of_chunks(options).ok();
        blob.chunks().iter().all(|chunk| {
            let path = chunk_path(index, &chunk);
            side == i32::try_from(chunk.side).ok()
                && read_file(&path, u32::MAX.into())
                    .is_ok_and(|bytes| *blake3::hash(&bytes).as_bytes() == chunk.hash)
        })
    }
}

/// Removes files of chunks that the index does not name.
fn sweep(folder: &Path, named: &BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_old = name.to_str().is_some_and(|name| is_chunk(name) && !named.contains(name));
        if is_old && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // What cannot be removed does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Is this a name that [`Chunk::file_name`] gives?
fn is_chunk(name: &str) -> bool {
    let parts = name.strip_suffix(".nav").and_then(|name| name.rsplit_once('-'));
    let Some((key, hash)) = parts else {
        return false;
    };
    let number = |text: &str| text.parse::<i32>().is_ok_and(|n| n.to_string() == text);
    let is_key = key.split_once('_').is_some_and(|(x, z)| number(x) && number(z));
    is_key && hash.len() == 16 && hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_others_are_not_taken_for_chunks() {
        let chunk = Chunk {
            key: [-1, 20],
            side: 1,
            least: [0; 3],
            greatest: [0; 3],
            polygons: 0,
            islands: 0,
            bytes: 0,
            hash: [0xa5; 32],
        };
        assert_eq!(chunk.file_name(), "-1_20-a5a5a5a5a5a5a5a5.nav");
        assert!(is_chunk(&chunk.file_name()));
        for name in ["a.nav", "1_2.nav", "1_2-a5a5a5a5a5a5a5a.nav", "01_2-a5a5a5a5a5a5a5a5.nav"] {
            assert!(!is_chunk(name), "{name}");
        }
        assert!(!is_chunk("1_2-a5a5a5a5a5a5a5a5.nav.bak") && !is_chunk("1_2-A5a5a5a5a5a5a5a5.nav"));
    }
}
