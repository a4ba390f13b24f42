//! A plain reader that joins polygons by dtNavMesh's own steps, `connectIntLinks`,
//! `connectExtLinks` and `baseOffMeshLinks`, straight from the bytes.
//!
//! It shares no line with the writer or the reader of the crate, and checks nothing: it is for
//! sound files.

use std::collections::{BTreeMap, BTreeSet};

/// A polygon of ground or a connection: tile, number.
pub(crate) type Ref = (usize, usize);

/// An off-mesh connection: start, end, radius, whether it leads back, and its side.
pub(crate) type Connection = ([f32; 3], [f32; 3], f32, bool, u8);

pub(crate) struct Poly {
    pub(crate) corners: Vec<[f32; 3]>,
    pub(crate) neighbours: Vec<u16>,
    pub(crate) flags: u16,
    pub(crate) area: u8,
    pub(crate) detail: Vec<[[f32; 3]; 3]>,
}

pub(crate) struct Tile {
    pub(crate) cell: [i32; 2],
    pub(crate) climb: f32,
    pub(crate) least: [f32; 3],
    pub(crate) factor: f32,
    pub(crate) ground: usize,
    pub(crate) max_links: usize,
    pub(crate) polys: Vec<Poly>,
    pub(crate) nodes: Vec<([u16; 3], [u16; 3], i32)>,
    /// Start, end, radius, both ways, side.
    pub(crate) connections: Vec<Connection>,
}

pub(crate) struct World {
    pub(crate) tiles: Vec<Tile>,
    /// The polygons that each leads to.
    pub(crate) links: BTreeMap<Ref, BTreeSet<Ref>>,
}

struct Reader<'a>(&'a [u8], usize);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        self.1 += N;
        self.0[self.1 - N..self.1].try_into().unwrap()
    }
    fn u8(&mut self) -> u8 {
        self.take::<1>()[0]
    }
    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }
    fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }
    fn f32(&mut self) -> f32 {
        f32::from_le_bytes(self.take())
    }
    fn point(&mut self) -> [f32; 3] {
        [self.f32(), self.f32(), self.f32()]
    }
}

fn tile(bytes: &[u8], link: usize) -> Tile {
    let mut r = Reader(bytes, 8);
    let n: Vec<i32> = (0..13).map(|_| r.i32()).collect();
    let [polys, verts, links, _, detail_verts, detail_tris, nodes, cons, ground] =
        [4, 5, 6, 7, 8, 9, 10, 11, 12].map(|k| n[k] as usize);
    let (_, _, climb) = (r.f32(), r.f32(), r.f32());
    let (least, _, factor) = (r.point(), r.point(), r.f32());
    let vertices: Vec<[f32; 3]> = (0..verts).map(|_| r.point()).collect();
    let mut all = vec![];
    for _ in 0..polys {
        let _ = r.i32();
        let corners: Vec<u16> = (0..6).map(|_| r.u16()).collect();
        let neighbours: Vec<u16> = (0..6).map(|_| r.u16()).collect();
        let (flags, count, area) = (r.u16(), usize::from(r.u8()), r.u8());
        all.push(Poly {
            corners: corners[..count].iter().map(|&v| vertices[usize::from(v)]).collect(),
            neighbours: neighbours[..count].to_vec(),
            flags,
            area: area & 63,
            detail: vec![],
        });
    }
    r.1 += links * link;
    let heads: Vec<[usize; 4]> = (0..ground)
        .map(|_| {
            let (v, t) = (r.i32() as usize, r.i32() as usize);
            let head = [v, t, r.u8().into(), r.u8().into()];
            r.1 += 2;
            head
        })
        .collect();
    let points: Vec<[f32; 3]> = (0..detail_verts).map(|_| r.point()).collect();
    let tris: Vec<[u8; 4]> = (0..detail_tris).map(|_| r.take()).collect();
    for ([v, t, _, count], poly) in heads.into_iter().zip(&mut all) {
        for tri in &tris[t..t + count] {
            let at = |k: u8| match poly.corners.get(usize::from(k)) {
                Some(corner) => *corner,
                None => points[v + usize::from(k) - poly.corners.len()],
            };
            poly.detail.push([at(tri[0]), at(tri[1]), at(tri[2])]);
        }
    }
    let steps = |r: &mut Reader<'_>| [r.u16(), r.u16(), r.u16()];
    let nodes = (0..nodes).map(|_| (steps(&mut r), steps(&mut r), r.i32())).collect();
    let connections = (0..cons)
        .map(|_| {
            let (a, b, radius, _) = (r.point(), r.point(), r.f32(), r.u16());
            let con = (a, b, radius, r.u8() & 1 == 1, r.u8());
            r.1 += 4;
            con
        })
        .collect();
    assert_eq!(r.1, bytes.len(), "a tile ends where its sections end");
    let cell = [n[0], n[1]];
    let max_links = links;
    Tile { cell, climb, least, factor, ground, max_links, polys: all, nodes, connections }
}

