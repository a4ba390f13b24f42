//! Ground that cannot be reached from the starts: the cause of each piece, or why it needs none.

use navbake_bake::config::Seed;
use navbake_format::PolyId;

use super::beside::Reached;
use super::cause::Cause;
use super::inside::inside;
use super::tasks::{ASKED, MORE_WORK, Tasks, UNASKED};
use crate::rules::islands::{Piece, Ways, starts};
use crate::{Finding, Report, Settings, Severity, Subject};

/// Ground this far below the top of a solid is inside of it, m.
const THICK: f64 = 0.75;
/// Ground on top of a beam or a duct is at most this wide, m.
const NARROW: f64 = 1.0;
/// A step is at most this much higher than the climb, m; what is higher is the side of something.
const ABOVE: f64 = 0.4;

/// A piece of ground that is cut off.
struct Lost {
    piece: Piece,
    place: [f64; 3],
    /// m2.
    area: f64,
    /// The markers on it.
    markers: Vec<(String, [f64; 3])>,
}

/// What is known about the ground of an agent that is cut off.
pub(super) struct CutOff<'c, 't, 'a> {
    tasks: &'c mut Tasks<'t, 'a>,
    subject: &'c Subject<'c>,
    settings: &'c Settings,
    /// The polygons that are reached, or whose cause is known. Behind these only what is between
    /// is asked for.
    explained: Vec<bool>,
    /// Their ground.
    beside: Reached,
    /// Ground that needs no cause.
    quiets: Vec<Finding>,
}

/// Replaces the findings about ground that cannot be reached by their causes.
pub(super) fn cut_off(
    tasks: &mut Tasks<'_, '_>,
    ways: &Ways,
    subject: &Subject<'_>,
    settings: &Settings,
    report: &mut Report,
) {
    let walker = tasks.ground.walker;
    let explained = ways.flood(&starts(subject, walker, settings).0, &ways.on);
    let mut beside = Reached::default();
    let reached = (0u32..).zip(&explained).filter(|(_, is_reached)| **is_reached);
    beside.add(walker, reached.map(|(p, _)| p));
    let lost: Vec<bool> = (0u32..)
        .zip(&explained)
        .map(|(p, is_reached)| walker.walks_on(PolyId(p)) && !is_reached)
        .collect();
    let mut pieces: Vec<(f64, Piece)> =
        ways.pieces(walker, &lost).into_iter().map(|p| (p.square_metres(walker), p)).collect();
    pieces.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut known = CutOff { tasks, subject, settings, explained, beside, quiets: vec![] };
    let mut open: Vec<Lost> = vec![];
    for (area, piece) in pieces {
        let (place, markers) = (piece.place(walker), known.markers(&piece));
        let lost = Lost { piece, place, area, markers };
        let Some(number) = known.finding_of(&lost, report) else { continue };
        match known.quiet(&lost) {
            Some(quiet) => {
                report.findings.remove(number);
                known.note(quiet);
            }
            None => open.push(lost),
        }
    }
    // Ground that is hard to explain leaves work for the rest: at first each piece may take an even
    // part of a quarter of the work, then one after the other all that is left. What is not
    // explained then, and is no roof or ledge, is worth more work, of which each takes half of what
    // is left.
    known.tasks.most = known.tasks.left[1] / (4 * open.len().max(1) as u64);
    open.retain(|lost| !known.explain(lost, false, report));
    known.tasks.most = u64::MAX;
    open.retain(|lost| !known.explain(lost, true, report));
    known.tasks.left[1] += MORE_WORK;
    let part = open.len().clamp(1, 2) as u64;
    open.retain(|lost| {
        known.tasks.most = known.tasks.left[1] / part;
        !known.explain(lost, false, report)
    });
    report.add(known.quiets, settings);
}

