//! Results of tiles' jobs, so that a tile whose content did not change is not baked again: in a
//! folder, on a server, or in memory for a program that bakes a level repeatedly. Of worlds, also
//! the tiles of each chunk, so that chunks whose placements did not change are not read again.
//!
//! In a folder every entry is a file named by the content key of its job (`ab/cdef..`, the key in
//! hexadecimal). An entry is written whole or not at all, and every bake writes the same bytes. So
//! any number of bakes can share a folder, and files can be deleted at any time. No entry is ever
//! deleted here; what a killed bake left half-written goes when the folder is next opened.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::cache_server::CacheServer;
use crate::codec;
use crate::error::BakeError;
use crate::hash::ContentKey;
use crate::output::{Temporary, sweep};
use crate::summary::Note;
use crate::tile_list::ChunkTiles;
use crate::tile_result::TileResult;

/// Results of tiles that are kept between bakes. Clones share them.
#[derive(Clone, Debug)]
pub struct Cache(Store);

#[derive(Clone, Debug)]
enum Store {
    Folder { folder: PathBuf, read_only: bool },
    Memory(Arc<Mutex<HashMap<[u8; 32], Entry>>>),
    Server(Arc<Remote>),
}

/// A server, with what a bake knows of it.
#[derive(Debug)]
struct Remote {
    server: Arc<dyn CacheServer>,
    /// Whether a bake ends when the server fails.
    is_needed: bool,
    /// Entries that could not be used, which are to be replaced.
    wrong: Mutex<HashSet<[u8; 32]>>,
}

/// The most entries that are read from a server at once: their bytes are all in memory.
const AT_ONCE: usize = 256;

/// An entry in memory.
#[derive(Debug)]
struct Entry {
    bytes: Vec<u8>,
    /// Whether a bake has used it since [`Cache::forget_unused`].
    is_used: bool,
}

/// The folder's content for a key.
#[derive(Debug)]
pub(crate) enum Found<T> {
    Nothing,
    /// There is something else than the entry; what, as the rest of a sentence.
    Unusable(&'static str),
    Entry(T),
}

/// Reads the bytes of an entry, or says what is wrong with them.
type Decode<T> = fn(&[u8], &ContentKey) -> Result<T, &'static str>;

impl Cache {
    /// Opens a folder, which is made if it is not there. A folder that is there and takes no files
    /// is only read.
    ///
    /// # Errors
    /// When it cannot be made, or it is no folder that can be read.
    pub fn open(folder: &Path) -> Result<Cache, BakeError> {
        fs::create_dir_all(folder).map_err(|error| fault(folder, &error))?;
        let read_only = match Temporary::new(folder) {
            Ok(_) => false,
            Err(error) if is_refused(&error) && fs::read_dir(folder).is_ok() => true,
            Err(error) => return Err(fault(folder, &error)),
        };
        sweep(folder);
        Ok(Cache(Store::Folder { folder: folder.into(), read_only }))
    }

    /// An empty cache in memory. It grows until [`Cache::forget_unused`] is called.
    pub fn in_memory() -> Cache {
        Cache(Store::Memory(Arc::default()))
    }

    /// A cache on a server.
    ///
    /// A bake goes on without a server that fails, and warns. With `is_needed` it ends with an
    /// error instead: a machine of a farm bakes for the server alone.
    pub fn on_server(server: Arc<dyn CacheServer>, is_needed: bool) -> Cache {
        Cache(Store::Server(Arc::new(Remote { server, is_needed, wrong: Mutex::default() })))
    }

    /// Waits for the entries that are on their way to a server. Warns of what went wrong with it
    /// since it was opened.
    ///
    /// # Errors
    /// When the server is needed and has failed.
    pub(crate) fn settle(&self) -> Result<Vec<Note>, BakeError> {
        let Store::Server(remote) = &self.0 else { return Ok(vec![]) };
        remote.server.flush();
        remote.check()?;
        let address = remote.server.address();
        Ok(remote.server.faults().iter().map(|fault| fault.note(address)).collect())
    }

    /// Drops the entries in memory that no bake has used since the last call. A folder keeps all.
    ///
    /// O(n) in the entries.
    pub fn forget_unused(&self) {
        if let Store::Memory(entries) = &self.0 {
            let mut entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
            entries.retain(|_, entry| std::mem::take(&mut entry.is_used));
        }
    }

    /// Whether results are only read, as the folder takes no files.
    pub fn is_read_only(&self) -> bool {
        matches!(self.0, Store::Folder { read_only: true, .. })
    }

    /// Whether there is a whole entry for each key of [`TileWork`](crate::TileWork)s.
    ///
    /// # Errors
    /// When the cache is on a server that is needed and fails.
    pub fn has(&self, keys: &[[u8; 32]]) -> Result<Vec<bool>, BakeError> {
        let mut has = Vec::with_capacity(keys.len());
        for keys in keys.chunks(AT_ONCE) {
            let keys: Vec<ContentKey> = keys.iter().map(|key| ContentKey(*key)).collect();
            has.extend(self.get_all(&keys).iter().map(|found| matches!(found, Found::Entry(_))));
        }
        if let Store::Server(remote) = &self.0 {
            remote.check()?;
        }
        Ok(has)
    }

