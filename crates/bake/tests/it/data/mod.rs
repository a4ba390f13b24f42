//! Where real levels are: in the folder that NAVBAKE_DATA names, or in `shared/data` beside the tree.

use std::path::{Path, PathBuf};

/// The folder; a test is skipped by name where there is none.
pub(crate) fn data(test: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("NAVBAKE_DATA").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("{test}: skipped, there is no data in {}", folder.display());
    None
}
