//! Finds the polygons that points such as markers and seeds are on.

use navbake_geom::{Grid, Point3, orient};
use navbake_level::Agent;
use navbake_mesh::PolygonMesh;

/// The polygon under each point; `None` where there is none.
///
/// It is the nearest one seen from above within the agent's radius, of those between one agent
/// height below and one climb above the point; the nearest in height among equals. Sorts the
/// points, then looks once at each polygon.
pub fn polygons_under(
    points: &[[f64; 3]],
    grid: &Grid,
    agent: &Agent,
    mesh: &PolygonMesh,
) -> Vec<Option<u32>> {
    let reach = grid.length(agent.radius).max(1);
    let (below, above) =
        (f64::from(grid.length(agent.height)), f64::from(grid.length(agent.climb)));
    let mut queries: Vec<(Point3, usize)> =
        points.iter().enumerate().filter_map(|(i, &p)| Some((grid.snap_point(p)?, i))).collect();
    queries.sort_unstable();
    let mut best: Vec<Option<(f64, f64, u32)>> = vec![None; points.len()];
    if queries.is_empty() {
        return vec![None; points.len()];
    }
    let fans = (0..mesh.len()).flat_map(|p| {
        let ring = mesh.polygon(p);
        ring[1..].windows(2).map(move |w| (p, [ring[0], w[0], w[1]]))
    });
    for (t, corners) in fans {
        let corners = corners.map(|v| mesh.vertices[v as usize]);
        let low = corners.iter().map(|c| c.x).min().unwrap_or(0) - reach;
        let high = corners.iter().map(|c| c.x).max().unwrap_or(0) + reach;
        let from = queries.partition_point(|(q, _)| q.x < low);
        for &(q, i) in queries[from..].iter().take_while(|(q, _)| q.x <= high) {
            let (away, ground) = nearest_in(corners, q);
            let rise = ground - f64::from(q.y);
            if away > f64::from(reach) * f64::from(reach) || rise > above || rise < -below {
                continue;
            }
            let found = (away, rise.abs(), t as u32);
            if best[i].is_none_or(|b| found < b) {
                best[i] = Some(found);
            }
        }
    }
    best.into_iter().map(|b| b.map(|(_, _, t)| t)).collect()
}

/// Squared distance from a point to a triangle seen from above, and the triangle's height there.
fn nearest_in(corners: [Point3; 3], q: Point3) -> (f64, f64) {
    let [a, b, c] = corners;
    let whole = orient(a.flat(), b.flat(), c.flat());
    let parts = [(b, c), (c, a), (a, b)].map(|(u, v)| orient(u.flat(), v.flat(), q.flat()));
    if whole > 0 && parts.iter().all(|&p| p >= 0) {
        let height: f64 = corners
            .iter()
            .zip(parts)
            .map(|(c, part)| f64::from(c.y) * (part as f64 / whole as f64))
            .sum();
        return (0.0, height);
    }
    let mut nearest = (f64::INFINITY, 0.0);
    for (u, v) in [(a, b), (b, c), (c, a)] {
        let (ex, ez) = (f64::from(v.x) - f64::from(u.x), f64::from(v.z) - f64::from(u.z));
        let (px, pz) = (f64::from(q.x) - f64::from(u.x), f64::from(q.z) - f64::from(u.z));
        let length = ex * ex + ez * ez;
        let along = if length > 0.0 { ((px * ex + pz * ez) / length).clamp(0.0, 1.0) } else { 0.0 };
        let (dx, dz) = (px - along * ex, pz - along * ez);
        let height = f64::from(u.y) + along * (f64::from(v.y) - f64::from(u.y));
        if dx * dx + dz * dz < nearest.0 {
            nearest = (dx * dx + dz * dz, height);
        }
    }
    nearest
}
