//! Connectivity islands: polygons that can be reached from each other over portals.

use navbake_geom::Point3;
use navbake_mesh::{NONE, PolygonMesh};

use navbake_geom::UnionFind;

/// Islands of a mesh.
///
/// They are numbered by their least vertex (by x, then height, then z); islands that share it by
/// their least polygon.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Islands {
    /// The island of each polygon.
    pub of: Vec<u32>,
    /// Twice the area of each island seen from above, in grid units squared.
    pub area_doubled: Vec<i128>,
    /// The least vertex of each island: a place to report it by.
    pub least: Vec<Point3>,
}

impl Islands {
    /// How many islands there are.
    pub fn len(&self) -> usize {
        self.area_doubled.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.area_doubled.is_empty()
    }
}

/// The islands of a navmesh. Steps connect. Near linear time.
pub fn islands(mesh: &PolygonMesh) -> Islands {
    let count = mesh.len();
    let vertices = &mesh.vertices;
    let polygon = |p: usize| (mesh.polygon(p), &mesh.neighbours[mesh.edges(p)]);
    let area = |p: usize| mesh.polygon_area_doubled(p);
    let mut sets = UnionFind::new(count);
    for p in 0..count {
        for &q in polygon(p).1.iter().filter(|&&q| q != NONE) {
            sets.join(p as u32, q);
        }
    }
    // The least vertex of each set, kept at its least member.
    let mut least: Vec<Option<Point3>> = vec![None; count];
    for p in 0..count {
        let own = polygon(p).0.iter().map(|&v| vertices[v as usize]).min();
        let slot = &mut least[sets.find(p as u32) as usize];
        *slot = (*slot).into_iter().chain(own).min();
    }
    let mut order: Vec<(Point3, u32)> = (0..count as u32)
        .filter(|&p| sets.find(p) == p)
        .map(|p| (least[p as usize].unwrap_or_default(), p))
        .collect();
    order.sort_unstable();
    let mut number = vec![NONE; count];
    for (i, &(_, p)) in order.iter().enumerate() {
        number[p as usize] = i as u32;
    }
    let mut islands = Islands {
        of: Vec::with_capacity(count),
        area_doubled: vec![0; order.len()],
        least: order.into_iter().map(|(p, _)| p).collect(),
    };
    for p in 0..count {
        let island = number[sets.find(p as u32) as usize];
        islands.of.push(island);
        islands.area_doubled[island as usize] += area(p);
    }
    islands
}
