//! Polyanya mesh, version 2: the ground plane with polygons, vertices and portals.
//!
//! The format of M. Cui, D. Harabor and A. Grastien, "Compromise-free Pathfinding on a Navigation
//! Mesh", IJCAI 2017. Its axes are x and z, or x and y of a level whose z points up; rings are
//! counter-clockwise.
//!
//! ```text
//! mesh
//! 2
//! V P
//! x y n p1 .. pn       a vertex and the polygons around it, counter-clockwise, -1 for a gap
//! n v1 .. vn p1 .. pn  a polygon; pk is beyond the edge from v(k-1) to vk, -1 for a wall
//! ```
//!
//! The format has no heights, so the vertices of a step, which meet in a portal at two heights,
//! become one vertex. Overlapping floors stay apart, as only portals join vertices.

use std::collections::BTreeMap;
use std::fmt::Write;

use navbake_format::UpAxis;

use crate::Axes;
use crate::surface::Surface;

/// Writes a surface in y-up metres as a Polyanya mesh in the ground plane of `axes`.
pub fn write(surface: &Surface, axes: Axes) -> String {
    // Counter-clockwise seen from above is clockwise in (x, z), and counter-clockwise in (x, y)
    // of a level whose z points up.
    let mirrored = axes.up == UpAxis::Y;
    let joined = join_over_steps(surface);
    let mut number = vec![u32::MAX; surface.vertices.len()];
    let mut kept = vec![];
    for (vertex, &root) in joined.iter().enumerate() {
        if vertex as u32 == root {
            number[vertex] = kept.len() as u32;
            kept.push(vertex);
        }
    }
    let fans = fans(surface, &joined);

    let mut out = format!("mesh\n2\n{} {}\n", kept.len(), surface.polygons.len());
    for vertex in kept {
        let place = axes.outward(surface.vertices[vertex]);
        let (x, y) = match axes.up {
            UpAxis::Y => (place[0], place[2]),
            UpAxis::Z => (place[0], place[1]),
        };
        let mut around = fans.get(&(vertex as u32)).cloned().unwrap_or_default();
        if !mirrored {
            around.reverse();
        }
        let _ = write!(out, "{x} {y} {}", around.len());
        for polygon in around {
            let _ = write!(out, " {polygon}");
        }
        out.push('\n');
    }
    for polygon in &surface.polygons {
        let n = polygon.corners.len();
        let _ = write!(out, "{n}");
        let order: Vec<usize> = if mirrored { (0..n).rev().collect() } else { (0..n).collect() };
        for &k in &order {
            let corner = joined[polygon.corners[k] as usize];
            let _ = write!(out, " {}", number[corner as usize]);
        }
        for k in order {
            // The edge that ends in corner k; in reverse order it starts in corner k + 1.
            let edge = if mirrored { k } else { (k + n - 1) % n };
            let _ = write!(out, " {}", number_or_gap(polygon.neighbours[edge]));
        }
        out.push('\n');
    }
    out
}

fn number_or_gap(neighbour: Option<u32>) -> i64 {
    neighbour.map_or(-1, i64::from)
}

/// For each vertex the smallest vertex that portals join it with.
fn join_over_steps(surface: &Surface) -> Vec<u32> {
    fn root(parent: &mut [u32], mut v: u32) -> u32 {
        while parent[v as usize] != v {
            parent[v as usize] = parent[parent[v as usize] as usize];
            v = parent[v as usize];
        }
        v
    }
    let mut parent: Vec<u32> = (0..surface.vertices.len() as u32).collect();
    for (p, polygon) in surface.polygons.iter().enumerate() {
        let n = polygon.corners.len();
        for k in 0..n {
            let Some(edge) = surface.edge_back(p, k) else {
                continue;
            };
            let (a, b) = (polygon.corners[k], polygon.corners[(k + 1) % n]);
            for (mine, theirs) in [(a, edge.end), (b, edge.start)] {
                let (mine, theirs) = (root(&mut parent, mine), root(&mut parent, theirs));
                let (least, other) = (mine.min(theirs), mine.max(theirs));
                parent[other as usize] = least;
            }
        }
    }
    (0..parent.len() as u32).map(|v| root(&mut parent, v)).collect()
}

/// For each joined vertex the polygons around it, with -1 after each run of neighbours.
///
/// The order is counter-clockwise in (x, z).
fn fans(surface: &Surface, joined: &[u32]) -> BTreeMap<u32, Vec<i64>> {
    // All (polygon, corner) pairs of a vertex.
    let mut spokes: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
    for (p, polygon) in surface.polygons.iter().enumerate() {
        for (k, &corner) in polygon.corners.iter().enumerate() {
            spokes.entry(joined[corner as usize]).or_default().push((p as u32, k as u32));
        }
    }
    spokes.into_iter().map(|(vertex, spokes)| (vertex, fan(surface, &spokes))).collect()
}

