//! Tests of navbake-geom through its public interface.

mod cut;
mod triangulate;
