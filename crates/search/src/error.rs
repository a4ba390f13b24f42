//! Why a query cannot be answered.

use core::fmt;

use navbake_format::BlobError;

/// Why a file, a filter or a request was refused.
///
/// That there is no path is no error: see [`Status`](crate::Status).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The file is not one that this version reads, or is damaged.
    Blob(BlobError),
    /// No agent of the file has this name, or it has another mesh.
    NoAgent,
    /// No area of the file has this name.
    NoArea,
    /// No switch of the file has this name.
    NoSwitch,
    /// No row of weights of the file has this name.
    NoWeights,
    /// A cost is out of range.
    Cost(f64),
    /// The filter has too little memory for this mesh.
    OtherMesh,
    /// Obstacles changed the mesh after the filter blocked ground on it.
    StaleFilter,
    /// The algorithm does not serve a filter with costs; `Weighted` and `Corridor` do.
    Costs,
    /// The start is on blocked ground, which the algorithm cannot leave; `Corridor` can.
    StartBlocked,
    /// The heuristic needs landmarks, and the mesh has none.
    NoLandmarks,
    /// A path over rooms needs distances between their doors, and the mesh has none.
    NoRooms,
    /// The path is not one of this mesh.
    NotAPath,
    /// The planner is for cells of another shape: `grid4` and `grid8` for squares, `hex` for
    /// hexagons.
    OtherCells,
    /// The heuristic octile is for squares.
    OctileHexagons,
    /// The map or mesh is not the one whose cells or tiles these are.
    OtherGround,
}

impl From<BlobError> for Error {
    fn from(error: BlobError) -> Error {
        Error::Blob(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::Blob(error) => return error.fmt(f),
            Error::Cost(cost) => {
                return write!(f, "a cost of {cost} is out of range: see QueryFilter::set_cost");
            }
            Error::NoAgent => "no agent of this mesh has this name: see Blob::agents",
            Error::NoArea => "no area has this name: see Blob::areas",
            Error::NoSwitch => "no switch has this name: see Blob::switches",
            Error::NoWeights => "no row of weights has this name: see Blob::weights",
            Error::OtherMesh => {
                "the filter is too small for this mesh: QueryFilter::words says how much it needs"
            }
            Error::StaleFilter => {
                "the mesh has changed since the filter blocked ground: call QueryFilter::refresh"
            }
            Error::Costs => {
                "ground has costs: use the algorithm weighted, or corridor for a rough path"
            }
            Error::StartBlocked => "the start is on blocked ground: use the algorithm corridor",
            Error::NoLandmarks => {
                "the heuristic table needs landmarks: bake with a table budget that allows them"
            }
            Error::NoRooms => "paths over rooms need distances between doors: bake with rooms",
            Error::OtherCells => {
                "the map has cells of another shape: grid4 and grid8 are for squares, hex for hexagons"
            }
            Error::OctileHexagons => {
                "octile is for squares: manhattan counts the steps between hexagons"
            }
            Error::OtherGround => {
                "the map or mesh is of other ground than these cells: give the one they were made for"
            }
            Error::NotAPath => "the path is not one of this mesh: use the query that found it",
        })
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Error::Blob(error) => Some(error),
            _ => None,
        }
    }
}
