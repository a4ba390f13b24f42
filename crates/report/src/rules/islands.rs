//! Islands that are small, unreachable, or traps.

use navbake_bake::config::Seed;
use navbake_format::PolyId;

use super::found::Found;
use super::nearest::nearest;
use crate::subject::{FAR, area_doubled, centre, on_ground, point};
use crate::{Finding, Rule, Settings, Severity, Subject, Walker};

/// The rules of this file.
pub(super) const RULES: &[Rule] = &[
    Rule {
        code: "island-cut-off",
        severity: Severity::Warning,
        finds: "Ground cannot be reached from `starts`, else from the starts of `must_reach`, else from the largest island.",
        cure: "Connect it (a wider door, a lower step, a link), or leave it out with `seeds`.",
        options: &["starts", "must_reach"],
        run: Some(islands),
    },
    Rule {
        code: "island-small",
        severity: Severity::Warning,
        finds: "An island is smaller than `min_island`.",
        cure: "Connect it, raise `min_region`, or give what it is on the role `obstacle`.",
        options: &["min_island"],
        run: None,
    },
    Rule {
        code: "one-way-trap",
        severity: Severity::Warning,
        finds: "Ground can be reached and not left again.",
        cure: "Add a way back (a link, a ramp), or keep agents out.",
        options: &["starts", "must_reach"],
        run: None,
    },
];

pub(super) fn islands(subject: &Subject<'_>, settings: &Settings, found: &mut Found) {
    if let Some(least) = settings.check.min_island {
        for walker in subject.of_meshes() {
            small(walker, least, found);
        }
    }
    let is_on = |rule| settings.is_on(rule);
    if !is_on("island-cut-off") && !is_on("one-way-trap") {
        return;
    }
    for walker in &subject.walkers {
        let (starts, name) = starts(subject, walker, settings);
        if !starts.is_empty() {
            cut_off(walker, &starts, name, found);
        }
    }
}

/// Finds islands with less ground than `least`.
fn small(walker: &Walker<'_>, least: f64, found: &mut Found) {
    let mesh = &walker.mesh;
    let mut ground = vec![Ground::default(); mesh.island_count() as usize];
    for polygon in mesh.polygons() {
        let own = &mut ground[mesh.island(polygon.id()).index()];
        own.add(polygon.id(), area_doubled(&polygon));
    }
    for island in ground {
        let area = island.square_metres(walker);
        if area < least {
            let message =
                format!("an island has {area:.2} m2 of ground; `min_island` is {least} m2");
            let finding = Finding::new("island-small", message)
                .at(island.place(walker))
                .of_agent(walker.agent.name);
            found.add(finding.figure("area_m2", area));
        }
    }
}

/// The polygons to start from, and what to call them.
///
/// These are `starts`, else the starts of `must_reach`, else the largest island.
pub(crate) fn starts(
    subject: &Subject<'_>,
    walker: &Walker<'_>,
    settings: &Settings,
) -> (Vec<PolyId>, &'static str) {
    let check = &settings.check;
    let seeds: Vec<&Seed> = match check.starts.is_empty() {
        false => check.starts.iter().collect(),
        true => check.must_reach.iter().map(|way| way.ends()[0]).collect(),
    };
    let stands = |seed: &&Seed| Some(walker.stands(subject.place(seed)?)?.polygon());
    let mut starts: Vec<PolyId> = seeds.iter().filter_map(stands).collect();
    if starts.is_empty() {
        return (largest(walker).into_iter().collect(), "the largest island");
    }
    starts.sort_unstable();
    starts.dedup();
    (starts, "the starts")
}

