//! The meshes of the file: encoded once, searched by stages, and written with what these found.

use navbake_format::write::{EncodeError, Encoder};
use navbake_format::{Blob, CheckedBlob, NavMeshBuf};

use super::{FileParts, unsound};
use crate::error::BakeError;
use crate::recorder::Recorder;

/// The meshes of the file, encoded, and decoded for searches when a stage first asks for them.
pub(crate) struct Encoded {
    encoder: Encoder,
    /// How many links it has.
    links: usize,
    decoded: Option<Vec<NavMeshBuf>>,
}

impl Encoded {
    /// Encodes the meshes with their links.
    pub(crate) fn new(parts: &FileParts<'_>, rec: &mut Recorder<'_>) -> Result<Encoded, BakeError> {
        let encoder = rec.serial("encode", || parts.with_meshes(Encoder::new))?;
        let encoder = encoder.map_err(|e| parts.encode_error(e))?;
        Ok(Encoded { encoder, links: parts.link_count(), decoded: None })
    }

    /// Encodes the meshes again if links were added since.
    pub(crate) fn update(
        &mut self,
        parts: &FileParts<'_>,
        rec: &mut Recorder<'_>,
    ) -> Result<(), BakeError> {
        if self.links < parts.link_count() {
            *self = Encoded::new(parts, rec)?;
        }
        Ok(())
    }

    /// The mesh of each class, as games search it.
    pub(crate) fn meshes(&mut self, rec: &mut Recorder<'_>) -> Result<&[NavMeshBuf], BakeError> {
        let meshes = match self.decoded.take() {
            Some(decoded) => decoded,
            None => rec.serial("decode", || self.encoder.decode())?.map_err(unsound)?,
        };
        Ok(self.decoded.insert(meshes))
    }

    /// The meshes that were decoded, if decoding the file gives the same; else none.
    pub(crate) fn decoded_of(self, written: &CheckedBlob<'_>) -> Vec<NavMeshBuf> {
        let decoded = self.decoded.unwrap_or_default();
        let is_same = decoded.iter().all(|mesh| mesh.is_of(&written.blob()));
        if is_same { decoded } else { vec![] }
    }

    /// The bytes of the file with everything that stages found.
    pub(crate) fn finish(
        &mut self,
        parts: &FileParts<'_>,
        rec: &mut Recorder<'_>,
    ) -> Result<Vec<u8>, BakeError> {
        let bytes = rec.serial("encode", || parts.with_all(|all| self.encoder.finish(all)))?;
        bytes.map_err(|e| parts.encode_error(e))
    }

    /// Reads the file back, validates it, and compares it with what was encoded and searched.
    pub(crate) fn read_back<'b>(&self, bytes: &'b [u8]) -> Result<CheckedBlob<'b>, BakeError> {
        let read = Blob::open_checked(bytes).map_err(|e| unsound(EncodeError::Unsound(e)))?;
        match self.encoder.difference(&read.blob()) {
            None => Ok(read),
            Some((section, class)) => {
                let found = format!("{section:?} of class {class} differs from what was encoded");
                Err(BakeError::internal("encode", found))
            }
        }
    }
}
