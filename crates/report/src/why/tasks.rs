//! What must be connected and is not, and the findings about it.

use navbake_bake::config::Seed;
use navbake_format::PolyId;

use super::beside::Reached;
use super::cause::{Cause, called, causes};
use super::ground::Ground;
use super::inside::inside;
use super::search::{Islands, Search};
use crate::rules::islands::{Piece, Ways, starts};
use crate::settings::is_for;
use crate::subject::point;
use crate::{Finding, Report, Settings, Severity, Subject};

/// The work that the searches of an agent do at most for pairs of `must_reach`: some, and more in
/// a level of many triangles, which takes long to bake.
const WORK: [u64; 2] = [20_000_000, 200];
/// The same for other ground.
const UNASKED_WORK: [u64; 2] = [1_500_000, 60];
/// The greatest price of a path to ground that is asked for.
const ASKED: f64 = 45.0;
/// The same for other ground: through a wall, not much more.
const UNASKED: f64 = 20.0;
/// Ground this far below the top of a solid is inside of it, m.
const THICK: f64 = 0.75;
/// Ground on top of a beam or a duct is at most this wide, m.
const NARROW: f64 = 1.0;
/// A step is at most this much higher than the climb, m; what is higher is the side of something.
const ABOVE: f64 = 0.4;
/// Causes of one rule and object nearer than this, m, are one.
const SAME: f64 = 1.5;

/// A cause with those whom it concerns.
struct Reported {
    cause: Cause,
    severity: Severity,
    /// Pairs of names of `must_reach`.
    pairs: Vec<[String; 2]>,
    /// Ground that is cut off by it, m2.
    area: f64,
}

/// The causes, if any were found.
type Answer = Option<Vec<Cause>>;

/// What a search found before.
struct Known {
    from: u32,
    goals: Vec<bool>,
    answer: Answer,
}

struct Tasks<'t, 'a> {
    ground: &'t mut Ground<'a>,
    agent: usize,
    polygons: Vec<Vec<u32>>,
    linked: Vec<Vec<u32>>,
    /// The work that is left for pairs, and for other ground.
    left: [u64; 2],
    known: Vec<Known>,
    reported: Vec<Reported>,
    /// May another search begin?
    goes_on: &'t dyn Fn() -> bool,
}

/// Replaces the findings of an agent about ground that is cut off by their causes.
pub(super) fn tasks(
    ground: &mut Ground<'_>,
    agent: usize,
    subject: &Subject<'_>,
    settings: &Settings,
    report: &mut Report,
    goes_on: &dyn Fn() -> bool,
) {
    let name = ground.walker.agent.name;
    gates(ground, report);
    let of = |f: &Finding| f.agent.as_deref() == Some(name);
    let pairs = report.findings.iter().any(|f| of(f) && f.rule == "unreachable");
    let pieces = report.findings.iter().any(|f| of(f) && f.rule == "island-cut-off");
    if !pairs && !pieces {
        return;
    }
    let ways = Ways::of(ground.walker);
    let (polygons, linked) = islands(ground, &ways);
    let size = ground.explainer.solids.all.len() as u64;
    let left = [WORK, UNASKED_WORK].map(|[some, each]| some + each * size);
    let (known, reported) = (vec![], vec![]);
    let mut tasks = Tasks { ground, agent, polygons, linked, left, known, reported, goes_on };
    if pairs {
        tasks.pairs(&ways, subject, settings, report);
    }
    if pieces {
        tasks.pieces(&ways, subject, settings, report);
    }
    let found = tasks.reported.iter().map(|reported| reported.finding(name)).collect();
    report.add(found, settings);
}

