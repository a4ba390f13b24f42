//! The invariants of a [`PolygonMesh`], and its ranges of edges.

use navbake_format::detail::MOST_STEPS;
use navbake_geom::{LIMIT, Point3, convex_corner, orient};

use crate::{HeightMesh, NONE, PolygonMesh};

/// A fault of a mesh, and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fault(String);

fn fault<T>(what: impl Into<String>) -> Result<T, Fault> {
    Err(Fault(what.into()))
}

impl PolygonMesh {
    /// How many polygons there are.
    pub fn len(&self) -> usize {
        self.first_edge.len().saturating_sub(1)
    }

    /// Is there no polygon?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where an edge begins and ends; `None` for a number that no polygon has.
    pub fn edge_ends(&self, edge: u32) -> Option<[Point3; 2]> {
        let e = edge as usize;
        if e >= self.corners.len() {
            return None;
        }
        let polygon = self.first_edge.partition_point(|&f| f <= edge);
        let edges = self.edges(polygon.checked_sub(1)?);
        let after = if e + 1 == edges.end { edges.start } else { e + 1 };
        Some([e, after].map(|e| self.vertices[self.corners[e] as usize]))
    }

    /// The edges of a polygon, as indices into `corners` and `neighbours`.
    pub fn edges(&self, polygon: usize) -> std::ops::Range<usize> {
        self.first_edge[polygon] as usize..self.first_edge[polygon + 1] as usize
    }

    /// The edge after an edge of a polygon.
    #[inline]
    pub fn edge_after(&self, polygon: usize, edge: usize) -> usize {
        let next = edge as u32 + 1;
        if next == self.first_edge[polygon + 1] {
            self.first_edge[polygon] as usize
        } else {
            edge + 1
        }
    }

    /// The other side of an edge of a polygon; `None` for border.
    pub fn twin(&self, polygon: usize, edge: usize) -> Option<usize> {
        let beyond = self.neighbours[edge];
        if beyond == NONE {
            return None;
        }
        let others = self.edges(beyond as usize);
        let flat = |e: usize| self.vertices[self.corners[e] as usize].flat();
        let (a, b) = (flat(edge), flat(self.edge_after(polygon, edge)));
        let after = |e: usize| if e + 1 == others.end { others.start } else { e + 1 };
        let mut leads_back = others.clone().filter(|&e| self.neighbours[e] == polygon as u32);
        leads_back.find(|&e| flat(e) == b && flat(after(e)) == a)
    }

    /// The corners of a polygon.
    pub fn polygon(&self, polygon: usize) -> &[u32] {
        &self.corners[self.edges(polygon)]
    }

    /// Checks every invariant: indices, convexity (exact), exactly one turn, mirrored portals on
    /// identical segments, no unused vertex. O(n).
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self) -> Result<(), Fault> {
        let shape = |what: &str| fault(format!("the arrays do not fit together: {what}"));
        if self.neighbours.len() != self.corners.len() {
            return shape("corners and neighbours");
        }
        let named = |r: &u32| *r == NONE || (*r as usize) < self.height_meshes.len();
        let whole =
            self.height_mesh_of.len() == self.len() && self.height_mesh_of.iter().all(named);
        let none = self.height_mesh_of.is_empty() && self.height_meshes.is_empty();
        if !(whole || none) {
            return shape("polygons and height meshes");
        }
        if let Some(r) = self.height_meshes.iter().position(|r| !r.is_sound()) {
            return fault(format!("height mesh {r} has points outside its box or the grid"));
        }
        if !self.areas.is_empty() && self.areas.len() != self.len() {
            return shape("polygons and areas");
        }
        if self.first_edge.first() != Some(&0) {
            return shape("first_edge does not begin with 0");
        }
        if self.first_edge.last().map(|&e| e as usize) != Some(self.corners.len()) {
            return shape("first_edge does not end with the corners");
        }
        if let Some(p) = self.first_edge.windows(2).position(|w| w[1] < w[0]) {
            return shape(&format!("first_edge falls after polygon {p}"));
        }
        check_polygons(&self.vertices, self.len(), |p| {
            let edges = self.edges(p);
            (&self.corners[edges.clone()], &self.neighbours[edges])
        })
    }

    /// Twice the area of a polygon seen from above, in grid units squared.
    pub fn polygon_area_doubled(&self, polygon: usize) -> i128 {
        area_doubled(&self.vertices, self.polygon(polygon))
    }

    /// Twice the area seen from above, in grid units squared.
    pub fn area_doubled(&self) -> i128 {
        (0..self.len()).map(|p| self.polygon_area_doubled(p)).sum()
    }
}

