//! A plain checker of straight lines on a navmesh.
//!
//! It uses exact fractions and closed polygons, and of the runtime only the polygons' corners and
//! neighbours.

use std::collections::{BTreeMap, BTreeSet};

use navbake_search::{NavMesh, PolyId};

/// A time on a straight line: 0 at its start, 1 at its end.
///
/// The denominator is positive.
#[derive(Clone, Copy, Debug)]
struct Time(i128, i128);

impl Time {
    fn before(self, other: Time) -> bool {
        self.0 * other.1 < other.0 * self.1
    }

    fn later(self, other: Time) -> Time {
        if self.before(other) { other } else { self }
    }

    fn earlier(self, other: Time) -> Time {
        if other.before(self) { other } else { self }
    }
}

/// A closed interval of times; `None` for an empty one.
type Span = Option<[Time; 2]>;

/// The part of an interval in which a quantity is not negative.
///
/// The quantity changes linearly from `g0` to `g1`.
fn clip(span: Span, g0: i128, g1: i128) -> Span {
    let [low, high] = span?;
    let span = match (g0 < 0, g1 < 0) {
        (false, false) => [low, high],
        (true, true) => return None,
        (true, false) => [low.later(Time(-g0, g1 - g0)), high],
        (false, true) => [low, high.earlier(Time(g0, g0 - g1))],
    };
    (!span[1].before(span[0])).then_some(span)
}

const ALWAYS: Span = Some([Time(0, 1), Time(1, 1)]);

type Point = [i32; 2];

/// Positive when `p` is left of `u v`, seen from above.
fn side([u, v]: [Point; 2], p: Point) -> i128 {
    let [d, e] = [v, p].map(|q| [0, 1].map(|k| i128::from(q[k]) - i128::from(u[k])));
    d[1] * e[0] - d[0] * e[1]
}

/// The position of a point along `u v`.
fn along([u, v]: [Point; 2], p: Point) -> i128 {
    let [d, e] = [v, p].map(|q| [0, 1].map(|k| i128::from(q[k]) - i128::from(u[k])));
    d[0] * e[0] + d[1] * e[1]
}

fn edges<'m>(
    mesh: &'m NavMesh<'_>,
    id: PolyId,
) -> impl Iterator<Item = ([Point; 2], Option<PolyId>)> + 'm {
    let polygon = mesh.polygon(id);
    (0..polygon.len()).map(move |k| {
        let ends = [polygon.corner(k), polygon.corner((k + 1) % polygon.len())];
        (ends, polygon.neighbour(k))
    })
}

/// The interval in which the line from `a` to `b` is over the polygon.
fn over(mesh: &NavMesh<'_>, id: PolyId, a: Point, b: Point) -> Span {
    edges(mesh, id).fold(ALWAYS, |span, (edge, _)| clip(span, side(edge, a), side(edge, b)))
}

/// The interval in which it is on the edge.
fn on([u, v]: [Point; 2], a: Point, b: Point) -> Span {
    let (sa, sb) = (side([u, v], a), side([u, v], b));
    let span = clip(clip(ALWAYS, sa, sb), -sa, -sb);
    let span = clip(span, along([u, v], a), along([u, v], b));
    clip(span, along([v, u], a), along([v, u], b))
}

/// Polygons that a straight line from `a` to `b` can end in.
///
/// `from` holds the polygons where it can begin. Where there is a choice, all choices are followed.
/// Empty when every choice leaves the mesh.
pub fn walk(mesh: &NavMesh<'_>, from: &BTreeSet<PolyId>, a: Point, b: Point) -> BTreeSet<PolyId> {
    // The earliest time at which the line can be in a polygon.
    let mut seen: BTreeMap<PolyId, Time> = BTreeMap::new();
    let mut stack = vec![];
    for &id in from {
        if over(mesh, id, a, a).is_some() {
            seen.insert(id, Time(0, 1));
            stack.push(id);
        }
    }
    while let Some(id) = stack.pop() {
        let now = seen[&id];
        for (edge, beyond) in edges(mesh, id) {
            let (Some(beyond), Some([first, last])) = (beyond, on(edge, a, b)) else {
                continue;
            };
            if last.before(now) {
                continue;
            }
            let then = first.later(now);
            if seen.get(&beyond).is_none_or(|&known| then.before(known)) {
                seen.insert(beyond, then);
                stack.push(beyond);
            }
        }
    }
    let ends_in = |id: &PolyId| over(mesh, *id, b, b).is_some();
    seen.into_keys().filter(ends_in).collect()
}
