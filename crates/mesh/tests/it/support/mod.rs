//! Random mosaics: rectangles cut from a square, each a piece or a patch with points of its own on
//! its sides.

pub(crate) mod cells;
pub(crate) mod surface;

use navbake_geom::{Point3, orient};
use navbake_mesh::{HeightMesh, JoinSettings, NONE, Patch, PolygonMesh, join_triangles};

/// A small generator (xorshift), so that a case is one number.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % u64::from(n)) as u32
    }

    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

/// How a mosaic looks.
pub(crate) struct Mosaic {
    /// Side of the square.
    pub(crate) side: i32,
    /// Rectangles at most.
    pub(crate) cuts: u32,
    /// Further points on a side at most.
    pub(crate) extra: u32,
    /// Heights: each rectangle is level, at a random multiple of this.
    pub(crate) rise: i32,
    /// How many multiples.
    pub(crate) levels: u32,
    /// One rectangle of this many is left out; 0 for none.
    pub(crate) holes: u32,
}

/// The rectangles of a random mosaic.
fn rectangles(rng: &mut Rng, look: &Mosaic) -> Vec<[i32; 4]> {
    let mut rectangles = vec![[0, 0, look.side, look.side]];
    for _ in 0..look.cuts {
        let i = rng.below(rectangles.len() as u32) as usize;
        let [x0, z0, x1, z1] = rectangles[i];
        let along_x = rng.below(2) == 0;
        let (low, high) = if along_x { (x0, x1) } else { (z0, z1) };
        if high - low < 2 {
            continue;
        }
        let at = low + 1 + rng.below((high - low - 1) as u32) as i32;
        if along_x {
            rectangles[i] = [x0, z0, at, z1];
            rectangles.push([at, z0, x1, z1]);
        } else {
            rectangles[i] = [x0, z0, x1, at];
            rectangles.push([x0, at, x1, z1]);
        }
    }
    rectangles
}

/// Makes something of each rectangle of a random mosaic that is no hole, at its height.
fn each<T>(
    rng: &mut Rng,
    look: &Mosaic,
    make: impl Fn(&mut Rng, [i32; 4], i32, u32) -> T,
) -> Vec<T> {
    let mut made = vec![];
    for r in rectangles(rng, look) {
        let y = rng.below(look.levels.max(1)) as i32 * look.rise;
        if look.holes > 0 && rng.below(look.holes) == 0 {
            continue;
        }
        made.push(make(rng, r, y, look.extra));
    }
    made
}

/// Triangles of a floor: vertices, their indices, and a bit for each edge that is open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Piece {
    pub(crate) vertices: Vec<Point3>,
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) open: Vec<u8>,
}

/// Pieces as patches, joined.
pub(crate) fn stitch(pieces: &[Piece], settings: &JoinSettings) -> PolygonMesh {
    let patch = |p: &Piece| Patch::of_triangles(p.vertices.clone(), &p.triangles, &p.open);
    let patches: Vec<Patch> = pieces.iter().map(patch).collect();
    let mesh = join_triangles(&patches, settings);
    assert!((0..mesh.len()).all(|p| mesh.polygon(p).len() == 3));
    mesh
}

/// The pieces of a random mosaic, all border edges open.
pub(crate) fn mosaic(rng: &mut Rng, look: &Mosaic) -> Vec<Piece> {
    each(rng, look, rectangle)
}

/// The same as patches of one polygon each.
pub(crate) fn patches(rng: &mut Rng, look: &Mosaic) -> Vec<Patch> {
    each(rng, look, |rng, r, y, extra| tile(&ring(rng, r, y, extra)))
}

/// A convex polygon as a patch, all edges open.
pub(crate) fn tile(corners: &[Point3]) -> Patch {
    let n = corners.len() as u32;
    Patch {
        mesh: PolygonMesh {
            vertices: corners.to_vec(),
            first_edge: vec![0, n],
            corners: (0..n).collect(),
            neighbours: vec![NONE; n as usize],
            ..PolygonMesh::default()
        },
        open: vec![true; n as usize],
    }
}

/// The border of a level rectangle with random points on its sides.
pub(crate) fn ring(rng: &mut Rng, [x0, z0, x1, z1]: [i32; 4], y: i32, extra: u32) -> Vec<Point3> {
    // Counter-clockwise seen from above: down, right, up, left.
    let corners = [(x0, z0), (x0, z1), (x1, z1), (x1, z0)];
    let mut ring = vec![];
    for k in 0..4 {
        let ((ax, az), (bx, bz)) = (corners[k], corners[(k + 1) % 4]);
        let length = (bx - ax).abs() + (bz - az).abs();
        let mut stops: Vec<i32> =
            (0..rng.below(extra + 1)).map(|_| rng.below(length as u32) as i32).chain([0]).collect();
        stops.sort_unstable();
        stops.dedup();
        for s in stops {
            ring.push(Point3::new(ax + (bx - ax).signum() * s, y, az + (bz - az).signum() * s));
        }
    }
    ring
}

