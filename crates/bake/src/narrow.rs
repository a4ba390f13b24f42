//! Reports passages that are closed for being about as wide as the agent.

use std::collections::BTreeMap;

use navbake_format::DiagnosticKind;
use navbake_hierarchy::polygons_under;
use navbake_level::number::readable;
use navbake_level::{Agent, Class, Warning};
use navbake_lint::Diagnostic;
use navbake_mesh::PolygonMesh;
use navbake_walkable::NarrowPassage;

use crate::input::BakeInput;
use crate::recorder::Recorder;

/// How far before and behind a passage ground is looked for, and how far around there; in radii.
/// Together less than a radius: ground behind the back of a niche is not found.
const BEYOND: f64 = 0.6;
const AROUND: f64 = 0.35;

/// Warns of passages with ground on both sides, each once.
pub(crate) fn report<'a>(
    input: &BakeInput,
    classes: &[Class],
    meshes: impl Iterator<Item = &'a PolygonMesh>,
    all: &[(usize, NarrowPassage)],
    rec: &mut Recorder<'_>,
) {
    let grid = &input.level.grid;
    for (number, (class, mesh)) in classes.iter().zip(meshes).enumerate() {
        let own = all.iter().filter(|(class, _)| *class == number).map(|(_, passage)| *passage);
        let agent = &class.agent;
        let passages = connected(own.collect(), agent.radius * grid.units());
        let points: Vec<Vec<[f64; 3]>> =
            passages.iter().map(|parts| outside(parts, agent, input)).collect();
        let near = Agent { radius: AROUND * agent.radius, ..agent.clone() };
        let all_points = points.concat();
        let mut under = polygons_under(&all_points, grid, &near, mesh).into_iter();
        let mut found = vec![];
        for (parts, points) in passages.iter().zip(&points) {
            let on_ground = points.iter().zip(under.by_ref()).filter(|(_, on)| on.is_some());
            let on_ground: Vec<[f64; 3]> = on_ground.map(|(p, _)| *p).collect();
            let narrowest = parts.iter().min_by_key(|p| (p.width, p.ends));
            if let Some(narrowest) = narrowest
                && extent(&on_ground) > agent.radius
            {
                let [a, b] = narrowest.ends.map(|end| end.map(f64::from));
                let middle = [0, 1, 2].map(|k| (a[k] + b[k]) / 2.0);
                found.push(Diagnostic {
                    class: Some(number as u16),
                    value: f64::from(narrowest.width) / grid.units(),
                    limit: 2.0 * agent.radius,
                    ..Diagnostic::new(DiagnosticKind::NarrowPassage, grid.metres(middle))
                });
            }
        }
        found.sort_by(|p, q| p.at.partial_cmp(&q.at).unwrap_or(std::cmp::Ordering::Equal));
        if let Some(first) = found.first() {
            let (many, this) = match found.len() {
                1 => ("a passage is".to_owned(), "it"),
                more => (format!("{more} passages are"), "this one"),
            };
            rec.warnings.push(Warning {
                code: "closed-passages",
                message: format!(
                    "{many} closed for agent `{}`: {this} is {} m wide, and the agent needs more than {} m",
                    agent.name,
                    readable(first.value, 2),
                    readable(first.limit, 2)
                ),
                place: first.at.into(),
            });
        }
        rec.diagnostics.append(&mut found);
    }
}

/// Parts that continue each other, together.
fn connected(mut parts: Vec<NarrowPassage>, radius: f64) -> Vec<Vec<NarrowPassage>> {
    parts.sort_unstable_by_key(|p| (p.ends, p.width));
    parts.dedup();
    let side = (radius / 4.0).max(1.0);
    let square = |p: [i32; 3]| p.map(|v| (f64::from(v) / side).floor() as i64);
    let mut at: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
    for (i, part) in parts.iter().enumerate() {
        part.ends.iter().for_each(|&end| at.entry(square(end)).or_default().push(i));
    }
    let mut taken = vec![false; parts.len()];
    let mut all = vec![];
    for first in 0..parts.len() {
        let (mut open, mut own) = (vec![first], vec![]);
        while let Some(i) = open.pop() {
            if std::mem::replace(&mut taken[i], true) {
                continue;
            }
            own.push(parts[i]);
            for [x, y, z] in parts[i].ends.map(square) {
                for n in 0..27 {
                    let next = [x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1];
                    // Each square is visited once.
                    open.extend(at.remove(&next).into_iter().flatten());
                }
            }
        }
        if !own.is_empty() {
            all.push(own);
        }
    }
    all
}

/// Places beyond both ends of each part of a passage, y-up metres.
fn outside(parts: &[NarrowPassage], agent: &Agent, input: &BakeInput) -> Vec<[f64; 3]> {
    let grid = &input.level.grid;
    let beyond = BEYOND * agent.radius * grid.units();
    let of_part = |part: &NarrowPassage| {
        let [a, b] = part.ends.map(|end| end.map(f64::from));
        let way = [b[0] - a[0], b[2] - a[2]];
        let far = beyond / way[0].hypot(way[1]).max(1.0);
        let past = |end: [f64; 3], far: f64| {
            grid.metres([end[0] + far * way[0], end[1], end[2] + far * way[1]])
        };
        [past(a, -far), past(b, far)]
    };
    parts.iter().flat_map(of_part).collect()
}

/// About how far apart the farthest of some places are, m.
fn extent(places: &[[f64; 3]]) -> f64 {
    let apart = |p: &[f64; 3], q: &[f64; 3]| (p[0] - q[0]).hypot(p[2] - q[2]);
    let farthest = |from: &[f64; 3]| {
        places.iter().copied().max_by(|p, q| apart(from, p).total_cmp(&apart(from, q)))
    };
    let end = places.first().and_then(farthest);
    end.and_then(|end| Some(apart(&end, &farthest(&end)?))).unwrap_or(0.0)
}
