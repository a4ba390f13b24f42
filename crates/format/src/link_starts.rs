//! Links by the polygons that they can be taken from.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use navbake_navmesh::LinkStart;
#[cfg(feature = "alloc")]
use navbake_navmesh::PolyMesh;

use crate::sections::doors_links::DoorsLinks;

/// A link as the list of a polygon has it. `units` is a metre in grid units.
pub(crate) fn link_start(links: &DoorsLinks<'_>, number: u32, units: f64) -> Option<LinkStart> {
    let link = links.link(number)?;
    Some(LinkStart {
        number,
        polygon: link.polygon.0,
        agents: link.agents,
        from: link.from,
        to: link.to,
        cost: link.cost * units,
    })
}

/// Links by the polygons that they can be taken from: where the list of each polygon begins, and
/// the lists. `units` is a metre in grid units.
#[cfg(feature = "alloc")]
pub(crate) fn links(
    all: &DoorsLinks<'_>,
    polys: &PolyMesh<'_>,
    units: f64,
) -> (Vec<u32>, Vec<LinkStart>) {
    // A link begins on one polygon, or on several if its start is on a border.
    let items: Vec<LinkStart> =
        (0..all.link_count()).filter_map(|number| link_start(all, number, units)).collect();
    let mut held: Vec<(u32, u32)> = Vec::with_capacity(2 * items.len());
    for it in &items {
        let first = held.len();
        held.push((it.polygon, it.number));
        polys.each_holder(
            it.polygon,
            it.from,
            |_| true,
            |_, _, edge| {
                let beyond = edge.neighbour;
                if held[first..].iter().all(|(p, _)| *p != beyond) {
                    held.push((beyond, it.number));
                }
            },
        );
    }
    held.sort_unstable();
    let mut starts = Vec::new();
    if !held.is_empty() {
        starts.resize(polys.len() as usize + 1, held.len() as u32);
        // Filled in blocks, since most polygons have no link.
        let mut next = 0;
        for (number, (polygon, _)) in (0u32..).zip(&held) {
            let polygon = *polygon as usize;
            if let Some(before) = starts.get_mut(next..=polygon) {
                before.fill(number);
                next = polygon + 1;
            }
        }
    }
    // All links are there, so that each is at its number.
    (starts, held.into_iter().map(|(_, number)| items[number as usize]).collect())
}
