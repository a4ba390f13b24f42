//! Joins pieces into one triangulation whose triangles know their neighbours.
//!
//! Open edges are grouped by the line they lie on, exactly (reduced direction and offset); on each line edges of opposite direction that
//! overlap are partners where their heights are near. Edges are cut where their partner changes, and their triangles with them,
//! so that every portal is one edge on both sides.

use navbake_geom::{Point, Point3, orient};

use crate::assemble::{Corners, assemble};
use crate::fan::fan;
use crate::lines::{OpenEdge, pair_up};
use crate::{NONE, Piece, Triangulation};

/// How pieces are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StitchSettings {
    /// Open edges are joined when their heights differ by at most this at both ends of their overlap, in grid units.
    pub climb: i32,
}

/// Joins pieces into one triangulation.
///
/// Within a piece, two triangles that share an edge (the same two vertex indices, opposite direction) are neighbours, and so are
/// two whose edges lie on the same segment seen from above with heights that differ by at most `climb`. Open edges are joined to
/// open edges of any piece, the same one included: on the same line seen from above, in the opposite direction, where they overlap and where
/// their heights at both ends of the overlap differ by at most `climb`; of several candidates the nearest in height. An edge whose
/// partner changes along the way is cut there, and its triangle becomes a fan; heights of cuts are rounded to the grid,
/// so that they agree with the partner's where they can.
///
/// Vertices at one place are one vertex. Vertices and triangles come sorted by coordinates, so that the order of the pieces does not
/// matter. Triangles without an area are left out. Near linear time.
pub fn stitch(pieces: &[Piece], settings: &StitchSettings) -> Triangulation {
    let (corners, twins, open) = gather(&in_order(pieces), settings.climb);
    let parts = pair_up(&open, settings.climb);

    // Every edge becomes one edge or, when it is cut, several: `first[h]` is where those of half-edge `h` begin in `cut_edge`.
    let mut cuts: Vec<u32> = vec![1; corners.len() * 3];
    for (edge, parts) in open.iter().zip(&parts) {
        cuts[edge.half_edge as usize] = parts.len().max(1) as u32;
    }
    let mut first = Vec::with_capacity(cuts.len() + 1);
    let mut sum = 0u32;
    for &count in &cuts {
        first.push(sum);
        sum += count;
    }
    first.push(sum);

    // Points inserted on each cut edge, in the edge's direction: entry `first[h] + i` ends the i-th part of edge h.
    let mut ends = vec![Point3::default(); sum as usize];
    for (t, c) in corners.iter().enumerate() {
        for k in 0..3 {
            ends[first[t * 3 + k + 1] as usize - 1] = c[(k + 1) % 3];
        }
    }
    for (edge, parts) in open.iter().zip(&parts) {
        for i in 1..parts.len() {
            let base = first[edge.half_edge as usize] as usize;
            let slot = if edge.forward {
                i - 1
            } else {
                parts.len() - 1 - i
            };
            ends[base + slot] = edge.cut(&open, parts[i - 1], parts[i]);
        }
    }

    // Cut triangles; `cut_edge[first[h] + i]` is the half-edge that the i-th part of edge h became.
    let mut out: Vec<Corners> = Vec::with_capacity(corners.len());
    let mut links: Vec<[u32; 3]> = Vec::with_capacity(corners.len()); // the half-edge beyond
    let mut cut_edge = vec![NONE; sum as usize];
    for (t, &c) in corners.iter().enumerate() {
        let on_edge = |k: usize| &ends[first[t * 3 + k] as usize..first[t * 3 + k + 1] as usize];
        let whole = (0..3).all(|k| on_edge(k).len() == 1);
        if whole {
            let base = out.len() as u32 * 3;
            for k in 0..3 {
                cut_edge[first[t * 3 + k] as usize] = base + k as u32;
            }
            out.push(c);
            links.push([NONE; 3]);
        } else {
            let sides = [on_edge(0), on_edge(1), on_edge(2)];
            fan(c, sides, &mut out, &mut links, |k, i, half_edge| {
                cut_edge[first[t * 3 + k] as usize + i] = half_edge;
            });
        }
    }

    let mut link = |h: u32, g: u32| links[h as usize / 3][h as usize % 3] = g;
    for (h, &g) in twins.iter().enumerate() {
        if g != NONE {
            link(
                cut_edge[first[h] as usize],
                cut_edge[first[g as usize] as usize],
            );
        }
    }
    let part_edge = |e: usize, i: usize| {
        let slot = if open[e].forward {
            i
        } else {
            parts[e].len() - 1 - i
        };
        cut_edge[first[open[e].half_edge as usize] as usize + slot]
    };
    for (e, own) in parts.iter().enumerate() {
        for (i, part) in own.iter().enumerate() {
            if part.partner != NONE {
                let other = &parts[part.partner as usize];
                if let Ok(j) = other.binary_search_by_key(&part.start, |p| p.start) {
                    link(part_edge(e, i), part_edge(part.partner as usize, j));
                }
            }
        }
    }
    assemble(&out, &links)
}