/// Adds the ground that a closed switch closes to the findings about it.
fn gates(ground: &Ground<'_>, report: &mut Report) {
    let level = ground.explainer.level;
    let own = report.findings.iter_mut().filter(|f| {
        f.rule == "blocked-by-switch" && f.agent.as_deref() == Some(ground.walker.agent.name)
    });
    for finding in own {
        let is_closed = |area: u8| {
            let switch = level.areas.get(usize::from(area)).and_then(|area| area.switch);
            let switch = switch.and_then(|number| level.switches.get(usize::from(number)));
            switch.is_some_and(|switch| finding.names.contains(&switch.name))
        };
        let solids = ground.explainer.solids.all.iter().zip(0u32..);
        let closed: Vec<u32> =
            solids.filter(|(solid, _)| is_closed(solid.area)).map(|(_, n)| n).collect();
        if let Some(&first) = closed.first() {
            // The middle of the gate, where that is not large.
            let extent = ground.pieces().extent(first);
            let [x, z] = extent.middle();
            // At the gate, whatever storey the path was left on.
            let y = finding.place.map_or(0.0, |place| ground.explainer.inward(place)[1]);
            let y = y.clamp(extent.base(), extent.top());
            if extent.wide() <= 6.0 * ground.metre {
                finding.place = Some(ground.explainer.outward([x, y, z]));
            }
        }
        for n in closed {
            let object = ground.explainer.object(n);
            if !object.name().is_empty() && !finding.objects.contains(&object) {
                finding.objects.push(object);
            }
        }
    }
}

/// The polygons of each island, and the islands that links join with it.
fn islands(ground: &Ground<'_>, ways: &Ways) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
    let count = ground.island_count as usize;
    let (mut polygons, mut linked) = (vec![vec![]; count], vec![vec![]; count]);
    for (p, island) in (0u32..).zip(&ground.islands) {
        let Some(a) = island else { continue };
        polygons[*a as usize].push(p);
        for b in ways.on[p as usize].iter().filter_map(|&q| ground.islands[q as usize]) {
            if *a != b {
                linked[*a as usize].push(b);
                linked[b as usize].push(*a);
            }
        }
    }
    for own in &mut linked {
        own.sort_unstable();
        own.dedup();
    }
    (polygons, linked)
}

impl Reported {
    fn finding(&self, agent: &str) -> Finding {
        let cause = &self.cause;
        let mut message = format!("{}{}", cause.message, called(&cause.objects));
        match self.pairs.split_first() {
            Some(([from, to], more)) => {
                message += &format!(": no path from `{from}` to `{to}`");
                if !more.is_empty() {
                    message += &format!(" and {} more", more.len());
                }
            }
            None => message += &format!(": {:.2} m2 of ground cannot be reached", self.area),
        }
        let mut finding = Finding::new(cause.rule, message)
            .at(cause.place)
            .of_agent(agent)
            .with_objects(cause.objects.clone())
            .shaped(cause.shape.clone());
        for name in self.pairs.iter().flatten() {
            if !finding.names.contains(name) {
                finding.names.push(name.clone());
            }
        }
        finding.figures = cause.figures.clone();
        finding.severity = self.severity;
        match self.area > 0.0 {
            true => finding.figure("area_m2", self.area),
            false => finding,
        }
    }
}

impl Tasks<'_, '_> {
    /// The causes that cut off the island of a polygon from what was reached.
    ///
    /// `near` is the place there that is asked for, `most` the greatest price.
    fn search(&mut self, reached: &[bool], lost: PolyId, near: [f64; 3], most: f64) -> Answer {
        let islands = &self.ground.islands;
        let mut goals = vec![false; self.polygons.len()];
        for (island, _) in islands.iter().zip(reached).filter(|(_, is_reached)| **is_reached) {
            if let Some(island) = island {
                goals[*island as usize] = true;
            }
        }
        let from = islands.get(lost.index()).copied().flatten()?;
        if let Some(known) = self.known.iter().find(|k| k.from == from && k.goals == goals) {
            return known.answer.clone();
        }
        if !(self.goes_on)() {
            return None;
        }
        let answer = self.search_new(&goals, from, near, most);
        self.known.push(Known { from, goals, answer: answer.clone() });
        answer
    }

    fn search_new(&mut self, goals: &[bool], from: u32, near: [f64; 3], most: f64) -> Answer {
        let islands = Islands { goals, polygons: &self.polygons, linked: &self.linked };
        let [x, _, z] = self.ground.explainer.inward(near);
        let left = &mut self.left[usize::from(most < ASKED)];
        let found = Search::run(self.ground, from, [x, z], &islands, most, left)?;
        let stretches = found.stretches.iter();
        let mut all: Vec<Cause> =
            stretches.flat_map(|s| causes(self.ground, self.agent, s)).collect();
        for cause in &mut all {
            if cause.rule == "blocked-by-wall" {
                // All of the room is closed: look at the room.
                cause.place = near;
            }
        }
        (!all.is_empty()).then_some(all)
    }

