//! Compares markers, rooms, doors and links by name or place.

use navbake_format::{Agent, CheckedBlob, Link, NavMesh, Rooms};

use super::{AgentDiff, DiffSettings, became};
use crate::Finding;
use crate::explain::show;
use crate::subject::{called, on_ground};

/// Items nearer to each other than this, m, are the same.
const SAME: f64 = 0.3;

/// Markers that were added or removed.
///
/// A moved marker is reported only where the move changes something.
pub(super) fn markers(old: &CheckedBlob<'_>, new: &CheckedBlob<'_>, findings: &mut Vec<Finding>) {
    let sides = [(old, new, "marker-lost", "gone"), (new, old, "marker-new", "new")];
    for (one, other, code, word) in sides {
        for marker in one.markers() {
            if other.markers().all(|m| m.name != marker.name) {
                let message = format!("the marker `{}` is {word}", marker.name);
                let found = Finding::new(code, message).named(marker.name);
                findings.push(found.at(marker.position));
            }
        }
    }
}

/// A door with the properties that are compared.
struct Door {
    name: String,
    at: [f64; 3],
    ends: Vec<[f64; 3]>,
    width: f64,
}

fn doors(mesh: &NavMesh<'_>, rooms: &Rooms<'_>) -> Vec<Door> {
    let grid = mesh.grid();
    let all = (0..rooms.door_count()).filter_map(|k| Some((k, rooms.door(k)?)));
    let walls = all.filter(|(_, d)| !d.is_divide);
    walls
        .map(|(k, door)| {
            let portal = rooms.portals(k).next();
            let height = |[x, z]: [i32; 2]| {
                let place = [x, z].map(f64::from);
                portal.map_or(0.0, |(p, edge)| mesh.polygon(p).edge_height(edge, place))
            };
            let ends: Vec<[f64; 3]> = (door.ends.iter())
                .map(|&[x, z]| grid.metres([f64::from(x), height([x, z]), f64::from(z)]))
                .collect();
            Door {
                name: door.name.into(),
                at: [0, 1, 2].map(|k| (ends[0][k] + ends[1][k]) / 2.0),
                ends,
                width: f64::from(door.width),
            }
        })
        .collect()
}

fn square(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum()
}

/// Pairs of the same items by place, the nearest pair first.
fn pairs(a: &[[f64; 3]], b: &[[f64; 3]], far: f64) -> Vec<(usize, usize)> {
    let mut near: Vec<(f64, usize, usize)> = vec![];
    for (i, p) in a.iter().enumerate() {
        for (j, q) in b.iter().enumerate() {
            if (p[0] - q[0]).abs() <= far && square(*p, *q) <= far * far {
                near.push((square(*p, *q), i, j));
            }
        }
    }
    near.sort_by(|p, q| p.0.total_cmp(&q.0).then((p.1, p.2).cmp(&(q.1, q.2))));
    let (mut used, mut taken) = (vec![false; a.len()], vec![false; b.len()]);
    let mut found = vec![];
    for (_, i, j) in near {
        if !used[i] && !taken[j] {
            (used[i], taken[j]) = (true, true);
            found.push((i, j));
        }
    }
    found
}

/// The numbers below `count` that are in no pair.
fn alone(count: usize, of: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut is_paired = vec![false; count];
    of.for_each(|k| is_paired[k] = true);
    (0..count).filter(|&k| !is_paired[k]).collect()
}

