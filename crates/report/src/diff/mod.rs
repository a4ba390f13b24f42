//! The changes between two bakes.
//!
//! These are changes of ground, islands, rooms, doors, links, and paths between markers. Changed
//! ground is the difference of the polygons of both meshes. Ground counts as the same if it is at
//! most a step above or below (`ground`). Everything else is compared by name or place (`things`,
//! `ways`).

mod convex;
mod ground;
mod rules;
#[cfg(test)]
mod tests;
mod things;
mod ways;

use std::collections::BTreeMap;

use navbake_draw::changes::{self, Kind, Shape};
use navbake_format::{Agent, CheckedBlob};
use serde::Serialize;

use crate::explain::{metres, show};
use crate::{Finding, Meshes, sort};
use ground::{Patch, Shared, Side, patches, without};

pub(crate) use ground::Piece;

pub use rules::RULES;

/// The limits above which a difference counts as a change.
#[derive(Clone, Copy, Debug)]
pub struct DiffSettings {
    /// Smallest patch of ground that is reported, m2.
    pub least_area: f64,
    /// Narrowest strip of ground that is reported, m.
    ///
    /// Borders shift by less when their surroundings change.
    pub least_width: f64,
    /// Least change of a path's length that is reported, as a share.
    pub least_detour: f64,
    /// Least change of a door's width that is reported, m.
    pub least_gap: f64,
}

impl Default for DiffSettings {
    fn default() -> Self {
        DiffSettings { least_area: 0.25, least_width: 0.1, least_detour: 0.02, least_gap: 0.05 }
    }
}

/// The changes for one agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AgentDiff {
    /// The agent's name.
    pub agent: String,
    /// Ground seen from above, before and after, m2.
    pub area_m2: [f64; 2],
    /// Ground that only the new bake has, m2, strips along borders included.
    pub gained_m2: f64,
    /// Ground that only the old bake has, m2, strips along borders included.
    pub lost_m2: f64,
    /// Islands before and after.
    pub islands: [u32; 2],
    /// Polygons before and after.
    pub polygons: [u32; 2],
    /// Rooms before and after.
    pub rooms: [u32; 2],
    /// Doors of rooms before and after.
    pub doors: [u32; 2],
    /// Links before and after.
    pub links: [u32; 2],
    #[serde(skip)]
    pub(crate) gained: Vec<Piece>,
    #[serde(skip)]
    pub(crate) lost: Vec<Piece>,
}

/// The changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Diff {
    /// Were both files baked from the same level and config?
    pub same_input: bool,
    /// The agents of both bakes, in the order of the new one.
    pub agents: Vec<AgentDiff>,
    /// The changes, sorted.
    pub findings: Vec<Finding>,
}

/// Compares two bakes. The result depends only on their bytes and the settings.
pub fn diff(old: &CheckedBlob<'_>, new: &CheckedBlob<'_>, settings: &DiffSettings) -> Diff {
    let [before, after] = [old, new].map(Meshes::of);
    diff_decoded([old, new], [&before, &after], settings)
}

