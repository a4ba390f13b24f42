//! The polygons of all tiles, joined as Detour joins them.

use std::collections::{BTreeMap, BTreeSet};

use super::TileSet;
use super::tile::{Connection, Tile};
use crate::layout::PORTAL;
use crate::settings::Kind;

/// No portal at an edge: a wall.
pub const WALL: u32 = u32::MAX;

/// Borders of tiles this near to each other, along the axis across them, are one, m.
const APART: f64 = 0.01;

/// Edges along a border that overlap by less than this are not joined, m.
const OVERLAP: f64 = 0.02;

/// An edge with more than this many candidates beyond looks at no others.
const CANDIDATES: usize = 256;

/// The ground of a tile set: polygons with portals, y-up metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ground {
    /// Polygons in the order of the file, without those that no query finds.
    pub polygons: Vec<GroundPolygon>,
    /// Off-mesh connections in the order of the file.
    pub connections: Vec<Connection>,
    /// The least radius and height, and the greatest climb of its tiles, m.
    pub radius: f64,
    /// See `radius`.
    pub height: f64,
    /// See `radius`.
    pub climb: f64,
    /// Polygons without flags, left out: no query of Detour finds them.
    pub without_flags: u32,
    /// Edges that only one side has as a portal: walls here.
    pub one_sided: u32,
    /// Pairs of edges over a border that Detour joins, and that a nearer pair covers: walls here.
    pub covered: u32,
}

/// A polygon of ground.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundPolygon {
    /// Its corners, counter-clockwise seen from above. Edges are divided where the polygon beyond
    /// changes.
    pub ring: Vec<[f64; 3]>,
    /// For each edge the number of its portal, which one edge of one other polygon has as well, or
    /// [`WALL`].
    pub portals: Vec<u32>,
    /// Its area and flags.
    pub kind: Kind,
    /// Its height triangles.
    pub detail: Vec<[[f64; 3]; 3]>,
}

/// An edge on the border of a tile.
#[derive(Clone, Copy, Debug)]
struct Border {
    /// Polygon among all, and edge.
    edge: (u32, usize),
    layer: i32,
    /// The coordinate across the border.
    across: f64,
    /// Least and greatest coordinate along the border, and the heights there.
    reach: [f64; 2],
    heights: [f64; 2],
}

/// A part of an edge that is a portal: its reach along the border, and its number.
type Part = ([f64; 2], u32);

impl TileSet {
    /// Joins its polygons: inside of tiles as they say, over borders by Detour's rules. Edges
    /// within 1 cm of each other across the border, with an overlap of 2 cm, whose heights differ
    /// by at most twice the climb at an end of it or cross within.
    ///
    /// Where Detour joins an edge with several above each other, the nearest in height is taken.
    /// O(n log n) but for edges that overlap in many storeys.
    pub fn ground(&self) -> Ground {
        let mut out = Ground { radius: f64::INFINITY, height: f64::INFINITY, ..Ground::default() };
        let mut first = vec![0];
        for tile in &self.tiles {
            let [height, radius, climb] = tile.agent.map(f64::from);
            out.radius = out.radius.min(radius);
            out.height = out.height.min(height);
            out.climb = out.climb.max(climb);
            first.push(first.last().copied().unwrap_or(0) + tile.polygons.len() as u32);
            out.connections.extend(tile.connections.iter().cloned());
        }
        let mut portals = 0;
        // The whole edges inside of tiles, and the parts of those on borders.
        let mut inner: BTreeMap<(u32, usize), u32> = BTreeMap::new();
        for (tile, &first) in self.tiles.iter().zip(&first) {
            for (edge, beyond) in inner_portals(tile, &mut out.one_sided) {
                for (polygon, k) in [edge, beyond] {
                    inner.insert((first + polygon, k), portals);
                }
                portals += 1;
            }
        }
        let mut parts: BTreeMap<(u32, usize), Vec<Part>> = BTreeMap::new();
        let vertices: Vec<Vec<[f64; 3]>> = self.tiles.iter().map(|t| self.vertices(t)).collect();
        let borders = self.borders(&first, &vertices);
        for (one, other, reach) in meetings(&borders, 2.0 * out.climb) {
            let taken = |edge: &(u32, usize)| {
                let own = parts.get(edge).into_iter().flatten();
                let mut over = own.map(|(r, _)| reach[1].min(r[1]) - reach[0].max(r[0]));
                over.any(|over| over > 0.0)
            };
            if taken(&one) || taken(&other) {
                out.covered += 1;
                continue;
            }
            for edge in [one, other] {
                parts.entry(edge).or_default().push((reach, portals));
            }
            portals += 1;
        }
        for ((tile, vertices), &first) in self.tiles.iter().zip(&vertices).zip(&first) {
            for (number, poly) in (0..).zip(&tile.polygons) {
                if poly.kind.flags == 0 {
                    out.without_flags += 1;
                    continue;
                }
                let (mut ring, mut own) = (vec![], vec![]);
                for k in 0..poly.corners.len() {
                    let next = (k + 1) % poly.corners.len();
                    let [a, b] = [k, next].map(|k| vertices[usize::from(poly.corners[k])]);
                    let edge = (first + number, k);
                    match parts.get(&edge) {
                        Some(parts) => divide(a, b, parts, &mut ring, &mut own),
                        None => {
                            ring.push(a);
                            own.push(inner.get(&edge).copied().unwrap_or(WALL));
                        }
                    }
                }
                let detail = poly.detail.iter().map(|t| t.map(|p| p.map(f64::from))).collect();
                out.polygons.push(GroundPolygon { ring, portals: own, kind: poly.kind, detail });
            }
        }
        out
    }

