//! Blobs with damaged bytes: refused, or asked everything.

use navbake_detour::Settings;
use navbake_format::{Blob, SectionInfo};

use crate::input::Input;
use crate::queries::{Rounds, hash};
use crate::seeds;

/// Bytes of the header, and of a row of the section table behind it.
const HEADER: usize = 136;
const ROW: usize = 12;

/// Any bytes as a blob. Checksums are not compared: validation does not rely on them.
pub fn blob(data: &[u8]) {
    let Ok(blob) = Blob::open(data) else {
        return;
    };
    let _ = blob.verify_checksum();
    let Ok(file) = blob.validate() else {
        return;
    };
    crate::worked();
    let rounds = Rounds { seed: u64::from(blob.header().checksum), count: 3 };
    let answers = hash(data, rounds).expect("it passed before").0;
    // The same bytes unpacked give the same answers.
    if let Ok(unpacked) = file.unpack() {
        let again = match Blob::open_checked(&unpacked) {
            Ok(again) => again,
            Err(error) => panic!("a sound blob unpacked is refused: {error}"),
        };
        assert!(again.is_unpacked());
        let own = hash(&unpacked, rounds).expect("it passed before").0;
        assert_eq!(answers, own, "packed and unpacked answers differ");
    }
    for class in 0..file.class_count().min(4) {
        if let Ok(nav) = file.decode(class) {
            let mesh = nav.mesh();
            if let Ok(written) = navbake_detour::write(&mesh, &Settings::new(&mesh, 0)) {
                let read = navbake_detour::read(&written.bytes);
                assert!(read.is_ok(), "what is written for Detour is refused: {read:?}");
            }
        }
    }
}

/// Damages a sound blob where its records are: the first byte picks the blob and the edits, one to
/// eight. Each changes a number of a record, or the number of records of a section with its bytes.
pub fn damaged_blob(data: &[u8]) {
    let mut input = Input(data);
    let seeds = seeds::blobs();
    let first = usize::from(input.byte());
    let mut bytes = seeds[first % seeds.len()].1.clone();
    for _ in 0..8 - (first >> 4) % 8 {
        if input.is_empty() || !damage(&mut bytes, &mut input) {
            break;
        }
    }
    blob(&bytes);
}

/// Makes an edit to a blob. The part of the header that says how long it is stays right. False
/// where the section table is not read any more.
pub(crate) fn damage(bytes: &mut Vec<u8>, input: &mut Input<'_>) -> bool {
    let Ok(sections) = Blob::open(bytes).map(|blob| blob.sections().collect::<Vec<_>>()) else {
        return false;
    };
    edit(bytes, &sections, input);
    let length = bytes.len() as u64;
    if let Some(total) = bytes.get_mut(24..32) {
        total.copy_from_slice(&length.to_le_bytes());
    }
    true
}

fn edit(bytes: &mut Vec<u8>, sections: &[SectionInfo], input: &mut Input<'_>) {
    let number = input.below(sections.len().max(1));
    let Some(section) = sections.get(number) else {
        return;
    };
    let (start, size) = (section.offset as usize, usize::from(section.element_size).max(1));
    let (kind, record) = (input.byte(), input.word());
    let count = section.count as usize;
    let row = HEADER + ROW * number;
    let at = start + size * (usize::from(record) % count.max(1));
    match kind % 16 {
        // A record less, one more, and one in the place of another.
        0 if count > 0 => {
            bytes.drain(at..at + size);
            bytes[row + 8..row + 12].copy_from_slice(&(count as u32 - 1).to_le_bytes());
        }
        1 if count > 0 => {
            let own = bytes[at..at + size].to_vec();
            bytes.splice(at..at, own);
            bytes[row + 8..row + 12].copy_from_slice(&(count as u32 + 1).to_le_bytes());
        }
        2 if count > 0 => {
            let other = start + size * (usize::from(input.word()) % count);
            bytes.copy_within(other..other + size, at);
        }
        // The row of the section itself.
        3 => bytes[row + usize::from(record) % ROW] = input.byte(),
        // The header.
        4 => bytes[8 + usize::from(record) % (HEADER - 8)] = input.byte(),
        // A number of a record, of one to eight bytes.
        _ if count > 0 => {
            let width = [1, 1, 2, 2, 4, 4, 4, 8][usize::from(kind >> 4) % 8];
            let field = at + usize::from(input.byte()) % size;
            let field = field / width.min(size) * width.min(size);
            let Some(own) = bytes.get_mut(field..field + width) else {
                return;
            };
            let mut number = [0; 8];
            number[..width].copy_from_slice(own);
            let old = u64::from_le_bytes(number);
            let value = u64::from(input.word());
            let new = match kind % 4 {
                0 => old.wrapping_add(value as i16 as u64),
                1 => value,
                2 => u64::MAX - value,
                _ => old ^ 1 << (value % (8 * width as u64)),
            };
            own.copy_from_slice(&new.to_le_bytes()[..width]);
        }
        _ => {}
    }
}
