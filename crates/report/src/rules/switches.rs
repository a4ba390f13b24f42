//! Paths that need a switch that is closed when the level begins.

use navbake_bake::config::Seed;
use navbake_search::{Algorithm, NavPoint, NavQuery, PathRequest, QueryFilter, Scratch, Status};

use super::found::Found;
use crate::settings::is_for;
use crate::subject::point;
use crate::{Finding, Rule, Settings, Severity, Subject, Walker};

/// The rules of this file.
pub(super) const RULES: &[Rule] = &[Rule {
    code: "blocked-by-switch",
    severity: Severity::Warning,
    finds: "A path of `must_reach` needs a switch that is closed when the level begins.",
    cure: "Open the switch at the start, or check that the agent can open it from its side.",
    options: &["must_reach"],
    run: Some(switches),
}];

/// Bisections to find the place where a path is blocked.
const HALVES: u32 = 12;

fn switches(subject: &Subject<'_>, settings: &Settings, found: &mut Found) {
    let closed: Vec<usize> = subject
        .blob
        .switches()
        .enumerate()
        .filter(|(_, switch)| switch.closed)
        .map(|(number, _)| number)
        .collect();
    if closed.is_empty() || !settings.is_on("blocked-by-switch") {
        return;
    }
    for walker in &subject.walkers {
        let mut reported: Vec<(Vec<usize>, Finding)> = vec![];
        for way in &settings.check.must_reach {
            if !is_for(way, walker.agent.name) {
                continue;
            }
            let places = way.ends().map(|seed| subject.place(seed));
            let [Some(from), Some(to)] = places else { continue };
            let [Some(a), Some(b)] = [from, to].map(|place| walker.stands(place)) else { continue };
            let mut asked = Asked { walker, scratch: Scratch::new() };
            let Some(points) = asked.path(&[], &a, &b) else { continue };
            if asked.path(&closed, &a, &b).is_some() {
                continue;
            }
            // Closed again, one after the other, as long as there is a path.
            let mut shut = vec![];
            for &switch in &closed {
                shut.push(switch);
                if asked.path(&shut, &a, &b).is_none() {
                    shut.pop();
                }
            }
            let needed: Vec<usize> =
                closed.iter().copied().filter(|switch| !shut.contains(switch)).collect();
            let names = way.ends().map(|seed| match seed {
                Seed::Marker(name) => name.clone(),
                Seed::Point(p) => point(*p),
            });
            let back: Vec<[f64; 3]> = points.iter().rev().copied().collect();
            let near = asked.blocked(&closed, &a, &points).unwrap_or(from);
            let far = asked.blocked(&closed, &b, &back).unwrap_or(to);
            let place = [0, 1, 2].map(|k| (near[k] + far[k]) / 2.0);
            if let Some((_, first)) = reported.iter_mut().find(|(known, _)| *known == needed) {
                for name in names {
                    if !first.names.contains(&name) {
                        first.names.push(name);
                    }
                }
                continue;
            }
            let called: Vec<&str> = (subject.blob.switches().enumerate())
                .filter(|(number, _)| needed.contains(number))
                .map(|(_, switch)| switch.name)
                .collect();
            let list = called.join("`, `");
            let [from, to] = names;
            let message = format!("closed switch `{list}`: no path from `{from}` to `{to}`");
            let finding = Finding::new("blocked-by-switch", message)
                .at(place)
                .of_agent(walker.agent.name)
                .named(from)
                .named(to);
            let finding = called.iter().fold(finding, |finding, name| finding.named(*name));
            reported.push((needed, finding));
        }
        for (_, finding) in reported {
            found.add(finding);
        }
    }
}

struct Asked<'s, 'a> {
    walker: &'s Walker<'a>,
    scratch: Scratch,
}

impl Asked<'_, '_> {
    /// The path with some switches closed.
    fn path(&mut self, closed: &[usize], a: &NavPoint, b: &NavPoint) -> Option<Vec<[f64; 3]>> {
        let filter = self.walker.filter_closing(closed)?;
        self.path_by(&filter, a, b)
    }

    fn path_by(
        &mut self,
        filter: &QueryFilter,
        a: &NavPoint,
        b: &NavPoint,
    ) -> Option<Vec<[f64; 3]>> {
        let algorithm = Algorithm::weighted(Algorithm::GAP);
        let request = PathRequest::new(a.position(), b.position()).algorithm(algorithm);
        let query = NavQuery::new(self.walker.mesh).with_filter(filter);
        let path = query.find_path_between(a, b, &request, &mut self.scratch).ok()?;
        (path.status == Status::Reached).then(|| path.points.to_vec())
    }

    /// Where a path is left when switches are closed.
    fn blocked(
        &mut self,
        closed: &[usize],
        from: &NavPoint,
        points: &[[f64; 3]],
    ) -> Option<[f64; 3]> {
        let filter = self.walker.filter_closing(closed)?;
        let legs: Vec<f64> = (points.windows(2))
            .map(|w| (0..3).map(|k| (w[1][k] - w[0][k]).powi(2)).sum::<f64>().sqrt())
            .collect();
        let whole: f64 = legs.iter().sum();
        let at = |mut far: f64| {
            for (leg, ends) in legs.iter().zip(points.windows(2)) {
                if far <= *leg {
                    let t = if *leg > 0.0 { far / leg } else { 0.0 };
                    return [0, 1, 2].map(|k| ends[0][k] + t * (ends[1][k] - ends[0][k]));
                }
                far -= leg;
            }
            points.last().copied().unwrap_or_default()
        };
        let query = NavQuery::new(self.walker.mesh);
        let (mut open, mut shut) = (0.0, whole);
        for _ in 0..HALVES {
            let far = (open + shut) / 2.0;
            let place = query.nearest(at(far), [0.05, 0.5, 0.05]);
            let is_open = place.is_some_and(|p| self.path_by(&filter, from, &p).is_some());
            if is_open { open = far } else { shut = far }
        }
        Some(at(shut))
    }
}