impl CutOff<'_, '_, '_> {
    /// The number of the finding about a piece.
    fn finding_of(&self, lost: &Lost, report: &Report) -> Option<usize> {
        let agent = Some(self.tasks.ground.walker.agent.name);
        report.findings.iter().position(|f| {
            f.rule == "island-cut-off" && f.agent.as_deref() == agent && f.place == Some(lost.place)
        })
    }

    /// Replaces the finding about a piece by its cause, if there is one; with `may_be_above` else
    /// by a note if it is far above the ground beside it. False if it stays.
    fn explain(&mut self, lost: &Lost, may_be_above: bool, report: &mut Report) -> bool {
        let Lost { piece, place, area, markers } = lost;
        let Some(number) = self.finding_of(lost, report) else { return true };
        let near = markers.first().map_or(*place, |(_, at)| *at);
        let from = PolyId(piece.polygons[0]);
        let price = if markers.is_empty() { UNASKED } else { ASKED };
        let Some(causes) = self.tasks.search(&self.explained, from, near, price) else {
            let quiet = self.above(lost).filter(|_| markers.is_empty() && may_be_above);
            let Some(quiet) = quiet else { return false };
            report.findings.remove(number);
            self.note(quiet);
            return true;
        };
        if causes.iter().all(|cause| !self.settings.is_on(cause.rule)) {
            return false;
        }
        let severity = report.findings.remove(number).severity;
        if let Some(cause) = causes.iter().find(|cause| self.is_far_up(cause))
            && markers.is_empty()
        {
            // The top of a table, a duct or a wall.
            self.note(on_top(*place, *area, &cause.said()).with_objects(cause.objects.clone()));
            return true;
        }
        for polygon in &piece.polygons {
            self.explained[*polygon as usize] = true;
        }
        self.beside.add(self.tasks.ground.walker, piece.polygons.iter().copied());
        let severity = if self.is_kept_out(markers) { Severity::Note } else { severity };
        for cause in causes {
            self.tasks.report(cause, severity, None, *area);
        }
        true
    }

    /// Notes ground that needs no cause.
    fn note(&mut self, quiet: Finding) {
        self.quiets.push(quiet.of_agent(self.tasks.ground.walker.agent.name));
    }

    /// A difference in height that is not meant as a step?
    fn is_far_up(&self, cause: &Cause) -> bool {
        let rise = cause.figures.iter().find(|f| f.name == "rise_m");
        let climb = self.tasks.ground.walker.agent.climb;
        cause.rule == "blocked-by-step" && rise.is_some_and(|rise| rise.value > climb + ABOVE)
    }

    /// The markers on a piece of ground.
    fn markers(&self, piece: &Piece) -> Vec<(String, [f64; 3])> {
        let walker = self.tasks.ground.walker;
        let is_on = |at: [f64; 3]| {
            let found = walker.stands(at);
            found.is_some_and(|f| piece.polygons.binary_search(&f.polygon().0).is_ok())
        };
        let markers = self.subject.blob.markers().filter(|m| is_on(m.position));
        markers.map(|m| (m.name.to_owned(), m.position)).collect()
    }

    /// Does `must_not_reach` ask for it that none of the markers is reached?
    fn is_kept_out(&self, own: &[(String, [f64; 3])]) -> bool {
        let is_goal = |name: &String| {
            self.settings.check.must_not_reach.iter().any(|way| {
                let [_, to] = way.ends();
                matches!(to, Seed::Marker(goal) if goal == name)
            })
        };
        !own.is_empty() && own.iter().all(|(name, _)| is_goal(name))
    }

    /// Ground inside of solids and on top of them, where a path is not expected.
    fn quiet(&self, lost: &Lost) -> Option<Finding> {
        // A marker inside a solid has a finding of its own.
        self.solid_of(lost).filter(|quiet| match quiet.rule {
            "ground-in-solid" => true,
            _ => lost.markers.is_empty() && !self.goes_on(&lost.piece),
        })
    }

    /// The solid that ground is inside of, or on top of.
    fn solid_of(&self, &Lost { place, area, .. }: &Lost) -> Option<Finding> {
        let [x, y, z] = self.tasks.ground.explainer.inward(place);
        let metre = self.tasks.ground.metre;
        let body = &self.tasks.ground.body;
        // Near the floor too: the solid may be lower than the agent.
        let within = [0.5 * body.height, 0.1 * metre];
        let within = within.into_iter().find_map(|up| inside(self.tasks.ground, [x, y + up, z]));
        let (rule, what, solid) = match within {
            Some(solid) => ("ground-in-solid", "inside", solid),
            None => {
                let thick = inside(self.tasks.ground, [x, y - THICK * metre, z]);
                let solid = thick.or_else(|| {
                    let solid = inside(self.tasks.ground, [x, y - 0.1 * metre, z])?;
                    let narrow = NARROW * self.tasks.ground.pieces().extent(solid).long() * metre;
                    (self.tasks.ground.pieces().top_area(solid, y) <= narrow).then_some(solid)
                })?;
                ("ground-on-top", "on top of", solid)
            }
        };
        let object = self.tasks.ground.explainer.object(solid);
        let name = if object.name().is_empty() {
            "a solid".to_owned()
        } else {
            format!("`{}`", object.name())
        };
        let message = format!("{area:.2} m2 of ground {what} {name} cannot be reached");
        let finding = Finding::new(rule, message).at(place).with_objects([object]);
        Some(finding.figure("area_m2", area))
    }

    /// Ground far above all that is reached beside it, such as a roof.
    fn above(&self, Lost { piece, place, area, .. }: &Lost) -> Option<Finding> {
        let least = self.tasks.ground.walker.agent.climb + ABOVE;
        let rises =
            self.beside.rises(self.tasks.ground.walker, piece).filter(|rise| *rise > -least);
        let rise = rises.min_by(f64::total_cmp).filter(|rise| *rise > least)?;
        let message = format!("{rise:.2} m above the ground beside it");
        Some(on_top(*place, *area, &message).figure("rise_m", rise))
    }

    /// Is ground beside a piece, and as high as it, reached?
    fn goes_on(&self, piece: &Piece) -> bool {
        let climb = self.tasks.ground.walker.agent.climb;
        self.beside.rises(self.tasks.ground.walker, piece).any(|rise| rise.abs() <= climb)
    }
}

fn on_top(place: [f64; 3], area: f64, why: &str) -> Finding {
    let message = format!("{area:.2} m2 of ground cannot be reached: {why}");
    Finding::new("ground-on-top", message).at(place).figure("area_m2", area)
}
