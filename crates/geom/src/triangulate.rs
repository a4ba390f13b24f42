//! Constrained Delaunay triangles of ground between rings.
//!
//! Spade (a sweep over all points at once) connects the points, where it is more than one ring with
//! few corners; everything that decides a byte of the result is settled here, with exact
//! predicates: which triangles are inside, which of several equally good diagonals is taken, and
//! the order.

use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use crate::delaunay::{Delaunay, NO_EDGE, NO_TRIANGLE};
use crate::ears::ears;
use navbake_grid::{LIMIT, Point, orient};

/// Why points and edges cannot be triangulated. Places are in grid units.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TriangulateError {
    /// A coordinate is outside the grid.
    #[error("point {point:?} is outside the grid, whose coordinates lie within +-{LIMIT}")]
    OutOfRange {
        /// The point.
        point: Point,
    },
    /// An edge names a point that is not there.
    #[error("edge {edge} names point {index}, but there are only {points} points")]
    NoSuchPoint {
        /// Index of the edge.
        edge: usize,
        /// What it names.
        index: u32,
        /// How many points there are.
        points: usize,
    },
    /// More points than indices can name.
    #[error(
        "{points} points are too many for one triangulation; cut the ground into smaller tiles"
    )]
    TooMany {
        /// How many points there are.
        points: usize,
    },
    /// Two edges cross.
    #[error("edges {first:?} and {second:?} cross; the borders of ground may meet in corners only")]
    Cross {
        /// Ends of one edge.
        first: [Point; 2],
        /// Ends of the other.
        second: [Point; 2],
    },
    /// Two edges run over each other in the same direction.
    #[error(
        "edges {first:?} and {second:?} run over each other in the same direction; each border edge may be given once"
    )]
    Overlap {
        /// Ends of one edge.
        first: [Point; 2],
        /// Ends of the other.
        second: [Point; 2],
    },
    /// Inside and outside meet without an edge between them.
    #[error(
        "the border through {edge:?} does not separate inside (left) from outside (right); rings must be closed and directed with the inside on the left"
    )]
    Open {
        /// Ends of an edge of that border.
        edge: [Point; 2],
    },
}

/// The constrained Delaunay triangles of the ground inside directed edges.
///
/// `edges` are pairs of indices into `points`, directed with the inside on the left seen from above
/// (see [`orient`]): outer rings counter-clockwise, holes clockwise, any number of both. Rings may
/// touch themselves and each other in vertices, and a point may be on an edge, which is then cut
/// there; they may share nothing else. An edge given in both directions is a crease: an edge with
/// the inside on both sides that the triangles keep. Points may be given more than once (the first
/// of a place is used) and may be inside without an edge, which makes them corners of triangles;
/// points outside are left out.
///
/// Only triangles inside are given: indices into `points`, counter-clockwise seen from above, least
/// index first, in ascending order. They are Delaunay wherever no edge prevents it; among several
/// points on one circle the diagonals come from the least point by (x, z), so that the result
/// depends on the places alone.
///
/// # Errors
/// Edges that cross or overlap, rings that are not closed, coordinates beyond the grid, indices
/// beyond the points.
pub fn triangulate(
    points: &[Point],
    edges: &[[u32; 2]],
) -> Result<Vec<[u32; 3]>, TriangulateError> {
    Ok(Delaunay::new(points, edges)?.into_triangles())
}

/// The parts of a [`Delaunay`], in no particular order yet.
pub(crate) struct Parts {
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) neighbours: Vec<[u32; 3]>,
    pub(crate) edges: Vec<[u32; 3]>,
}

/// Connects the points and keeps what is inside; see [`triangulate`].
pub(crate) fn connect(points: &[Point], edges: &[[u32; 2]]) -> Result<Parts, TriangulateError> {
    ears(points, edges).map_or_else(|| sweep(points, edges), Ok)
}

