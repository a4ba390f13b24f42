//! A navmesh as the crate `polyanya` takes it: the polygons around each vertex in order, with a
//! mark for each gap.

use navbake_format::{NavMesh, PolyId};
use polyanya::{Coords, Layer, Polygon, Vertex};

/// A place of the ground in that mesh. Its y is our -z, so that our polygons run counter-clockwise
/// there too.
#[must_use]
pub fn place(p: [f64; 3]) -> Coords {
    Coords::on_mesh(flat(p))
}

fn flat(p: [f64; 3]) -> glam::Vec2 {
    glam::Vec2::new(p[0] as f32, -p[2] as f32)
}

/// Our polygons for that crate. It knows no storeys, so answers where they overlap mean nothing,
/// but times do. Vertices that meet in a portal at two heights are one vertex. `None`
/// where the crate refuses them.
#[must_use]
pub fn mesh(view: &NavMesh<'_>) -> Option<polyanya::Mesh> {
    let mut same: Vec<u32> = (0..view.vertex_count()).collect();
    for polygon in view.polygons() {
        for k in 0..polygon.len() {
            if let Some((beyond, twin)) = polygon.across(k) {
                let other = view.polygon(beyond);
                join(&mut same, polygon.vertex(k).0, other.vertex(other.next(twin)).0);
                join(&mut same, polygon.vertex(polygon.next(k)).0, other.vertex(twin).0);
            }
        }
    }
    let mut spokes: Vec<Vec<(u32, u32)>> = vec![vec![]; same.len()];
    let mut polygons = vec![];
    for polygon in view.polygons() {
        let corner = |k: u32| root(&same, polygon.vertex(k).0);
        for k in 0..polygon.len() {
            spokes[corner(k) as usize].push((polygon.id().0, k));
        }
        polygons.push(Polygon::new((0..polygon.len()).map(corner).collect(), false));
    }
    let grid = view.grid();
    let vertices = (0u32..).zip(&spokes).map(|(v, spokes)| {
        let at = view.vertex(navbake_format::VertexId(v)).map(f64::from);
        Vertex::new(flat(grid.metres(at)), around(view, spokes))
    });
    let layer = Layer::new(vertices.collect(), polygons).ok()?;
    let mut mesh = polyanya::Mesh { layers: vec![layer], ..Default::default() };
    mesh.bake();
    Some(mesh)
}

fn root(same: &[u32], mut v: u32) -> u32 {
    while same[v as usize] != v {
        v = same[v as usize];
    }
    v
}

fn join(same: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(same, a), root(same, b));
    same[a.max(b) as usize] = a.min(b);
}

/// Polygons around a vertex, counter-clockwise seen from above, each run between two walls followed
/// by a gap.
fn around(view: &NavMesh<'_>, spokes: &[(u32, u32)]) -> Vec<u32> {
    let next = |(p, k): (u32, u32)| {
        let polygon = view.polygon(PolyId(p));
        let (beyond, twin) = polygon.across(polygon.previous(k))?;
        Some((beyond.0, twin))
    };
    // Runs begin with a wall on the right.
    let begins = |&(p, k): &(u32, u32)| view.polygon(PolyId(p)).neighbour(k).is_none();
    let mut starts: Vec<(u32, u32)> = spokes.iter().copied().filter(begins).collect();
    let walls = !starts.is_empty();
    starts.extend(spokes.first().filter(|_| !walls));
    let mut out = vec![];
    for start in starts {
        let mut at = Some(start);
        for _ in 0..spokes.len() {
            let Some(here) = at else { break };
            out.push(here.0);
            at = next(here).filter(|&n| n != start);
        }
        if walls {
            out.push(u32::MAX);
        }
    }
    out
}
