//! The encoder of reachability, computed from the links, areas and weights of the blob.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

use super::ranks::{Ranks, Steps};
use super::{LIMIT, ReachRecord};
use crate::Section;
use crate::draft::{Draft, Drafts};
use crate::write::{BlobParts, MeshParts, Places, Stored};

/// The most runs of zones, so that finding one takes few steps.
const RUNS: usize = 256;

/// None of the sections when islands say the same, and when the tables would be too large.
pub(crate) fn encode(
    parts: &MeshParts<'_>,
    whole: &BlobParts<'_>,
    mesh: &Stored,
    places: &Places,
    class: u16,
    drafts: &mut Drafts<'_>,
) {
    let polygons = places.polygons.len();
    let mut areas = vec![0u8; polygons];
    for (&new, &area) in places.polygons.iter().zip(parts.areas) {
        areas[new as usize] = area & 63;
    }
    let present = areas.iter().fold(0u64, |all, &a| all | 1 << a);
    let profiles = profiles(parts, whole, class);
    let tells = !parts.links.is_empty() || profiles.iter().any(|a| a.1 != 0);
    if polygons == 0 || !tells {
        return;
    }
    // Profiles with the same links and the same forbidden ground share a table.
    let mut known: BTreeMap<(Vec<u32>, u64), Option<usize>> = BTreeMap::new();
    let mut tables: Vec<Ranks> = vec![];
    let mut stored = vec![];
    for (agents, kept) in profiles {
        let taken = (0u32..).zip(parts.links);
        let taken = taken.filter(|(_, l)| l.agents & agents != 0).map(|l| l.0);
        let key = (taken.collect::<Vec<u32>>(), kept & present);
        let table = match known.get(&key) {
            Some(&table) => table,
            None => {
                let polygon = |p: u32| places.polygons[p as usize];
                let link = |&i: &u32| {
                    let link = &parts.links[i as usize];
                    (polygon(link.from.0), polygon(link.to.0))
                };
                let links: Vec<(u32, u32)> = key.0.iter().map(link).collect();
                let forbidden: Vec<bool> = areas.iter().map(|&a| kept >> a & 1 == 1).collect();
                let steps = Steps {
                    first_edge: &mesh.first_edge,
                    edges: &mesh.edges,
                    links: &links,
                    forbidden: &forbidden,
                };
                let table = steps.ranks().map(|ranks| {
                    tables.push(ranks);
                    tables.len() - 1
                });
                known.insert(key, table);
                table
            }
        };
        if let Some(table) = table {
            stored.push((agents, kept, table));
        }
    }
    if let Some(zones) = zones(&tables, polygons)
        && !stored.is_empty()
    {
        write(&zones, &tables, &stored, class, drafts);
    }
}

/// Profiles: agents as a bit each, where links differ between them, and forbidden areas.
///
/// For every agent of the class, and for all of them together: a profile with nothing forbidden,
/// and one with the areas that each of their rows of weights forbids.
fn profiles(parts: &MeshParts<'_>, whole: &BlobParts<'_>, class: u16) -> BTreeSet<(u32, u64)> {
    let used = parts.links.iter().fold(0, |all, l| all | l.agents);
    let names: BTreeSet<&str> = whole.weights.iter().map(|row| row.name).collect();
    let mut all = BTreeSet::from([(used, 0)]);
    // Agents, and an agent without rows of its own.
    let own = (0u16..).zip(whole.agents).filter(|(_, a)| a.class == class);
    for agent in own.map(|(k, _)| Some(k)).chain([None]) {
        let bit = agent.map_or(used, |k| 1u32.checked_shl(k.into()).unwrap_or(0) & used);
        all.insert((bit, 0));
        for name in &names {
            let named = || whole.weights.iter().filter(|row| row.name == *name);
            let row = named().find(|row| row.agent == agent);
            let Some(row) = row.or_else(|| named().find(|row| row.agent.is_none())) else {
                continue;
            };
            let infinite = (0u32..64).zip(row.weights).filter(|(_, w)| !w.is_finite());
            let kept = infinite.fold(0u64, |all, (k, _)| all | 1 << k);
            all.extend([(bit, kept), (used, kept)]);
        }
    }
    if all.len() > LIMIT {
        all.retain(|a| a.1 == 0);
    }
    all
}

/// Zones: polygons that are equal in every table, numbered from 1 as they appear.
///
/// `None` when there are too many.
fn zones(tables: &[Ranks], polygons: usize) -> Option<Vec<u32>> {
    let mut zones = vec![1u32; polygons];
    for table in tables {
        let mut known = BTreeMap::new();
        for (zone, &rank) in zones.iter_mut().zip(&table.of) {
            let next = known.len() as u32 + 1;
            *zone = *known.entry((*zone, rank)).or_insert(next);
        }
        if known.len() > usize::from(u16::MAX) {
            return None;
        }
    }
    Some(zones)
}

fn write(
    zones: &[u32],
    tables: &[Ranks],
    profiles: &[(u32, u64, usize)],
    class: u16,
    drafts: &mut Drafts<'_>,
) {
    let mut first_of = vec![];
    for (p, &zone) in zones.iter().enumerate() {
        if zone as usize > first_of.len() {
            first_of.push(p);
        }
    }
    let mut numbers = vec![first_of.len() as u16]; // no more, as checked before
    let mut begins = vec![];
    for table in tables {
        begins.push(numbers.len() as u32);
        numbers.extend(first_of.iter().map(|&p| table.of[p]));
        let mut end = 0;
        for ranges in &table.ranges {
            end += ranges.len() as u16;
            numbers.push(end);
        }
        for &(first, last) in table.ranges.iter().flatten() {
            numbers.extend([first, last]);
        }
    }
    let record = |&(agents, areas, table): &(u32, u64, usize)| ReachRecord {
        agents,
        areas,
        first: begins[table],
        ranks: tables[table].ranges.len() as u16,
        entered: tables[table].entered,
    };
    // A reader that does not know them uses islands, and searches.
    drafts.push(encode_zones(zones, first_of.len(), class));
    drafts.push(Draft::optional(Section::REACH, class, profiles.iter().map(record)));
    drafts.push(Draft::optional(Section::REACH_LISTS, class, numbers));
}

/// One number a polygon, or runs.
fn encode_zones(zones: &[u32], count: usize, class: u16) -> Draft<'static> {
    let section = Section::ZONES;
    let begins = |p: &usize| p.checked_sub(1).is_none_or(|q| zones[q] != zones[*p]);
    let runs: Vec<usize> = (0..zones.len()).filter(begins).collect();
    let one = if count <= usize::from(u8::MAX) { 1 } else { 2 };
    let short = zones.len() <= 1 << 16;
    let run = if short { 4 } else { 8 };
    if runs.len() > RUNS || one * zones.len() <= run * runs.len() {
        return Draft::numbers(section, class, one, zones.iter().copied());
    }
    let runs = runs.into_iter();
    match short {
        true => Draft::optional(section, class, runs.map(|p| [p as u16, zones[p] as u16])),
        false => Draft::optional(section, class, runs.map(|p| [p as u32, zones[p]])),
    }
}
