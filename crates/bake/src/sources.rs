//! The stage `sources`: the triangles of the level's file behind each polygon.

use navbake_format::write::ClassSources;
use navbake_format::{NavMesh, NavMeshBuf, PolyId};
use navbake_level::{Class, SourceTriangle};
use navbake_search::NavQuery;
use rayon::prelude::*;

/// The least area that a triangle and a polygon share, m2: common edges do not count.
const LEAST: f64 = 1e-4;

/// Triangles behind the polygons of a class.
pub(crate) struct PolygonSources {
    class: u16,
    /// Where the triangles of each polygon end.
    ends: Vec<u32>,
    /// Part and number of each triangle.
    triangles: Vec<(u32, u32)>,
}

impl PolygonSources {
    pub(crate) fn parts(&self) -> ClassSources<'_> {
        ClassSources { class: self.class, ends: &self.ends, triangles: &self.triangles }
    }
}

/// Finds the triangles behind each polygon of the meshes, in parallel over triangles.
///
/// `height_error` is that of the config, m.
pub(crate) fn sources(
    meshes: &[NavMeshBuf],
    triangles: &[SourceTriangle],
    classes: &[Class],
    height_error: f64,
) -> Vec<PolygonSources> {
    let mut found = vec![];
    for ((number, class), nav) in (0u16..).zip(classes).zip(meshes) {
        let mesh = nav.mesh();
        let least_up = class.agent.least_up();
        // Twice what the mesh may be off, so that a floor below a slope's foot does not count.
        let within = 2.0 * height_error * mesh.grid().units();
        let polygons = Bins::new(&mesh);
        let ground = triangles.par_iter().filter(|t| t.up >= least_up);
        let mut pairs: Vec<(PolyId, u32, u32)> = ground
            .flat_map_iter(|t| {
                let own = polygons.meet(t, within);
                own.into_iter().map(|p| (p, t.part, t.number))
            })
            .collect();
        pairs.sort_unstable();
        let end = |p| pairs.partition_point(|pair| pair.0 <= PolyId(p)) as u32;
        found.push(PolygonSources {
            class: number,
            ends: (0..mesh.polygon_count()).map(end).collect(),
            triangles: pairs.iter().map(|&(_, part, n)| (part, n)).collect(),
        });
    }
    found
}

/// A place seen from above, grid units.
type Flat = [f64; 2];

/// The polygons of a mesh in squares, so that few are looked at for each triangle.
struct Bins<'a> {
    query: NavQuery<'a>,
    rings: Vec<Vec<Flat>>,
    least: Flat,
    side: f64,
    size: [usize; 2],
    /// Polygons in each square.
    squares: Vec<Vec<u32>>,
}

impl<'a> Bins<'a> {
    fn new(mesh: &NavMesh<'a>) -> Bins<'a> {
        let rings: Vec<Vec<Flat>> = (0..mesh.polygon_count())
            .map(|p| {
                let polygon = mesh.polygon(PolyId(p));
                let corners = (0..polygon.len()).map(|k| polygon.corner(k));
                corners.map(|c| c.map(f64::from)).collect()
            })
            .collect();
        let all: Vec<Flat> = rings.iter().flatten().copied().collect();
        let [least, greatest] = bounds(&all);
        let wide = (greatest[0] - least[0]).max(greatest[1] - least[1]);
        let side = (wide / (rings.len() as f64).sqrt().ceil().max(1.0)).max(1.0);
        let size = [0, 1].map(|k| ((greatest[k] - least[k]).max(0.0) / side) as usize + 1);
        let mut bins = Bins {
            query: NavQuery::new(*mesh),
            rings: vec![],
            least,
            side,
            size,
            squares: vec![vec![]; size[0] * size[1]],
        };
        for (p, ring) in (0u32..).zip(&rings) {
            for square in bins.squares_of(ring) {
                bins.squares[square].push(p);
            }
        }
        bins.rings = rings;
        bins
    }

    /// The squares that the bounds of some places meet.
    fn squares_of(&self, places: &[Flat]) -> impl Iterator<Item = usize> + use<> {
        let [least, greatest] = bounds(places);
        let along = |c: f64, k: usize| {
            // Casts saturate: what is outside goes to the nearest square.
            (((c - self.least[k]) / self.side) as usize).min(self.size[k] - 1)
        };
        let [x, z] = [0, 1].map(|k| along(least[k], k)..=along(greatest[k], k));
        let width = self.size[0];
        z.flat_map(move |j| x.clone().map(move |i| j * width + i))
    }

    /// The polygons whose ground a triangle is: they share ground seen from above, and in the
    /// middle of that their heights differ by no more than `within`.
    fn meet(&self, t: &SourceTriangle, within: f64) -> Vec<PolyId> {
        let corners = t.corners.map(|p| [f64::from(p.x), f64::from(p.z)]);
        let [a, b, c] = corners;
        let doubled = (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1]);
        if doubled == 0.0 || self.rings.is_empty() {
            return vec![];
        }
        let grid = self.query.mesh().grid();
        let least = LEAST * grid.units() * grid.units();
        let mut near: Vec<u32> = (self.squares_of(&corners))
            .flat_map(|square| self.squares[square].iter().copied())
            .collect();
        near.sort_unstable();
        near.dedup();
        let meets = |p: &PolyId| {
            let Some((area, middle)) = shared(&corners, &self.rings[p.index()]) else {
                return false;
            };
            let at = self.query.on_polygon(*p, grid.metres([middle[0], 0.0, middle[1]]));
            let height = at.map(|at| (at.position()[1] - grid.origin[1]) * grid.units());
            area >= least && height.is_some_and(|y| (y - plane(t, middle)).abs() <= within)
        };
        near.into_iter().map(PolyId).filter(meets).collect()
    }
}

