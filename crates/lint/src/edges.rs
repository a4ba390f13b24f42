//! Edges of ground that do not meet properly.

use navbake_format::DiagnosticKind;
use navbake_geom::{BoxBounds, Grid, Point3, Whole, orient, touching_pairs};
use navbake_level::Level;

use crate::Diagnostic;

/// A vertex is on an edge if its distance is at most this, grid units.
///
/// The value allows for the rounding of both to the grid.
const ON: f64 = 1.5;
/// Gaps between edges wider than this, m, are intended.
const WIDE: f64 = 0.05;
/// Two edges are side by side if they are parallel for at least this, m.
const LONG: f64 = 0.2;
/// Edges are compared by pieces of at most this length, m.
const PIECE: f64 = 2.0;
/// A piece is compared with at most this many others, on average.
const EFFORT: usize = 256;

/// An edge whose ground is to its left.
type Edge = [Point3; 2];

/// Open edges of a level and the near misses between them, which make the check of a similar level
/// faster: two edges that both levels have are not compared again.
#[derive(Debug, Default)]
pub struct EarlierEdges {
    grid: Option<Grid>,
    /// Sorted by their ends.
    open: Vec<Edge>,
    found: Vec<([Edge; 2], Diagnostic)>,
}

/// Finds edges of ground that do not meet properly.
///
/// These are edges of more than two triangles, vertices on open edges, and open edges side by side.
/// False if the last two were not looked for, because too many edges are in one place. `earlier` is
/// replaced by the edges of this level.
pub(crate) fn edges(
    level: &Level,
    ground: &[bool],
    earlier: &mut EarlierEdges,
) -> (Vec<Diagnostic>, bool) {
    let all = level.triangles.iter().zip(ground).filter(|(_, g)| **g);
    let all = all.flat_map(|(t, _)| [[t.v[0], t.v[1]], [t.v[1], t.v[2]], [t.v[2], t.v[0]]]);
    // Edges by their lesser vertex: the greater one, and whether they rise to it.
    let mut first = vec![0usize; level.vertices.len() + 1];
    for [u, v] in all.clone() {
        first[u.min(v) as usize + 1] += 1;
    }
    for k in 1..first.len() {
        first[k] += first[k - 1];
    }
    let (mut sides, mut next) = (vec![0u32; first[level.vertices.len()]], first.clone());
    for [u, v] in all {
        let at = &mut next[u.min(v) as usize];
        // There are fewer than 2^31 vertices.
        sides[*at] = u.max(v) << 1 | u32::from(u < v);
        *at += 1;
    }
    let (mut found, mut open) = (vec![], vec![]);
    for (&a, ends) in level.vertices.iter().zip(first.windows(2)) {
        let sides = &mut sides[ends[0]..ends[1]];
        sides.sort_unstable();
        for same in sides.chunk_by(|a, b| a >> 1 == b >> 1) {
            let b = level.vertices[(same[0] >> 1) as usize];
            match same.len() {
                1 if same[0] & 1 == 1 => open.push([a, b]),
                1 => open.push([b, a]),
                2 => {}
                many => found.push(Diagnostic {
                    value: many as f64,
                    ..Diagnostic::new(DiagnosticKind::NonManifoldEdge, between(level, [a, b]))
                }),
            }
        }
    }
    let near_misses = earlier.near_misses(&level.grid, open);
    let is_whole = near_misses.is_some();
    found.extend(near_misses.into_iter().flatten());
    (found, is_whole)
}

