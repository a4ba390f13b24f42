//! Cuts the ground of a level along the borders of volumes.
//!
//! Each volume is clipped out of each triangle plane by plane (Sutherland and Hodgman, *Reentrant
//! polygon clipping*, 1974). A new corner is the grid point nearest to the intersection of an edge
//! and a plane. It is computed from the edge's ends in a fixed order, so that it is the same for
//! all triangles that share the edge. All triangles that share a cut edge get its new corners,
//! walls too, so that no crack opens.
//!
//! ```text
//!           p                        p
//!          / \                      / \
//!     ----/---\---- border         a---b     a and b: new corners on the grid
//!        /     \                  /     \
//!       q-------r                q-------r   this part becomes two triangles
//! ```

use std::collections::HashMap;

use navbake_geom::Point3;

use crate::order::{Corners, index};
use crate::{Level, Role, Volume};

/// The origin of a triangle after a cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The original triangle, an index into the level's triangles before the cut.
    pub of: u32,
    /// The volumes that contain it, ascending.
    pub within: Vec<u32>,
}

/// A triangle during the cut.
#[derive(Clone, Debug)]
struct Shard {
    corners: Corners,
    up: i32,
    part: u32,
    piece: Piece,
}

/// The new corners of cut edges, by the edges' ends in order.
type Splits = HashMap<[Point3; 2], Point3>;

impl Level {
    /// Cuts ground along the borders of volumes; returns the origin of each triangle.
    ///
    /// Afterwards no triangle of ground crosses a border, up to half a grid unit. Ground is what
    /// faces up and has the role ground or floor. Ground on a volume's border is in the volume.
    ///
    /// The order of triangles remains that of [`Level::new`], and does not depend on the order of
    /// the input. Areas are those of the original triangles.
    pub fn cut(&mut self, volumes: &[Volume]) -> Vec<Piece> {
        let mut shards: Vec<Shard> = (0..self.triangles.len() as u32)
            .map(|of| {
                let t = &self.triangles[of as usize];
                Shard {
                    corners: self.corners(t),
                    up: t.up,
                    part: t.part,
                    piece: Piece { of, within: vec![] },
                }
            })
            .collect();
        let mut is_cut = false;
        for (number, volume) in volumes.iter().enumerate() {
            is_cut |= pass(&mut shards, &self.roles, number as u32, volume);
        }
        if is_cut {
            for s in &mut shards {
                let least = (0..3).min_by_key(|&k| s.corners[k]).unwrap_or(0);
                s.corners.rotate_left(least);
            }
            shards.sort_by(|a, b| {
                let key = |s: &Shard| (s.corners, s.up, s.part, s.piece.of);
                key(a).cmp(&key(b))
            });
            let soup = shards.iter().map(|s| (s.corners, s.up, s.part));
            let (vertices, mut triangles) = index(soup);
            for (t, s) in triangles.iter_mut().zip(&shards) {
                t.area = self.triangles[s.piece.of as usize].area;
            }
            (self.vertices, self.triangles) = (vertices, triangles);
        }
        shards.into_iter().map(|s| s.piece).collect()
    }
}

