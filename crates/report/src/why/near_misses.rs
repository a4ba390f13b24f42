//! Shortcuts that a little more width, climb or floor would open, where another path exists.
//!
//! Nothing is cut off by these, so no pair of places leads there. Straight walks from the navmesh's
//! border over relaxed ground find them: those that meet one small flaw and reach the navmesh
//! again, from where the path back is long.

use std::collections::HashSet;

use navbake_format::PolyId;
use navbake_search::Scratch;

use super::cause::{Cause, causes};
use super::footprint::is_crossed;
use super::ground::{FLAWS, Flaw, Footing, Ground};
use super::passages::{DETOUR, detour, stood};
use super::search::{Move, Place};
use crate::{Finding, Report, Settings, Severity};

/// Between walks along a border, m, at least.
const PACE: f64 = 0.3;
/// The work of an agent's walks: some, and more in a level of many triangles.
const WORK: [u64; 2] = [400_000, 60];
/// The work of one walk, about.
const WALK: u64 = 500;
/// A floor that faces down is crossed for at most this, m.
const FLIPPED: f64 = 4.0;
/// Walks this near to each other, m, find the same.
const SAME: f64 = 1.5;

/// Adds the near misses of an agent.
pub(super) fn near_misses(
    ground: &mut Ground<'_>,
    agent: usize,
    settings: &Settings,
    report: &mut Report,
    goes_on: &dyn Fn() -> bool,
) {
    if !["step-margin", "gap-margin", "passage-too-narrow", "prop-in-passage", "floor-faces-down"]
        .into_iter()
        .any(|rule| settings.is_on(rule))
    {
        return;
    }
    let margins = [settings.step_margin(), settings.gap_margin(), settings.width_tolerance()];
    let mut walks = Walks { ground, margins, tried: HashSet::new(), scratch: Scratch::new() };
    let mut found: Vec<(Cause, f64)> = vec![];
    for (at, y, out) in walks.starts().into_iter().take_while(|_| goes_on()) {
        if let Some((stretch, long)) = walks.walk(at, y, out) {
            let all = causes(walks.ground, agent, &stretch);
            if let [cause] = &all[..] {
                found.extend(walks.judged(cause).map(|cause| (cause, long)));
            }
        }
    }
    let name = walks.ground.walker.agent.name;
    let known = |cause: &Cause| {
        report.findings.iter().any(|f| {
            let is_far = |p: [f64; 3]| (0..3).any(|k| (p[k] - cause.place[k]).abs() > SAME);
            f.agent.as_deref() == Some(name)
                && f.place.is_some_and(|p| !is_far(p))
                && (f.rule == cause.rule || f.rule.starts_with("blocked-by-"))
        })
    };
    let mut added: Vec<Finding> = vec![];
    for (cause, long) in found {
        let again = |f: &Finding| {
            let is_near = |p: [f64; 3]| (0..3).all(|k| (p[k] - cause.place[k]).abs() <= 2.0 * SAME);
            // An obstacle between two walls is guilty at both.
            let same = |f: &Finding| f.objects.first() == cause.objects.first();
            f.rule == cause.rule && same(f) && f.place.is_some_and(is_near)
        };
        if known(&cause) || added.iter().any(again) {
            continue;
        }
        let around = if long.is_finite() { format!("{long:.1} m") } else { "far".into() };
        let message = format!("{}: the path around is {around}", cause.said());
        let mut finding = Finding::new(cause.rule, message)
            .at(cause.place)
            .of_agent(name)
            .with_objects(cause.objects)
            .shaped(cause.shape);
        finding.figures = cause.figures;
        if finding.rule == "floor-faces-down" {
            finding.severity = Severity::Warning;
        }
        added.push(finding.figure("detour_m", long));
    }
    report.add(added, settings);
}

struct Walks<'w, 'a> {
    ground: &'w mut Ground<'a>,
    /// Of steps, gaps and widths, m.
    margins: [f64; 3],
    /// Where walks ended, in cells of [`SAME`].
    tried: HashSet<[i64; 3]>,
    scratch: Scratch,
}

impl Walks<'_, '_> {
    /// Places along the navmesh's borders, with their height and the direction away from it.
    fn starts(&self) -> Vec<([f64; 2], f64, [f64; 2])> {
        let mesh = self.ground.walker.mesh;
        let islands = &self.ground.islands;
        let mut borders = vec![];
        let mut whole = 0.0;
        for id in (0..mesh.polygon_count()).map(PolyId).filter(|p| islands[p.index()].is_some()) {
            let polygon = mesh.polygon(id);
            for k in (0..polygon.len()).filter(|&k| polygon.neighbour(k).is_none()) {
                let [a, b] = [k, polygon.next(k)].map(|c| polygon.corner(c).map(f64::from));
                let long = (b[0] - a[0]).hypot(b[1] - a[1]);
                whole += long;
                borders.push((id, a, b, long));
            }
        }
        let [some, each] = WORK;
        let most = some + each * self.ground.explainer.solids.all.len() as u64;
        let metre = self.ground.metre;
        // Coarser where the work would be too much; at least one walk for each border within that.
        let pace = (PACE * metre).max(whole * WALK as f64 / most as f64);
        let mut starts = vec![];
        let mut left = 0.5 * pace;
        for (id, a, b, long) in borders {
            let polygon = mesh.polygon(id);
            let corners: Vec<[f64; 2]> =
                (0..polygon.len()).map(|c| polygon.corner(c).map(f64::from)).collect();
            let inner = [0, 1]
                .map(|n| corners.iter().map(|c| c[n]).sum::<f64>() / corners.len() as f64 - a[n]);
            let mut out = [(b[1] - a[1]) / long.max(1.0), (a[0] - b[0]) / long.max(1.0)];
            if out[0] * inner[0] + out[1] * inner[1] > 0.0 {
                out = out.map(|c| -c);
            }
            while left < long {
                let at = [0, 1].map(|n| a[n] + left / long * (b[n] - a[n]));
                starts.push((at, polygon.height(at), out));
                left += pace;
            }
            left -= long;
        }
        starts
    }

