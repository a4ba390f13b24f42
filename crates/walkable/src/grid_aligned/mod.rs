//! Ground with borders along the cells of a grid: for points without a radius, and where exact
//! borders are not wanted or contradict each other. Borders are up to a cell inside the true ones.
//!
//! As in Recast: triangles become columns of samples ([`raster`]), samples with head room become
//! spans linked to their neighbours a step away ([`spans`]), spans nearer to a border than the
//! radius are dropped ([`erosion`]), connected spans form layers ([`components`]), and the sides of
//! their cells are traced to rings ([`outline`]).

mod components;
mod erosion;
mod outline;
mod raster;
mod spans;

use navbake_level::Level;

use crate::Layer;
use crate::params::Params;

/// The layers of the tile `key`, from the triangles in and around it (ascending).
pub(crate) fn layers(
    level: &Level,
    triangles: &[u32],
    params: &Params,
    key: [i32; 2],
) -> Vec<Layer> {
    let columns = raster::columns(level, triangles, params, key);
    let spans = spans::Spans::new(level, &columns, params);
    drop(columns);
    let fits = erosion::fits(&spans, params);
    let (component_of, count) = components::components(&spans, &fits, params);
    outline::layers(&spans, &fits, &component_of, count, params)
}
