//! Creases and rings that meet in grid points only.
//!
//! Lines are cut where they cross, at the nearest grid point, which bends them by less than a unit,
//! and where an end of one is within two units of another: so cracks and overlaps that the grid's
//! rounding left between triangles close. That is done again until nothing crosses. Rings are cut
//! too: open edges, which run along x or z, exactly on their line; others into the ground.

use std::collections::BTreeMap;

use navbake_geom::{Point, Whole, orient};
use navbake_walkable::Ring;

/// Rounds of cutting; a third one is rare.
const ROUNDS: usize = 12;
/// Points nearer to a line than this, in grid units, count as on it.
const NEAR: i64 = 2;

/// A piece of a line: a part of a ring (`Some`: its ring, and whether it is open), or of a crease,
/// lesser end first.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    ends: [Point; 2],
    ring: Option<(u32, bool)>,
}

impl Piece {
    fn crease(a: Point, b: Point) -> Piece {
        Piece { ends: [a.min(b), a.max(b)], ring: None }
    }

    fn span(&self, of: fn(&Point) -> i32) -> [i32; 2] {
        let [a, b] = [of(&self.ends[0]), of(&self.ends[1])];
        [a.min(b), a.max(b)]
    }

    /// Does it keep its place exactly?
    fn is_open(&self) -> bool {
        self.ring.is_some_and(|r| r.1)
    }

    /// Is the place next to the piece, but at neither end?
    fn is_beside(&self, p: Point) -> bool {
        let [a, b] = self.ends;
        if p == a || p == b {
            return false;
        }
        let [dx, dz] = [i64::from(b.x - a.x), i64::from(b.z - a.z)];
        let along = i64::from(p.x - a.x) * dx + i64::from(p.z - a.z) * dz;
        let square = dx * dx + dz * dz;
        let off = i128::from(orient(a, b, p));
        along > 0 && along < square && off * off <= i128::from(NEAR * NEAR) * i128::from(square)
    }
}

/// Rings with creases along lines; `None` when no arrangement is found.
pub(crate) fn cut(rings: &[Ring], lines: &[[Point; 2]]) -> Option<Vec<Ring>> {
    arrange(rings, lines, false)
}

/// The same without the creases that still cross after some rounds, which many short ones at one
/// place may do.
pub(crate) fn cut_by_most(rings: &[Ring], lines: &[[Point; 2]]) -> Option<Vec<Ring>> {
    arrange(rings, lines, true)
}

fn arrange(rings: &[Ring], lines: &[[Point; 2]], may_drop: bool) -> Option<Vec<Ring>> {
    let mut pieces: Vec<Piece> = vec![];
    for (r, ring) in rings.iter().enumerate() {
        let n = ring.points.len();
        if ring.open.len() != n {
            return None;
        }
        pieces.extend((0..n).map(|i| Piece {
            ends: [ring.points[i], ring.points[(i + 1) % n]],
            ring: Some((r as u32, ring.open[i])),
        }));
    }
    let lines = settle(lines, &pieces);
    pieces.extend(lines.iter().map(|&[a, b]| Piece::crease(a, b)));
    for _ in 0..ROUNDS {
        let (cuts, done) = cuts(&pieces);
        pieces = apply(&pieces, &cuts);
        if done {
            return finish(rings.len(), pieces);
        }
    }
    loop {
        let (cuts, done) = cuts(&pieces);
        if done {
            return finish(rings.len(), pieces);
        }
        if !may_drop {
            return None;
        }
        let is_cut = |k: usize, piece: &Piece| piece.ring.is_none() && !cuts[k].is_empty();
        let kept = pieces.iter().enumerate().filter(|&(k, piece)| !is_cut(k, piece));
        let kept: Vec<Piece> = kept.map(|(_, &piece)| piece).collect();
        // Rings are cut at the ends of creases that stay.
        pieces = if kept.len() < pieces.len() { kept } else { apply(&pieces, &cuts) };
    }
}

/// Moves the ends of lines that are next to corners of rings, to each other or to open edges there.
fn settle(lines: &[[Point; 2]], rings: &[Piece]) -> Vec<[Point; 2]> {
    let mut corners: BTreeMap<[i32; 2], Vec<Point>> = BTreeMap::new();
    let bin = |p: Point| [p.x.div_euclid(64), p.z.div_euclid(64)];
    let near = |known: &BTreeMap<[i32; 2], Vec<Point>>, p: Point| {
        let [i, j] = bin(p);
        let around = (i - 1..=i + 1).flat_map(|i| (j - 1..=j + 1).map(move |j| [i, j]));
        let all = around.filter_map(|key| known.get(&key)).flatten().copied();
        let away = |q: Point| {
            let [dx, dz] = [i64::from(p.x - q.x), i64::from(p.z - q.z)];
            dx * dx + dz * dz
        };
        let close = all.map(|q| (away(q), q)).filter(|q| q.0 <= NEAR * NEAR);
        close.min().map(|q| q.1)
    };
    for piece in rings {
        corners.entry(bin(piece.ends[0])).or_default().push(piece.ends[0]);
    }
    let mut ends: Vec<Point> = lines.iter().flatten().copied().collect();
    ends.sort_unstable();
    ends.dedup();
    let mut moved: BTreeMap<Point, Point> = BTreeMap::new();
    for p in ends {
        let mut to = p;
        if let Some(corner) = near(&corners, p) {
            to = corner;
        } else if let Some(edge) = rings.iter().find(|e| e.is_open() && e.is_beside(p)) {
            let [a, b] = edge.ends;
            if a.x == b.x {
                to.x = a.x;
            } else if a.z == b.z {
                to.z = a.z;
            }
        }
        if near(&corners, to).is_none() {
            corners.entry(bin(to)).or_default().push(to);
        } else if let Some(corner) = near(&corners, to) {
            to = corner;
        }
        moved.insert(p, to);
    }
    let mut settled: Vec<[Point; 2]> = (lines.iter())
        .map(|l| l.map(|p| moved[&p]))
        .map(|[a, b]| [a.min(b), a.max(b)])
        .filter(|[a, b]| a != b)
        .collect();
    settled.sort_unstable();
    settled.dedup();
    settled
}

