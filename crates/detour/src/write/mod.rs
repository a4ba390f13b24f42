//! A navmesh as an `MSET` file.

mod bv;
mod detail;
mod half_edges;
mod pieces;
mod tile;

use std::collections::BTreeMap;

use navbake_draw::Surface;
use navbake_format::NavMesh;

use crate::error::ExportError;
use crate::layout::{self, FILE_VERSION, MSET};
use crate::{Kind, RefWidth, Settings};
use half_edges::{HalfEdges, NONE};
use pieces::{Piece, Tiling};
use tile::{Connection, TileParts};

/// Farther from zero than this, m, single precision does not distinguish neighbouring grid units.
const FARTHEST: f64 = 32_768.0;

/// The largest size of an agent that readers take, m.
const LARGEST: f64 = 1e7;

/// What was written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// Number of tiles.
    pub tiles: u32,
    /// The side of a tile, m.
    pub tile_size: f64,
    /// Number of polygons of ground.
    pub polygons: u32,
    /// Number of off-mesh connections; one for two opposite links.
    pub connections: u32,
    /// Links that Detour could not follow.
    pub left_out: Vec<LeftOut>,
}

/// A link that is not in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// Its number in the navmesh.
    pub number: u32,
    /// Its name, perhaps empty.
    pub name: String,
    /// Where it begins, y-up metres.
    pub from: [f64; 3],
    /// How many tiles it crosses, the greater of x and z; 1 is the most.
    pub tiles: u32,
}

/// Writes a navmesh as an `MSET` file, version 1.
///
/// Polygons are cut to at most six corners, and along the borders of tiles. Without a
/// [`Settings::tile_size`] there is one tile when all counts fit in its 16 bits, or else the
/// largest of 1024, 512 .. 16 m.
///
/// # Errors
/// When the navmesh is empty, too far from zero for single precision, or does not fit in the
/// numbers of the file, and for sizes of the agent that do not.
///
/// ```
/// use navbake_detour::{Settings, write};
///
/// # let mesh = navbake_testkit::level_mesh();
/// let file = write(&mesh, &Settings::new(&mesh, 0))?;
/// assert_eq!(&file.bytes[..4], b"TESM");
/// # Ok::<(), navbake_detour::ExportError>(())
/// ```
pub fn write(mesh: &NavMesh<'_>, settings: &Settings) -> Result<Written, ExportError> {
    if mesh.polygon_count() == 0 {
        return Err(ExportError::Empty);
    }
    let surface = Surface::new(mesh);
    let [least, greatest] = bounds(&surface);
    if let Some(far) = least.into_iter().chain(greatest).find(|c| c.abs() > FARTHEST) {
        return Err(ExportError::TooFar(far));
    }
    let sizes = [settings.radius, settings.height, settings.climb];
    if let Some(size) = sizes.into_iter().find(|size| !(0.0..=LARGEST).contains(size)) {
        return Err(ExportError::AgentSize(size));
    }
    let extent = [0, 2].map(|k| greatest[k].floor() + 1.0 - least[k].floor());
    let origin = [0, 2].map(|k| least[k].floor());
    let tiling = |size: [f64; 2]| Tiling {
        origin,
        size,
        count: [0, 1].map(|k| (extent[k] / size[k]).ceil().max(1.0) as u32),
    };
    if let Some(size) = settings.tile_size {
        return write_tiles(mesh, &surface, settings, &tiling([size; 2]));
    }
    let mut result = write_tiles(mesh, &surface, settings, &tiling(extent));
    let mut size = 1024.0;
    while size >= 16.0 && matches!(result, Err(ExportError::TileTooLarge { .. })) {
        if size < extent[0].max(extent[1]) {
            result = write_tiles(mesh, &surface, settings, &tiling([size; 2]));
        }
        size /= 2.0;
    }
    result
}

fn bounds(surface: &Surface) -> [[f64; 3]; 2] {
    surface
        .vertices
        .iter()
        .chain(&surface.points)
        .fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[lo, hi], p| {
            [[0, 1, 2].map(|k| lo[k].min(p[k])), [0, 1, 2].map(|k| hi[k].max(p[k]))]
        })
}

