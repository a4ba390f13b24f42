//! CRC-32C (Castagnoli, reflected polynomial 0x82F63B78), computed four bytes at a time.

use crate::header::CHECKSUM_AT;

const TABLES: [[u32; 256]; 4] = tables();

const fn tables() -> [[u32; 256]; 4] {
    let mut t = [[0u32; 256]; 4];
    let mut i = 0;
    while i < 256 {
        let (mut c, mut k) = (i as u32, 0);
        while k < 8 {
            c = if c & 1 == 1 { 0x82F6_3B78 ^ (c >> 1) } else { c >> 1 };
            k += 1;
        }
        t[0][i] = c;
        i += 1;
    }
    let mut i = 0;
    while i < 256 {
        let mut k = 1;
        while k < 4 {
            t[k][i] = t[0][(t[k - 1][i] & 255) as usize] ^ (t[k - 1][i] >> 8);
            k += 1;
        }
        i += 1;
    }
    t
}

/// The checksum of several runs of bytes as if they were one.
#[doc(hidden)]
pub fn crc32c(runs: &[&[u8]]) -> u32 {
    let mut c = !0u32;
    for run in runs {
        let mut words = run.chunks_exact(4);
        for w in &mut words {
            let x = c ^ u32::from_le_bytes([w[0], w[1], w[2], w[3]]);
            c = TABLES[3][(x & 255) as usize]
                ^ TABLES[2][(x >> 8 & 255) as usize]
                ^ TABLES[1][(x >> 16 & 255) as usize]
                ^ TABLES[0][(x >> 24) as usize];
        }
        for &b in words.remainder() {
            c = TABLES[0][((c ^ u32::from(b)) & 255) as usize] ^ (c >> 8);
        }
    }
    !c
}

/// The checksum of all bytes but its own.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    let before = bytes.get(..CHECKSUM_AT).unwrap_or(&[]);
    let behind = bytes.get(CHECKSUM_AT + 4..).unwrap_or(&[]);
    crc32c(&[before, behind])
}

#[cfg(test)]
mod tests {
    use super::crc32c;

    #[test]
    fn the_published_check_values_come_out() {
        // RFC 3720, appendix B.4, and the catalogue's check value.
        assert_eq!(crc32c(&[b"123456789"]), 0xE306_9283);
        assert_eq!(crc32c(&[&[0u8; 32]]), 0x8A91_36AA);
        assert_eq!(crc32c(&[&[0xFFu8; 32]]), 0x62A8_AB43);
    }

    #[test]
    fn runs_are_one_string() {
        assert_eq!(crc32c(&[b"12345", b"", b"6789"]), crc32c(&[b"123456789"]));
    }
}