impl World {
    pub(crate) fn load(bytes: &[u8], ref_bytes: usize) -> World {
        let mut r = Reader(bytes, 0);
        assert_eq!(&r.take::<4>(), b"TESM");
        assert_eq!(r.i32(), 1);
        let count = r.i32() as usize;
        r.1 = 40;
        let (head, link) = if ref_bytes == 4 { (8, 12) } else { (16, 16) };
        let mut tiles = vec![];
        for _ in 0..count {
            let size =
                i32::from_le_bytes(bytes[r.1 + ref_bytes..r.1 + ref_bytes + 4].try_into().unwrap())
                    as usize;
            tiles.push(tile(&bytes[r.1 + head..r.1 + head + size], link));
            r.1 += head + size;
        }
        assert_eq!(r.1, bytes.len());
        let mut world = World { tiles, links: BTreeMap::new() };
        world.join();
        world
    }

    fn link(&mut self, from: Ref, to: Ref) {
        self.links.entry(from).or_default().insert(to);
    }

    fn join(&mut self) {
        let mut pairs = vec![];
        for (t, tile) in self.tiles.iter().enumerate() {
            let mut used = 0;
            for (p, poly) in tile.polys[..tile.ground].iter().enumerate() {
                for (k, &n) in poly.neighbours.iter().enumerate() {
                    if n != 0 && n & 0x8000 == 0 {
                        pairs.push(((t, p), (t, usize::from(n) - 1)));
                        used += 1;
                    } else if n & 0x8000 != 0 {
                        let found = self.beyond(t, p, k, n & 7);
                        used += found.len();
                        pairs.extend(found.into_iter().map(|to| ((t, p), to)));
                    }
                }
            }
            for (k, &(a, b, radius, both, side)) in tile.connections.iter().enumerate() {
                let own = (t, tile.ground + k);
                let start = self.near(t, a, radius).expect("a connection begins on ground");
                pairs.extend([(start, own), (own, start)]);
                used += 2;
                let goal = match side {
                    255 => t,
                    _ => {
                        let [dx, dz] =
                            [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]]
                                [usize::from(side)];
                        let cell = [tile.cell[0] + dx, tile.cell[1] + dz];
                        self.tiles.iter().position(|t| t.cell == cell).expect("a tile beyond")
                    }
                };
                let end = self.near(goal, b, radius).expect("a connection ends on ground");
                pairs.push((own, end));
                used += 1;
                if both {
                    pairs.push((end, own));
                    used += usize::from(goal == t);
                }
            }
            assert!(used <= tile.max_links, "{used} links, and place for {}", tile.max_links);
        }
        for (from, to) in pairs {
            self.link(from, to);
        }
    }

    /// `findConnectingPolys`.
    fn beyond(&self, t: usize, p: usize, k: usize, side: u16) -> Vec<Ref> {
        let (tile, poly) = (&self.tiles[t], &self.tiles[t].polys[p]);
        let [dx, dz] = [[1, 0], [0, 1], [-1, 0], [0, -1]][usize::from(side) / 2];
        let (across, along) = if side.is_multiple_of(4) { (0, 2) } else { (2, 0) };
        let edge = |poly: &Poly, k: usize| {
            let (a, b) = (poly.corners[k], poly.corners[(k + 1) % poly.corners.len()]);
            if a[along] < b[along] { [a, b] } else { [b, a] }
        };
        let [a, b] = edge(poly, k);
        let mut found = vec![];
        let cell = [tile.cell[0] + dx, tile.cell[1] + dz];
        for (u, other) in self.tiles.iter().enumerate().filter(|(_, o)| o.cell == cell) {
            for (q, there) in other.polys[..other.ground].iter().enumerate() {
                let meets = |j: usize| {
                    if there.neighbours[j] != 0x8000 | (side ^ 4) {
                        return false;
                    }
                    let [c, d] = edge(there, j);
                    let from = (a[along] + 0.01).max(c[along] + 0.01);
                    let to = (b[along] - 0.01).min(d[along] - 0.01);
                    if from > to || (a[across] - c[across]).abs() > 0.01 {
                        return false;
                    }
                    let y = |p: [f32; 3], q: [f32; 3], x: f32| {
                        p[1] + (q[1] - p[1]) / (q[along] - p[along]) * (x - p[along])
                    };
                    let d0 = y(c, d, from) - y(a, b, from);
                    let d1 = y(c, d, to) - y(a, b, to);
                    d0 * d1 < 0.0 || d0.abs() <= 2.0 * tile.climb || d1.abs() <= 2.0 * tile.climb
                };
                if found.len() < 4 && (0..there.corners.len()).any(meets) {
                    found.push((u, q));
                }
            }
        }
        found
    }

    /// The polygons of a tile in a box, as `queryPolygonsInTile` walks the tree.
    fn in_box(&self, t: usize, least: [f32; 3], greatest: [f32; 3]) -> Vec<usize> {
        let tile = &self.tiles[t];
        let step = |at: [f32; 3], k: usize| {
            ((at[k] - tile.least[k]) * tile.factor).clamp(0.0, 65_534.0) as u16
        };
        let lo = [0, 1, 2].map(|k| step(least, k) & 0xfffe);
        let hi = [0, 1, 2].map(|k| step(greatest, k).wrapping_add(1) | 1);
        let (mut k, mut found) = (0, vec![]);
        while k < tile.nodes.len() {
            let (a, b, i) = tile.nodes[k];
            let meets = (0..3).all(|k| lo[k] <= b[k] && hi[k] >= a[k]);
            if i >= 0 && meets {
                found.push(i as usize);
            }
            k += if i >= 0 || meets { 1 } else { -i as usize };
        }
        found
    }

    /// The polygon of a tile under a place within a box, the nearest in height, and its height.
    pub(crate) fn ground(&self, t: usize, at: [f32; 3], half: [f32; 3]) -> Option<(usize, f32)> {
        let least = [0, 1, 2].map(|k| at[k] - half[k]);
        let greatest = [0, 1, 2].map(|k| at[k] + half[k]);
        let found = self.in_box(t, least, greatest).into_iter();
        let heights = found.filter_map(|p| Some((p, self.height(t, p, at)?)));
        heights.min_by(|a, b| (a.1 - at[1]).abs().total_cmp(&(b.1 - at[1]).abs()))
    }

    /// `getPolyHeight`: that of the first height triangle over the place.
    fn height(&self, t: usize, p: usize, at: [f32; 3]) -> Option<f32> {
        self.tiles[t].polys[p].detail.iter().find_map(|&[a, b, c]| {
            let [v0, v1, v2] = [(c, a), (b, a), (at, a)].map(|(p, q)| [p[0] - q[0], p[2] - q[2]]);
            let all = v0[0] * v1[1] - v0[1] * v1[0];
            if all.abs() < 1e-6 {
                return None;
            }
            let u = (v1[1] * v2[0] - v1[0] * v2[1]) / all;
            let v = (v0[0] * v2[1] - v0[1] * v2[0]) / all;
            let near = -1e-4;
            (u >= near && v >= near && u + v <= 1.0 - near)
                .then(|| a[1] + (c[1] - a[1]) * u + (b[1] - a[1]) * v)
        })
    }

    fn near(&self, t: usize, at: [f32; 3], radius: f32) -> Option<Ref> {
        let (p, y) = self.ground(t, at, [radius, self.tiles[t].climb, radius])?;
        ((y - at[1]).abs() <= self.tiles[t].climb).then_some((t, p))
    }

    /// All that a polygon leads to.
    pub(crate) fn reach(&self, from: Ref) -> BTreeSet<Ref> {
        let (mut met, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(at) = open.pop() {
            for &to in self.links.get(&at).into_iter().flatten() {
                if met.insert(to) {
                    open.push(to);
                }
            }
        }
        met
    }

    /// The polygon at a place of any tile, and its height.
    pub(crate) fn find(&self, at: [f64; 3]) -> Option<(Ref, f32)> {
        let at = at.map(|c| c as f32);
        let all = (0..self.tiles.len()).filter_map(|t| {
            let (p, y) = self.ground(t, at, [0.01, 0.6, 0.01])?;
            Some(((t, p), y))
        });
        all.min_by(|a, b| (a.1 - at[1]).abs().total_cmp(&(b.1 - at[1]).abs()))
    }
}
