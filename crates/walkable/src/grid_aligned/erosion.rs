//! Keeps the agent's centre its radius away from every border.
//!
//! The nearest border side propagates from span to span over the links: a Dijkstra search over
//! exact distances, after Danielsson's vector distance transform. So distance is measured on the
//! ground and never through a layer.

use super::spans::{NO_SPAN, STEPS, Span, Spans};
use crate::params::Params;

/// For each span: may the agent's centre be there?
pub(crate) fn fits(spans: &Spans, params: &Params) -> Vec<bool> {
    if params.radius == 0 {
        // A cell counts by its centre, so that the outermost ones may reach beyond the ground.
        let whole = |s: &Span| !s.links.contains(&NO_SPAN);
        return spans.spans.iter().map(whole).collect();
    }
    let count = spans.spans.len();
    // Distances are squared, in half cells: centres are at odd coordinates, sides at even ones.
    let radius = 2.0 * f64::from(params.radius) / f64::from(params.cell);
    let limit = (radius * radius).ceil() as usize;
    let mut nearest: Vec<Option<Side>> = vec![None; count];
    let mut distance = vec![u32::MAX; count];
    let mut buckets: Vec<Vec<u32>> = vec![vec![]; limit.max(1)];
    for (s, span) in spans.spans.iter().enumerate() {
        for direction in 0..4 {
            if span.links[direction] == NO_SPAN && spans.neighbour(span.cell, direction).is_some() {
                let side = Side::of(spans, span.cell, direction);
                offer(spans, s as u32, side, &mut nearest, &mut distance, &mut buckets);
            }
        }
    }
    let mut at = 0;
    while at < buckets.len() {
        let Some(s) = buckets[at].pop() else {
            at += 1;
            continue;
        };
        let Some(side) = nearest[s as usize] else {
            continue;
        };
        if distance[s as usize] as usize != at {
            continue;
        }
        let links = spans.spans[s as usize].links;
        for (direction, &next) in links.iter().enumerate() {
            if next == NO_SPAN {
                continue;
            }
            // A neighbour may be nearer to the side than this span: then its bucket comes first.
            at = at.min(offer(spans, next, side, &mut nearest, &mut distance, &mut buckets));
            // Diagonal places are reached over this neighbour.
            for turn in [(direction + 1) % 4, (direction + 3) % 4] {
                let diagonal = spans.spans[next as usize].links[turn];
                if diagonal != NO_SPAN {
                    at = at.min(offer(
                        spans,
                        diagonal,
                        side,
                        &mut nearest,
                        &mut distance,
                        &mut buckets,
                    ));
                }
            }
        }
    }
    distance.iter().map(|&d| f64::from(d) >= radius * radius).collect()
}

/// A side of a cell that ground does not go on over, in half cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    x: (i32, i32),
    z: (i32, i32),
}

impl Side {
    fn of(spans: &Spans, cell: u32, direction: usize) -> Side {
        let (x, z) = (2 * (cell as i32 % spans.side), 2 * (cell as i32 / spans.side));
        let (dx, dz) = STEPS[direction];
        let along = |d: i32, from: i32| match d {
            0 => (from, from + 2),
            1 => (from + 2, from + 2),
            _ => (from, from),
        };
        Side { x: along(dx, x), z: along(dz, z) }
    }

    fn distance(&self, x: i32, z: i32) -> u32 {
        let dx = (self.x.0 - x).max(x - self.x.1).max(0);
        let dz = (self.z.0 - z).max(z - self.z.1).max(0);
        (dx * dx + dz * dz) as u32
    }
}

/// Sets the side of a span if it is nearer than the one it has; of two equally near ones, the
/// lesser. Gives the bucket that the span went to, `usize::MAX` for none.
fn offer(
    spans: &Spans,
    span: u32,
    side: Side,
    nearest: &mut [Option<Side>],
    distance: &mut [u32],
    buckets: &mut [Vec<u32>],
) -> usize {
    let cell = spans.spans[span as usize].cell as i32;
    let d = side.distance(2 * (cell % spans.side) + 1, 2 * (cell / spans.side) + 1);
    let s = span as usize;
    if d as usize >= buckets.len()
        || d > distance[s]
        || (d == distance[s] && nearest[s] <= Some(side))
    {
        return usize::MAX;
    }
    distance[s] = d;
    nearest[s] = Some(side);
    buckets[d as usize].push(span);
    d as usize
}