fn write_tiles(
    mesh: &NavMesh<'_>,
    surface: &Surface,
    settings: &Settings,
    tiling: &Tiling,
) -> Result<Written, ExportError> {
    let mut edges = HalfEdges::new(mesh, surface);
    let pieces = pieces::cut(&mut edges, surface, tiling, settings.piece_size);
    let mut tiles = vec![[0; 2]; edges.faces.len()];
    let mut numbers = vec![NONE; edges.faces.len()];
    let mut groups: Vec<&[Piece]> = vec![];
    for group in pieces.chunk_by(|a, b| a.tile == b.tile) {
        for (number, piece) in (0..).zip(group) {
            tiles[piece.face as usize] = piece.tile;
            numbers[piece.face as usize] = number;
        }
        groups.push(group);
    }
    let kinds: Vec<Kind> = (0..mesh.polygon_count())
        .map(|p| settings.kind(mesh.area(navbake_format::PolyId(p)).0))
        .collect();
    let (connections, left_out) = connections(mesh, settings, tiling);

    let mut out = Written { left_out, polygons: pieces.len() as u32, ..Written::default() };
    let mut data = vec![];
    let mut most = 1;
    for group in groups {
        let at = group[0].tile;
        let (own, landing) = connections.get(&at).map_or((&[][..], 0), |(c, n)| (c, *n));
        let parts = TileParts {
            edges: &edges,
            pieces: group,
            numbers: &numbers,
            tiles: &tiles,
            kinds: &kinds,
            connections: own,
            landing,
            settings,
        };
        if tile::too_large(&parts) {
            let [x, z] = at;
            return Err(ExportError::TileTooLarge { x, z, polygons: group.len() });
        }
        most = most.max(group.len() + own.len());
        out.connections += own.len() as u32;
        data.push(tile::bytes(&parts, at));
    }
    let count = data.len() as u32;
    let [tile_bits, poly_bits] = [count, most as u32].map(layout::bits);
    if settings.refs == RefWidth::Bits32 && tile_bits + poly_bits > layout::INDEX_BITS {
        return Err(ExportError::References { tiles: count, polygons: most as u32 });
    }
    let mut bytes = vec![];
    bytes.extend(MSET.to_le_bytes());
    bytes.extend([FILE_VERSION, count as i32].map(i32::to_le_bytes).as_flattened());
    let origin = [tiling.origin[0], bounds(surface)[0][1].floor(), tiling.origin[1]];
    for value in origin.into_iter().chain(tiling.size) {
        bytes.extend((value as f32).to_le_bytes());
    }
    bytes.extend([count as i32, most as i32].map(i32::to_le_bytes).as_flattened());
    for (n, tile) in (0..).zip(&data) {
        // The first of the counters, and polygon 0.
        match settings.refs {
            RefWidth::Bits32 => {
                let reference: u32 = (1 << (tile_bits + poly_bits)) | (n << poly_bits);
                bytes.extend(reference.to_le_bytes());
                bytes.extend((tile.len() as i32).to_le_bytes());
            }
            RefWidth::Bits64 => {
                let reference: u64 = (1 << 48) | (u64::from(n) << 20);
                bytes.extend(reference.to_le_bytes());
                bytes.extend((tile.len() as i32).to_le_bytes());
                bytes.extend([0; 4]);
            }
        }
        bytes.extend(tile);
    }
    Ok(Written { bytes, tiles: count, tile_size: tiling.size[0].max(tiling.size[1]), ..out })
}

/// The connections of each tile, and how many of other tiles end there.
type Connections = BTreeMap<[u32; 2], (Vec<Connection>, usize)>;

/// The links that the agent may take, by the tile in which they begin; and those that are too long.
///
/// Two opposite links become one connection.
fn connections(
    mesh: &NavMesh<'_>,
    settings: &Settings,
    tiling: &Tiling,
) -> (Connections, Vec<LeftOut>) {
    let mut by_tile = Connections::new();
    let mut left_out = vec![];
    let numbers = 0..mesh.link_count();
    let all: Vec<_> = numbers
        .filter_map(|n| Some((n, mesh.link(n)?)))
        .filter(|(_, link)| link.agents & settings.agent_bit != 0)
        .collect();
    let mut opposite = BTreeMap::new();
    for (n, link) in &all {
        opposite.insert((link.from, link.to, link.polygon, link.beyond, link.kind as u8), *n);
    }
    for (n, link) in &all {
        let back = (link.to, link.from, link.beyond, link.polygon, link.kind as u8);
        let back = opposite.get(&back).copied();
        if back.is_some_and(|back| back < *n) {
            continue;
        }
        let end = |polygon, at: [i32; 2]| {
            let [x, z] = at.map(f64::from);
            mesh.grid().metres([x, mesh.polygon(polygon).height([x, z]), z])
        };
        let ends = [end(link.polygon, link.from), end(link.beyond, link.to)];
        let [from, to] = ends.map(|end| tiling.tile(end));
        let away = [0, 1].map(|k| i64::from(to[k]) - i64::from(from[k]));
        let tiles = away.map(i64::unsigned_abs).into_iter().max().unwrap_or(0) as u32;
        if tiles > 1 {
            left_out.push(LeftOut { number: *n, name: link.name.into(), from: ends[0], tiles });
            continue;
        }
        by_tile.entry(from).or_default().0.push(Connection {
            ends,
            both_ways: back.is_some(),
            side: tile::side(away).unwrap_or(u8::MAX),
            kind: settings.links,
            number: *n,
        });
        by_tile.entry(to).or_default().1 += 1;
    }
    (by_tile, left_out)
}
