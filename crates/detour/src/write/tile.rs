//! The bytes of one tile, version 7.

use std::collections::BTreeMap;

use super::bv::{self, Node};
use super::half_edges::{HalfEdges, NONE};
use super::pieces::Piece;
use crate::layout::{Head, PORTAL, TILE_MAGIC, TILE_VERSION};
use crate::{Kind, RefWidth, Settings};

/// A connection that is stored in a tile.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    /// Its start and its end, y-up metres.
    pub(crate) ends: [[f64; 3]; 2],
    pub(crate) both_ways: bool,
    /// The neighbour tile that it ends in, 0 to 7 from x+ over z+, or 255 for its own.
    pub(crate) side: u8,
    pub(crate) kind: Kind,
    /// The number of the link in the navmesh.
    pub(crate) number: u32,
}

/// What a tile is made of.
pub(crate) struct TileParts<'a> {
    pub(crate) edges: &'a HalfEdges<'a>,
    pub(crate) pieces: &'a [Piece],
    /// For each face its number among the pieces of its tile.
    pub(crate) numbers: &'a [u32],
    /// The tile of each face.
    pub(crate) tiles: &'a [[u32; 2]],
    /// The kind of ground of each polygon of the navmesh.
    pub(crate) kinds: &'a [Kind],
    pub(crate) connections: &'a [Connection],
    /// Connections of other tiles that end here.
    pub(crate) landing: usize,
    pub(crate) settings: &'a Settings,
}

/// The corners of a polygon, and what is beyond its edges.
type Corners = (Vec<u16>, Vec<u16>);

/// The corners and polygons of a tile.
#[derive(Debug, Default)]
struct Ground {
    vertices: Vec<[f32; 3]>,
    polygons: Vec<Corners>,
    links: usize,
}

/// How a tile's counts compare with what 16 bits hold.
pub(crate) fn too_large(parts: &TileParts<'_>) -> bool {
    let corners = ground_vertices(parts).len();
    let vertices = corners + 1 + 2 * parts.connections.len();
    vertices > usize::from(u16::MAX)
        || parts.pieces.len() > usize::from(PORTAL) - 2
        || parts.pieces.len() + parts.connections.len() > usize::from(u16::MAX)
}

/// Numbers of the vertices that the pieces of a tile use, by their place, and step by step.
fn ground_vertices(parts: &TileParts<'_>) -> BTreeMap<u32, u16> {
    let used = parts.pieces.iter().flat_map(|p| parts.edges.border(p.face));
    let mut all: Vec<u32> = used.map(|h| parts.edges.half(h).origin).collect();
    all.sort_unstable();
    all.dedup();
    (0..).map(|n: u32| n as u16).zip(all).map(|(number, v)| (v, number)).collect()
}

fn ground(parts: &TileParts<'_>) -> Ground {
    let numbers = ground_vertices(parts);
    let edges = parts.edges;
    let mut out = Ground {
        vertices: numbers.keys().map(|&v| single(edges.vertices[v as usize])).collect(),
        ..Ground::default()
    };
    for piece in parts.pieces {
        let border = edges.border(piece.face);
        let beyond = |h: u32| {
            let twin = edges.half(h).twin;
            if twin == NONE {
                return (0, 0);
            }
            let face = edges.half(twin).face;
            let [there, here] = [parts.tiles[face as usize], piece.tile];
            match side([0, 1].map(|k| i64::from(there[k]) - i64::from(here[k]))) {
                None => (parts.numbers[face as usize] as u16 + 1, 1),
                Some(side) => (PORTAL | u16::from(side), 4),
            }
        };
        let corners = border.iter().map(|&h| numbers[&edges.half(h).origin]).collect();
        let (neighbours, links): (Vec<u16>, Vec<usize>) = border.iter().map(|&h| beyond(h)).unzip();
        out.links += links.iter().sum::<usize>();
        out.polygons.push((corners, neighbours));
    }
    out
}

/// The side of a tile that another one is beyond: 0 is x+, 2 is z+, 4 is x-, 6 is z-; corners are
/// between. None for the tile itself.
pub(crate) fn side([x, z]: [i64; 2]) -> Option<u8> {
    Some(match (x.signum(), z.signum()) {
        (0, 0) => return None,
        (1, 0) => 0,
        (1, 1) => 1,
        (0, 1) => 2,
        (-1, 1) => 3,
        (-1, 0) => 4,
        (-1, -1) => 5,
        (0, -1) => 6,
        _ => 7,
    })
}

pub(crate) fn single(p: [f64; 3]) -> [f32; 3] {
    p.map(|c| c as f32)
}