/// Height of a triangle's plane, grid units.
fn plane(t: &SourceTriangle, [x, z]: Flat) -> f64 {
    let [a, b, c] = t.corners.map(|p| [p.x, p.y, p.z].map(f64::from));
    let [u, v] = [b, c].map(|p| [0, 1, 2].map(|k| p[k] - a[k]));
    let doubled = u[2] * v[0] - u[0] * v[2];
    let (px, pz) = (x - a[0], z - a[2]);
    let second = (pz * v[0] - px * v[2]) / doubled;
    let third = (u[2] * px - u[0] * pz) / doubled;
    a[1] + second * u[1] + third * v[1]
}

fn bounds(places: &[Flat]) -> [Flat; 2] {
    let mut all = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    for place in places {
        for (k, &c) in place.iter().enumerate() {
            all[0][k] = all[0][k].min(c);
            all[1][k] = all[1][k].max(c);
        }
    }
    all
}

/// What a triangle and a convex polygon share: its area and its middle (I. Sutherland and G.
/// Hodgman, Reentrant polygon clipping, 1974).
fn shared(triangle: &[Flat; 3], ring: &[Flat]) -> Option<(f64, Flat)> {
    // Near numbers are small: the sums below lose nothing.
    let from = ring.first()?;
    let near = |p: &Flat| [p[0] - from[0], p[1] - from[1]];
    let ring: Vec<Flat> = ring.iter().map(near).collect();
    let mut part: Vec<Flat> = triangle.iter().map(near).collect();
    for (k, a) in ring.iter().enumerate() {
        let b = ring[(k + 1) % ring.len()];
        let side = |p: Flat| (b[1] - a[1]) * (p[0] - a[0]) - (b[0] - a[0]) * (p[1] - a[1]);
        let mut kept = Vec::with_capacity(part.len() + 1);
        for (i, &p) in part.iter().enumerate() {
            let q = part[(i + 1) % part.len()];
            let (s, t) = (side(p), side(q));
            if s >= 0.0 {
                kept.push(p);
            }
            if (s > 0.0 && t < 0.0) || (s < 0.0 && t > 0.0) {
                let share = s / (s - t);
                kept.push([0, 1].map(|k| p[k] + share * (q[k] - p[k])));
            }
        }
        part = kept;
    }
    let first = *part.first()?;
    let (mut area, mut sum) = (0.0, [0.0; 2]);
    for w in part[1..].windows(2) {
        let [u, v] = [w[0], w[1]].map(|p| [p[0] - first[0], p[1] - first[1]]);
        let doubled = (u[1] * v[0] - u[0] * v[1]).abs();
        area += doubled / 2.0;
        for k in 0..2 {
            sum[k] += doubled / 2.0 * (u[k] + v[k]) / 3.0;
        }
    }
    let middle = |k: usize| from[k] + first[k] + sum[k] / area;
    (area > 0.0).then(|| (area, [middle(0), middle(1)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_triangle_and_a_square_share_is_measured_however_they_are_turned() {
        // Counter-clockwise seen from above, z towards the viewer.
        let square = [[0.0, 0.0], [0.0, 10.0], [10.0, 10.0], [10.0, 0.0]];
        let half = [[0.0, 0.0], [20.0, 0.0], [0.0, 20.0]];
        let back = [half[0], half[2], half[1]];
        for triangle in [half, back] {
            let (area, middle) = shared(&triangle, &square).unwrap();
            assert!((area - 100.0).abs() < 1e-9);
            assert!(middle.iter().all(|c| (c - 5.0).abs() < 1e-9), "{middle:?}");
        }
        let beside = [[10.0, 0.0], [20.0, 0.0], [10.0, 10.0]];
        assert!(shared(&beside, &square).is_none_or(|(area, _)| area == 0.0));
        let far = [[30.0, 0.0], [40.0, 0.0], [30.0, 10.0]];
        assert!(shared(&far, &square).is_none());
    }
}
