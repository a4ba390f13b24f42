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
            Error::Stale => f.write_str(
                "a polygon that has changed since the reference was taken: locate the place anew",
            ),
        }
    }
}

impl core::error::Error for Error {}
