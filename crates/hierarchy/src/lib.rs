//! What a navmesh is made of, above its polygons: islands of ground that hang together.
//!
//! [`islands_of_triangles`] and [`islands_of_polygons`] number the islands, [`keep`] leaves some of them out.
#![forbid(unsafe_code)]

mod islands;
mod keep;
mod union_find;

pub use islands::{Islands, islands_of_polygons, islands_of_triangles};
pub use keep::keep;
