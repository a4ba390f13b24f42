//! Shortest paths over the cells of a grid map: squares or hexagons.
//!
//! A unit steps from the centre of a free cell to that of a neighbour: along x and z, and with
//! [`GridPlanner::Grid8`] diagonally. A step costs what the cell that it enters costs, 1 by
//! default, times the square root of 2 when it is diagonal. A diagonal step needs both cells beside
//! it to be free, or one of them with `corner_cutting`; there is no step between two blocked cells.
//! A turn penalty is added to each step that does not go straight on.
//!
//! ```
//! # let free = [true; 12];
//! # let bytes = navbake_format::write::encode(&navbake_format::write::BlobParts {
//! #     meshes: &[navbake_format::write::MeshParts { first_edge: &[0], ..Default::default() }],
//! #     grid_map: Some(navbake_format::write::GridMapParts {
//! #         shape: navbake_format::CellShape::Square, width: 4, height: 3, cell: 1.0,
//! #         corner: [0.0; 3], free: &free, terrain: &[], factors: &[],
//! #     }),
//! #     ..Default::default()
//! # }).unwrap();
//! use navbake_format::Blob;
//! use navbake_gridpath::*;
//! use navbake_search::Status;
//!
//! let blob = Blob::open_checked(&bytes)?; // baked from a grid map, here 4 by 3 free cells
//! let map = blob.grid_map().expect("baked from a grid map");
//! let mut buffer = GridBuffer::new(GridScratchSize::of(&map)); // once; searches allocate nothing
//!
//! let goals = [[3.5, 0.0, 2.5]];
//! let request = GridRequest::new([0.5, 0.0, 0.5], &goals, GridPlanner::Grid8);
//! let path = GridQuery::new(map).find_path(&request, &mut buffer)?;
//! assert_eq!(path.status, Status::Reached);
//! assert_eq!((path.diagonal, path.straight), (2, 1));
//! assert_eq!(path.cells.len(), 4);
//! # Ok::<(), navbake_search::Error>(())
//! ```
//!
//! A [`Network`] is searched in the same way: points on a navmesh and straight lines between them.
//!
//! A [`CellFilter`] adds what the level's navmesh and a `QueryFilter` say: the weights of the unit,
//! what switches close, links, where other units stand, and how wide the unit is.
//!
//! - `query`, `request`, `answer`: what is asked and answered;
//! - `grid_search`: what a request means, searched in steps; `path` reads the path from the nodes;
//! - `fitted`: paths of followers;
//! - `cell_filter`, `filter`: what is closed and what it costs, made, and read by searches;
//!   `crossed` finds the cells of polygons and edges, `obstacles` those that obstacles take;
//! - `descent`: cells downhill in cost and distance from a goal, without a search;
//! - `search`: A*, Dijkstra's and greedy search over any `space`;
//! - `cells`: the cells of a map as a space, `hex` their steps where they are hexagons;
//! - `heuristic`: estimates of what remains;
//! - `landmarks`, `network_landmarks`: exact costs to a few cells or points, as estimates;
//! - `links`: links between cells, and estimates that know of them;
//! - `network`, `network_joining`, `network_search`, `network_path`: points and lines between them
//!   as a space;
//! - `moves`, `jump`: the steps out of a cell, and runs of steps that need no node;
//! - `metric`: costs as whole numbers, so that sums are exact;
//! - `open`, `scratch`: the open list and the caller's memory.
//!
//! Features: `std` (default) takes square roots from the standard library, `libm` from the crate
//! libm on bare targets; `alloc` (part of `std`) brings [`GridBuffer`], [`CellFilter`] and
//! [`Network`].
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!(
    "navbake-gridpath needs a square root: enable the feature `std`, or `libm` on bare targets"
);

mod answer;
#[cfg(feature = "alloc")]
mod borders;
#[cfg(feature = "alloc")]
mod cell_filter;
mod cells;
#[cfg(feature = "alloc")]
mod crossed;
mod descent;
mod filter;
mod fitted;
mod grid_search;
mod heuristic;
mod hex;
mod jump;
#[cfg(feature = "alloc")]
mod landmarks;
mod links;
mod metric;
mod moves;
#[cfg(feature = "alloc")]
mod network;
#[cfg(feature = "alloc")]
mod network_joining;
#[cfg(feature = "alloc")]
mod network_landmarks;
#[cfg(feature = "alloc")]
mod network_path;
#[cfg(feature = "alloc")]
mod network_search;
#[cfg(feature = "alloc")]
mod obstacles;
mod open;
mod path;
mod query;
mod request;
mod scratch;
mod search;
mod space;
#[cfg(feature = "alloc")]
mod unit_shape;
mod worth;

pub use answer::{GridAnswer, GridLeg, GridVisit};
#[cfg(feature = "alloc")]
pub use cell_filter::CellFilter;
pub use descent::{GridDescent, GridPotential};
pub use grid_search::GridSearch;
pub use navbake_navmesh::{Obstacle, ObstacleError};
#[cfg(feature = "alloc")]
pub use network::{Network, NetworkStep};
#[cfg(feature = "alloc")]
pub use network_joining::NetworkJoining;
#[cfg(feature = "alloc")]
pub use network_path::NetworkVisit;
#[cfg(feature = "alloc")]
pub use network_search::{NetworkAnswer, NetworkBuffer, NetworkRequest, NetworkSearch};
pub use query::{CanReach, GridQuery};
pub use request::{GridPlanner, GridRequest, TURN_PENALTY};
#[cfg(feature = "alloc")]
pub use scratch::GridBuffer;
pub use scratch::{GridGoal, GridNode, GridOpen, GridScratch, GridScratchSize};
#[cfg(feature = "alloc")]
pub use unit_shape::UnitShape;