/// Where pieces are to be cut, for each piece, and whether there is nothing more to do.
fn cuts(pieces: &[Piece]) -> (Vec<Vec<Point>>, bool) {
    let mut cuts = vec![vec![]; pieces.len()];
    let mut order: Vec<([i32; 2], u32)> =
        (pieces.iter()).map(|p| p.span(|p| p.x)).zip(0u32..).collect();
    order.sort_unstable_by_key(|&(span, k)| (span, pieces[k as usize].ends, k));
    let room = NEAR as i32;
    let mut done = true;
    for (n, &(span, i)) in order.iter().enumerate() {
        let later = order[n + 1..].iter().take_while(|o| o.0[0] <= span[1] + room);
        for &(_, j) in later {
            let (p, q) = (&pieces[i as usize], &pieces[j as usize]);
            let (u, v) = (p.span(|p| p.z), q.span(|p| p.z));
            if p.ring.is_some() && q.ring.is_some() || u[1] + room < v[0] || v[1] + room < u[0] {
                continue;
            }
            let met = meet(p, q);
            for (k, cut) in [(i, met[0]), (j, met[1])] {
                for at in cut.into_iter().flatten() {
                    cuts[k as usize].push(at);
                    done = false;
                }
            }
        }
    }
    (cuts, done)
}

/// Where two pieces, one of them a crease, are to be cut: up to two places each.
fn meet(p: &Piece, q: &Piece) -> [[Option<Point>; 2]; 2] {
    let beside = |own: &Piece, other: &Piece| {
        other.ends.map(|end| {
            let [a, b] = own.ends;
            let side = orient(a, b, end);
            let fits = match own.ring {
                None => true,
                // Ground is to the left of rings.
                Some((_, false)) => side >= 0,
                Some((_, true)) => side == 0,
            };
            (own.is_beside(end) && fits).then_some(end)
        })
    };
    let touches = [beside(p, q), beside(q, p)];
    if touches.iter().flatten().any(Option::is_some) {
        return touches;
    }
    let ([a, b], [c, d]) = (p.ends, q.ends);
    let (u, v) = (orient(a, b, c).signum(), orient(a, b, d).signum());
    let (s, t) = (orient(c, d, a).signum(), orient(c, d, b).signum());
    if u * v >= 0 || s * t >= 0 {
        return [[None; 2]; 2];
    }
    let at = place(p, q);
    let cut = |own: &Piece| (!own.ends.contains(&at)).then_some(at);
    // An open edge that does not follow an axis has hardly any grid points on it: the crease ends
    // beside it.
    let whole = |own: &Piece| !own.is_open() || orient(own.ends[0], own.ends[1], at) == 0;
    match (whole(p), whole(q)) {
        (true, true) => [[cut(p), None], [cut(q), None]],
        (true, false) => [[cut(p), None], [None; 2]],
        (false, _) => [[None; 2], [cut(q), None]],
    }
}

/// The grid point where two pieces that cross are cut.
fn place(p: &Piece, q: &Piece) -> Point {
    // The same for both orders and directions.
    let (fixed, other) = match (p.ring.is_some(), q.ring.is_some()) {
        (true, _) => (p, q),
        (_, true) => (q, p),
        _ if p.ends <= q.ends => (p, q),
        _ => (q, p),
    };
    let [c, d] = [other.ends[0].min(other.ends[1]), other.ends[0].max(other.ends[1])];
    let [a, b] = fixed.ends;
    let (s, t) = (orient(a, b, c) as f64, orient(a, b, d) as f64);
    let part = s / (s - t);
    let x = f64::from(c.x) + part * f64::from(d.x - c.x);
    let z = f64::from(c.z) + part * f64::from(d.z - c.z);
    let nearest = Point::new(x.to_nearest(), z.to_nearest());
    if fixed.is_open() {
        return match (a.x == b.x, a.z == b.z) {
            (true, _) => Point::new(a.x, nearest.z),
            (_, true) => Point::new(nearest.x, a.z),
            _ => nearest,
        };
    }
    if fixed.ring.is_none() || orient(a, b, nearest) >= 0 {
        return nearest;
    }
    // Into the ground.
    let (fx, fz) = (x.to_floor(), z.to_floor());
    let around = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[i, j]| Point::new(fx + i, fz + j));
    let inside = around.into_iter().filter(|&p| orient(a, b, p) >= 0);
    let away = |p: &Point| {
        let [dx, dz] = [f64::from(p.x) - x, f64::from(p.z) - z];
        dx * dx + dz * dz
    };
    let best = inside.min_by(|p, q| away(p).total_cmp(&away(q)).then(p.cmp(q)));
    best.unwrap_or(nearest)
}