/// A level rectangle with random points on its sides, as a fan about a point inside or cut into
/// ears.
pub(crate) fn rectangle(rng: &mut Rng, r: [i32; 4], y: i32, extra: u32) -> Piece {
    let ring = ring(rng, r, y, extra);
    let [x0, z0, x1, z1] = r;
    let mut piece = Piece { vertices: ring.clone(), ..Piece::default() };
    let area = |v: &[Point3], t: [u32; 3]| {
        let [a, b, c] = t.map(|i| v[i as usize].flat());
        orient(a, b, c)
    };
    if x1 - x0 > 1 && z1 - z0 > 1 {
        let inner = Point3::new(
            x0 + 1 + rng.below((x1 - x0 - 1) as u32) as i32,
            y,
            z0 + 1 + rng.below((z1 - z0 - 1) as u32) as i32,
        );
        let centre = ring.len() as u32;
        piece.vertices.push(inner);
        for i in 0..centre {
            piece.triangles.push([i, (i + 1) % centre, centre]);
            piece.open.push(1);
        }
    } else {
        let mut left: Vec<u32> = (0..ring.len() as u32).collect();
        while left.len() > 2 {
            let n = left.len();
            let k = (0..n)
                .find(|&k| {
                    let ear = [left[k], left[(k + 1) % n], left[(k + 2) % n]];
                    let rest: Vec<_> = (0..n)
                        .filter(|&i| i != (k + 1) % n)
                        .map(|i| ring[left[i] as usize].flat())
                        .collect();
                    area(&ring, ear) > 0 && (n == 3 || navbake_geom::ring_area(&rest) > 0)
                })
                .unwrap();
            piece.triangles.push([left[k], left[(k + 1) % n], left[(k + 2) % n]]);
            piece.open.push(7);
            left.remove((k + 1) % n);
        }
    }
    piece
}

/// Moves every vertex; a change of orientation is the caller's care.
pub(crate) fn mapped(pieces: &[Piece], f: impl Fn(Point3) -> Point3) -> Vec<Piece> {
    let mut out = pieces.to_vec();
    for p in &mut out {
        p.vertices.iter_mut().for_each(|v| *v = f(*v));
    }
    out
}

/// Pieces and triangles in another order, triangles turned.
pub(crate) fn shuffled(rng: &mut Rng, pieces: &[Piece]) -> Vec<Piece> {
    let mut out = pieces.to_vec();
    for p in &mut out {
        let mut order: Vec<usize> = (0..p.triangles.len()).collect();
        rng.shuffle(&mut order);
        let old = p.clone();
        for (i, &o) in order.iter().enumerate() {
            let turn = rng.below(3) as usize;
            let (t, bits) = (old.triangles[o], old.open[o]);
            p.triangles[i] = [t[turn], t[(turn + 1) % 3], t[(turn + 2) % 3]];
            p.open[i] = (bits >> turn | bits << (3 - turn)) & 7;
        }
    }
    rng.shuffle(&mut out);
    out
}

pub(crate) fn area_of_pieces(pieces: &[Piece]) -> i128 {
    let area = |p: &Piece| -> i128 {
        p.triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| p.vertices[i as usize].flat());
                i128::from(orient(a, b, c))
            })
            .sum()
    };
    pieces.iter().map(area).sum()
}

/// Gives the only polygon of a patch a height mesh with a point in the middle, so high.
pub(crate) fn raise_middle(mesh: &mut PolygonMesh, height: u16) {
    let range = |f: fn(&Point3) -> i32| {
        let all = || mesh.vertices.iter().map(f);
        [all().min().unwrap(), all().max().unwrap()]
    };
    let [x, z] = [range(|p| p.x), range(|p| p.z)];
    // Room for a point that is no corner, however small the polygon is.
    let size = [x, z].map(|s| (s[1] - s[0] + 2) as u16);
    mesh.height_mesh_of = vec![0];
    mesh.height_meshes = vec![HeightMesh {
        least: [x[0], z[0]],
        size,
        points: vec![[size[0] / 2, height, size[1] / 2]],
        ..HeightMesh::default()
    }];
}

/// Moves every vertex of patches; a change of orientation is the caller's care.
pub(crate) fn moved(patches: &[Patch], f: impl Fn(Point3) -> Point3) -> Vec<Patch> {
    let mut out = patches.to_vec();
    for p in &mut out {
        p.mesh.vertices.iter_mut().for_each(|v| *v = f(*v));
    }
    out
}

/// Patches in another order, their vertices in another order. Polygons begin where they began:
/// heights depend on that.
pub(crate) fn mixed(rng: &mut Rng, patches: &[Patch]) -> Vec<Patch> {
    let mut out = patches.to_vec();
    for patch in &mut out {
        let mesh = &mut patch.mesh;
        let mut order: Vec<usize> = (0..mesh.vertices.len()).collect();
        rng.shuffle(&mut order);
        let mut place = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old] = new as u32;
        }
        mesh.vertices = order.iter().map(|&old| mesh.vertices[old]).collect();
        mesh.corners.iter_mut().for_each(|v| *v = place[*v as usize]);
    }
    rng.shuffle(&mut out);
    out
}

/// Edges of polygons without a neighbour.
pub(crate) fn walls(mesh: &PolygonMesh) -> Vec<[Point3; 2]> {
    let mut out = vec![];
    for p in 0..mesh.len() {
        let ring = mesh.polygon(p);
        for (k, e) in mesh.edges(p).enumerate() {
            if mesh.neighbours[e] == NONE {
                out.push([ring[k], ring[(k + 1) % ring.len()]].map(|v| mesh.vertices[v as usize]));
            }
        }
    }
    out
}

/// Length seen from above.
pub(crate) fn length([a, b]: [Point3; 2]) -> f64 {
    f64::hypot(f64::from(a.x - b.x), f64::from(a.z - b.z))
}
