//! Obstacles on a baked navmesh while the game runs.
//!
//! A [`World`] owns a navmesh and the obstacles on it. Changes are staged and committed between
//! frames; [`World::nav_mesh`] is the navmesh of now, for every query of `navbake-search`:
//!
//! ```
//! # let bytes = navbake_testkit::level();
//! use navbake_search::{NavMeshBuf, NavQuery, PathRequest, Scratch};
//! use navbake_world::{Obstacle, World};
//!
//! let mut world = World::new(NavMeshBuf::open(&bytes)?);
//! let barrel = Obstacle::cylinder([3.0, 2.0], 0.5, [0.0, 1.0])?; // y-up metres
//! let id = world.add(barrel)?;
//! world.commit();
//!
//! let query = NavQuery::new(world.nav_mesh());
//! assert!(query.locate([3.0, 0.0, 2.0], 2.0).is_none()); // the ground is taken
//! let request = PathRequest::new([1.0, 0.0, 2.0], [5.0, 0.0, 2.0]);
//! let path = query.find_path(&request, &mut Scratch::new())?.length_xz;
//! assert!(path > 4.0); // around it
//!
//! world.remove(id)?;
//! world.commit();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Obstacles only take ground away: within the agent's radius of them, where the ground is at their
//! height. The polygons that they touch are replaced by pieces; all others stay as they are, and
//! when the obstacles go, the polygons come back bit for bit. `docs/world.md` has rules and costs.
//!
//! The baked bytes must come from a checked file, as [`NavMeshBuf`] guarantees.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!(
    "navbake-world needs a square root: enable the feature `std`, or `libm` on bare targets"
);

mod arena;
mod aside;
mod base;
mod bytes;
mod changes;
mod chunk;
mod cut;
mod delaunay;
mod error;
mod ground;
mod heights;
mod list;
mod loaded;
mod nodes;
mod rebuild;
mod ring;
mod save;
mod seams;
mod shape;
mod solid;
mod world;

pub use chunk::ChunkMesh;
pub use error::Error;
pub use navbake_format::{AreaId, Chunk, NavMesh, NavMeshBuf, PolyId};
pub use navbake_navmesh::{Obstacle, ObstacleError};
pub use solid::Solid;
pub use world::{Commit, ObstacleId, PolyRef, Way, World};
