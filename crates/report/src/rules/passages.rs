//! Doors below a width, and passages slightly too narrow for a wider agent.

use std::collections::BTreeMap;

use navbake_format::{Agent, PolyId, Polygon};
use navbake_search::NavMesh;

use super::found::Found;
use crate::subject::{area_doubled, on_ground};
use crate::{Finding, Rule, Settings, Severity, Subject, Walker};

/// The rules of this file.
pub(super) const RULES: &[Rule] = &[
    Rule {
        code: "door-too-narrow",
        severity: Severity::Warning,
        finds: "A door between two rooms is narrower than `door_width`.",
        cure: "Widen the doorway, or move what blocks it.",
        options: &["door_width"],
        run: Some(|subject, settings, found| doors(subject, settings, None, found)),
    },
    Rule {
        code: "passage-too-narrow",
        severity: Severity::Warning,
        finds: "A passage is up to `width_tolerance` too narrow for a wider agent, or for a width of `widths`.",
        cure: "Widen it by the reported length, or make it clearly narrower to keep the agent out.",
        options: &["width_tolerance", "widths"],
        run: Some(|subject, settings, found| passages(subject, settings, None, found)),
    },
];

/// Widths on the level: a navmesh may be narrower than its ground, by up to the border error on
/// both sides.
#[derive(Clone, Copy)]
pub(crate) struct OnLevel<'w> {
    /// By how much it may be, m.
    pub(crate) most: f64,
    /// The width for an agent at a place, m, where it can be measured.
    pub(crate) width: &'w dyn Fn(&str, [f64; 3]) -> Option<f64>,
}

/// The same, or nothing where there is only a blob.
type Level<'w> = Option<OnLevel<'w>>;

/// The width at a place where the navmesh has `own`, m.
///
/// What is measured counts where it can be that of the same passage, which the agent fits through.
/// A portal may cross it at a slant.
fn width_at(level: Level<'_>, agent: &Agent<'_>, place: [f64; 3], own: f64) -> f64 {
    let measured = level.and_then(|level| {
        let wide = (level.width)(agent.name, place)?;
        let least = 2.0 * agent.radius - SAME;
        (least <= wide && wide <= own + level.most + SAME).then_some(wide)
    });
    measured.unwrap_or(own)
}

/// The findings of both rules, with widths of the level or of the navmesh.
pub(crate) fn of_widths(
    subject: &Subject<'_>,
    settings: &Settings,
    level: Option<OnLevel<'_>>,
) -> Vec<Finding> {
    let mut found = Found::default();
    doors(subject, settings, level, &mut found);
    passages(subject, settings, level, &mut found);
    found.findings
}

fn doors(subject: &Subject<'_>, settings: &Settings, level: Level<'_>, found: &mut Found) {
    let rule = "door-too-narrow";
    let Some(wanted) = settings.check.door_width else {
        return;
    };
    for walker in subject.of_meshes() {
        let Some(rooms) = subject.blob.rooms(walker.agent.class) else {
            found.not_run(
                rule,
                "no rooms in the blob: set `rooms.enabled = true` and bake it again",
            );
            continue;
        };
        for number in 0..rooms.door_count() {
            let Some(door) = rooms.door(number).filter(|d| !d.is_divide) else {
                continue;
            };
            if f64::from(door.width) >= wanted + level.map_or(0.0, |_| SAME) {
                continue;
            }
            // All portals from the side of the same room.
            let of_first = |(id, edge): (PolyId, u32)| match rooms.of(id) == door.rooms[0] {
                true => Some((id, edge)),
                false => walker.mesh.polygon(id).across(edge),
            };
            let portals: Vec<(PolyId, u32)> = rooms.portals(number).filter_map(of_first).collect();
            let Some(&(polygon, _)) = portals.first() else {
                continue;
            };
            let ends = door.ends.map(|end| on_ground(&walker.mesh, polygon, end.map(f64::from)));
            let place = midst(&walker.mesh, &portals, door.ends.map(|end| end.map(f64::from)));
            let width = width_at(level, &walker.agent, place, f64::from(door.width));
            if width >= wanted {
                continue;
            }
            let called = match door.name {
                "" => "a door".to_owned(),
                name => format!("the door `{name}`"),
            };
            let message = format!(
                "{called} is {width:.2} m wide, {:.2} m below `door_width`",
                wanted - width
            );
            let finding = Finding::new(rule, message)
                .at(place)
                .of_agent(walker.agent.name)
                .figure("width_m", width)
                .figure("wanted_m", wanted);
            let finding = if door.name.is_empty() { finding } else { finding.named(door.name) };
            found.add(finding.shaped(ends.to_vec()));
        }
    }
}

