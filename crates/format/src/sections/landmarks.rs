//! Landmarks: distances of the vertices of a mesh from a few of them.
//!
//! A. Goldberg and C. Harrelson, Computing the shortest path: A* search meets graph theory, 2005.
//!
//! The distances of two places of an island from a landmark differ by no more than the places are
//! apart. So the difference of two known distances bounds an unknown one from below, whatever is
//! closed: closing ground makes nothing nearer. Distances are those with everything open, rounded
//! down to steps. The sections are `landmarks` and `landmark-rows`.

use navbake_navmesh::record::{Record, Records};

use super::labels::mesh_hash;
use crate::packed_mesh::NavMeshView;
use crate::place::{Checked, Place};
use crate::{Blob, Section};

/// The number of landmarks of an island.
pub const LANDMARKS: usize = 8;

navbake_navmesh::record! {
    /// Section `landmarks`: the mesh, the number of rows, and the step as a power of two.
    pub(crate) struct LandmarksRecord: 16 { mesh: u64, rows: u32, shift: u8, reserved: [u8; 3] }
}
navbake_navmesh::record! {
    /// Section `landmark-rows`: distances of a vertex from the landmarks of its island.
    #[doc(hidden)]
    #[derive(Debug)]
    pub struct LandmarkRow: 16 { pub steps: [u16; LANDMARKS] }
}

/// The landmarks of a mesh, read in place.
#[derive(Clone, Copy)]
pub struct Landmarks<'a> {
    head: LandmarksRecord,
    rows: Records<'a, LandmarkRow>,
}

impl<'a> Landmarks<'a> {
    pub(crate) fn read(blob: &Blob<'a>, class: u16) -> Option<Landmarks<'a>> {
        Some(Landmarks {
            head: blob.records(Section::LANDMARKS, class).first()?,
            rows: blob.records(Section::LANDMARK_ROWS, class),
        })
    }

    /// The number of rows: one for each vertex and connected ground around it.
    ///
    /// They are numbered as `docs/format.md` says.
    #[inline]
    pub fn count(&self) -> u32 {
        self.rows.len() as u32
    }

    /// A step is 2^this grid units.
    #[inline]
    pub fn shift(&self) -> u32 {
        self.head.shift.into()
    }

    /// Distances of a vertex from each landmark of its island, in whole steps, rounded down.
    ///
    /// `None` for a row that does not exist.
    #[inline]
    pub fn row(&self, number: u32) -> Option<[u16; LANDMARKS]> {
        self.rows.get(number as usize).map(|row| row.steps)
    }

    /// All rows.
    #[doc(hidden)]
    pub fn rows(&self) -> Records<'a, LandmarkRow> {
        self.rows
    }

    /// Those of an index, with the rows of the chunks that are loaded.
    pub(crate) fn with_rows(self, rows: Records<'a, LandmarkRow>) -> Landmarks<'a> {
        Landmarks { rows, ..self }
    }

    /// Bytes that they take in their sections.
    pub fn bytes(&self) -> u64 {
        (LandmarksRecord::SIZE + LandmarkRow::SIZE * self.rows.len()) as u64
    }
}

/// Landmarks belong to the mesh, and there are no more rows than possible.
///
/// Distances are not checked.
pub(crate) fn check(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let (section, rows) = (Section::LANDMARKS, Section::LANDMARK_ROWS);
    let heads = blob.count(section, at.class);
    let Some(landmarks) = Landmarks::read(blob, at.class) else {
        return at.alone(blob, [rows], "a section landmarks, to which this belongs");
    };
    at.refuse(heads != 1, section, 0, heads, "one record")?;
    let head = &landmarks.head;
    let expected = "landmarks that belong to this mesh; bake the level again";
    at.refuse(head.mesh != mesh_hash(blob, at.class), section, 0, head.mesh, expected)?;
    if head.shift > 31 || head.reserved != [0; 3] {
        let expected = "a shift of at most 31, and zeros behind it";
        return at.fail(section, 0, head.shift, expected);
    }
    let found = landmarks.rows.len();
    let expected = "as many rows as the section landmarks states";
    at.refuse(found != head.rows as usize, rows, 0, found, expected)?;
    // Each belongs to the ground around a vertex, in which at least one edge begins.
    at.refuse(found > mesh.edge_count() as usize, rows, 0, found, "no more rows than edges")?;
    let links = blob.count(Section::LINKS, at.class);
    let expected = "no landmarks of a mesh with links, over which ways may be shorter";
    at.refuse(links > 0, section, 0, links, expected)?;
    Ok(())
}

#[cfg(feature = "write")]
pub(crate) use encoder::encode;
#[cfg(feature = "write")]
pub use encoder::{LandmarkParts, landmarks_bytes, replace_landmarks};

#[cfg(feature = "write")]
mod encoder {
    use alloc::vec::Vec;

    use navbake_navmesh::record::Record;

    use super::{LANDMARKS, LandmarkRow, LandmarksRecord};
    use crate::Section;
    use crate::draft::{Draft, Drafts};
    use crate::section::ROW_LEN;
    use crate::write::{EncodeError, mesh_hash_of_drafts, replaced};

    /// Distances of the vertices of a mesh from landmarks; see [`crate::Landmarks`].
    #[derive(Clone, Copy, Debug, Default)]
    pub struct LandmarkParts<'a> {
        /// The agent class of the mesh, which must have no links.
        pub class: u16,
        /// A step is 2^shift grid units; at most 31.
        pub shift: u8,
        /// Steps from each landmark, by vertex and ground around it, rounded down.
        pub rows: &'a [[u16; LANDMARKS]],
    }

    /// Bytes that landmarks take in a blob, including their rows of the section table.
    pub fn landmarks_bytes(rows: u64) -> u64 {
        if rows == 0 {
            return 0;
        }
        (2 * ROW_LEN + LandmarksRecord::SIZE) as u64 + LandmarkRow::SIZE as u64 * rows
    }

    /// The blob with these landmarks in place of all that it has; with none, without any.
    ///
    /// # Errors
    /// When the blob or the landmarks are unsound.
    pub fn replace_landmarks(
        bytes: &[u8],
        landmarks: &[LandmarkParts<'_>],
    ) -> Result<Vec<u8>, EncodeError> {
        let ours = |s: Section| [Section::LANDMARKS, Section::LANDMARK_ROWS].contains(&s);
        replaced(bytes, ours, |blob, drafts| {
            encode(landmarks, blob.header().grid.bits, drafts);
            Ok(())
        })
    }

    /// Adds landmarks; the sections of their meshes are among the drafts already.
    pub(crate) fn encode(landmarks: &[LandmarkParts<'_>], grid_bits: u8, drafts: &mut Drafts<'_>) {
        for parts in landmarks {
            let class = parts.class;
            let head = LandmarksRecord {
                mesh: mesh_hash_of_drafts(grid_bits, class, drafts),
                rows: parts.rows.len() as u32,
                shift: parts.shift,
                reserved: [0; 3],
            };
            drafts.push(Draft::optional(Section::LANDMARKS, class, [head]));
            let rows = parts.rows.iter().map(|&steps| LandmarkRow { steps });
            drafts.push(Draft::optional(Section::LANDMARK_ROWS, class, rows));
        }
    }
}