/// A polygon of the largest island that the agent walks on.
fn largest(walker: &Walker<'_>) -> Option<PolyId> {
    let mesh = &walker.mesh;
    let mut ground = vec![Ground::default(); mesh.island_count() as usize];
    for polygon in mesh.polygons().filter(|p| walker.walks_on(p.id())) {
        let own = &mut ground[mesh.island(polygon.id()).index()];
        own.add(polygon.id(), area_doubled(&polygon));
    }
    let best = ground.iter().max_by_key(|g| (g.doubled, std::cmp::Reverse(g.largest)))?;
    best.largest.map(|(_, polygon)| PolyId(polygon))
}

/// Some ground, and its largest polygon.
#[derive(Clone, Debug, Default)]
struct Ground {
    /// Twice its area, grid units squared.
    doubled: i128,
    /// Twice its area, and its number.
    largest: Option<(i64, u32)>,
}

impl Ground {
    fn add(&mut self, polygon: PolyId, doubled: i64) {
        self.doubled += i128::from(doubled);
        if self.largest.is_none_or(|(most, _)| doubled > most) {
            self.largest = Some((doubled, polygon.0));
        }
    }

    fn square_metres(&self, walker: &Walker<'_>) -> f64 {
        let units = walker.mesh.grid().units();
        self.doubled as f64 / 2.0 / (units * units)
    }

    /// The centre of its largest polygon.
    fn place(&self, walker: &Walker<'_>) -> [f64; 3] {
        let mesh = &walker.mesh;
        let id = PolyId(self.largest.map_or(0, |(_, p)| p));
        centre(mesh, &mesh.polygon(id))
    }
}

/// Ground that cannot be reached, and ground that cannot be left.
fn cut_off(walker: &Walker<'_>, starts: &[PolyId], name: &str, found: &mut Found) {
    let ways = Ways::of(walker);
    let reached = ways.flood(starts, &ways.on);
    let leads_back = ways.flood(starts, &ways.back);
    let count = walker.mesh.polygon_count() as usize;
    let is_ground = |p: usize| walker.walks_on(PolyId(p as u32));
    let lost: Vec<bool> = (0..count).map(|p| is_ground(p) && !reached[p]).collect();
    for piece in ways.pieces(walker, &lost) {
        let area = piece.square_metres(walker);
        let message = format!("{area:.2} m2 of ground cannot be reached from {name}");
        let finding = Finding::new("island-cut-off", message)
            .at(piece.place(walker))
            .of_agent(walker.agent.name)
            .figure("area_m2", area);
        found.add(with_nearest(finding, nearest(&walker.mesh, &piece.polygons, &reached)));
    }
    let trapped: Vec<bool> =
        (0..count).map(|p| is_ground(p) && reached[p] && !leads_back[p]).collect();
    for piece in ways.pieces(walker, &trapped) {
        let area = piece.square_metres(walker);
        let message = format!("{area:.2} m2 of ground can be reached and not left again");
        let place = piece.entry(walker, &trapped);
        let finding = Finding::new("one-way-trap", message)
            .at(place.unwrap_or_else(|| piece.place(walker)))
            .of_agent(walker.agent.name);
        found.add(finding.figure("area_m2", area));
    }
}

/// Adds to a finding where its ground and ground that is reached are nearest.
fn with_nearest(mut finding: Finding, nearest: Option<[[f64; 3]; 2]>) -> Finding {
    let Some([own, other]) = nearest else {
        finding.message += &format!("; no reached ground within {FAR} m");
        return finding;
    };
    let [dx, up, dz] = [0, 1, 2].map(|k| other[k] - own[k]);
    let away = dx.hypot(dz);
    let sign = if up > 0.0 { "above" } else { "below" };
    let (own_point, other_point, height) = (point(own), point(other), up.abs());
    // To centimetres, as they are written.
    let apart = match (away < 0.005, height < 0.005) {
        (true, true) => "where both touch".to_owned(),
        (true, false) => format!("{height:.2} m {sign} {own_point}"),
        (false, true) => format!("{away:.2} m away from {own_point}"),
        (false, false) => format!("{away:.2} m away from and {height:.2} m {sign} {own_point}"),
    };
    finding.message += &format!("; reached ground is nearest at {other_point}, {apart}");
    finding.shaped(vec![own, other]).figure("away_m", away).figure("rise_m", up)
}