/// Widths that differ by at most this, m, are equal.
const SAME: f64 = 0.02;

/// A wider agent or width.
struct Wider<'a> {
    /// The name, if it is an agent.
    name: Option<&'a str>,
    /// Diameter, m.
    width: f64,
}

fn passages(subject: &Subject<'_>, settings: &Settings, level: Level<'_>, found: &mut Found) {
    if !settings.is_on("passage-too-narrow") {
        return;
    }
    let agents = subject
        .of_meshes()
        .map(|w| Wider { name: Some(w.agent.name), width: 2.0 * w.agent.radius });
    let others = settings.check.widths.iter();
    let wider: Vec<Wider<'_>> =
        agents.chain(others.map(|&width| Wider { name: None, width })).collect();
    for walker in subject.of_meshes() {
        let own = 2.0 * walker.agent.radius;
        let of_walker = wider.iter().filter(|w| w.width > own);
        for other in of_walker {
            let tolerance = settings.width_tolerance();
            let [below, above] = level.map_or([0.0; 2], |level| [level.most, SAME]);
            let far = |a: [f64; 3], b: [f64; 3]| {
                (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
            };
            let mut taken: Vec<[f64; 3]> = vec![];
            for passage in narrow(walker, own, other.width + above, tolerance + below + above) {
                let place = passage.place(walker);
                let width = width_at(level, &walker.agent, place, passage.width);
                let short = other.width - width;
                // Two portals of one passage.
                let is_taken = taken.iter().any(|p| far(*p, place) < other.width);
                if short > 0.0 && short <= tolerance && !is_taken {
                    taken.push(place);
                    found.add(Passage { width, ..passage }.finding(walker, other).at(place));
                }
            }
        }
    }
}

/// A portal between two walls.
#[derive(Clone, Copy)]
struct Passage {
    polygon: PolyId,
    edge: u32,
    /// Distance from wall to wall, m.
    width: f64,
    /// The ends of the narrowest cross-section, grid units.
    ends: [[f64; 2]; 2],
}

impl Passage {
    /// The middle of where it is as narrow, y-up metres.
    fn place(&self, walker: &Walker<'_>) -> [f64; 3] {
        let own = ends(&walker.mesh.polygon(self.polygon), self.edge);
        midst(&walker.mesh, &[(self.polygon, self.edge)], own)
    }

    fn finding(&self, walker: &Walker<'_>, other: &Wider<'_>) -> Finding {
        let short = other.width - self.width;
        let who = match other.name {
            Some(name) => format!("agent `{name}` ({:.2} m)", other.width),
            None => format!("a unit of {:.2} m", other.width),
        };
        // The millimetre is below what passages are measured to.
        let message = match short < 0.001 {
            true => format!(
                "a passage is {:.2} m wide, exactly as wide as {who}: it is closed, as the way through has no width",
                self.width
            ),
            false => {
                let decimals = if short < 0.01 { 3 } else { 2 };
                format!(
                    "a passage is {:.decimals$} m wide, {short:.decimals$} m too narrow for {who}",
                    self.width
                )
            }
        };
        let ends = self.ends.map(|end| on_ground(&walker.mesh, self.polygon, end));
        let finding = Finding::new("passage-too-narrow", message)
            .of_agent(other.name.unwrap_or(walker.agent.name))
            .figure("width_m", self.width)
            .figure("wanted_m", other.width);
        finding.shaped(ends.to_vec())
    }
}

/// The passages that are too narrow by at most a tolerance, m.
///
/// Of successive passages only the narrowest.
fn narrow(walker: &Walker<'_>, own: f64, wanted: f64, tolerance: f64) -> Vec<Passage> {
    let mesh = &walker.mesh;
    let units = mesh.grid().units();
    let mut found: Vec<Passage> = vec![];
    for polygon in mesh.polygons() {
        for k in 0..polygon.len() {
            // Each portal counts once.
            if polygon.neighbour(k).is_none_or(|beyond| beyond < polygon.id()) {
                continue;
            }
            let Some((length, ends)) = gap(mesh, &polygon, k) else {
                continue;
            };
            let width = length / units + own;
            if width < wanted && wanted - width <= tolerance {
                found.push(Passage { polygon: polygon.id(), edge: k, width, ends });
            }
        }
    }
    // A niche is not a passage: both sides need enough ground.
    let somewhere = (2.0 * wanted * units).powi(2);
    found.retain(|p| leads_on(mesh, p, somewhere));
    narrowest(mesh, found)
}

/// The width at a portal whose ends are both at walls, and its position.
///
/// In grid units. `None` if an end is on open ground.
fn gap(mesh: &NavMesh<'_>, polygon: &Polygon<'_, '_>, k: u32) -> Option<(f64, [[f64; 2]; 2])> {
    let [a, b] = [k, polygon.next(k)].map(|c| polygon.corner(c).map(f64::from));
    let (beyond, twin) = polygon.across(k)?;
    let beyond = mesh.polygon(beyond);
    // The walls that continue from each end, on both sides of the portal.
    let at_a = [wall_before(mesh, polygon, k)?, wall_after(mesh, &beyond, twin)?];
    let at_b = [wall_after(mesh, polygon, k)?, wall_before(mesh, &beyond, twin)?];
    let mut best = (distance(a, b), [a, b]);
    for (end, walls) in [(a, at_b), (b, at_a)] {
        for [u, v] in walls {
            let foot = nearest(u, v, end);
            let away = distance(end, foot);
            if away < best.0 {
                best = (away, [end, foot]);
            }
        }
    }
    Some(best)
}

/// The middle of the interval with the least width between two walls, y-up metres.
///
/// Where the walls are parallel, the portals may be anywhere along them. All portals are given from
/// the same side.
fn midst(mesh: &NavMesh<'_>, portals: &[(PolyId, u32)], [a, b]: [[f64; 2]; 2]) -> [f64; 3] {
    let own = [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
    let most = distance(a, b) + SAME * mesh.grid().units();
    let far = |side: &[(PolyId, u32)]| {
        let at = |&(id, k): &(PolyId, u32)| (mesh.polygon(id), k);
        let mut sides = side.iter().map(at);
        let before = sides.clone().find_map(|(p, k)| wall_before(mesh, &p, k))?;
        let after = sides.find_map(|(p, k)| wall_after(mesh, &p, k))?;
        // The end of the first of the two walls, if the width there is the same.
        let across = [(before[0], after), (after[1], before)].map(|(end, [u, v])| {
            let foot = nearest(u, v, end);
            let middle = [(end[0] + foot[0]) / 2.0, (end[1] + foot[1]) / 2.0];
            (distance(end, foot), middle)
        });
        let same = across.into_iter().filter(|(wide, _)| *wide <= most);
        same.map(|(_, middle)| middle)
            .max_by(|a, b| distance(own, *a).total_cmp(&distance(own, *b)))
    };
    let beyond = |&(id, k): &(PolyId, u32)| mesh.polygon(id).across(k);
    let others: Vec<(PolyId, u32)> = portals.iter().filter_map(beyond).collect();
    let (here, there) = (far(portals).unwrap_or(own), far(&others).unwrap_or(own));
    let place = [(here[0] + there[0]) / 2.0, (here[1] + there[1]) / 2.0];
    on_ground(mesh, portals.first().map_or(PolyId(0), |p| p.0), place)
}

/// The wall that ends where edge k begins.
///
/// The search turns around that corner over the ground, starting at the edge. `None` if there is
/// ground all around.
fn wall_before(mesh: &NavMesh<'_>, from: &Polygon<'_, '_>, k: u32) -> Option<[[f64; 2]; 2]> {
    turn(mesh, from, k, |polygon, edge| polygon.previous(edge))
}

/// The wall that begins where edge k ends.
fn wall_after(mesh: &NavMesh<'_>, from: &Polygon<'_, '_>, k: u32) -> Option<[[f64; 2]; 2]> {
    turn(mesh, from, k, |polygon, edge| polygon.next(edge))
}

fn turn(
    mesh: &NavMesh<'_>,
    from: &Polygon<'_, '_>,
    k: u32,
    further: impl Fn(&Polygon<'_, '_>, u32) -> u32,
) -> Option<[[f64; 2]; 2]> {
    let (mut id, mut edge) = (from.id(), further(from, k));
    for _ in 0..mesh.polygon_count() {
        let polygon = mesh.polygon(id);
        match polygon.across(edge) {
            None => return Some(ends(&polygon, edge)),
            Some(whole_turn) if whole_turn == (from.id(), k) => return None,
            Some((beyond, twin)) => {
                id = beyond;
                edge = further(&mesh.polygon(beyond), twin);
            }
        }
    }
    None
}

fn ends(polygon: &Polygon<'_, '_>, k: u32) -> [[f64; 2]; 2] {
    [polygon.corner(k), polygon.corner(polygon.next(k))].map(|c| c.map(f64::from))
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The point of a segment nearest to a point.
fn nearest(u: [f64; 2], v: [f64; 2], p: [f64; 2]) -> [f64; 2] {
    let e = [v[0] - u[0], v[1] - u[1]];
    let square = e[0] * e[0] + e[1] * e[1];
    let along = (p[0] - u[0]) * e[0] + (p[1] - u[1]) * e[1];
    let t = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
    [u[0] + t * e[0], u[1] + t * e[1]]
}

/// Is there enough ground on both sides of a portal?
///
/// Each side needs `somewhere` (grid units squared), reachable without crossing the portal.
fn leads_on(mesh: &NavMesh<'_>, passage: &Passage, somewhere: f64) -> bool {
    let polygon = mesh.polygon(passage.polygon);
    let Some((beyond, twin)) = polygon.across(passage.edge) else {
        return false;
    };
    let both = [(passage.polygon, passage.edge), (beyond, twin)];
    both.iter().all(|&(from, _)| {
        let (mut seen, mut open, mut area) = (BTreeMap::from([(from, ())]), vec![from], 0.0);
        while let Some(id) = open.pop() {
            let polygon = mesh.polygon(id);
            area += area_doubled(&polygon) as f64 / 2.0;
            if area >= somewhere {
                return true;
            }
            for k in 0..polygon.len() {
                if let Some(next) = polygon.neighbour(k)
                    && !both.contains(&(id, k))
                    && seen.insert(next, ()).is_none()
                {
                    open.push(next);
                }
            }
        }
        false
    })
}

/// Of passages that share polygons the narrowest, and of equals the first.
fn narrowest(mesh: &NavMesh<'_>, found: Vec<Passage>) -> Vec<Passage> {
    let mut of_polygon: BTreeMap<PolyId, Vec<usize>> = BTreeMap::new();
    for (i, p) in found.iter().enumerate() {
        let beyond = mesh.polygon(p.polygon).neighbour(p.edge);
        for polygon in [Some(p.polygon), beyond].into_iter().flatten() {
            of_polygon.entry(polygon).or_default().push(i);
        }
    }
    let mut taken = vec![false; found.len()];
    let mut best = vec![];
    for first in 0..found.len() {
        if std::mem::replace(&mut taken[first], true) {
            continue;
        }
        let (mut open, mut narrowest) = (vec![first], first);
        while let Some(i) = open.pop() {
            if (found[i].width, i) < (found[narrowest].width, narrowest) {
                narrowest = i;
            }
            let p = &found[i];
            let beyond = mesh.polygon(p.polygon).neighbour(p.edge);
            for polygon in [Some(p.polygon), beyond].into_iter().flatten() {
                for &j in of_polygon.get(&polygon).into_iter().flatten() {
                    if !std::mem::replace(&mut taken[j], true) {
                        open.push(j);
                    }
                }
            }
        }
        best.push(found[narrowest]);
    }
    best
}
