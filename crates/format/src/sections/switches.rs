//! Switches, which queries may close: the section `switches`.

use crate::place::{BLOB, Checked, Element};
use crate::strings::StringRef;
use crate::{Blob, CheckedBlob, Section};

/// No switch.
pub(crate) const NO_SWITCH: u16 = u16::MAX;

navbake_navmesh::record! {
    /// Section `switches`: `closed` is 0 or 1.
    pub(crate) struct SwitchRecord: 8 { name: StringRef, closed: u8, reserved: u8 }
}

/// Something that a query may close. Its number is its bit in the query's set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether it is closed when the level begins.
    pub closed: bool,
}

/// The switch of a record that may have none.
pub(crate) fn switch(number: u16) -> Option<u16> {
    (number != NO_SWITCH).then_some(number)
}

impl<'a> CheckedBlob<'a> {
    /// Switches by number.
    pub fn switches(&self) -> impl ExactSizeIterator<Item = Switch<'a>> + use<'a> {
        let blob = self.blob();
        let records = blob.records::<SwitchRecord>(Section::SWITCHES, 0);
        records.iter().map(move |r| Switch { name: blob.name(r.name), closed: r.closed == 1 })
    }
}

impl Element {
    /// The number of a switch, or none.
    pub(crate) fn switch(&self, blob: &Blob<'_>, number: u16) -> Checked {
        let known = u64::from(number) < blob.count(Section::SWITCHES, 0);
        let expected = "a switch, or 65535 for none";
        self.refuse(number != NO_SWITCH && !known, number, expected)
    }
}

/// Switches have a number below [`NO_SWITCH`], a name and a state.
pub(crate) fn check(blob: &Blob<'_>) -> Checked {
    let section = Section::SWITCHES;
    for (i, r) in (0u32..).zip(blob.records::<SwitchRecord>(section, 0).iter()) {
        let it = BLOB.element(section, i);
        it.refuse(i >= u32::from(NO_SWITCH), i, "fewer than 65535 switches")?;
        it.name(blob, r.name)?;
        it.refuse(r.closed > 1, r.closed, "0 (open) or 1 (closed)")?;
        it.reserved(r.reserved)?;
    }
    Ok(())
}

#[cfg(feature = "write")]
mod encoder {
    use alloc::vec::Vec;

    use super::{Switch, SwitchRecord};
    use crate::Section;
    use crate::draft::{Draft, Drafts};
    use crate::strings::Strings;
    use crate::write::EncodeError;

    pub(crate) fn encode(
        switches: &[Switch<'_>],
        strings: &mut Strings,
        drafts: &mut Drafts<'_>,
    ) -> Result<(), EncodeError> {
        let mut records = Vec::with_capacity(switches.len());
        for s in switches {
            records.push(SwitchRecord {
                name: strings.add(s.name, "switch name")?,
                closed: u8::from(s.closed),
                reserved: 0,
            });
        }
        drafts.push(Draft::optional(Section::SWITCHES, 0, records));
        Ok(())
    }
}

#[cfg(feature = "write")]
pub(crate) use encoder::encode;
