//! How much a blob holds, over all its agents.

use navbake_format::CheckedBlob;
use navbake_format::exact::orient;

/// Sums over all navmeshes of a blob.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counts {
    pub(crate) polygons: u64,
    pub(crate) vertices: u64,
    /// The two sides of a portal count once.
    pub(crate) portals: u64,
    pub(crate) islands: u64,
    /// Seen from above.
    pub(crate) area_m2: f64,
}

/// Counts.
pub(crate) fn counts(blob: &CheckedBlob<'_>) -> Counts {
    let mut counts = Counts::default();
    let mut doubled_area = 0i128;
    for nav in (0..blob.class_count()).filter_map(|class| blob.decode(class)) {
        let mesh = nav.mesh();
        counts.polygons += u64::from(mesh.polygon_count());
        counts.vertices += u64::from(mesh.vertex_count());
        counts.islands += u64::from(mesh.island_count());
        let mut sides = 0u64;
        for polygon in mesh.polygons() {
            let first = polygon.corner(0);
            for k in 0..polygon.len() {
                sides += u64::from(polygon.neighbour(k).is_some());
                let (a, b) = (polygon.corner(k), polygon.corner(polygon.next(k)));
                doubled_area += i128::from(orient(first, a, b));
            }
        }
        counts.portals += sides / 2;
    }
    counts.area_m2 = doubled_area as f64 / 2.0 / blob.header().grid.units().powi(2);
    counts
}
