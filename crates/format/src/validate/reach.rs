//! What must hold of zones and of who comes from which to which.
//!
//! Each single step, over a portal or a link, is known to the tables, and nobody enters what it keeps off. That the tables know what follows from
//! many steps is not checked, as it is not that an island hangs together: who writes a blob is trusted in that. Looking at it all the same
//! neither panics nor ends nowhere.

use navbake_grid::PolyId;

use super::{Checked, Place};
use crate::reach::{LIMIT, Table};
use crate::{Blob, Found, NavMeshView, Section};

pub(super) fn reach(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let sections = [Section::ZONES, Section::REACH, Section::REACH_LISTS];
    let there = sections.map(|s| blob.section(s, at.class).is_some());
    if there == [false; 3] {
        return Ok(());
    }
    if let Some(k) = there.iter().position(|there| !there) {
        let expected = "the sections zones, reach and reach-lists, or none of them";
        return at.int(sections[k], 0, 0, expected);
    }
    zones(mesh, at)?;
    askers(mesh, at)?;
    for asker in 0..mesh.asker_count() {
        let Some(table) = mesh.reach().table(asker) else {
            let expected = "a table within the section reach-lists";
            return at.int(Section::REACH, asker, 0, expected);
        };
        sound(&table, asker, at)?;
    }
    for p in 0..mesh.polygon_count() {
        steps(mesh, at, PolyId(p))?;
    }
    for number in 0..mesh.link_count() {
        let Some(link) = mesh.link(number) else {
            continue;
        };
        step(mesh, at, link.polygon, link.beyond, Some(link.agents))?;
    }
    Ok(())
}

/// Each polygon has a zone, and all zones are named, in order.
fn zones(mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let reach = mesh.reach();
    let (of, count) = (reach.zones, reach.zone_count());
    if of.is_each() && of.len() != mesh.polygon_count() as usize {
        let expected = "one record for each polygon that the section mesh states";
        return at.int(Section::ZONES, 0, of.len() as i64, expected);
    }
    let (mut used, mut last) = (0, None);
    for i in 0..of.len() {
        let (first, number) = of.record(i);
        let fail = |found: u32, expected| {
            at.fail(Section::ZONES, i as u64, Found::Int(found.into()), expected)
        };
        if last.map_or(first != 0, |l| l >= first) || first >= mesh.polygon_count() {
            return fail(
                first,
                "polygon 0, then one behind the first one of the run before",
            );
        }
        if number == 0 || number > used + 1 {
            return fail(
                number,
                "a zone that was named before, or the next one, counted from 1",
            );
        }
        used = used.max(number);
        last = Some(first);
    }
    if used as usize != count {
        let expected = "as many zones as polygons name";
        return at.int(Section::REACH_LISTS, 0, count as i64, expected);
    }
    Ok(())
}

fn askers(mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let askers = mesh.reach().askers;
    if askers.len() > LIMIT {
        return at.int(
            Section::REACH,
            0,
            askers.len() as i64,
            "at most 255 elements",
        );
    }
    let mut before = None;
    for (i, asker) in (0u32..).zip(askers) {
        let key = Some((asker.agents.get(), asker.areas.get()));
        if before >= key {
            let expected = "elements sorted by agents and areas, no pair twice";
            return at.int(Section::REACH, i, asker.agents.get(), expected);
        }
        before = key;
    }
    Ok(())
}

/// Numbers in range and in order.
fn sound(table: &Table<'_>, asker: u32, at: &Place) -> Checked {
    let fail = |found: u16, expected| at.int(Section::REACH, asker, found, expected);
    let ranks = table.ends.len();
    if usize::from(table.entered) > ranks {
        return fail(table.entered, "no more ranks that are entered than ranks");
    }
    if let Some(rank) = table.ranks.iter().find(|r| usize::from(r.get()) >= ranks) {
        return fail(rank.get(), "zones with a rank");
    }
    for rank in (0u16..).take(ranks) {
        let Some(ranges) = table.ranges_of(rank) else {
            return fail(
                rank,
                "ranges of a rank that end no earlier than those before",
            );
        };
        if ranges.len() > LIMIT {
            return fail(rank, "at most 255 ranges for a rank");
        }
        let mut next = 0;
        for range in ranges {
            let [first, last] = range.map(|r| u32::from(r.get()));
            if first < next || last < first || last >= table.entered.into() {
                let expected = "ranges of ranks that are entered, rising, with a gap between them";
                return fail(rank, expected);
            }
            next = last + 2;
        }
        if rank < table.entered && !table.holds(rank, rank) {
            return fail(rank, "a rank that is entered among what it leads to");
        }
    }
    Ok(())
}

/// Over the portals of a polygon, and into it.
fn steps(mesh: &NavMeshView<'_>, at: &Place, id: PolyId) -> Checked {
    let Some(zone) = mesh.reach().zones.get(id) else {
        return Ok(());
    };
    let area = mesh.area(id).0 & 63;
    for (asker, record) in (0u32..).zip(mesh.reach().askers) {
        let Some(table) = mesh.reach().table(asker) else {
            continue;
        };
        let entered = table.rank(zone).is_some_and(|r| r < table.entered);
        let kept_off = record.areas.get() >> area & 1 == 1;
        if entered == kept_off {
            let expected =
                "a zone that the asker enters exactly where it does not keep off the area";
            return at.int(Section::ZONES, id.0, zone, expected);
        }
    }
    let polygon = mesh.polygon(id);
    for k in 0..polygon.len() {
        if let Some(beyond) = polygon.neighbour(k) {
            step(mesh, at, id, beyond, None)?;
        }
    }
    Ok(())
}

/// From one polygon to another, for the agents of a link if it is one.
fn step(
    mesh: &NavMeshView<'_>,
    at: &Place,
    from: PolyId,
    to: PolyId,
    agents: Option<u32>,
) -> Checked {
    let reach = mesh.reach();
    let (Some(a), Some(b)) = (reach.zones.get(from), reach.zones.get(to)) else {
        return Ok(());
    };
    if a == b {
        // Who enters a zone comes to all of it, as was looked at before.
        return Ok(());
    }
    let area = mesh.area(to).0 & 63;
    for (asker, record) in (0u32..).zip(reach.askers) {
        let taken = agents.is_none_or(|agents| agents & record.agents.get() != 0);
        if !taken || record.areas.get() >> area & 1 == 1 {
            continue;
        }
        let known = reach.table(asker).and_then(|table| table.leads(a, b));
        if known != Some(true) {
            let expected = "a table that knows every portal and every link";
            return at.int(Section::REACH, asker, from.0, expected);
        }
    }
    Ok(())
}
