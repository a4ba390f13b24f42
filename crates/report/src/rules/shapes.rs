//! Thin polygons and holes with unusual shapes.

use std::collections::BTreeSet;

use navbake_format::{PolyId, Polygon};
use navbake_search::NavMesh;

use super::found::Found;
use crate::subject::{area_doubled, centre};
use crate::{Finding, Rule, Settings, Severity, Subject, Walker};

/// The rules of this file.
pub(super) const RULES: &[Rule] = &[
    Rule {
        code: "hole-small",
        severity: Severity::Note,
        finds: "A hole in the ground is smaller than `min_hole`, including the distance that the agent keeps.",
        cure: "If debris makes the hole, give its node the role `ignored`.",
        options: &["min_hole"],
        run: Some(holes),
    },
    Rule {
        code: "sliver",
        severity: Severity::Note,
        finds: "A polygon is more than 2 m long and less than 2 cm wide.",
        cure: "Usually nothing; several in one place point to vertices of the level that nearly meet.",
        options: &[],
        run: Some(slivers),
    },
];

/// The least length of a sliver, m.
const LONG: f64 = 2.0;
/// The greatest width of a sliver, m.
const THIN: f64 = 0.02;

pub(super) fn slivers(subject: &Subject<'_>, settings: &Settings, found: &mut Found) {
    if !settings.is_on("sliver") {
        return;
    }
    for walker in subject.of_meshes() {
        let units = walker.mesh.grid().units();
        for polygon in walker.mesh.polygons() {
            let length = longest(&polygon) / units;
            let width = area_doubled(&polygon) as f64 / (units * units) / length;
            if length >= LONG && width <= THIN {
                let message =
                    format!("a polygon is {length:.2} m long and {:.1} mm wide", width * 1000.0);
                let finding = Finding::new("sliver", message)
                    .at(centre(&walker.mesh, &polygon))
                    .of_agent(walker.agent.name);
                found.add(finding.figure("length_m", length).figure("width_m", width));
            }
        }
    }
}

/// The longest edge, grid units.
fn longest(polygon: &Polygon<'_, '_>) -> f64 {
    let edges = (0..polygon.len()).map(|k| {
        let [a, b] = [polygon.corner(k), polygon.corner(polygon.next(k))];
        (f64::from(b[0]) - f64::from(a[0])).hypot(f64::from(b[1]) - f64::from(a[1]))
    });
    edges.fold(0.0, f64::max)
}

pub(super) fn holes(subject: &Subject<'_>, settings: &Settings, found: &mut Found) {
    let Some(most) = settings.check.min_hole else {
        return;
    };
    if !settings.is_on("hole-small") {
        return;
    }
    for walker in subject.of_meshes() {
        for hole in borders(&walker.mesh) {
            // Ground is to the left of its border, so a border around a hole is clockwise.
            let area = -signed_area(&hole);
            if area > 0.0 && area < most {
                found.add(small_hole(walker, &hole, area, most));
            }
        }
    }
}

fn small_hole(walker: &Walker<'_>, hole: &[[f64; 3]], area: f64, most: f64) -> Finding {
    let mut middle = [0.0; 3];
    for corner in hole {
        for k in 0..3 {
            middle[k] += corner[k] / hole.len() as f64;
        }
    }
    let message = format!(
        "a hole in the ground has {area:.2} m2 including the agent's distance; `min_hole` is {most} m2"
    );
    Finding::new("hole-small", message)
        .at(middle)
        .of_agent(walker.agent.name)
        .figure("area_m2", area)
        .shaped(hole.to_vec())
}

/// The borders of the ground as rings in y-up metres, ordered by their least edges.
fn borders(mesh: &NavMesh<'_>) -> Vec<Vec<[f64; 3]>> {
    let mut open: BTreeSet<(u32, u32)> = mesh
        .polygons()
        .flat_map(|p| {
            let walls = (0..p.len()).filter(|&k| p.neighbour(k).is_none());
            walls.map(|k| (p.id().0, k)).collect::<Vec<_>>()
        })
        .collect();
    let mut rings = vec![];
    while let Some(first) = open.pop_first() {
        let (mut ring, mut at) = (vec![], first);
        loop {
            let polygon = mesh.polygon(PolyId(at.0));
            ring.push(mesh.grid().metres(polygon.point(at.1).map(f64::from)));
            let Some(next) = next_wall(mesh, at) else {
                break;
            };
            if next == first || !open.remove(&next) {
                break;
            }
            at = next;
        }
        rings.push(ring);
    }
    rings
}

/// The next wall: found by turning around the end of a wall over the ground.
fn next_wall(mesh: &NavMesh<'_>, (polygon, edge): (u32, u32)) -> Option<(u32, u32)> {
    let (mut polygon, mut edge) = (mesh.polygon(PolyId(polygon)), edge);
    // No more polygons than this can meet at a corner.
    for _ in 0..mesh.polygon_count() {
        let next = polygon.next(edge);
        match polygon.across(next) {
            None => return Some((polygon.id().0, next)),
            Some((beyond, twin)) => {
                polygon = mesh.polygon(beyond);
                edge = twin;
            }
        }
    }
    None
}

/// The area of a ring seen from above, m2; positive if counter-clockwise.
fn signed_area(ring: &[[f64; 3]]) -> f64 {
    let Some(&[ox, _, oz]) = ring.first() else {
        return 0.0;
    };
    let ends = ring.iter().zip(ring.iter().cycle().skip(1));
    // Same orientation as `orient`: z points towards the viewer.
    let doubled: f64 =
        ends.map(|(a, b)| (a[2] - oz) * (b[0] - ox) - (a[0] - ox) * (b[2] - oz)).sum();
    doubled / 2.0
}
