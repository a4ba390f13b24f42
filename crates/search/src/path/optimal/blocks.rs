//! Which polygons a path between two others can lead through at all.
//!
//! A path that leaves a polygon and comes back to it is no shorter than the straight line within: polygons are convex. So a shortest path
//! visits every polygon at most once, and then it stays within the *blocks* between its ends: the parts of the mesh that hang together
//! even when any one polygon is taken away (biconnected components; Hopcroft and Tarjan, Efficient algorithms for graph manipulation,
//! 1973). Dead ends and rooms that no such path passes are never looked at. Taking ground away, as closed doors do, splits blocks and joins
//! none, so what is left out stays out.

use super::chart::Chart;

/// Finds the blocks: gives each portal its block, each polygon the block through which it hangs on the first polygon of its island, and
/// returns the polygon that each block hangs on.
#[cfg(feature = "alloc")]
pub(super) fn find(
    polygons: &mut [super::chart::ChartPolygon],
    edges: &mut [super::chart::ChartEdge],
) -> alloc::vec::Vec<u32> {
    use super::chart::NONE;
    use alloc::vec::Vec;
    /// A polygon on the way from the island's first.
    struct Visit {
        polygon: u32,
        edge: u32,
        /// The edge back to the polygon before.
        back: u32,
    }
    let count = polygons.len() as u32 - 1;
    let mut low: Vec<u32> = alloc::vec![NONE; count as usize];
    let (mut tops, mut waiting, mut way) = (Vec::new(), Vec::new(), Vec::<Visit>::new());
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
                way.push(Visit {
                    polygon,
                    edge: polygons[polygon as usize].first,
                    back,
                });
            }
            let Some(visit) = way.last_mut() else {
                break;
            };
            let p = visit.polygon as usize;
            if visit.edge < polygons[p + 1].first {
                let number = visit.edge;
                visit.edge += 1;
                let edge = edges[number as usize];
                if edge.beyond == NONE || number == visit.back {
                    continue;
                }
                let beyond = polygons[edge.beyond as usize];
                if beyond.order == NONE {
                    next = Some((edge.beyond, beyond.first + edge.twin));
                } else {
                    low[p] = low[p].min(beyond.order);
                }
                continue;
            }
            way.pop();
            let Some(before) = way.last() else {
                continue;
            };
            let top = before.polygon as usize;
            low[top] = low[top].min(low[p]);
            if low[p] >= polygons[top].order {
                while let Some(member) = waiting.pop() {
                    polygons[member as usize].home = tops.len() as u32;
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
            if let Some(beyond) = polygons.get(edge.beyond as usize) {
                let farther = if beyond.order > one.order {
                    beyond
                } else {
                    &one
                };
                edge.block = farther.home;
            }
        }
    }
    tops
}

/// Marks the blocks between two polygons, one bit each.
pub(super) fn mark(chart: &Chart<'_>, from: u32, to: u32, marks: &mut [u64]) {
    marks.fill(0);
    each_between(chart, from, to, |block| {
        if let Some(word) = marks.get_mut(block as usize / 64) {
            *word |= 1 << (block % 64);
        }
    });
}

/// All blocks between two polygons.
pub(in super::super) fn each_between(
    chart: &Chart<'_>,
    from: u32,
    to: u32,
    mut f: impl FnMut(u32),
) {
    let (mut a, mut b) = (from, to);
    // Whoever was found later hangs on the other, or both on something before.
    for _ in 0..=2 * chart.tops.len() {
        if a == b {
            break;
        }
        let [p, q] = [a, b].map(|p| chart.polygons.get(p as usize));
        let (Some(p), Some(q)) = (p, q) else {
            break;
        };
        let (one, later) = if p.order > q.order {
            (&mut a, p)
        } else {
            (&mut b, q)
        };
        let Some(&top) = chart.tops.get(later.home as usize) else {
            break;
        };
        f(later.home);
        *one = top;
    }
}

/// Is a block marked?
#[inline]
pub(super) fn is_marked(marks: &[u64], block: u32) -> bool {
    (marks.get(block as usize / 64)).is_some_and(|word| word >> (block % 64) & 1 == 1)
}
