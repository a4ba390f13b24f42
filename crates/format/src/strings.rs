//! Names: references into the string pool.

use core::str;

navbake_navmesh::record! {
    /// A run of bytes in a string pool.
    pub(crate) struct StringRef: 6 { pub(crate) offset: u32, pub(crate) len: u16 }
}

impl StringRef {
    /// Adds a name to a pool that is known to have room for it.
    #[cfg(feature = "alloc")]
    pub(crate) fn add(name: &str, pool: &mut alloc::vec::Vec<u8>) -> StringRef {
        let at = StringRef { offset: pool.len() as u32, len: name.len() as u16 };
        pool.extend_from_slice(name.as_bytes());
        at
    }
}

/// The text that a reference names in a string pool.
pub(crate) fn text(pool: &[u8], at: StringRef) -> Option<&str> {
    let start = usize::try_from(at.offset).ok()?;
    let end = start.checked_add(usize::from(at.len))?;
    str::from_utf8(pool.get(start..end)?).ok()
}

#[cfg(feature = "write")]
pub(crate) use pool::Strings;

#[cfg(feature = "write")]
mod pool {
    use alloc::vec::Vec;

    use super::StringRef;
    use crate::write::EncodeError;

    /// A string pool being written. A name that it has is not added again.
    #[derive(Default)]
    pub(crate) struct Strings {
        pub(crate) pool: Vec<u8>,
        /// Sorted by name.
        known: Vec<(Vec<u8>, StringRef)>,
    }

    impl Strings {
        pub(crate) fn add(
            &mut self,
            name: &str,
            what: &'static str,
        ) -> Result<StringRef, EncodeError> {
            let key = |k: &(Vec<u8>, StringRef)| k.0.as_slice().cmp(name.as_bytes());
            let place = match self.known.binary_search_by(key) {
                Ok(i) => return Ok(self.known[i].1),
                Err(i) => i,
            };
            let length = |found, expected| EncodeError::length(what, 0, found, expected);
            let len = u16::try_from(name.len()).map_err(|_| length(name.len(), u16::MAX.into()))?;
            let offset = u32::try_from(self.pool.len())
                .map_err(|_| length(self.pool.len(), u32::MAX.into()))?;
            let at = StringRef { offset, len };
            self.pool.extend_from_slice(name.as_bytes());
            self.known.insert(place, (name.as_bytes().to_vec(), at));
            Ok(at)
        }
    }
}
