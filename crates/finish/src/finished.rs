//! A finished path, or why there is none.

use core::{error, fmt};

use navbake_search::{Error, NavPoint};

/// A finished path. Its points are in the caller's slice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finished<'o> {
    /// From the path's start to its end. Each straight piece between two of them is on the mesh.
    pub points: &'o [NavPoint],
    /// Length in the ground plane, m.
    pub length_xz: f64,
    /// Corners that stay as they were.
    ///
    /// The mesh has no room for their curves.
    pub kept: usize,
}

/// Why a path was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishError {
    /// The slice for the points is too short.
    NoRoom {
        /// A length that is enough.
        needed: usize,
    },
    /// The points are none, or not those of a path through its polygons on this mesh.
    NotAPath,
}

impl fmt::Display for FinishError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FinishError::NoRoom { needed } => {
                write!(f, "the slice for the finished path needs room for {needed} points")
            }
            FinishError::NotAPath => {
                f.write_str("not the points and polygons of a path on this mesh")
            }
        }
    }
}

impl error::Error for FinishError {}

impl From<Error> for FinishError {
    fn from(_: Error) -> FinishError {
        FinishError::NotAPath
    }
}
