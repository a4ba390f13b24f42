//! The stage `tables`: labels within the budget, then landmarks, and views for what is left of it.
//!
//! The budget `auto` makes labels only where they are small and save work; see [`worth`].

mod clock;
mod landmarks;
mod worth;

use navbake_format::write::{LabelParts, LandmarkParts};
use navbake_format::{CheckedBlob, NavMeshBuf};
use navbake_tables::{Landmarks, Packed, Views, labels_watched, predicted_bytes};

use crate::config::{Budget, Require};
use crate::error::BakeError;
use crate::input::BakeInput;
use crate::recorder::{Recorder, guarded};
use crate::summary::{LabelChoice, Tabled};

/// Larger tables are made only where the config asks for them, bytes.
const LARGE: u64 = 64 << 20;

/// The greatest size of tables that the config does not ask for, in sizes of the rest of the file.
const TIMES: u64 = 2;

/// The tables of a file.
#[derive(Default)]
pub(crate) struct Tables {
    labels: Vec<(u16, Packed)>,
    landmarks: Vec<(u16, Landmarks)>,
    stats: Tabled,
}

impl Tables {
    /// Landmarks alone, by class.
    pub(crate) fn of_landmarks(landmarks: Vec<(u16, Landmarks)>) -> Tables {
        Tables { landmarks, ..Tables::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.landmarks.is_empty()
    }

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
        let mut stats = self.stats.clone();
        let mut served: Vec<u16> = self.labels.iter().map(|l| l.0).collect();
        let more = self.landmarks.iter().map(|l| l.0);
        let more: Vec<u16> = more.filter(|class| !served.contains(class)).collect();
        served.extend(more);
        if !served.is_empty() {
            let times = rec.serial("tables", || clock::measured(blob, &served))?;
            stats.measured_us = times[0];
            stats.search_us = if self.labels.is_empty() { 0.0 } else { times[1] };
        }
        Ok(stats)
    }
}

/// Progress is reported in this many steps a class.
const SHARES: usize = 1000;

/// Makes the tables that fit the budget.
///
/// Labels come first, one agent class after another, then landmarks, then views. The meshes are
/// those with their links; `rest` is the size of the file without tables, bytes.
///
/// # Errors
/// When the config requires labels, and the budget is too small for them.
pub(crate) fn tables(
    input: &BakeInput,
    meshes: &[NavMeshBuf],
    rest: u64,
    rec: &mut Recorder<'_>,
) -> Result<Tables, BakeError> {
    let (settings, place) = (&input.config.tables, &input.place);
    let (stage, budget) = ("tables", settings.budget());
    let required = settings.require == Require::Labels;
    let chooses = budget == Budget::Auto && !required;
    let mut room = match budget {
        Budget::None => return Ok(Tables::default()),
        Budget::Auto if chooses => (TIMES * rest).min(LARGE),
        Budget::Auto | Budget::Labels => u64::MAX,
        Budget::Bytes(bytes) => bytes,
    };
    rec.options.report(stage, 0, 1);
    let mut tables = Tables::default();
    let stats = &mut tables.stats;
    let (options, classes, whole) = (rec.options, meshes.len(), room);
    let (mut left_out, mut needed, mut predicted_us) = (vec![], 0, 0.0);
    for (class, nav) in (0u16..).zip(meshes) {
        let report = |share: f64| {
            let done = usize::from(class) * SHARES + (share * SHARES as f64) as usize;
            options.report(stage, done, classes * SHARES);
        };
        let labels = || labels_watched(&nav.mesh(), &report);
        let (packed, choice) = safely(|| chosen(class, nav, room, chooses, labels))?;
        let size = choice.as_ref().map_or(0, |choice| choice.bytes);
        needed += size;
        match packed {
            Some(packed) => {
                room -= size;
                stats.bytes += size;
                stats.corners += packed.ranks.len() as u64;
                stats.hubs += packed.hubs.len() as u64;
                tables.labels.push((class, packed));
            }
            None if !chooses && choice.is_some() => left_out.push(class),
            None => (),
        }
        stats.choices.extend(choice);
    }
    if required && !left_out.is_empty() {
        return Err(BakeError::Budget(format!(
            "`tables.require` is `labels`, and the labels of this level take {needed} bytes; the budget is {whole}; set it to {needed} or more"
        )));
    }
    if !left_out.is_empty() {
        let message = format!(
            "the labels of {} of {classes} agent classes are left out: all take {needed} bytes, and the budget is {budget}; optimal paths are searched there",
            left_out.len()
        );
        rec.warn("tables-left-out", place, message);
    }
    let made = safely(|| landmarks::landmarks(input, meshes, &left_out, room))?;
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
    for (class, _) in &tables.landmarks {
        if !tables.labels.iter().any(|l| l.0 == *class) {
            served += 1;
            let corners = meshes[usize::from(*class)].mesh().polys().corners;
            predicted_us += clock::predicted_by_landmarks(corners as usize);
        }
    }
    stats.predicted_us = predicted_us / served.max(1) as f64;
    rec.clock.stage(stage, true);
    rec.options.report(stage, 1, 1);
    Ok(tables)
}

/// The labels of a class that go into the file, with the reasons; no reasons where paths turn
/// nowhere. By the budget `auto` it `chooses`, otherwise labels are kept where there is room.
fn chosen(
    class: u16,
    nav: &NavMeshBuf,
    room: u64,
    chooses: bool,
    labels: impl FnOnce() -> Option<Packed>,
) -> (Option<Packed>, Option<LabelChoice>) {
    let mut choice = LabelChoice {
        class,
        choice: "too-large",
        bytes: predicted_bytes(&nav.mesh()),
        most_bytes: (room < u64::MAX).then_some(room),
        ..LabelChoice::default()
    };
    // Half of an estimate is less than labels take on any map that was measured.
    if chooses && choice.bytes / 2 > room {
        return (None, Some(choice));
    }
    let Some(packed) = labels() else {
        return (None, None);
    };
    choice.bytes = packed.bytes();
    if choice.bytes > room {
        return (None, Some(choice));
    }
    worth::count(nav, &packed, &mut choice);
    choice.choice = match chooses {
        false => "asked",
        true if choice.look_up_work < choice.search_work => "kept",
        true => "no-gain",
    };
    let kept = choice.choice != "no-gain";
    (kept.then_some(packed), Some(choice))
}

/// Runs work of this stage; a panic in it becomes an internal error.
fn safely<T>(work: impl FnOnce() -> T) -> Result<T, BakeError> {
    guarded(|| "tables".into(), work)
}
