//! What the baker noticed, added to a blob.

use alloc::vec::Vec;

use zerocopy::little_endian::{F32, F64, U16, U32};

use super::{Draft, EncodeError, Strings, drafts_of, rebuilt};
use crate::findings::NO_CLASS;
use crate::records::{FindingRecord, FindingsRecord};
use crate::{Blob, Noticed, NoticedKind, Section};

/// The blob with these findings in place of those that it has, in this order. `looked` are the kinds that were looked for; `left_out` is how many more were
/// noticed.
///
/// # Errors
/// When the blob is unsound, or a name is longer than the format can tell.
pub fn with_findings(
    bytes: &[u8],
    looked: &[NoticedKind],
    findings: &[Noticed<'_>],
    left_out: u32,
) -> Result<Vec<u8>, EncodeError> {
    let blob = Blob::open(bytes).map_err(EncodeError::Unsound)?;
    let is_finding = |s: Section| (Section::FINDINGS..=Section::FOUND_NAMES).contains(&s);
    let mut drafts = drafts_of(&blob, |section| !is_finding(section));
    let parts = FindingsParts {
        looked,
        found: findings,
        left_out,
    };
    encode(&parts, &mut drafts)?;
    rebuilt(&blob, drafts)
}

/// What the baker noticed.
#[derive(Clone, Copy, Debug)]
pub struct FindingsParts<'a> {
    /// What was looked for.
    pub looked: &'a [NoticedKind],
    /// What was found.
    pub found: &'a [Noticed<'a>],
    /// How many more there were.
    pub left_out: u32,
}

pub(super) fn encode(
    parts: &FindingsParts<'_>,
    drafts: &mut Vec<Draft>,
) -> Result<(), EncodeError> {
    let number = |kind| {
        let place = NoticedKind::ALL.iter().position(|&k| k == kind);
        place.unwrap_or(0) as u16 // there are few kinds
    };
    let mut names = Strings::default();
    let mut records = Vec::with_capacity(parts.found.len());
    for f in parts.found {
        records.push(FindingRecord {
            kind: U16::new(number(f.kind)),
            class: U16::new(f.class.unwrap_or(NO_CLASS)),
            name: names.add(f.name, "name of a finding")?,
            reserved: U16::new(0),
            at: f.at.map(F64::new),
            value: F32::new(f.value),
            limit: F32::new(f.limit),
            count: U32::new(f.count),
        });
    }
    let head = FindingsRecord {
        looked: U32::new(parts.looked.iter().fold(0, |all, &k| all | 1 << number(k))),
        left_out: U32::new(parts.left_out),
    };
    drafts.push(Draft::of(Section::FINDINGS, 0, &[head]));
    drafts.push(Draft::of(Section::FOUND, 0, &records));
    drafts.push(Draft::of(Section::FOUND_NAMES, 0, &names.pool));
    // Games can do without.
    let is_finding = |s: Section| (Section::FINDINGS..=Section::FOUND_NAMES).contains(&s);
    for draft in drafts.iter_mut().filter(|d| is_finding(d.section)) {
        draft.required = false;
    }
    Ok(())
}
