//! Landmarks: made after labels, of what those leave of the budget.

use navbake_format::NavMeshBuf;
use navbake_tables::{Landmarks, landmark_bytes};

use crate::config::WantedLandmarks;
use crate::input::BakeInput;

/// Landmarks that were made, and those left out.
#[derive(Default)]
pub(super) struct Made {
    pub(super) kept: Vec<(u16, Landmarks)>,
    /// How many classes there was no room for, and what theirs would take.
    pub(super) left_out: usize,
    pub(super) missing: u64,
}

/// Landmarks of each class that is to have some and for which there is room, by its number.
///
/// `searched` are classes without labels for want of room; `room` is in bytes.
pub(super) fn landmarks(
    input: &BakeInput,
    meshes: &[NavMeshBuf],
    searched: &[u16],
    mut room: u64,
) -> Made {
    let mut made = Made::default();
    let wanted = input.config.tables.landmarks;
    if wanted == WantedLandmarks::None {
        return made;
    }
    for (class, nav) in (0u16..).zip(meshes) {
        let mesh = nav.mesh();
        let serves = || searched.contains(&class) || needs_searches(input);
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
    made
}

/// Will there be queries that labels cannot answer: closed ground, or costs by area or height?
fn needs_searches(input: &BakeInput) -> bool {
    let mut rows = input.weights.rows.iter();
    let differs = rows.any(|row| {
        (row.uphill, row.downhill) != (0.0, 0.0) || row.by_area.iter().any(|w| *w != Some(1.0))
    });
    differs || !input.level.switches.is_empty()
}