/// Cuts pieces; creases are sorted, each once, and none is a part of a ring.
fn apply(pieces: &[Piece], cuts: &[Vec<Point>]) -> Vec<Piece> {
    let mut rings = vec![];
    let mut creases: Vec<[Point; 2]> = vec![];
    for (piece, cuts) in pieces.iter().zip(cuts) {
        let [a, b] = piece.ends;
        let along = |p: &Point| {
            i64::from(p.x - a.x) * i64::from(b.x - a.x)
                + i64::from(p.z - a.z) * i64::from(b.z - a.z)
        };
        let mut places = cuts.clone();
        places.sort_unstable_by_key(|p| (along(p), *p));
        places.dedup();
        places.push(b);
        let mut from = a;
        for to in places {
            if from == to {
                continue;
            }
            match piece.ring {
                Some(_) => rings.push(Piece { ends: [from, to], ..*piece }),
                None => creases.push([from.min(to), from.max(to)]),
            }
            from = to;
        }
    }
    creases.sort_unstable();
    creases.dedup();
    let mut known: Vec<[Point; 2]> = (rings.iter())
        .map(|p: &Piece| [p.ends[0].min(p.ends[1]), p.ends[0].max(p.ends[1])])
        .collect();
    known.sort_unstable();
    creases.retain(|c| known.binary_search(c).is_err());
    rings.extend(creases.iter().map(|&[a, b]| Piece::crease(a, b)));
    rings
}

/// Rings again, and a ring of two corners for each crease within them.
fn finish(count: usize, pieces: Vec<Piece>) -> Option<Vec<Ring>> {
    let mut rings = vec![Ring::default(); count];
    let mut creases = vec![];
    for piece in &pieces {
        match piece.ring {
            Some((r, open)) => {
                rings.get_mut(r as usize)?.push(piece.ends[0], open);
            }
            None => creases.push(piece.ends),
        }
    }
    let edges: Vec<[Point; 2]> =
        (pieces.iter()).filter(|p| p.ring.is_some()).map(|p| p.ends).collect();
    creases.retain(|&c| is_within(&edges, c));
    let corners: Vec<Point> = edges.iter().map(|e| e[0]).collect();
    for [a, b] in straightened(creases, corners) {
        rings.push(Ring { points: vec![a, b], open: vec![true; 2] });
    }
    Some(rings)
}

/// Is the middle of a crease inside rings? Twice the places, so that it is a grid point.
fn is_within(edges: &[[Point; 2]], [a, b]: [Point; 2]) -> bool {
    let [x, z] =
        [f64::from(a.x) + f64::from(b.x), f64::from(a.z) + f64::from(b.z)].map(|c| c / 2.0);
    let crossed = edges.iter().filter(|[p, q]| {
        let ([px, pz], [qx, qz]) =
            ([f64::from(p.x), f64::from(p.z)], [f64::from(q.x), f64::from(q.z)]);
        (pz <= z) != (qz <= z) && px + (z - pz) / (qz - pz) * (qx - px) > x
    });
    crossed.count() % 2 == 1
}

/// Creases that go straight on from each other, with nothing else there, become one.
fn straightened(creases: Vec<[Point; 2]>, mut corners: Vec<Point>) -> Vec<[Point; 2]> {
    corners.sort_unstable();
    let mut at: BTreeMap<Point, Vec<Point>> = BTreeMap::new();
    for &[a, b] in &creases {
        at.entry(a).or_default().push(b);
        at.entry(b).or_default().push(a);
    }
    let places: Vec<Point> = at.keys().copied().collect();
    for p in places {
        let Some(&[a, b]) = at.get(&p).and_then(|n| <&[Point; 2]>::try_from(&n[..]).ok()) else {
            continue;
        };
        let dot = i64::from(a.x - p.x) * i64::from(b.x - p.x)
            + i64::from(a.z - p.z) * i64::from(b.z - p.z);
        if orient(a, p, b) != 0 || dot >= 0 || corners.binary_search(&p).is_ok() {
            continue;
        }
        at.remove(&p);
        for (own, other) in [(a, b), (b, a)] {
            if let Some(ends) = at.get_mut(&own) {
                ends.iter_mut().filter(|e| **e == p).for_each(|e| *e = other);
            }
        }
    }
    let mut straight: Vec<[Point; 2]> = (at.iter())
        .flat_map(|(&a, ends)| ends.iter().map(move |&b| [a, b]))
        .filter(|[a, b]| a < b)
        .collect();
    straight.sort_unstable();
    straight.dedup();
    straight
}
