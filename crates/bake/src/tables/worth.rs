//! Are labels worth their bytes? Counted, not timed, so that every machine decides alike.

use navbake_format::NavMeshBuf;
use navbake_search::around::PolyPoint;
use navbake_search::{Algorithm, NavQuery, PathRequest, Scratch, Status};
use navbake_tables::{LookUps, Packed};

use super::clock;
use crate::summary::LabelChoice;

/// The work of looking through a polygon for corners, in cones expanded by a search.
const POLYGON: f64 = 0.5;
/// The work of reading an entry of a label.
const ENTRY: f64 = 0.02;

/// Counts the work of look-ups and of searches over random pairs, and writes the means.
///
/// Pairs that see each other count for neither: they are answered before both.
pub(super) fn count(nav: &NavMeshBuf, packed: &Packed, choice: &mut LabelChoice) {
    let mesh = &nav.mesh();
    let (query, units) = (NavQuery::new(*mesh), mesh.grid().units());
    let (mut look_ups, mut scratch) = (LookUps::new(mesh, packed), Scratch::new());
    let (mut looked, mut read, mut expanded, mut again) = (0, 0, 0, 0);
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
        let ends = [0, 1].map(|i| PolyPoint::from(&ends[i]));
        let ends = ends.map(|place| (place.polygon().0, place.point()));
        let counted = look_ups.count(ends, path.length_xz * units);
        let [polygons, entries] = counted.unwrap_or_default();
        (looked, read) = (looked + polygons, read + entries);
        // A path over links is searched after the look-up.
        if counted.is_none() || path.legs().any(|leg| leg.link.is_some()) {
            again += work;
        }
    }
    let mean = |sum: u64| sum as f64 / pairs.len().max(1) as f64;
    (choice.polygons_looked, choice.entries_read) = (mean(looked), mean(read));
    choice.search_work = mean(expanded);
    choice.look_up_work = POLYGON * mean(looked) + ENTRY * mean(read) + mean(again);
}