    /// Adds a cause, or what it concerns to one that is known.
    fn report(&mut self, cause: Cause, severity: Severity, pair: Option<&[String; 2]>, area: f64) {
        let far =
            |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
        let same = |reported: &&mut Reported| {
            reported.cause.rule == cause.rule
                && reported.cause.objects.first() == cause.objects.first()
                && far(reported.cause.place, cause.place) <= SAME
        };
        if let Some(reported) = self.reported.iter_mut().find(same) {
            reported.severity = reported.severity.max(severity);
            reported.pairs.extend(pair.cloned());
            reported.area += area;
            return;
        }
        let pairs = pair.cloned().into_iter().collect();
        self.reported.push(Reported { cause, severity, pairs, area });
    }

    /// Pairs of `must_reach` without a path.
    fn pairs(
        &mut self,
        ways: &Ways,
        subject: &Subject<'_>,
        settings: &Settings,
        report: &mut Report,
    ) {
        let agent = self.ground.walker.agent.name;
        for way in settings.check.must_reach.iter().filter(|way| is_for(way, agent)) {
            let names = way.ends().map(|seed| match seed {
                Seed::Marker(name) => name.clone(),
                Seed::Point(p) => point(*p),
            });
            let is_own = |f: &Finding| {
                f.rule == "unreachable" && f.agent.as_deref() == Some(agent) && f.names == names
            };
            let Some(known) = report.findings.iter().position(is_own) else { continue };
            let walker = self.ground.walker;
            let stands = |seed: &Seed| Some(walker.stands(subject.place(seed)?)?.polygon());
            let [Some(from), Some(to)] = way.ends().map(stands) else { continue };
            let reached = ways.flood(&[from], &ways.on);
            let Some(place) = subject.place(way.ends()[1]) else { continue };
            let Some(causes) = self.search(&reached, to, place, ASKED) else { continue };
            if causes.iter().all(|cause| !settings.is_on(cause.rule)) {
                continue;
            }
            let severity = report.findings.remove(known).severity;
            for cause in causes {
                self.report(cause, severity, Some(&names), 0.0);
            }
        }
    }

    /// Ground that cannot be reached from the starts.
    fn pieces(
        &mut self,
        ways: &Ways,
        subject: &Subject<'_>,
        settings: &Settings,
        report: &mut Report,
    ) {
        let walker = self.ground.walker;
        let agent = walker.agent.name;
        let reached = ways.flood(&starts(subject, walker, settings), &ways.on);
        let lost: Vec<bool> = (0u32..)
            .zip(&reached)
            .map(|(p, is_reached)| walker.walks_on(PolyId(p)) && !is_reached)
            .collect();
        let mut pieces: Vec<(f64, Piece)> =
            ways.pieces(walker, &lost).into_iter().map(|p| (p.square_metres(walker), p)).collect();
        pieces.sort_by(|a, b| b.0.total_cmp(&a.0));
        let beside = Reached::of(walker, &reached);
        // Behind ground whose cause is known, only what is between the two is asked for.
        let mut explained = reached;
        let mut quiets = vec![];
        for (area, piece) in pieces {
            let place = piece.place(walker);
            let is_own = |f: &Finding| {
                f.rule == "island-cut-off"
                    && f.agent.as_deref() == Some(agent)
                    && f.place == Some(place)
            };
            let Some(known) = report.findings.iter().position(is_own) else { continue };
            let own = self.markers(&piece, subject);
            // A marker inside a solid has a finding of its own.
            let quiet = self.quiet(place, area).filter(|quiet| match quiet.rule {
                "ground-in-solid" => true,
                _ => own.is_empty() && !self.goes_on(&piece, &beside),
            });
            if let Some(quiet) = quiet {
                report.findings.remove(known);
                quiets.push(quiet.of_agent(agent));
                continue;
            }
            let is_meant = self.is_kept_out(&own, settings);
            let near = own.first().map_or(place, |(_, at)| *at);
            let lost = PolyId(piece.polygons[0]);
            let most = if own.is_empty() { UNASKED } else { ASKED };
            let Some(causes) = self.search(&explained, lost, near, most) else {
                if own.is_empty()
                    && let Some(quiet) = self.above(&piece, &beside, place, area)
                {
                    report.findings.remove(known);
                    quiets.push(quiet.of_agent(agent));
                }
                continue;
            };
            if causes.iter().all(|cause| !settings.is_on(cause.rule)) {
                continue;
            }
            if let Some(cause) = causes.iter().find(|cause| self.is_far_up(cause))
                && own.is_empty()
            {
                // The top of a table, a duct or a wall.
                report.findings.remove(known);
                let message = format!("{}{}", cause.message, called(&cause.objects));
                let quiet = on_top(place, area, &message).of_agent(agent);
                quiets.push(quiet.with_objects(cause.objects.clone()));
                continue;
            }
            let severity = report.findings.remove(known).severity;
            let severity = if is_meant { Severity::Note } else { severity };
            for polygon in &piece.polygons {
                explained[*polygon as usize] = true;
            }
            for cause in causes {
                self.report(cause, severity, None, area);
            }
        }
        report.add(quiets, settings);
    }

