//! The data that the page draws, as JSON.
//!
//! Places are in whole centimetres from the least corner of all meshes.

use navbake_format::{PolyId, RoomId};
use serde::Serialize;

use super::search::{Search, search};
use super::storeys::cuts;
use crate::diff::{AgentDiff, Piece};
use crate::subject::{centre, on_ground};
use crate::{Finding, Report, Severity, Subject, Walker};

type Place = [i64; 3];

#[derive(Serialize)]
struct Data<'a> {
    least: [f64; 3],
    meshes: Vec<Mesh<'a>>,
    agents: Vec<&'a str>,
    areas: Vec<&'a str>,
    markers: Vec<Marker<'a>>,
    rules: Vec<RuleText>,
    findings: Vec<FindingData<'a>>,
    /// The blob's name in commands.
    blob: &'a str,
    search: Search<'a>,
    /// The navmeshes of an earlier bake, where two are compared.
    before: Vec<Mesh<'a>>,
    changes: Vec<Changes<'a>>,
}

/// Ground that only one of two bakes has.
#[derive(Serialize)]
struct Changes<'a> {
    agent: &'a str,
    gained: Vec<Vec<Place>>,
    lost: Vec<Vec<Place>>,
}

/// An earlier bake, and how its ground differs.
pub(super) struct Earlier<'a> {
    pub(super) subject: &'a Subject<'a>,
    pub(super) agents: &'a [AgentDiff],
}

/// The navmesh of one or more agents.
#[derive(Serialize)]
struct Mesh<'a> {
    agents: Vec<&'a str>,
    count: u32,
    /// For each polygon its number of corners, then x and z of each corner.
    corners: Vec<i64>,
    /// For each polygon the edges that are walls.
    walls: Vec<Vec<u32>>,
    island: Vec<u32>,
    /// Names of rooms, possibly empty strings; the list is empty if there are no rooms.
    rooms: Vec<&'a str>,
    room: Vec<u32>,
    /// Null if there is only one kind of ground.
    area: Option<Vec<u8>>,
    height: Vec<i64>,
    storey: Vec<usize>,
    /// Heights that separate storeys, ascending.
    cuts: Vec<i64>,
    doors: Vec<Door<'a>>,
    links: Vec<Link<'a>>,
    /// Names of route networks.
    networks: Vec<&'a str>,
}

#[derive(Serialize)]
struct Door<'a> {
    name: &'a str,
    width: f32,
    a: Place,
    b: Place,
}

#[derive(Serialize)]
struct Link<'a> {
    name: &'a str,
    kind: &'a str,
    a: Place,
    b: Place,
}

#[derive(Serialize)]
struct Marker<'a> {
    name: &'a str,
    at: Place,
}

#[derive(Serialize)]
struct RuleText {
    code: &'static str,
    finds: &'static str,
    cure: &'static str,
}

#[derive(Serialize)]
struct FindingData<'a> {
    rule: usize,
    /// 0 is the worst.
    severity: usize,
    message: &'a str,
    at: Option<Place>,
    agent: Option<&'a str>,
    names: &'a [String],
    figures: Vec<(&'a str, f64)>,
    shape: Vec<Place>,
}

/// Places relative to the least corner of all meshes.
struct Frame {
    least: [f64; 3],
}

impl Frame {
    fn place(&self, p: [f64; 3]) -> Place {
        // Markers can be anywhere. What is absurdly far away stays far away.
        [0, 1, 2].map(|k| ((p[k] - self.least[k]) * 100.0).round().clamp(-1e15, 1e15) as i64)
    }
}

pub(super) fn data(
    subject: &Subject<'_>,
    report: &Report,
    blob: &str,
    earlier: Option<&Earlier<'_>>,
) -> String {
    let frame = Frame { least: least(subject) };
    let meshes_of = |subject| -> Vec<Mesh<'_>> {
        Subject::of_meshes(subject).map(|w| mesh(subject, w, &frame)).collect()
    };
    let (meshes, before) = rayon::join(
        || meshes_of(subject),
        || earlier.map_or(vec![], |earlier| meshes_of(earlier.subject)),
    );
    let rings = |pieces: &[Piece]| -> Vec<Vec<Place>> {
        pieces.iter().map(|p| p.ring.iter().map(|&at| frame.place(at)).collect()).collect()
    };
    let changes = earlier.iter().flat_map(|e| e.agents).map(|a| Changes {
        agent: &a.agent,
        gained: rings(&a.gained),
        lost: rings(&a.lost),
    });
    let rules = report.rules();
    let rule = |code: &str| rules.iter().position(|r| r.code == code).unwrap_or(0);
    let finding_data = |f| finding_data(f, rule, &frame);
    let data = Data {
        least: frame.least,
        meshes,
        agents: subject.walkers.iter().map(|w| w.agent.name).collect(),
        areas: subject.blob.areas().map(|a| a.name).collect(),
        markers: subject
            .blob
            .markers()
            .map(|m| Marker { name: m.name, at: frame.place(m.position) })
            .collect(),
        rules: rules
            .iter()
            .map(|r| RuleText { code: r.code, finds: r.finds, cure: r.cure })
            .collect(),
        findings: report.findings.iter().map(finding_data).collect(),
        blob,
        search: search(subject),
        before,
        changes: changes.collect(),
    };
    // The data has only strings and finite numbers, so it always serialises.
    serde_json::to_string(&data).unwrap_or_default()
}

