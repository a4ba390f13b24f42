//! The fixed part of a blob: 136 bytes.

use zerocopy::little_endian::{F64, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use navbake_grid::Grid;

/// First bytes of every blob. As in PNG, the high bit, the line ends and the control character show transfers that damage binary files.
pub const MAGIC: [u8; 8] = *b"\x89NAV\r\n\x1a\n";

/// The format version that this crate writes, and the newest that it reads. It is raised when the bytes of an existing section change;
/// new optional sections leave it as it is.
pub const VERSION: u32 = 4;
/// The oldest format version that it reads.
pub(crate) const OLDEST: u32 = 4;

/// Where the checksum stands; it is not part of what it covers.
pub(crate) const CHECKSUM_AT: usize = 32;
/// Length of the header.
pub(crate) const HEADER_LEN: usize = size_of::<RawHeader>();

/// The header as it lies in the file.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy)]
#[repr(C)]
pub(crate) struct RawHeader {
    pub(crate) magic: [u8; 8],
    pub(crate) version: U32,
    pub(crate) min_reader: U32,
    pub(crate) flags: U32,
    pub(crate) sections: U32,
    pub(crate) total_len: U64,
    pub(crate) checksum: U32,
    pub(crate) grid_bits: u8,
    pub(crate) up: u8,
    pub(crate) reserved: [u8; 2],
    pub(crate) origin: [F64; 3],
    pub(crate) scale: F64,
    pub(crate) level_hash: [u8; 32],
    pub(crate) config_hash: [u8; 32],
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

/// What the header says.
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
    fn the_header_has_the_documented_length() {
        assert_eq!(HEADER_LEN, 136);
        assert_eq!(core::mem::offset_of!(RawHeader, checksum), CHECKSUM_AT);
    }
}
