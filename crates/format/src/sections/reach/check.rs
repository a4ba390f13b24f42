//! Checks of zones and of the tables of profiles.
//!
//! The tables contain each single step over a portal or a link, and no step from other ground
//! enters a forbidden area. Reachability over several steps is not checked, nor is the connectedness
//! of islands. Wrong tables cause neither panics nor endless searches.

use navbake_grid::PolyId;

use super::super::doors_links::DoorsLinks;
use super::{LIMIT, Reach, Table};
use crate::packed_mesh::NavMeshView;
use crate::place::{Checked, Place};
use crate::{Blob, Section};

pub(crate) fn check(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let sections = [Section::ZONES, Section::REACH, Section::REACH_LISTS];
    let there = sections.map(|s| blob.has(s, at.class));
    if there == [false; 3] {
        return Ok(());
    }
    if let Some(k) = there.iter().position(|there| !there) {
        let expected = "the sections zones, reach and reach-lists, or none of them";
        return at.fail(sections[k], 0, 0, expected);
    }
    let reach = &Reach::read(blob, at.class);
    zones(mesh, reach, at)?;
    profiles(reach, at)?;
    for profile in 0..reach.profile_count() {
        let Some(table) = reach.table(profile) else {
            let expected = "a table within the section reach-lists";
            return at.fail(Section::REACH, profile, 0, expected);
        };
        sound(&table, profile, at)?;
    }
    for p in 0..mesh.polygon_count() {
        steps(mesh, reach, at, PolyId(p))?;
    }
    let links = DoorsLinks::read(blob, at.class);
    for number in 0..links.link_count() {
        let Some(link) = links.link(number) else {
            continue;
        };
        step(mesh, reach, at, link.polygon, link.beyond, Some(link.agents))?;
    }
    Ok(())
}

/// Each polygon has a zone, and all zones are named, in order.
fn zones(mesh: &NavMeshView<'_>, reach: &Reach<'_>, at: &Place) -> Checked {
    let (of, count) = (reach.zones, reach.zone_count());
    if of.is_each() && of.len() != mesh.polygon_count() as usize {
        let expected = "one record for each polygon that the section mesh states";
        return at.fail(Section::ZONES, 0, of.len(), expected);
    }
    let (mut used, mut last) = (0, None);
    for i in 0..of.len() {
        let (first, number) = of.record(i);
        let it = at.element(Section::ZONES, i);
        if last.map_or(first != 0, |l| l >= first) || first >= mesh.polygon_count() {
            return it.fail(first, "polygon 0, then one behind the first one of the run before");
        }
        let expected = "a zone that was named before, or the next one, counted from 1";
        it.refuse(number == 0 || number > used + 1, number, expected)?;
        used = used.max(number);
        last = Some(first);
    }
    let expected = "as many zones as polygons name";
    at.refuse(used as usize != count, Section::REACH_LISTS, 0, count, expected)?;
    Ok(())
}

fn profiles(reach: &Reach<'_>, at: &Place) -> Checked {
    let profiles = reach.profiles;
    at.refuse(profiles.len() > LIMIT, Section::REACH, 0, profiles.len(), "at most 255 elements")?;
    let mut before = None;
    for (it, profile) in at.each(Section::REACH, profiles.iter()) {
        let key = Some((profile.agents, profile.areas));
        let expected = "elements sorted by agents and areas, no pair twice";
        it.refuse(before >= key, profile.agents, expected)?;
        before = key;
    }
    Ok(())
}

/// Numbers in range and in order.
fn sound(table: &Table<'_>, profile: u32, at: &Place) -> Checked {
    let it = at.element(Section::REACH, profile);
    let ranks = table.ends.len();
    let expected = "no more ranks that are entered than ranks";
    it.refuse(usize::from(table.entered) > ranks, table.entered, expected)?;
    if let Some(rank) = table.ranks.iter().find(|&r| usize::from(r) >= ranks) {
        return it.fail(rank, "zones with a rank");
    }
    for rank in (0u16..).take(ranks) {
        let Some(ranges) = table.ranges_of(rank) else {
            return it.fail(rank, "ranges of a rank that end no earlier than those before");
        };
        it.refuse(ranges.len() > LIMIT, rank, "at most 255 ranges for a rank")?;
        let mut next = 0;
        for range in ranges.iter() {
            let [first, last] = range.map(u32::from);
            if first < next || last < first || last >= table.entered.into() {
                let expected = "ranges of ranks that are entered, rising, with a gap between them";
                return it.fail(rank, expected);
            }
            next = last + 2;
        }
        let expected = "a rank that is entered among what it leads to";
        it.refuse(rank < table.entered && !table.holds(rank, rank), rank, expected)?;
    }
    Ok(())
}

/// Steps over the portals of a polygon, and into it.
fn steps(mesh: &NavMeshView<'_>, reach: &Reach<'_>, at: &Place, id: PolyId) -> Checked {
    let Some(zone) = reach.zones.get(id) else {
        return Ok(());
    };
    let area = mesh.area(id).0 & 63;
    for (profile, record) in (0u32..).zip(reach.profiles.iter()) {
        let Some(table) = reach.table(profile) else {
            continue;
        };
        let entered = table.rank(zone).is_some_and(|r| r < table.entered);
        let forbidden = record.areas >> area & 1 == 1;
        let expected = "a zone that is entered exactly where the area is not kept off";
        at.refuse(entered == forbidden, Section::ZONES, id.0, zone, expected)?;
    }
    let polygon = mesh.polygon(id);
    for k in 0..polygon.len() {
        if let Some(beyond) = polygon.neighbour(k) {
            step(mesh, reach, at, id, beyond, None)?;
        }
    }
    Ok(())
}

/// A step from one polygon to another, for the agents of a link if it is one.
fn step(
    mesh: &NavMeshView<'_>,
    reach: &Reach<'_>,
    at: &Place,
    from: PolyId,
    to: PolyId,
    agents: Option<u32>,
) -> Checked {
    let (Some(a), Some(b)) = (reach.zones.get(from), reach.zones.get(to)) else {
        return Ok(());
    };
    if a == b {
        // A profile that enters a zone reaches all of it, as was checked before.
        return Ok(());
    }
    let areas = [from, to].map(|p| mesh.area(p).0 & 63);
    for (profile, record) in (0u32..).zip(reach.profiles.iter()) {
        let it = at.element(Section::REACH, profile);
        let taken = agents.is_none_or(|agents| agents & record.agents != 0);
        let known = match areas.map(|area| record.areas >> area & 1 == 1) {
            _ if !taken => continue,
            [_, false] => reach.table(profile).and_then(|table| table.leads(a, b)),
            [true, true] => reach.table(profile).and_then(|table| table.includes(a, b)),
            [false, true] => continue,
        };
        it.refuse(known != Some(true), from.0, "a table that knows every portal and every link")?;
    }
    Ok(())
}