fn fan(surface: &Surface, spokes: &[(u32, u32)]) -> Vec<i64> {
    // Rings are clockwise in (x, z). Turning counter-clockwise around corner k leaves the polygon
    // over the edge that starts in k; the mirrored edge of the next polygon ends in its corner.
    let next = |(p, k): (u32, u32)| {
        surface.edge_back(p as usize, k as usize).map(|edge| (edge.polygon, edge.end_corner))
    };
    let mut entered: Vec<(u32, u32)> = spokes.iter().filter_map(|&s| next(s)).collect();
    entered.sort_unstable();
    let mut starts: Vec<(f64, (u32, u32))> = spokes
        .iter()
        .filter(|s| entered.binary_search(s).is_err())
        .map(|&(p, k)| (surface.direction_before(p as usize, k as usize), (p, k)))
        .collect();
    starts.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut out = vec![];
    if starts.is_empty() {
        // Polygons all around.
        let mut spoke = spokes[0];
        for _ in 0..spokes.len() {
            out.push(i64::from(spoke.0));
            match next(spoke) {
                Some(following) if following != spokes[0] => spoke = following,
                _ => break,
            }
        }
        return out;
    }
    for (_, start) in starts {
        let mut spoke = Some(start);
        for _ in 0..spokes.len() {
            let Some(here) = spoke else { break };
            out.push(i64::from(here.0));
            spoke = next(here);
        }
        out.push(-1);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::tests::{plus_of_four_squares, two_squares_and_an_island};

    /// Reads a mesh back and checks what Polyanya expects of it.
    fn check(text: &str) -> (usize, usize) {
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("mesh"));
        assert_eq!(lines.next(), Some("2"));
        let counts: Vec<usize> =
            lines.next().unwrap().split(' ').map(|t| t.parse().unwrap()).collect();
        let (v, p) = (counts[0], counts[1]);
        let vertices: Vec<Vec<f64>> = lines
            .by_ref()
            .take(v)
            .map(|l| l.split(' ').map(|t| t.parse().unwrap()).collect())
            .collect();
        let polygons: Vec<Vec<i64>> = lines
            .by_ref()
            .take(p)
            .map(|l| l.split(' ').map(|t| t.parse().unwrap()).collect())
            .collect();
        assert_eq!(lines.next(), None);
        let ring = |i: usize| &polygons[i][1..=polygons[i][0] as usize];
        for (i, polygon) in polygons.iter().enumerate() {
            let n = polygon[0] as usize;
            assert_eq!(polygon.len(), 1 + 2 * n);
            let corner = |k: usize| &vertices[ring(i)[k % n] as usize];
            let area: f64 = (0..n)
                .map(|k| corner(k)[0] * corner(k + 1)[1] - corner(k + 1)[0] * corner(k)[1])
                .sum();
            assert!(area > 0.0, "polygon {i} is not counter-clockwise");
            for k in 0..n {
                let beyond = polygon[1 + n + k];
                if beyond >= 0 {
                    let other = ring(beyond as usize);
                    assert!(other.contains(&ring(i)[k]), "edge {k} of {i}");
                    assert!(other.contains(&ring(i)[(k + n - 1) % n]), "edge {k} of {i}");
                }
            }
        }
        for (i, vertex) in vertices.iter().enumerate() {
            assert_eq!(vertex.len(), 3 + vertex[2] as usize);
            let around: Vec<usize> =
                vertex[3..].iter().filter(|&&q| q >= 0.0).map(|&q| q as usize).collect();
            let mut expected: Vec<usize> =
                (0..p).filter(|&q| ring(q).contains(&(i as i64))).collect();
            let angle = |q: usize| {
                let n = ring(q).len() as f64;
                let middle = ring(q).iter().fold((0.0, 0.0), |m, &c| {
                    let c = &vertices[c as usize];
                    (m.0 + c[0] / n, m.1 + c[1] / n)
                });
                (middle.1 - vertex[1]).atan2(middle.0 - vertex[0])
            };
            // Counter-clockwise: at most one step down in the cycle of angles.
            let turns = (0..around.len())
                .filter(|&k| angle(around[(k + 1) % around.len()]) < angle(around[k]))
                .count();
            assert!(turns <= 1, "vertex {i}: {around:?}");
            let mut sorted = around.clone();
            sorted.sort_unstable();
            expected.sort_unstable();
            assert_eq!(sorted, expected, "vertex {i}");
        }
        (v, p)
    }

    #[test]
    fn rings_fans_and_neighbours_follow_the_format() {
        for up in [UpAxis::Y, UpAxis::Z] {
            let axes = Axes { up, scale: 0.5 };
            assert_eq!(check(&write(&two_squares_and_an_island(), axes)), (9, 3));
            assert_eq!(check(&write(&plus_of_four_squares(), axes)), (9, 4));
        }
    }

    #[test]
    fn a_step_becomes_one_edge_and_an_inner_vertex_has_no_gap() {
        let text = write(&plus_of_four_squares(), Axes::METRES);
        assert_eq!(check(&text), (9, 4));
        let inner = text.lines().find(|l| l.starts_with("1 1 ")).unwrap();
        assert!(!inner.contains("-1"), "{inner}");
        assert!(inner.starts_with("1 1 4 "), "{inner}");
    }
}
