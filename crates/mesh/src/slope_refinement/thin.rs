//! Takes out corners that triangles do without.
//!
//! A corner that was needed when it was added often is not once there are others around. Without
//! it, only the triangles around it change, so corners that are no neighbours of each other are
//! tried together.

use std::collections::{HashMap, HashSet};

use navbake_geom::{Delaunay, Point};
use navbake_walkable::Ring;

use super::misfits::{Misfits, from_least};
use crate::connect::connect;

/// Takes out places without which all triangles stay within the error, the last ones first. Each is
/// tried once.
pub(super) fn thin(
    rings: &[Ring],
    places: &mut Vec<Point>,
    made: &mut (Delaunay, Vec<bool>),
    misfits: &mut Misfits<'_, '_>,
) {
    let mut untried: Vec<Point> = places.iter().rev().copied().collect();
    while !untried.is_empty() {
        let neighbours = neighbours(&made.0);
        let known: HashSet<[Point; 3]> = triangles(&made.0).collect();
        let mut out: HashSet<Point> = HashSet::new();
        // The places that are out, by their neighbours.
        let mut around: HashMap<Point, Vec<Point>> = HashMap::new();
        untried.retain(|p| {
            let beside = around.contains_key(p);
            if !beside && out.insert(*p) {
                for &q in neighbours.get(p).into_iter().flatten() {
                    around.entry(q).or_default().push(*p);
                }
            }
            beside
        });
        let all_but = |out: &HashSet<Point>| -> Vec<Point> {
            places.iter().copied().filter(|p| !out.contains(p)).collect()
        };
        let fewer = all_but(&out);
        let Ok(next) = connect(rings, &fewer) else {
            continue;
        };
        let mut met = known;
        for corners in triangles(&next.0) {
            if met.contains(&corners) {
                continue;
            }
            if misfits.is_met(corners) {
                met.insert(corners);
                continue;
            }
            // It is where a place was that has all its corners as neighbours.
            let [a, b, c] = corners.map(|c| around.get(&c).map_or(&[][..], |near| near));
            for p in a.iter().filter(|p| b.contains(p) && c.contains(p)) {
                out.remove(p);
            }
        }
        let (fewer, next) = match all_but(&out) {
            same if same.len() == fewer.len() => (fewer, next),
            more => match connect(rings, &more) {
                Ok(next) => (more, next),
                Err(_) => continue,
            },
        };
        if triangles(&next.0).all(|corners| met.contains(&corners)) {
            (*places, *made) = (fewer, next);
        }
    }
}

fn triangles(mesh: &Delaunay) -> impl Iterator<Item = [Point; 3]> + '_ {
    (0..mesh.triangles().len() as u32).map(|t| from_least(mesh.corners(t)))
}

/// The corners that each corner has a side in common with, some of them twice.
fn neighbours(mesh: &Delaunay) -> HashMap<Point, Vec<Point>> {
    let mut neighbours: HashMap<Point, Vec<Point>> = HashMap::new();
    for [a, b, c] in triangles(mesh) {
        for (p, others) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
            neighbours.entry(p).or_default().extend(others);
        }
    }
    neighbours
}