    /// Where the entry of a key is, below the folder.
    pub(crate) fn path(&self, key: &ContentKey) -> PathBuf {
        let hex = blake3::Hash::from_bytes(key.0).to_hex();
        let (shelf, name) = hex.split_at(2);
        match &self.0 {
            Store::Folder { folder, .. } => folder.join(shelf).join(name),
            Store::Memory(_) => Path::new(shelf).join(name),
            Store::Server(remote) => Path::new(remote.server.address()).join(shelf).join(name),
        }
    }

    /// The results of jobs that are here and whole. What cannot be read is as good as absent: the
    /// job can always be done again.
    pub(crate) fn get_all(&self, keys: &[ContentKey]) -> Vec<Found<TileResult>> {
        let Store::Server(remote) = &self.0 else {
            return keys.par_iter().map(|key| self.entry(key, codec::decode)).collect();
        };
        let some = |keys: &[ContentKey]| -> Vec<Found<TileResult>> {
            let names: Vec<[u8; 32]> = keys.iter().map(|key| key.0).collect();
            let entries = keys.par_iter().zip(remote.server.get(&names));
            entries.map(|(key, entry)| remote.found(key, entry, codec::decode)).collect()
        };
        keys.chunks(AT_ONCE).flat_map(some).collect()
    }

    /// The tiles of a chunk, if they are here.
    pub(crate) fn chunk(&self, key: &ContentKey) -> Option<ChunkTiles> {
        match self.entry(key, codec::decode_chunk) {
            Found::Entry(chunk) => Some(chunk),
            Found::Nothing | Found::Unusable(_) => None,
        }
    }

    fn entry<T>(&self, key: &ContentKey, decode: Decode<T>) -> Found<T> {
        match &self.0 {
            Store::Folder { .. } => match read(&self.path(key)) {
                Ok(Some(bytes)) => decoded(&bytes, key, decode),
                Ok(None) => Found::Unusable("is not a file of an entry's size"),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Found::Nothing,
                Err(_) => Found::Unusable("cannot be read"),
            },
            Store::Memory(entries) => {
                let bytes = {
                    let mut entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
                    let Some(entry) = entries.get_mut(&key.0) else { return Found::Nothing };
                    entry.is_used = true;
                    entry.bytes.clone()
                };
                decoded(&bytes, key, decode)
            }
            Store::Server(remote) => {
                let entry = remote.server.get(&[key.0]).pop().flatten();
                remote.found(key, entry, decode)
            }
        }
    }

    /// Keeps the result of a job. It is not flushed to the disk: an entry that a power cut leaves
    /// in pieces is noticed by its checksum.
    pub(crate) fn put(&self, key: &ContentKey, result: &TileResult) -> Result<(), BakeError> {
        self.put_entry(key, || codec::encode(key, result))
    }

    /// Keeps the tiles of a chunk.
    pub(crate) fn put_chunk(&self, key: &ContentKey, chunk: &ChunkTiles) -> Result<(), BakeError> {
        self.put_entry(key, || codec::encode_chunk(key, chunk))
    }

    fn put_entry(
        &self,
        key: &ContentKey,
        encode: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Result<(), BakeError> {
        if self.is_read_only() {
            return Ok(());
        }
        let Some(bytes) = encode() else {
            return Ok(()); // too large to keep
        };
        let folder = match &self.0 {
            Store::Folder { folder, .. } => folder,
            Store::Memory(entries) => {
                let mut entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
                entries.insert(key.0, Entry { bytes, is_used: true });
                return Ok(());
            }
            Store::Server(remote) => {
                remote.check()?;
                let mut wrong = remote.wrong.lock().unwrap_or_else(PoisonError::into_inner);
                let replace = wrong.remove(&key.0);
                drop(wrong);
                remote.server.put(key.0, bytes, replace);
                return Ok(());
            }
        };
        let path = self.path(key);
        let shelf = path.parent().unwrap_or(folder);
        let write = || -> io::Result<()> {
            fs::create_dir_all(shelf)?;
            let mut temporary = Temporary::new(folder)?;
            temporary.file.write_all(&bytes)?;
            temporary.rename(&path)
        };
        match write() {
            Ok(()) => Ok(()),
            // Some systems do not replace a file that another bake is reading; it is the same entry
            // then.
            Err(_) if matches!(read(&path), Ok(Some(same)) if same == bytes) => Ok(()),
            Err(error) => Err(fault(&path, &error)),
        }
    }
}

impl Remote {
    /// Fails where the server is needed and has failed.
    fn check(&self) -> Result<(), BakeError> {
        match self.server.faults().first() {
            Some(fault) if self.is_needed => {
                let reason = format!("{}; check its address and rights", fault.reason());
                let address = Path::new(self.server.address());
                Err(BakeError::io("use the cache", address, io::Error::other(reason)))
            }
            _ => Ok(()),
        }
    }

