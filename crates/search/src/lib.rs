//! Queries on a baked navmesh: places, lines of sight, motion and paths.
//!
//! Open a file, make a query, and ask:
//!
//! ```
//! # let bytes = navbake_testkit::level();
//! use navbake_search::{NavMeshBuf, NavQuery, PathRequest, QueryFilter, Scratch, Status};
//!
//! let nav = NavMeshBuf::open(&bytes)?; // once, for all threads
//! let mesh = nav.mesh();
//! let filter = QueryFilter::new().agent(&mesh, "default")?.cost(&mesh, "mud", 4.0)?;
//! let query = NavQuery::new(mesh).with_filter(&filter);
//! let mut scratch = Scratch::new(); // one per thread
//!
//! let request = PathRequest::new([1.0, 0.0, 1.0], [8.0, 0.0, 5.0]); // y-up metres
//! let path = query.find_path(&request, &mut scratch)?;
//! assert_eq!(path.status, Status::Reached);
//! for [x, y, z] in path.points {
//!     println!("{x} {y} {z}");
//! }
//! # Ok::<(), navbake_search::Error>(())
//! ```
//!
//! # For readers who know Detour
//!
//! | Detour | here |
//! |---|---|
//! | `dtNavMesh` | [`NavMesh`], a view; [`NavMeshBuf`] owns the bytes of one |
//! | `dtPolyRef` | [`PolyId`] |
//! | `dtNavMeshQuery` | [`NavQuery`], which is cheap to make and to copy |
//! | its node pool | [`Scratch`], one per thread, which grows with what is asked |
//! | `dtQueryFilter` | [`QueryFilter`]: agents, area costs, slopes, blocked doors |
//! | `findNearestPoly` | [`NavQuery::nearest`], [`NavQuery::locate`] |
//! | `getPolyHeight` | [`NavQuery::on_polygon`], [`NavQuery::height`] |
//! | `raycast` | [`NavQuery::raycast`] |
//! | `moveAlongSurface` | [`NavQuery::move_along`] |
//! | `findDistanceToWall` | [`NavQuery::wall_distance`] |
//! | `findPolysAroundCircle`, `findPolysAroundShape` | [`NavQuery::around`] |
//! | `findRandomPoint` | [`NavQuery::random_place`] |
//! | `findRandomPointAroundCircle` | [`NavQuery::random_within`] |
//! | `findPath` and `findStraightPath` | [`NavQuery::find_path`] |
//! | `initSlicedFindPath` | [`NavQuery::start_path`], [`Search::step`] |
//! | off-mesh connections | [`blob::Link`]; a path over one has a [`path::Leg`] for it |
//! | `setPolyFlags`, `setPolyArea` | [`QueryFilter::block`], [`QueryFilter::cost`], per query |
//! | `maxNodes` of `init` | [`Scratch::bounded`] |
//! | `DT_PARTIAL_RESULT` | [`Status::Partial`], after [`PathRequest::partial`] |
//! | `dtStatus` | [`Status`] of a path, [`Error`] for requests that cannot be served |
//! | `dtPathCorridor` | `Follower` of `navbake-finish`, along the points of a path |
//! | `dtTileCache` | `World` of `navbake-world`: obstacles |
//! | `dtLocalBoundary` | [`NavQuery::walls_near`] |
//! | `dtCrowd` | `Crowd` of `navbake-crowd` |
//! | `addTile` | none |
//!
//! Paths come with their points, so there is no separate string pulling. [`Algorithm`] names the
//! searches; each has its own options.
//!
//! # Modules
//!
//! - [`path`]: what a path is made of, beyond points and polygons.
//! - [`around`]: shapes for [`NavQuery::around`], random places, walls.
//! - [`blob`]: the file: agents, areas, switches, markers, links, rooms, and ids.
//! - [`trace`]: what a search has seen, for drawings.
//!
//! # Units and precision
//!
//! Points are y-up metres that include the origin of the level: [`Point`] says which types are
//! taken. Inside, points are on the level's integer grid (1/1024 m by default), and every decision
//! about sides, hits and corners is exact. Lengths are measured in the ground plane, XZ. Heights
//! separate storeys and are reported. The agent is a point: the baker has already subtracted its
//! radius from the mesh, so paths may touch walls and run along them.
//!
//! # Guarantees
//!
//! No query panics or loops forever on a mesh that was opened. A query allocates only where its
//! scratch has to grow, within the bound that the caller sets ([`Scratch::bounded`]). What is not
//! proved is never called optimal. [`NavMesh`], [`NavQuery`] and [`QueryFilter`] are `Send` and
//! `Sync`.
//!
//! # Features
//!
//! - `std` (default) takes square roots from the standard library, `libm` from the crate libm for
//!   bare targets. Both are correctly rounded, so answers are the same everywhere.
//! - `alloc` (part of `std`) adds [`NavMeshBuf`] and [`Scratch`]. Without it, an unpacked
//!   file is searched in place, in a [`FixedScratch`].
//! - `mint` and `glam`: points of these crates.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!(
    "navbake-search needs a square root: enable the feature `std`, or `libm` on bare targets"
);

