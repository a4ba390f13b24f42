//! Why a request cannot be served.

use core::fmt;

/// Why a change of a world, or a reference to it, is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Error {
    /// A prism has this many corners; 2 to 12 are possible.
    Corners(usize),
    /// A number that is not finite.
    NotFinite(f64),
    /// A radius that is negative.
    Radius(f64),
    /// An obstacle whose first height is above its second, metres.
    Heights([f64; 2]),
    /// An obstacle that reaches beyond the grid of the level.
    OutOfRange,
    /// There is no such obstacle, or not any more.
    NoObstacle,
    /// A reference to a polygon that has changed since it was taken.
    Stale,
    /// A file that is not a chunk of a world in chunks.
    NoChunk,
    /// A chunk with links, by column and row: chunks cannot have these.
    LinksInChunk([i32; 2]),
    /// A chunk, by column and row, of another bake than the index of the world, or for another
    /// agent class; or a world of one blob.
    OtherWorld([i32; 2]),
    /// A chunk, by column and row, that was inserted before.
    Loaded([i32; 2]),
    /// A chunk, by column and row, that is not there.
    NotLoaded([i32; 2]),
    /// A chunk, by column and row, with which a mesh would have more than 2^29 edges.
    TooLarge([i32; 2]),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Corners(count) => write!(f, "a prism with {count} corners: give 2 to 12"),
            Error::NotFinite(number) => {
                write!(f, "{number} in an obstacle: give finite coordinates, in metres")
            }
            Error::Radius(radius) => write!(f, "radius {radius} of a cylinder: give 0 or more"),
            Error::Heights([low, high]) => {
                write!(f, "an obstacle from height {low} to {high}: give the lower height first")
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
            Error::LinksInChunk([x, z]) => {
                write!(f, "chunk {x}, {z} has links: bake the world without, or as one blob")
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
            Error::Stale => f.write_str(
                "a polygon that has changed since the reference was taken: locate the place anew",
            ),
        }
    }
}

impl core::error::Error for Error {}
