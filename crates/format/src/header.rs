//! The fixed part of a blob: 136 bytes.

use navbake_grid::Grid;
use navbake_navmesh::record::Record;

/// First bytes of every blob.
///
/// As in PNG, the high bit, the line ends and the control character reveal transfers that damage
/// binary files.
pub const MAGIC: [u8; 8] = *b"\x89NAV\r\n\x1a\n";

/// The format version that this crate writes, and the newest that it reads.
///
/// It is raised when the bytes of an existing section change, not for new optional sections.
pub const VERSION: u32 = 4;
/// The oldest format version that it reads.
pub(crate) const OLDEST: u32 = 4;

/// Offset of the checksum, which does not cover itself.
pub(crate) const CHECKSUM_AT: usize = 32;
/// Length of the header.
pub(crate) const HEADER_LEN: usize = RawHeader::SIZE;

navbake_navmesh::record! {
    /// The header in the file.
    pub(crate) struct RawHeader: 136 {
        pub(crate) magic: [u8; 8],
        pub(crate) version: u32,
        pub(crate) min_reader: u32,
        pub(crate) flags: u32,
        pub(crate) sections: u32,
        pub(crate) total_len: u64,
        pub(crate) checksum: u32,
        pub(crate) grid_bits: u8,
        pub(crate) up: u8,
        pub(crate) reserved: [u8; 2],
        pub(crate) origin: [f64; 3],
        pub(crate) scale: f64,
        pub(crate) level_hash: [u8; 32],
        pub(crate) config_hash: [u8; 32],
    }
}

impl RawHeader {
    /// The header at the start of a blob, and the bytes after it.
    pub(crate) fn split(bytes: &[u8]) -> Option<(RawHeader, &[u8])> {
        let (header, rest) = bytes.split_first_chunk()?;
        Some((RawHeader::from_bytes(header), rest))
    }
}

/// The axis that points up in the input that was baked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// y up: taken as it is.
    #[default]
    Y,
    /// z up: input (x, y, z) became (x, z, -y).
    Z,
}

impl UpAxis {
    /// The name of the axis.
    pub fn name(self) -> char {
        match self {
            UpAxis::Y => 'y',
            UpAxis::Z => 'z',
        }
    }

    pub(crate) fn from_byte(byte: u8) -> Option<UpAxis> {
        match byte {
            0 => Some(UpAxis::Y),
            1 => Some(UpAxis::Z),
            _ => None,
        }
    }

    #[cfg(feature = "write")]
    pub(crate) fn byte(self) -> u8 {
        match self {
            UpAxis::Y => 0,
            UpAxis::Z => 1,
        }
    }
}

/// The contents of the header.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Header {
    /// Format version of the blob.
    pub version: u32,
    /// The oldest reader version that understands it.
    pub min_reader: u32,
    /// Length of the whole blob in bytes.
    pub total_len: u64,
    /// CRC-32C of all bytes but its own four.
    pub checksum: u32,
    /// The grid of all integer coordinates.
    pub grid: Grid,
    /// The axis that pointed up in the input.
    pub up: UpAxis,
    /// Input units to metres.
    pub scale: f64,
    /// Hash of the canonical level.
    pub level_hash: [u8; 32],
    /// Hash of the settings that decide the result.
    pub config_hash: [u8; 32],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_where_it_is_documented() {
        let mut bytes = [0; HEADER_LEN];
        bytes[CHECKSUM_AT..CHECKSUM_AT + 4].copy_from_slice(&7u32.to_le_bytes());
        assert_eq!(RawHeader::from_bytes(&bytes).checksum, 7);
    }
}