mod beside;
mod closings;
mod connected;
mod costs;
mod descent;
mod error;
mod filter;
mod flood;
mod links;
mod lists;
mod locate;
mod motion;
mod paths;
mod point;
mod query;
mod random;
mod ray;
#[cfg(feature = "alloc")]
mod route;
mod scratch;
mod shapes;
mod surface;
mod wall_distance;

pub use descent::DescentRequest;
pub use error::Error;
pub use filter::{QueryFilter, Words};
pub use locate::NavPoint;
pub use motion::{Motion, MoveRequest};
#[cfg(feature = "alloc")]
pub use navbake_format::NavMeshBuf;
pub use navbake_format::{NavMesh, PolyId};
#[cfg(feature = "alloc")]
pub use paths::Goals;
pub use paths::{AStar, Algorithm, Heuristic, NavPath, PathRequest, Search, Status};
pub use point::Point;
pub use query::NavQuery;
pub use ray::RayHit;
#[cfg(feature = "alloc")]
pub use scratch::Scratch;
pub use scratch::{FixedScratch, Memory};

/// What a path is made of, and the options of A*.
pub mod path {
    pub use crate::paths::{Ahead, Course, Leg, Legs, Order};
    #[cfg(feature = "alloc")]
    pub use crate::route::{Passage, Route};
}

/// Places around a place: shapes, random places, walls.
pub mod around {
    pub use crate::descent::{Descent, DescentEnd};
    pub use crate::flood::Reached;
    pub use crate::locate::PolyPoint;
    pub use crate::motion::MoveLog;
    pub use crate::random::{Areas, Random};
    pub use crate::ray::Wall;
    pub use crate::shapes::{Around, Convex, Shape};
    pub use crate::wall_distance::{NearestWall, WallDistance};
}

/// The file: agents, areas, switches, markers, links, rooms, and ids.
pub mod blob {
    pub use navbake_format::{
        Agent, Area, AreaId, Blob, BlobError, CheckedBlob, Closure, Door, EdgeId, Grid, IslandId,
        Link, LinkKind, Marker, Polygon, Room, RoomDoor, RoomId, Rooms, Switch, WeightRow,
    };
}

/// What a search has seen, for drawings and for tests.
pub mod trace {
    pub use crate::paths::{Seen, Visit};
}

/// What the crates beside this one search with. No part of the public interface.
#[doc(hidden)]
pub mod parts {
    pub use crate::paths::{
        Bend, Corridor, Look, Outcome, Portal, Region, SeenCorner, Slices, State, Step, Window,
        along, bends, reversed, through, towards, trace, turn,
    };
    pub use crate::ray::{End, same_ground, walk, walk_straight};
    pub use crate::scratch::{Need, sealed::Memory};
    pub use crate::surface::{beside, holds, nearest_on_segment};
    pub use crate::wall_distance::Near;
    #[cfg(feature = "alloc")]
    pub use crate::{lists::extend, paths::windows};
}
