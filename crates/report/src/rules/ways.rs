//! Paths that must exist, must not exist, or must not be long.
//!
//! Also markers that must be on ground.

use std::collections::BTreeSet;

use navbake_bake::config::{Seed, Way};
use navbake_bake::rules::glob;
use navbake_search::{Algorithm, NavPoint, PathRequest, Scratch, Status};

use super::found::{Found, Walked};
use crate::settings::is_for;
use crate::subject::point;
use crate::{Finding, Rule, Settings, Severity, Subject, Walker};

/// The rules of this file.
pub(super) const RULES: &[Rule] = &[
    Rule {
        code: "marker-missing",
        severity: Severity::Error,
        finds: "The config names a marker or a room that the level does not have.",
        cure: "Correct the name in the config, or restore the marker.",
        options: &["must_reach", "must_not_reach", "starts", "on_ground"],
        run: None,
    },
    Rule {
        code: "marker-off-mesh",
        severity: Severity::Error,
        finds: "A marker of the config is not on ground that the agent can stand on.",
        cure: "Move the marker, or make the ground walkable; `navbake explain` says why it is not.",
        options: &["on_ground", "must_reach", "must_not_reach"],
        run: None,
    },
    Rule {
        code: "must-not-reach",
        severity: Severity::Error,
        finds: "Two places of `must_not_reach` are connected.",
        cure: "Block the path shown, or remove the pair from `must_not_reach`.",
        options: &["must_not_reach"],
        run: None,
    },
    Rule {
        code: "path-longer",
        severity: Severity::Warning,
        finds: "A path of `must_reach` is longer than in the baseline by more than `length_tolerance`.",
        cure: "Remove the new obstacle, or renew the baseline if the detour is intended.",
        options: &["length_tolerance"],
        run: None,
    },
    Rule {
        code: "path-too-long",
        severity: Severity::Error,
        finds: "A path of `must_reach` is longer than its `most`.",
        cure: "Open a shorter path, or raise `most`.",
        options: &["must_reach"],
        run: None,
    },
    Rule {
        code: "unreachable",
        severity: Severity::Error,
        finds: "There is no path between two places of `must_reach`.",
        cure: "Connect the ground where the path ends; `navbake explain` says why it is not walkable there.",
        options: &["must_reach"],
        run: Some(ways),
    },
];

pub(super) fn ways(subject: &Subject<'_>, settings: &Settings, found: &mut Found) {
    let check = &settings.check;
    let mut named = BTreeSet::new();
    for seed in (check.must_reach.iter().chain(&check.must_not_reach))
        .flat_map(Way::ends)
        .chain(&check.starts)
    {
        if let Seed::Marker(name) = seed
            && subject.place(seed).is_none()
            && named.insert(name)
        {
            found.add(subject.missing(name));
        }
    }
    for pattern in &check.on_ground {
        let is_plain = !pattern.contains(['*', '?']);
        let mut markers = subject.blob.markers();
        if is_plain && !markers.any(|m| m.name == pattern) && named.insert(pattern) {
            found.add(subject.missing(pattern));
        } else if !is_plain && !markers.any(|m| glob(pattern, m.name, false)) {
            // One config may serve many levels.
            let message = format!("no marker of the level matches `{pattern}` of `on_ground`");
            let finding = Finding::new("marker-missing", message).named(pattern);
            found.add(Finding { severity: Severity::Note, ..finding });
        }
    }
    for walker in &subject.walkers {
        let mut lost = BTreeSet::new();
        for marker in subject.blob.markers() {
            let asked = |pattern: &String| glob(pattern, marker.name, false);
            if check.on_ground.iter().any(asked) && walker.stands(marker.position).is_none() {
                lost.insert(marker.name.to_owned());
                found.add(walker.off_mesh(&subject.blob, marker.name, marker.position));
            }
        }
        let mut asked = Asked { subject, walker, lost, scratch: Scratch::new() };
        for way in &check.must_reach {
            asked.must_reach(way, found);
        }
        for way in &check.must_not_reach {
            asked.must_not_reach(way, found);
        }
    }
}

