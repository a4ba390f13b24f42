//! Layers cut along the borders between areas.
//!
//! A line between two areas becomes a crease in the layer's rings ([`cut`]): a wall of no width,
//! open on both sides, that no polygon crosses and [`crate::join()`] makes portals of again. So
//! [`patch`] need not know about areas, and seams between tiles, whose places are decided before,
//! stay as they are: a crease ends on them where the line does, which comes from the level's own
//! coordinates and is the same in both tiles.
//!
//! - `ground_triangles.rs`: which triangle is the ground at a place;
//! - `creases.rs`: where the ground may change, edges of triangles and the lines that two of them
//!   cross along, and which parts of that do;
//! - `bands.rs`: how near to walls it is;
//! - `arrange.rs`: creases and rings that meet in grid points only;
//! - `cells.rs`: the same for grid maps, along the sides of cells.

pub(crate) mod arrange;
mod bands;
mod cells;
mod creases;
mod ground_triangles;

use navbake_geom::{Point, orient};
use navbake_walkable::Layer;

use crate::layer_heights::LayerHeights;
use crate::patch::patch_cut;
use crate::{Patch, PatchError, PatchSettings, PolygonMesh, patch};

pub use bands::Bands;
use bands::Kinds;
pub use cells::{CellAreas, patch_by_cells};
pub use ground_triangles::AreaMap;

/// Polygons for a layer as [`patch`] makes them, each of one area, and whether the layer could be
/// cut. Where lines are so close together that no cut along grid points is found, it is not, and
/// each polygon gets the area at its middle.
///
/// # Errors
/// As [`patch`].
pub fn patch_by_area(
    layer: &Layer,
    settings: &PatchSettings,
    map: &AreaMap,
    bands: Option<&Bands<'_>>,
) -> Result<(Patch, bool), PatchError> {
    let kinds = Kinds { map, bands };
    if let Some(area) = map.only().filter(|_| bands.is_none()) {
        let mut made = patch(layer, settings)?;
        made.mesh.set_areas(vec![area; made.mesh.len()]);
        return Ok((made, true));
    }
    let mut needed = false;
    let (mut made, is_cut) = patch_cut(layer, settings, |rings, heights| {
        let creases = creases::creases(rings, heights, &kinds);
        needed = !creases.is_empty();
        if needed { arrange::cut(rings, &creases) } else { None }
    })?;
    let heights = LayerHeights::new(layer);
    let area = |p| match &heights {
        Some(heights) => area_of(&made, p, heights, &kinds),
        None => 0,
    };
    let areas = (0..made.mesh.len()).map(area).collect();
    made.mesh.set_areas(areas);
    Ok((made, is_cut || !needed))
}

/// Gives triangles of a floor the areas at their middles.
///
/// They need no cut: each is a part of a source triangle, which has one area.
pub fn areas_of_floor(floor: &mut PolygonMesh, map: &AreaMap) {
    let area = |t: usize| {
        let ring = floor.polygon(t);
        let corners = [0, 1, 2].map(|k| floor.vertices[ring[k] as usize]);
        let up: i64 = corners.iter().map(|c| i64::from(c.y)).sum();
        let p = middle(corners.map(|c| c.flat()));
        map.area_near(p, || up as f64 / 3.0).unwrap_or(0)
    };
    let areas = (0..floor.len()).map(area).collect();
    floor.set_areas(areas);
}

/// The grid point nearest to the middle of a triangle.
fn middle(t: [Point; 3]) -> Point {
    let mean = |of: fn(&Point) -> i32| {
        let sum: i64 = t.iter().map(|p| i64::from(of(p))).sum();
        (2 * sum + 3).div_euclid(6) as i32
    };
    Point::new(mean(|p| p.x), mean(|p| p.z))
}

/// The area in the middle of a polygon's widest triangle; of its others where there is no ground
/// right there.
fn area_of(patch: &Patch, polygon: usize, heights: &LayerHeights<'_>, kinds: &Kinds<'_>) -> u8 {
    let mesh = &patch.mesh;
    let flat = |v: u32| mesh.vertices[v as usize].flat();
    let corners: Vec<Point> = mesh.polygon(polygon).iter().map(|&v| flat(v)).collect();
    let mut fan: Vec<[Point; 3]> =
        (corners.windows(2).skip(1)).map(|w| [corners[0], w[0], w[1]]).collect();
    fan.sort_by_key(|&[a, b, c]| std::cmp::Reverse(orient(a, b, c)));
    let label = |t: [Point; 3]| {
        let p = middle(t);
        kinds.at(p, || f64::from(heights.height(p, [0; 2])))
    };
    fan.into_iter().find_map(label).unwrap_or(0)
}
