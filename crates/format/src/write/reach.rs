//! Who comes where on a mesh, to its sections: made of the links, the areas and the weights that are written, so that it cannot disagree with them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

use zerocopy::little_endian::{U16, U32, U64};

use super::mesh::Stored;
use super::steps::{Ranks, Steps};
use super::things::Places;
use super::{BlobParts, Draft, MeshParts};
use crate::Section;
use crate::reach::LIMIT;
use crate::records::{LongRun, ReachRecord, ShortRun};

/// Zones are told in runs when there are no more, so that a look takes few steps.
const RUNS: usize = 256;

/// The sections zones, reach and reach-lists. None of them when islands say all of it, and when there is too much to tell.
pub(super) fn of_mesh(
    parts: &MeshParts<'_>,
    whole: &BlobParts<'_>,
    mesh: &Stored,
    places: &Places,
    class: u16,
    drafts: &mut Vec<Draft>,
) {
    let polygons = places.polygons.len();
    let mut areas = vec![0u8; polygons];
    for (&new, &area) in places.polygons.iter().zip(parts.areas) {
        areas[new as usize] = area & 63;
    }
    let present = areas.iter().fold(0u64, |all, &a| all | 1 << a);
    let askers = askers(parts, whole, class);
    let tells = !parts.links.is_empty() || askers.iter().any(|a| a.1 != 0);
    if polygons == 0 || !tells {
        return;
    }
    // Askers that take the same links and keep off the same ground share a table.
    let mut known: BTreeMap<(Vec<u32>, u64), Option<usize>> = BTreeMap::new();
    let mut tables: Vec<Ranks> = vec![];
    let mut told = vec![];
    for (agents, kept) in askers {
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
                let kept_off: Vec<bool> = areas.iter().map(|&a| kept >> a & 1 == 1).collect();
                let steps = Steps {
                    first_edge: &mesh.first_edge,
                    edges: &mesh.edges,
                    links: &links,
                    kept_off: &kept_off,
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
            told.push((agents, kept, table));
        }
    }
    if let Some(zones) = zones(&tables, polygons)
        && !told.is_empty()
    {
        write(&zones, &tables, &told, class, drafts);
    }
}

/// Who may ask: agents as a bit each, as far as links tell them apart, and the areas that are kept off. For every agent of the class, and for all of
/// them together, nothing and what each of their rows of weights forbids.
fn askers(parts: &MeshParts<'_>, whole: &BlobParts<'_>, class: u16) -> BTreeSet<(u32, u64)> {
    let used = parts.links.iter().fold(0, |all, l| all | l.agents);
    let names: BTreeSet<&str> = whole.weights.iter().map(|row| row.name).collect();
    let mut askers = BTreeSet::from([(used, 0)]);
    // Agents, and one that has no rows of its own.
    let own = (0u16..).zip(whole.agents).filter(|(_, a)| a.class == class);
    for agent in own.map(|(k, _)| Some(k)).chain([None]) {
        let bit = agent.map_or(used, |k| 1u32.checked_shl(k.into()).unwrap_or(0) & used);
        askers.insert((bit, 0));
        for name in &names {
            let named = || whole.weights.iter().filter(|row| row.name == *name);
            let row = named().find(|row| row.agent == agent);
            let Some(row) = row.or_else(|| named().find(|row| row.agent.is_none())) else {
                continue;
            };
            let forbidden = (0u32..64).zip(row.weights).filter(|(_, w)| !w.is_finite());
            let kept = forbidden.fold(0u64, |all, (k, _)| all | 1 << k);
            askers.extend([(bit, kept), (used, kept)]);
        }
    }
    if askers.len() > LIMIT {
        askers.retain(|a| a.1 == 0);
    }
    askers
}

/// Polygons that no table tells apart, numbered from 1 as they appear; `None` when there are too many.
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
    told: &[(u32, u64, usize)],
    class: u16,
    drafts: &mut Vec<Draft>,
) {
    let mut first_of = vec![];
    for (p, &zone) in zones.iter().enumerate() {
        if zone as usize > first_of.len() {
            first_of.push(p);
        }
    }
    let mut numbers = vec![first_of.len() as u16]; // no more, as was looked at
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
        agents: U32::new(agents),
        areas: U64::new(areas),
        first: U32::new(begins[table]),
        ranks: U16::new(tables[table].ranges.len() as u16),
        entered: U16::new(tables[table].entered),
    };
    let records: Vec<ReachRecord> = told.iter().map(record).collect();
    let numbers: Vec<U16> = numbers.into_iter().map(U16::new).collect();
    let sections = [
        of_polygons(zones, first_of.len(), class),
        Draft::of(Section::REACH, class, &records),
        Draft::of(Section::REACH_LISTS, class, &numbers),
    ];
    // A reader that does not know them asks islands, and searches.
    drafts.extend(sections.map(|draft| Draft {
        required: false,
        ..draft
    }));
}

/// One number a polygon, or runs.
fn of_polygons(zones: &[u32], count: usize, class: u16) -> Draft {
    let section = Section::ZONES;
    let begins = |p: &usize| p.checked_sub(1).is_none_or(|q| zones[q] != zones[*p]);
    let runs: Vec<usize> = (0..zones.len()).filter(begins).collect();
    let byte = count <= usize::from(u8::MAX);
    let short = zones.len() <= 1 << 16;
    let (run, one) = (if short { 4 } else { 8 }, if byte { 1 } else { 2 });
    if runs.len() > RUNS || one * zones.len() <= run * runs.len() {
        return if byte {
            let all: Vec<u8> = zones.iter().map(|&z| z as u8).collect();
            Draft::of(section, class, &all)
        } else {
            let all: Vec<U16> = zones.iter().map(|&z| U16::new(z as u16)).collect();
            Draft::of(section, class, &all)
        };
    }
    if short {
        let all = runs.iter().map(|&p| ShortRun {
            first: U16::new(p as u16),
            relief: U16::new(zones[p] as u16),
        });
        Draft::of(section, class, &all.collect::<Vec<_>>())
    } else {
        let all = runs.iter().map(|&p| LongRun {
            first: U32::new(p as u32),
            relief: U32::new(zones[p]),
        });
        Draft::of(section, class, &all.collect::<Vec<_>>())
    }
}
