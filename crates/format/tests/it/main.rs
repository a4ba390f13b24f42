//! Tests of navbake-format through its public interface.

mod areas;
mod blob;
mod doors_links;
mod edges;
mod findings;
mod grid_map;
mod mesh_reliefs;
mod meshes;
mod reach;
mod relief;
mod relief_triangles;
mod rooms;
mod sources;
mod support;
