//! One tile, version 7.

use super::bytes::Bytes;
use crate::error::Refused;
use crate::layout::{PORTAL, TILE_HEAD, TILE_MAGIC, TILE_VERSION};
use crate::settings::{Kind, RefWidth};

/// The greatest cell: Detour adds to these numbers.
const FARTHEST: i32 = 1 << 30;

/// The most vertices and polygons that 16 bits number.
const MOST: i32 = 1 << 16;

/// The ground of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile {
    /// Its column along x.
    pub x: i32,
    /// Its row along z.
    pub y: i32,
    /// Its layer in the cell.
    pub layer: i32,
    /// Height, radius and climb of the agent, m.
    pub agent: [f32; 3],
    /// Corners of polygons, y-up metres.
    pub vertices: Vec<[f32; 3]>,
    /// Polygons of ground.
    pub polygons: Vec<Poly>,
    /// Off-mesh connections that begin here.
    pub connections: Vec<Connection>,
}

/// A polygon of ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Poly {
    /// Its corners, numbers of vertices; normal up.
    pub corners: Vec<u16>,
    /// What is beyond each edge: 0 a wall, k + 1 polygon k, 0x8000 and a side the next tile.
    pub neighbours: Vec<u16>,
    /// Its area and flags.
    pub kind: Kind,
    /// Its height triangles, y-up metres.
    pub detail: Vec<[[f32; 3]; 3]>,
}

/// An off-mesh connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    /// Its start and its end, y-up metres.
    pub ends: [[f32; 3]; 2],
    /// How far from the ends ground may be, m.
    pub radius: f32,
    /// Can it be taken back?
    pub both_ways: bool,
    /// The side of the tile beyond which it ends, or 255.
    pub side: u8,
    /// Its area and flags.
    pub kind: Kind,
    /// A number of the user's.
    pub user: u32,
}

impl Tile {
    /// Number of polygons of ground.
    pub(crate) fn ground(&self) -> usize {
        self.polygons.len()
    }
}

/// Where the sections of a tile begin.
struct Sections {
    vertices: usize,
    polygons: usize,
    details: usize,
    detail_vertices: usize,
    detail_triangles: usize,
    nodes: usize,
    connections: usize,
}

/// The counts of a tile, each at least 0.
struct Counts {
    vertices: usize,
    ground: usize,
    detail_vertices: usize,
    detail_triangles: usize,
    nodes: usize,
    connections: usize,
}

/// Reads a tile.
pub(super) fn tile(data: &Bytes<'_>, refs: RefWidth) -> Result<Tile, Refused> {
    if data.u32(0, "magic")? != TILE_MAGIC {
        return Err(data.refuse("magic", "not that of a tile, DNAV"));
    }
    data.within(4, "version", TILE_VERSION..=TILE_VERSION)?;
    let [x, y] =
        [data.within(8, "x", -FARTHEST..=FARTHEST)?, data.within(12, "y", -FARTHEST..=FARTHEST)?];
    let layer = data.i32(16, "layer")?;
    let (counts, sections) = sections(data, refs)?;
    let mut agent = [0.0; 3];
    let fields = ["walkableHeight", "walkableRadius", "walkableClimb"];
    for (k, field) in fields.into_iter().enumerate() {
        agent[k] = data.f32(60 + 4 * k, field)?;
        if agent[k] < 0.0 {
            return Err(data.refuse(field, format!("{} is below 0", agent[k])));
        }
    }
    let [least, greatest] = [data.point(72, "bmin")?, data.point(84, "bmax")?];
    let factor = data.f32(96, "bvQuantFactor")?;
    for k in 0..3 {
        if least[k] > greatest[k] {
            return Err(data.refuse("bmin", format!("{} is above bmax, {}", least[k], greatest[k])));
        }
        let steps = f64::from(greatest[k] - least[k]) * f64::from(factor);
        if counts.nodes > 0 && !(factor > 0.0 && steps <= 65_533.0) {
            let found =
                format!("{factor}: the tile has {steps:.0} steps, and 65533 fit in 16 bits");
            return Err(data.refuse("bvQuantFactor", found));
        }
    }
    nodes(data, &counts, &sections)?;
    let mut vertices = Vec::with_capacity(counts.vertices);
    for k in 0..counts.vertices {
        vertices.push(data.point(sections.vertices + 12 * k, &format!("vertex {k}"))?);
    }
    let mut detail_vertices = Vec::with_capacity(counts.detail_vertices);
    for k in 0..counts.detail_vertices {
        let at = sections.detail_vertices + 12 * k;
        detail_vertices.push(data.point(at, &format!("detail vertex {k}"))?);
    }
    let mut polygons: Vec<Poly> = Vec::with_capacity(counts.ground);
    let mut triangles = 0;
    for k in 0..counts.ground {
        let polygon = polygon(data, k, &counts, &sections, [&vertices, &detail_vertices])?;
        triangles += polygon.detail.len();
        if triangles > counts.detail_triangles {
            // Each triangle is one polygon's, or a small file would need much memory.
            let found = format!("those up to here have {triangles} of {}", counts.detail_triangles);
            return Err(data.refuse(format!("polygon {k}, detail triangles"), found));
        }
        polygons.push(polygon);
    }
    let mut connections = Vec::with_capacity(counts.connections);
    for k in 0..counts.connections {
        connections.push(connection(data, k, &counts, &sections)?);
    }
    Ok(Tile { x, y, layer, agent, vertices, polygons, connections })
}