/// Compares rooms by name and doors by place, if both bakes have rooms.
pub(super) fn rooms(
    meshes: [&NavMesh<'_>; 2],
    agent: &Agent<'_>,
    settings: &DiffSettings,
    mut one: AgentDiff,
    findings: &mut Vec<Finding>,
) -> AgentDiff {
    let [a_mesh, b_mesh] = meshes;
    for (k, rooms) in meshes.iter().enumerate().filter_map(|(k, m)| Some((k, m.rooms()?))) {
        one.rooms[k] = rooms.count();
        one.doors[k] = rooms.door_count();
    }
    let (Some(a), Some(b)) = (a_mesh.rooms(), b_mesh.rooms()) else {
        return one;
    };
    let sides = [(a_mesh, a, b, "room-lost", "gone"), (b_mesh, b, a, "room-new", "new")];
    for (mesh, rooms, other, code, word) in sides {
        let all = (0..rooms.count()).filter_map(|k| rooms.get(navbake_format::RoomId(k)));
        for room in all.filter(|r| !r.name.is_empty() && other.named(r.name).is_none()) {
            let message = format!("the room `{}` of {:.1} m2 is {word}", room.name, room.area);
            let found = Finding::new(code, message).named(room.name);
            let at = mesh.grid().metres(room.at.map(f64::from));
            findings.push(found.of_agent(agent.name).at(at));
        }
    }
    let (before, after) = (doors(a_mesh, a), doors(b_mesh, b));
    let places = |doors: &[Door]| -> Vec<[f64; 3]> { doors.iter().map(|d| d.at).collect() };
    let same = pairs(&places(&before), &places(&after), SAME);
    let finding = |code, door: &Door, what: String| {
        let name = called(&door.name);
        let message = format!("the door{name} at {} {what}", show(door.at));
        let mut found = Finding::new(code, message)
            .at(door.at)
            .of_agent(agent.name)
            .figure("width_m", door.width)
            .shaped(door.ends.clone());
        if !door.name.is_empty() {
            found = found.named(door.name.as_str());
        }
        found
    };
    for &(i, j) in &same {
        let (was, is) = (before[i].width, after[j].width);
        if (was - is).abs() >= settings.least_gap {
            let code = if is < was { "door-narrower" } else { "door-wider" };
            let what = format!("is {}", became(was, is));
            findings.push(finding(code, &after[j], what).figure("was_m", was));
        }
    }
    for k in alone(before.len(), same.iter().map(|p| p.0)) {
        let what = format!("of {:.2} m is gone", before[k].width);
        findings.push(finding("door-lost", &before[k], what));
    }
    for k in alone(after.len(), same.iter().map(|p| p.1)) {
        let what = format!("of {:.2} m is new", after[k].width);
        findings.push(finding("door-new", &after[k], what));
    }
    one
}

/// Compares links by kind and place.
pub(super) fn links(meshes: [&NavMesh<'_>; 2], agent: &Agent<'_>, findings: &mut Vec<Finding>) {
    let sides = meshes.map(|mesh| {
        let links: Vec<Link<'_>> = (0..mesh.link_count()).filter_map(|k| mesh.link(k)).collect();
        let ends: Vec<[[f64; 3]; 2]> = links.iter().map(|l| ends(mesh, l)).collect();
        (links, ends)
    });
    let [(a, from), (b, to)] = &sides;
    let mut is_known = [vec![false; a.len()], vec![false; b.len()]];
    let mut kinds: Vec<u8> = a.iter().chain(b).map(|l| l.kind as u8).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let of = |links: &[Link<'_>]| -> Vec<usize> {
            let all = links.iter().enumerate();
            all.filter(|(_, l)| l.kind as u8 == kind).map(|(k, _)| k).collect()
        };
        let (own, other) = (of(a), of(b));
        let begins = |list: &[usize], ends: &[[[f64; 3]; 2]]| -> Vec<[f64; 3]> {
            list.iter().map(|&k| ends[k][0]).collect()
        };
        for (i, j) in pairs(&begins(&own, from), &begins(&other, to), 1.0) {
            let (i, j) = (own[i], other[j]);
            if square(from[i][1], to[j][1]) <= 1.0 {
                (is_known[0][i], is_known[1][j]) = (true, true);
            }
        }
    }
    let words = [("link-lost", "is gone"), ("link-new", "is new")];
    for (((links, ends), known), (code, word)) in sides.iter().zip(&is_known).zip(words) {
        for (k, link) in links.iter().enumerate().filter(|(k, _)| !known[*k]) {
            let [from, to] = ends[k];
            let name = called(link.name);
            let kind = link.kind.name();
            let message =
                format!("the link{name} ({kind}) from {} to {} {word}", show(from), show(to));
            let found = Finding::new(code, message).at(from).of_agent(agent.name);
            findings.push(found.shaped(vec![from, to]));
        }
    }
}

fn ends(mesh: &NavMesh<'_>, link: &Link<'_>) -> [[f64; 3]; 2] {
    let ends = [(link.polygon, link.from), (link.beyond, link.to)];
    ends.map(|(polygon, at)| on_ground(mesh, polygon, at.map(f64::from)))
}