fn finding_data<'f>(
    finding: &'f Finding,
    rule: impl Fn(&str) -> usize,
    frame: &Frame,
) -> FindingData<'f> {
    let severity = Severity::ALL.iter().position(|&s| s == finding.severity);
    FindingData {
        rule: rule(finding.rule),
        severity: severity.unwrap_or(0),
        message: &finding.message,
        at: finding.place.map(|p| frame.place(p)),
        agent: finding.agent.as_deref(),
        names: &finding.names,
        figures: finding.figures.iter().map(|f| (f.name, f.value)).collect(),
        shape: finding.shape.iter().map(|&p| frame.place(p)).collect(),
    }
}

/// The least corner of all meshes, in whole metres.
fn least(subject: &Subject<'_>) -> [f64; 3] {
    let corners = subject.walkers.iter().map(|w| {
        let [least, _] = w.mesh.bounds();
        w.mesh.grid().metres(least.map(f64::from))
    });
    let all = corners.reduce(|a, b| [0, 1, 2].map(|k| a[k].min(b[k])));
    all.unwrap_or_default().map(f64::floor)
}

fn mesh<'a>(subject: &Subject<'a>, walker: &Walker<'a>, frame: &Frame) -> Mesh<'a> {
    let view = &walker.mesh;
    let class = walker.agent.class;
    let rooms = subject.blob.rooms(class);
    let cuts = cuts(walker);
    let (mut corners, mut walls, mut height, mut storey) = (vec![], vec![], vec![], vec![]);
    for polygon in view.polygons() {
        corners.push(polygon.len().into());
        for k in 0..polygon.len() {
            let [x, z] = polygon.corner(k).map(f64::from);
            let [x, _, z] = frame.place(view.grid().metres([x, 0.0, z]));
            corners.extend([x, z]);
        }
        let own = (0..polygon.len()).filter(|&k| polygon.neighbour(k).is_none());
        walls.push(own.collect());
        let [_, y, _] = centre(view, &polygon);
        storey.push(cuts.partition_point(|&cut| cut <= y));
        height.push(frame.place([0.0, y, 0.0])[1]);
    }
    let place = |p, at: [i32; 2]| frame.place(on_ground(view, p, at.map(f64::from)));
    let ids = || (0..view.polygon_count()).map(PolyId);
    let doors = rooms.iter().flat_map(|rooms| {
        let all = (0..rooms.door_count()).filter_map(|n| Some((n, rooms.door(n)?)));
        all.filter(|(_, door)| !door.is_divide).map(|(n, door)| {
            let at = rooms.portals(n).next().map_or(PolyId(0), |(p, _)| p);
            let [a, b] = door.ends.map(|end| place(at, end));
            Door { name: door.name, width: door.width, a, b }
        })
    });
    let links = (0..view.link_count()).filter_map(|n| view.link(n));
    let links = links.map(|link| Link {
        name: link.name,
        kind: link.kind.name(),
        a: place(link.polygon, link.from),
        b: place(link.beyond, link.to),
    });
    let is_of_kinds = subject.blob.areas().len() > 1;
    Mesh {
        agents: subject
            .walkers
            .iter()
            .filter(|w| w.agent.class == class)
            .map(|w| w.agent.name)
            .collect(),
        count: view.polygon_count(),
        corners,
        walls,
        island: ids().map(|p| view.island(p).0).collect(),
        rooms: rooms.map_or(vec![], |r| {
            let name = |n| r.get(RoomId(n)).map_or("", |room| room.name);
            (0..r.count()).map(name).collect()
        }),
        room: rooms.map_or(vec![], |r| ids().map(|p| r.of(p).0).collect()),
        area: is_of_kinds.then(|| ids().map(|p| view.area(p).0).collect()),
        height,
        storey,
        cuts: cuts.iter().map(|&y| frame.place([0.0, y, 0.0])[1]).collect(),
        doors: doors.collect(),
        links: links.collect(),
        networks: subject.blob.networks(class).map(|network| network.name).collect(),
    }
}
