//! Markers inside solids, in the air, and over floors that face down or are missing.

use std::collections::BTreeSet;

use navbake_bake::config::{Seed, Way};
use navbake_bake::rules::glob;

use super::cause::{Cause, GAP, flipped};
use super::ground::{Flaw, Ground};
use super::inside::inside;
use super::search::{Move, Place};
use crate::explain::solid::Surface;
use crate::explain::{direction, metres};
use crate::settings::is_for;
use crate::{Finding, Report, Settings, Subject};

/// Height above a marker at which it is looked whether it is inside a solid, m.
const WAIST: f64 = 0.1;
/// Ground at a marker's height is looked for up to this distance, m.
const AROUND: f64 = 4.0;

/// Replaces `marker-off-mesh` of an agent where the reason is known, and adds markers in solids.
pub(super) fn markers(
    ground: &mut Ground<'_>,
    agent: usize,
    subject: &Subject<'_>,
    settings: &Settings,
    report: &mut Report,
) {
    let name = ground.walker.agent.name;
    let mut added = vec![];
    for (marker, place) in listed(subject, settings, name) {
        let is_own = |f: &Finding| {
            f.rule == "marker-off-mesh"
                && f.agent.as_deref() == Some(name)
                && f.names == [marker.clone()]
        };
        let known = report.findings.iter().position(is_own);
        let found = solid(ground, place)
            .or_else(|| known.and_then(|_| floor(ground, place).or_else(|| air(ground, place))));
        if let Some(cause) = found.filter(|cause| settings.is_on(cause.rule)) {
            if let Some(k) = known {
                report.findings.remove(k);
            }
            let message = format!("`{marker}`: {}", cause.said());
            let mut finding = Finding::new(cause.rule, message)
                .at(cause.place)
                .of_agent(name)
                .named(marker)
                .with_objects(cause.objects)
                .shaped(cause.shape);
            finding.figures = cause.figures;
            added.push(finding);
        } else if let Some(k) = known {
            reasons(ground, agent, place, &mut report.findings[k]);
        }
    }
    report.add(added, settings);
}

/// Adds what `explain` says about the place to a finding that stays.
fn reasons(ground: &Ground<'_>, agent: usize, place: [f64; 3], finding: &mut Finding) {
    let answer = ground.explainer.explain(place, agent, Some(ground.walker.mesh));
    for reason in answer.map(|a| a.reasons).unwrap_or_default() {
        if let Some(object) = reason.object
            && !finding.objects.contains(&object)
        {
            finding.message += &format!("; {}", reason.message);
            finding.objects.push(object);
        }
    }
}

/// The markers of the config for an agent, with their places.
fn listed(subject: &Subject<'_>, settings: &Settings, agent: &str) -> Vec<(String, [f64; 3])> {
    let check = &settings.check;
    let ways = check.must_reach.iter().chain(&check.must_not_reach);
    let ends = ways.filter(|way| is_for(way, agent)).flat_map(Way::ends);
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for seed in ends.chain(&check.starts) {
        if let Seed::Marker(name) = seed {
            names.insert(name);
        }
    }
    let asked = |name: &str| check.on_ground.iter().any(|pattern| glob(pattern, name, false));
    let mut listed: Vec<(String, [f64; 3])> = (subject.blob.markers())
        .filter(|m| names.contains(m.name) || asked(m.name))
        .map(|m| (m.name.to_owned(), m.position))
        .collect();
    listed.dedup_by(|a, b| a.0 == b.0);
    listed
}

/// The marker is inside a solid.
fn solid(ground: &Ground<'_>, place: [f64; 3]) -> Option<Cause> {
    let [x, y, z] = ground.explainer.inward(place);
    // Markers are on the ground, or a little below it.
    let waist = WAIST.min(ground.walker.agent.height / 2.0) * ground.metre;
    let solid = inside(ground, [x, y + waist, z])?;
    let column = ground.explainer.solids.column([x, z], &ground.body);
    let above = column.iter().find(|s| s.y > y + waist)?;
    let top = (above.y - y) / ground.metre;
    // A place just below ground is off by a little, and not inside of it.
    if top <= ground.walker.agent.climb && ground.polygon([x, z], above.y).is_some() {
        return None;
    }
    let message = format!("it is inside a solid, {} m below its top", metres(top));
    Some(Cause::new("marker-in-solid", message, place).figure("above_m", top).of(ground, &[solid]))
}

