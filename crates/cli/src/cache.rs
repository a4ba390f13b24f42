//! Caches by their names on the command line.

use std::path::Path;

use navbake_bake::Cache;

use crate::failure::Failure;
use crate::failure::failed;

/// Opens a cache: a folder, or the address of a server. A server that is needed and fails ends the
/// bake.
pub(crate) fn open(name: &Path, is_needed: bool) -> Result<Cache, Failure> {
    match name.to_str().filter(|name| navbake_store::is_address(name)) {
        None => Cache::open(name).map_err(failed),
        Some(address) => {
            let server = navbake_store::open(address).map_err(Failure::usage)?;
            Ok(Cache::on_server(server, is_needed))
        }
    }
}