    /// The vertices of a tile; those of edges on its border are moved onto it.
    fn vertices(&self, tile: &Tile) -> Vec<[f64; 3]> {
        let mut out: Vec<[f64; 3]> = tile.vertices.iter().map(|v| v.map(f64::from)).collect();
        for poly in &tile.polygons {
            for (k, &neighbour) in poly.neighbours.iter().enumerate() {
                if neighbour & PORTAL == 0 {
                    continue;
                }
                let (axis, border) = self.border(tile, neighbour & 7);
                for k in [k, (k + 1) % poly.corners.len()] {
                    let at = &mut out[usize::from(poly.corners[k])];
                    if (at[axis] - border).abs() <= APART {
                        at[axis] = border;
                    }
                }
            }
        }
        out
    }

    /// The axis across a side of a tile, and the coordinate of the border.
    fn border(&self, tile: &Tile, side: u16) -> (usize, f64) {
        let (axis, number) = match side {
            0 | 4 => (0, tile.x),
            _ => (2, tile.y),
        };
        let number = f64::from(number) + if side < 4 { 1.0 } else { 0.0 };
        (axis, f64::from(self.origin[axis]) + number * f64::from(self.tile_size[axis / 2]))
    }

    /// All edges on borders, by cell and side.
    fn borders(
        &self,
        first: &[u32],
        vertices: &[Vec<[f64; 3]>],
    ) -> BTreeMap<(i32, i32, u16), Vec<Border>> {
        let mut all: BTreeMap<_, Vec<Border>> = BTreeMap::new();
        for ((tile, vertices), first) in self.tiles.iter().zip(vertices).zip(first) {
            for (number, poly) in (0..).zip(&tile.polygons) {
                for (k, &neighbour) in poly.neighbours.iter().enumerate() {
                    if neighbour & PORTAL == 0 || poly.kind.flags == 0 {
                        continue;
                    }
                    let side = neighbour & 7;
                    let (axis, _) = self.border(tile, side);
                    let along = 2 - axis;
                    let ends = [k, (k + 1) % poly.corners.len()]
                        .map(|k| vertices[usize::from(poly.corners[k])]);
                    let [a, b] = match ends[0][along] <= ends[1][along] {
                        true => ends,
                        false => [ends[1], ends[0]],
                    };
                    all.entry((tile.x, tile.y, side)).or_default().push(Border {
                        edge: (first + number, k),
                        layer: tile.layer,
                        across: ends[0][axis],
                        reach: [a[along], b[along]],
                        heights: [a[1], b[1]],
                    });
                }
            }
        }
        for edges in all.values_mut() {
            edges.sort_by(|a, b| a.reach[0].total_cmp(&b.reach[0]).then(a.edge.cmp(&b.edge)));
        }
        all
    }
}