/// Checks the counts against each other and against the bytes that are there.
fn sections(data: &Bytes<'_>, refs: RefWidth) -> Result<(Counts, Sections), Refused> {
    let count = |at, field, most| data.within(at, field, 0..=most).map(|n| n as usize);
    let polygons = count(24, "polyCount", MOST)?;
    let vertices = count(28, "vertCount", MOST)?;
    let links = data.within(32, "maxLinkCount", 1..=i32::MAX)? as usize;
    let details = count(36, "detailMeshCount", MOST)?;
    let detail_vertices = count(40, "detailVertCount", i32::MAX)?;
    let detail_triangles = count(44, "detailTriCount", i32::MAX)?;
    let nodes = count(48, "bvNodeCount", i32::MAX)?;
    let connections = count(52, "offMeshConCount", MOST)?;
    let ground = count(56, "offMeshBase", MOST)?;
    if ground + connections != polygons {
        let found =
            format!("{ground} and offMeshConCount, {connections}, are not polyCount, {polygons}");
        return Err(data.refuse("offMeshBase", found));
    }
    if details != ground {
        let found = format!("{details}, and there are {ground} polygons of ground");
        return Err(data.refuse("detailMeshCount", found));
    }
    let link = match refs {
        RefWidth::Bits32 => 12,
        RefWidth::Bits64 => 16,
    };
    let sizes = [
        (vertices, 12),
        (polygons, 32),
        (links, link),
        (details, 12),
        (detail_vertices, 12),
        (detail_triangles, 4),
        (nodes, 16),
        (connections, 36),
    ];
    let mut at = [TILE_HEAD as u64; 9];
    for (k, (count, size)) in sizes.into_iter().enumerate() {
        // At most 2^31 records of 36 bytes each: no overflow in 64 bits.
        at[k + 1] = at[k] + count as u64 * size;
    }
    if at[8] != data.all.len() as u64 {
        let found = format!("the counts need {} bytes, and dataSize is {}", at[8], data.all.len());
        return Err(data.refuse("counts", found));
    }
    let at = at.map(|at| at as usize);
    let counts = Counts { vertices, ground, detail_vertices, detail_triangles, nodes, connections };
    let sections = Sections {
        vertices: at[0],
        polygons: at[1],
        details: at[3],
        detail_vertices: at[4],
        detail_triangles: at[5],
        nodes: at[6],
        connections: at[7],
    };
    Ok((counts, sections))
}

/// Checks the tree of boxes. It is not used: polygons are found by their own places.
fn nodes(data: &Bytes<'_>, counts: &Counts, sections: &Sections) -> Result<(), Refused> {
    for k in 0..counts.nodes {
        let field = format!("BV node {k}");
        let index = data.i32(sections.nodes + 16 * k + 12, &field)?;
        let is_sound = match usize::try_from(index) {
            Ok(leaf) => leaf < counts.ground.max(1),
            Err(_) => index.unsigned_abs() as usize <= counts.nodes - k,
        };
        if !is_sound {
            return Err(data.refuse(field, format!("{index} leads out of the tree")));
        }
    }
    Ok(())
}

fn kind(data: &Bytes<'_>, at: usize, form: u8, field: &str) -> Result<Kind, Refused> {
    let byte = data.u8(at + 31, field)?;
    if byte >> 6 != form {
        return Err(data.refuse(field, format!("type {}, and its place is for {form}", byte >> 6)));
    }
    Ok(Kind { area: byte & 63, flags: data.u16(at + 28, field)? })
}