/// The tile as bytes.
pub(crate) fn bytes(parts: &TileParts<'_>, [x, y]: [u32; 2]) -> Vec<u8> {
    let Ground { mut vertices, polygons, links } = ground(parts);
    let settings = parts.settings;
    // An odd number of vertices keeps the links of 64-bit references on whole words.
    if settings.refs == RefWidth::Bits64 && vertices.len() % 2 == 0 {
        vertices.push(vertices[0]);
    }
    let base = vertices.len();
    for connection in parts.connections {
        vertices.extend(connection.ends.map(single));
    }
    let points = || parts.pieces.iter().flat_map(|p| &p.detail.points).map(|&p| single(p));
    let ground_only = vertices[..base].iter().copied();
    let [least, greatest] = ground_only
        .chain(points())
        .fold([[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]], |[lo, hi], p| {
            [[0, 1, 2].map(|k| lo[k].min(p[k])), [0, 1, 2].map(|k| hi[k].max(p[k]))]
        });
    let longest = (0..3).map(|k| greatest[k] - least[k]).fold(1.0, f32::max);
    let factor = (60_000.0 / f64::from(longest)) as f32;
    let nodes = bv::tree(leaves(parts.pieces, &polygons, &vertices, least, factor));

    let triangles: usize = parts.pieces.iter().map(|p| p.detail.triangles.len()).sum();
    let head = Head {
        x: x as i32,
        y: y as i32,
        layer: 0,
        user: 0,
        polygons: (polygons.len() + parts.connections.len()) as i32,
        vertices: vertices.len() as i32,
        links: (links + 4 * parts.connections.len() + parts.landing).max(1) as i32,
        detail_meshes: polygons.len() as i32,
        detail_vertices: points().count() as i32,
        detail_triangles: triangles as i32,
        nodes: nodes.len() as i32,
        connections: parts.connections.len() as i32,
        ground: polygons.len() as i32,
        agent: [settings.height, settings.radius, settings.climb].map(|v| v as f32),
        least,
        greatest,
        factor,
    };
    let mut out = vec![];
    out.extend(TILE_MAGIC.to_le_bytes());
    out.extend(TILE_VERSION.to_le_bytes());
    head.write(&mut out);
    floats(&mut out, vertices.as_flattened());
    for (piece, (corners, neighbours)) in parts.pieces.iter().zip(&polygons) {
        let kind = parts.kinds[parts.edges.faces[piece.face as usize].source as usize];
        poly(&mut out, corners, neighbours, kind, 0);
    }
    for (k, connection) in parts.connections.iter().enumerate() {
        let first = (base + 2 * k) as u16;
        poly(&mut out, &[first, first + 1], &[], connection.kind, 1);
    }
    let link = match settings.refs {
        RefWidth::Bits32 => 12,
        RefWidth::Bits64 => 16,
    };
    out.resize(out.len() + link * head.links as usize, 0);
    let (mut vertex, mut triangle) = (0u32, 0u32);
    for piece in parts.pieces {
        let [v, t] = [piece.detail.points.len(), piece.detail.triangles.len()];
        out.extend([vertex, triangle].map(u32::to_le_bytes).as_flattened());
        out.extend([v as u8, t as u8, 0, 0]);
        vertex += v as u32;
        triangle += t as u32;
    }
    for p in points() {
        floats(&mut out, &p);
    }
    for (corners, flags) in parts.pieces.iter().flat_map(|p| &p.detail.triangles) {
        out.extend(corners.map(|c| c as u8));
        out.push(*flags);
    }
    for node in nodes {
        out.extend(node.least.map(u16::to_le_bytes).as_flattened());
        out.extend(node.greatest.map(u16::to_le_bytes).as_flattened());
        out.extend(node.index.to_le_bytes());
    }
    for (k, connection) in parts.connections.iter().enumerate() {
        floats(&mut out, connection.ends.map(single).as_flattened());
        floats(&mut out, &[settings.link_radius() as f32]);
        out.extend(((polygons.len() + k) as u16).to_le_bytes());
        out.extend([u8::from(connection.both_ways), connection.side]);
        out.extend(connection.number.to_le_bytes());
    }
    out
}

fn floats(out: &mut Vec<u8>, values: &[f32]) {
    out.extend(values.iter().flat_map(|v| v.to_le_bytes()));
}

fn poly(out: &mut Vec<u8>, corners: &[u16], neighbours: &[u16], kind: Kind, form: u8) {
    out.extend([0; 4]);
    for list in [corners, neighbours] {
        for k in 0..6 {
            out.extend(list.get(k).copied().unwrap_or(0).to_le_bytes());
        }
    }
    out.extend(kind.flags.to_le_bytes());
    out.extend([corners.len() as u8, kind.area & 63 | form << 6]);
}

/// The box of each piece in steps.
fn leaves(
    pieces: &[Piece],
    polygons: &[Corners],
    vertices: &[[f32; 3]],
    least: [f32; 3],
    factor: f32,
) -> Vec<Node> {
    let leaf = |(n, (piece, (corners, _))): (usize, (&Piece, &Corners))| {
        let corners = corners.iter().map(|&v| vertices[usize::from(v)]);
        let all = corners.chain(piece.detail.points.iter().map(|&p| single(p)));
        let steps = all.map(|p| {
            [0, 1, 2].map(|k| {
                let steps = (p[k] - least[k]) * factor;
                f64::from(steps).clamp(0.0, bv::MOST_STEPS) as u16
            })
        });
        let mut node = Node { least: [u16::MAX; 3], greatest: [0; 3], index: n as i32 };
        for step in steps {
            node.least = [0, 1, 2].map(|k| node.least[k].min(step[k]));
            node.greatest = [0, 1, 2].map(|k| node.greatest[k].max(step[k]));
        }
        node
    };
    pieces.iter().zip(polygons).enumerate().map(leaf).collect()
}
