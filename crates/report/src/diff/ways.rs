//! Compares the paths between markers that both bakes have: existence and length.

use navbake_format::{Agent, CheckedBlob, NavMesh};
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
    let is_measured = known.len() <= MEASURED;
    let one_way = old.link_count() + new.link_count() > 0;
    for (i, from) in known.iter().enumerate() {
        for (j, to) in known.iter().enumerate() {
            if i == j || (j < i && !one_way) {
                continue;
            }
            let found = pair(&queries, &mut scratch, [from, to], is_measured, settings);
            findings.extend(found.map(|found| found.of_agent(name)));
        }
    }
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