    /// A difference in height that is not meant as a step?
    fn is_far_up(&self, cause: &Cause) -> bool {
        let rise = cause.figures.iter().find(|f| f.name == "rise_m");
        let climb = self.ground.walker.agent.climb;
        cause.rule == "blocked-by-step" && rise.is_some_and(|rise| rise.value > climb + ABOVE)
    }

    /// The markers on a piece of ground.
    fn markers(&self, piece: &Piece, subject: &Subject<'_>) -> Vec<(String, [f64; 3])> {
        let walker = self.ground.walker;
        let is_on = |at: [f64; 3]| {
            let found = walker.stands(at);
            found.is_some_and(|f| piece.polygons.binary_search(&f.polygon().0).is_ok())
        };
        let markers = subject.blob.markers().filter(|m| is_on(m.position));
        markers.map(|m| (m.name.to_owned(), m.position)).collect()
    }

    /// Does `must_not_reach` ask for it that none of the markers is reached?
    fn is_kept_out(&self, own: &[(String, [f64; 3])], settings: &Settings) -> bool {
        let is_goal = |name: &String| {
            settings.check.must_not_reach.iter().any(|way| {
                let [_, to] = way.ends();
                matches!(to, Seed::Marker(goal) if goal == name)
            })
        };
        !own.is_empty() && own.iter().all(|(name, _)| is_goal(name))
    }

    /// Ground inside of solids and on top of them, where a path is not expected.
    fn quiet(&self, place: [f64; 3], area: f64) -> Option<Finding> {
        let [x, y, z] = self.ground.explainer.inward(place);
        let metre = self.ground.metre;
        let body = &self.ground.body;
        // Near the floor too: the solid may be lower than the agent.
        let within = [0.5 * body.height, 0.1 * metre];
        let within = within.into_iter().find_map(|up| inside(self.ground, [x, y + up, z]));
        let (rule, what, solid) = match within {
            Some(solid) => ("ground-in-solid", "inside", solid),
            None => {
                let thick = inside(self.ground, [x, y - THICK * metre, z]);
                let solid = thick.or_else(|| {
                    let solid = inside(self.ground, [x, y - 0.1 * metre, z])?;
                    let narrow = NARROW * self.ground.pieces().extent(solid).long() * metre;
                    (self.ground.pieces().top_area(solid, y) <= narrow).then_some(solid)
                })?;
                ("ground-on-top", "on top of", solid)
            }
        };
        let object = self.ground.explainer.object(solid);
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
    fn above(
        &self,
        piece: &Piece,
        beside: &Reached,
        place: [f64; 3],
        area: f64,
    ) -> Option<Finding> {
        let least = self.ground.walker.agent.climb + ABOVE;
        let rises = beside.rises(self.ground.walker, piece).filter(|rise| *rise > -least);
        let rise = rises.min_by(f64::total_cmp).filter(|rise| *rise > least)?;
        let message = format!("{rise:.2} m above the ground beside it");
        Some(on_top(place, area, &message).figure("rise_m", rise))
    }

    /// Is ground beside a piece, and as high as it, reached?
    fn goes_on(&self, piece: &Piece, beside: &Reached) -> bool {
        let climb = self.ground.walker.agent.climb;
        beside.rises(self.ground.walker, piece).any(|rise| rise.abs() <= climb)
    }
}

fn on_top(place: [f64; 3], area: f64, why: &str) -> Finding {
    let message = format!("{area:.2} m2 of ground cannot be reached: {why}");
    Finding::new("ground-on-top", message).at(place).figure("area_m2", area)
}