    /// What an entry of the server is; one that cannot be used is remembered.
    fn found<T>(&self, key: &ContentKey, entry: Option<Vec<u8>>, decode: Decode<T>) -> Found<T> {
        let found = entry.map_or(Found::Nothing, |bytes| decoded(&bytes, key, decode));
        if matches!(found, Found::Unusable(_)) {
            let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
            wrong.insert(key.0);
        }
        found
    }
}

fn decoded<T>(bytes: &[u8], key: &ContentKey, decode: Decode<T>) -> Found<T> {
    match decode(bytes, key) {
        Ok(result) => Found::Entry(result),
        Err(reason) => Found::Unusable(reason),
    }
}

/// The bytes of a file, `None` for what is no plain file or larger than any entry. The kind is
/// asked first, because opening a pipe would wait.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let known = fs::metadata(path)?;
    if !known.is_file() || known.len() > codec::MOST_BYTES {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(known.len() as usize);
    File::open(path)?.take(codec::MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// Whether files are refused because of permissions or a read-only file system.
fn is_refused(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

fn fault(path: &Path, error: &io::Error) -> BakeError {
    let cure = "the cache must be a folder; name another, or bake without one";
    let error = io::Error::other(format!("{}; {cure}", navbake_import::reason(error)));
    BakeError::io("write the cache", path, error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::names;

    const KEY: ContentKey = ContentKey([0xab; 32]);

    impl Cache {
        fn get(&self, key: &ContentKey) -> Found<TileResult> {
            self.get_all(&[ContentKey(key.0)]).remove(0)
        }
    }

    fn unusable(cache: &Cache) -> bool {
        matches!(cache.get(&KEY), Found::Unusable(_))
    }

    #[test]
    fn an_entry_comes_back_from_its_own_file_and_nothing_lies_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("made/here");
        let cache = Cache::open(&own).unwrap();
        assert!(matches!(cache.get(&KEY), Found::Nothing));
        for _ in 0..2 {
            cache.put(&KEY, &codec::sample()).unwrap();
            let Found::Entry(result) = cache.get(&KEY) else { panic!("it was put there") };
            assert_eq!(result, codec::sample());
        }
        assert_eq!(names(&own), ["ab"]);
        assert_eq!(names(&own.join("ab")), ["ab".repeat(31)]);
    }

    #[test]
    fn memory_keeps_what_the_last_bake_used() {
        let other = ContentKey([0x12; 32]);
        let cache = Cache::in_memory();
        let has = |key| matches!(cache.get(key), Found::Entry(r) if r == codec::sample());
        assert!(!has(&KEY) && !cache.is_read_only());
        for key in [&KEY, &other] {
            cache.put(key, &codec::sample()).unwrap();
        }
        cache.forget_unused();
        assert!(has(&KEY));
        cache.forget_unused();
        assert!(has(&KEY) && !has(&other));
    }

    #[test]
    fn a_file_of_every_other_length_is_a_miss_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        cache.put(&KEY, &codec::sample()).unwrap();
        let path = cache.path(&KEY);
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(unusable(&cache), "{length}");
        }
        fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
        assert!(unusable(&cache));
        cache.put(&KEY, &codec::sample()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn what_is_no_entry_is_a_miss() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        let path = cache.path(&KEY);
        // A file where the entry's folder should be.
        fs::write(path.parent().unwrap(), "x").unwrap();
        assert!(unusable(&cache));
        let error = cache.put(&KEY, &codec::sample()).unwrap_err();
        assert_eq!(error.exit_code(), 4, "{error}");
        fs::remove_file(path.parent().unwrap()).unwrap();
        fs::create_dir_all(&path).unwrap();
        assert!(unusable(&cache));
        fs::remove_dir(&path).unwrap();
        // Larger than any entry, and empty: nothing of it is read.
        File::create(&path).unwrap().set_len(codec::MOST_BYTES + 1).unwrap();
        assert!(unusable(&cache));
    }

    #[test]
    fn an_entry_under_another_name_is_a_miss() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        cache.put(&KEY, &codec::sample()).unwrap();
        let other = ContentKey([0x12; 32]);
        fs::create_dir(folder.path().join("12")).unwrap();
        fs::copy(cache.path(&KEY), cache.path(&other)).unwrap();
        assert!(matches!(cache.get(&other), Found::Unusable(_)));
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_an_io_error_that_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "x").unwrap();
        for path in [file.clone(), file.join("below")] {
            let error = Cache::open(&path).unwrap_err();
            assert_eq!(error.exit_code(), 4);
            let text = error.to_string();
            assert!(text.contains("file") && text.contains("cache"), "{text}");
            assert!(text.contains("name another"), "{text}");
        }
    }
}