/// The same whatever the edges are.
pub(crate) fn sweep(points: &[Point], edges: &[[u32; 2]]) -> Result<Parts, TriangulateError> {
    let (places, place_of) = unique(points)?;
    let mut directed = Vec::with_capacity(edges.len());
    for (i, e) in edges.iter().enumerate() {
        for &index in e {
            if index as usize >= points.len() {
                let points = points.len();
                return Err(TriangulateError::NoSuchPoint { edge: i, index, points });
            }
        }
        let [a, b] = e.map(|v| place_of[v as usize]);
        // An edge between two points at one place bounds nothing.
        if a != b {
            directed.push((a, b, i as u32));
        }
    }
    directed.sort_unstable_by_key(|&(a, b, i)| (u64::from(a) << 32 | u64::from(b), i));
    let at = |k: u32| points[places[k as usize] as usize];
    let ends = |i: u32| edges[i as usize].map(|v| points[v as usize]);

    let vertices: Vec<Point2<f64>> = (0..places.len() as u32)
        // Spade counts angles from x to y; from z to x is counter-clockwise seen from above.
        .map(|k| Point2::new(f64::from(at(k).z), f64::from(at(k).x)))
        .collect();
    let pairs = directed.iter().map(|&(a, b, _)| [a as usize, b as usize]).collect();
    let mut conflict = None;
    let cdt =
        ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(vertices, pairs, |e| {
            let e = [e[0].min(e[1]) as u32, e[0].max(e[1]) as u32];
            conflict = Some(conflict.map_or(e, |c: [u32; 2]| c.min(e)));
        })
        .map_err(|_| TriangulateError::OutOfRange { point: at(0) })?;
    if let Some([a, b]) = conflict {
        return Err(crossing([at(a), at(b)], &directed, at));
    }

    // All on one line: there is no ground for the edges to bound.
    if let Some(&(_, _, i)) = directed.first()
        && cdt.num_inner_faces() == 0
    {
        return Err(TriangulateError::Open { edge: ends(i) });
    }
    let labels = Labels::new(&cdt, &directed, &at, &ends)?;
    let inside = flood(&cdt, &labels, &ends)?;

    // Faces to triangles. Spade's inner faces are numbered from 1.
    let mut number = vec![NO_TRIANGLE; cdt.num_all_faces()];
    let mut count = 0;
    for face in cdt.inner_faces() {
        if inside[face.fix().index()] {
            number[face.fix().index()] = count;
            count += 1;
        }
    }
    let mut parts = Parts {
        triangles: Vec::with_capacity(count as usize),
        neighbours: Vec::with_capacity(count as usize),
        edges: Vec::with_capacity(count as usize),
    };
    for face in cdt.inner_faces() {
        if number[face.fix().index()] == NO_TRIANGLE {
            continue;
        }
        let sides = face.adjacent_edges();
        parts.triangles.push(sides.map(|e| places[e.from().fix().index()]));
        parts.neighbours.push(sides.map(|e| number[e.rev().face().fix().index()]));
        parts.edges.push(sides.map(|e| labels.of[e.fix().index()]));
    }
    Ok(parts)
}

/// The first point of each place, in the points' order, and the place of each point.
fn unique(points: &[Point]) -> Result<(Vec<u32>, Vec<u32>), TriangulateError> {
    if points.len() >= NO_EDGE as usize {
        return Err(TriangulateError::TooMany { points: points.len() });
    }
    let beyond = |p: &&Point| p.x.abs() >= LIMIT || p.z.abs() >= LIMIT;
    if let Some(&point) = points.iter().find(beyond) {
        return Err(TriangulateError::OutOfRange { point });
    }
    let order = points.iter().zip(0u32..);
    let mut order: Vec<u128> =
        order.map(|(p, i)| u128::from(p.rank()) << 32 | u128::from(i)).collect();
    order.sort_unstable();
    let order: Vec<u32> = order.into_iter().map(|key| key as u32).collect();
    let mut first = vec![0u32; points.len()];
    for (k, &i) in order.iter().enumerate() {
        first[i as usize] = match k.checked_sub(1).map(|k| order[k]) {
            Some(j) if points[j as usize] == points[i as usize] => first[j as usize],
            _ => i,
        };
    }
    let mut places = Vec::with_capacity(points.len());
    let mut place_of = vec![0u32; points.len()];
    for i in 0..points.len() {
        if first[i] as usize == i {
            place_of[i] = places.len() as u32;
            places.push(i as u32);
        } else {
            place_of[i] = place_of[first[i] as usize];
        }
    }
    Ok((places, place_of))
}

/// The error for an edge that spade left out: names an edge that it crosses.
fn crossing(
    first: [Point; 2],
    directed: &[(u32, u32, u32)],
    at: impl Fn(u32) -> Point,
) -> TriangulateError {
    let [a, b] = first;
    for &(c, d, _) in directed {
        let (c, d) = (at(c), at(d));
        let sides = [
            orient(a, b, c).signum() * orient(a, b, d).signum(),
            orient(c, d, a).signum() * orient(c, d, b).signum(),
        ];
        if sides == [-1, -1] {
            let second = [c, d];
            return TriangulateError::Cross { first, second };
        }
    }
    TriangulateError::Open { edge: first }
}

type Cdt = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// For each directed edge of the triangulation the input edge that runs over it in its direction.
struct Labels {
    of: Vec<u32>,
}

