//! Links between cells, and estimates that know of them.
//!
//! A link that costs less than the estimate between its ends makes that estimate too high for all
//! that gains by the link. The estimate with links is the least of the plain one and of those over
//! a link: to its start, and the rest from there. The rest of each link is the least over all
//! chains of links, by Dijkstra's algorithm over the links. So no link is missed, and the estimate
//! falls by no more than a step's cost where the plain one does.

use navbake_format::{CellId, GridMapView};
use navbake_search::Heuristic;

use crate::heuristic::between;
use crate::metric::Metric;
use crate::scratch::GridGoal;

/// A link from cell to cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CellLink {
    pub(crate) from: CellId,
    pub(crate) to: CellId,
    /// In straight steps of cost 1.
    pub(crate) cost: f64,
    /// Its number in the navmesh.
    pub(crate) number: u32,
}

impl CellLink {
    /// Where a search enters it.
    #[inline]
    pub(crate) fn start(&self, reverse: bool) -> CellId {
        if reverse { self.to } else { self.from }
    }

    /// Where a search leaves it.
    #[inline]
    pub(crate) fn end(&self, reverse: bool) -> CellId {
        if reverse { self.from } else { self.to }
    }
}

/// A link that can save something, as estimates see it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Detour {
    /// Column and row where it is entered.
    pub(crate) at: [i32; 2],
    /// What remains from there, over the link.
    pub(crate) rest: u64,
}

/// The most links that estimates consider.
pub(crate) const MOST_DETOURS: usize = 64;

/// The links of a map that can save something, with what remains from each, for estimates by
/// `costs`.
///
/// `None` where there are too many: then no estimate but 0 is sure.
pub(crate) fn detours(
    map: &GridMapView<'_>,
    links: &[CellLink],
    metric: &Metric,
    (heuristic, costs): (Heuristic, [u64; 2]),
    goals: &[GridGoal],
    reverse: bool,
    into: &mut [Detour; MOST_DETOURS],
) -> Option<usize> {
    let at = |cell| map.column_row(cell).map(|c| c as i32);
    let links = links.iter().map(|link| {
        let [start, end] = [link.start(reverse), link.end(reverse)].map(at);
        ([start, end], metric.link(link.cost))
    });
    let apart = |a, b| between(map.shape(), heuristic, costs, a, b);
    detours_between(links, apart, goals.iter().map(|goal| [goal.column, goal.row]), into)
}

/// The same for links by their ends and costs, and estimates by `apart`.
pub(crate) fn detours_between(
    links: impl Iterator<Item = ([[i32; 2]; 2], u64)>,
    apart: impl Fn([i32; 2], [i32; 2]) -> u64,
    goals: impl Iterator<Item = [i32; 2]> + Clone,
    into: &mut [Detour; MOST_DETOURS],
) -> Option<usize> {
    // The ends of each, and its cost.
    let mut kept = [([[0; 2]; 2], 0u64); MOST_DETOURS];
    let mut count = 0;
    for ([start, end], cost) in links {
        if cost < apart(start, end) {
            *kept.get_mut(count)? = ([start, end], cost);
            count += 1;
        }
    }
    let kept = &kept[..count];
    for (([start, end], cost), own) in kept.iter().zip(into.iter_mut()) {
        let rest = goals.clone().map(|goal| apart(*end, goal)).min();
        *own = Detour { at: *start, rest: rest.unwrap_or(0).saturating_add(*cost) };
    }
    // Dijkstra's, from the goals: the nearest link is settled, and the others may gain by it.
    let mut is_settled = [false; MOST_DETOURS];
    for _ in 0..count {
        let open = (0..count).filter(|&i| !is_settled[i]);
        let Some(best) = open.min_by_key(|&i| into[i].rest) else {
            break;
        };
        is_settled[best] = true;
        let nearest = into[best];
        for (([_, end], cost), own) in kept.iter().zip(into.iter_mut()) {
            let over = apart(*end, nearest.at).saturating_add(nearest.rest).saturating_add(*cost);
            own.rest = own.rest.min(over);
        }
    }
    Some(count)
}