impl EarlierEdges {
    /// Finds vertices on open edges, and open edges side by side that face each other.
    ///
    /// `None` if too many are in one place. Near linear time otherwise.
    fn near_misses(&mut self, grid: &Grid, mut open: Vec<Edge>) -> Option<Vec<Diagnostic>> {
        let units = grid.units();
        let near = (WIDE * units).to_ceil() + 1;
        open.sort_by_key(ends);
        let earlier = std::mem::take(self);
        let earlier = if earlier.grid == Some(*grid) { earlier } else { EarlierEdges::default() };
        let mut known = earlier.open.iter().peekable();
        let is_new: Vec<bool> = (open.iter())
            .map(|edge| {
                while known.next_if(|old| ends(old) < ends(edge)).is_some() {}
                known.next_if_eq(&edge).is_none()
            })
            .collect();
        let is_there = |edge: &Edge| {
            let place = open.binary_search_by_key(&ends(edge), ends);
            place.is_ok_and(|place| open[place] == *edge)
        };
        let mut found = earlier.found;
        found.retain(|(edges, _)| edges.iter().all(is_there));

        // Only edges near a new edge can be part of a new pair.
        let new = open.iter().zip(&is_new).filter(|(_, is_new)| **is_new);
        let corners: Vec<Point3> = new.flat_map(|(edge, _)| *edge).collect();
        let place = BoxBounds::around(&corners, near, near);
        let is_near = |edge: &Edge| BoxBounds::around(edge, 0, 0).touches(&place);
        let numbers: Vec<usize> = (0..open.len()).filter(|&k| is_near(&open[k])).collect();
        let close: Vec<Edge> = numbers.iter().map(|&k| open[k]).collect();
        let is_whole = pairs(&close, near, (PIECE * units) as i32, |i, j| {
            if !is_new[numbers[i]] && !is_new[numbers[j]] {
                return;
            }
            let both = [close[i], close[j]];
            for [edge, other] in [both, [both[1], both[0]]] {
                let on = edge.into_iter().filter(|v| on_edge(*v, other));
                let diagnostic = |v| Diagnostic::new(DiagnosticKind::TJunction, grid.metres(v));
                found.extend(on.map(|v| (both, diagnostic(v))));
            }
            if let Some((place, gap)) = crack(both[0], both[1], units) {
                let crack = Diagnostic::new(DiagnosticKind::Crack, grid.metres(place));
                found.push((both, Diagnostic { value: gap, ..crack }));
            }
        });
        if !is_whole {
            // The limit grows with the number of edges: all of them may still be within it.
            return match numbers.len() < open.len() {
                true => self.near_misses(grid, open),
                false => None,
            };
        }
        let all = found.iter().map(|(_, diagnostic)| diagnostic.clone()).collect();
        *self = EarlierEdges { grid: Some(*grid), open, found };
        Some(all)
    }
}

/// The ends of an edge, the lesser one first.
fn ends(edge: &Edge) -> Edge {
    let [a, b] = *edge;
    [a.min(b), a.max(b)]
}

/// Is a vertex on an edge, between its ends?
fn on_edge(v: Point3, [a, b]: [Point3; 2]) -> bool {
    // Most are not even in its box.
    let is_along = |v: i32, a: i32, b: i32| (a.min(b) - 2..=a.max(b) + 2).contains(&v);
    if !(is_along(v.x, a.x, b.x) && is_along(v.z, a.z, b.z) && is_along(v.y, a.y, b.y))
        || v == a
        || v == b
    {
        return false;
    }
    let [v, a, b] = [v, a, b].map(float);
    let (along, away) = along(v, a, b);
    let length = length(sub(b, a));
    away <= ON && along > ON && along < length - ON
}

/// Position and width (m) of the gap between two edges side by side.
///
/// The edges face each other.
fn crack(e: [Point3; 2], f: [Point3; 2], units: f64) -> Option<([f64; 3], f64)> {
    let [a, b] = e.map(float);
    let [c, d] = f.map(float);
    // To the left of an edge is its ground.
    let beyond = |p: Point3| orient(e[0].flat(), e[1].flat(), p.flat()) <= 0;
    if !beyond(f[0]) || !beyond(f[1]) {
        return None;
    }
    let (u, w) = (sub(b, a), sub(d, c));
    let (lu, lw) = (length(u), length(w));
    // Ground is to the left of both edges, so they must have opposite directions.
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

/// The position of a point along a segment's line, and its distance from the line.
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
    level.grid.metres([0, 1, 2].map(|k| (a[k] + b[k]) / 2.0))
}

