//! The stage `tables`: labels within the budget, then landmarks, and views or labels of squares for what is left of it.

mod clock;
mod landmarks;

use navbake_format::Blob;
use navbake_format::write::{with_labels, with_landmarks};
use navbake_level::Warning;
use navbake_tables::{Packed, Views, labels_of, predicted_bytes};

use crate::config::{Budget, Require};
use crate::error::BakeError;
use crate::run::{Run, guarded};

/// Labels that would take more are made only when they are asked for.
const MUCH: u64 = 64 << 20;

impl Run<'_> {
    /// The file with its tables, as far as they fit: labels of one agent class after another, then views in the same order. They are made on
    /// the meshes as they were written.
    pub(crate) fn tables(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, BakeError> {
        let tables = &self.job.config.tables;
        let (stage, budget) = ("tables", tables.budget());
        let mut room = match budget {
            Budget::None => return Ok(bytes),
            Budget::Auto | Budget::Labels => u64::MAX,
            Budget::Bytes(bytes) => bytes,
        };
        let required = tables.require == Require::Labels;
        self.options.report(stage, 0, 1);
        let internal = |e: String| BakeError::internal(stage, e);
        let mut made = None;
        if budget == Budget::Auto && !required {
            let predicted = safely(|| predicted(&bytes).map_err(internal))??;
            if predicted > MUCH {
                self.leave_out(format!(
                    "labels of this level are left out: they would take about {} MiB, and a while to make; `--table-budget labels` or `budget = \"labels\"` in `[tables]` asks for them, and optimal paths are searched for without",
                    predicted >> 20
                ));
                made = Some(vec![]);
            }
        }
        let made = match made {
            Some(none) => none,
            None => safely(|| labels(&bytes).map_err(internal))??,
        };
        let needed: u64 = made.iter().flatten().map(Packed::bytes).sum();
        if required && needed > room {
            return Err(BakeError::Budget(format!(
                "`tables.require` is `labels`, and the labels of this level take {needed} bytes; the budget is {room}, the smallest that would do is {needed}"
            )));
        }
        let classes = made.len();
        let (mut kept, mut left_out, mut predicted_us) = (vec![], vec![], 0.0);
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
            self.tables.bytes += size;
            self.tables.corners += packed.ranks.len() as u64;
            self.tables.hubs += packed.hubs.len() as u64;
            kept.push((class, packed));
        }
        if !left_out.is_empty() {
            self.leave_out(format!(
                "the labels of {} of {classes} agent classes are left out: all take {needed} bytes, and the budget is {budget}; optimal paths are searched for there",
                left_out.len()
            ));
        }
        let searched: Vec<u16> = left_out.iter().map(|c| c.0).collect();
        let marked = self.landmarks(&bytes, &searched, &mut room)?;
        for (class, packed) in &mut kept {
            let made = match budget {
                Budget::Bytes(_) => safely(|| views(&bytes, *class).map_err(internal))??,
                _ => None,
            };
            let (size, share) = made.map_or((0, 0.0), |views| views.fill(packed, room));
            room -= size;
            self.tables.view_bytes += size;
            self.tables.view_share += share;
            self.tables.squares += packed.squares.ends.len() as u64;
            predicted_us += clock::predicted(packed, share);
        }
        self.tables.bytes += self.tables.view_bytes;
        self.tables.view_share /= kept.len().max(1) as f64;
        let parts: Vec<_> = kept.iter().map(|(class, p)| p.parts(*class)).collect();
        let mut whole = match parts.is_empty() {
            true => bytes,
            false => with_labels(&bytes, &parts).map_err(|e| internal(e.to_string()))?,
        };
        if !marked.is_empty() {
            let parts: Vec<_> = marked.iter().map(|(class, l)| l.parts(*class)).collect();
            whole = with_landmarks(&whole, &parts).map_err(|e| internal(e.to_string()))?;
        }
        let mut served: Vec<u16> = kept.iter().map(|k| k.0).collect();
        for (class, corners) in left_out {
            if marked.iter().any(|m| m.0 == class) {
                served.push(class);
                predicted_us += clock::predicted_by_landmarks(corners);
            }
        }
        if !served.is_empty() {
            self.tables.predicted_us = predicted_us / served.len() as f64;
            let measured = safely(|| clock::measured(&whole, &served).map_err(internal))??;
            self.tables.measured_us = measured;
        }
        self.clock.stage(stage, true);
        self.options.report(stage, 1, 1);
        Ok(whole)
    }

    fn leave_out(&mut self, message: String) {
        self.warnings.push(Warning {
            code: "tables-left-out",
            message,
            place: self.job.place.clone(),
        });
    }
}

/// How many bytes the labels of all classes are likely to take.
fn predicted(bytes: &[u8]) -> Result<u64, String> {
    let blob = Blob::open_checked(bytes).map_err(|e| e.to_string())?;
    let meshes = (0..blob.class_count()).filter_map(|class| blob.decode(class));
    Ok(meshes.map(|nav| predicted_bytes(&nav.mesh())).sum())
}

/// The labels of each class that has any to tell.
fn labels(bytes: &[u8]) -> Result<Vec<Option<Packed>>, String> {
    let blob = Blob::open_checked(bytes).map_err(|e| e.to_string())?;
    let meshes = (0..blob.class_count()).map(|class| blob.decode(class));
    Ok(meshes.map(|nav| labels_of(&nav?.mesh())).collect())
}

/// The views of a class.
fn views(bytes: &[u8], class: u16) -> Result<Option<Views>, String> {
    let blob = Blob::open_checked(bytes).map_err(|e| e.to_string())?;
    Ok(blob.decode(class).and_then(|nav| Views::new(&nav.mesh())))
}

/// Does work of this stage; a panic in it becomes an internal error.
fn safely<T>(work: impl FnOnce() -> T) -> Result<T, BakeError> {
    guarded(|| "tables".into(), work)
}
