//! How far it is to the vertices of a mesh from a few of them: landmarks (Goldberg and Harrelson, Computing the shortest path: A* search meets graph theory,
//! 2005).
//!
//! Of two places on an island one is farther from a landmark than the other by no more than they are apart. So the difference of two distances that are known bounds one that is not,
//! whatever is closed between them: closing ground makes nothing nearer. Distances are those with everything open, rounded down to steps.

use crate::records::{LandmarkRow, LandmarksRecord};
use crate::{Blob, Section};

/// How many landmarks an island has.
pub const LANDMARKS: usize = 8;

/// The landmarks of a mesh, read in place.
#[derive(Clone, Copy)]
pub struct Landmarks<'a> {
    pub(crate) head: LandmarksRecord,
    pub(crate) rows: &'a [LandmarkRow],
}

impl<'a> Landmarks<'a> {
    pub(crate) fn read(blob: &Blob<'a>, class: u16) -> Option<Landmarks<'a>> {
        let head = *blob
            .records::<LandmarksRecord>(Section::LANDMARKS, class)
            .first()?;
        Some(Landmarks {
            head,
            rows: blob.records(Section::LANDMARK_ROWS, class),
        })
    }

    /// How many rows there are: one for each vertex and ground around it that hangs together, numbered as `docs/format.md` says.
    #[inline]
    pub fn count(&self) -> u32 {
        self.rows.len() as u32
    }

    /// A step is 2^this grid units.
    #[inline]
    pub fn shift(&self) -> u32 {
        self.head.shift.into()
    }

    /// How far a vertex is from each landmark of its island, in whole steps: the distance is no less than these, and less than one step more. `None` for a row
    /// that is not there.
    #[inline]
    pub fn row(&self, number: u32) -> Option<[u16; LANDMARKS]> {
        let row = self.rows.get(number as usize)?;
        Some(row.steps.map(|s| s.get()))
    }

    /// How many bytes they take of the sections that hold them.
    pub fn bytes(&self) -> u64 {
        (size_of::<LandmarksRecord>() + size_of_val(self.rows)) as u64
    }
}
