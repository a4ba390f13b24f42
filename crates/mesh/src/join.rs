//! Joins patches to one mesh.

use navbake_geom::Point3;

use crate::open_edges::{OpenEdge, pair_up};
use crate::{HeightMesh, NONE, Patch, PolygonMesh};

/// How patches are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinSettings {
    /// The greatest step between joined edges, in grid units.
    ///
    /// Open edges are joined when their heights differ by at most this at both ends of their
    /// overlap.
    pub climb: i32,
}

/// Joins patches to one mesh: open edges on the same line seen from above, in opposite directions,
/// are portals where they overlap and their heights at both ends of the overlap differ by at most
/// `climb`; of several candidates the nearest in height. An edge gets a corner where its partner
/// changes.
///
/// Vertices at one place are one vertex. Vertices and polygons come sorted by coordinates, so that
/// the order of the patches does not matter. Near linear time.
pub fn join(patches: &[Patch], settings: &JoinSettings) -> PolygonMesh {
    let patches = in_order(patches);
    let total: usize = patches.iter().map(|p| p.mesh.corners.len()).sum();
    // Edges of all patches one after the other; polygons likewise.
    let mut open: Vec<OpenEdge> = vec![];
    let mut base = 0u32;
    for patch in &patches {
        let mesh = &patch.mesh;
        for p in 0..mesh.len() {
            let edges = mesh.edges(p);
            let at = |k: usize| {
                let k = edges.start + k % edges.len();
                mesh.vertices[mesh.corners[k] as usize]
            };
            for k in 0..edges.len() {
                let e = edges.start + k;
                if patch.open[e] && mesh.neighbours[e] == NONE {
                    open.push(OpenEdge::new(at(k), at(k + 1), at(k + 2), base + e as u32));
                }
            }
        }
        base += mesh.corners.len() as u32;
    }
    let parts = pair_up(&open, settings.climb);
    let mut open_at = vec![NONE; total];
    for (i, edge) in open.iter().enumerate() {
        open_at[edge.half_edge as usize] = i as u32;
    }
    let mut owner = vec![NONE; total];

    // Polygons with their new corners; neighbours within patches, partners as the half-edge they
    // are part of.
    let mut mesh = Draft::default();
    for patch in &patches {
        mesh.vertices.extend(&patch.mesh.vertices);
    }
    let (mut base_edge, mut base_polygon) = (0u32, 0u32);
    for patch in &patches {
        for p in 0..patch.mesh.len() {
            for e in patch.mesh.edges(p) {
                owner[base_edge as usize + e] = base_polygon + p as u32;
            }
        }
        base_edge += patch.mesh.corners.len() as u32;
        base_polygon += patch.mesh.len() as u32;
    }
    (base_edge, base_polygon) = (0, 0);
    let mut base_vertex = 0u32;
    let mut base_height_mesh = 0u32;
    for patch in &patches {
        let inner = &patch.mesh;
        for p in 0..inner.len() {
            for e in inner.edges(p) {
                let global = base_edge as usize + e;
                let beyond = match inner.neighbours[e] {
                    NONE => NONE,
                    n => n + base_polygon,
                };
                let i = open_at[global];
                let corner = base_vertex + inner.corners[e];
                if i == NONE || parts[i as usize].is_empty() {
                    mesh.edge(corner, beyond);
                    continue;
                }
                let (edge, parts) = (&open[i as usize], &parts[i as usize]);
                let partner = |k: usize| match parts[k].partner {
                    NONE => NONE,
                    other => owner[open[other as usize].half_edge as usize],
                };
                let n = parts.len();
                for k in 0..n {
                    let part = if edge.forward { k } else { n - 1 - k };
                    let from = if k == 0 {
                        corner
                    } else if edge.forward {
                        mesh.vertex(edge.cut(&open, parts[part - 1], parts[part]))
                    } else {
                        mesh.vertex(edge.cut(&open, parts[part], parts[part + 1]))
                    };
                    mesh.edge(from, partner(part));
                }
            }
            mesh.polygon(
                inner.height_mesh_of.get(p).map_or(NONE, |&r| r.saturating_add(base_height_mesh)),
                inner.area(p),
            );
        }
        base_edge += inner.corners.len() as u32;
        base_polygon += inner.len() as u32;
        base_vertex += inner.vertices.len() as u32;
        base_height_mesh += inner.height_meshes.len() as u32;
        mesh.height_meshes.extend_from_slice(&inner.height_meshes);
    }
    mesh.finish()
}

