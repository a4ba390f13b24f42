//! Records in memory that can be written, as searches read them.

use alloc::vec::Vec;
use core::marker::PhantomData;

use navbake_navmesh::record::{Record, Records};

/// A list of records.
#[derive(Clone, Debug)]
pub(crate) struct Arena<R> {
    bytes: Vec<u8>,
    of: PhantomData<R>,
}

impl<R> Default for Arena<R> {
    fn default() -> Arena<R> {
        Arena { bytes: Vec::new(), of: PhantomData }
    }
}

impl<R: Record> Arena<R> {
    /// A copy of records.
    pub(crate) fn of(records: Records<'_, R>) -> Arena<R> {
        Arena { bytes: records.bytes().to_vec(), of: PhantomData }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / R::SIZE
    }

    pub(crate) fn push(&mut self, record: R) {
        self.bytes.extend_from_slice(record.to_bytes().as_ref());
    }

    pub(crate) fn at(&self, i: usize) -> R {
        self.records().at(i)
    }

    pub(crate) fn set(&mut self, i: usize, record: R) {
        let at = i * R::SIZE;
        self.bytes[at..at + R::SIZE].copy_from_slice(record.to_bytes().as_ref());
    }

    /// Changes a record.
    pub(crate) fn change(&mut self, i: usize, f: impl FnOnce(&mut R)) {
        let mut record = self.at(i);
        f(&mut record);
        self.set(i, record);
    }

    pub(crate) fn records(&self) -> Records<'_, R> {
        Records::new(&self.bytes).unwrap_or_default()
    }

    /// Drops the last record.
    pub(crate) fn pop(&mut self) {
        self.bytes.truncate(self.bytes.len().saturating_sub(R::SIZE));
    }
}
