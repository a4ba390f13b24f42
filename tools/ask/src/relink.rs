//! Rebuilds a blob so that reachability is hard to decide.

use navbake_format::write::{
    AgentParts, AreaParts, BlobParts, EncodeError, LinkParts, MeshParts, WeightParts, encode,
};
use navbake_format::{CheckedBlob, LinkKind, NavMesh, PolyId, VertexId};
use navbake_search::around::Random;

/// Ground is cut between squares of this side, in metres.
const SQUARE: f64 = 12.0;
const NO: f64 = f64::INFINITY;

/// The ground of a blob's first mesh: most portals between squares of ground cut, four areas,
/// weights that forbid some of them to one agent or the other, and `links` one-way links, each for
/// one of two agents or for both. Height meshes are left out.
///
/// # Errors
/// When the parts make no blob.
pub fn relink(blob: &CheckedBlob<'_>, links: u32, seed: u64) -> Result<Vec<u8>, EncodeError> {
    let mut random = Random::new(seed);
    let Ok(nav) = blob.decode(0) else {
        return encode(&BlobParts::default());
    };
    let mesh = nav.mesh();
    let vertices: Vec<[i32; 3]> =
        (0..mesh.vertex_count()).map(|v| mesh.vertex(VertexId(v))).collect();
    let count = mesh.polygon_count() as usize;
    let square: Vec<[i32; 2]> = mesh.polygons().map(|p| square(&mesh, p.corner(0))).collect();
    let (mut first_edge, mut corners, mut neighbours) = (vec![0], vec![], vec![]);
    for polygon in mesh.polygons() {
        for k in 0..polygon.len() {
            corners.push(polygon.vertex(k).0);
            let beyond = polygon.neighbour(k).filter(|n| {
                let [a, b] = [polygon.id(), *n].map(|p| square[p.0 as usize]);
                a == b || hash(a) ^ hash(b) < u64::MAX / 10 * 3
            });
            neighbours.push(beyond.map_or(u32::MAX, |n| n.0));
        }
        first_edge.push(corners.len() as u32);
    }
    let islands = islands(&first_edge, &neighbours);
    let areas: Vec<u8> = square.iter().map(|s| (hash([s[0], s[1] ^ 1]) >> 61) as u8 / 2).collect();
    let made: Vec<(u32, u32, u32)> = (0..links)
        .map(|_| {
            let mut polygon = || random.below(count as u64) as u32;
            let (from, to) = (polygon(), polygon());
            // Down rather than up, as drops lead.
            let [a, b] = [from, to].map(|p| mesh.polygon(PolyId(p)).point(0)[1]);
            let agents = 1 + random.below(3) as u32;
            if a < b { (to, from, agents) } else { (from, to, agents) }
        })
        .collect();
    let place = |p: u32| mesh.polygon(PolyId(p)).corner(0);
    let link = |&(from, to, agents): &(u32, u32, u32)| LinkParts {
        from: (from, place(from)),
        to: (to, place(to)),
        cost: 3.0,
        width: 0.0,
        agents,
        switch: None,
        kind: LinkKind::Drop,
        name: "",
    };
    let links: Vec<LinkParts<'_>> = made.iter().map(link).collect();
    let agent =
        |name| AgentParts { name, class: 0, radius: 0.6, height: 2.0, climb: 0.9, slope: 45.0 };
    let area = |name| AreaParts { name, tags: 0, edge_tags: 0, factor: 1.0, switch: None };
    let row = |name, agent, weights| WeightParts { name, agent, weights, slopes: (0.0, 0.0) };
    encode(&BlobParts {
        grid_bits: mesh.grid().bits,
        origin: mesh.grid().origin,
        agents: &["walker", "climber"].map(agent),
        areas: &["ground", "mud", "water", "rock"].map(area),
        weights: &[
            row("", Some(0), &[1.0, 2.0, NO, 1.0]),
            row("", Some(1), &[1.0, 1.0, 1.0, NO]),
            row("haste", None, &[1.0, NO, NO, 1.0]),
        ],
        meshes: &[MeshParts {
            vertices: &vertices,
            first_edge: &first_edge,
            corners: &corners,
            neighbours: &neighbours,
            islands: &islands,
            areas: &areas,
            links: &links,
            ..MeshParts::default()
        }],
        ..BlobParts::default()
    })
}

fn square(mesh: &NavMesh<'_>, p: [i32; 2]) -> [i32; 2] {
    p.map(|c| (f64::from(c) / mesh.grid().units() / SQUARE).floor() as i32)
}

/// Of a square, a number that looks random.
fn hash(s: [i32; 2]) -> u64 {
    Random::new(((s[0] as u32 as u64) << 32) | s[1] as u32 as u64).below(u64::MAX)
}

/// The pieces that are left, numbered.
fn islands(first_edge: &[u32], neighbours: &[u32]) -> Vec<u32> {
    let mut islands = vec![u32::MAX; first_edge.len() - 1];
    for p in 0..islands.len() {
        if islands[p] != u32::MAX {
            continue;
        }
        let mut open = vec![p];
        while let Some(q) = open.pop() {
            if islands[q] == u32::MAX {
                islands[q] = p as u32;
                let edges = first_edge[q] as usize..first_edge[q + 1] as usize;
                let beyond = neighbours[edges].iter().filter(|&&n| n != u32::MAX);
                open.extend(beyond.map(|&n| n as usize));
            }
        }
    }
    islands
}
