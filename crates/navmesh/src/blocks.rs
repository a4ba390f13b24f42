//! Which polygons a path between two others can lead through at all.
//!
//! A path that leaves a polygon and comes back to it is no shorter than the straight line within:
//! polygons are convex. So a shortest path visits every polygon at most once, and it stays within
//! the *blocks* between its ends. A block is a biconnected component: a part of the mesh that stays
//! connected when any one polygon is taken away (Hopcroft and Tarjan, Efficient algorithms for
//! graph manipulation, 1973). Dead ends and rooms that no such path passes are never looked at.
//! Closing doors splits blocks and joins none, so what is left out stays out. A polygon in
//! [pieces](crate::Pieces) is not convex: a path may leave it and come back, so the blocks that
//! meet in it are crossed together.

use crate::{NONE, PolyMesh};

/// Finds the blocks: gives each portal its block, and each polygon the block by which it is
/// connected to the first polygon of its island. Returns for each block the polygon at which it is
/// connected to the rest. `polygons` is one longer than there are.
#[cfg(feature = "alloc")]
pub fn find(polygons: &mut [crate::Polygon], edges: &mut [crate::Edge]) -> alloc::vec::Vec<u32> {
    use alloc::vec::Vec;
    /// A polygon of the walk from the island's first.
    struct Visit {
        polygon: u32,
        edge: u32,
        /// The edge back to the polygon before.
        back: u32,
    }
    let count = polygons.len() as u32 - 1;
    let mut low: Vec<u32> = alloc::vec![NONE; count as usize];
    let (mut tops, mut waiting, mut walk) = (Vec::new(), Vec::new(), Vec::<Visit>::new());
    let mut clock = 0;
    for island in 0..count {
        if polygons[island as usize].order != NONE {
            continue;
        }
        let mut next = Some((island, NONE));
        loop {
            if let Some((polygon, back)) = next.take() {
                polygons[polygon as usize].order = clock;
                low[polygon as usize] = clock;
                clock += 1;
                waiting.push(polygon);
                walk.push(Visit { polygon, edge: polygons[polygon as usize].first, back });
            }
            let Some(visit) = walk.last_mut() else {
                break;
            };
            let p = visit.polygon as usize;
            if visit.edge < polygons[p + 1].first {
                let number = visit.edge;
                visit.edge += 1;
                let edge = edges[number as usize];
                if edge.neighbour == NONE || number == visit.back {
                    continue;
                }
                let beyond = polygons[edge.neighbour as usize];
                if beyond.order == NONE {
                    next = Some((edge.neighbour, beyond.first + edge.twin));
                } else {
                    low[p] = low[p].min(beyond.order);
                }
                continue;
            }
            walk.pop();
            let Some(before) = walk.last() else {
                continue;
            };
            let top = before.polygon as usize;
            low[top] = low[top].min(low[p]);
            if low[p] >= polygons[top].order {
                while let Some(member) = waiting.pop() {
                    polygons[member as usize].block = tops.len() as u32;
                    if member as usize == p {
                        break;
                    }
                }
                tops.push(top as u32);
            }
        }
        waiting.clear();
    }
    for p in 0..count as usize {
        let (one, end) = (polygons[p], polygons[p + 1].first);
        for edge in &mut edges[one.first as usize..end as usize] {
            if let Some(beyond) = polygons.get(edge.neighbour as usize) {
                let farther = if beyond.order > one.order { beyond } else { &one };
                edge.block = farther.block;
            }
        }
    }
    tops
}

/// Checks that blocks form a tree within each island, and that portals name the block of the
/// polygon that is farther from its root. Borders are known to be sound. O(edges).
///
/// That they are the biconnected components is not checked: where they are not, paths may be
/// missed.
///
/// # Errors
/// The number of a polygon that is wrong, or that of the polygons when a block is.
pub fn check(mesh: &PolyMesh<'_>) -> Result<(), u32> {
    if mesh.tops.iter().any(|top| top >= mesh.len()) {
        return Err(mesh.len());
    }
    for (p, polygon) in (0..mesh.len()).zip(mesh.polygons.iter()) {
        let top = (mesh.tops.get(polygon.block as usize)).and_then(|top| mesh.polygon(top));
        let below = match top {
            None => polygon.block == NONE,
            Some(top) => top.order < polygon.order && top.island == polygon.island,
        };
        if !below || polygon.order >= mesh.len() {
            return Err(p);
        }
        for edge in mesh.border(p).iter() {
            let block = match mesh.polygon(edge.neighbour) {
                None => Some(NONE),
                Some(beyond) if beyond.order > polygon.order => Some(beyond.block),
                Some(beyond) if beyond.order < polygon.order => Some(polygon.block),
                Some(_) => None,
            };
            if block != Some(edge.block) {
                return Err(p);
            }
        }
    }
    Ok(())
}

/// Marks the blocks that paths between two polygons may cross, one bit each, beside those that are
/// marked: see [`each_crossed`].
pub fn mark(mesh: &PolyMesh<'_>, from: u32, to: u32, marks: &mut [u64]) {
    each_crossed(mesh, from, to, |block| {
        let word = marks.get_mut(block as usize / 64);
        word.is_some_and(|word| {
            let before = *word;
            *word |= 1 << (block % 64);
            *word != before
        })
    });
}

/// Calls `f` for the blocks between two polygons. On a changed mesh also for those that paths may
/// have to cross because a polygon between is in pieces: see [`Pieces`](crate::Pieces).
///
/// `f` gets some blocks more than once. It returns whether it got one for the first time.
pub fn each_crossed(mesh: &PolyMesh<'_>, from: u32, to: u32, mut f: impl FnMut(u32) -> bool) {
    let mut ring = |block: u32| {
        let mut at = block;
        while f(at) {
            at = mesh.pieces.rings.get(at as usize).unwrap_or(block);
        }
    };
    each_between(mesh, from, to, &mut ring);
    // A path between pieces of one polygon is between no blocks.
    for edge in [from, to].into_iter().flat_map(|end| mesh.border(end).iter()) {
        if mesh.is_changed() && edge.neighbour != NONE {
            ring(edge.block);
        }
    }
}

/// All blocks between two polygons.
fn each_between(mesh: &PolyMesh<'_>, from: u32, to: u32, mut f: impl FnMut(u32)) {
    let (mut a, mut b) = (from, to);
    // The one found later is connected by the other, or both by something before.
    for _ in 0..=2 * mesh.tops.len() {
        if a == b {
            break;
        }
        let [p, q] = [a, b].map(|p| mesh.polygons.get(p as usize));
        let (Some(p), Some(q)) = (p, q) else {
            break;
        };
        let (one, later) = if p.order > q.order { (&mut a, p) } else { (&mut b, q) };
        let Some(top) = mesh.tops.get(later.block as usize) else {
            break;
        };
        f(later.block);
        *one = top;
    }
}

/// Is a block marked?
#[inline]
pub fn is_marked(marks: &[u64], block: u32) -> bool {
    (marks.get(block as usize / 64)).is_some_and(|word| word >> (block % 64) & 1 == 1)
}
