//! The straight line, walked on the chart: the same as a walk on the mesh, without decoding.

use navbake_format::PolyId;
use navbake_format::exact::{cross, dot};

use super::around::turn_around;
use super::chart::{Chart, ChartEdge};
use super::cone::{along, towards, turn};
use crate::Query;
use crate::ray::{End, walk};

/// Walks from `a`, which the polygon `start` holds, straight to `b`; gives the polygon in which the line ends, `None` where it does not come
/// all the way. Calls `cross` with the polygon and the number of its edge for each portal crossed, in order.
pub(in super::super) fn walk_straight(
    query: &Query<'_>,
    chart: &Chart<'_>,
    start: PolyId,
    a: [i32; 2],
    b: [i32; 2],
    mut cross: impl FnMut(PolyId, u32),
) -> Option<PolyId> {
    let chart = chart.of(query.mesh());
    if chart.edges.is_empty() {
        return match walk(query, start, a, b, cross) {
            End::Reached(last) => Some(last),
            _ => None,
        };
    }
    let d = towards(a, b);
    if d == [0, 0] {
        return Some(start);
    }
    let line = Line::new(a, d);
    let mut id = start.0;
    // The edge that the polygon was entered by, if it was by one.
    let mut entry = None;
    // A line crosses each portal once; the bound is for starts that lie elsewhere than they say.
    for _ in 0..=chart.edges.len() {
        let border = chart.border(id);
        let through = entry.and_then(|entry| line.opposite(border, entry));
        let (k, corner) = match through {
            Some(k) => (k, false),
            None => line.exit(border)?,
        };
        let edge = &border[k];
        let next = border.get(k + 1).unwrap_or(&border[0]);
        if corner {
            if along(d, towards(edge.at, b)) <= 0 {
                return Some(PolyId(id));
            }
            let on = |_, border: &[ChartEdge], k| leads_between(border, k, d);
            id = turn_around(&chart, query.closings(), (id, k), on, &mut cross)?;
            entry = None;
        } else {
            if turn(towards(edge.at, next.at), towards(edge.at, b)) >= 0 {
                return Some(PolyId(id));
            }
            let beyond = edge.leads_to(&chart, query.closings())?;
            cross(PolyId(id), k as u32);
            (id, entry) = (beyond, Some(edge.twin as usize));
        }
    }
    None
}

/// A line from a place in a direction.
struct Line {
    a: [i32; 2],
    d: [i64; 2],
    /// What of the cross product with a point's place does not depend on the point.
    on: i64,
}

impl Line {
    fn new(a: [i32; 2], d: [i32; 2]) -> Line {
        let d = d.map(i64::from);
        let on = cross(d, a.map(i64::from));
        Line { a, d, on }
    }

    /// Positive to the left of it.
    #[inline]
    fn side(&self, edge: &ChartEdge) -> i64 {
        cross(self.d, edge.at.map(i64::from)).wrapping_sub(self.on)
    }

    /// Where it leaves a polygon that it entered across an edge; `None` if that may be at a corner. The edge ends on its right, seen from within, and its
    /// begin lies on its left.
    #[inline]
    fn opposite(&self, border: &[ChartEdge], entry: usize) -> Option<usize> {
        let after = |k: usize| if k + 1 < border.len() { k + 1 } else { 0 };
        let mut k = after(entry);
        for _ in 1..border.len() {
            let next = after(k);
            match self.side(&border[next]) {
                0 => return None,
                1.. => return Some(k),
                _ => k = next,
            }
        }
        None
    }

    /// Where it leaves a polygon that it meets: an edge, or the corner where that begins.
    fn exit(&self, border: &[ChartEdge]) -> Option<(usize, bool)> {
        let mut corner: Option<(i64, usize)> = None;
        let mut before = border.len().checked_sub(1)?;
        let mut here = self.side(&border[before]);
        for (k, edge) in border.iter().enumerate() {
            let next = self.side(edge);
            // Seen from above a counter-clockwise border crosses the line from right to left where the line leaves.
            if here < 0 && next > 0 {
                return Some((before, false));
            }
            if next == 0 {
                let far = dot(self.d, towards(self.a, edge.at).map(i64::from));
                if corner.is_none_or(|(best, _)| far > best) {
                    corner = Some((far, k));
                }
            }
            (here, before) = (next, k);
        }
        corner.map(|(_, k)| (k, true))
    }
}

/// Does a direction lead between the edges of a border's corner?
fn leads_between(border: &[ChartEdge], k: usize, d: [i32; 2]) -> bool {
    let (Some(corner), Some(last)) = (border.get(k), border.len().checked_sub(1)) else {
        return false;
    };
    let out = border.get(k + 1).unwrap_or(&border[0]).at;
    let back = border[if k == 0 { last } else { k - 1 }].at;
    turn(towards(corner.at, out), d) >= 0 && turn(d, towards(corner.at, back)) >= 0
}
