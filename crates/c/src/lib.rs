//! navbake's queries for C and C++: a static library and `include/navbake.h`, which is made from
//! these sources.
//!
//! - [`blob`]: open a baked file's bytes, its agents, the navmesh of an agent;
//! - [`closed`]: switches, and what they close;
//! - [`costs`]: what ground costs;
//! - [`place`]: points to places on the mesh, rays, reachability;
//! - [`motion`]: motion that slides along walls;
//! - [`request`]: requests for paths, with planners and their options;
//! - [`path`]: scratch for searches, and paths;
//! - [`status`]: what functions return.
//!
//! Each function is a thin layer over the one of the same name in `navbake-search`. It checks what
//! it is given, gives a [`status::NavbakeStatus`], and lets no panic through.

pub mod blob;
pub mod closed;
pub mod costs;
pub mod motion;
pub mod path;
pub mod place;
mod pointers;
pub mod request;
pub mod status;
