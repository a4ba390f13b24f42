//! Patches of triangles: a designer's floor on the same road as layers.
//!
//! [`Patch::of_triangles`] makes a patch whose polygons are the triangles of a floor, and
//! [`crate::join()`] joins it to itself and to others as it joins layers. Joining gives a triangle
//! a straight corner where its partner changes, so [`join_triangles`] cuts such polygons into
//! triangles again:
//!
//! ```text
//!        c                        c
//!       / \                      /|\
//!      /   \       joined:      / | \
//!     a--p--b      a p b c     a--p--b     cut: a p c, p b c
//! ```
//!
//! Triangles are merged to polygons afterwards; a merge of polygons with straight corners would
//! keep them.

use navbake_geom::{Point3, orient};

use crate::fan::{Corners, edges_by_ends, fan};
use crate::join::Draft;
use crate::{JoinSettings, NONE, Patch, PolygonMesh, join};

impl Patch {
    /// A patch of triangles: vertex indices, counter-clockwise seen from above.
    ///
    /// Two triangles that use the same two vertices in opposite order are neighbours. Bit k of an
    /// entry of `open` says whether the edge from corner k to the next may be joined to another
    /// one; edges with a neighbour need no bit. Triangles without an area are left out. Each
    /// triangle begins with its least corner. O(n log n).
    ///
    /// # Panics
    /// When a vertex index is out of range.
    pub fn of_triangles(vertices: Vec<Point3>, triangles: &[[u32; 3]], open: &[u8]) -> Patch {
        let mut mesh = PolygonMesh { vertices, first_edge: vec![0], ..PolygonMesh::default() };
        let mut marks = vec![];
        for (v, bits) in triangles.iter().zip(open) {
            let c = v.map(|i| mesh.vertices[i as usize]);
            if orient(c[0].flat(), c[1].flat(), c[2].flat()) <= 0 {
                continue;
            }
            let least = (0..3).min_by_key(|&k| c[k]).unwrap_or(0);
            for k in [0, 1, 2].map(|k| (k + least) % 3) {
                mesh.corners.push(v[k]);
                marks.push(bits >> k & 1 == 1);
            }
            mesh.first_edge.push(mesh.corners.len() as u32);
        }
        let edges = edges_by_ends(mesh.corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]));
        mesh.neighbours = vec![NONE; mesh.corners.len()];
        for run in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            if let &[(_, _, g), (_, _, h)] = run
                && g & 1 != h & 1
            {
                mesh.neighbours[g as usize / 2] = h / 6;
                mesh.neighbours[h as usize / 2] = g / 6;
            }
        }
        Patch { mesh, open: marks }
    }
}

/// Joins patches of triangles as [`join()`] does, to one mesh of triangles.
///
/// A triangle whose partner changes along an edge becomes a fan of triangles. Vertices and
/// triangles are sorted by coordinates, and each triangle begins with its least vertex. Near
/// linear time.
///
/// # Panics
/// When a polygon of a patch is not a triangle.
pub fn join_triangles(patches: &[Patch], settings: &JoinSettings) -> PolygonMesh {
    let joined = join(patches, settings);
    let mut out: Vec<Corners> = Vec::with_capacity(joined.len());
    let mut links: Vec<[u32; 3]> = Vec::with_capacity(joined.len());
    // For each edge of the joined mesh the edge (3 * triangle + k) that it becomes.
    let mut becomes = vec![NONE; joined.corners.len()];
    let mut areas = vec![];
    for p in 0..joined.len() {
        let edges = joined.edges(p);
        let ring: Vec<Point3> =
            (joined.polygon(p).iter()).map(|&v| joined.vertices[v as usize]).collect();
        let n = ring.len();
        // The triangle's own corners turn; the others are straight.
        let turns = |&k: &usize| {
            let [a, b, c] = [k + n - 1, k, k + 1].map(|k| ring[k % n].flat());
            orient(a, b, c) != 0
        };
        let own: Vec<usize> = (0..n).filter(turns).collect();
        let &[a, b, c] = &own[..] else {
            panic!("polygon {p} has {} corners that turn", own.len());
        };
        let mut rest = ring[1..].to_vec();
        rest.push(ring[0]);
        let sides = [&rest[a..b], &rest[b..c], &rest[c..n]];
        let corners = [a, b, c].map(|k| ring[k]);
        fan(corners, sides, &mut out, &mut links, |k, i, edge| {
            becomes[edges.start + own[k] + i] = edge;
        });
        areas.resize(out.len(), joined.area(p));
    }
    for p in 0..joined.len() {
        for e in joined.edges(p) {
            if let Some(back) = joined.twin(p, e) {
                let (g, h) = (becomes[e] as usize, becomes[back]);
                links[g / 3][g % 3] = h;
            }
        }
    }
    let mut mesh = Draft::default();
    for ((c, link), area) in out.iter().zip(&links).zip(areas) {
        let least = (0..3).min_by_key(|&k| c[k]).unwrap_or(0);
        for k in [0, 1, 2].map(|k| (k + least) % 3) {
            let from = mesh.vertex(c[k]);
            mesh.edge(from, if link[k] == NONE { NONE } else { link[k] / 3 });
        }
        mesh.polygon(NONE, area);
    }
    mesh.finish()
}
