//! Edges of ground that do not meet as they should.

use std::collections::BTreeSet;

use navbake_format::NoticedKind;
use navbake_geom::{Point3, orient};
use navbake_level::Level;

use super::Remark;

/// A vertex lies on an edge when it is this near to it, grid units: what rounding to the grid takes, on both.
const ON: f64 = 1.5;
/// Edges farther apart than this are meant to be, m.
const WIDE: f64 = 0.05;
/// Edges run side by side when they do so for at least this, m.
const LONG: f64 = 0.2;
/// Edges are looked up in cubes of this side, m.
const CUBE: f64 = 0.5;
/// Edges of more than two triangles of ground, vertices on open edges, and open edges side by side.
pub(super) fn edges(level: &Level, ground: &[bool]) -> Vec<Remark> {
    let mut sides: Vec<([u32; 2], bool)> = vec![];
    for (triangle, _) in level.triangles.iter().zip(ground).filter(|(_, g)| **g) {
        let [a, b, c] = triangle.v;
        for [u, v] in [[a, b], [b, c], [c, a]] {
            sides.push(([u.min(v), u.max(v)], u < v));
        }
    }
    sides.sort_unstable();
    let (mut remarks, mut open) = (vec![], vec![]);
    for same in sides.chunk_by(|a, b| a.0 == b.0) {
        let ([u, v], rising) = same[0];
        let ends = [u, v].map(|i| level.vertices[i as usize]);
        match same.len() {
            1 if rising => open.push(ends),
            1 => open.push([ends[1], ends[0]]),
            2 => {}
            many => remarks.push(Remark {
                value: many as f64,
                ..Remark::new(NoticedKind::NonManifoldEdge, between(level, ends))
            }),
        }
    }
    remarks.extend(near_misses(level, &open));
    remarks
}

/// Vertices on open edges, and open edges side by side that look at each other. Edges have their ground to the left.
fn near_misses(level: &Level, open: &[[Point3; 2]]) -> Vec<Remark> {
    let units = level.grid.units();
    let cubes = Cubes::of(open, units);
    let mut remarks = vec![];
    let mut told = BTreeSet::new();
    for (i, edge) in open.iter().enumerate() {
        for j in cubes.near(edge) {
            let other = open[j];
            if j == i || !boxes_meet(edge, &other, cubes.near as i32) {
                continue;
            }
            for v in edge {
                if on_edge(*v, other) && told.insert((*v, j)) {
                    remarks.push(Remark::new(NoticedKind::TJunction, level.grid.metres(*v)));
                }
            }
            if j > i
                && let Some((place, gap)) = crack(*edge, other, units)
            {
                remarks.push(Remark {
                    value: gap,
                    ..Remark::new(NoticedKind::Crack, metres(level, place))
                });
            }
        }
    }
    remarks
}

/// Are the boxes around two edges no farther apart than that?
fn boxes_meet([a, b]: &[Point3; 2], [c, d]: &[Point3; 2], near: i32) -> bool {
    let axis = |of: fn(&Point3) -> i32| {
        let (low, high) = (of(a).min(of(b)) - near, of(a).max(of(b)) + near);
        low <= of(c).max(of(d)) && high >= of(c).min(of(d))
    };
    axis(|p| p.x) && axis(|p| p.y) && axis(|p| p.z)
}

/// Does a vertex lie on an edge, between its ends?
fn on_edge(v: Point3, [a, b]: [Point3; 2]) -> bool {
    if v == a || v == b {
        return false;
    }
    let [v, a, b] = [v, a, b].map(float);
    let (along, away) = along(v, a, b);
    let length = length(sub(b, a));
    away <= ON && along > ON && along < length - ON
}

