//! Ways of links within rooms, put into a finished blob: they are measured on its own ground.

use alloc::vec::Vec;

use zerocopy::little_endian::F32;

use super::things::push;
use super::{Draft, EncodeError, drafts_of, rebuilt};
use crate::{Blob, Section};

/// A blob with ways of links, for each class in the order of [`Rooms::link_way`](crate::Rooms::link_way); those that it has are left out.
///
/// # Errors
/// When the blob is not sound, or the ways are none.
pub fn with_link_ways(bytes: &[u8], ways: &[Vec<f32>]) -> Result<Vec<u8>, EncodeError> {
    let blob = Blob::open_checked(bytes)
        .map_err(EncodeError::Unsound)?
        .blob();
    let mut drafts = drafts_of(&blob, |section| section != Section::LINK_WAYS);
    encode(ways, &mut drafts);
    rebuilt(&blob, drafts)
}

pub(super) fn encode(ways: &[Vec<f32>], drafts: &mut Vec<Draft>) {
    for (class, ways) in (0u16..).zip(ways) {
        let ways: Vec<F32> = ways.iter().map(|&way| F32::new(way)).collect();
        push(Section::LINK_WAYS, class, &ways, drafts);
    }
}
