//! Landmarks to their sections, added to a blob: they are made on the very mesh that it holds.

use alloc::vec::Vec;

use zerocopy::little_endian::{U16, U32, U64};

use super::{Draft, EncodeError, drafts_of, ground_of_drafts, rebuilt};
use crate::records::{LandmarkRow, LandmarksRecord};
use crate::{Blob, Grid, LANDMARKS, Section};

/// How far the vertices of a mesh are from landmarks; see [`crate::Landmarks`].
#[derive(Clone, Copy, Debug, Default)]
pub struct LandmarkParts<'a> {
    /// The mesh that they are of; it must have no links.
    pub class: u16,
    /// A step is 2^shift grid units; at most 31.
    pub shift: u8,
    /// Steps from each landmark, by vertex and ground around it, rounded down.
    pub rows: &'a [[u16; LANDMARKS]],
}

/// How many bytes landmarks take in a blob, their rows in its table included: those of so many vertices and grounds around them.
pub fn landmarks_bytes(rows: u64) -> u64 {
    if rows == 0 {
        return 0;
    }
    let head = 2 * crate::section::ROW_LEN + size_of::<LandmarksRecord>();
    head as u64 + size_of::<LandmarkRow>() as u64 * rows
}

/// The blob with these landmarks in place of all that it has; with none of them, without any.
///
/// # Errors
/// When the blob or the landmarks are unsound.
pub fn with_landmarks(
    bytes: &[u8],
    landmarks: &[LandmarkParts<'_>],
) -> Result<Vec<u8>, EncodeError> {
    let ours = [Section::LANDMARKS, Section::LANDMARK_ROWS];
    let blob = Blob::open(bytes).map_err(EncodeError::Unsound)?;
    let mut drafts = drafts_of(&blob, |s| !ours.contains(&s));
    encode(&blob.header().grid, landmarks, &mut drafts);
    rebuilt(&blob, drafts)
}

/// Adds them to the sections of their meshes, which are there already.
pub(super) fn encode(grid: &Grid, landmarks: &[LandmarkParts<'_>], drafts: &mut Vec<Draft>) {
    for parts in landmarks.iter().filter(|l| !l.rows.is_empty()) {
        let head = LandmarksRecord {
            mesh: U64::new(ground_of_drafts(grid, parts.class, drafts)),
            rows: U32::new(parts.rows.len() as u32),
            shift: parts.shift,
            reserved: [0; 3],
        };
        let rows: Vec<_> = (parts.rows.iter())
            .map(|row| LandmarkRow {
                steps: row.map(U16::new),
            })
            .collect();
        drafts.push(Draft::of(Section::LANDMARKS, parts.class, &[head]));
        drafts.push(Draft::of(Section::LANDMARK_ROWS, parts.class, &rows));
    }
    let ours = [Section::LANDMARKS, Section::LANDMARK_ROWS];
    for draft in drafts.iter_mut().filter(|d| ours.contains(&d.section)) {
        // Whoever does not know landmarks searches without them.
        draft.required = false;
    }
}
