//! The stage `tables`: labels within the budget.

use navbake_format::Blob;
use navbake_format::write::with_labels;
use navbake_level::Warning;
use navbake_tables::{Packed, labels_of};

use crate::config::{Budget, Require};
use crate::error::BakeError;
use crate::run::{Run, guarded};

impl Run<'_> {
    /// The file with its tables, as far as they fit: labels of one agent class after another. They are made on the meshes as they were written.
    pub(crate) fn tables(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, BakeError> {
        let tables = &self.job.config.tables;
        let mut room = match tables.budget() {
            Budget::None => return Ok(bytes),
            Budget::Labels => u64::MAX,
            Budget::Bytes(bytes) => bytes,
        };
        let (stage, required) = ("tables", tables.require == Require::Labels);
        self.options.report(stage, 0, 1);
        let internal = |e: String| BakeError::internal(stage, e);
        let made = guarded(
            || stage.into(),
            || self.pool.install(|| labels(&bytes).map_err(internal)),
        )??;
        let needed: u64 = made.iter().flatten().map(|(_, bytes)| bytes).sum();
        if required && needed > room {
            return Err(BakeError::Budget(format!(
                "`tables.require` is `labels`, and the labels of this level take {needed} bytes; the budget is {room}, the smallest that would do is {needed}"
            )));
        }
        let (mut kept, mut left_out) = (vec![], 0);
        for (class, labels) in (0u16..).zip(&made) {
            let Some((packed, size)) = labels else {
                continue;
            };
            if *size > room {
                left_out += 1;
                continue;
            }
            room -= size;
            self.tables.bytes += size;
            self.tables.corners += packed.ranks.len() as u64;
            self.tables.hubs += packed.hubs.len() as u64;
            kept.push(packed.parts(class));
        }
        if left_out > 0 {
            self.warnings.push(Warning {
                code: "tables-left-out",
                message: format!(
                    "the labels of {left_out} of {} agent classes are left out: all take {needed} bytes, and the budget is {}; optimal paths are searched for there",
                    made.len(),
                    tables.budget()
                ),
                place: self.job.place.clone(),
            });
        }
        let whole = match kept.is_empty() {
            true => bytes,
            false => with_labels(&bytes, &kept).map_err(|e| internal(e.to_string()))?,
        };
        self.clock.stage(stage, true);
        self.options.report(stage, 1, 1);
        Ok(whole)
    }
}

/// The labels of each class that has any to tell, and what they take in the file.
fn labels(bytes: &[u8]) -> Result<Vec<Option<(Packed, u64)>>, String> {
    let blob = Blob::open_checked(bytes).map_err(|e| e.to_string())?;
    let meshes = (0..blob.class_count()).map(|class| blob.mesh(class));
    let labels = meshes.map(|mesh| {
        let packed = labels_of(&mesh?)?;
        let size = packed.parts(0).bytes();
        Some((packed, size))
    });
    Ok(labels.collect())
}