/// Calls `f` with pairs of edges, the smaller number first.
///
/// All pairs that have points no farther apart than `near` are included. Pairs can repeat. False if
/// there are too many.
fn pairs(edges: &[[Point3; 2]], near: i32, piece: i32, mut f: impl FnMut(usize, usize)) -> bool {
    // Half of it around each edge, plus the error of the ends of pieces.
    let around = near / 2 + 2;
    let (mut boxes, mut edge_of) = (vec![], vec![]);
    for (number, [a, b]) in edges.iter().enumerate() {
        let [p, q] = [a, b].map(|p| [p.x, p.y, p.z].map(i64::from));
        let most = (0..3).map(|k| (q[k] - p[k]).abs()).max().unwrap_or(0);
        let steps = most / i64::from(piece) + 1;
        let at = |s: i64| {
            let [x, y, z] = [0, 1, 2].map(|k| (p[k] + (q[k] - p[k]) * s / steps) as i32);
            Point3 { x, y, z }
        };
        let mut from = *a;
        for to in (1..=steps).map(at) {
            boxes.push(BoxBounds::around(&[from, to], around, around));
            edge_of.push(number);
            from = to;
        }
    }
    touching_pairs(&boxes, EFFORT, |i, j| {
        let (i, j) = (edge_of[i], edge_of[j]);
        if i != j {
            f(i.min(j), i.max(j));
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Edges of which many touch or run side by side.
    fn random(mut seed: u32, count: usize) -> Vec<Edge> {
        let mut next = move |most: i32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as i32 % most
        };
        let mut edges: Vec<Edge> = vec![];
        for k in 0..count {
            let place = |next: &mut dyn FnMut(i32) -> i32, side: i32| {
                let mut v = || next(side) - side / 2;
                Point3 { x: v(), y: v() / 8, z: v() }
            };
            let a = place(&mut next, 30_000);
            let side = [300, 3000, 30_000][k % 3];
            let along = place(&mut next, side);
            let plus = |a: Point3, b: Point3| Point3 { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z };
            let b = plus(a, along);
            edges.push([a, b]);
            match k % 4 {
                // Parallel and back, with a gap that is a crack or with none.
                0 => edges.push([b, a].map(|p| plus(p, place(&mut next, 120)))),
                // Starts at its middle.
                1 => {
                    let half = |a: i32, b: i32| a + (b - a) / 2;
                    let middle = [half(a.x, b.x), half(a.y, b.y), half(a.z, b.z)];
                    let [x, y, z] = middle;
                    edges.push([Point3 { x, y, z }, place(&mut next, 20_000)]);
                }
                _ => {}
            }
        }
        edges
    }

    #[test]
    fn edges_that_touch_or_run_side_by_side_are_those_of_all_pairs() {
        let (near, piece, units) = (53, 2048, 1024.0);
        let edges = random(5, 1500);
        let collect = |i: usize, j: usize, found: &mut BTreeSet<(usize, usize, usize)>| {
            let (e, f) = (edges[i], edges[j]);
            for (k, on) in [on_edge(e[0], f), on_edge(e[1], f), on_edge(f[0], e), on_edge(f[1], e)]
                .into_iter()
                .chain([crack(e, f, units).is_some()])
                .enumerate()
            {
                if on {
                    found.insert((i, j, k));
                }
            }
        };
        let (mut found, mut wanted) = (BTreeSet::new(), BTreeSet::new());
        pairs(&edges, near, piece, |i, j| collect(i, j, &mut found));
        for j in 0..edges.len() {
            (0..j).for_each(|i| collect(i, j, &mut wanted));
        }
        assert_eq!(found, wanted);
        let count = |crack: bool| wanted.iter().filter(|w| (w.2 == 4) == crack).count();
        assert!(count(true) > 30 && count(false) > 100, "{} {}", count(true), count(false));
    }

    #[test]
    fn near_misses_of_changed_edges_are_those_of_all_edges() {
        let all = random(7, 2000);
        let grid = Grid { bits: 10, origin: [0.0; 3] };
        let bits = |d: Diagnostic| (d.kind, d.at.map(f64::to_bits), d.value.to_bits());
        let mut earlier = EarlierEdges::default();
        // A window that moves, jumps and returns.
        let windows = [0..900, 3..900, 3..940, 800..1700, 803..1706, 0..900, 0..900, 0..0, 5..2000];
        for (round, window) in windows.into_iter().enumerate() {
            let mut open = all[window].to_vec();
            open.sort_by_key(ends);
            open.dedup_by_key(|edge| ends(edge));
            if round % 2 == 1 {
                open.iter_mut().step_by(97).for_each(|edge| edge.reverse());
            }
            let sets = [&mut earlier, &mut EarlierEdges::default()].map(|known| {
                let found = known.near_misses(&grid, open.clone()).unwrap();
                found.into_iter().map(bits).collect::<BTreeSet<_>>()
            });
            assert_eq!(sets[0], sets[1], "round {round}");
            assert!(open.is_empty() || sets[1].len() > 20, "{}", sets[1].len());
        }
    }
}
