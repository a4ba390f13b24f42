//! Landmarks: made after labels, of what of the budget those left.

use navbake_format::{Blob, CheckedBlob};
use navbake_tables::{Landmarks, landmark_bytes};

use super::Run;
use crate::config::WantedLandmarks;
use crate::error::BakeError;

impl Run<'_> {
    /// The landmarks of each class that is to have some and for which there is room, by its number; takes what they need off the room. `searched` are classes for
    /// whose labels there was none.
    pub(super) fn landmarks(
        &mut self,
        bytes: &[u8],
        searched: &[u16],
        room: &mut u64,
    ) -> Result<Vec<(u16, Landmarks)>, BakeError> {
        let wanted = self.job.config.tables.landmarks;
        if wanted == WantedLandmarks::None {
            return Ok(vec![]);
        }
        let most = *room;
        let made = super::safely(|| made(bytes, wanted, searched, most))?;
        let made = made.map_err(|e| BakeError::internal("tables", e))?;
        let mut kept = vec![];
        for (class, landmarks) in made.kept {
            *room -= landmarks.bytes();
            self.tables.bytes += landmarks.bytes();
            self.tables.landmark_bytes += landmarks.bytes();
            kept.push((class, landmarks));
        }
        if made.left_out > 0 {
            self.leave_out(format!(
                "the landmarks of {} agent classes are left out: they take {} bytes, and labels leave {room} of the budget; searches around what is closed go without them",
                made.left_out, made.missing
            ));
        }
        Ok(kept)
    }
}

/// What came of the room that there was.
#[derive(Default)]
struct Made {
    kept: Vec<(u16, Landmarks)>,
    /// How many classes there was no room for, and what theirs would take.
    left_out: usize,
    missing: u64,
}

fn made(
    bytes: &[u8],
    wanted: WantedLandmarks,
    searched: &[u16],
    mut room: u64,
) -> Result<Made, String> {
    let blob = Blob::open_checked(bytes).map_err(|e| e.to_string())?;
    let mut made = Made::default();
    for class in 0..blob.class_count() {
        let Some(nav) = blob.decode(class) else {
            continue;
        };
        let mesh = nav.mesh();
        let serves = || searched.contains(&class) || is_more_asked(&blob);
        if wanted == WantedLandmarks::Auto && !(mesh.link_count() == 0 && serves()) {
            continue;
        }
        let size = landmark_bytes(&mesh);
        if size > room {
            (made.left_out, made.missing) = (made.left_out + 1, made.missing + size);
        } else if let Some(landmarks) = Landmarks::new(&mesh) {
            room -= size;
            made.kept.push((class, landmarks));
        }
    }
    Ok(made)
}

/// Will searches be for what labels cannot tell: can ground be closed, or does it cost someone something else than its length?
fn is_more_asked(blob: &CheckedBlob<'_>) -> bool {
    let differs = blob
        .weights()
        .any(|row| row.slopes() != (0.0, 0.0) || row.weights().iter().any(|w| w != 1.0));
    differs || blob.switches().len() > 0
}
