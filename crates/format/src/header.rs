//! The fixed part of a blob: 136 bytes.

use navbake_navmesh::record::Record;

use crate::exact::LIMIT;

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

/// The integer grid of a blob: steps of `2^-bits` metres around an origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// A metre is `2^bits` grid units; 4 to 14.
    pub bits: u8,
    /// The origin of the grid, y-up metres.
    pub origin: [f64; 3],
}

impl Grid {
    /// Grid units in a metre.
    #[inline]
    pub fn units(&self) -> f64 {
        f64::from(1u32 << (self.bits & 31))
    }

    /// The nearest grid point of a point in metres, ties to even.
    ///
    /// `None` where it is not finite or out of the grid's range.
    #[inline]
    pub fn snap(&self, p: [f64; 3]) -> Option<[i32; 3]> {
        let u = self.units();
        Some([
            round((p[0] - self.origin[0]) * u)?,
            round((p[1] - self.origin[1]) * u)?,
            round((p[2] - self.origin[2]) * u)?,
        ])
    }

    /// A point in grid units as metres, the origin added back.
    #[inline]
    pub fn metres(&self, p: [f64; 3]) -> [f64; 3] {
        let u = self.units();
        [
            p[0] / u + self.origin[0],
            p[1] / u + self.origin[1],
            p[2] / u + self.origin[2],
        ]
    }
}

/// The nearest integer, ties to even, `None` out of the grid's range.
///
/// (`f64::round_ties_even` needs the standard library.)
#[inline]
fn round(c: f64) -> Option<i32> {
    // NaN fails the comparison. Adding 1.5 * 2^52 leaves no fraction bits, and the hardware rounds
    // to nearest even.
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    if c.abs() < f64::from(LIMIT) {
        let r = (c + SHIFT) - SHIFT;
        (r.abs() < f64::from(LIMIT)).then_some(r as i32)
    } else {
        None
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
    fn the_checksum_is_where_it_is_documented() {
        let mut bytes = [0; HEADER_LEN];
        bytes[CHECKSUM_AT..CHECKSUM_AT + 4].copy_from_slice(&7u32.to_le_bytes());
        assert_eq!(RawHeader::from_bytes(&bytes).checksum, 7);
    }

    #[test]
    fn rounding_is_to_nearest_even_and_refuses_what_the_grid_cannot_hold() {
        for (c, r) in [
            (0.5, 0),
            (1.5, 2),
            (-0.5, 0),
            (-1.5, -2),
            (2.4, 2),
            (-2.6, -3),
        ] {
            assert_eq!(round(c), Some(r), "{c}");
        }
        let limit = f64::from(LIMIT);
        assert_eq!(round(limit - 1.0), Some(LIMIT - 1));
        for c in [limit, limit - 0.5, -limit, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(round(c), None, "{c}");
        }
    }

    #[test]
    fn metres_and_grid_points_convert_back() {
        let grid = Grid {
            bits: 10,
            origin: [1024.0, 0.0, -2048.0],
        };
        let p = grid.snap([1025.5, 3.0, -2047.0]).unwrap();
        assert_eq!(p, [1536, 3072, 1024]);
        assert_eq!(grid.metres(p.map(f64::from)), [1025.5, 3.0, -2047.0]);
    }
}
