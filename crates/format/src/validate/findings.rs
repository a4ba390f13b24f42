//! What must hold of what the baker noticed, so that reports can rely on it.

use super::{Checked, fail, int};
use crate::findings::NO_CLASS;
use crate::records::{FindingRecord, FindingsRecord, text};
use crate::{Blob, Found, Section};

pub(super) fn findings(blob: &Blob<'_>) -> Checked {
    blob.text(Section::FOUND_NAMES)?;
    let heads = blob.records::<FindingsRecord>(Section::FINDINGS, 0);
    let records = blob.records::<FindingRecord>(Section::FOUND, 0);
    let names = blob.records::<u8>(Section::FOUND_NAMES, 0);
    let is_there = blob.section(Section::FINDINGS, 0).is_some();
    if is_there && heads.len() != 1 {
        return int(Section::FINDINGS, 0, heads.len() as i64, "one record");
    }
    if !is_there && !records.is_empty() {
        let expected = "no records: there is no section findings";
        return int(Section::FOUND, 0, records.len() as i64, expected);
    }
    for (i, r) in records.iter().enumerate() {
        let class = r.class.get();
        if class != NO_CLASS && class >= blob.class_count() {
            return int(
                Section::FOUND,
                i,
                class,
                "an agent class with a mesh, or 65535",
            );
        }
        if r.reserved.get() != 0 {
            return int(
                Section::FOUND,
                i,
                r.reserved.get(),
                "0 in the reserved bytes",
            );
        }
        for c in r.at.map(|c| c.get()) {
            if !c.is_finite() {
                return fail(Section::FOUND, i, Found::Float(c), "a finite place");
            }
        }
        for v in [r.value.get(), r.limit.get()] {
            if !v.is_finite() {
                return fail(Section::FOUND, i, Found::Float(v.into()), "finite numbers");
            }
        }
        if text(names, r.name).is_none() {
            let expected = "a name of whole characters within the section found-names";
            return int(Section::FOUND, i, r.name.offset.get(), expected);
        }
    }
    Ok(())
}
