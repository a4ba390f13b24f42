//! Compares the paths between markers that both bakes have: existence and length.

use std::collections::BTreeSet;

use navbake_format::{Agent, CheckedBlob, NavMesh};
use navbake_level::number::count;
use navbake_search::{AStar, Algorithm, NavPoint, NavQuery, PathRequest, Scratch, Status};

use super::{DiffSettings, became};
use crate::Finding;

/// With more markers than this, lengths of paths are not compared.
///
/// Their existence still is.
const MEASURED: usize = 40;
/// A marker's ground is searched in a box this much wider than the agent, m.
const BESIDE: f64 = 0.1;

/// A marker that both bakes have.
struct Named<'a> {
    name: &'a str,
    /// Its position in each bake.
    at: [[f64; 3]; 2],
    on: [Option<NavPoint>; 2],
}

/// Compares paths between markers.
///
/// A name that several markers share means the first of them.
pub(super) fn ways(
    blobs: [&CheckedBlob<'_>; 2],
    [old, new]: [NavMesh<'_>; 2],
    agents: [&Agent<'_>; 2],
    settings: &DiffSettings,
    findings: &mut Vec<Finding>,
) {
    let queries = [NavQuery::new(old), NavQuery::new(new)];
    let name = agents[1].name;
    let mut known: Vec<Named<'_>> = vec![];
    for marker in blobs[1].markers() {
        let was = blobs[0].markers().find(|m| m.name == marker.name);
        let Some(was) = was.filter(|_| known.iter().all(|k| k.name != marker.name)) else {
            continue;
        };
        let at = [was.position, marker.position];
        let on = [0, 1].map(|k| {
            let wide = agents[k].radius + BESIDE;
            let tall = agents[k].height;
            queries[k].end(at[k], [wide, tall, wide])
        });
        known.push(Named { name: marker.name, at, on });
    }
    for marker in &known {
        let (code, word) = match &marker.on {
            [Some(_), None] => ("marker-cut-off", "is no longer on ground"),
            [None, Some(_)] => ("marker-back", "is on ground again"),
            _ => continue,
        };
        let message = format!("the marker `{}` {word}", marker.name);
        let found = Finding::new(code, message).named(marker.name);
        findings.push(found.of_agent(name).at(marker.at[1]));
    }
    let mut scratch = Scratch::new();
    let mut broken = vec![];
    let is_measured = known.len() <= MEASURED;
    let one_way = old.link_count() + new.link_count() > 0;
    for (i, from) in known.iter().enumerate() {
        for (j, to) in known.iter().enumerate() {
            if i == j || (j < i && !one_way) {
                continue;
            }
            let found = pair(&queries, &mut scratch, [from, to], is_measured, settings);
            let Some(found) = found.map(|found| found.of_agent(name)) else {
                continue;
            };
            // A way that is lost crosses islands of the new bake, a new one those of the old.
            let side = match found.rule {
                "way-lost" => 1,
                "way-new" => 0,
                _ => {
                    findings.push(found);
                    continue;
                }
            };
            let island = |end: &Named<'_>| {
                let polygon = end.on[side].as_ref().map(NavPoint::polygon);
                polygon.map_or(u32::MAX, |polygon| queries[side].mesh().island(polygon).0)
            };
            broken.push(Broken { ends: [island(from), island(to)], found });
        }
    }
    findings.extend(one_a_break(broken));
}

/// A way between markers that only one of the bakes has.
struct Broken {
    /// The islands of its ends in the bake without it.
    ends: [u32; 2],
    found: Finding,
}

impl Broken {
    /// Its length where it exists, m.
    fn length(&self) -> f64 {
        self.found.figures.first().map_or(f64::INFINITY, |figure| figure.value)
    }
}

/// One finding for each break between islands, about the shortest way across it. What parts one
/// island from two others is two breaks, however many pairs of markers it parts.
fn one_a_break(mut broken: Vec<Broken>) -> Vec<Finding> {
    // The sort is stable: of ways of one length the first markers win.
    broken.sort_by(|a, b| a.length().total_cmp(&b.length()));
    let mut groups: Vec<(&'static str, BTreeSet<u32>)> = vec![];
    let mut kept: Vec<(BTreeSet<u32>, Finding, usize)> = vec![];
    for Broken { ends: [a, b], found } in broken {
        let ends = BTreeSet::from([a, b]);
        let of = |island: u32, groups: &[(&'static str, BTreeSet<u32>)]| {
            groups.iter().position(|(rule, all)| *rule == found.rule && all.contains(&island))
        };
        let (of_a, of_b) = (of(a, &groups), of(b, &groups));
        if of_a.is_some() && of_a == of_b {
            // Across breaks that are known; where it crosses several it is left out.
            let same =
                |k: &&mut (BTreeSet<u32>, Finding, usize)| k.0 == ends && k.1.rule == found.rule;
            if let Some((.., more)) = kept.iter_mut().find(same) {
                *more += 1;
            }
            continue;
        }
        let mut group = ends.clone();
        let mut joined = [of_a, of_b];
        joined.sort_unstable();
        for index in joined.into_iter().flatten().rev() {
            group.extend(groups.remove(index).1);
        }
        groups.push((found.rule, group));
        kept.push((ends, found, 0));
    }
    let finding = |(_, found, more): (_, Finding, usize)| match more {
        0 => found,
        more => {
            let pairs = count(more, "other pair");
            let message = format!("{} (and for {pairs} of markers)", found.message);
            Finding { message, ..found }.figure("more_pairs", more as f64)
        }
    };
    kept.into_iter().map(finding).collect()
}

/// The finding about the paths from one marker to another, if they differ.
fn pair(
    queries: &[NavQuery<'_>; 2],
    scratch: &mut Scratch,
    [from, to]: [&Named<'_>; 2],
    is_measured: bool,
    settings: &DiffSettings,
) -> Option<Finding> {
    // The length of the path, if one exists; `None` if an end is off the mesh.
    let mut way = |k: usize| -> Option<Option<f64>> {
        let (Some(a), Some(b)) = (&from.on[k], &to.on[k]) else {
            return None;
        };
        if !queries[k].reachable(a, b) {
            return Some(None);
        }
        if !is_measured {
            return Some(Some(0.0));
        }
        let corridor = Algorithm::Corridor(AStar::default());
        let request = PathRequest::new(a.position(), b.position()).algorithm(corridor);
        let path = queries[k].find_path(&request, scratch).ok()?;
        Some((path.status == Status::Reached).then_some(path.length_xz))
    };
    let (was, is) = (way(0)?, way(1)?);
    let between = format!("from `{}` to `{}`", from.name, to.name);
    let (code, what) = match (was, is) {
        (Some(_), None) => ("way-lost", "there is no path any more".to_string()),
        (None, Some(_)) => ("way-new", "there is a path now".to_string()),
        (Some(a), Some(b)) if (a - b).abs() > settings.least_detour * a.max(b) => {
            let code = if b > a { "way-longer" } else { "way-shorter" };
            (code, format!("the path is {}", became(a, b)))
        }
        _ => return None,
    };
    let mut found = Finding::new(code, format!("{between} {what}"))
        .named(from.name)
        .named(to.name)
        .at(from.at[1]);
    for (name, length) in [("was_m", was), ("length_m", is)] {
        if let Some(length) = length.filter(|_| is_measured) {
            found = found.figure(name, length);
        }
    }
    Some(found)
}
