//! Tests of navbake-format through its public interface.

mod areas;
mod blob;
mod chunks;
mod doors_links;
mod edges;
mod findings;
mod grid_map;
mod height_mesh;
mod height_mesh_triangles;
mod mesh_height_meshes;
mod meshes;
mod networks;
mod reach;
mod rooms;
mod sources;
mod support;