fn polygon(
    data: &Bytes<'_>,
    number: usize,
    counts: &Counts,
    sections: &Sections,
    [vertices, detail_vertices]: [&[[f32; 3]]; 2],
) -> Result<Poly, Refused> {
    let field = |what: &str| format!("polygon {number}{what}");
    let at = sections.polygons + 32 * number;
    let kind = kind(data, at, 0, &field(""))?;
    let n = usize::from(data.u8(at + 30, &field(""))?);
    if !(3..=6).contains(&n) {
        return Err(
            data.refuse(field(", vertCount"), format!("{n} corners, and 3 to 6 are possible"))
        );
    }
    let mut polygon = Poly { corners: vec![], neighbours: vec![], kind, detail: vec![] };
    for k in 0..n {
        let vertex = data.u16(at + 4 + 2 * k, &field(""))?;
        if usize::from(vertex) >= counts.vertices {
            let found = format!("{vertex}, and there are {} vertices", counts.vertices);
            return Err(data.refuse(field(&format!(", corner {k}")), found));
        }
        polygon.corners.push(vertex);
        let neighbour = data.u16(at + 16 + 2 * k, &field(""))?;
        let is_sound = match neighbour & PORTAL {
            0 => usize::from(neighbour) <= counts.ground,
            _ => [0, 2, 4, 6].contains(&(neighbour & !PORTAL)),
        };
        if !is_sound {
            let found = format!("{neighbour:#x}, and there are {} polygons", counts.ground);
            return Err(data.refuse(field(&format!(", neighbour {k}")), found));
        }
        polygon.neighbours.push(neighbour);
    }
    let at = sections.details + 12 * number;
    let [base, first] = [data.u32(at, &field(""))?, data.u32(at + 4, &field(""))?].map(u64::from);
    let [own, triangles] =
        [data.u8(at + 8, &field(""))?, data.u8(at + 9, &field(""))?].map(u64::from);
    if base + own > counts.detail_vertices as u64 {
        let found = format!("{base} to {}, and there are {}", base + own, counts.detail_vertices);
        return Err(data.refuse(field(", detail vertices"), found));
    }
    if triangles == 0 || first + triangles > counts.detail_triangles as u64 {
        let found =
            format!("{first} to {}, and there are {}", first + triangles, counts.detail_triangles);
        return Err(data.refuse(field(", detail triangles"), found));
    }
    let mut has_border = false;
    for t in 0..triangles {
        let at = sections.detail_triangles + 4 * (first + t) as usize;
        let mut corners = [[0.0; 3]; 3];
        for (k, corner) in corners.iter_mut().enumerate() {
            let local = usize::from(data.u8(at + k, &field(""))?);
            *corner = match polygon.corners.get(local) {
                Some(&vertex) => vertices[usize::from(vertex)],
                None if local - n < own as usize => detail_vertices[base as usize + local - n],
                None => {
                    let found = format!("corner {local}, and there are {}", n + own as usize);
                    return Err(data.refuse(field(&format!(", detail triangle {t}")), found));
                }
            };
        }
        has_border |= data.u8(at + 3, &field(""))? & 0b1_0101 != 0;
        polygon.detail.push(corners);
    }
    if !has_border {
        return Err(data.refuse(field(", detail triangles"), "none has an edge on the outline"));
    }
    Ok(polygon)
}

fn connection(
    data: &Bytes<'_>,
    number: usize,
    counts: &Counts,
    sections: &Sections,
) -> Result<Connection, Refused> {
    let field = format!("off-mesh connection {number}");
    let at = sections.polygons + 32 * (counts.ground + number);
    let kind = kind(data, at, 1, &field)?;
    if data.u8(at + 30, &field)? != 2 {
        return Err(data.refuse(field, "its polygon has not 2 corners"));
    }
    for k in 0..2 {
        let vertex = data.u16(at + 4 + 2 * k, &field)?;
        if usize::from(vertex) >= counts.vertices {
            let found = format!("vertex {vertex}, and there are {}", counts.vertices);
            return Err(data.refuse(field, found));
        }
    }
    let at = sections.connections + 36 * number;
    let ends = [data.point(at, &field)?, data.point(at + 12, &field)?];
    let radius = data.f32(at + 24, &field)?;
    if radius < 0.0 {
        return Err(data.refuse(field, format!("the radius {radius} is below 0")));
    }
    let polygon = usize::from(data.u16(at + 28, &field)?);
    if polygon != counts.ground + number {
        let found = format!("polygon {polygon}, and its own is {}", counts.ground + number);
        return Err(data.refuse(field, found));
    }
    let both_ways = data.u8(at + 30, &field)? & 1 != 0;
    let side = data.u8(at + 31, &field)?;
    if side > 7 && side != u8::MAX {
        return Err(data.refuse(field, format!("side {side}, and 0 to 7 and 255 are possible")));
    }
    let user = data.u32(at + 32, &field)?;
    Ok(Connection { ends, radius, both_ways, side, kind, user })
}