/// The patches in an order that depends on their polygons alone.
///
/// Two patches may hold the same polygon: which of them gets a partner that both could have must
/// not depend on their order in the list.
fn in_order(patches: &[Patch]) -> Vec<&Patch> {
    /// A polygon from its least corner on: where its edges begin, whether they are open, whether
    /// they have a neighbour; its height mesh and its area.
    type PolygonKey<'a> = (Vec<(Point3, bool, bool)>, Option<&'a HeightMesh>, u8);
    fn polygon_key(patch: &Patch, p: usize) -> PolygonKey<'_> {
        let mesh = &patch.mesh;
        let edge = |e: usize| {
            let from = mesh.vertices[mesh.corners[e] as usize];
            (from, patch.open[e], mesh.neighbours[e] != NONE)
        };
        let mut ring: Vec<_> = mesh.edges(p).map(edge).collect();
        let least = (0..ring.len()).min_by_key(|&k| ring[k]).unwrap_or(0);
        ring.rotate_left(least);
        (ring, mesh.height_mesh(p), mesh.area(p))
    }
    fn all(patch: &Patch) -> Vec<PolygonKey<'_>> {
        let mut all: Vec<PolygonKey> =
            (0..patch.mesh.len()).map(|p| polygon_key(patch, p)).collect();
        all.sort_unstable();
        all
    }
    // Few patches have their least vertex in common; not all of a patch's vertices need be sorted,
    // or used.
    let mut order: Vec<_> = patches.iter().map(|p| (p.mesh.vertices.iter().min(), p)).collect();
    order.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| all(a.1).cmp(&all(b.1))));
    order.into_iter().map(|(_, patch)| patch).collect()
}

/// Polygons whose vertices are not one for each place yet.
#[derive(Default)]
pub(crate) struct Draft {
    vertices: Vec<Point3>,
    corners: Vec<u32>,
    beyond: Vec<u32>,
    /// Where each polygon ends in the two above.
    ends: Vec<u32>,
    /// The height mesh of each polygon, or [`NONE`].
    height_mesh_of: Vec<u32>,
    height_meshes: Vec<HeightMesh>,
    areas: Vec<u8>,
}

impl Draft {
    pub(crate) fn vertex(&mut self, at: Point3) -> u32 {
        self.vertices.push(at);
        self.vertices.len() as u32 - 1
    }

    pub(crate) fn edge(&mut self, from: u32, beyond: u32) {
        self.corners.push(from);
        self.beyond.push(beyond);
    }

    pub(crate) fn polygon(&mut self, height_mesh: u32, area: u8) {
        self.areas.push(area);
        self.height_mesh_of.push(height_mesh);
        self.ends.push(self.corners.len() as u32);
    }

    /// Sorts vertices and polygons.
    pub(crate) fn finish(self) -> PolygonMesh {
        let mut used = vec![false; self.vertices.len()];
        for &v in &self.corners {
            used[v as usize] = true;
        }
        // Place and number as one.
        let mut places: Vec<u128> = (self.vertices.iter().zip(0u32..).zip(used))
            .filter(|&(_, used)| used)
            .map(|((at, v), _)| at.rank() << 32 | u128::from(v))
            .collect();
        places.sort_unstable();
        let mut vertices: Vec<Point3> = Vec::with_capacity(places.len());
        let mut number = vec![NONE; self.vertices.len()];
        for v in places.into_iter().map(|place| place as u32) {
            let at = self.vertices[v as usize];
            if vertices.last() != Some(&at) {
                vertices.push(at);
            }
            number[v as usize] = vertices.len() as u32 - 1;
        }
        let corners: Vec<u32> = self.corners.iter().map(|&v| number[v as usize]).collect();
        let range = |p: usize| {
            let from = p.checked_sub(1).map_or(0, |q| self.ends[q]);
            from as usize..self.ends[p] as usize
        };
        // Polygons are sorted as if each began with its least vertex. They keep their first corner,
        // the apex of their height fan.
        let turn: Vec<u32> = (0..self.ends.len())
            .map(|p| {
                let own = &corners[range(p)];
                (0..own.len()).min_by_key(|&k| own[k]).unwrap_or(0) as u32
            })
            .collect();
        let (corners, turn, range) = (&corners, &turn, &range);
        let ring = move |p: usize| {
            let edges = range(p);
            let n = edges.len();
            (0..n).map(move |k| edges.start + (k + turn[p] as usize) % n)
        };
        let key = move |p: usize| ring(p).map(move |e| corners[e]);
        // Most differ in their first two corners.
        let two = |p: usize| key(p).take(2).fold(0, |all, v| all << 32 | u64::from(v));
        let mut order: Vec<(u64, u32)> =
            (0u32..).zip(0..self.ends.len()).map(|(number, p)| (two(p), number)).collect();
        order.sort_unstable_by(|a, b| {
            let rest = || key(a.1 as usize).cmp(key(b.1 as usize));
            a.0.cmp(&b.0).then_with(rest).then_with(|| a.1.cmp(&b.1))
        });
        let order: Vec<u32> = order.into_iter().map(|entry| entry.1).collect();
        let mut number = vec![NONE; order.len()];
        for (new, &old) in order.iter().enumerate() {
            number[old as usize] = new as u32;
        }
        let mut mesh = PolygonMesh { vertices, first_edge: vec![0], ..PolygonMesh::default() };
        for &p in &order {
            for e in range(p as usize) {
                mesh.corners.push(corners[e]);
                mesh.neighbours.push(match self.beyond[e] {
                    NONE => NONE,
                    n => number[n as usize],
                });
            }
            mesh.first_edge.push(mesh.corners.len() as u32);
        }
        let of: Vec<u32> = (order.iter()).map(|&p| self.height_mesh_of[p as usize]).collect();
        mesh.set_height_meshes(&of, &self.height_meshes);
        mesh.set_areas(order.iter().map(|&p| self.areas[p as usize]).collect());
        mesh
    }
}
