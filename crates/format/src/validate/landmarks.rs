//! What must hold of landmarks: that they belong to the mesh, and that there are no more rows than there can be. That distances are true is not checked: who
//! writes a blob is trusted in that.

use super::{Checked, Place};
use crate::labels::ground;
use crate::packed_mesh::NavMeshView;
use crate::{Blob, Section};

pub(super) fn landmarks(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let section = Section::LANDMARKS;
    let heads = (blob.section(section, at.class)).map_or(0, |(info, _)| info.count);
    let rows = Section::LANDMARK_ROWS;
    let Some(landmarks) = mesh.landmarks() else {
        return match blob.section(rows, at.class) {
            Some(_) => at.int(rows, 0, 0, "a section landmarks, to which this belongs"),
            None => Ok(()),
        };
    };
    if heads != 1 {
        return at.int(section, 0, heads as i64, "one record");
    }
    let head = &landmarks.head;
    if head.mesh.get() != ground(blob, at.class) {
        let expected = "landmarks that belong to this mesh; bake the level again";
        return at.int(section, 0, head.mesh.get() as i64, expected);
    }
    if head.shift > 31 || head.reserved != [0; 3] {
        let expected = "a shift of at most 31, and zeros behind it";
        return at.int(section, 0, head.shift, expected);
    }
    let found = landmarks.rows.len();
    if found != head.rows.get() as usize {
        let expected = "as many rows as the section landmarks states";
        return at.int(rows, 0, found as i64, expected);
    }
    // Each belongs to the ground around a vertex, in which at least one edge begins.
    if found > mesh.edge_count() as usize {
        let expected = "no more rows than edges";
        return at.int(rows, 0, found as i64, expected);
    }
    if mesh.link_count() > 0 {
        let expected = "no landmarks of a mesh with links, over which ways may be shorter";
        return at.int(section, 0, mesh.link_count(), expected);
    }
    Ok(())
}
