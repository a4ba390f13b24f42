//! Ground that is slightly too steep.

use std::collections::BTreeMap;

use navbake_format::DiagnosticKind;
use navbake_geom::{Point3, UnionFind, orient};
use navbake_level::{Agent, Level, SLOPE_TOLERANCE, UP_ONE, cos_squared};

use crate::Diagnostic;
use crate::ground::can_be_ground;

/// The least area of ground that is reported, m2.
const LEAST: f64 = 0.5;

/// Finds ground that is too steep for an agent by at most `margin` degrees.
///
/// Such ground between even steeper ground is the flank of a hill, not an intended ramp. It is
/// reported only if most of the adjacent ground is walkable.
pub(crate) fn slopes(level: &Level, agents: &[&Agent], margin: f64) -> Vec<Diagnostic> {
    let mut found = vec![];
    for (class, agent) in (0u16..).zip(agents) {
        let least = agent.least_up();
        let allowed = cos_squared((agent.slope + SLOPE_TOLERANCE + margin).min(90.0));
        for patch in patches(level, least, allowed) {
            let units = level.grid.units();
            let area = patch.doubled as f64 / 2.0 / (units * units);
            if area < LEAST || patch.steeper > patch.walkable {
                continue;
            }
            let up = level.triangles[patch.largest.1].up;
            found.push(Diagnostic {
                class: Some(class),
                value: degrees(up),
                limit: agent.slope,
                count: (area * 100.0) as u32,
                ..Diagnostic::new(DiagnosticKind::SlopeMargin, patch.middle())
            });
        }
    }
    found
}

/// The slope of a triangle, degrees.
///
/// It uses `libm`, so that the result is the same on every machine.
fn degrees(up: i32) -> f64 {
    let cosine = (f64::from(up) / f64::from(UP_ONE)).max(0.0).sqrt();
    let angle = libm::acos(cosine.min(1.0)).to_degrees();
    // Positions are no more precise than this.
    (angle * 100.0).round() / 100.0
}

/// Connected triangles that are slightly too steep.
#[derive(Clone, Default)]
struct Patch {
    /// Twice the area seen from above, grid units squared.
    doubled: i64,
    /// The area and the number of the largest triangle.
    largest: (i64, usize),
    /// The sum of the triangles' centres times their doubled areas, y-up metres.
    sum: [f64; 3],
    /// The number of adjacent triangles that are walkable.
    ///
    /// `steeper` counts those that are even steeper.
    walkable: u32,
    steeper: u32,
}

impl Patch {
    fn middle(&self) -> [f64; 3] {
        self.sum.map(|s| s / self.doubled.max(1) as f64)
    }
}

fn patches(level: &Level, least: i32, allowed: i32) -> Vec<Patch> {
    let is_near = |up: i32| up < least && up >= allowed;
    let near: Vec<usize> = (0..level.triangles.len())
        .filter(|&t| is_near(level.triangles[t].up) && can_be_ground(level, &level.triangles[t]))
        .collect();
    if near.is_empty() {
        return vec![];
    }
    // Joined at their vertices.
    let mut sets = UnionFind::new(near.len());
    let mut of_vertex = vec![u32::MAX; level.vertices.len()];
    for (i, &t) in (0u32..).zip(&near) {
        for v in level.triangles[t].v {
            let first = &mut of_vertex[v as usize];
            *first = (*first).min(i);
            sets.join(i, *first);
        }
    }
    let mut patches: BTreeMap<u32, Patch> = BTreeMap::new();
    for (i, &t) in (0u32..).zip(&near) {
        let corners = level.corners(&level.triangles[t]);
        let [a, b, c] = corners.map(Point3::flat);
        let doubled = orient(a, b, c).abs();
        let places = corners.map(|c| level.grid.metres(c));
        let patch = patches.entry(sets.find(i)).or_default();
        patch.doubled += doubled;
        for (k, sum) in patch.sum.iter_mut().enumerate() {
            *sum += places.iter().map(|p| p[k] / 3.0).sum::<f64>() * doubled as f64;
        }
        if doubled > patch.largest.0 {
            patch.largest = (doubled, t);
        }
    }
    for t in &level.triangles {
        if t.up <= 0 || is_near(t.up) || !can_be_ground(level, t) {
            continue;
        }
        let own = t.v.map(|v| of_vertex[v as usize]).into_iter().filter(|&i| i != u32::MAX);
        let mut met: Vec<u32> = own.map(|i| sets.find(i)).collect();
        met.sort_unstable();
        met.dedup();
        for patch in met {
            if let Some(patch) = patches.get_mut(&patch) {
                match t.up >= least {
                    true => patch.walkable += 1,
                    false => patch.steeper += 1,
                }
            }
        }
    }
    patches.into_values().collect()
}
