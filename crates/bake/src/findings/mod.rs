//! What the baker notices about a level, with places, for reports: it goes into the file in sections of its own, which games do not look at.
//!
//! What the stages leave out they say themselves ([`Remark`]s pile up in the run); what is odd about the level's own triangles is looked for here: `edges` (cracks,
//! vertices on edges, edges of too many triangles), `columns` (ground over ground, head room), `slopes`; and about the finished navmesh's borders: `ledges`.

mod boxes;
mod columns;
mod edges;
mod ledges;
mod scene;
mod slopes;
mod spans;

use navbake_format::write::with_findings;
use navbake_format::{Diagnostic, DiagnosticKind};
use navbake_level::{Agent, Level, Role, Triangle};

use crate::error::BakeError;
use crate::job::Ground;
use crate::run::{Run, guarded};
pub(crate) use scene::of_scene;

/// So many remarks of a kind are written for an agent class, the greatest first: reports are read by people.
const MOST: usize = 50;

/// Ground that is steeper by up to so much is told, degrees, unless the config says otherwise.
const SLOPE_MARGIN: f64 = 2.0;
/// Ground whose head room is short by up to so much is told, m, unless the config says otherwise.
const HEIGHT_MARGIN: f64 = 0.1;

/// Something that was noticed; see [`Diagnostic`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Remark {
    pub(crate) kind: DiagnosticKind,
    pub(crate) class: Option<u16>,
    /// Y-up metres.
    pub(crate) at: [f64; 3],
    pub(crate) value: f64,
    pub(crate) limit: f64,
    pub(crate) count: u32,
    pub(crate) name: String,
}

impl Remark {
    pub(crate) fn new(kind: DiagnosticKind, at: [f64; 3]) -> Remark {
        Remark {
            kind,
            class: None,
            at,
            value: 0.0,
            limit: 0.0,
            count: 1,
            name: String::new(),
        }
    }
}

impl Run<'_> {
    /// The file with what was noticed, unless it is not wanted.
    pub(crate) fn findings(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, BakeError> {
        if !self.job.config.findings {
            return Ok(bytes);
        }
        let stage = "findings";
        self.options.report(stage, 0, 1);
        let work = || self.noticed(&bytes);
        let (looked, remarks) = guarded(|| stage.into(), work)??;
        let (kept, left_out) = greatest(remarks);
        let told: Vec<Diagnostic<'_>> = kept.iter().map(noticed).collect();
        let bytes = with_findings(&bytes, &looked, &told, left_out)
            .map_err(|e| BakeError::internal(stage, e.to_string()))?;
        self.clock.stage(stage, true);
        self.options.report(stage, 1, 1);
        Ok(bytes)
    }

    /// What was looked for, and all that was noticed.
    fn noticed(&self, bytes: &[u8]) -> Result<(Vec<DiagnosticKind>, Vec<Remark>), BakeError> {
        let job = self.job;
        let mut remarks = job.remarks.clone();
        remarks.extend(self.remarks.iter().cloned());
        let Ground::Level(level) = &job.ground else {
            // A map of cells has no triangles that could be odd.
            let of_maps = [
                DiagnosticKind::SmallIsland,
                DiagnosticKind::UnseededIsland,
                DiagnosticKind::LinkOffMesh,
                DiagnosticKind::SeedOffMesh,
            ];
            return Ok((of_maps.to_vec(), remarks));
        };
        let (classes, _) = job.classes();
        let agents: Vec<&Agent> = classes.iter().map(|c| &c.agent).collect();
        let check = &job.config.check;
        let slope = check.slope_margin.unwrap_or(SLOPE_MARGIN);
        let height = check.height_margin.unwrap_or(HEIGHT_MARGIN);
        let ((edges, columns), slopes) = rayon::join(
            || {
                rayon::join(
                    || edges::edges(level, &ground(level, &agents)),
                    || columns::columns(level, &agents, height),
                )
            },
            || slopes::slopes(level, &agents, slope),
        );
        let mut looked = DiagnosticKind::ALL.to_vec();
        if columns.is_none() {
            let by_columns = [
                DiagnosticKind::OverlappingGround,
                DiagnosticKind::HeadRoomMargin,
            ];
            looked.retain(|kind| !by_columns.contains(kind));
        }
        match check.ledge_drop {
            Some(least) => remarks.extend(self.ledges(level, &agents, least, bytes)?),
            None => looked.retain(|kind| *kind != DiagnosticKind::Ledge),
        }
        for found in [edges, columns.unwrap_or_default(), slopes] {
            remarks.extend(found);
        }
        Ok((looked, remarks))
    }
}

/// Which triangles are ground for anybody.
fn ground(level: &Level, agents: &[&Agent]) -> Vec<bool> {
    let least = agents.iter().map(|a| a.least_up()).min().unwrap_or(0);
    let is_ground = |t: &Triangle| can_be_ground(level, t) && t.up >= least;
    level.triangles.iter().map(is_ground).collect()
}

/// Is it of a part that is walked on where slopes allow?
fn can_be_ground(level: &Level, triangle: &Triangle) -> bool {
    matches!(
        level.roles[triangle.part as usize],
        Role::Ground | Role::Floor
    )
}

fn noticed(remark: &Remark) -> Diagnostic<'_> {
    // What no number is, or none that a file holds, is told as the nearest.
    let finite = |v: f64| v.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32;
    // The format counts the bytes of names in 16 bits.
    let mut end = remark.name.len().min(usize::from(u16::MAX));
    while !remark.name.is_char_boundary(end) {
        end -= 1;
    }
    Diagnostic {
        kind: remark.kind,
        class: remark.class,
        at: remark.at,
        value: finite(remark.value),
        limit: finite(remark.limit),
        count: remark.count,
        name: &remark.name[..end],
    }
}

/// The greatest remarks of each kind and class, by kind, class and place; and how many more there were.
fn greatest(mut remarks: Vec<Remark>) -> (Vec<Remark>, u32) {
    let order = |a: &Remark, b: &Remark| {
        let places = a.at.iter().zip(&b.at).map(|(a, b)| a.total_cmp(b));
        let place = places.reduce(|first, next| first.then(next));
        place
            .unwrap_or(std::cmp::Ordering::Equal)
            .then_with(|| a.name.cmp(&b.name))
    };
    remarks.sort_by(|a, b| {
        let weight = |r: &Remark| (r.count, r.value);
        let ((ca, va), (cb, vb)) = (weight(a), weight(b));
        (a.kind, a.class)
            .cmp(&(b.kind, b.class))
            .then_with(|| cb.cmp(&ca))
            .then_with(|| vb.total_cmp(&va))
            .then_with(|| order(a, b))
    });
    remarks.dedup();
    let all = remarks.len();
    let (mut before, mut own) = (None, 0);
    remarks.retain(|r| {
        if before != Some((r.kind, r.class)) {
            (before, own) = (Some((r.kind, r.class)), 0);
        }
        own += 1;
        own <= MOST
    });
    let left_out = (all - remarks.len()) as u32;
    remarks.sort_by(|a, b| {
        (a.kind, a.class)
            .cmp(&(b.kind, b.class))
            .then_with(|| order(a, b))
    });
    (remarks, left_out)
}

fn by_place(a: &[f64; 3], b: &[f64; 3]) -> std::cmp::Ordering {
    let axes = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
    axes.fold(std::cmp::Ordering::Equal, |order, next| order.then(next))
}