/// The same of two bakes whose navmeshes are decoded already.
pub fn diff_decoded(
    [old, new]: [&CheckedBlob<'_>; 2],
    meshes: [&Meshes; 2],
    settings: &DiffSettings,
) -> Diff {
    let (before, after) = (old.header(), new.header());
    let mut out = Diff {
        same_input: before.level_hash == after.level_hash
            && before.config_hash == after.config_hash,
        ..Diff::default()
    };
    agents(old, new, &mut out.findings);
    things::markers(old, new, &mut out.findings);
    // Agents that share both meshes share the expensive part.
    let mut known: BTreeMap<(u16, u16), usize> = BTreeMap::new();
    for agent in new.agents() {
        let Some(was) = old.agent(agent.name) else {
            continue;
        };
        let (Some(a), Some(b)) = (meshes[0].get(was.class), meshes[1].get(agent.class)) else {
            continue;
        };
        let step = agent.climb.max(was.climb).max(0.1);
        let mut one = match known.get(&(was.class, agent.class)) {
            Some(&k) => AgentDiff { agent: agent.name.into(), ..AgentDiff::clone(&out.agents[k]) },
            None => {
                known.insert((was.class, agent.class), out.agents.len());
                let sides = [Side::new(a), Side::new(b)];
                let one = grounds(agent.name, &sides, step, settings, &mut out.findings);
                let one = things::rooms([&a, &b], &agent, settings, one, &mut out.findings);
                things::links([&a, &b], &agent, &mut out.findings);
                one
            }
        };
        one.links = [a.link_count(), b.link_count()];
        ways::ways([old, new], [a, b], [&was, &agent], settings, &mut out.findings);
        out.agents.push(one);
    }
    sort(&mut out.findings);
    out
}

/// Agents that were added, removed or changed.
fn agents(old: &CheckedBlob<'_>, new: &CheckedBlob<'_>, findings: &mut Vec<Finding>) {
    for agent in old.agents().filter(|a| new.agent(a.name).is_none()) {
        let message = format!("the agent `{}` is gone", agent.name);
        findings.push(Finding::new("agent-lost", message).of_agent(agent.name));
    }
    for agent in new.agents() {
        let Some(was) = old.agent(agent.name) else {
            let message = format!("the agent `{}` is new", agent.name);
            findings.push(Finding::new("agent-changed", message).of_agent(agent.name));
            continue;
        };
        let sizes = |a: &Agent<'_>| {
            [
                ("radius", a.radius, " m"),
                ("height", a.height, " m"),
                ("climb", a.climb, " m"),
                ("slope", a.slope, " degrees"),
            ]
        };
        let changed: Vec<String> = sizes(&was)
            .into_iter()
            .zip(sizes(&agent))
            .filter(|(a, b)| a.1 != b.1)
            .map(|(a, b)| format!("{} {} instead of {}{}", a.0, b.1, a.1, a.2))
            .collect();
        if !changed.is_empty() {
            let message = format!("the agent has {}", changed.join(", "));
            findings.push(Finding::new("agent-changed", message).of_agent(agent.name));
        }
    }
}