impl HeightMesh {
    /// Are all its points in the box and on the grid, and none at its corners or at one place with
    /// another?
    fn is_sound(&self) -> bool {
        let [x, z] = self.size;
        let within = |least: i32, steps: u16, shift: u32| {
            let end = i64::from(least) + (i64::from(steps) << shift);
            (-LIMIT..=LIMIT).contains(&least) && end <= i64::from(LIMIT)
        };
        let flat = |p: &[u16; 3]| [p[0], p[2]];
        let mut places: Vec<[u16; 2]> = self.points.iter().map(flat).collect();
        places.extend([[0, 0], [0, z], [x, z], [x, 0]]);
        places.sort_unstable();
        let ups = self.points.iter().map(|p| p[1]).chain(self.corners);
        self.shift < 32
            && self.up < 32
            && [x, z].iter().all(|&s| s > 0 && i32::from(s) <= MOST_STEPS)
            && self.points.len() <= usize::from(u16::MAX)
            && within(self.least[0], x, self.shift)
            && within(self.least[1], z, self.shift)
            && within(self.base, ups.max().unwrap_or(0), self.up)
            && places.iter().all(|p| p[0] <= x && p[1] <= z)
            && places.windows(2).all(|w| w[0] != w[1])
    }
}

fn area_doubled(vertices: &[Point3], ring: &[u32]) -> i128 {
    let flat = |k: usize| vertices[ring[k] as usize].flat();
    let area = |k: usize| i128::from(orient(flat(0), flat(k), flat(k + 1)));
    (1..ring.len().saturating_sub(1)).map(area).sum()
}

/// Does the direction `from -> to` point into the half turn that begins with +x (inclusive) in
/// counter-clockwise order?
pub(crate) fn first_half(from: Point3, to: Point3) -> bool {
    // Counter-clockwise seen from above runs from +x to -z.
    to.z < from.z || (to.z == from.z && to.x > from.x)
}

fn check_polygons<'a>(
    vertices: &[Point3],
    count: usize,
    polygon: impl Fn(usize) -> (&'a [u32], &'a [u32]),
) -> Result<(), Fault> {
    let mut used = vec![false; vertices.len()];
    for p in 0..count {
        let ring = polygon(p).0;
        for (k, &v) in ring.iter().enumerate() {
            let Some(slot) = used.get_mut(v as usize) else {
                let count = vertices.len();
                return fault(format!("corner {k} of polygon {p} is vertex {v}, of {count}"));
            };
            *slot = true;
        }
    }
    for (i, &at) in vertices.iter().enumerate() {
        if [at.x, at.y, at.z].iter().any(|c| c.unsigned_abs() >= LIMIT as u32) {
            return fault(format!("vertex {i} at {at:?} is outside the grid"));
        }
        if !used[i] {
            return fault(format!("vertex {i} at {at:?} is not used"));
        }
    }
    for p in 0..count {
        check_shape(vertices, p, polygon(p).0)?;
    }
    for p in 0..count {
        let (ring, neighbours) = polygon(p);
        for (k, &q) in neighbours.iter().enumerate() {
            if q == NONE {
                continue;
            }
            if q as usize >= count {
                return fault(format!("neighbour {k} of polygon {p} is {q}, of {count}"));
            }
            let at = |ring: &[u32], k: usize| vertices[ring[k % ring.len()] as usize];
            let (from, to) = (at(ring, k), at(ring, k + 1));
            let (other, back) = polygon(q as usize);
            let mirrored = (0..other.len()).any(|j| {
                back[j] == p as u32
                    && at(other, j).flat() == to.flat()
                    && at(other, j + 1).flat() == from.flat()
            });
            if !mirrored || q as usize == p {
                return fault(format!(
                    "the portal of polygon {p} from {from:?} to {to:?} leads to {q}, which has none back"
                ));
            }
        }
    }
    Ok(())
}

/// Convex, counter-clockwise, once round, with area. Corners are known to be in range.
fn check_shape(vertices: &[Point3], p: usize, ring: &[u32]) -> Result<(), Fault> {
    let n = ring.len();
    let at = |k: usize| vertices[ring[k % n] as usize];
    if n < 3 {
        return fault(format!("polygon {p} has {n} corners"));
    }
    let mut turns = 0;
    for k in 0..n {
        let (a, b, c) = (at(k), at(k + 1), at(k + 2));
        if !convex_corner(a.flat(), b.flat(), c.flat()) {
            return fault(format!("polygon {p} is not convex at {b:?}"));
        }
        turns += u32::from(!first_half(a, b) && first_half(b, c));
    }
    if area_doubled(vertices, ring) <= 0 {
        return fault(format!("polygon {p} at {:?} has no area or faces down", at(0)));
    }
    if turns != 1 {
        return fault(format!("polygon {p} at {:?} goes round {turns} times", at(0)));
    }
    Ok(())
}