/// The pieces in an order that depends on their triangles alone. Two pieces may hold the same triangle: which of them gets a partner that both
/// could have must not depend on where they stand in the list.
fn in_order(pieces: &[Piece]) -> Vec<&Piece> {
    let places = |piece: &Piece, t: [u32; 3]| {
        let c = t.map(|v| piece.vertices[v as usize]);
        let turn = (0..3).min_by_key(|&k| c[k]).unwrap_or(0);
        [c[turn], c[(turn + 1) % 3], c[(turn + 2) % 3]]
    };
    let all = |piece: &Piece| {
        let mut all: Vec<Corners> = piece.triangles.iter().map(|&t| places(piece, t)).collect();
        all.sort_unstable();
        all
    };
    let least = |piece: &Piece| piece.triangles.iter().map(|&t| places(piece, t)).min();
    let mut order: Vec<_> = pieces.iter().map(|p| (least(p), p)).collect();
    order.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| all(a.1).cmp(&all(b.1))));
    order.into_iter().map(|(_, piece)| piece).collect()
}

/// All triangles by their corners, the half-edge beyond each half-edge within its piece, and the open edges.
fn gather(pieces: &[&Piece], climb: i32) -> (Vec<Corners>, Vec<u32>, Vec<OpenEdge>) {
    let total: usize = pieces.iter().map(|p| p.triangles.len()).sum();
    let mut corners: Vec<Corners> = Vec::with_capacity(total);
    let mut twins: Vec<u32> = Vec::with_capacity(total * 3);
    let mut open = vec![];
    let mut edges: Vec<(u32, u32, u32)> = vec![]; // lesser and greater vertex, half-edge * 2 + direction
    let mut closed: Vec<(Point, Point, u32)> = vec![];
    for piece in pieces {
        edges.clear();
        closed.clear();
        let begin = corners.len();
        let mut bits: Vec<u8> = vec![];
        for (triangle, &open) in piece.triangles.iter().zip(&piece.open) {
            let c = triangle.map(|i| piece.vertices[i as usize]);
            if orient(c[0].flat(), c[1].flat(), c[2].flat()) <= 0 {
                continue;
            }
            let base = corners.len() as u32 * 3;
            corners.push(c);
            bits.push(open);
            for k in 0..3 {
                let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
                let tag = (base + k as u32) * 2 + u32::from(a > b);
                edges.push((a.min(b), a.max(b), tag));
            }
        }
        twins.resize(corners.len() * 3, NONE);
        edges.sort_unstable();
        for run in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            if let Some([g, h]) = opposite(run.iter().map(|e| e.2)) {
                (twins[g], twins[h]) = (h as u32, g as u32);
                continue;
            }
            for &(_, _, tag) in run {
                let (t, k) = (tag as usize / 6, tag as usize / 2 % 3);
                let c = corners[t];
                let (a, b) = (c[k], c[(k + 1) % 3]);
                if bits[t - begin] >> k & 1 == 1 {
                    open.push(OpenEdge::new(a, b, c[(k + 2) % 3], tag / 2));
                } else {
                    let (a, b) = (a.flat(), b.flat());
                    closed.push((a.min(b), a.max(b), tag & !1 | u32::from(a > b)));
                }
            }
        }
        // Steps inside the piece.
        closed.sort_unstable();
        for run in closed.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            if let Some([g, h]) = opposite(run.iter().map(|e| e.2)) {
                let end = |h: usize, k: usize| corners[h / 3][(h % 3 + k) % 3].y;
                let apart = |k: usize| end(g, k).abs_diff(end(h, 1 - k));
                if apart(0).max(apart(1)) <= climb.max(0) as u32 {
                    (twins[g], twins[h]) = (h as u32, g as u32);
                }
            }
        }
    }
    (corners, twins, open)
}

/// The half-edges of two tags (half-edge * 2 + direction) of opposite direction, when there are no others.
fn opposite(mut tags: impl Iterator<Item = u32>) -> Option<[usize; 2]> {
    let (a, b) = (tags.next()?, tags.next()?);
    (tags.next().is_none() && a & 1 != b & 1).then_some([a as usize / 2, b as usize / 2])
}
