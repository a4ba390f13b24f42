//! Where ground that is cut off is nearest to ground that is reached.

use navbake_format::{NavMesh, PolyId, Polygon};

use crate::ring::distance;
use crate::subject::FAR;

/// Radii of the search, m. What is near is found without a look at what is far.
const RADII: [f64; 3] = [1.0, 5.0, FAR];

/// The places where some polygons and others are nearest, by distance in space, y-up metres.
///
/// `None` if they are farther apart than [`FAR`]. A place is a corner, the point of the ground
/// plane nearest to a corner, or a crossing of two borders seen from above. On a slope, other
/// places may be slightly nearer.
///
/// Its time grows with the number of polygons around `own`, out to five times the distance.
pub(super) fn nearest(mesh: &NavMesh<'_>, own: &[u32], is_other: &[bool]) -> Option<[[f64; 3]; 2]> {
    RADII.into_iter().find_map(|radius| {
        let most = radius * mesh.grid().units();
        let mut nearest = Nearest { squared: most * most, places: None };
        for &id in own {
            let polygon = mesh.polygon(PolyId(id));
            let ring = ring(&polygon);
            let [low, high] = bounds(&polygon, &ring, nearest.squared.sqrt());
            mesh.index().for_each_in(low, high, |other| {
                if is_other[other.index()] {
                    nearest.weigh(&polygon, &ring, &mesh.polygon(other));
                }
            });
        }
        let places = nearest.places?;
        Some(places.map(|[x, y, z]| mesh.grid().metres([x, y, z])))
    })
}

/// What was found, grid units.
struct Nearest {
    /// The square of the distance.
    squared: f64,
    places: Option<[[f64; 3]; 2]>,
}

impl Nearest {
    fn weigh(&mut self, own: &Polygon<'_, '_>, own_ring: &[[f64; 2]], other: &Polygon<'_, '_>) {
        let other_ring = &ring(other);
        let mut offer = |[a, b]: [[f64; 2]; 2]| {
            let flat = (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2);
            if flat >= self.squared {
                return;
            }
            let (up, other_up) = (own.height(a), other.height(b));
            let squared = flat + (up - other_up).powi(2);
            if squared < self.squared {
                self.squared = squared;
                self.places = Some([[a[0], up, a[1]], [b[0], other_up, b[1]]]);
            }
        };
        for &corner in own_ring {
            distance(other_ring, corner).into_iter().for_each(|(_, at)| offer([corner, at]));
        }
        for &corner in other_ring {
            distance(own_ring, corner).into_iter().for_each(|(_, at)| offer([at, corner]));
        }
        for side in sides(own_ring) {
            let crossings = sides(other_ring).filter_map(|other| crossing(side, other));
            crossings.for_each(|at| offer([at; 2]));
        }
    }
}

/// The corners of a polygon in the ground plane.
fn ring(polygon: &Polygon<'_, '_>) -> Vec<[f64; 2]> {
    (0..polygon.len()).map(|k| polygon.corner(k).map(f64::from)).collect()
}

/// The box of a polygon, larger by a distance.
fn bounds(polygon: &Polygon<'_, '_>, ring: &[[f64; 2]], by: f64) -> [[i64; 3]; 2] {
    let heights = match polygon.detail() {
        Some(detail) => detail.heights().map(f64::from).to_vec(),
        None => ring.iter().map(|&at| polygon.height(at)).collect(),
    };
    let span = |values: &mut dyn Iterator<Item = f64>| {
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], v| [a.min(v), b.max(v)])
    };
    let x = span(&mut ring.iter().map(|p| p[0]));
    let y = span(&mut heights.into_iter());
    let z = span(&mut ring.iter().map(|p| p[1]));
    let low = [x, y, z].map(|[least, _]| (least - by).floor() as i64);
    [low, [x, y, z].map(|[_, most]| (most + by).ceil() as i64)]
}

/// The sides of a ring.
fn sides(ring: &[[f64; 2]]) -> impl Iterator<Item = [[f64; 2]; 2]> {
    (0..ring.len()).map(|k| [ring[k], ring[(k + 1) % ring.len()]])
}

/// Where two segments cross.
fn crossing([a, b]: [[f64; 2]; 2], [p, q]: [[f64; 2]; 2]) -> Option<[f64; 2]> {
    let side = |a: [f64; 2], b: [f64; 2], p: [f64; 2]| {
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    };
    let (s, t) = (side(p, q, a), side(p, q, b));
    let crosses = (s > 0.0) != (t > 0.0) && (side(a, b, p) > 0.0) != (side(a, b, q) > 0.0);
    let along = s / (s - t);
    crosses.then(|| [0, 1].map(|k| a[k] + along * (b[k] - a[k])))
}