/// Ground and islands of an agent.
fn grounds(
    agent: &str,
    sides: &[Side<'_>; 2],
    step: f64,
    settings: &DiffSettings,
    findings: &mut Vec<Finding>,
) -> AgentDiff {
    let [before, after] = sides;
    let ((lost, shared), (gained, back)) =
        rayon::join(|| without(before, after, step), || without(after, before, step));
    for (code, word, pieces) in
        [("ground-lost", "lost", &lost), ("ground-gained", "gained", &gained)]
    {
        for patch in patches(pieces, settings.least_width, step) {
            if patch.area < settings.least_area {
                continue;
            }
            let Patch { area, place, shape, .. } = patch;
            let message = format!("{area:.1} m2 of ground {word} around {}", show(place));
            let found = Finding::new(code, message).at(place).of_agent(agent);
            findings.push(found.figure("area_m2", area).shaped(shape));
        }
    }
    islands(agent, sides, [&shared, &back], settings, findings);
    // An empty sum is -0.0.
    let sum = |pieces: &[Piece]| pieces.iter().map(|p| p.area).sum::<f64>() + 0.0;
    AgentDiff {
        agent: agent.into(),
        area_m2: [before.area(), after.area()],
        gained_m2: sum(&gained),
        lost_m2: sum(&lost),
        islands: [before.mesh.island_count(), after.mesh.island_count()],
        polygons: [before.mesh.polygon_count(), after.mesh.polygon_count()],
        gained,
        lost,
        ..AgentDiff::default()
    }
}

/// Islands that were split, merged, added or removed.
fn islands(
    agent: &str,
    sides: &[Side<'_>; 2],
    shared: [&Shared; 2],
    settings: &DiffSettings,
    findings: &mut Vec<Finding>,
) {
    let words = [
        ("island-split", "was split into", "island-lost", "is gone"),
        ("island-merged", "was merged from", "island-new", "is new"),
    ];
    for ((side, shared), (many, apart, none, gone)) in sides.iter().zip(shared).zip(words) {
        let mut others: Vec<Vec<f64>> = vec![vec![]; side.mesh.island_count() as usize];
        for ((island, _), area) in shared {
            if *area >= settings.least_area {
                others[*island as usize].push(*area);
            }
        }
        for (island, parts) in (0u32..).zip(others) {
            if parts.len() == 1 {
                continue;
            }
            let (area, place) = island_of(side, island);
            if parts.is_empty() && area < settings.least_area {
                continue;
            }
            let at = show(place);
            let found = if parts.is_empty() {
                let message = format!("an island of {area:.1} m2 around {at} {gone}");
                Finding::new(none, message)
            } else {
                let mut parts = parts;
                parts.sort_by(|a, b| b.total_cmp(a));
                let sizes: Vec<String> =
                    (parts.iter().take(4)).map(|a| format!("{a:.1}")).collect();
                let more = if parts.len() > 4 { " and more" } else { "" };
                let message = format!(
                    "the island of {area:.1} m2 around {at} {apart} {} islands of {}{more} m2",
                    parts.len(),
                    sizes.join(", ")
                );
                Finding::new(many, message)
            };
            let found = found.at(place).of_agent(agent);
            findings.push(found.figure("area_m2", area));
        }
    }
}

/// The area of an island and the middle of its largest polygon.
fn island_of(side: &Side<'_>, island: u32) -> (f64, [f64; 3]) {
    let own = side.islands.iter().enumerate().filter(|(_, i)| **i == island);
    let (mut sum, mut largest) = (0.0, (-1.0, 0));
    for (p, _) in own {
        let area = convex::area(&side.rings[p]);
        sum += area;
        if area > largest.0 {
            largest = (area, p);
        }
    }
    let at = convex::middle(&side.rings[largest.1]);
    (sum, [at[0], side.height(largest.1, at), at[1]])
}

/// Least height of a layer of the picture, m.
///
/// The agent's height replaces it if that is greater.
const STOREY: f64 = 3.0;

impl Diff {
    /// An SVG picture of the changes for an agent; `None` if one of the blobs lacks it.
    pub fn svg(&self, old: &CheckedBlob<'_>, new: &CheckedBlob<'_>, agent: &str) -> Option<String> {
        let found = self.agents.iter().find(|a| a.agent == agent)?;
        let storey = new.agent(agent)?.height.max(STOREY);
        let mut shapes = vec![];
        for (kind, blob) in [(Kind::Old, old), (Kind::New, new)] {
            let meshes = Meshes::of(blob);
            let side = Side::new(meshes.get(blob.agent(agent)?.class)?);
            for (p, ring) in side.rings.iter().enumerate() {
                let ring = ring.iter().map(|&[x, z]| [x, side.height(p, [x, z]), z]);
                let ring = ring.collect();
                shapes.push(Shape { kind, ring });
            }
        }
        for (kind, pieces) in [(Kind::Lost, &found.lost), (Kind::Gained, &found.gained)] {
            let rings = pieces.iter().map(|piece| piece.ring.clone());
            shapes.extend(rings.map(|ring| Shape { kind, ring }));
        }
        let summary = format!("gained {:.1} m2, lost {:.1} m2", found.gained_m2, found.lost_m2);
        Some(changes::write(&shapes, storey, &summary))
    }

    /// The diff for people: one line for each agent, then the findings.
    pub fn text(&self) -> String {
        let mut out = String::new();
        if self.same_input {
            out += "same level, same config\n";
        }
        let change = |[a, b]: [u32; 2], one: &str| match a == b {
            true => format!("{a} {one}"),
            false => format!("{a} -> {b} {one}"),
        };
        for a in &self.agents {
            let [before, after] = a.area_m2;
            out += &format!(
                "{}: {before:.1} -> {after:.1} m2 (+{:.1} -{:.1}), {}, {}, {}, {}\n",
                a.agent,
                a.gained_m2,
                a.lost_m2,
                change(a.islands, "islands"),
                change(a.rooms, "rooms"),
                change(a.doors, "doors"),
                change(a.links, "links"),
            );
        }
        for f in &self.findings {
            let agent = f.agent.as_ref();
            let agent = agent.map_or(String::new(), |a| format!("{a}: "));
            out += &format!("{}: {agent}{} [{}]\n", f.severity, f.message, f.rule);
        }
        if self.findings.is_empty() {
            out += "no changes\n";
        }
        out
    }
}

/// The change of a length, for people.
pub(crate) fn became(before: f64, after: f64) -> String {
    format!("{} m instead of {} m", metres(after), metres(before))
}
