//! Why ground cannot be found.

/// Why no ground can be found in a level. Every message says what would help.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WalkableError {
    /// The agent makes no sense.
    #[error("{0}")]
    Agent(String),
    /// The cell size makes no sense.
    #[error("cell {0} m is not a length above 0")]
    Cell(f64),
    /// The ground is too wide for the cell size.
    #[error(
        "the ground covers {tiles} or more tiles of {side:.3} m ({most} are the most) at a cell of {cell:.6} m: check `scale`, leave \
         out stray geometry (role `ignored`, or `bounds`), or use a larger agent radius and cell"
    )]
    TooWide {
        /// Tiles counted.
        tiles: usize,
        /// Side of a tile, m.
        side: f64,
        /// The most there may be.
        most: usize,
        /// Side of a cell, m.
        cell: f64,
    },
}
