//! Why a request cannot be served.

use core::fmt;

use navbake_grid::AreaId;
use navbake_navmesh::ObstacleError;

/// Why a change of a world, or a reference to it, is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Error {
    /// A shape that cannot be.
    Shape(ObstacleError),
    /// A volume of an area with a number that no area has.
    Area(AreaId),
    /// An obstacle that reaches beyond the grid of the level.
    OutOfRange,
    /// There is no such obstacle, or not any more.
    NoObstacle,
    /// A reference to a polygon that has changed since it was taken.
    Stale,
    /// A file that is not a chunk of a world in chunks.
    NoChunk,
    /// A chunk, by column and row, of another bake than the index of the world, or for another
    /// agent class; or a world of one blob.
    OtherWorld([i32; 2]),
    /// A chunk, by column and row, that was inserted before.
    Loaded([i32; 2]),
    /// A chunk, by column and row, that is not there.
    NotLoaded([i32; 2]),
    /// A chunk, by column and row, with which a mesh would have more than 2^29 edges.
    TooLarge([i32; 2]),
    /// Bytes that are not a saved world.
    NotSaved,
    /// A saved world of this version, which this crate does not read.
    SavedVersion(u32),
    /// A saved world whose bytes were changed or cut short.
    Damaged,
    /// A saved world of another navmesh or index.
    OtherNavMesh,
    /// A chunk that a saved world needs was not given, by column and row.
    NoSavedChunk([i32; 2]),
    /// A chunk, by column and row, that is not the one that was there when the world was saved.
    OtherChunk([i32; 2]),
}

impl From<ObstacleError> for Error {
    fn from(error: ObstacleError) -> Error {
        Error::Shape(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Shape(error) => error.fmt(f),
            Error::Area(area) => {
                write!(f, "area {}: give a number below {}", area.0, AreaId::LIMIT)
            }
            Error::OutOfRange => f.write_str(
                "an obstacle beyond the grid of the level: place it nearer to the level",
            ),
            Error::NoObstacle => {
                f.write_str("no such obstacle: it was removed, or belongs to another world")
            }
            Error::NoChunk => {
                f.write_str("not a chunk of a world: open a file that the index (.navw) names")
            }
            Error::OtherWorld([x, z]) => write!(
                f,
                "chunk {x}, {z} is not one of this world: load index and chunks of one bake, for one agent"
            ),
            Error::Loaded([x, z]) => write!(f, "chunk {x}, {z} is there already: remove it first"),
            Error::NotLoaded([x, z]) => write!(f, "chunk {x}, {z} is not there: insert it first"),
            Error::TooLarge([x, z]) => {
                write!(f, "chunk {x}, {z} is too much for one mesh: remove others first")
            }
            Error::NotSaved => f.write_str("not a saved world: give the bytes that were saved"),
            Error::SavedVersion(version) => write!(
                f,
                "a saved world of version {version}: load it with the program that saved it"
            ),
            Error::Damaged => f.write_str(
                "the saved world is damaged: its bytes were changed or cut short after saving; \
                 give them as they were saved",
            ),
            Error::OtherNavMesh => f.write_str(
                "a saved world of another navmesh: restore it with the file that it was saved with",
            ),
            Error::NoSavedChunk([x, z]) => {
                write!(f, "the saved world needs chunk {x}, {z}: load its file and give it")
            }
            Error::OtherChunk([x, z]) => write!(
                f,
                "chunk {x}, {z} has changed since the world was saved: give the file of that time"
            ),
            Error::Stale => f.write_str(
                "a polygon that has changed since the reference was taken: locate the place anew",
            ),
        }
    }
}

impl core::error::Error for Error {}