/// Where two edges that look at each other run side by side with a gap, and how wide that is, m.
fn crack(e: [Point3; 2], f: [Point3; 2], units: f64) -> Option<([f64; 3], f64)> {
    let [a, b] = e.map(float);
    let [c, d] = f.map(float);
    // What lies to the left of an edge is its ground.
    let beyond = |p: Point3| orient(e[0].flat(), e[1].flat(), p.flat()) <= 0;
    if !beyond(f[0]) || !beyond(f[1]) {
        return None;
    }
    let (u, w) = (sub(b, a), sub(d, c));
    let (lu, lw) = (length(u), length(w));
    // The ground lies to the left of both, so that they run against each other.
    if dot(u, w) > -0.99 * lu * lw {
        return None;
    }
    let ((s, away_c), (t, away_d)) = (along(c, a, b), along(d, a, b));
    let (from, to) = (s.min(t).max(0.0), s.max(t).min(lu));
    let wide = WIDE * units;
    let (near, far) = (away_c.min(away_d), away_c.max(away_d));
    if to - from < LONG * units || far > wide || near <= ON && far <= ON {
        return None;
    }
    let middle = (from + to) / 2.0 / lu;
    let on_e = [0, 1, 2].map(|k| a[k] + u[k] * middle);
    let (at, gap) = along(on_e, c, d);
    let on_f = [0, 1, 2].map(|k| c[k] + w[k] * (at / lw));
    Some(([0, 1, 2].map(|k| (on_e[k] + on_f[k]) / 2.0), gap / units))
}

/// How far along a segment's line a point lies, and how far from the line.
fn along(p: [f64; 3], a: [f64; 3], b: [f64; 3]) -> (f64, f64) {
    let (u, q) = (sub(b, a), sub(p, a));
    let whole = length(u);
    let s = dot(u, q) / whole;
    let foot = [0, 1, 2].map(|k| a[k] + u[k] * (s / whole));
    (s, length(sub(p, foot)))
}

fn float(p: Point3) -> [f64; 3] {
    [p.x, p.y, p.z].map(f64::from)
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] - b[k])
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn length(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

fn between(level: &Level, ends: [Point3; 2]) -> [f64; 3] {
    let [a, b] = ends.map(float);
    metres(level, [0, 1, 2].map(|k| (a[k] + b[k]) / 2.0))
}

/// A place in grid units as y-up metres.
fn metres(level: &Level, p: [f64; 3]) -> [f64; 3] {
    let grid = &level.grid;
    [0, 1, 2].map(|k| p[k] / grid.units() + grid.origin[k])
}

/// Edges by the cubes that they lead through or near to.
struct Cubes {
    side: i64,
    near: i64,
    /// Cube and edge, sorted.
    all: Vec<([i32; 3], u32)>,
}

impl Cubes {
    fn of(edges: &[[Point3; 2]], units: f64) -> Cubes {
        let mut cubes = Cubes {
            side: (CUBE * units) as i64,
            near: (WIDE * units).ceil() as i64 + 1,
            all: vec![],
        };
        for (i, edge) in (0u32..).zip(edges) {
            let own = cubes.around(edge).into_iter().map(|cube| (cube, i));
            cubes.all.extend(own);
        }
        cubes.all.sort_unstable();
        cubes
    }

    /// The edges that may be near to one, rising.
    fn near(&self, edge: &[Point3; 2]) -> Vec<usize> {
        let own = self.around(edge).into_iter().flat_map(|cube| {
            let from = self.all.partition_point(|(c, _)| *c < cube);
            let run = self.all[from..].iter();
            run.take_while(move |(c, _)| *c == cube)
                .map(|(_, i)| *i as usize)
        });
        let mut found: Vec<usize> = own.collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The cubes that the boxes around an edge's pieces meet, each piece no longer than a cube's side.
    fn around(&self, [a, b]: &[Point3; 2]) -> Vec<[i32; 3]> {
        let [p, q] = [a, b].map(|p| [p.x, p.y, p.z].map(i64::from));
        let most = (0..3).map(|k| (q[k] - p[k]).abs()).max().unwrap_or(0);
        let steps = most / self.side + 1;
        let at = |s: i64| [0, 1, 2].map(|k| p[k] + (q[k] - p[k]) * s / steps);
        let mut cubes = vec![];
        for s in 0..steps {
            let (from, to) = (at(s), at(s + 1));
            let range = |k: usize| {
                let (low, high) = (
                    from[k].min(to[k]) - self.near,
                    from[k].max(to[k]) + self.near,
                );
                let cube = |c: i64| c.div_euclid(self.side) as i32;
                cube(low)..=cube(high)
            };
            for x in range(0) {
                for y in range(1) {
                    cubes.extend(range(2).map(|z| [x, y, z]));
                }
            }
        }
        cubes.sort_unstable();
        cubes.dedup();
        cubes
    }
}
