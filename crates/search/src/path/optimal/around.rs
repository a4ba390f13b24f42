//! What lies around a place on a border, by the chart: the same as on the mesh, without decoding.

use navbake_format::PolyId;

use super::chart::{Chart, ChartEdge};
use super::cone::{along, towards, turn};
use crate::{Closings, Query, ray};

/// Calls `f` for all other polygons that hold a point of the ground of `start`, which holds it: with the polygon before, and its edge that leads there.
pub(super) fn holders(
    chart: &Chart<'_>,
    closings: &Closings<'_>,
    start: u32,
    p: [i32; 2],
    mut f: impl FnMut(u32, &ChartEdge),
) {
    let border = chart.border(start);
    let Some(corner) = border.iter().position(|edge| edge.at == p) else {
        for (k, edge) in border.iter().enumerate() {
            let next = border.get(k + 1).unwrap_or(&border[0]);
            let [a, b] = [edge, next].map(|end| towards(p, end.at));
            if turn(a, b) == 0 && along(a, b) <= 0 && edge.leads_to(chart, closings).is_some() {
                f(start, edge);
            }
        }
        return;
    };
    for counter_clockwise in [true, false] {
        let (mut id, mut k) = (start, corner);
        for _ in 0..chart.polygons.len() {
            let Some((edge, next)) = step(chart, closings, (id, k), counter_clockwise) else {
                break;
            };
            if next == (start, corner) {
                return;
            }
            if let Some(edge) = chart.edge((id, edge)) {
                f(id, edge);
            }
            (id, k) = next;
        }
    }
}

/// One step around a corner: the edge that is crossed, and the corner in the polygon beyond. `None` at a wall.
fn step(
    chart: &Chart<'_>,
    closings: &Closings<'_>,
    (id, k): (u32, usize),
    counter_clockwise: bool,
) -> Option<(u32, (u32, usize))> {
    let border = chart.border(id);
    let number = match (counter_clockwise, k) {
        (true, 0) => border.len().checked_sub(1)?,
        (true, _) => k - 1,
        (false, _) => k,
    };
    let edge = border.get(number)?;
    let beyond = edge.leads_to(chart, closings)?;
    let twin = edge.twin as usize;
    let there = match (counter_clockwise, twin + 1 < chart.border(beyond).len()) {
        (true, _) => twin,
        (false, true) => twin + 1,
        (false, false) => 0,
    };
    Some((number as u32, (beyond, there)))
}

/// Turns around a corner, counter-clockwise, then clockwise, to the first polygon there that is told by its number, border and corner. Calls `cross` for the
/// portals on the way.
pub(super) fn turn_around(
    chart: &Chart<'_>,
    closings: &Closings<'_>,
    start: (u32, usize),
    is_it: impl Fn(u32, &[ChartEdge], usize) -> bool,
    cross: &mut impl FnMut(PolyId, u32),
) -> Option<u32> {
    for counter_clockwise in [true, false] {
        let (mut at, mut found) = (start, None);
        for steps in 1..=chart.polygons.len() {
            let Some((_, next)) = step(chart, closings, at, counter_clockwise) else {
                break;
            };
            at = next;
            if is_it(at.0, chart.border(at.0), at.1) {
                found = Some(steps);
                break;
            }
            if at == start {
                return None;
            }
        }
        let Some(steps) = found else {
            continue;
        };
        // The same way again, now that it is known to lead on.
        at = start;
        for _ in 0..steps {
            let (edge, next) = step(chart, closings, at, counter_clockwise)?;
            cross(PolyId(at.0), edge);
            at = next;
        }
        return Some(at.0);
    }
    None
}

/// Are `from` and `to`, which both hold the point, the same ground there? Calls `cross` for the portals on the way.
pub(in super::super) fn same_ground(
    query: &Query<'_>,
    chart: &Chart<'_>,
    [from, to]: [PolyId; 2],
    p: [i32; 2],
    mut cross: impl FnMut(PolyId, u32),
) -> bool {
    if from == to {
        return true;
    }
    let chart = chart.of(query.mesh());
    if chart.edges.is_empty() {
        return ray::same_ground(query, from, to, p, cross);
    }
    let (border, closings) = (chart.border(from.0), query.closings());
    if let Some(corner) = border.iter().position(|edge| edge.at == p) {
        let is_it = |id, _: &[ChartEdge], _| id == to.0;
        return turn_around(&chart, closings, (from.0, corner), is_it, &mut cross).is_some();
    }
    let leads = |k: usize| {
        let next = border.get(k + 1).unwrap_or(&border[0]);
        let [a, b] = [&border[k], next].map(|end| towards(p, end.at));
        let is_there = border[k].leads_to(&chart, closings) == Some(to.0);
        is_there && turn(a, b) == 0 && along(a, b) <= 0
    };
    let found = (0..border.len()).find(|&k| leads(k));
    if let Some(k) = found {
        cross(from, k as u32);
    }
    found.is_some()
}
