//! The bytes that a navmesh in memory reads.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// The bytes of an unpacked file: decoded ones, or those of an owner.
#[derive(Clone)]
pub(crate) enum Held {
    Decoded(Vec<u8>),
    Owned(Arc<dyn AsRef<[u8]> + Send + Sync>),
}

impl Held {
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Held::Decoded(bytes) => bytes,
            Held::Owned(owner) => (**owner).as_ref(),
        }
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.bytes().len())
    }
}

impl PartialEq for Held {
    fn eq(&self, other: &Held) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for Held {}
