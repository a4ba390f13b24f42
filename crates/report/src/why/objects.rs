//! The objects of findings about places of the level that do not name any.

use crate::explain::Explainer;
use crate::{Object, Report};

/// What is at a place is within this of it, m.
const NEAR: f64 = 0.3;
/// Walls of a passage are at most this far from its middle, m.
const BESIDE: f64 = 1.5;

/// Adds the objects at the places of findings: of the edge, the wall, the ceiling or the ground.
pub(super) fn objects(explainer: &Explainer<'_>, report: &mut Report) {
    for finding in &mut report.findings {
        let Some(place) = finding.place.filter(|_| finding.objects.is_empty()) else { continue };
        let at = explainer.inward(place);
        let solids = match finding.rule {
            "passage-closed" | "passage-too-narrow" | "door-too-narrow" => beside(explainer, at),
            "head-room-margin" => above(explainer, at).into_iter().collect(),
            "marker-off-mesh" | "marker-missing" | "must-not-reach" | "path-too-long"
            | "path-longer" | "seed-off-mesh" | "link-off-mesh" => vec![],
            "t-junction"
            | "crack"
            | "non-manifold-edge"
            | "overlapping-ground"
            | "duplicate-triangles"
            | "degenerate-triangles" => around(explainer, at),
            _ => below(explainer, at).into_iter().collect(),
        };
        let mut found: Vec<Object> = vec![];
        for object in solids.into_iter().map(|n| explainer.object(n)) {
            if !object.name().is_empty() && !found.contains(&object) {
                found.push(object);
            }
        }
        finding.objects = found;
    }
}

/// The squared distance of a place from a triangle's nearest point (Ericson, 2005, 5.1.5).
fn away(corners: [[f64; 3]; 3], p: [f64; 3]) -> f64 {
    let [a, b, c] = corners;
    let minus = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|k| p[k] - q[k]);
    let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let to_side = |a: [f64; 3], b: [f64; 3]| {
        let (d, q) = (minus(b, a), minus(p, a));
        let t = if dot(d, d) > 0.0 { (dot(d, q) / dot(d, d)).clamp(0.0, 1.0) } else { 0.0 };
        let rest = [0, 1, 2].map(|k| q[k] - t * d[k]);
        dot(rest, rest)
    };
    let (e, f, q) = (minus(b, a), minus(c, a), minus(p, a));
    let [ee, ef, ff] = [dot(e, e), dot(e, f), dot(f, f)];
    let [qe, qf] = [dot(q, e), dot(q, f)];
    let whole = ee * ff - ef * ef;
    let sides = to_side(a, b).min(to_side(b, c)).min(to_side(c, a));
    if whole <= 0.0 {
        return sides;
    }
    let [u, v] = [(ff * qe - ef * qf) / whole, (ee * qf - ef * qe) / whole];
    if u < 0.0 || v < 0.0 || u + v > 1.0 {
        return sides;
    }
    let rest = [0, 1, 2].map(|k| q[k] - u * e[k] - v * f[k]);
    dot(rest, rest)
}

/// Triangles within a distance of a place, the nearest first.
fn nearest(explainer: &Explainer<'_>, at: [f64; 3], far: f64) -> Vec<u32> {
    let mut near = vec![];
    explainer.solids.around([at[0], at[2]], far, &mut near);
    let mut found: Vec<(f64, u32)> = (near.into_iter())
        .map(|n| (away(explainer.solids.all[n as usize].corners, at), n))
        .filter(|(square, _)| *square <= far * far)
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    found.dedup_by_key(|f| f.1);
    found.into_iter().map(|(_, n)| n).collect()
}

/// What meets at an edge or a vertex.
fn around(explainer: &Explainer<'_>, at: [f64; 3]) -> Vec<u32> {
    let metre = explainer.level.grid.units();
    let found = nearest(explainer, at, 0.06 * metre);
    found.into_iter().filter(|&n| !explainer.solids.all[n as usize].upright).collect()
}

/// The walls beside a place, a little above it.
fn beside(explainer: &Explainer<'_>, at: [f64; 3]) -> Vec<u32> {
    let metre = explainer.level.grid.units();
    let waist = [at[0], at[1] + metre, at[2]];
    let found = nearest(explainer, waist, BESIDE * metre);
    let walls = found.into_iter().filter(|&n| explainer.solids.all[n as usize].upright);
    let mut parts = vec![];
    // One triangle of each of the two nearest parts.
    walls
        .filter(|&n| {
            let part = explainer.solids.all[n as usize].part;
            let is_new = !parts.contains(&part) && parts.len() < 2;
            parts.extend(is_new.then_some(part));
            is_new
        })
        .collect()
}

/// The surface that a place is on.
fn below(explainer: &Explainer<'_>, at: [f64; 3]) -> Option<u32> {
    let metre = explainer.level.grid.units();
    let found = nearest(explainer, at, NEAR * metre);
    let flat = |n: &u32| !explainer.solids.all[*n as usize].upright;
    found.iter().copied().find(flat).or(found.first().copied())
}

/// The first surface above the ground at a place.
fn above(explainer: &Explainer<'_>, at: [f64; 3]) -> Option<u32> {
    let body = explainer.body(0)?;
    let metre = explainer.level.grid.units();
    let column = explainer.solids.column([at[0], at[2]], body);
    column.iter().find(|s| s.y > at[1] + 0.5 * metre).map(|s| s.solid)
}
