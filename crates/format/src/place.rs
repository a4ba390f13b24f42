//! Faults of records, and checks that several sections share.

use core::ops::Range;

use navbake_grid::LIMIT;
use navbake_navmesh::record::Records;

use crate::blob::Blob;
use crate::error::{BlobError, Value};
use crate::section::Section;
use crate::strings::StringRef;

/// The result of a check.
pub(crate) type Checked = Result<(), BlobError>;

/// The agent class whose sections are checked.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) class: u16,
}

/// Sections of the whole blob.
pub(crate) const BLOB: Place = Place { class: 0 };

/// A record that is checked, for the error about it.
#[derive(Clone, Copy)]
pub(crate) struct Element {
    section: Section,
    class: u16,
    index: u64,
}

impl Element {
    pub(crate) fn fail<T>(
        &self,
        found: impl Into<Value>,
        expected: &'static str,
    ) -> Result<T, BlobError> {
        Place { class: self.class }.fail(self.section, self.index, found, expected)
    }

    /// Fails if it is `bad`.
    #[inline(always)]
    pub(crate) fn refuse(
        &self,
        bad: bool,
        found: impl Into<Value>,
        expected: &'static str,
    ) -> Checked {
        if bad { self.fail(found, expected) } else { Ok(()) }
    }

    /// A name is text in the section strings.
    pub(crate) fn name(&self, blob: &Blob<'_>, name: StringRef) -> Checked {
        let expected = "a name of whole characters within the section strings";
        match blob.string(name) {
            Some(_) => Ok(()),
            None => self.fail(name.offset, expected),
        }
    }

    /// Reserved bytes are 0.
    pub(crate) fn reserved(&self, reserved: impl Into<u32>) -> Checked {
        match reserved.into() {
            0 => Ok(()),
            found => self.fail(found, "0 in the reserved bytes"),
        }
    }

    /// A number is finite and not negative.
    pub(crate) fn amount(&self, v: impl Into<f64>, expected: &'static str) -> Checked {
        let v = v.into();
        match v.is_finite() && v >= 0.0 {
            true => Ok(()),
            false => self.fail(v, expected),
        }
    }

    /// Coordinates are within the grid's range.
    pub(crate) fn coordinates(&self, coordinates: &[i32]) -> Checked {
        let expected = "coordinates strictly between -2^25 and 2^25";
        match (coordinates.iter()).find(|c| c.unsigned_abs() >= LIMIT as u32) {
            Some(&c) => self.fail(c, expected),
            None => Ok(()),
        }
    }

    /// Refuses the number of a vehicle that is not there, or less than `next`, which becomes the
    /// least number of the record behind.
    pub(crate) fn refuse_out_of_order(&self, vehicle: u64, next: &mut u64, count: u64) -> Checked {
        let expected = "vehicles that there are, in their order";
        self.refuse(vehicle < *next || vehicle >= count, vehicle, expected)?;
        *next = vehicle + 1;
        Ok(())
    }
}

impl Place {
    /// The fault of a record: its number, the value found, and the value expected.
    #[cold]
    pub(crate) fn fail<T>(
        &self,
        section: Section,
        index: impl TryInto<u64>,
        found: impl Into<Value>,
        expected: &'static str,
    ) -> Result<T, BlobError> {
        Err(BlobError::Record {
            section,
            class: self.class,
            index: index.try_into().unwrap_or(u64::MAX),
            found: found.into(),
            expected,
        })
    }

    /// Fails if a record is `bad`.
    #[inline(always)]
    pub(crate) fn refuse(
        &self,
        bad: bool,
        section: Section,
        index: impl TryInto<u64>,
        found: impl Into<Value>,
        expected: &'static str,
    ) -> Checked {
        if bad { self.fail(section, index, found, expected) } else { Ok(()) }
    }

    /// A record, for several checks of it.
    #[inline]
    pub(crate) fn element(&self, section: Section, index: impl TryInto<u64>) -> Element {
        Element { section, class: self.class, index: index.try_into().unwrap_or(u64::MAX) }
    }

    /// None of these sections is there: they belong to one that is not.
    pub(crate) fn alone<const N: usize>(
        &self,
        blob: &Blob<'_>,
        sections: [Section; N],
        expected: &'static str,
    ) -> Checked {
        match sections.into_iter().find(|&s| blob.has(s, self.class)) {
            Some(section) => self.fail(section, 0, 0, expected),
            None => Ok(()),
        }
    }

    /// The records of a section, each with its number for errors.
    pub(crate) fn each<T>(
        self,
        section: Section,
        all: impl Iterator<Item = T>,
    ) -> impl Iterator<Item = (Element, T)> {
        (0u64..).zip(all).map(move |(i, record)| (self.element(section, i), record))
    }

    /// Distances are finite and not negative.
    pub(crate) fn distances(&self, section: Section, all: Records<'_, f32>) -> Checked {
        let expected = "a number that is finite and not negative";
        self.each(section, all.iter()).try_for_each(|(it, v)| it.amount(v, expected))
    }

    /// Ends of runs do not fall and stay within `count` elements. Calls `run` for each, in order,
    /// and gives the last end.
    pub(crate) fn ends(
        &self,
        section: Section,
        ends: Records<'_, u32>,
        count: usize,
        expected: &'static str,
        mut run: impl FnMut(u32, Range<usize>) -> Checked,
    ) -> Result<usize, BlobError> {
        let mut begin = 0;
        for (i, end) in (0u32..).zip(ends.iter()) {
            let end = end as usize;
            if end < begin || end > count {
                return self.fail(section, i, end, expected);
            }
            run(i, begin..end)?;
            begin = end;
        }
        Ok(begin)
    }
}