impl Labels {
    fn new(
        cdt: &Cdt,
        directed: &[(u32, u32, u32)],
        at: &impl Fn(u32) -> Point,
        ends: &impl Fn(u32) -> [Point; 2],
    ) -> Result<Labels, TriangulateError> {
        let overlap = |i: u32, j: u32| TriangulateError::Overlap {
            first: ends(i.min(j)),
            second: ends(i.max(j)),
        };
        for w in directed.windows(2) {
            if (w[0].0, w[0].1) == (w[1].0, w[1].1) {
                return Err(overlap(w[0].2, w[1].2));
            }
        }
        let mut of = vec![NO_EDGE; cdt.num_directed_edges()];
        let mut whole = vec![false; directed.len()];
        for edge in cdt.directed_edges().filter(|e| e.is_constraint_edge()) {
            let key = (edge.from().fix().index(), edge.to().fix().index());
            let found = directed.binary_search_by_key(&key, |&(a, b, _)| (a as usize, b as usize));
            if let Ok(k) = found {
                of[edge.fix().index()] = directed[k].2;
                whole[k] = true;
            }
        }
        // Edges with points on them were cut: walk along them.
        for (k, &(a, b, i)) in directed.iter().enumerate() {
            if whole[k] {
                continue;
            }
            let (mut from, goal) = (a, at(b));
            while from != b {
                let here = at(from);
                let towards = |p: Point| {
                    let (px, pz) = (i64::from(p.x - here.x), i64::from(p.z - here.z));
                    let (gx, gz) = (i64::from(goal.x - here.x), i64::from(goal.z - here.z));
                    orient(here, goal, p) == 0 && px * gx + pz * gz > 0
                };
                let handle = spade::handles::FixedVertexHandle::from_index(from as usize);
                let next = cdt
                    .vertex(handle)
                    .out_edges()
                    .find(|e| towards(at(e.to().fix().index() as u32)));
                // Spade has the whole edge as constraints, so there is always a next one.
                let Some(next) = next.filter(|e| e.is_constraint_edge()) else {
                    return Err(TriangulateError::Open { edge: ends(i) });
                };
                let slot = &mut of[next.fix().index()];
                if *slot != NO_EDGE {
                    return Err(overlap(*slot, i));
                }
                *slot = i;
                from = next.to().fix().index() as u32;
            }
        }
        Ok(Labels { of })
    }
}

/// Which faces are inside: those on the left of an edge, and all that can be reached from them
/// without crossing one.
fn flood(
    cdt: &Cdt,
    labels: &Labels,
    ends: &impl Fn(u32) -> [Point; 2],
) -> Result<Vec<bool>, TriangulateError> {
    const OUTER: usize = 0;
    let faces = cdt.num_all_faces();
    // For each face an edge that says that it is inside, and one that says that it is outside; and
    // the faces that can be reached from it.
    let mut says = [vec![NO_EDGE; faces], vec![NO_EDGE; faces]];
    let mut reach = vec![[OUTER; 3]; faces];
    let mut stack = Vec::new();
    let mut seed = |says: &mut [Vec<u32>; 2], side: usize, face: usize, label: u32| {
        if face != OUTER && says[side][face] == NO_EDGE {
            says[side][face] = label;
            stack.push((side, face));
        }
    };
    for face in cdt.inner_faces() {
        let i = face.fix().index();
        for (k, edge) in face.adjacent_edges().into_iter().enumerate() {
            let beyond = edge.rev();
            let label = |fixed: usize| labels.of[fixed];
            let (here, there) = (label(edge.fix().index()), label(beyond.fix().index()));
            if here != NO_EDGE {
                seed(&mut says, 0, i, here);
            } else if there != NO_EDGE {
                seed(&mut says, 1, i, there);
            } else {
                reach[i][k] = beyond.face().fix().index();
            }
            // Ground to the left of an edge whose left is the outer face.
            if there != NO_EDGE && beyond.is_outer_edge() {
                return Err(TriangulateError::Open { edge: ends(there) });
            }
        }
    }
    let mut open = vec![false; faces];
    for face in cdt.inner_faces() {
        let sides = face.adjacent_edges();
        open[face.fix().index()] =
            sides.iter().any(|e| e.rev().is_outer_edge() && !e.is_constraint_edge());
    }
    while let Some((side, face)) = stack.pop() {
        let label = says[side][face];
        for next in reach[face] {
            if next != OUTER && says[side][next] == NO_EDGE {
                says[side][next] = label;
                stack.push((side, next));
            }
        }
    }
    for (face, (&inside, &outside)) in says[0].iter().zip(&says[1]).enumerate() {
        if inside != NO_EDGE && (outside != NO_EDGE || open[face]) {
            return Err(TriangulateError::Open { edge: ends(inside) });
        }
    }
    Ok(says[0].iter().map(|&label| label != NO_EDGE).collect())
}
