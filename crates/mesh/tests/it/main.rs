//! Tests of navbake-mesh through its public interface.

mod areas;
mod bad_layers;
mod floor;
mod heights;
mod join;
mod join_triangles;
mod merge;
mod merge_polygons;
mod patch;
mod soups;
mod support;
