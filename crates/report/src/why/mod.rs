//! Why ground is cut off, and where: one finding for each cause, from the level itself.
//!
//! A navmesh says that two places are not connected. Only the level says why. For each piece of
//! ground that must be connected and is not, [`why`] searches the relaxed ground between the
//! islands of the navmesh (`ground`, `search`), where every limit of the agent may be exceeded at
//! a price. Where the cheapest path leaves the navmesh, it measures what is in its path (`cause`,
//! `measure`). docs/decisions/0030-why-cut-off.md describes prices and limits.

mod beside;
mod blocks;
mod cause;
mod cut_off;
mod footprint;
mod ground;
mod inside;
mod markers;
mod measure;
mod narrow;
mod near_misses;
mod objects;
mod passages;
mod pieces;
mod props;
mod rules;
mod search;
mod tasks;
mod tightness;

use navbake_bake::BakeInput;
use navbake_format::CheckedBlob;

use crate::explain::Explainer;
use crate::subject::{Meshes, Subject};
use crate::{NotRun, Report, Settings};

use ground::Ground;

pub(crate) use rules::RULES;

/// Notes in the report of a blob without its level that no causes were searched.
///
/// It names the findings that have a cause, and how to learn it.
pub fn without_level(report: &mut Report, settings: &Settings) {
    for rule in ["island-cut-off", "marker-off-mesh", "unreachable"] {
        if settings.is_on(rule) && report.findings.iter().any(|f| f.rule == rule) {
            let why = "causes were not searched, as the blob has no triangles: check the level with its \
                       config (`navbake check LEVEL --config FILE`)";
            report.not_run.push(NotRun { rule, why: why.into() });
        }
    }
    report.not_run.sort();
}

/// Adds the reasons why ground is cut off to the report of a blob that was baked from `job`.
///
/// Findings `unreachable`, `island-cut-off` and `marker-off-mesh` whose reason is known are
/// replaced by it; the others stay. Levels of designer's floors and grid maps stay as they are.
/// Without such findings the level is only asked whether markers are inside solids. A search looks
/// at some hundred thousand places of the level at most; beyond that the findings stay.
///
/// `goes_on` is asked before each search, and before each part of what they need. Once it answers
/// no, no other begins, and the report lacks causes and objects that a whole run finds.
pub fn why(
    report: &mut Report,
    blob: CheckedBlob<'_>,
    job: &BakeInput,
    settings: &Settings,
    goes_on: &dyn Fn() -> bool,
) {
    let Some(explainer) = Explainer::new_while(job, goes_on) else {
        return;
    };
    let meshes = Meshes::of(&blob);
    let subject = Subject::new(blob, &meshes);
    if explainer.is_of_floors() {
        objects::objects(&explainer, report);
        return;
    }
    passages::measured(&explainer, &subject, settings, report);
    let names: Vec<String> = explainer.agents().map(|a| a.name.clone()).collect();
    for walker in subject.walkers.iter().take_while(|_| goes_on()) {
        let Some(agent) = names.iter().position(|n| n == walker.agent.name) else { continue };
        let Some(mut ground) = Ground::new(&explainer, walker, agent) else { continue };
        markers::markers(&mut ground, agent, &subject, settings, report);
        tasks::tasks(&mut ground, agent, &subject, settings, report, goes_on);
        passages::passages(&ground, settings, report);
        near_misses::near_misses(&mut ground, agent, settings, report, goes_on);
    }
    if goes_on() {
        objects::objects(&explainer, report);
    }
}
