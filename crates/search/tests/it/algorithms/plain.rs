//! Plain searches, as simple as can be.

use std::collections::BTreeMap;

use navbake_search::{NavPoint, NavQuery, PolyId};

/// Rounded as the library rounds it, so that ties are the same.
pub(super) fn length([a, b]: [[f64; 2]; 2]) -> f64 {
    let d = [b[0] - a[0], b[1] - a[1]];
    (d[0] * d[0] + d[1] * d[1]).sqrt()
}

pub(super) fn float(p: [i32; 2]) -> [f64; 2] {
    p.map(f64::from)
}

/// Length of the shortest path from middle to middle of portals, grid units: Dijkstra's, over all
/// pairs of portals of a polygon, without a heap.
pub(super) fn plain_midpoints(query: &NavQuery<'_>, from: &NavPoint, to: &NavPoint) -> Option<f64> {
    let mesh = query.mesh();
    // A portal is known by its polygons, the lower one first, and the sum of its ends.
    let mut portals: BTreeMap<(u32, u32, [i32; 2]), [f64; 2]> = BTreeMap::new();
    for polygon in mesh.polygons() {
        for k in 0..polygon.len() {
            if let Some(beyond) = polygon.neighbour(k) {
                let (a, b) = (polygon.corner(k), polygon.corner(polygon.next(k)));
                let (p, q) = (polygon.id().0, beyond.0);
                let sum = [a[0] + b[0], a[1] + b[1]];
                portals.insert((p.min(q), p.max(q), sum), sum.map(|c| f64::from(c) / 2.0));
            }
        }
    }
    let all: Vec<((u32, u32), [f64; 2])> =
        portals.into_iter().map(|((p, q, _), m)| ((p, q), m)).collect();
    let (start, goal) = (from.polygon().0, to.polygon().0);
    if start == goal {
        return Some(length([float(from.point()), float(to.point())]));
    }
    let mut best = vec![f64::INFINITY; all.len()];
    let mut done = vec![false; all.len()];
    for (n, &((p, q), middle)) in all.iter().enumerate() {
        if p == start || q == start {
            best[n] = length([float(from.point()), middle]);
        }
    }
    while let Some(n) = (0..all.len())
        .filter(|&n| !done[n] && best[n].is_finite())
        .min_by(|&a, &b| best[a].total_cmp(&best[b]))
    {
        done[n] = true;
        let ((p, q), middle) = all[n];
        for (m, &((r, s), other)) in all.iter().enumerate() {
            if [r, s].contains(&p) || [r, s].contains(&q) {
                best[m] = best[m].min(best[n] + length([middle, other]));
            }
        }
    }
    (all.iter().zip(&best))
        .filter(|(((p, q), _), _)| *p == goal || *q == goal)
        .map(|((_, middle), best)| best + length([*middle, float(to.point())]))
        .min_by(f64::total_cmp)
        .filter(|l| l.is_finite())
}

/// The polygons on some path between two others that enters none twice: no single other polygon
/// parts them from both ends.
pub(super) fn between(query: &NavQuery<'_>, ends: [u32; 2]) -> Vec<bool> {
    let mesh = query.mesh();
    let count = mesh.polygon_count() as usize;
    let mut all = vec![true; count];
    for gone in 0..count {
        let mut reached = vec![false; count];
        reached[gone] = true;
        let mut walk: Vec<u32> = ends.into_iter().filter(|&e| e as usize != gone).collect();
        while let Some(id) = walk.pop() {
            if !std::mem::replace(&mut reached[id as usize], true) {
                let polygon = mesh.polygon(PolyId(id));
                walk.extend((0..polygon.len()).filter_map(|k| Some(polygon.neighbour(k)?.0)));
            }
        }
        all.iter_mut().zip(reached).for_each(|(on_way, reached)| *on_way &= reached);
    }
    all
}

/// A* over the polygons between the ends, as plain as can be: no heap, no slots, no settings. Gives
/// the length of the path and the number of polygons expanded.
pub(super) fn plain_corridor(
    query: &NavQuery<'_>,
    from: &NavPoint,
    to: &NavPoint,
) -> Option<(f64, u32)> {
    struct Known {
        g: f64,
        f: f64,
        entry: [f64; 2],
        before: u32,
        open: bool,
    }
    let between = between(query, [from.polygon().0, to.polygon().0]);
    let goal = float(to.point());
    let start = float(from.point());
    let mut known: BTreeMap<u32, Known> = BTreeMap::new();
    known.insert(
        from.polygon().0,
        Known {
            g: 0.0,
            f: length([start, goal]),
            entry: start,
            before: from.polygon().0,
            open: true,
        },
    );
    let mut expanded = 0;
    loop {
        let (&id, _) = (known.iter()).filter(|(_, n)| n.open).min_by(|a, b| {
            (a.1.f.total_cmp(&b.1.f)).then(b.1.g.total_cmp(&a.1.g)).then(a.0.cmp(b.0))
        })?;
        let node = known.get_mut(&id).unwrap();
        node.open = false;
        let (g, entry, before) = (node.g, node.entry, node.before);
        expanded += 1;
        if id == to.polygon().0 {
            return Some((g + length([entry, goal]), expanded));
        }
        let polygon = query.mesh().polygon(PolyId(id));
        for k in 0..polygon.len() {
            let on_way = |b: &PolyId| b.0 != before && between[b.0 as usize];
            let Some(beyond) = polygon.neighbour(k).filter(on_way) else {
                continue;
            };
            let ends = [polygon.corner(k), polygon.corner(polygon.next(k))].map(float);
            // The best point of the portal, by trying: its ends, and where the line to the goal or
            // its mirror image meets it.
            let [a, b] = ends;
            let d = [b[0] - a[0], b[1] - a[1]];
            let off = |q: [f64; 2]| ((q[0] - a[0]) * d[1] - (q[1] - a[1]) * d[0]).abs();
            let along = |q: [f64; 2]| (q[0] - a[0]) * d[0] + (q[1] - a[1]) * d[1];
            let square = d[0] * d[0] + d[1] * d[1];
            let (here, there) = (off(entry), off(goal));
            let t = if here + there > 0.0 {
                (along(entry) * there + along(goal) * here) / ((here + there) * square)
            } else {
                along(entry) / square
            };
            let through = match t {
                t if t <= 0.0 => a,
                t if t >= 1.0 => b,
                t => [a[0] + t * d[0], a[1] + t * d[1]],
            };
            let way = g + length([entry, through]);
            if known.get(&beyond.0).is_none_or(|n| way < n.g) {
                let node = Known {
                    g: way,
                    f: way + length([through, goal]),
                    entry: through,
                    before: id,
                    open: true,
                };
                known.insert(beyond.0, node);
            }
        }
    }
}
