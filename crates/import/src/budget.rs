//! The memory that reading a level may take, asked for before it is taken.
//!
//! A file of 1 kB can ask for gigabytes: sparse accessors, instances and shared accessors multiply
//! what it holds. Whatever allocates by a number in a file spends from one [`Budget`] first, and
//! nothing is given back, so the sum bounds what is held at any time.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use crate::{ImportError, ImportErrorKind, ImportOptions};

/// Bytes for a level of any size where the caller sets no limit.
const LEAST: u64 = 2 << 30;
/// Further bytes for each byte read. Files that share nothing take less: 3 to 17 for OBJ and
/// indexed glTF.
const TIMES: u64 = 32;

/// Bytes a triangle takes at the peak, until the level is on its grid: as it is read (16), on the
/// grid (24), and to sort it (36).
pub(crate) const TRIANGLE: u64 = 76;
/// Bytes a vertex takes: as it is read (24), on the grid (16) and to sort it (36). With half to
/// three quarters of a vertex a triangle, as most levels have, 105 to 110 bytes a triangle were
/// measured.
pub(crate) const VERTEX: u64 = 76;

/// Bytes that may still be taken.
#[derive(Debug)]
pub(crate) struct Budget {
    file: PathBuf,
    limit: Cell<u64>,
    spent: Cell<u64>,
    grows: bool,
}

impl Budget {
    /// The budget of a level, by the limit of the options or by the bytes read.
    pub(crate) fn new(file: &Path, options: &ImportOptions) -> Budget {
        Budget {
            file: file.to_owned(),
            limit: Cell::new(options.memory.unwrap_or(LEAST)),
            spent: Cell::new(0),
            grows: options.memory.is_none(),
        }
    }

    /// Counts a file that was read for the first time.
    pub(crate) fn read(&self, bytes: u64) -> Result<(), ImportError> {
        if self.grows {
            self.limit.set(self.limit.get().saturating_add(bytes.saturating_mul(TIMES)));
        }
        self.spend("the whole file", bytes)
    }

    /// Asks for bytes, for what is at a place in the file.
    ///
    /// # Errors
    /// [`ImportErrorKind::Budget`] if there are not as many left.
    pub(crate) fn spend(&self, place: &str, bytes: u64) -> Result<(), ImportError> {
        let spent = self.spent.get().saturating_add(bytes);
        if spent > self.limit.get() {
            let mib = |bytes: u64| bytes.div_ceil(1 << 20);
            return Err(ImportError {
                kind: ImportErrorKind::Budget,
                file: self.file.clone(),
                place: place.into(),
                finding: format!(
                    "reading the level up to here takes {} MiB of memory or more; the limit is {} MiB",
                    mib(spent),
                    mib(self.limit.get())
                ),
                cure: "split the level, or raise the limit (--memory)".into(),
            });
        }
        self.spent.set(spent);
        Ok(())
    }
}
