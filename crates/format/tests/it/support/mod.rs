//! One mesh in a blob of its own.

use navbake_format::write::{BlobParts, EncodeError, MeshParts, encode};

pub(crate) const NONE: u32 = u32::MAX;

pub(crate) fn one(mesh: MeshParts<'_>) -> Result<Vec<u8>, EncodeError> {
    encode(&BlobParts { meshes: &[mesh], ..BlobParts::default() })
}