    /// The walk from a border to the navmesh beyond a flaw, and the length of the path around.
    fn walk(&mut self, at: [f64; 2], y: f64, out: [f64; 2]) -> Option<(Vec<Place>, f64)> {
        let [step, gap, _] = self.margins;
        let metre = self.ground.metre;
        let body = self.ground.body;
        let climb = body.climb + 1.0;
        let cell = self.ground.cell;
        let first = self.ground.column(self.ground.cell_at(at));
        let near = first.footings.iter().filter(|s| (s.y - y).abs() <= climb);
        let footing = *near.min_by(|a, b| (a.y - y).abs().total_cmp(&(b.y - y).abs()))?;
        let start = Footing { island: None, prices: [0.0; FLAWS], ..footing };
        let mut stretch = vec![Place { at: first.at, footing: start, by: Move::Walk }];
        let mut column = first;
        let (mut flaws, mut air, mut down) = (0, 0.0, 0.0);
        // Beside a step too high the agent's width is short, which is no flaw of its own.
        let (mut is_stepped, mut narrow) = (false, 0);
        let usual = 2.0 * body.radius + gap * metre + 4.0 * cell;
        let mut gone = 0.0;
        while gone < usual + down {
            gone += cell;
            let place = [at[0] + gone * out[0], at[1] + gone * out[1]];
            let next = self.ground.column(self.ground.cell_at(place));
            let last = stretch.last()?.footing;
            let rise = |s: &Footing| (s.y - last.y).abs();
            let ground = &self.ground;
            let is_free = |s: &Footing| {
                let top = last.y.max(s.y);
                let band = [ground.band(top)[0], top + body.height];
                let mut walls = column.between.iter();
                !walls.any(|&n| is_crossed(ground.solid(n), band, column.at, next.at))
            };
            // Below a step there may be ground inside of the solid, behind its wall.
            let within = |most: f64| {
                let footings = next.footings.iter().filter(|s| rise(s) <= most && is_free(s));
                footings.min_by(|a, b| rise(a).total_cmp(&rise(b))).copied()
            };
            let (to, by) = if let Some(to) = within(climb) {
                (to, Move::Walk)
            } else if let Some(to) = within(climb + step * metre).filter(|_| !last.has(Flaw::Air)) {
                flaws += 1;
                is_stepped = true;
                (to, Move::Step(to.y - last.y))
            } else {
                air += cell;
                flaws += usize::from(!last.has(Flaw::Air));
                let to = ground.air(last.y);
                if !is_free(&to) {
                    return None;
                }
                (to, Move::Walk)
            };
            let is_closed = [Flaw::Head, Flaw::Slope, Flaw::Forbidden].iter().any(|f| to.has(*f));
            let is_wide = air > gap * metre + body.crack + 2.0 * cell;
            if is_closed || is_wide || flaws > 1 || narrow > 1 && !is_stepped {
                return None;
            }
            let begins = |flaw: Flaw| usize::from(to.has(flaw) && !last.has(flaw));
            narrow += begins(Flaw::Width);
            flaws += begins(Flaw::Flipped);
            if to.has(Flaw::Flipped) {
                down = FLIPPED * metre;
            }
            stretch.push(Place { at: next.at, footing: to, by });
            if to.island.is_some() {
                let all = if is_stepped { flaws } else { flaws + narrow };
                if all != 1 {
                    return None;
                }
                let long = self.around(at, y, &stretch)?;
                return Some((stretch, long));
            }
            column = next;
        }
        None
    }

    /// The length of the path between the ends of a walk, if that is long and it is a new place.
    fn around(&mut self, at: [f64; 2], y: f64, stretch: &[Place]) -> Option<f64> {
        let ground = &self.ground;
        let last = stretch.last()?;
        let size = SAME * ground.metre;
        let middle =
            [(at[0] + last.at[0]) / 2.0, y.max(last.footing.y), (at[1] + last.at[1]) / 2.0];
        if !self.tried.insert(middle.map(|c| (c / size).floor() as i64)) {
            return None;
        }
        // Borders above a drop may keep off it by the agent's radius.
        let aside = (ground.body.radius + ground.cell) / ground.metre;
        let from = stood(ground, at, y, aside)?;
        let to = stood(ground, last.at, last.footing.y, aside)?;
        // Ground that is cut off has findings of its own.
        let long = detour(ground, &from, &to, &mut self.scratch)?;
        (long > DETOUR).then_some(long)
    }

    /// A cause as a near miss, if it is within the margins.
    fn judged(&self, cause: &Cause) -> Option<Cause> {
        let figure = |name: &str| cause.figures.iter().find(|f| f.name == name).map(|f| f.value);
        let [step, gap, narrow] = self.margins;
        let agent = &self.ground.walker.agent;
        let is_close = |over: f64, most: f64| over <= most + 1e-6;
        let rule = match cause.rule {
            "blocked-by-step" if is_close(figure("rise_m")? - agent.climb, step) => "step-margin",
            "blocked-by-gap" if is_close(figure("width_m")?, gap) => "gap-margin",
            "blocked-by-width" if is_close(figure("short_m")?, narrow) => "passage-too-narrow",
            "blocked-by-prop" if figure("short_m").is_some() => "prop-in-passage",
            "floor-faces-down" => "floor-faces-down",
            _ => return None,
        };
        Some(Cause { rule, ..cause.clone() })
    }
}
