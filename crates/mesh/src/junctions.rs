//! T-junctions of a designer's floor: corners beside an edge by the rounding of the grid, and the
//! edge bent to them.

use navbake_geom::{BoxBounds, Point, Point3, orient, touching_pairs};

use crate::fan::{Corners, fan};
use crate::found::EFFORT;
use crate::weld::{NEAR, loose_edges};

/// Bends loose edges to the ends of other loose edges within [`NEAR`] of them and within `climb` in
/// height, so that the edges on both sides are the same. A triangle that would not keep its
/// orientation all over stays as it is.
pub(crate) fn bend(triangles: &mut Vec<Corners>, climb: i32) {
    let edges = loose_edges(triangles);
    let ends_of = |&(t, k): &(usize, usize)| [triangles[t][k], triangles[t][(k + 1) % 3]];
    let mut ends: Vec<Point3> = edges.iter().flat_map(ends_of).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut boxes: Vec<BoxBounds> =
        edges.iter().map(|e| BoxBounds::around(&ends_of(e), NEAR, climb.max(0))).collect();
    boxes.extend(ends.iter().map(|&p| BoxBounds::around(&[p], 0, 0)));

    // Points beside each edge, by where they are along it.
    let mut beside: Vec<(usize, usize, i64, Point, u32, i32)> = vec![];
    touching_pairs(&boxes, EFFORT, |i, j| {
        if i < edges.len() && j >= edges.len() {
            let ([a, b], p) = (ends_of(&edges[i]), ends[j - edges.len()]);
            if let Some((along, y)) = on_edge(a, b, p) {
                let apart = y.abs_diff(p.y);
                // A corner that is meant to be on the edge gives the height, one at a step does
                // not.
                let y = if apart <= NEAR as u32 { p.y } else { y };
                if apart <= climb.max(NEAR) as u32 {
                    beside.push((edges[i].0, edges[i].1, along, p.flat(), apart, y));
                }
            }
        }
    });
    // Of several corners at one place the one nearest in height comes first.
    beside.sort_unstable();
    let mut cut: Vec<Corners> = vec![];
    let mut whole = vec![true; triangles.len()];
    for run in beside.chunk_by(|a, b| a.0 == b.0) {
        let t = run[0].0;
        let c = triangles[t];
        let mut sides: [Vec<Point3>; 3] = Default::default();
        let mut exact = true;
        for &(_, k, _, p, apart, y) in run {
            if sides[k].last().map(|q| q.flat()) != Some(p) {
                sides[k].push(p.at(y));
                exact &= orient(c[k].flat(), c[(k + 1) % 3].flat(), p) == 0
                    && (apart == 0 || apart > NEAR as u32);
            }
        }
        if exact {
            // Joining cuts there by itself.
            continue;
        }
        for (k, side) in sides.iter_mut().enumerate() {
            side.push(c[(k + 1) % 3]);
        }
        let (mut parts, mut links) = (vec![], vec![]);
        let [s, u, v] = &sides;
        fan(c, [s, u, v], &mut parts, &mut links, |_, _, _| {});
        let area = |c: &Corners| orient(c[0].flat(), c[1].flat(), c[2].flat());
        if parts.iter().all(|c| area(c) > 0) {
            whole[t] = false;
            cut.extend(parts);
        }
    }
    let mut keep = whole.iter();
    triangles.retain(|_| keep.next() == Some(&true));
    triangles.extend(cut);
}

/// The position of a near point along the edge `a b`, and the height of the edge there.
fn on_edge(a: Point3, b: Point3, p: Point3) -> Option<(i64, i32)> {
    let (from, to, at): (Point, Point, Point) = (a.flat(), b.flat(), p.flat());
    if at == from || at == to {
        return None;
    }
    let d = |s: i32, t: i32| i64::from(t) - i64::from(s);
    let dot = |q: Point| d(from.x, to.x) * d(from.x, q.x) + d(from.z, to.z) * d(from.z, q.z);
    let (along, length) = (dot(at), dot(to));
    if along <= 0 || along >= length {
        return None;
    }
    let away = i128::from(orient(from, to, at));
    if away * away > i128::from(NEAR * NEAR) * i128::from(length) {
        return None;
    }
    let rise = i128::from(d(a.y, b.y)) * i128::from(along);
    let rounded = (2 * rise + i128::from(length)).div_euclid(2 * i128::from(length));
    Some((along, a.y + rounded as i32))
}
