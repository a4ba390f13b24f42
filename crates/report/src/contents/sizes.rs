//! The sizes of a blob's navmeshes.

use navbake_format::CheckedBlob;
use navbake_format::exact::orient;

use crate::Meshes;

/// Sums over all navmeshes of a blob.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sizes {
    /// Polygons.
    pub polygons: u64,
    /// Vertices.
    pub vertices: u64,
    /// Portals; the two sides of one count once.
    pub portals: u64,
    /// Islands.
    pub islands: u64,
    /// Area seen from above.
    pub area_m2: f64,
}

impl Sizes {
    /// Counts what a blob contains.
    pub fn new(blob: &CheckedBlob<'_>, meshes: &Meshes) -> Sizes {
        let mut sizes = Sizes::default();
        let mut doubled_area = 0i128;
        for mesh in meshes.iter() {
            sizes.polygons += u64::from(mesh.polygon_count());
            sizes.vertices += u64::from(mesh.vertex_count());
            sizes.islands += u64::from(mesh.island_count());
            let mut sides = 0u64;
            for polygon in mesh.polygons() {
                let first = polygon.corner(0);
                for k in 0..polygon.len() {
                    sides += u64::from(polygon.neighbour(k).is_some());
                    let (a, b) = (polygon.corner(k), polygon.corner(polygon.next(k)));
                    doubled_area += i128::from(orient(first, a, b));
                }
            }
            sizes.portals += sides / 2;
        }
        sizes.area_m2 = doubled_area as f64 / 2.0 / blob.header().grid.units().powi(2);
        sizes
    }
}
