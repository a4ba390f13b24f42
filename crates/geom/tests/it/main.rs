//! Tests of navbake-geom through its public interface.

mod against_geo;
mod cut;
mod noding;
mod triangulate;
