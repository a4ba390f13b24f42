//! Are labels worth their bytes? Counted, not timed, so that every machine decides alike.

use navbake_format::{NavMeshBuf, PolyId};
use navbake_search::{Algorithm, NavPath, NavQuery, PathRequest, Scratch, Status};
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
    let (query, units) = (NavQuery::new(*mesh), mesh.grid().units());
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
        let ends = [0, 1].map(|i| ends[i].point());
        let links = query.links_within(path.cost * units, ends[0], [ends[1]].into_iter()).count();
        let counted = count_legs(&query, &path, &mut look_ups);
        // Each link that the path may take is looked up as well.
        let more = counted.unwrap_or_default().map(|work| work * (1 + links as u64));
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

/// The work of looking up each walked leg of a path that turns. `None` where the runtime would
/// search.
fn count_legs(
    query: &NavQuery<'_>,
    path: &NavPath<'_>,
    look_ups: &mut LookUps<'_>,
) -> Option<[u64; 3]> {
    let mut sum = [0; 3];
    for leg in path.legs().filter(|leg| leg.link.is_none() && leg.points.len() > 2) {
        let walk = path.walk(&leg);
        let ends = walk.polygons.first().zip(walk.polygons.last())?;
        let place = |polygon: PolyId, number: usize| {
            Some((polygon.0, query.on_polygon(polygon, walk.points[number])?.point()))
        };
        let ends = [place(*ends.0, 0)?, place(*ends.1, walk.points.len() - 1)?];
        let pieces = walk.points.windows(2).map(|p| {
            let [x, z] = [p[1][0] - p[0][0], p[1][2] - p[0][2]];
            (x * x + z * z).sqrt()
        });
        let length = pieces.sum::<f64>() * query.mesh().grid().units();
        let counted = look_ups.count(ends, length)?;
        sum = [0, 1, 2].map(|i| sum[i] + counted[i]);
    }
    Some(sum)
}