/// Connections of polygons for an agent, by portals and links.
///
/// All switches are open.
pub(crate) struct Ways {
    pub(crate) on: Vec<Vec<u32>>,
    back: Vec<Vec<u32>>,
}

/// A connected piece of ground.
pub(crate) struct Piece {
    ground: Ground,
    /// Its polygons, ascending.
    pub(crate) polygons: Vec<u32>,
}

impl Piece {
    pub(crate) fn square_metres(&self, walker: &Walker<'_>) -> f64 {
        self.ground.square_metres(walker)
    }

    pub(crate) fn place(&self, walker: &Walker<'_>) -> [f64; 3] {
        self.ground.place(walker)
    }

    /// The first link by place that leads into it.
    fn entry(&self, walker: &Walker<'_>, within: &[bool]) -> Option<[f64; 3]> {
        let mesh = &walker.mesh;
        let links = (0..mesh.link_count()).filter_map(|n| mesh.link(n));
        let inwards = links.filter(|l| {
            let ends_here = self.polygons.binary_search(&l.beyond.0).is_ok();
            ends_here && !within[l.polygon.index()] && walker.takes(l.agents)
        });
        let end = inwards.min_by_key(|l| l.to)?;
        Some(on_ground(mesh, end.beyond, end.to.map(f64::from)))
    }
}

impl Ways {
    pub(crate) fn of(walker: &Walker<'_>) -> Ways {
        let mesh = &walker.mesh;
        let count = mesh.polygon_count() as usize;
        let mut ways = Ways { on: vec![vec![]; count], back: vec![vec![]; count] };
        // An agent can leave a blocked area but not enter it.
        let mut add = |from: PolyId, to: PolyId| {
            if walker.walks_on(to) {
                ways.on[from.index()].push(to.0);
                ways.back[to.index()].push(from.0);
            }
        };
        for polygon in mesh.polygons() {
            for k in 0..polygon.len() {
                if let Some(beyond) = polygon.neighbour(k) {
                    add(polygon.id(), beyond);
                }
            }
        }
        for link in (0..mesh.link_count()).filter_map(|n| mesh.link(n)) {
            if walker.takes(link.agents) {
                add(link.polygon, link.beyond);
            }
        }
        ways
    }

    pub(crate) fn flood(&self, starts: &[PolyId], ways: &[Vec<u32>]) -> Vec<bool> {
        let mut seen = vec![false; ways.len()];
        let mut open: Vec<u32> = starts.iter().map(|p| p.0).collect();
        while let Some(p) = open.pop() {
            if !std::mem::replace(&mut seen[p as usize], true) {
                open.extend(ways[p as usize].iter().filter(|&&q| !seen[q as usize]));
            }
        }
        seen
    }

    /// The connected components of some polygons, ordered by their smallest polygon.
    pub(crate) fn pieces(&self, walker: &Walker<'_>, within: &[bool]) -> Vec<Piece> {
        let mesh = &walker.mesh;
        let mut seen = vec![false; within.len()];
        let mut pieces = vec![];
        for first in 0..within.len() {
            if !within[first] || seen[first] {
                continue;
            }
            let (mut polygons, mut open) = (vec![], vec![first as u32]);
            seen[first] = true;
            while let Some(p) = open.pop() {
                polygons.push(p);
                let both = self.on[p as usize].iter().chain(&self.back[p as usize]);
                for &q in both {
                    if within[q as usize] && !std::mem::replace(&mut seen[q as usize], true) {
                        open.push(q);
                    }
                }
            }
            polygons.sort_unstable();
            let mut ground = Ground::default();
            for &p in &polygons {
                ground.add(PolyId(p), area_doubled(&mesh.polygon(PolyId(p))));
            }
            pieces.push(Piece { ground, polygons });
        }
        pieces
    }
}
