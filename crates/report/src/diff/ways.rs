//! Compares the paths between markers that both bakes have: existence and length.

use navbake_format::{Agent, CheckedBlob, NavMesh};
use navbake_search::{Location, PathRequest, Query, SearchBuffer, Status};

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
    on: [Option<Location>; 2],
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
    let queries = [Query::new(old), Query::new(new)];
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
    let mut buffers = [SearchBuffer::new(&old), SearchBuffer::new(&new)];
    let one_way = old.link_count() + new.link_count() > 0;
    for (i, from) in known.iter().enumerate() {
        for (j, to) in known.iter().enumerate() {
            if i == j || (j < i && !one_way) {
                continue;
            }
            pair(&queries, &mut buffers, [from, to], known.len(), name, settings, findings);
        }
    }
}

#[allow(clippy::too_many_arguments)]
fn pair(
    queries: &[Query<'_>; 2],
    buffers: &mut [SearchBuffer; 2],
    [from, to]: [&Named<'_>; 2],
    count: usize,
    agent: &str,
    settings: &DiffSettings,
    findings: &mut Vec<Finding>,
) {
    // The length of the path, if one exists; `None` if an end is off the mesh.
    let mut way = |k: usize| -> Option<Option<f64>> {
        let (Some(a), Some(b)) = (&from.on[k], &to.on[k]) else {
            return None;
        };
        if !queries[k].reachable(a, b) {
            return Some(None);
        }
        if count > MEASURED {
            return Some(Some(0.0));
        }
        let request = PathRequest::new(a.position(), b.position());
        let answer = queries[k].path(&request, &mut buffers[k]);
        Some((answer.status == Status::Reached).then_some(answer.length_xz))
    };
    let (Some(was), Some(is)) = (way(0), way(1)) else {
        return;
    };
    let between = format!("from `{}` to `{}`", from.name, to.name);
    let (code, what) = match (was, is) {
        (Some(_), None) => ("way-lost", "there is no path any more".to_string()),
        (None, Some(_)) => ("way-new", "there is a path now".to_string()),
        (Some(a), Some(b)) if (a - b).abs() > settings.least_detour * a.max(b) => {
            let code = if b > a { "way-longer" } else { "way-shorter" };
            (code, format!("the path is {}", became(a, b)))
        }
        _ => return,
    };
    let mut found = Finding::new(code, format!("{between} {what}"))
        .named(from.name)
        .named(to.name)
        .of_agent(agent)
        .at(from.at[1]);
    for (name, length) in [("was_m", was), ("length_m", is)] {
        if let Some(length) = length.filter(|_| count <= MEASURED) {
            found = found.figure(name, length);
        }
    }
    findings.push(found);
}