/// Cuts along one volume. Was anything cut?
fn pass(shards: &mut Vec<Shard>, roles: &[Role], number: u32, volume: &Volume) -> bool {
    let [least, greatest] = volume.bounds();
    let mut splits = Splits::new();
    let mut clipped: Vec<(usize, Clipped)> = vec![];
    for (i, shard) in shards.iter_mut().enumerate() {
        let role = roles[shard.part as usize];
        let is_ground = shard.up > 0 && matches!(role, Role::Ground | Role::Floor);
        if !is_ground || !meets(&shard.corners, least, greatest) {
            continue;
        }
        let Some(of) = clip(shard.corners, volume) else {
            continue;
        };
        if of.outside.is_empty() {
            shard.piece.within.push(number);
        } else {
            splits.extend(of.splits.iter().copied());
            clipped.push((i, of));
        }
    }
    let Some((least, greatest)) = around(&splits) else {
        return false;
    };
    let mut clipped = clipped.into_iter().peekable();
    let mut out = Vec::with_capacity(shards.len() + 8 * splits.len());
    for (i, shard) in shards.drain(..).enumerate() {
        let normal = normal(&shard.corners);
        let mut emit = |polygon: &[Point3], inside: bool| {
            for corners in triangles(&expanded(polygon, &splits), normal) {
                let mut piece = shard.piece.clone();
                if inside {
                    piece.within.push(number);
                }
                out.push(Shard { corners, piece, ..shard });
            }
        };
        if let Some((_, of)) = clipped.next_if(|(k, _)| *k == i) {
            emit(&of.inside, true);
            for polygon in &of.outside {
                emit(polygon, false);
            }
            continue;
        }
        let corners = shard.corners;
        let touched = meets(&corners, least, greatest)
            && (0..3).any(|k| splits.contains_key(&edge(corners[k], corners[(k + 1) % 3])));
        if touched {
            emit(&corners, false);
        } else {
            out.push(shard);
        }
    }
    *shards = out;
    true
}

/// A triangle with a volume clipped out of it.
struct Clipped {
    inside: Vec<Point3>,
    outside: Vec<Vec<Point3>>,
    splits: Vec<([Point3; 2], Point3)>,
}

/// The triangle's part in a volume, and the rest; `None` if it has no part in it.
fn clip(corners: Corners, volume: &Volume) -> Option<Clipped> {
    let normal = normal(&corners);
    let mut of = Clipped { inside: corners.to_vec(), outside: vec![], splits: vec![] };
    for plane in 0..volume.planes() {
        let depths: Vec<i64> = of.inside.iter().map(|&p| volume.depth(plane, p)).collect();
        if depths.iter().all(|&d| d >= 0) {
            continue;
        }
        if depths.iter().all(|&d| d <= 0) {
            return None;
        }
        let (mut inside, mut outside) = (vec![], vec![]);
        for (k, (&p, &d)) in of.inside.iter().zip(&depths).enumerate() {
            if d >= 0 {
                inside.push(p);
            }
            if d <= 0 {
                outside.push(p);
            }
            let next = (k + 1) % depths.len();
            let (q, e) = (of.inside[next], depths[next]);
            if (d < 0) != (e < 0) && d != 0 && e != 0 {
                let at = if p < q { crossing(p, d, q, e) } else { crossing(q, e, p, d) };
                if at != p && at != q {
                    of.splits.push((edge(p, q), at));
                }
                inside.push(at);
                outside.push(at);
            }
        }
        for polygon in [&mut inside, &mut outside] {
            polygon.dedup();
            while polygon.len() > 1 && polygon.first() == polygon.last() {
                polygon.pop();
            }
        }
        if area(&inside, normal) <= 0 {
            return None;
        }
        if area(&outside, normal) > 0 {
            of.outside.push(outside);
        }
        of.inside = inside;
    }
    Some(of)
}

/// The grid point nearest to the intersection of a segment and a plane.
///
/// `d` and `e` are the signed depths of its ends `p` and `q`. `p` comes before `q` in order.
fn crossing(p: Point3, d: i64, q: Point3, e: i64) -> Point3 {
    let (d, e) = (i128::from(d), i128::from(e));
    let (num, den) = if d > 0 { (d, d - e) } else { (-d, e - d) };
    let at = |a: i32, b: i32| {
        let way = (i128::from(b) - i128::from(a)) * num;
        a + (2 * way + den).div_euclid(2 * den) as i32
    };
    Point3::new(at(p.x, q.x), at(p.y, q.y), at(p.z, q.z))
}

fn edge(p: Point3, q: Point3) -> [Point3; 2] {
    if p < q { [p, q] } else { [q, p] }
}