/// Pairs of edges of one tile that name each other, and the number of those that one side names.
fn inner_portals(tile: &Tile, one_sided: &mut u32) -> Vec<((u32, usize), (u32, usize))> {
    let mut out = vec![];
    let mut met = BTreeSet::new();
    let is_walked = |p: usize| tile.polygons[p].kind.flags != 0;
    for (p, poly) in tile.polygons.iter().enumerate().filter(|(p, _)| is_walked(*p)) {
        for (k, &neighbour) in poly.neighbours.iter().enumerate() {
            if neighbour == 0 || neighbour & PORTAL != 0 || met.contains(&(p, k)) {
                continue;
            }
            let q = usize::from(neighbour) - 1;
            if !is_walked(q) {
                continue;
            }
            let beyond = &tile.polygons[q];
            let ends = |corners: &[u16], k: usize| {
                [k, (k + 1) % corners.len()].map(|k| {
                    let [x, _, z] = tile.vertices[usize::from(corners[k])];
                    [x, z]
                })
            };
            let [a, b] = ends(&poly.corners, k);
            let back = (0..beyond.corners.len()).find(|&j| {
                usize::from(beyond.neighbours[j]) == p + 1
                    && !met.contains(&(q, j))
                    && ends(&beyond.corners, j) == [b, a]
            });
            match back.filter(|_| p != q) {
                Some(j) => {
                    met.extend([(p, k), (q, j)]);
                    out.push(((p as u32, k), (q as u32, j)));
                }
                None => *one_sided += 1,
            }
        }
    }
    out
}

/// Two edges that meet over a border: they, and their common reach.
type Meeting = ((u32, usize), (u32, usize), [f64; 2]);

/// All pairs of edges that Detour joins over borders, the nearest in height first.
fn meetings(borders: &BTreeMap<(i32, i32, u16), Vec<Border>>, climb: f64) -> Vec<Meeting> {
    let mut found: Vec<(f64, Meeting)> = vec![];
    for (&(x, y, side), edges) in borders.iter().filter(|((_, _, side), _)| *side < 4) {
        let next = if side == 0 { (x + 1, y, 4) } else { (x, y + 1, 6) };
        // Other layers of the cell meet anywhere in it.
        let here = (x, y, side + 4);
        for (beyond, is_here) in [(next, false), (here, true)] {
            let Some(beyond) = borders.get(&beyond) else { continue };
            let longest = beyond.iter().map(|b| b.reach[1] - b.reach[0]).fold(0.0, f64::max);
            for one in edges {
                let start = beyond.partition_point(|b| b.reach[0] < one.reach[0] - longest);
                let near = beyond[start..].iter().take_while(|b| b.reach[0] < one.reach[1]);
                let met =
                    near.filter(|other| !is_here || other.layer != one.layer).filter_map(|other| {
                        let (apart, reach) = meeting(one, other, climb)?;
                        Some((apart, (one.edge, other.edge, reach)))
                    });
                found.extend(met.take(CANDIDATES));
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1.0, a.1.1).cmp(&(b.1.0, b.1.1))));
    found.into_iter().map(|(_, met)| met).collect()
}

/// How far two edges are apart in height, and their common reach, if Detour joins them.
fn meeting(one: &Border, other: &Border, climb: f64) -> Option<(f64, [f64; 2])> {
    if one.across != other.across {
        // Both were moved onto the border where they are near enough to it.
        return None;
    }
    let reach = [one.reach[0].max(other.reach[0]), one.reach[1].min(other.reach[1])];
    if reach[1] - reach[0] < OVERLAP {
        return None;
    }
    let height = |edge: &Border, at: f64| {
        let [a, b] = edge.reach;
        edge.heights[0] + (edge.heights[1] - edge.heights[0]) * (at - a) / (b - a)
    };
    let ends = [reach[0] + APART, reach[1] - APART];
    let [d0, d1] = ends.map(|at| height(other, at) - height(one, at));
    let least = d0.abs().min(d1.abs());
    (d0 * d1 < 0.0 || least <= climb).then_some((least, reach))
}

/// An edge divided where its portals begin and end.
fn divide(
    a: [f64; 3],
    b: [f64; 3],
    parts: &[Part],
    ring: &mut Vec<[f64; 3]>,
    portals: &mut Vec<u32>,
) {
    let along = if (b[0] - a[0]).abs() >= (b[2] - a[2]).abs() { 0 } else { 2 };
    let rises = a[along] < b[along];
    let at = |c: f64| {
        if c == a[along] {
            return a;
        }
        let share = (c - a[along]) / (b[along] - a[along]);
        let mut p = [0, 1, 2].map(|k| a[k] + share * (b[k] - a[k]));
        p[along] = c;
        p
    };
    let mut sorted: Vec<Part> = parts.to_vec();
    sorted.sort_by(|x, y| x.0[0].total_cmp(&y.0[0]));
    if !rises {
        sorted.reverse();
    }
    let mut here = a[along];
    for (reach, portal) in sorted {
        let [from, to] = if rises { reach } else { [reach[1], reach[0]] };
        if from != here {
            ring.push(at(here));
            portals.push(WALL);
        }
        ring.push(at(from));
        portals.push(portal);
        here = to;
    }
    if here != b[along] {
        ring.push(at(here));
        portals.push(WALL);
    }
}
