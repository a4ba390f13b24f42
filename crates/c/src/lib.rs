//! navbake's queries for C and C++: a static library and `include/navbake.h`, which is made from
//! these sources.
//!
//! - [`around`]: walls, polygons and random places around a place;
//! - [`blob`]: open a baked file's bytes, its agents, the navmesh of an agent;
//! - [`chunks`]: chunks of a world;
//! - [`closed`]: switches, and the ground that they close;
//! - [`costs`]: the cost of ground;
//! - [`mod@file`]: areas, markers, links, rooms, polygons;
//! - [`obstacles`]: obstacles while the game runs;
//! - [`place`]: points to places on the mesh, rays, reachability;
//! - [`motion`]: motion that slides along walls;
//! - [`request`]: requests for paths, with planners and their options;
//! - [`cells`]: cells and route networks for the unit of a mesh;
//! - [`save`]: obstacles and chunks as bytes;
//! - [`search`]: scratch for searches, at once and in steps; [`path`]: their paths;
//! - [`queue`]: paths for many units, a little work every frame (feature `queues`);
//! - [`vehicle`]: units that turn, on their ground, with roads (feature `vehicles`);
//! - [`vehicle_path`]: their paths;
//! - [`status`]: the status that functions return.
//!
//! Each function is a thin layer over the function of the same name in `navbake-search`. It checks
//! its arguments, returns a [`status::NavbakeStatus`], and lets no panic through.

pub mod around;
pub mod blob;
pub mod cells;
pub mod chunks;
pub mod closed;
pub mod costs;
pub mod distances;
pub mod file;
pub mod motion;
pub mod obstacles;
pub mod path;
pub mod place;
mod pointers;
#[cfg(feature = "queues")]
pub mod queue;
pub mod request;
pub mod save;
pub mod search;
pub mod status;
#[cfg(feature = "vehicles")]
pub mod vehicle;
#[cfg(feature = "vehicles")]
pub mod vehicle_path;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
