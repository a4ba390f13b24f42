//! What a navmesh is made of, above its polygons: islands of ground that hang together.
//!
//! [`islands`] numbers the islands, [`keep`] leaves some of them out.
#![forbid(unsafe_code)]

mod islands;
mod keep;
mod union_find;

pub use islands::{Islands, islands};
pub use keep::keep;
