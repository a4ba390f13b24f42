//! Tests of navbake-import through its public interface.

#[global_allocator]
static ALLOCATOR: navbake_testkit::allocations::Counting = navbake_testkit::allocations::Counting;

mod against_gltf;
mod against_tobj;
mod authoring;
mod corpus;
mod document;
mod gltf_compressed;
mod gltf_document;
mod gltf_geometry;
mod grid;
mod heights;
mod map_server;
mod obj;