/// A box around all new corners; `None` if no edge was cut.
fn around(splits: &Splits) -> Option<(Point3, Point3)> {
    let of = |least: fn(i32, i32) -> i32| {
        splits
            .values()
            .copied()
            .reduce(|a, b| Point3::new(least(a.x, b.x), least(a.y, b.y), least(a.z, b.z)))
    };
    Some((of(i32::min)?, of(i32::max)?))
}

/// Does the box around a triangle meet a box?
fn meets(corners: &Corners, least: Point3, greatest: Point3) -> bool {
    let axis = |of: fn(Point3) -> i32| {
        let [a, b, c] = corners.map(of);
        a.min(b).min(c) <= of(greatest) && a.max(b).max(c) >= of(least)
    };
    axis(|p| p.x) && axis(|p| p.z) && axis(|p| p.y)
}

/// A polygon with the new corners of all its edges.
///
/// The insertion ends, because the new corner of an edge is in the box around its ends and differs
/// from both.
fn expanded(polygon: &[Point3], splits: &Splits) -> Vec<Point3> {
    let mut full = Vec::with_capacity(polygon.len() + 2);
    for (k, &p) in polygon.iter().enumerate() {
        full.push(p);
        let mut from = p;
        let mut ahead = vec![polygon[(k + 1) % polygon.len()]];
        while let Some(&to) = ahead.last() {
            match splits.get(&edge(from, to)) {
                Some(&at) => ahead.push(at),
                None => {
                    full.push(to);
                    from = to;
                    ahead.pop();
                }
            }
        }
        full.pop(); // the next corner, which comes with its own edge
    }
    full
}

type Vector = [i128; 3];

fn difference(a: Point3, b: Point3) -> Vector {
    [(b.x, a.x), (b.y, a.y), (b.z, a.z)].map(|(b, a)| i128::from(b) - i128::from(a))
}

fn cross(u: Vector, v: Vector) -> Vector {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

fn normal(corners: &Corners) -> Vector {
    let [a, b, c] = *corners;
    cross(difference(a, b), difference(a, c))
}

/// A triangle's area along a normal, in a unit that depends on the normal.
///
/// Coordinates below 2^26 keep it below 2^112.
fn measure(a: Point3, b: Point3, c: Point3, normal: Vector) -> i128 {
    let n = cross(difference(a, b), difference(a, c));
    n[0] * normal[0] + n[1] * normal[1] + n[2] * normal[2]
}

fn area(polygon: &[Point3], normal: Vector) -> i128 {
    let Some(&first) = polygon.first() else {
        return 0;
    };
    let fan = polygon.windows(2);
    fan.map(|w| measure(first, w[0], w[1], normal)).sum()
}

/// Triangulates a polygon that is convex up to rounding.
///
/// The triangulation maximises its smallest triangle. So corners within a side do not make
/// triangles without area. It uses dynamic programming (Klincsek, *Minimal triangulations of
/// polygonal domains*, 1980). Triangles without area are dropped.
fn triangles(polygon: &[Point3], normal: Vector) -> Vec<Corners> {
    let n = polygon.len();
    if n < 3 {
        return vec![];
    }
    let of = |i: usize, k: usize, j: usize| measure(polygon[i], polygon[k], polygon[j], normal);
    // For the chain from i to j: its smallest triangle, and the corner opposite to the closing
    // side.
    let mut best = vec![(i128::MAX, 0usize); n * n];
    for span in 2..n {
        for i in 0..n - span {
            let j = i + span;
            let mut chosen = (i128::MIN, i + 1);
            for k in i + 1..j {
                let least = best[i * n + k].0.min(best[k * n + j].0).min(of(i, k, j));
                if least > chosen.0 {
                    chosen = (least, k);
                }
            }
            best[i * n + j] = chosen;
        }
    }
    let (mut out, mut stack) = (vec![], vec![(0, n - 1)]);
    while let Some((i, j)) = stack.pop() {
        if j - i < 2 {
            continue;
        }
        let k = best[i * n + j].1;
        if of(i, k, j) > 0 {
            out.push([polygon[i], polygon[k], polygon[j]]);
        }
        stack.extend([(i, k), (k, j)]);
    }
    out
}
