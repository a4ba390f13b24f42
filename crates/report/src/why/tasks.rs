//! What must be connected and is not, and the findings about it.

use navbake_bake::config::Seed;
use navbake_format::PolyId;

use super::cause::{Cause, causes};
use super::cut_off::cut_off;
use super::ground::Ground;
use super::search::{Islands, Search};
use crate::rules::islands::Ways;
use crate::settings::is_for;
use crate::subject::point;
use crate::{Finding, Report, Settings, Severity, Subject};

/// The work that the searches of an agent do at most for pairs of `must_reach`: some, and more in
/// a level of many triangles, which takes long to bake.
const WORK: [u64; 2] = [20_000_000, 200];
/// The same for other ground.
const UNASKED_WORK: [u64; 2] = [2_000_000, 80];
/// More of it for what is not explained after that. Half of it suffices for the largest ground that
/// was explained on the open levels.
pub(super) const MORE_WORK: u64 = 12_000_000;
/// The greatest price of a path to ground that is asked for.
pub(super) const ASKED: f64 = 45.0;
/// The same for other ground: through a wall, not much more.
pub(super) const UNASKED: f64 = 20.0;
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

pub(super) struct Tasks<'t, 'a> {
    pub(super) ground: &'t mut Ground<'a>,
    agent: usize,
    polygons: Vec<Vec<u32>>,
    linked: Vec<Vec<u32>>,
    /// The work that is left for pairs, and for other ground.
    pub(super) left: [u64; 2],
    /// What one search for other ground may do of it.
    pub(super) most: u64,
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
    let most = u64::MAX;
    let mut tasks = Tasks { ground, agent, polygons, linked, left, most, known, reported, goes_on };
    if pairs {
        tasks.pairs(&ways, subject, settings, report);
    }
    if pieces {
        cut_off(&mut tasks, &ways, subject, settings, report);
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

/// The polygons of each island, and the islands from which links lead to it.
fn islands(ground: &Ground<'_>, ways: &Ways) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
    let count = ground.island_count as usize;
    let (mut polygons, mut linked) = (vec![vec![]; count], vec![vec![]; count]);
    for (p, island) in (0u32..).zip(&ground.islands) {
        let Some(a) = island else { continue };
        polygons[*a as usize].push(p);
        for b in ways.on[p as usize].iter().filter_map(|&q| ground.islands[q as usize]) {
            if *a != b {
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
        let mut message = cause.said();
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
    pub(super) fn search(
        &mut self,
        reached: &[bool],
        lost: PolyId,
        near: [f64; 3],
        most: f64,
    ) -> Answer {
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
        let (answer, is_whole) = self.search_new(&goals, from, near, most);
        if answer.is_some() || is_whole {
            self.known.push(Known { from, goals, answer: answer.clone() });
        }
        answer
    }

    /// The same for an island that was not searched yet, and whether the work sufficed.
    fn search_new(
        &mut self,
        goals: &[bool],
        from: u32,
        near: [f64; 3],
        most: f64,
    ) -> (Answer, bool) {
        let islands = Islands { goals, polygons: &self.polygons, linked: &self.linked };
        let [x, _, z] = self.ground.explainer.inward(near);
        let left = &mut self.left[usize::from(most < ASKED)];
        let given = if most < ASKED { self.most.min(*left) } else { *left };
        let mut own = given;
        let found = Search::run(self.ground, from, [x, z], &islands, most, &mut own);
        *left -= given - own;
        let Some(found) = found else { return (None, own > 0) };
        let stretches = found.stretches.iter();
        let mut all: Vec<Cause> =
            stretches.flat_map(|s| causes(self.ground, self.agent, s)).collect();
        for cause in &mut all {
            if cause.rule == "blocked-by-wall" {
                // All of the room is closed: look at the room.
                cause.place = near;
            }
        }
        ((!all.is_empty()).then_some(all), true)
    }

    /// Adds a cause, or what it concerns to one that is known.
    pub(super) fn report(
        &mut self,
        cause: Cause,
        severity: Severity,
        pair: Option<&[String; 2]>,
        area: f64,
    ) {
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
}
