//! The stage `tables`: labels within the budget, then landmarks, and views for what is left of it.

mod clock;
mod landmarks;

use navbake_format::write::{LabelParts, LandmarkParts};
use navbake_format::{CheckedBlob, NavMeshBuf};
use navbake_tables::{Landmarks, Packed, Views, labels_watched, predicted_bytes};

use crate::config::{Budget, Require};
use crate::error::BakeError;
use crate::input::BakeInput;
use crate::recorder::{Recorder, guarded};
use crate::summary::Tabled;

/// Larger labels are made only where the config asks for them, bytes.
const LARGE_LABELS: u64 = 64 << 20;

/// The tables of a file.
#[derive(Default)]
pub(crate) struct Tables {
    labels: Vec<(u16, Packed)>,
    landmarks: Vec<(u16, Landmarks)>,
    stats: Tabled,
}

impl Tables {
    pub(crate) fn parts(&self) -> (Vec<LabelParts<'_>>, Vec<LandmarkParts<'_>>) {
        let labels = self.labels.iter().map(|(class, p)| p.parts(*class));
        let landmarks = self.landmarks.iter().map(|(class, l)| l.parts(*class));
        (labels.collect(), landmarks.collect())
    }

    /// The sizes of the tables, with the time of a query measured on the finished file.
    pub(crate) fn stats(
        &self,
        blob: &CheckedBlob<'_>,
        rec: &mut Recorder<'_>,
    ) -> Result<Tabled, BakeError> {
        let mut stats = self.stats;
        let mut served: Vec<u16> = self.labels.iter().map(|l| l.0).collect();
        let more = self.landmarks.iter().map(|l| l.0);
        let more: Vec<u16> = more.filter(|class| !served.contains(class)).collect();
        served.extend(more);
        if !served.is_empty() {
            stats.measured_us = rec.serial("tables", || clock::measured(blob, &served))?;
        }
        Ok(stats)
    }
}

/// Progress is reported in this many steps a class.
const SHARES: usize = 1000;

/// Makes the tables that fit the budget.
///
/// Labels come first, one agent class after another, then landmarks, then views. The meshes are
/// those with their links.
///
/// # Errors
/// When the config requires labels, and the budget is too small for them.
pub(crate) fn tables(
    input: &BakeInput,
    meshes: &[NavMeshBuf],
    rec: &mut Recorder<'_>,
) -> Result<Tables, BakeError> {
    let (settings, place) = (&input.config.tables, &input.place);
    let (stage, budget) = ("tables", settings.budget());
    let mut room = match budget {
        Budget::None => return Ok(Tables::default()),
        Budget::Auto | Budget::Labels => u64::MAX,
        Budget::Bytes(bytes) => bytes,
    };
    let required = settings.require == Require::Labels;
    rec.options.report(stage, 0, 1);
    let predicted = || meshes.iter().map(|nav| predicted_bytes(&nav.mesh())).sum();
    let mut made = None;
    if budget == Budget::Auto && !required {
        let predicted: u64 = safely(predicted)?;
        if predicted > LARGE_LABELS {
            let message = format!(
                "labels of this level are left out: they would take about {} MiB, and a while to make; `--table-budget labels` or `budget = \"labels\"` in `[tables]` asks for them; without them optimal paths are searched",
                predicted >> 20
            );
            rec.warn("tables-left-out", place, message);
            made = Some(vec![]);
        }
    }
    let made = match made {
        Some(none) => none,
        None => {
            let options = rec.options;
            let labels = |(class, nav): (usize, &NavMeshBuf)| {
                let all = meshes.len() * SHARES;
                let report = |share: f64| {
                    options.report(stage, class * SHARES + (share * SHARES as f64) as usize, all);
                };
                labels_watched(&nav.mesh(), &report)
            };
            safely(|| meshes.iter().enumerate().map(labels).collect())?
        }
    };
    let needed: u64 = made.iter().flatten().map(Packed::bytes).sum();
    if required && needed > room {
        return Err(BakeError::Budget(format!(
            "`tables.require` is `labels`, and the labels of this level take {needed} bytes; the budget is {room}; set it to {needed} or more"
        )));
    }
    let classes = made.len();
    let mut tables = Tables::default();
    let stats = &mut tables.stats;
    let (mut left_out, mut predicted_us) = (vec![], 0.0);
    for (class, packed) in (0u16..).zip(made) {
        let Some(packed) = packed else {
            continue;
        };
        let size = packed.bytes();
        if size > room {
            left_out.push((class, packed.ranks.len()));
            continue;
        }
        room -= size;
        stats.bytes += size;
        stats.corners += packed.ranks.len() as u64;
        stats.hubs += packed.hubs.len() as u64;
        tables.labels.push((class, packed));
    }
    if !left_out.is_empty() {
        let message = format!(
            "the labels of {} of {classes} agent classes are left out: all take {needed} bytes, and the budget is {budget}; optimal paths are searched there",
            left_out.len()
        );
        rec.warn("tables-left-out", place, message);
    }
    let searched: Vec<u16> = left_out.iter().map(|c| c.0).collect();
    let made = safely(|| landmarks::landmarks(input, meshes, &searched, room))?;
    for (_, landmarks) in &made.kept {
        room -= landmarks.bytes();
        stats.bytes += landmarks.bytes();
        stats.landmark_bytes += landmarks.bytes();
    }
    if made.left_out > 0 {
        let message = format!(
            "the landmarks of {} agent classes are left out: they take {} bytes, and labels leave {room} of the budget; searches around closed ground go without them",
            made.left_out, made.missing
        );
        rec.warn("tables-left-out", place, message);
    }
    tables.landmarks = made.kept;
    for (class, packed) in &mut tables.labels {
        let views = || Views::new(&meshes[usize::from(*class)].mesh());
        let made = match budget {
            Budget::Bytes(_) => safely(views)?,
            _ => None,
        };
        let (size, share) = made.map_or((0, 0.0), |views| views.fill(packed, room));
        room -= size;
        stats.view_bytes += size;
        stats.view_share += share;
        stats.squares += packed.squares.ends.len() as u64;
        predicted_us += clock::predicted(packed, share);
    }
    stats.bytes += stats.view_bytes;
    stats.view_share /= tables.labels.len().max(1) as f64;
    let mut served = tables.labels.len();
    for (class, corners) in left_out {
        if tables.landmarks.iter().any(|m| m.0 == class) {
            served += 1;
            predicted_us += clock::predicted_by_landmarks(corners);
        }
    }
    stats.predicted_us = predicted_us / served.max(1) as f64;
    rec.clock.stage(stage, true);
    rec.options.report(stage, 1, 1);
    Ok(tables)
}

/// Runs work of this stage; a panic in it becomes an internal error.
fn safely<T>(work: impl FnOnce() -> T) -> Result<T, BakeError> {
    guarded(|| "tables".into(), work)
}
