//! Finds oddities of a level and its navmesh during the bake, for reports.
//!
//! [`scene`] checks the triangles as read. [`level`] checks the triangles on the grid and the
//! finished navmesh: `edges` (cracks, T-junctions, edges of many triangles), `columns` (floors too
//! close above each other, head room), `slopes` and `ledges`. The baker writes the [`Diagnostic`]s
//! into separate sections, which games do not read, so that a file can be checked without its
//! level.
#![forbid(unsafe_code)]

mod columns;
mod edges;
mod ledges;
mod scene;
mod slopes;
mod spans;

use navbake_format::{DiagnosticKind, NavMeshBuf};
use navbake_level::{Agent, Level, Role, Triangle};

pub use scene::scene;

/// The largest number of diagnostics of one kind and agent class.
///
/// The greatest are kept.
const MOST: usize = 50;

/// Limits of what is reported about a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Ground too steep by at most this is reported, degrees.
    pub slope_margin: f64,
    /// Ground whose head room is short by at most this is reported, m.
    pub height_margin: f64,
    /// Borders over a deeper drop than this are reported, m.
    ///
    /// `None` turns the search off.
    pub ledge_drop: Option<f64>,
    /// Are the navmesh's borders at least an agent's radius from the walls?
    pub is_inset: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { slope_margin: 2.0, height_margin: 0.1, ledge_drop: None, is_inset: true }
    }
}

/// An oddity at a place; [`DiagnosticKind`] defines the numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The kind of oddity.
    pub kind: DiagnosticKind,
    /// The agent class it concerns; `None` for the level itself.
    pub class: Option<u16>,
    /// The place, y-up metres.
    pub at: [f64; 3],
    /// The measured value.
    pub value: f64,
    /// The limit for that value.
    pub limit: f64,
    /// A number of items, or an amount in hundredths.
    pub count: u32,
    /// A name; empty if there is none.
    pub name: String,
}

impl Diagnostic {
    /// A diagnostic at a place, with all other fields empty.
    pub fn new(kind: DiagnosticKind, at: [f64; 3]) -> Diagnostic {
        Diagnostic { kind, class: None, at, value: 0.0, limit: 0.0, count: 1, name: String::new() }
    }

    /// The record for the file: numbers are clamped to `f32`, a name to 65535 bytes.
    pub fn record(&self) -> navbake_format::Diagnostic<'_> {
        let clamped = |v: f64| v.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32;
        let mut end = self.name.len().min(usize::from(u16::MAX));
        while !self.name.is_char_boundary(end) {
            end -= 1;
        }
        navbake_format::Diagnostic {
            kind: self.kind,
            class: self.class,
            at: self.at,
            value: clamped(self.value),
            limit: clamped(self.limit),
            count: self.count,
            name: &self.name[..end],
        }
    }
}

/// The kinds that exist for grid maps, which have no triangles.
pub const KINDS_OF_MAPS: [DiagnosticKind; 4] = [
    DiagnosticKind::SmallIsland,
    DiagnosticKind::UnseededIsland,
    DiagnosticKind::LinkOffMesh,
    DiagnosticKind::SeedOffMesh,
];

/// Checks a level and its navmesh, and returns the kinds that were searched for.
///
/// `agents` are those of each class, `meshes` are theirs, with links. Without
/// [`Settings::ledge_drop`] no mesh is needed.
pub fn level(
    level: &Level,
    agents: &[&Agent],
    meshes: &[NavMeshBuf],
    settings: &Settings,
) -> (Vec<DiagnosticKind>, Vec<Diagnostic>) {
    let ((edges, columns), slopes) = rayon::join(
        || {
            rayon::join(
                || edges::edges(level, &ground(level, agents)),
                || columns::columns(level, agents, settings.height_margin),
            )
        },
        || slopes::slopes(level, agents, settings.slope_margin),
    );
    let mut kinds = DiagnosticKind::ALL.to_vec();
    if columns.is_none() {
        let by_columns = [DiagnosticKind::OverlappingGround, DiagnosticKind::HeadRoomMargin];
        kinds.retain(|kind| !by_columns.contains(kind));
    }
    let mut found = vec![];
    match settings.ledge_drop {
        Some(least) => {
            found.extend(ledges::ledges(level, agents, meshes, least, settings.is_inset))
        }
        None => kinds.retain(|kind| *kind != DiagnosticKind::Ledge),
    }
    for more in [edges, columns.unwrap_or_default(), slopes] {
        found.extend(more);
    }
    (kinds, found)
}

/// Marks the triangles that are walkable for any agent.
fn ground(level: &Level, agents: &[&Agent]) -> Vec<bool> {
    let least = agents.iter().map(|a| a.least_up()).min().unwrap_or(0);
    let is_ground = |t: &Triangle| can_be_ground(level, t) && t.up >= least;
    level.triangles.iter().map(is_ground).collect()
}

/// Does the triangle belong to a part that is walkable where its slope allows?
fn can_be_ground(level: &Level, triangle: &Triangle) -> bool {
    matches!(level.roles[triangle.part as usize], Role::Ground | Role::Floor)
}

/// Keeps the greatest of each kind and class, sorted by kind, class and place.
///
/// Also returns the number of dropped diagnostics.
pub fn greatest(mut found: Vec<Diagnostic>) -> (Vec<Diagnostic>, u32) {
    let order = |a: &Diagnostic, b: &Diagnostic| {
        let places = a.at.iter().zip(&b.at).map(|(a, b)| a.total_cmp(b));
        let place = places.reduce(|first, next| first.then(next));
        place.unwrap_or(std::cmp::Ordering::Equal).then_with(|| a.name.cmp(&b.name))
    };
    found.sort_by(|a, b| {
        let weight = |r: &Diagnostic| (r.count, r.value);
        let ((ca, va), (cb, vb)) = (weight(a), weight(b));
        (a.kind, a.class)
            .cmp(&(b.kind, b.class))
            .then_with(|| cb.cmp(&ca))
            .then_with(|| vb.total_cmp(&va))
            .then_with(|| order(a, b))
    });
    found.dedup();
    let all = found.len();
    let (mut before, mut own) = (None, 0);
    found.retain(|r| {
        if before != Some((r.kind, r.class)) {
            (before, own) = (Some((r.kind, r.class)), 0);
        }
        own += 1;
        own <= MOST
    });
    let left_out = (all - found.len()) as u32;
    found.sort_by(|a, b| (a.kind, a.class).cmp(&(b.kind, b.class)).then_with(|| order(a, b)));
    (found, left_out)
}

fn by_place(a: &[f64; 3], b: &[f64; 3]) -> std::cmp::Ordering {
    let axes = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
    axes.fold(std::cmp::Ordering::Equal, |order, next| order.then(next))
}
