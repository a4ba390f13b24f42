//! Are labels worth their bytes? Counted, not timed, so that every machine decides alike.

use navbake_format::NavMeshBuf;
use navbake_search::{Algorithm, NavQuery, PathRequest, Scratch, Status};
use navbake_tables::{LookUps, Packed};

use super::clock;
use crate::summary::LabelChoice;

// The work of a look-up, in cones that a search expands in the same time. A fit to the times of 69
// levels: docs/record/2026-11/labels.md.

/// The work of looking through a polygon for corners.
const LOOKED: f64 = 0.3;
/// The work of a label that is read.
const LABEL: f64 = 0.25;
/// The work of each of its entries.
const ENTRY: f64 = 0.02;
/// The work of crossing a polygon along the path.
const CROSSED: f64 = 0.9;

/// Counts the work of look-ups and of searches over random pairs, and writes the means.
///
/// Pairs that see each other count for neither: they are answered before both.
pub(super) fn count(nav: &NavMeshBuf, packed: &Packed, choice: &mut LabelChoice) {
    let mesh = &nav.mesh();
    let query = NavQuery::new(*mesh);
    let (mut look_ups, mut scratch) = (LookUps::new(mesh, packed), Scratch::new());
    let (mut looked, mut labels, mut entries, mut crossed) = (0, 0, 0, 0);
    let (mut expanded, mut again) = (0, 0);
    let pairs = clock::pairs(&query);
    for ends in &pairs {
        let [from, to] = [0, 1].map(|i| ends[i].position());
        let request = PathRequest::new(from, to).algorithm(Algorithm::Optimal);
        let Ok(path) = query.find_path(&request, &mut scratch) else {
            continue;
        };
        if path.status != Status::Reached || path.expanded == 0 {
            continue;
        }
        let work = u64::from(path.expanded);
        expanded += work;
        crossed += path.polygons.len() as u64;
        let counted = look_ups.count(&query, &path);
        let more = counted.unwrap_or_default();
        (looked, labels, entries) = (looked + more[0], labels + more[1], entries + more[2]);
        if counted.is_none() {
            again += work;
        }
    }
    let mean = |sum: u64| sum as f64 / pairs.len().max(1) as f64;
    (choice.polygons_looked, choice.polygons_crossed) = (mean(looked), mean(crossed));
    (choice.labels_read, choice.entries_read) = (mean(labels), mean(entries));
    choice.search_work = mean(expanded);
    choice.look_up_work = LOOKED * choice.polygons_looked
        + LABEL * choice.labels_read
        + ENTRY * choice.entries_read
        + CROSSED * choice.polygons_crossed
        + mean(again);
}
