//! Passages that are too narrow: which of them matter.
//!
//! The bake and the navmesh report every place where two walls are a little too near to each other,
//! such as behind a crate. A person misses it only if nothing else leads to the other side nearby.

use std::cell::RefCell;

use navbake_search::{Algorithm, NavPoint, PathRequest, Scratch, Status};

use super::ground::Ground;
use super::measure;
use crate::explain::Explainer;
use crate::rules::passages::{OnLevel, of_widths};
use crate::subject::Subject;
use crate::{Finding, Report, Settings, Severity};

/// A shorter detour, m, is none that anybody misses.
pub(super) const DETOUR: f64 = 8.0;
/// A passage this near to a cause, m, is that cause.
const SAME: f64 = 1.2;
/// The sides of a passage are looked for this far beyond the agent's width, m, in paces.
const BEYOND: f64 = 1.5;
const PACE: f64 = 0.1;
/// Walls of a passage are at most this far from its middle, m.
const WIDE: f64 = 2.0;

/// Measures doors and passages on the level: findings are replaced, and some come or go.
pub(super) fn measured(
    explainer: &Explainer<'_>,
    subject: &Subject<'_>,
    settings: &Settings,
    report: &mut Report,
) {
    let is_ignored = |f: &&Finding| settings.is_on(f.rule) && settings.is_ignored(f);
    let before = of_widths(subject, settings, None);
    report.ignored -= before.iter().filter(is_ignored).count();
    report.findings.retain(|f| !before.iter().any(|b| b.rule == f.rule));
    // Those that are asked for, in the order of the first question.
    let grounds: RefCell<Vec<(&str, Option<Ground<'_>>)>> = RefCell::default();
    let ground = |name: &str| {
        let walker = subject.walkers.iter().find(|w| w.agent.name == name)?;
        let agent = explainer.agents().position(|a| a.name == name)?;
        Some((walker.agent.name, Ground::new(explainer, walker, agent)))
    };
    let width = |agent: &str, place: [f64; 3]| {
        let mut grounds = grounds.borrow_mut();
        if grounds.iter().all(|(name, _)| *name != agent) {
            grounds.push(ground(agent)?);
        }
        let own = grounds.iter().find(|(name, _)| *name == agent)?.1.as_ref()?;
        let [x, y, z] = explainer.inward(place);
        let passage = measure::passage(own, [x, z], y, WIDE)?;
        Some(passage.wide() / own.metre)
    };
    let level = OnLevel { most: 2.0 * explainer.border_error(), width: &width };
    report.add(of_widths(subject, settings, Some(level)), settings);
}

/// Removes passages that a cause names, and makes notes of those that lead nowhere new.
pub(super) fn passages(ground: &Ground<'_>, settings: &Settings, report: &mut Report) {
    let agent = ground.walker.agent.name;
    let is_passage = |rule: &str| matches!(rule, "passage-closed" | "passage-too-narrow");
    let causes: Vec<[f64; 3]> = (report.findings.iter())
        .filter(|f| matches!(f.rule, "blocked-by-width" | "blocked-by-prop"))
        .filter(|f| f.agent.as_deref() == Some(agent))
        .filter_map(|f| f.place)
        .collect();
    let far = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
    let is_own = |f: &Finding| is_passage(f.rule) && f.agent.as_deref() == Some(agent);
    report.findings.retain(|f| {
        let place = f.place.filter(|_| is_own(f));
        place.is_none_or(|place| causes.iter().all(|cause| far(*cause, place) > SAME))
    });
    let mut scratch = Scratch::new();
    for finding in report.findings.iter_mut().filter(|f| is_own(f)) {
        let Some(place) = finding.place.filter(|_| !settings.levels.contains_key(finding.rule))
        else {
            continue;
        };
        // Of a width of `widths`, the agent is narrower: its own paths say nothing about that.
        let wanted = finding.figures.iter().find(|f| f.name == "wanted_m");
        if wanted.is_some_and(|f| f.value > 2.0 * ground.walker.agent.radius) {
            continue;
        }
        if !is_missed(ground, place, &mut scratch) {
            finding.severity = Severity::Note;
        }
    }
    crate::sort(&mut report.findings);
}

/// Does the agent stand on both sides of a passage, and has no short path between them?
fn is_missed(ground: &Ground<'_>, place: [f64; 3], scratch: &mut Scratch) -> bool {
    let [x, y, z] = ground.explainer.inward(place);
    let Some(passage) = measure::passage(ground, [x, z], y, WIDE) else { return false };
    let [a, b] = passage.ends;
    let wide = passage.wide().max(1.0);
    let across = [-(b[1] - a[1]) / wide, (b[0] - a[0]) / wide];
    let middle = passage.middle();
    let far = 2.0 * ground.body.radius + BEYOND * ground.metre;
    let pace = PACE * ground.metre;
    let side = |sign: f64| {
        let at = |k: u32| [0, 1].map(|n| middle[n] + sign * f64::from(k) * pace * across[n]);
        (1..=(far / pace) as u32).find_map(|k| stood(ground, at(k), y, PACE))
    };
    match (side(1.0), side(-1.0)) {
        (Some(here), Some(there)) => {
            detour(ground, &here, &there, scratch).is_none_or(|long| long > DETOUR)
        }
        _ => false,
    }
}

/// The place of the agent on the navmesh at a height, at most this far aside, m.
pub(super) fn stood(ground: &Ground<'_>, at: [f64; 2], y: f64, aside: f64) -> Option<NavPoint> {
    let place = ground.explainer.outward([at[0], y, at[1]]);
    let high = (ground.body.climb / ground.metre).max(0.1) + 0.05;
    let found = ground.walker.query().nearest(place, [aside, high, aside])?;
    ground.walker.walks_on(found.polygon()).then_some(found)
}

/// The length of the path between two places, m; `None` without one.
pub(super) fn detour(
    ground: &Ground<'_>,
    from: &NavPoint,
    to: &NavPoint,
    scratch: &mut Scratch,
) -> Option<f64> {
    let algorithm = Algorithm::weighted(Algorithm::GAP);
    let request = PathRequest::new(from.position(), to.position()).algorithm(algorithm);
    let query = ground.walker.query();
    let path = query.find_path_between(from, to, &request, scratch).ok()?;
    (path.status == Status::Reached).then_some(path.length_xz)
}
