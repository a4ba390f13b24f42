//! Cutting a triangle whose edges have further points on them.

use navbake_geom::Point3;

use crate::NONE;

/// The corners of a triangle.
pub(crate) type Corners = [Point3; 3];

/// The edges of triangles by their two corners, the lesser first: equal ones are next to each
/// other.
///
/// The third entry is twice the edge, 3 * triangle + k, plus one if it runs from the greater
/// corner.
pub(crate) fn edges_by_ends<V: Ord + Copy>(
    triangles: impl Iterator<Item = [V; 3]>,
) -> Vec<(V, V, u32)> {
    let edges = |(t, c): (u32, [V; 3])| {
        [0, 1, 2].map(|k| {
            let (a, b) = (c[k], c[(k + 1) % 3]);
            (a.min(b), a.max(b), 2 * (3 * t + k as u32) + u32::from(a > b))
        })
    };
    let mut all: Vec<(V, V, u32)> = (0..).zip(triangles).flat_map(edges).collect();
    all.sort_unstable();
    all
}

/// Cuts a triangle whose edges have further points on them (`sides[k]`: points after corner k up to
/// and including corner k + 1). Calls `edge(k, i, half_edge)` for the part i of edge k. Where the
/// points are on the edges, each triangle it makes has an area above zero; where they are beside
/// them the caller must check that.
pub(crate) fn fan(
    c: Corners,
    sides: [&[Point3]; 3],
    out: &mut Vec<Corners>,
    links: &mut Vec<[u32; 3]>,
    mut edge: impl FnMut(usize, usize, u32),
) {
    // Turn the triangle so that its first side has points on it.
    let turn = (0..3).find(|&k| sides[k].len() > 1).unwrap_or(0);
    let at = |k: usize| (k + turn) % 3;
    let (a, apex) = (c[at(0)], c[at(2)]);
    let (along, right, left) = (sides[at(0)], sides[at(1)], sides[at(2)]);
    let n = along.len();
    // The half-edges of the cut before: the first triangle of the next spoke links to it.
    let mut spoke = NONE;
    for (i, &to) in along.iter().enumerate() {
        let from = if i == 0 { a } else { along[i - 1] };
        if i == 0 && left.len() > 1 {
            // Triangle (from, to, apex) with points on the side apex -> from: a fan around `to`.
            let mut previous = apex;
            for (j, &p) in left.iter().enumerate() {
                let base = out.len() as u32 * 3;
                out.push([to, previous, p]);
                links.push([NONE; 3]);
                edge(at(2), j, base + 1);
                if j == 0 {
                    spoke = base;
                } else {
                    join(links, base, base - 3 + 2);
                }
                if j + 1 == left.len() {
                    edge(at(0), 0, base + 2);
                }
                previous = p;
            }
        } else if i + 1 == n && right.len() > 1 {
            // Triangle (from, to, apex) with points on the side to -> apex: a fan around `from`.
            let mut previous = to;
            for (j, &p) in right.iter().enumerate() {
                let base = out.len() as u32 * 3;
                out.push([from, previous, p]);
                links.push([NONE; 3]);
                edge(at(1), j, base + 1);
                if j == 0 {
                    edge(at(0), i, base);
                } else {
                    join(links, base, base - 3 + 2);
                }
                if j + 1 == right.len() {
                    join(links, base + 2, spoke);
                }
                previous = p;
            }
        } else {
            let base = out.len() as u32 * 3;
            out.push([from, to, apex]);
            links.push([NONE; 3]);
            edge(at(0), i, base);
            if i == 0 {
                edge(at(2), 0, base + 2);
            } else {
                join(links, base + 2, spoke);
            }
            if i + 1 == n {
                edge(at(1), 0, base + 1);
            }
            spoke = base + 1;
        }
    }
}

fn join(links: &mut [[u32; 3]], g: u32, h: u32) {
    links[g as usize / 3][g as usize % 3] = h;
    links[h as usize / 3][h as usize % 3] = g;
}
