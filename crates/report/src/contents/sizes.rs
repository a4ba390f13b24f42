//! The sizes of a blob's navmeshes.

use crate::Meshes;
use crate::subject::square_metres;

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
    /// Counts what the navmeshes contain.
    pub fn new(meshes: &Meshes) -> Sizes {
        let mut sizes = Sizes::default();
        for mesh in meshes.iter() {
            sizes.polygons += u64::from(mesh.polygon_count());
            sizes.vertices += u64::from(mesh.vertex_count());
            sizes.islands += u64::from(mesh.island_count());
            let mut sides = 0u64;
            for polygon in mesh.polygons() {
                let edges = 0..polygon.len();
                sides += edges.filter(|&k| polygon.neighbour(k).is_some()).count() as u64;
            }
            sizes.portals += sides / 2;
            sizes.area_m2 += square_metres(&mesh, mesh.polygons());
        }
        sizes
    }
}