/// The floor at the marker faces down, or is missing.
fn floor(ground: &mut Ground<'_>, place: [f64; 3]) -> Option<Cause> {
    let [x, y, z] = ground.explainer.inward(place);
    let near = ground.body.climb.max(0.5 * ground.metre) + 1.0;
    let cell = ground.cell_at([x, z]);
    let column = ground.column(cell);
    let turned = |s: &&super::ground::Footing| s.has(Flaw::Flipped) && (s.y - y).abs() <= near;
    if let Some(footing) = column.footings.iter().find(turned) {
        let at = Place { at: column.at, footing: *footing, by: Move::Walk };
        return flipped(ground, &[&at]);
    }
    // Ground at the marker's height on both sides, and none at the marker. The top of a wall, too
    // narrow to stand on, is no floor.
    let body = ground.body;
    let height = |at: [f64; 2]| {
        let column = ground.explainer.solids.column(at, &body);
        column.iter().find(|s| s.ground && (s.y - y).abs() <= near).map(|s| s.y)
    };
    if height([x, z]).is_some() {
        return None;
    }
    let pace = 0.1 * ground.metre;
    let ahead = |k: u32| {
        let [dx, dz] = direction(k);
        let at = |far: f64| [x + far * dx, z + far * dz];
        let paces = (1..=(AROUND * 10.0) as u32).map(|n| f64::from(n) * pace);
        let (far, up) = paces.into_iter().find_map(|far| Some((far, height(at(far))?)))?;
        ground.polygon(at(far + body.radius + pace), up).map(|_| at(far))
    };
    let length = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let pairs = (0..48).filter_map(|k| ahead(k).zip(ahead(k + 48)));
    let all: Vec<([f64; 2], [f64; 2])> = pairs.collect();
    let [a, b] = all
        .iter()
        .min_by(|p, q| length(p.0, p.1).total_cmp(&length(q.0, q.1)))
        .map(|&(a, b)| [a, b])?;
    let wide = length(a, b) / ground.metre;
    // The middle of the hole, as far as it is seen from the marker.
    let count = all.len() as f64 * 2.0;
    let sum = |k: usize| all.iter().map(|(a, b)| a[k] + b[k]).sum::<f64>() / count;
    let middle = ground.explainer.outward([sum(0), y, sum(1)]);
    let message = format!("no floor below it for {} m", metres(wide.max(GAP)));
    let mut solids = vec![];
    for at in [a, b] {
        let column = ground.explainer.solids.column(at, &body);
        let own = column.iter().filter(|s| s.ground && (s.y - y).abs() <= near);
        solids.extend(own.map(|s| s.solid).next_back());
    }
    Some(Cause::new("floor-missing", message, middle).figure("width_m", wide).of(ground, &solids))
}

/// The marker is far above the next surface, or below all.
fn air(ground: &Ground<'_>, place: [f64; 3]) -> Option<Cause> {
    let [x, y, z] = ground.explainer.inward(place);
    let column = ground.explainer.solids.column([x, z], &ground.body);
    let below = column.iter().rev().find(|s| s.y <= y + 1.0);
    let above = column.iter().find(|s| s.y > y + 1.0);
    let far = |s: &Surface| (s.y - y).abs() / ground.metre;
    let name = |s: &Surface| {
        let object = ground.explainer.object(s.solid);
        if object.name().is_empty() { String::new() } else { format!(" `{}`", object.name()) }
    };
    let agent = &ground.walker.agent;
    let (message, solid, figure) = match (below, above) {
        (Some(b), _) if far(b) > agent.height => (
            format!("it is in the air, {} m above{}", metres(far(b)), name(b)),
            b.solid,
            ("below_m", far(b)),
        ),
        (None, Some(a)) if far(a) > agent.climb => (
            format!("it is below the ground, {} m below{}", metres(far(a)), name(a)),
            a.solid,
            ("above_m", far(a)),
        ),
        _ => return None,
    };
    Some(
        Cause::new("marker-in-air", message, place).figure(figure.0, figure.1).of(ground, &[solid]),
    )
}
