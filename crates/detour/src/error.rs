//! Why a navmesh is not written, and why a file is refused.

use std::fmt;

/// Why a navmesh cannot be written for Detour.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ExportError {
    /// There is nothing to write: Detour has no empty tiles.
    Empty,
    /// This coordinate, m, is too far from zero for single precision.
    TooFar(f64),
    /// A radius, height or climb, m, is below 0 or has no place in single precision.
    AgentSize(f64),
    /// A tile has more than 16 bits can count.
    TileTooLarge {
        /// Its number along x.
        x: u32,
        /// Its number along z.
        z: u32,
        /// Its polygons.
        polygons: usize,
    },
    /// Tiles and polygons do not fit in the 22 bits that a 32-bit reference has for them.
    References {
        /// Number of tiles.
        tiles: u32,
        /// Polygons of the largest one.
        polygons: u32,
    },
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExportError::Empty => {
                write!(f, "the navmesh has no polygons, and Detour has no empty tiles")
            }
            ExportError::TooFar(c) => write!(
                f,
                "the coordinate {c} m is more than 32768 m from zero, where the single precision \
                 of Detour moves corners; move the level nearer to zero"
            ),
            ExportError::AgentSize(size) => write!(
                f,
                "a radius, height or climb of the agent is {size} m; Detour's files have 0 to \
                 10000000 m: give another size, or bake the level again"
            ),
            ExportError::TileTooLarge { x, z, polygons } => write!(
                f,
                "tile ({x}, {z}) has {polygons} polygons; at most 32766 polygons and 65535 corners \
                 fit in a tile: give a smaller --tile-size"
            ),
            ExportError::References { tiles, polygons } => write!(
                f,
                "{tiles} tiles with up to {polygons} polygons need more than the 22 bits of a \
                 32-bit reference: give --refs 64, or another --tile-size"
            ),
        }
    }
}

impl std::error::Error for ExportError {}

/// Why a file is refused: the place, what was found, and what to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// The tile, counted from 0 in the order of the file; none for the file's own header.
    pub tile: Option<u32>,
    /// The field, such as `maxLinkCount` or `polygon 7, neighbour 2`.
    pub field: String,
    /// What it holds and what it may hold.
    pub found: String,
    /// What to do about it.
    pub cure: &'static str,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(tile) = self.tile {
            write!(f, "tile {tile}, ")?;
        }
        write!(f, "{}: {}; {}", self.field, self.found, self.cure)
    }
}

impl std::error::Error for Refused {}