/// The checks of one agent.
struct Asked<'s, 'a> {
    subject: &'s Subject<'a>,
    walker: &'s Walker<'a>,
    /// Places already reported as off the mesh.
    lost: BTreeSet<String>,
    scratch: Scratch,
}

/// An end of a path.
struct End {
    name: String,
    place: [f64; 3],
    at: NavPoint,
}

impl Asked<'_, '_> {
    /// The ends of a path; `None` if one is missing, which is reported once.
    fn ends(&mut self, way: &Way, found: &mut Found) -> Option<[End; 2]> {
        if !is_for(way, self.walker.agent.name) {
            return None;
        }
        let [from, to] = way.ends().map(|seed| self.end(seed, found));
        Some([from?, to?])
    }

    fn end(&mut self, seed: &Seed, found: &mut Found) -> Option<End> {
        let place = self.subject.place(seed)?;
        let name = match seed {
            Seed::Marker(name) => name.clone(),
            Seed::Point(p) => point(*p),
        };
        match self.walker.stands(place) {
            Some(at) => Some(End { name, place, at }),
            None => {
                if self.lost.insert(name.clone()) {
                    found.add(self.walker.off_mesh(&self.subject.blob, &name, place));
                }
                None
            }
        }
    }

    /// The shortest path.
    ///
    /// The status says whether it is complete or ends as near as possible.
    fn path(&mut self, [from, to]: [&End; 2]) -> (Status, f64, Vec<[f64; 3]>) {
        // Where all ground costs 1, that is the shortest path. It serves all costs, and nothing is
        // blocked, so no request is refused.
        let algorithm = Algorithm::weighted(Algorithm::GAP);
        let request = PathRequest::new(from.place, to.place).algorithm(algorithm).partial(true);
        let query = self.walker.query();
        match query.find_path_between(&from.at, &to.at, &request, &mut self.scratch) {
            Ok(path) => (path.status, path.length_xz, path.points.to_vec()),
            Err(_) => (Status::Unreachable, 0.0, vec![]),
        }
    }

    fn finding(&self, rule: &'static str, [from, to]: [&End; 2], message: String) -> Finding {
        Finding::new(rule, message)
            .at(to.place)
            .of_agent(self.walker.agent.name)
            .named(&from.name)
            .named(&to.name)
    }

    fn must_reach(&mut self, way: &Way, found: &mut Found) {
        let Some([from, to]) = self.ends(way, found) else {
            return;
        };
        let ends = [&from, &to];
        let (status, length, points) = self.path(ends);
        if status != Status::Reached {
            let last = points.last().copied().unwrap_or(from.place);
            let away = (0..3).map(|k| (last[k] - to.place[k]).powi(2)).sum::<f64>().sqrt();
            let message = format!(
                "no path from `{}` to `{}`: the nearest reachable point is {}, {away:.2} m from it",
                from.name,
                to.name,
                point(last)
            );
            let finding = self.finding("unreachable", ends, message);
            found.add(finding.figure("gap_m", away).shaped(vec![last, to.place]));
            return;
        }
        found.ways.push(Walked {
            from: from.name.clone(),
            to: to.name.clone(),
            agent: self.walker.agent.name.to_owned(),
            length_m: length,
            place: to.place,
            points: points.clone(),
        });
        if let Some(most) = way.most()
            && length > most
        {
            let message = format!(
                "the path from `{}` to `{}` is {length:.2} m long; `most` is {most} m",
                from.name, to.name
            );
            let finding = self.finding("path-too-long", ends, message);
            let finding = finding.figure("length_m", length).figure("most_m", most);
            found.add(finding.shaped(points));
        }
    }

    fn must_not_reach(&mut self, way: &Way, found: &mut Found) {
        let Some([from, to]) = self.ends(way, found) else {
            return;
        };
        let ends = [&from, &to];
        if self.walker.query().connected(&from.at, &to.at) == Some(false) {
            return;
        }
        let (status, length, points) = self.path(ends);
        if status == Status::Reached {
            let message = format!(
                "there is a path from `{}` to `{}`, {length:.2} m long",
                from.name, to.name
            );
            let finding = self.finding("must-not-reach", ends, message);
            found.add(finding.figure("length_m", length).shaped(points));
        }
    }
}
